"""Graph loading calls (paper, section 4.3.1): a text that speaks of a graph gets `[GL(name, nodes, links)]` before it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class GraphLoader:
    """Writes graph loading calls into texts."""

    def annotate(self, text: str) -> str:
        """`text` with a call where it speaks of a graph; else as it is."""
        return text
