"""Graph-ToolFormer: a text is annotated with calls, the calls are run, and their results put in place (section 4)."""
