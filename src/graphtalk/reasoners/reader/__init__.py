"""The reader: a question in plain language as queries over a graph's schema, each with how sure it is (docs/reading.md)."""

from graphtalk.reasoners.reader.reader import Candidate, GraphReader, Reader, load_reader

__all__ = ["Candidate", "GraphReader", "Reader", "load_reader"]
