"""GraphQA (section 4 of the G-Retriever paper): questions that each bring a textual graph; and MetaQA."""
