"""How right the offline annotator is on templates that it never saw."""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from graphtalk.reasoners.toolformer.annotator import Annotator, DeclinedError
from graphtalk.reasoners.toolformer.offline import OfflineAnnotator
from graphtalk.training.annotator.examples import Example, calls_in
from graphtalk.training.annotator.fit import FitSettings, Shape
from graphtalk.training.annotator.train import Lessons, learn

_EACH = 3  # prompts of a template that are tried: they differ only in what they mention


@dataclass(frozen=True)
class Missed:
    """A prompt whose first inserted call was not given."""

    example: Example
    given: str


@dataclass(frozen=True)
class Share:
    """Templates of a data set: how many, how many with the right call (the paper's rule), with all calls right."""

    templates: int
    right: int
    all_right: int


def outcome(annotator: Annotator, text: str, wanted: str) -> tuple[str, str]:
    """Whether a text became what it should ("right", "nothing", "wrong"), and what it became.

    wanted: the inserted calls in order, with " ; " between them; "GL": a loading call; "=": the text itself, also where
    it is declined; "declined". " or " stands between outcomes that are both right.
    """
    try:
        given = annotator.annotate(text)
    except DeclinedError:
        return ("right" if {"=", "declined"} & set(wanted.split(" or ")) else "nothing"), text
    if given == text:
        return ("right" if "=" in wanted.split(" or ") else "nothing"), text
    calls = calls_in(given)
    inserted = " ; ".join(call[1:-5] for call in calls if call.endswith("-->r]"))
    found = inserted or ("GL" if calls else "")
    return ("right" if found in wanted.split(" or ") else "wrong"), given


def in_pairs(rows: Sequence[tuple[str, str]], count: int, seed: int = 0) -> Iterator[tuple[str, str]]:
    """Texts of two texts each, as two sentences or joined by "and", with the calls of both; declined is right too.

    rows: texts and what they should become, as `outcome` reads it
    """
    draw = random.Random(seed)
    whole = [row for row in rows if row[1] != "GL" and " or " not in row[1]]
    for _ in range(count):
        (first, one), (second, other) = draw.choice(whole), draw.choice(whole)
        if draw.random() < _JOINED and first[-1] in ".?" and first[-1] == second[-1]:
            text = f"{first[:-1]} and {second[0].lower()}{second[1:]}"
        else:
            text = f"{first if first[-1] in '.?!' else first + '.'} {second}"
        calls = " ; ".join(each for each in (one, other) if each.startswith("GR"))
        yield text, f"{calls} or declined" if calls else "= or declined"


_JOINED = 0.4


def annotated(annotator: Annotator, text: str) -> str:
    """The annotated text; the text itself where it is declined."""
    try:
        return annotator.annotate(text)
    except DeclinedError:
        return text


def leave_templates_out(
    annotator: OfflineAnnotator,
    prompts: Sequence[Example],
    lessons: Lessons,
    folds: int,
    settings: FitSettings,
    advance: Callable[[], None] = lambda: None,
) -> tuple[dict[str, Share], list[Missed]]:
    """Learns `folds` times, each time without a part of all templates, and tries those. Shares by data set, and misses.

    A template is a text's shape. It is held out in all data sets at once, since their templates are the same.
    """
    shapes = sorted({example.reading.shape for example in prompts})
    random.Random(settings.seed).shuffle(shapes)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    missed: list[Missed] = []
    for fold in range(folds):
        held_out = frozenset(shapes[fold::folds])
        classifier, rewriter = learn(prompts, lessons, annotator.catalogue, settings, held_out)
        learnt = replace(annotator, classifier=classifier, rewriter=rewriter)
        for tried in _held(prompts, held_out):
            wrong = [found for found in (_try(learnt, each) for each in tried) if found.given]
            strict = all(
                calls_in(annotated(learnt, e.prompt.input)) == calls_in(e.prompt.output) for e in tried
            )
            missed += wrong
            counts[tried[0].prompt.source].update(templates=1, right=int(not wrong), all_right=int(strict))
        advance()
    return {name: Share(c["templates"], c["right"], c["all_right"]) for name, c in counts.items()}, missed


def _held(prompts: Sequence[Example], held_out: frozenset[Shape]) -> Iterator[list[Example]]:
    found: dict[tuple[str, Shape], list[Example]] = defaultdict(list)
    for example in prompts:
        if example.reading.shape in held_out:
            found[example.prompt.source, example.reading.shape].append(example)
    yield from (each[:_EACH] for each in found.values())


def _try(annotator: Annotator, example: Example) -> Missed:
    """What was given where the first inserted call is missing in it; else nothing."""
    given = annotated(annotator, example.prompt.input)
    first = next(call for call in calls_in(example.prompt.output) if call.endswith("-->r]"))
    right = first.replace(" ", "").lower() in given.replace(" ", "").lower()
    return Missed(example, "" if right else given or "nothing")
