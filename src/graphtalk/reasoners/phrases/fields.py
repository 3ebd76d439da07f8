"""What is told of nodes: what they are called, properties, how many of something they have; and in which order."""

from collections.abc import Iterator

from graphtalk.reasoners.phrases.whole import Whole
from graphtalk.reasoners.phrases.words import AND, DO, HAVE
from graphtalk.reasoners.reader.reading import Best, Column, Measure
from graphtalk.reasoners.reader.shape import Held

_WITH = tuple(f"{joined} {whose}" for joined in ("and", "with", "along with", "together with", ", along with", ", and")
              for whose in ("their", "its", "their respective"))  # fmt: skip
WHO = "W1"  # who or what each node is called by, where it has no name of its own
_NAMES = ("name", "names")
_THEY = ("they", "it", "he", "she", "each", "each one", "each of them", "they each")
_THEY_HAVE = ("they have", "it has", "each has", "each have", "each one has", "each of them has", "do they have", "does it have",
              "do they each have", "for each", "of each", "each")  # fmt: skip
_SORTED_BY = (
    *(
        f"{put} by"
        for put in ("ordered", "sorted", "order", "sort", "listed", "arranged", "order them", "sort them")
    ),
    *("in order of", "in the order of", "by order of", "in order by"),
)
_ORDERS = ("ascending", "descending", "increasing", "decreasing", "alphabetical", "alphabetic", "lexicographical", "lexicographic",
           "ascending alphabetical", "descending alphabetical")  # fmt: skip
# How a list goes on that is in an order: whether the largest stands first, and whether names alone may be meant.
_IN_ORDER = {
    **{
        f"in {the}{order} order": (order.startswith(("desc", "decr")), not order.startswith(("incr", "decr")))
        for the in ("", "an ", "a ", "the ")
        for order in _ORDERS
    },
    "alphabetically": (False, True),
    "ascending": (False, False),
    "descending": (True, False),
    "in reverse alphabetical order": (True, True),
}


def _by(held: Held, top: bool) -> Best:
    return Best(top, Measure("PROPERTY", held.action))


class Fields(Whole):
    """Reads what is told of nodes."""

    def sorted(self, at: int, node_type: str) -> Iterator[tuple[int, Best | None]]:
        """Where it goes on with no order, or with one: "sorted by age", "in descending order of price", "from the oldest to the youngest"."""
        yield at, None
        for begin in (
            b
            for start in self.perhaps(at, (",", ".", "and", ", and"))
            for b in self.perhaps(
                start,
                (
                    "list them",
                    "sort them",
                    "order them",
                    "sort the results",
                    "sort the result",
                    "ordered",
                    "sorted",
                    "listed",
                ),
            )
        ):
            for end, phrase in self.said(begin, tuple(_IN_ORDER)):
                for middle in self.perhaps(end, ("of", "of the", "of their", "by", "by the", "by their")):
                    if middle == end and _IN_ORDER[phrase][1]:
                        yield from (
                            (middle, _by(held, _IN_ORDER[phrase][0]))
                            for held in self.lexicon.held(node_type)
                            if held.naming
                        )
                    for last, held in (
                        self.lexicon.noun(self.roots, middle, node_type) if middle > end else ()
                    ):
                        yield last, _by(held, _IN_ORDER[phrase][0])
            for end, _ in self.said(begin, _SORTED_BY):
                for start in self.perhaps(end, ("the", "their", "its")):
                    for middle, held in self.lexicon.noun(self.roots, start, node_type):
                        yield middle, _by(held, False)
                        for last, phrase in self.said(middle, tuple(_IN_ORDER)):
                            yield last, _by(held, _IN_ORDER[phrase][0])
                        for last, order in self._from_to(middle, node_type):
                            if order.measure.held == held.action:
                                yield last, order
            yield from self._from_to(begin, node_type)
            for start in self.perhaps(begin, ("the",)):  # ", the oldest first"
                for middle, word, top in self.superlative(start):
                    for end, _ in self.said(middle, ("first",)):
                        yield from (
                            (end, _by(held, high == top))
                            for held, high in self.lexicon.measured(word, node_type)
                        )

    def _from_to(self, at: int, node_type: str) -> Iterator[tuple[int, Best]]:
        """ "From the oldest to the youngest"."""
        for begin, _ in self.said(at, ("from the", "from")):
            for middle, word, top in self.superlative(begin):
                for start, _ in self.said(middle, ("to the", "to")):
                    for last, other, low in self.superlative(start):
                        opposite = [(h, up != low) for h, up in self.lexicon.measured(other, node_type)]
                        for held, high in self.lexicon.measured(word, node_type):
                            if (held, high == top) in opposite:
                                yield last, _by(held, high == top)

    def _columns(self, at: int, node_type: str) -> Iterator[tuple[int, tuple[Column, ...]]]:
        """ "And their salaries", "along with its price and colour"."""
        for begin, _ in self.said(at, _WITH):
            yield from self._properties(begin, node_type, 3)

    def _properties(self, at: int, node_type: str, most: int) -> Iterator[tuple[int, tuple[Column, ...]]]:
        """Columns of nodes, one or several: "names and ages", "the id, the title and the number of pages"."""
        for end, column in self._column(at, node_type):
            yield end, (column,)
            for begin, _ in (
                self.said(end, (*AND, "and also", ", and also", "as well as", "along with", "together with"))
                if most
                else ()
            ):
                for last, more in self._properties(begin, node_type, most - 1):
                    if column not in more:
                        yield last, (column, *more)

    def _column(self, at: int, node_type: str) -> Iterator[tuple[int, Column]]:
        """What nodes are called, a property, or how many of something they have."""
        for begin in self.perhaps(
            at, ("the", "their", "its", "all the", "the corresponding", "corresponding")
        ):
            nouns = [end for end, t in self.types(begin) if t == node_type]
            for middle in (begin, *nouns):
                typed = {end for end, t in self.types(middle) if t == node_type}
                own = [
                    f for f in self.lexicon.noun(self.roots, middle, node_type) if f[0] not in typed
                ]  # ports are no `port`
                if middle > begin:  # of "tasters work" the work is no title
                    own = [(e, h) for e, h in own if self.lexicon.calls(self.roots[middle:e], h)]
                own = own or self.lexicon.ids(middle, self.roots, node_type)
                for end, held in own:
                    yield (
                        end,
                        Column("NODE", "" if held.naming and self.word(end - 1) in _NAMES else held.action),
                    )
                named = Column("NODE", node=WHO) if self.lexicon.named_by(node_type) else Column("NODE")
                if not own and (self.lexicon.has_names(node_type) or named.node == WHO):
                    yield from ((end, named) for end, _ in self.said(middle, _NAMES))
            for middle, _ in self.said(begin, ("number of", "total number of", "count of", "how many")):
                for end, step, far in self.neighbours(middle, node_type):
                    if not far.one:
                        column = Column("CNT", "", self.hop(step, far))
                        yield from ((last, column) for last in self.perhaps(end, _THEY_HAVE))
                        for start in self.perhaps(end, DO):
                            for verb, _ in self.said(start, _THEY):
                                if self.word(verb) in HAVE or self.lexicon.does(self.word(verb), step):
                                    yield verb + 1, column
