"""Teaching the reader: questions with readings, made by program and read from sets; the network and its training."""
