"""Whole questions that people ask of any graph, read by a table of wordings (tools/wordings.txt)."""
