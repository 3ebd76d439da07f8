"""Teaching an annotator from prompts about graphs of one's own (see `reasoners/toolformer/taught`).

Every prompt gives names, forms of calls, and how its shape is written; from all shapes a classifier learns which form a
text asks for. The grammar of paraphrases lends its wordings for functions of whole graphs, and for what no call gives.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from graphtalk.core import ParseError, UsageError
from graphtalk.reasoners.toolformer.offline.catalogue import shipped_catalogue
from graphtalk.reasoners.toolformer.offline.model import OTHER, Classifier
from graphtalk.reasoners.toolformer.statement import Statement, read_statement
from graphtalk.reasoners.toolformer.taught.annotator import Insert, Piece, TaughtAnnotator
from graphtalk.reasoners.toolformer.taught.forms import DATA, NODE, NUMBER, Argument, Form, taken_apart
from graphtalk.reasoners.toolformer.taught.lexicon import Lexicon, MaskedText
from graphtalk.tools.registry import Registry
from graphtalk.training.annotator.fit import FitSettings, design, fit
from graphtalk.training.annotator.grammar import sentences
from graphtalk.training.annotator_lm.prompts import Pair, graphs_asked

LENT = 150  # sentences of the grammar for each function, and four times as many for none
_NONE = 0.3  # how much a sentence for none counts
_OFTEN = 3.0  # how many sentences of the grammar a shape of the prompts counts for


@dataclass(frozen=True)
class _Said:
    """One call of a prompt, taken apart."""

    form: Form
    arguments: tuple[Argument, ...]
    inserts: bool


@dataclass(frozen=True)
class _Lesson:
    pair: Pair
    statement: Statement
    said: tuple[_Said, ...]


def about_own_graphs(pairs: Iterable[Pair]) -> set[Pair]:
    """The prompts whose calls ask graphs that the offline annotator does not know."""
    known = {data.name for data in shipped_catalogue().data}
    return {pair for pair in pairs if not {*graphs_asked([pair])} <= known}


def teach(pairs: Sequence[Pair], registry: Registry, seed: int = 0, lent: int = LENT) -> TaughtAnnotator:
    """The annotator that the prompts teach. Raises UsageError where none has a call that can be read.

    lent: how many sentences of the grammar are learnt for each function
    """
    lessons = [lesson for pair in pairs if (lesson := _lesson(pair, registry))]
    if not lessons:
        raise UsageError("No prompt has a call that can be read: there is nothing to learn.")
    lexicon = _lexicon(lessons)
    forms = tuple(dict.fromkeys(said.form for lesson in lessons for said in lesson.said))
    number = {form: place for place, form in enumerate(forms)}
    votes: dict[str, Counter[tuple[Piece, ...]]] = defaultdict(Counter)
    shapes: dict[tuple[tuple[str, ...], str], None] = {}
    for lesson in lessons:
        reading = lexicon.read(lesson.pair.input)
        calls = [_insert(said, reading, number) for said in lesson.said]
        known = [call for call in calls if call is not None]
        if len(known) == len(calls):
            votes[reading.key][_pieces(lesson, reading, known)] += 1
        if len(asked := [said.form for said in lesson.said if said.inserts]) == 1:
            shapes[reading.shape, str(number[asked[0]])] = None
    rules = {key: counter.most_common(1)[0][0] for key, counter in votes.items()}
    return TaughtAnnotator(lexicon, forms, rules, _classifier(list(shapes), forms, lexicon, seed, lent))


def _lesson(pair: Pair, registry: Registry) -> _Lesson | None:
    try:
        statement = read_statement(pair.output, registry.vocabulary)
    except ParseError:
        return None
    said = tuple(_Said(*taken_apart(placed.call, registry), placed.inserts) for placed in statement.calls)
    return _Lesson(pair, statement, said) if said else None


def _lexicon(lessons: Sequence[_Lesson]) -> Lexicon:
    names: dict[str, dict[str, None]] = defaultdict(dict)
    for lesson in lessons:
        for argument in (argument for said in lesson.said for argument in said.arguments):
            if argument.kind != NUMBER and not (argument.kind == NODE and argument.value.isdigit()):
                names[argument.kind][argument.value] = None
    return Lexicon({kind: tuple(found) for kind, found in sorted(names.items())})


def _insert(said: _Said, reading: MaskedText, number: dict[Form, int]) -> Insert | None:
    """The call with the mentions that are its arguments; None where the text has not all of them."""
    places = []
    for argument in said.arguments:
        same = [
            place
            for place, mention in enumerate(reading.mentions)
            if mention.value == argument.value and argument.kind in mention.kinds and place not in places
        ]
        if not same:
            return None
        places.append(same[0])
    return Insert(number[said.form], tuple(places), said.inserts)


def _pieces(lesson: _Lesson, reading: MaskedText, calls: Sequence[Insert]) -> tuple[Piece, ...]:
    """The output, with its calls and what it says of the input's mentions left open."""
    pieces: list[Piece] = []
    at, left, text = 0, iter(calls), lesson.pair.output
    for place in lesson.statement.places:
        pieces += _words(text[at : place.start], reading)
        for position, _ in enumerate(place.calls):
            pieces += [", "] if position else []
            pieces.append(next(left))
        at = place.end
    return (*pieces, *_words(text[at:], reading))


def _words(text: str, reading: MaskedText) -> Iterator[Piece]:
    surfaces = {reading.surface(place): place for place in reversed(range(len(reading.mentions)))}
    longest = sorted(filter(None, surfaces), key=len, reverse=True)
    if not longest:
        yield from [text] if text else []
        return
    found = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest))})(?!\w)")
    for position, part in enumerate(found.split(text)):
        if part:
            yield surfaces[part] if position % 2 else part


def _classifier(
    shapes: Sequence[tuple[tuple[str, ...], str]],
    forms: Sequence[Form],
    lexicon: Lexicon,
    seed: int,
    lent: int,
) -> Classifier:
    more = [
        (tuple(lexicon.masked(mask) for mask in shape), name)
        for shape, function in sentences(lent, seed)
        for name in _names(function, shape, forms)
    ]
    both = [*shapes, *((tuple(_AS_OURS.get(mask, mask) for mask in shape), name) for shape, name in more)]
    numbers = design([shape for shape, _ in both], [name for _, name in both])
    numbers = replace(numbers, allowed=np.ones_like(numbers.allowed))
    weights = np.where(np.arange(len(both)) < len(shapes), _OFTEN, 1.0)
    weights[[name == OTHER for _, name in both]] = _NONE
    return fit(numbers, weights, FitSettings(seed=seed))


_AS_OURS = {"<graph>": f"<{DATA}>"}


def _names(function: str, shape: Sequence[str], forms: Sequence[Form]) -> Iterator[str]:
    """The classes of a sentence of the grammar: the forms that call its function on as many nodes."""
    if function == OTHER:
        yield OTHER
    for number, form in enumerate(forms):
        if form.function == function and form.kinds.count(NODE) == shape.count(f"<{NODE}>"):
            yield str(number)
