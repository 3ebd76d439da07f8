"""OpenAI's form of the API, so that any client of it can talk with a graph: the model is the graph's name."""
