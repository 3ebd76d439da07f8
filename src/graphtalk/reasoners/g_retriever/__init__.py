"""G-Retriever (He et al., 2024): retrieve a subgraph, write it as text, and answer from it.

`settings.py` says what a model is given, `text.py` asks it, and `extract.py` answers without one.
"""

from graphtalk.reasoners.g_retriever.extract import Extractor
from graphtalk.reasoners.g_retriever.settings import SETTINGS, Setting
from graphtalk.reasoners.g_retriever.text import GRetriever

__all__ = ["SETTINGS", "Extractor", "GRetriever", "Setting"]
