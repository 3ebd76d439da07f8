"""From text to nodes: exact names, keywords, trigrams and dense vectors; the sentence embedders."""

from graphtalk.search.embedder import Embedder, load_embedder
from graphtalk.search.index import Hit, Index
from graphtalk.search.names import Mention
from graphtalk.search.normalise import normalise
from graphtalk.search.vectors import VectorStore

__all__ = ["Embedder", "Hit", "Index", "Mention", "VectorStore", "load_embedder", "normalise"]
