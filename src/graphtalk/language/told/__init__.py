"""Graphs told in text: structured blocks (JSON, YAML, tables, matrices, DOT, lists), each by a real parser.

`blocks.take_blocks` takes them out of a text; what is left is prose.
"""
