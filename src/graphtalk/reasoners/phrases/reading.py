"""Whole questions, by the grammar of their phrases: lists, numbers, groups, comparisons, edges.

A question is read where some form accounts for every word of it. Several readings are all given.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress

from graphtalk.calls.ast import Call
from graphtalk.calls.query import Column as QueryColumn
from graphtalk.calls.query import EdgePattern, Property, Return, as_query, parts_of
from graphtalk.graphs import Graph
from graphtalk.language.people import may_act
from graphtalk.language.periods import periods
from graphtalk.reasoners.around.reading import Heard
from graphtalk.reasoners.phrases import order_tails
from graphtalk.reasoners.phrases.asked import Asked, of_any_type
from graphtalk.reasoners.phrases.asking import Asking
from graphtalk.reasoners.phrases.cell_texts import CellTexts
from graphtalk.reasoners.phrases.cells import Cells
from graphtalk.reasoners.phrases.commonest import Commonest
from graphtalk.reasoners.phrases.comparing import Comparing
from graphtalk.reasoners.phrases.derived import (
    inheriting,
    with_derived,
    with_inherited,
    with_kin,
    with_lines,
)
from graphtalk.reasoners.phrases.distances import Distances
from graphtalk.reasoners.phrases.grouping import Grouping
from graphtalk.reasoners.phrases.lexicon import Lexicon
from graphtalk.reasoners.phrases.of_others import of_others
from graphtalk.reasoners.phrases.supersets import Supersets
from graphtalk.reasoners.phrases.tables import Tables
from graphtalk.reasoners.phrases.totals import Totals
from graphtalk.reasoners.phrases.valuing import Valuing
from graphtalk.reasoners.phrases.words import MOST_WORDS
from graphtalk.reasoners.reader.linking import Linked
from graphtalk.reasoners.reader.querying import Unsaid
from graphtalk.reasoners.reader.reading import Best, Reading
from graphtalk.reasoners.reader.shape import Shape, Step
from graphtalk.reasoners.reader.telling import IN_STEPS

MOST_READINGS = 6
_LISTING = frozenset(("which", "list", "name", "show", "find", "give"))
_CLOSURE = re.compile(
    r",?\s*\b(?:directly (?:or|and) (?:indirectly|transitively|through (?:others|another|other \w+|intermediaries))|indirectly or directly|transitively|recursively"
    r"|ultimately|eventually(?=.*\bthrough any number\b)|(?:through|over|in) any number of (?:steps|hops)|at any (?:depth|remove))\b,?",
    re.I,
)
_DIFFERENT = re.compile(r"\b(?:different|distinct|unique|kinds? of|types? of|sorts? of)\b", re.I)
_DIRECTLY = re.compile(r"\b(?:directly|immediately|direct(?= [a-z]))\b", re.I)
_WHO = re.compile(r"\W*(?:by )?whom?\b", re.I)
_WORD = re.compile(r"\w+")
_DONE_BY = re.compile(r"\W*(?:what|whom?) (?:do|does|did|has|have|had) .*?(?<!the)(?<!'s) (\w+)\W*$", re.I)
_LAST_NUMBER = re.compile(r"(?<=[^\W\d] )\d+$")


class _Questions(Cells, Valuing, Asking, Commonest, Supersets, Grouping, Totals, Comparing, Distances):
    """Reads one whole question."""

    def readings(self) -> Iterator[Asked]:
        """What the question asks for, in every way that accounts for all of it."""
        forms: Sequence[Callable[[], Iterator[Asked]]] = (
            self.listed, self.columns_of, self.properties, self.counted, self.valued, self.spanned, self.aggregated, self.grouped, self.totals, self.averages, self.medians, self.most, self.commonest, self.supersets, self.shared, self.whether,
            self.which_of_two, self.more_than, self.differing, self.of_edges, self.over_edges,
            self.edge_deeds, self.distances, self.along_one, self.of_rows,
        )  # fmt: skip
        if self.lexicon.lone:  # where its columns are asked for, no row of several is meant by itself
            with suppress(Unsaid):
                own = list(self.of_rows())
                forms = (lambda: iter(own),) if own else forms
        for form in forms:
            try:
                yield from form()
            except Unsaid:  # of this form's readings the call language says one not: the other forms stand
                continue


def _numbers_in(values: Sequence[Linked]) -> Iterator[Linked]:
    """The numbers that names end in: "zone 1" may be a node, or what has 1 for its zone."""
    for v in values:
        number = _LAST_NUMBER.search(v.text) if v.kind == "name" else None
        if number is not None:
            yield Linked(number[0], "number", v.end - len(number[0]), v.end, float(number[0]))


class PhraseReader:
    """Reads questions about one graph."""

    def __init__(self, graph: Graph, shape: Shape) -> None:
        self._graph = graph
        plain = Lexicon(graph, shape)
        ways = [step for t in shape.types if (step := plain.named_by(t)) is not None]
        kinds = [step for t in shape.types for step in plain.kinds_of(t)]
        joined = with_lines(with_inherited(shape, ways, kinds), plain.to_one, plain.people)
        self._shape = with_derived(with_kin(joined), plain.never_after)
        self._lexicon = Lexicon(graph, self._shape)
        self._cells = CellTexts(graph, self._shape)

    @property
    def people(self) -> tuple[str, ...]:
        """The types whose nodes "who" asks for."""
        return self._lexicon.people

    def only_deeds(self, question: str, types: Collection[str]) -> str:
        """The verb of "what did Ann order" or "who ordered tea" where nodes of `types` stand for what it says: neither asks for orders."""
        verb = _DONE_BY.match(question)
        verbs = _WORD.findall(question) if _WHO.match(question) else [verb[1]] if verb is not None else []
        if any(t in self._lexicon.people or may_act(t) for t in types):
            return ""  # who grew something is a grower, or a company
        deeds = ((word, self._lexicon.events(word.lower())) for word in verbs if types)
        return next((word for word, events in deeds if set(types) <= set(events)), "")

    def of_others(self, question: str, values: Sequence[Linked], guessed: bool) -> Iterator[str]:
        """What a question says of nodes of one type that only those of another have."""
        return of_others(self._lexicon, question, values, guessed)

    def several(self, step: Step) -> bool:
        """Whether a step leads some node to more than one."""
        return not self._lexicon.to_one(step)

    def says_nothing(self, reading: Reading) -> bool:
        """Whether a reading takes the best by the number of what each node has one of at most, which tells none from another."""
        best = [i for i in (*reading.items, reading.order) if isinstance(i, Best)]
        paths = [b.measure.path for b in best if b.measure.kind == "CNT" and b.measure.path is not None]
        return any(self._lexicon.to_one(self._shape.steps[path.view]) for path in paths)

    def heard(self, question: str, values: tuple[Linked, ...]) -> list[tuple[Heard, bool]]:
        """What a question asks for, each reading once, and whether only a number above 0 answers it.

        Nothing where it is not wholly accounted for, or is read in too many ways. `values`: those that it names.
        """
        times = (Linked(p.text, "date", p.start, p.end) for p in periods(question))
        values = inheriting((*values, *_numbers_in(values), *times), self._shape)
        values = (*values, *self._cells.named(question))
        plain = _CLOSURE.sub(lambda said: " " * len(said[0]), question)  # the values stay where they are
        different = _DIFFERENT.search(question) is not None
        compiler = Tables(self._graph, self._shape, values, closure=plain != question, distinct=different)
        cut, tail = order_tails.cut(plain)
        asking = _Questions(self._lexicon, cut, compiler)
        each = self._each(asking, compiler) if tail is not None else {}
        in_order = (
            [order_tails.ordered(asked, tail, self._lexicon) for asked in each.values()]
            if tail is not None
            else []
        )
        each = {asked.call: asked for asked in in_order if asked is not None}
        if not each:
            asking = _Questions(self._lexicon, plain, compiler)
            each = self._each(asking, compiler)
            words = asking.words
            # What is direct of things alone, as a flight, is said of these.
            direct = any(w == "direct" and not any(asking.roles(at)) for at, w in enumerate(words, 1))
            if (
                not each and _DIRECTLY.search(plain) is not None and not (compiler.closure or direct)
            ):  # over one edge
                asking = _Questions(
                    self._lexicon, _DIRECTLY.sub(lambda said: " " * len(said[0]), plain), compiler
                )
                each = {
                    call: asked for call, asked in self._each(asking, compiler).items() if _edges(call) == 1
                }
        nouns = [found for at in range(len(asking.words)) for found in asking.roles(at)]
        roles = {step.link.name for end, step in nouns if asking.many(end)}  # one director is of one type
        found = of_any_type(list(each.values()), roles)
        readings = [(Heard(asked.call, asked.words), asked.positive) for asked in found]
        return readings if len(readings) <= MOST_READINGS else []

    def _each(self, asking: _Questions, compiler: Tables) -> dict[Call, Asked]:
        """What a question asks for, each reading once; nothing where it has too many words."""
        each: dict[Call, Asked] = {}
        for asked in asking.readings() if len(asking.words) <= MOST_WORDS else ():
            # "Which nocturnal birds" asks for birds, not whether each is so.
            flags = asking.word(0) in _LISTING and self._tells_flag(asked.call)
            if not flags and (not compiler.closure or asked.words.count(IN_STEPS) == 1):
                each.setdefault(asked.call, asked)
        return each

    def _tells_flag(self, call: Call) -> bool:
        """Whether a call tells of each node nothing but whether it is so."""
        last = as_query(call).parts[-1].clauses[-1] if call.function == "Query" else None
        match last.projection.columns if isinstance(last, Return) else ():
            case (QueryColumn(value=Property(name=name)),):
                return any(h.name == name and h.kind == "boolean" for h in self._shape.held)
        return False


def _edges(call: Call) -> int:
    """Over how many edges a query goes."""
    query = as_query(call) if call.function == "Query" else None
    return sum(isinstance(part, EdgePattern) for part in parts_of(query))
