"""Whether a statement speaks of a graph, so that it gets a loading call, or is prose that is to stay as it is."""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_MOST_CHARACTERS = 400  # a longer text is prose about something, not a statement about a graph
_GRAPH_WORDS = re.compile(
    r"\b(?:graphs?|networks?|(?:knowledge|data) ?base|ontology|connectome|blockchain|datasets?|molecular structure"
    r"|molecule|chemical compound|food (?:web|chain)|(?:family|phylogenetic|decision|binary) tree|world wide web"
    r"|(?:recommend\w*|nervous|respiratory|circulatory|digestive|immune|endocrine|subway|metro|transportation"
    r"|public transport|rail|railway|highway|road|power|communication) (?:system|engine|map)s?|pathways?|supply chain"
    r"|organi[sz]ational structure|hierarchy|interconnected|nodes|protein structure|crystal structure|periodic table"
    r"|(?:platform|website|service|app)(?= \w*(?:connect|allow|provid|offer|enabl|has|contain|let|featur|recommend|suggest)))(?!\w)",
    re.I,
)
_SENTENCE = re.compile(r"\s*[\"“'(]?[^\W_a-z].*[.!][\"”')]?\s*")
_QUOTED = re.compile(r'"[^"]*"|“[^”]*”')
_PERSONAL = re.compile(
    r"\b(?:I(?!\.)|[Ww]e|[Mm]y|[Oo]urs?|[Yy]ours?|[Yy]ou)\b"
)  # somebody speaks of their own affairs; "Michael I. Jordan" does not

_IN_GENERAL = re.compile(  # "Graphs are used …", "Citation networks became popular …"
    r"\s*(?!(?:the|these|those|all|both|some|its|their|our|his|her|in|of|on|at|for|two|three|several|many)\b)(?:[^\W\d_][\w-]*\s){0,2}(?:graphs|networks)\b",
    re.I,
)

_POINTS = re.compile(r"\s*(?:This|That)\b", re.I)  # what was spoken of before, or is at hand
_OF_ITS_NAME = re.compile(  # what somebody did with a graph, or its name: nothing that the graph has
    r"\b(?:is|was|are|were) (?:also |first )?(?:named|called|drawn|introduced|invented|discovered|found|published|described|studied) (?:after|as|by|in|on|because)\b"
)


def is_statement(text: str) -> bool:
    """Whether a text is one short line that begins and ends as sentences do, and speaks of no own affairs, nothing at hand, graphs in general, or the name of one."""
    whole = len(text) <= _MOST_CHARACTERS and _SENTENCE.fullmatch(text)
    other = any(pattern.match(text) for pattern in (_IN_GENERAL, _POINTS)) or _OF_ITS_NAME.search(text)
    other = other or _PERSONAL.search(_QUOTED.sub("", text))
    return bool(whole) and not other


def has_graph_word(text: str) -> bool:
    """Whether a text has a word that is often said of graphs."""
    return bool(_GRAPH_WORDS.search(text))


@dataclass(frozen=True)
class Gate:
    """A logistic regression over the embedding of a text and whether it has a word for graphs.

    weights: of the embedding's dimensions and of the word, shape (dimensions + 1,)
    least: the score from which on a text is taken to speak of a graph
    """

    weights: NDArray[np.float32]
    least: float

    def score(self, text: str, vector: NDArray[np.float32]) -> float:
        """How much a text, whose embedding is `vector`, sounds as one about a graph."""
        return float(self.weights[:-1] @ vector + self.weights[-1] * has_graph_word(text))

    def opens(self, text: str, vector: NDArray[np.float32]) -> bool:
        """Whether a text, whose embedding is `vector`, is a statement about a graph."""
        return is_statement(text) and self.score(text, vector) >= self.least
