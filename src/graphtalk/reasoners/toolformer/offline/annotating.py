"""The offline annotator: what a text mentions, what it asks for, and where the call stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from graphtalk.calls.embedded import find_calls
from graphtalk.reasoners.toolformer.annotator import DeclinedError
from graphtalk.reasoners.toolformer.offline.catalogue import Catalogue, DataSet
from graphtalk.reasoners.toolformer.offline.declarative import asks, compares, stated
from graphtalk.reasoners.toolformer.offline.features import segment
from graphtalk.reasoners.toolformer.offline.loading import GraphLoader
from graphtalk.reasoners.toolformer.offline.mentions import DATA, GRAPH, NUMBER, SLOT, WORD, Reading, read
from graphtalk.reasoners.toolformer.offline.model import OTHER, Classifier
from graphtalk.reasoners.toolformer.offline.rewriting import Rewriter
from graphtalk.reasoners.toolformer.offline.writing import Insert, Piece, write

_MANY = 10
"""How many are recommended where a text asks for some and does not say how many, as in the paper's prompts."""
_NETWORKS = frozenset("graph graphs network networks dataset tree".split())
_SEVERAL = frozenset(
    "movies items artists films products things singers bands goods titles recommendations some few".split()
)
_CONTRARY = dict.fromkeys(("target", "tail", "object"), "transe:tail_entity") | dict.fromkeys(
    ("source", "head", "subject", "from"), "transe:head_entity"
)
"""What is not asked for where this word stands before the entity that is given."""
_BACKGROUND = {
    "eccentricity": "toolx:eccentricity", "eccentricities": "toolx:eccentricity", "radius": "toolx:radius",
    "diameter": "toolx:diameter",
}  # fmt: skip
_NAMED = frozenset((DATA, GRAPH))
_LONGEST = frozenset("maximum maximal max longest largest greatest".split())
_DISTANCES = frozenset(_BACKGROUND.values()) | {
    f"toolx:{name}"
    for name in ("center", "periphery", "max_path_length", "min_path_length", "avg_path_length")
}


@dataclass(frozen=True)
class OfflineAnnotator:
    """Annotates without a language model (protocol `Annotator`). Made by `open_offline_annotator`."""

    catalogue: Catalogue
    classifier: Classifier
    rewriter: Rewriter
    loader: GraphLoader

    def annotate(self, text: str) -> str:
        """`text` with its calls; as it is where it needs none. Raises DeclinedError where none can be written."""
        if any(each.call.function == "GL" or each.call.graph for each in find_calls(text)):
            return text
        reading = read(text, self.catalogue)
        if reading.data is not None and (pieces := self.rewriter.find(reading)) is not None:
            return write(pieces, reading, self.catalogue)
        if not (SLOT in reading.shape or asks(reading.shape)):
            return self.loader.annotate(text)
        if reading.data is None:
            return self._without_graph(reading)
        if reading.others or compares(reading.shape):
            return self._declined(reading, reading.data)
        return self._asked(reading, reading.data)

    def _without_graph(self, reading: Reading) -> str:
        """A text that asks, and names no graph that is known: declined where it is about one, else left alone."""
        if SLOT in reading.shape or "#" in reading.shape or not _NETWORKS.isdisjoint(reading.shape):
            known = ", ".join(each.name for each in self.catalogue.data)
            raise DeclinedError(
                f"The text names no graph that is known. Known: {known}; and the graphs of gpr."
            )
        return reading.text

    def _asked(self, reading: Reading, data: DataSet) -> str:
        slots = [at for at, mask in enumerate(reading.shape) if mask == SLOT]
        if not slots:
            call = self._call(reading, data, reading.shape)
            if call is None:
                return self._declined(reading, data)
            pieces = self._two(reading, data) or stated(reading.shape, call)
            return write(pieces, reading, self.catalogue)
        calls = {at: self._call(reading, data, segment(reading.shape, at)) for at in slots}
        found = {at: call for at, call in calls.items() if call is not None}
        if len(found) < len(calls):
            return self._declined(reading, data)
        return write(_placed(reading, found), reading, self.catalogue)

    def _two(self, reading: Reading, data: DataSet) -> list[Piece]:
        """ "What are the radius and the diameter of G?": two calls in one statement. Nothing where one is asked for."""
        shape = reading.shape
        at = next(
            (at for at in range(2, len(shape) - 2) if shape[at] == "and" and shape[at - 1].isalpha()), 0
        )
        second = at + 2 if at and shape[at + 1] == "the" else at + 1
        if not at or second + 1 >= len(shape) or shape[second + 1] not in ("of", "in", "for"):
            return []
        first = self._call(reading, data, (*shape[:at], *shape[second + 1 :]))
        other = self._call(reading, data, (*shape[: at - 1], *shape[second:]))
        if first is None or other is None or first.function == other.function or first.arguments:
            return []
        words = ("what", "is", "the", shape[at - 1], *shape[second + 1 :])
        moved = [*range(2), at, at - 1, *range(second + 1, len(shape))]
        stated_first = [moved[p] if isinstance(p, int) else p for p in stated(words, first)]
        return ["the", *(p for p in stated_first[1:-1]), "and", "the", second, "is", other, "."]

    def _declined(self, reading: Reading, data: DataSet) -> str:
        if not _is_about_data(reading):
            return reading.text  # the name means something else: "What do you think about Amazon?"
        if reading.others:
            named = ", ".join(
                (*(token.value for token in reading.tokens if token.kind in _NAMED), *reading.others)
            )
            raise DeclinedError(f"The text names several graphs: {named}. A call is about one: ask for each.")
        offered = ", ".join(sorted(self.catalogue.offers(data.family)))
        raise DeclinedError(f"No function gives what is asked of {data.name}. It offers: {offered}.")

    def _call(self, reading: Reading, data: DataSet, shape: Sequence[str]) -> Insert | None:
        """The call that this part of the text asks for, or None."""
        fitting = {
            name: arguments
            for name in self.catalogue.offers(data.family)
            if (arguments := fill(reading, self.catalogue.takes[name])) is not None
        }
        for before, mention in pairwise(shape):
            if mention == "<entity>" and before in _CONTRARY:
                fitting.pop(_CONTRARY[before], None)
        scores = self.classifier.scores(shape)
        best = max(
            (name for name in scores if name in fitting or name == OTHER), key=lambda name: scores[name]
        )
        return Insert(best, fitting[best]) if best != OTHER else None


def _is_about_data(reading: Reading) -> bool:
    """Whether the name of a data set means the data: something of it is mentioned, or a word for graphs stands there."""
    mentions = [token for token in reading.tokens if token.kind not in (WORD, DATA, NUMBER)]
    return bool(mentions) or not _NETWORKS.isdisjoint(reading.shape)


def fill(reading: Reading, kinds: Sequence[str]) -> tuple[int | str, ...] | None:
    """The arguments for these kinds, from what a text mentions; None where it mentions too little or too much."""
    places: dict[str, list[int]] = {}
    for at, token in enumerate(reading.tokens):
        if token.kind not in (WORD, SLOT, DATA, GRAPH):
            places.setdefault(token.kind, []).append(at)
    numbers = places.pop(NUMBER, [])
    arguments: list[int | str] = []
    for kind in kinds:
        if kind == "number":
            several = not _SEVERAL.isdisjoint(reading.shape)
            arguments.append(numbers.pop(0) if numbers else str(_MANY if several else 1))
        elif places.get(kind.rstrip("?")):
            arguments.append(places[kind.rstrip("?")].pop(0))
        elif not kind.endswith("?"):
            return None
    return None if any(places.values()) else tuple(arguments)


def _placed(reading: Reading, calls: dict[int, Insert]) -> list[Piece]:
    """A statement's pieces: each slot its call; behind a quantity that others are told by, a call for memory only."""
    asked = {call.function for call in calls.values()}
    pieces: list[Piece] = []
    for at, token in enumerate(reading.tokens):
        if at in calls:
            pieces.append(calls[at])
            continue
        pieces.append(at)
        quantity = _quantity(reading.shape, at) if token.kind == WORD else None
        if quantity and quantity not in asked and asked <= _DISTANCES:
            pieces.append(Insert(quantity, inserts=False))
            asked = asked | {quantity}
    return pieces


def _quantity(shape: Sequence[str], at: int) -> str | None:
    """The function of the quantity whose name ends here."""
    if (
        tuple(shape[at - 2 : at + 1]) == ("shortest", "path", "length")
        and at > 2
        and shape[at - 3] in _LONGEST
    ):
        return "toolx:max_path_length"
    return _BACKGROUND.get(shape[at])
