"""Learning rewritings: from a text and its annotated form, the edits that turn one into the other."""

from collections import Counter
from collections.abc import Sequence

from graphtalk.calls.ast import NodeRef, Number
from graphtalk.calls.toolformer import parse
from graphtalk.reasoners.toolformer.offline.catalogue import Catalogue
from graphtalk.reasoners.toolformer.offline.mentions import NUMBER, SLOT, TokenText, read
from graphtalk.reasoners.toolformer.offline.rewriting import Rewriter, key
from graphtalk.reasoners.toolformer.offline.writing import Insert, Piece, write
from graphtalk.training.annotator.examples import Example, calls_in


def learn_rewriter(examples: Sequence[Example], catalogue: Catalogue, at_least: int = 1) -> Rewriter:
    """For every shape the edits that give the right output most often, of at least so many prompts."""
    votes: dict[str, Counter[tuple[Piece, ...]]] = {}
    for example in examples:
        pieces = edits(example, catalogue)
        if pieces is not None and write(pieces, example.reading, catalogue) == example.prompt.output:
            votes.setdefault(key(example.reading), Counter())[pieces] += 1
    best = {name: counter.most_common(1)[0] for name, counter in votes.items()}
    return Rewriter({name: pieces for name, (pieces, count) in best.items() if count >= at_least})


def edits(example: Example, catalogue: Catalogue) -> tuple[Piece, ...] | None:
    """The pieces of a prompt's output; None where a call has an argument that the input lacks."""
    output = example.prompt.output
    calls = calls_in(output)
    inserts = [_insert(call, example.reading) for call in calls]
    for call in calls:
        output = output.replace(call, "[TBR]", 1)
    if any(insert is None for insert in inserts):
        return None
    return tuple(_aligned(example.reading, read(output, catalogue), [i for i in inserts if i]))


def _insert(spelling: str, reading: TokenText) -> Insert | None:
    call = parse(spelling)
    arguments: list[int | str] = []
    for value in call.arguments:
        if isinstance(value, Number):
            place = _place(reading, NUMBER, str(value.value))
            arguments.append(str(value.value) if place is None else place)
        elif isinstance(value, NodeRef) and (place := _place(reading, None, value.id)) is not None:
            arguments.append(place)
        else:
            return None
    return Insert(call.function, tuple(arguments), spelling.endswith("-->r]"))


def _place(reading: TokenText, kind: str | None, value: str) -> int | None:
    return next(
        (
            at
            for at, t in enumerate(reading.tokens)
            if t.value == value and t.kind and (kind is None or t.kind == kind)
        ),
        None,
    )


def _aligned(reading: TokenText, output: TokenText, inserts: list[Insert]) -> list[Piece]:
    """Output tokens as places of input tokens, by the longest runs that stand in both; the rest as new words."""
    source = [(t.mask, t.value) if t.kind != SLOT else None for t in reading.tokens]
    target = [(t.mask, t.value) for t in output.tokens]
    pieces: list[Piece] = []
    calls = iter(inserts)
    at, before = 0, -1
    while at < len(target):
        if output.tokens[at].kind == SLOT:
            pieces.append(next(calls))
            at += 1
            continue
        start, length = max(
            ((s, _run(source, s, target, at)) for s in range(len(source))),
            key=lambda found: (found[1], found[0] > before, -found[0]),
        )
        pieces.extend(range(start, start + length) if length else [output.tokens[at].text])
        before = start if length else before
        at += max(length, 1)
    return pieces


def _run(source: Sequence[object], start: int, target: Sequence[object], at: int) -> int:
    length = 0
    while (
        start + length < len(source)
        and at + length < len(target)
        and source[start + length] == target[at + length]
    ):
        length += 1
    return length
