"""The offline annotator: what a text mentions, what it asks for, and where the call stands."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from graphtalk.calls import Call, Expression, find_calls
from graphtalk.language.english import STOP
from graphtalk.reasoners.toolformer.annotator import DeclinedError
from graphtalk.reasoners.toolformer.offline.asked import caution
from graphtalk.reasoners.toolformer.offline.catalogue import Catalogue, DataSet
from graphtalk.reasoners.toolformer.offline.clauses import Part, StatedPart, about, joined, one_by_one, parts
from graphtalk.reasoners.toolformer.offline.coordination import counts, mentions, overlooks, quantities
from graphtalk.reasoners.toolformer.offline.declarative import asks, compares, orders, stated, statement
from graphtalk.reasoners.toolformer.offline.features import segment
from graphtalk.reasoners.toolformer.offline.gate import is_statement
from graphtalk.reasoners.toolformer.offline.guards import Guards
from graphtalk.reasoners.toolformer.offline.loading import GraphLoader
from graphtalk.reasoners.toolformer.offline.mentions import (
    DATA,
    GRAPH,
    NUMBER,
    SLOT,
    WORD,
    Token,
    TokenText,
    named,
    read,
)
from graphtalk.reasoners.toolformer.offline.model import OTHER, Classifier
from graphtalk.reasoners.toolformer.offline.rewriting import Rewriter
from graphtalk.reasoners.toolformer.offline.strangers import stranger
from graphtalk.reasoners.toolformer.offline.subsets import subsets, with_written, written_arguments
from graphtalk.reasoners.toolformer.offline.writing import Insert, Piece, spelled_call, write

_SAYS_NOTHING = frozenset(
    "it its it's that this is are was the a an answer result value equals comes to amounts would be my guess i think they".split()
)
"""The words of a gap that is told by the question before it: "It is [TBR]", "Answer: [TBR]"."""
_MANY = 10
"""How many are recommended where a text asks for some and does not say how many, as in the paper's prompts."""
_NETWORKS = frozenset("graph graphs network networks dataset tree".split())
_OF_GRAPHS = _NETWORKS | frozenset(
    """node nodes edge edges vertex vertices community communities paper papers molecule molecules entity entities topic
    radius diameter density eccentricity users movies artists items products relation relations""".split()
)
_SEVERAL = frozenset(
    "movies items artists films products things singers bands goods titles recommendations some few".split()
)
_BACKGROUND = {
    "eccentricity": "toolx:eccentricity", "eccentricities": "toolx:eccentricity", "radius": "toolx:radius",
    "diameter": "toolx:diameter",
}  # fmt: skip
_SURE = 0.5
"""How probable a function must be, among those that the text may ask for and none."""
_SURE_OF_FEW = 0.9
"""The same for a text that does not ask, but only has words that calls are told by."""
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
    guards: Guards

    def annotate(self, text: str) -> str:
        """`text` with its calls; as it is where it needs none. Raises DeclinedError where none can be written."""
        if any(each.call.function == "GL" or each.call.graph for each in find_calls(text)):
            return text
        reading = read(text, self.catalogue)
        if reading.data is not None and (pieces := self.rewriter.find(reading)) is not None:
            return write(pieces, reading, self.catalogue)
        if not (SLOT in reading.shape or asks(reading.shape)):
            return self._in_few_words(reading) or (text if orders(reading.shape) else self._loading(text))
        if reading.data is None:
            return self._of_a_stranger(text) or self._without_graph(reading)
        if compares(reading.shape) or overlooks(reading.shape):
            return self._declined(reading, reading.data)
        told = self._by_parts(reading, reading.data, parts(reading))
        part = written_arguments(text)
        if part and any(not _is_of(each.call.graph, part) for each in find_calls(told)):
            raise DeclinedError(
                "The text writes a part of the graph, and asks for what no function gives of it."
            )
        return told

    def _loading(self, text: str) -> str:
        """A statement with the call that loads its graph: what it names in words, else what the loader makes of it."""
        named = subsets(text, self.catalogue) if is_statement(text) else None
        return named.inserted(text) if named is not None else with_written(text, self.loader.annotate(text))

    def _of_a_stranger(self, text: str) -> str:
        """A text that asks of a graph which nobody knows, with its call; empty where it has none."""
        found = stranger(text)
        if found is None:
            return ""
        data, member = found
        known = replace(self.catalogue, members=(member,)) if member else self.catalogue.with_data([data])
        own = replace(self, catalogue=known)
        reading = read(text, known)
        if reading.data is None or compares(reading.shape) or overlooks(reading.shape):
            return ""
        try:
            told = own._by_parts(reading, reading.data, parts(reading))
        except DeclinedError:
            return ""
        return "" if told == text else told

    def _by_parts(self, reading: TokenText, data: DataSet, found: Sequence[Part]) -> str:
        """A text that asks for something: as a whole, or part by part."""
        if told := self._in_its_gap(reading, data, found):
            return told
        asking = [read(part.text, self.catalogue) for part in found if part.asks]
        counted = any(part.wishes and read(part.text, self.catalogue, reading).of(NUMBER) for part in found)
        if len(asking) == 1 and counted and not asking[0].of(NUMBER):
            return self._asked(reading, data)  # "What might U like? Give 3 artists.": how many stands beside
        alone = len(found) > 1 and all(each.data for each in asking)
        if SLOT in reading.shape and not reading.others:
            each = self._each(reading, found) if alone else ""
            if not each and all(SLOT in part.shape for part in asking):
                each = self._filled(reading, data)
            return each or self._each(reading, found) or self._declined(reading, data)
        if reading.others and (each := self._of_each_graph(reading)):
            return each
        if len(asking) > 1 or SLOT in reading.shape:
            return self._each(reading, found) or self._declined(reading, data)
        if alone:
            elsewhere = any(_mentioned(read(part.text, self.catalogue)) for part in found if not part.asks)
            told = self._each(reading, found)
            return told or (self._asked if elsewhere else self._declined)(reading, data)
        if len(found) > 1 and asking and not _mentioned(asking[0]) and self._is_of_another(found):
            return self._without_graph(asking[0]) and reading.text
        return self._asked(reading, data)

    def _in_its_gap(self, reading: TokenText, data: DataSet, found: Sequence[Part]) -> str:
        """ "How dense is G? Its density is [TBR].": the call of the question in the gap behind it, which asks the same. Else empty."""
        shapes = [read(part.text, self.catalogue).shape for part in found]
        if reading.others or len(found) != 2 or SLOT in shapes[0] or shapes[1].count(SLOT) != 1:
            return ""
        call = self._call(reading, data, shapes[0]) if asks(shapes[0]) else None
        words = {mask for mask in shapes[1] if mask.isalpha()}
        if call is None or not (words <= _SAYS_NOTHING or self._call(reading, data, shapes[1]) == call):
            return ""
        return write(_placed(reading, {reading.shape.index(SLOT): call}), reading, self.catalogue)

    def _is_of_another(self, found: Sequence[Part]) -> bool:
        """Whether the part that asks is about nothing that the other parts name."""
        named_in = about([read(part.text, self.catalogue) for part in found], found)
        return all(each is None for each, part in zip(named_in, found, strict=True) if part.asks)

    def _in_few_words(self, reading: TokenText) -> str:
        """ "edge count tutte graph", "line up three films for U": no question, but a query or a command. Else empty."""
        if reading.data is None or reading.others:
            return ""
        strange = orders(reading.shape) and reading.shape[0] in self.classifier.unknown(reading.shape)
        commanded = (
            orders(reading.shape)
            and not strange
            and (_mentioned(reading) or self.guards.speaks(reading.shape))
        )
        if not (commanded or self.guards.terse(reading.shape)):
            return ""
        if pieces := self._together(reading, reading.data):
            return write(pieces, reading, self.catalogue)
        call = self._call(reading, reading.data, reading.shape, _SURE_OF_FEW)
        return write(stated(reading.shape, call), reading, self.catalogue) if call else ""

    def _of_each_graph(self, reading: TokenText) -> str:
        """ "What is the order of G and H?": the statement of each graph. Empty where the graphs are not in a row."""
        texts = one_by_one(reading.text, named(reading.text, self.catalogue))
        told = []
        for alone in (read(text, self.catalogue) for text in texts):
            call = self._call(alone, alone.data, alone.shape) if alone.data and not alone.others else None
            pieces = statement(alone.shape, call) if call else []
            if not pieces:
                return ""
            told.append(write(pieces, alone, self.catalogue).removesuffix("."))
        return (
            " and ".join((told[0], *(each[0].lower() + each[1:] for each in told[1:]))) + "." if told else ""
        )

    def _each(self, reading: TokenText, found: Sequence[Part]) -> str:
        """A text that asks for several things, part by part. Empty where a part has no call by itself."""
        alone = [read(part.text, self.catalogue) for part in found]
        if len(found) < 2:
            return ""
        told: list[StatedPart] = []
        for part, own, named_in in zip(found, alone, about(alone, found), strict=True):
            each: StatedPart | None = StatedPart(
                part, "" if part.asks else self._in_few_words(own) or part.text
            )
            if part.asks or (part.wishes and own.data):
                each = self._part(part, named_in, bool(_mentioned(reading)))
            if each is None:
                return ""
            told.append(each)
        return joined(reading.text, told)

    def _part(self, part: Part, named_in: TokenText | None, mentioned: bool) -> StatedPart | None:
        """A part with its call; None where it has none. `mentioned`: whether the text mentions something with an id."""
        reading = read(part.text, self.catalogue, named_in)
        if reading.data is None or reading.others or not _says_something(reading) or compares(reading.shape):
            return None
        if not (reading.of(DATA) or reading.of(GRAPH)) and not STOP.issuperset(
            self.classifier.unknown(reading.shape)
        ):
            return None  # "and what is the diameter of a football": of something else
        if SLOT in reading.shape:
            filled = self._filled(reading, reading.data)
            return StatedPart(part, filled) if filled else None
        if pieces := self._together(reading, reading.data):
            return StatedPart(part, write(pieces, reading, self.catalogue))
        call = self._call(reading, reading.data, reading.shape)
        if call is None:
            return None
        optional = any(kind.endswith("?") for kind in self.catalogue.takes[call.function])
        if optional and mentioned and not call.arguments:
            return None  # "node #3 has degree … and eccentricity …": of that node, or of all?
        pieces = statement(reading.shape, call)
        spelled = spelled_call(call, reading, self.catalogue)
        return StatedPart(part, write(pieces, reading, self.catalogue) if pieces else "", spelled)

    def _without_graph(self, reading: TokenText) -> str:
        """A text that asks, and names no graph that is known: declined where it is about one, else left alone."""
        if SLOT in reading.shape or "#" in reading.shape or _of_one_graph(reading.shape):
            known = ", ".join(each.name for each in self.catalogue.data)
            raise DeclinedError(
                f"The text names no graph that is known. Known: {known}; and the graphs of gpr."
            )
        return reading.text

    def _asked(self, reading: TokenText, data: DataSet) -> str:
        """A question or a request as a statement with its call."""
        if reading.others:
            return self._declined(reading, data)
        pieces = self._together(reading, data)
        if not pieces and (call := self._call(reading, data, reading.shape)):
            pieces = stated(reading.shape, call)
        pieces = pieces or self._of_each(reading, data) or _by_identifier(reading)
        return write(pieces, reading, self.catalogue) if pieces else self._declined(reading, data)

    def _together(self, reading: TokenText, data: DataSet) -> list[Piece]:
        """The pieces of a text that asks for several quantities in one breath; nothing where it asks for one."""

        def ask(shape: Sequence[str]) -> Insert | None:
            return self._call(reading, data, shape)

        return quantities(reading.shape, ask) or counts(reading.shape, ask)

    def _of_each(self, reading: TokenText, data: DataSet) -> list[Piece]:
        """The pieces of a text that asks the same of several papers, users…; else nothing."""
        first = replace(reading, tokens=_first_of_each(reading))
        return mentions(reading.shape, lambda shape: self._call(first, data, shape))

    def _filled(self, reading: TokenText, data: DataSet) -> str:
        """A statement with a call in each of its places; all of them of what the whole text mentions. Else empty."""
        slots = [at for at, mask in enumerate(reading.shape) if mask == SLOT]
        if len(slots) == 1 and (pieces := self._together(reading, data)):
            return write(pieces, reading, self.catalogue)
        calls = {at: self._call(reading, data, segment(reading.shape, at)) for at in slots}
        found = {at: call for at, call in calls.items() if call is not None}
        pieces = _placed(reading, found) if len(found) == len(calls) else self._of_each(reading, data)
        pieces = pieces or _by_identifier(reading)
        return write(pieces, reading, self.catalogue) if pieces else ""

    def _declined(self, reading: TokenText, data: DataSet) -> str:
        if SLOT not in reading.shape and not _is_about_data(reading):
            return reading.text  # the name means something else: "What do you think about Amazon?"
        if reading.others:
            graphs = ", ".join(
                (*(token.value for token in reading.tokens if token.kind in _NAMED), *reading.others)
            )
            raise DeclinedError(
                f"The text names several graphs: {graphs}. A call is about one: ask for each."
            )
        offered = ", ".join(sorted(self.catalogue.offers(data.family)))
        raise DeclinedError(f"No function gives what is asked of {data.name}. It offers: {offered}.")

    def _call(
        self, reading: TokenText, data: DataSet, shape: Sequence[str], sure: float = _SURE
    ) -> Insert | None:
        """The call that this part of the text asks for, or None."""
        fitting = {
            name: arguments
            for name in self.catalogue.offers(data.family)
            if (arguments := fill(reading, self.catalogue.needs(name, data.family))) is not None
        }
        left = (*self.guards.fitting(shape, data.family, sorted(fitting)), OTHER)
        if data.family == "molecular" and (counting := self.guards.counting(shape, left)):
            return Insert(counting, fitting[counting])
        sure = max(sure, caution(shape, self.classifier.unknown(shape)))
        scores = self.classifier.scores(shape)
        best = max(left, key=lambda name: scores[name])
        total = sum(math.exp(scores[name] - scores[best]) for name in left)
        if best == OTHER or 1 / total < sure:
            return None
        rated = self.guards.rates(shape, best)
        return (
            Insert(data.rated, fitting[best])
            if rated and data.rated
            else None
            if rated
            else Insert(best, fitting[best])
        )


def _is_of(graph: Expression | None, part: Sequence[Expression]) -> bool:
    """Whether a call's graph is this part of one."""
    return isinstance(graph, Call) and graph.arguments[-len(part) :] == tuple(part)


def _by_identifier(reading: TokenText) -> list[Piece]:
    """The pieces of a text that asks for one quantity by an identifier which no function has: "the new_attribute of the
    bull graph" (paper, table 7). It is asked for by that name, so that whoever runs the call is told that there is none.
    """
    asked = [token for token in reading.tokens if token.kind == WORD and _IDENTIFIER.fullmatch(token.text)]
    slots = [at for at, token in enumerate(reading.tokens) if token.kind == SLOT]
    if len(asked) != 1 or len(slots) > 1 or _mentioned(reading):
        return []
    call = Insert(f"toolx:{asked[0].text.lower()}")
    return _placed(reading, {slots[0]: call}) if slots else stated(reading.shape, call)


_IDENTIFIER = re.compile(r"[^\W\d_]+(?:_[^\W_]+)+")


def _is_about_data(reading: TokenText) -> bool:
    """Whether the name of a data set or graph means it: something of it is mentioned, or a word for graphs stands there."""
    if any("graph" in token.text.lower() or "tree" in token.text.lower() for token in reading.of(GRAPH)):
        return True
    return bool(_mentioned(reading)) or not _OF_GRAPHS.isdisjoint(reading.shape)


def _says_something(reading: TokenText) -> bool:
    """Whether a part mentions something, or has a word that tells what it asks for; "the house graph [TBR]" has none."""
    return bool(_mentioned(reading)) or any(
        mask.isalpha() and mask not in STOP | _NETWORKS for mask in reading.shape
    )


def _of_one_graph(shape: Sequence[str]) -> bool:
    """Whether a text speaks of a graph, not of graphs in general: "what a bipartite graph is", "what graphs are"."""
    return any(
        mask in _NETWORKS and not mask.endswith("s") and _ANY.isdisjoint(shape[max(0, at - 3) : at])
        for at, mask in enumerate(shape)
    )


_ANY = frozenset(("a", "an", "any", "every"))


def _first_of_each(reading: TokenText) -> tuple[Token, ...]:
    """The tokens, with only the first mention of each kind kept one."""
    seen: set[str] = set()
    kept = []
    for token in reading.tokens:
        kept.append(token if token.kind not in seen else replace(token, kind=WORD))
        if token.kind not in (WORD, SLOT):
            seen.add(token.kind)
    return tuple(kept)


def _mentioned(reading: TokenText) -> list[Token]:
    return [token for token in reading.tokens if token.kind not in (WORD, DATA, GRAPH, SLOT, NUMBER)]


def fill(reading: TokenText, kinds: Sequence[str]) -> tuple[int | str, ...] | None:
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


def _placed(reading: TokenText, calls: dict[int, Insert]) -> list[Piece]:
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
