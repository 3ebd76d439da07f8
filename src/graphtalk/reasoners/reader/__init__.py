"""The reader: a question in plain language as queries over a graph's schema, each with how likely it is (docs/reading.md)."""

from graphtalk.reasoners.reader.reader import GraphReader, Read, Reader, load_reader

__all__ = ["GraphReader", "Read", "Reader", "load_reader"]
