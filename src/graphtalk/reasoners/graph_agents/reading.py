"""Graph construction (Hu et al. 2024, section 4): the graph of a text, read by grammar and checked.

What is read first is taken out of the text; what is left are the words that ask.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from graphtalk.core import UsageError
from graphtalk.reasoners.graph_agents.clauses import Told, told_edges
from graphtalk.reasoners.graph_agents.counts import Universe, universe, without_ranges
from graphtalk.reasoners.graph_agents.described import Described
from graphtalk.reasoners.graph_agents.gather import Bag, Gathered
from graphtalk.reasoners.graph_agents.lexicon import ID, NUMBER, either, words
from graphtalk.reasoners.graph_agents.lists import HOLE, Chunk, is_node_weights, take_all
from graphtalk.reasoners.graph_agents.passages import Sentence, last_problem, sentences, without_explanations

_VECTOR = re.compile(rf"(?:(?:[a-z]+)\s+)?({ID})\s*[:=]\s*[\[(]\s*({NUMBER}(?:\s*,\s*{NUMBER})*)\s*[\])]")
_PATTERN = re.compile(
    r"\b(?:sub-?graphs?|sub-?structure|pattern|smaller|second graph|motif|template|query graph|graphlet|G'|G′|H|graph H|small graph|mini)(?!\w)"
)
_LARGER = re.compile(
    r"\bgraph G\b(?!['′])|\bG\b(?!['′])|\b(?:main|larger|big|host|original|first|data|bigger|whole) (?:graph|network)\b"
)
_EMBEDDED = re.compile(
    r"\b(?:embeddings?|feature vectors?|vectors?|features|representations?|attributes)\b", re.I
)
_NO_GRAPH = (
    "No graph was found in the text: no edges such as (0,1), 0: 1, 2 or 'node 0 is connected to node 1'."
)


@dataclass(frozen=True)
class Reading:
    """What a text describes, and the sentences that are left. `pattern` is its second, smaller graph, if any."""

    text: str
    described: Described
    left: tuple[Sentence, ...]
    explained: str
    pattern: Described | None = None

    @property
    def asked(self) -> str:
        """The sentences that ask."""
        return " ".join(sentence.text for sentence in self.left if sentence.asks)

    @property
    def rest(self) -> str:
        """All sentences that are left."""
        return " ".join(sentence.text for sentence in self.left)


def read(text: str) -> Reading:
    """The graph of a text.

    Raises UsageError, quoting the place, where there is none, an edge leads to a node that is not there, counts
    contradict each other.
    """
    problem = last_problem(text)
    bare, explained = without_explanations(problem)
    bare, vectors = _vectors(bare)
    bare, chunks = take_all(bare, embedded=bool(vectors))
    bare, chunks = _asked_pair(bare, chunks)
    weights = [chunk for chunk in chunks if is_node_weights(chunk)]
    chunks = [chunk for chunk in chunks if not is_node_weights(chunk)]
    chunks, second = _two_graphs(chunks)
    known = universe(bare, second is not None)
    kept, told, at_nodes = _told(without_ranges(bare), bool(chunks))
    if not chunks and not told:
        raise UsageError(_NO_GRAPH)
    gathered = Gathered(tuple(chunks), tuple(told), tuple(weights), at_nodes, tuple(vectors))
    words_told = f"{explained} {' '.join(sentence.text for sentence in kept)}"
    described = Bag(gathered, known, words_told).described()
    pattern = None
    if second is not None:
        smaller = Universe(known.second_names) if known.second_names else Universe()
        pattern = Bag(Gathered((second,)), smaller, words_told).described()
        pattern = replace(pattern, directed=described.directed)
    return Reading(problem, described, tuple(kept), explained, pattern)


def _vectors(text: str) -> tuple[str, list[tuple[str, list[float]]]]:
    """Embeddings of nodes, `node 0: [1, 0]`."""
    if not _EMBEDDED.search(text[:200_000]):
        return text, []
    found = list(_VECTOR.finditer(text))
    if len({m[2].count(",") for m in found}) != 1:
        return text, []
    vectors = [(m[1].strip("\"'"), [float(entry) for entry in m[2].split(",")]) for m in found]
    return _VECTOR.sub(" ", text), vectors


def _two_graphs(chunks: Sequence[Chunk]) -> tuple[list[Chunk], Chunk | None]:
    """The chunks of the graph, and that of the smaller graph where the words before one call it so."""
    smaller = [chunk for chunk in chunks if _calls_smaller(chunk.heading)]
    if len(chunks) < 2 or not smaller or len(smaller) == len(chunks):
        return list(chunks), None
    return [chunk for chunk in chunks if chunk is not smaller[-1]], smaller[-1]


def _calls_smaller(heading: str) -> bool:
    """Whether the last graph that the words before a list name is the smaller one."""
    near = heading[heading.rfind(HOLE) + 1 :]
    smaller = max((m.start() for m in _PATTERN.finditer(near)), default=-1)
    return smaller > max((m.start() for m in _LARGER.finditer(near)), default=-1)


def _asked_pair(text: str, chunks: list[Chunk]) -> tuple[str, list[Chunk]]:
    """A single pair in a question is what is asked about, and no edge of the graph: it goes back into the text."""
    if len(chunks) < 2:
        return text, chunks
    holes = [m.start() for m in re.finditer(HOLE, text)]
    for chunk in chunks:
        if not chunk.single or chunk.weight is not None:
            continue
        near = re.split(r"[.?!\n]", chunk.heading)[-1].split(HOLE)[-1]
        if re.search(
            r"\b(?:is|are|does|do|whether|if|check|between|exist\w*|contains?|pair|from)\b[^:]*$", near, re.I
        ):
            place = next((at for at in holes if text[:at].rstrip().endswith(near.strip()[-20:])), None)
            if place is not None:
                pair = f"{chunk.source[0]} and {chunk.target[0]}"
                return text[:place] + pair + text[place + 1 :], [
                    other for other in chunks if other is not chunk
                ]
    return text, chunks


def _told(text: str, listed: bool) -> tuple[list[Sentence], list[Told], dict[str, float]]:
    """The sentences that are left, the edges that the others told of, and the weights of nodes that they told."""
    kept: list[Sentence] = []
    told: list[Told] = []
    at_nodes: dict[str, float] = {}
    for sentence in sentences(text):
        weighs = _node_weights(sentence.text)
        if weighs and not sentence.asks:
            at_nodes.update(weighs)
            continue
        edges = (
            []
            if sentence.asks or "whether" in sentence.text or (listed and not _worth(sentence.text))
            else told_edges(sentence.text)
        )
        told += edges
        if not edges:
            kept.append(sentence)
    return kept, told, at_nodes


def _worth(sentence: str) -> bool:
    """Whether a sentence beside a list may tell of one more edge: it names two things with numbers or capitals."""
    return (
        HOLE not in sentence
        and len(re.findall(r"\d+|(?<!^)\b[A-Z]", sentence)) >= 2
        and not _COUNTS.search(sentence)
    )


_COUNTS = re.compile(r"\b(?:numbered|labell?ed|named|total of|has|with|have|there (?:are|is))\b", re.I)
_AT_NODE = re.compile(
    rf"^(?:and |the )?(?:weight of |value of )?(?:the )?(?:[a-z]+ )?({ID})(?:'s)? (?:has (?:an? )?(?:node )?(?:weight|value|score)(?: of)?|weighs|weight is|has|is weighted|is|=) ?({NUMBER})(?: points?)?$",
    re.I,
)


def _node_weights(sentence: str) -> dict[str, float]:
    """`node 0 has weight 2, node 1 has weight 9`."""
    if not re.search(r"\b(?:weigh\w*|value|score|points)\b", sentence):
        return {}
    parts = [part.strip(" .:") for part in re.split(r",| and ", sentence.split(":")[-1])]
    found = [_AT_NODE.match(part) for part in parts if part]
    return {m[1]: float(m[2]) for m in found if m} if found and all(found) else {}


__all__ = ["Reading", "either", "read", "words"]
