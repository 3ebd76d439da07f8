"""What is asked of several things in one breath: "the order, size and density of G", "how many nodes and edges", "the topics
of papers #3 and #4". Each gets a call of its own; all stand in one statement.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from graphtalk.reasoners.toolformer.offline.declarative import requested, statement
from graphtalk.reasoners.toolformer.offline.mentions import SLOT
from graphtalk.reasoners.toolformer.offline.writing import Insert, Piece

Ask = Callable[[Sequence[str]], Insert | None]
"""The call that a shape asks for, with the arguments of the whole text."""

_OF = frozenset("of in for between from".split())
_AND = frozenset(("and", "+", "&", "plus"))
_ARTICLES = frozenset("the a an its".split())
_LONGEST = 5  # words of an item
_TOGETHER = frozenset("same common both shared equal different between".split())


@dataclass(frozen=True)
class Items:
    """Noun phrases in a row, each as places of tokens, and where the first begins and what they have in common does."""

    each: tuple[tuple[int, ...], ...]
    start: int
    stop: int


def quantities(shape: Sequence[str], ask: Ask) -> list[Piece]:
    """Pieces for "what are the radius and the diameter of G?" or "the radius and the diameter of G are <slot>"; else none."""
    items = _items(shape)
    if items is None:
        return []
    rest = range(items.stop, len(shape))
    head: tuple[str, ...] = () if SLOT in shape else ("what", "is")
    before = range(items.start) if ":" in shape[: items.start] else range(0)  # "G: order and size?"
    about = ("of", *(shape[at] for at in before[:-1])) if before else ()
    end = [shape[at] for at in rest]
    named = [(*head, "the", *(shape[at] for at in item)) for item in items.each]
    calls = [call for words in named if (call := ask((*words, *about, *end)))]
    if len(calls) < len(named) or len({call.function for call in calls}) < len(calls):
        return []
    if SLOT in shape:
        at = shape.index(SLOT)
        return [*range(at), *in_a_row(calls), *range(at + 1, len(shape))]
    places = [*(-1 for _ in range(len(head) + 1)), *items.each[0], *rest]
    told = [places[p] if isinstance(p, int) else p for p in statement((*named[0], *end), calls[0])]
    if not told:
        return []
    more: list[Piece] = []
    for item, call in zip(items.each[1:], calls[1:], strict=True):
        more += ["and" if item == items.each[-1] else ",", "the", *item, "is", call]
    return [*before, *("the" if piece == -1 else piece for piece in told[:-1]), *more, "."]


def counts(shape: Sequence[str], ask: Ask) -> list[Piece]:
    """Pieces for "how many nodes and edges does G have?"; else none."""
    at = next((at for at, pair in enumerate(pairwise(shape)) if pair == ("how", "many")), -1)
    if at < 0 or tuple(shape[at + 3 : at + 4]) != ("and",) or len(shape) < at + 6:
        return []
    second = at + 4 + 2 * (tuple(shape[at + 4 : at + 6]) == ("how", "many"))
    left, right = (
        [*range(at + 3), *range(second + 1, len(shape))],
        [*range(at + 2), *range(second, len(shape))],
    )
    first, other = ask([shape[p] for p in left]), ask([shape[p] for p in right])
    if first is None or other is None or first.function == other.function:
        return []
    told = [left[p] if isinstance(p, int) else p for p in statement([shape[p] for p in left], first)]
    if at + 2 not in told:
        return [*range(len(shape)), first, ",", other]
    behind = told.index(at + 2) + 1
    return [*told[:behind], "and", other, second, *told[behind:]]


def overlooks(shape: Sequence[str]) -> bool:
    """Whether a text asks for a second thing in a way that is not told apart: "the order along with the size"."""
    return any(pair in _ALONG for pair in pairwise(shape))


_ALONG = frozenset((("along", "with"), ("well", "as"), ("addition", "to")))


def mentions(shape: Sequence[str], ask: Ask) -> list[Piece]:
    """Pieces for "what are the topics of <paper> and <paper>?", of which a function takes one; else none."""
    run = _run(shape)
    if len(run) < 2 or not _TOGETHER.isdisjoint(shape):
        return []
    left = [at for at in range(len(shape)) if at <= run[0] or at > run[-1]]
    call = ask([shape[at] for at in left])
    if call is None or len(call.arguments) != 1:
        return []
    calls = [Insert(call.function, (at,)) for at in run]
    slots = [at for at, mask in enumerate(shape) if mask == SLOT]
    if len(slots) == len(calls):
        return [calls[slots.index(at)] if at in slots else at for at in range(len(shape))]
    if len(slots) > 1:
        return []
    if slots:
        return [*range(slots[0]), *in_a_row(calls), *range(slots[0] + 1, len(shape))]
    told = statement(shape, call) or [*range(len(shape)), call]
    return [part for piece in told for part in (in_a_row(calls) if piece is call else [piece])]


def in_a_row(calls: Sequence[Insert]) -> list[Piece]:
    """Calls with "," and "and" between them."""
    row: list[Piece] = [calls[0]]
    for call in calls[1:]:
        row += ["and" if call is calls[-1] else ",", call]
    return row


def _items(shape: Sequence[str]) -> Items | None:
    """The coordinated noun phrases of a question, a request or a statement."""
    if SLOT in shape:
        start = 0
    elif shape[0] == "what" and shape[1:2] in (("is",), ("are",)):
        start = 2
    elif shape[0] == "what's":
        start = 1
    else:
        start = requested(shape)
    if ":" in shape[:-2] and SLOT not in shape:
        start = shape.index(":") + 1
    stop = next((at for at in range(start, len(shape)) if shape[at] in _OF or shape[at] in "?.!"), len(shape))
    if (stop == len(shape) and not start) or _AND.isdisjoint(shape[start:stop]) or shape.count(SLOT) > 1:
        return None
    each: list[tuple[int, ...]] = [()]
    for at in range(start, stop):
        if shape[at] == "," or shape[at] in _AND:
            each.append(())
        elif shape[at] not in _ARTICLES:
            each[-1] = (*each[-1], at)
    found = tuple(item for item in each if item)
    fine = all(len(item) <= _LONGEST and all(shape[at].isalpha() for at in item) for item in found)
    return Items(found, start, stop) if fine and len(found) > 1 else None


def _run(shape: Sequence[str]) -> list[int]:
    """The places of mentions of one kind that stand in a row: "<paper> , <paper> and <paper>"."""
    start = next((at for at, mask in enumerate(shape) if mask in _WITH_ID and shape.count(mask) > 1), None)
    if start is None:
        return []
    run = [start]
    for at in range(start + 1, len(shape)):
        if shape[at] == shape[start]:
            run.append(at)
        elif shape[at] not in (",", "and", "&", "the", "of", "for"):
            break
    return run if len(run) == shape.count(shape[start]) else []


_WITH_ID = frozenset(("<paper>", "<instance>", "<user>", "<node>", "<entity>"))
