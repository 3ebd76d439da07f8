"""A model's answer, checked: its value, the calls that show it, its evidence, and what nothing supports."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from graphtalk.core import JSON, CallRecord, Evidence
from graphtalk.language.telling import answer_in_words
from graphtalk.reasoners.support.claims import Claim, claim
from graphtalk.reasoners.support.observed import Observed, Piece
from graphtalk.reasoners.support.proofs import prove_count, prove_nodes, prove_truth, prove_values
from graphtalk.reasoners.support.refusal import NOTHING, declines
from graphtalk.tools.evidence import evidence_of, together
from graphtalk.tools.executor import Executor, Result
from graphtalk.tools.values import Bag, Plain, Scalar
from graphtalk.tools.verify import says

_HOW_MANY = re.compile(r"\b(how many|number|count)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Supported:
    """What an answer claims and what shows it.

    Where a call gives just `value`, it is the last of `calls` and `evidence` is what it rests on. Else `value` is
    the model's own inference: `calls` are all that were made and `evidence` what any of them rests on.
    `unsupported` are the names and numbers that were never seen; they are part of `value` too. `text` is the answer
    in words that say `value`: the model's own where they do. `declined`: the text says that there is no answer, or holds
    nothing that could be one.
    """

    text: str
    value: JSON
    calls: tuple[CallRecord, ...]
    evidence: Evidence
    unsupported: tuple[str, ...] = ()
    declined: bool = False


def support(
    executor: Executor, text: str, results: Sequence[Result], question: str = "", entries: Sequence[str] = ()
) -> Supported:
    """Check the text of an answer against the results of the calls that led to it, in their order.

    `question` helps to tell what a sentence answers from what it repeats; `entries` are the names of a list whose names
    are told apart already.
    """
    seen = Observed(executor, results)
    if text.strip().casefold().rstrip(".") in NOTHING and results and _is_empty(results[-1]):
        return _proven(text, [], results[-1], seen, ())
    found = claim(text, seen, question, entries)
    if found.truth is not None:
        shown = _truth(text, found, seen)
    elif found.number is not None:
        shown = _number(text, found, seen, question)
    else:
        shown = _names(text, found, seen)
    return replace(shown, declined=declines(text, found, seen, question))


def _truth(text: str, found: Claim, seen: Observed) -> Supported:
    proof = prove_truth(bool(found.truth), seen)
    if proof is not None:
        return _proven(text, found.truth, proof, seen, found.unsupported)
    unseen = () if seen.results else (text.strip(),)
    return _inferred(text, found.truth, (), seen, (*unseen, *found.unsupported))


def _number(text: str, found: Claim, seen: Observed, question: str) -> Supported:
    number = found.number or 0.0
    value = int(number) if number.is_integer() else number
    by_value = prove_values(found.pieces, seen)
    if by_value is not None:
        return _proven(text, by_value[1][0], by_value[0], seen, found.unsupported)
    counted = prove_count(number, seen)
    called = any(seen.graph.label(node) == text.strip() for p in found.pieces for node in p.nodes.tolist())
    if any(len(p.nodes) for p in found.pieces) and (
        counted is None or (called and not _HOW_MANY.search(question))
    ):
        return _names(text, found, seen)  # the number is a node's name or id
    if counted is not None:
        return _proven(text, value, counted, seen, found.unsupported)
    known = any(piece.places for piece in found.pieces)
    return _inferred(
        text, value, found.pieces, seen, found.unsupported if known else (str(value), *found.unsupported)
    )


def _names(text: str, found: Claim, seen: Observed) -> Supported:
    known = [piece for piece in found.pieces if piece.supported]
    by_node = prove_nodes(known, seen) if known and all(len(piece.nodes) for piece in known) else None
    if by_node is not None and len(known) == len(found.pieces):
        return _proven(text, list(by_node[1]), by_node[0], seen, found.unsupported)
    by_value = prove_values(known, seen) if known and all(piece.places for piece in known) else None
    if by_value is not None and len(known) == len(found.pieces):
        values: list[Plain] = by_value[1]
        value: JSON = values[0] if isinstance(by_value[0].value, Scalar) else list(values)
        return _proven(text, value, by_value[0], seen, found.unsupported)
    names: list[JSON] = [name for piece in found.pieces for name in _called(piece, seen)]
    wordless = (text.strip(),) if text.strip() and not found.pieces else ()  # "...": it answers nothing
    return _inferred(text, list(dict.fromkeys(map(str, names))), known, seen, found.unsupported or wordless)


def _called(piece: Piece, seen: Observed) -> list[str]:
    """What a piece is called in the graph; its own words where it was never seen."""
    if len(piece.nodes):
        return seen.graph.labels(piece.nodes.tolist())
    return [str(piece.places[0].value)] if piece.places else [piece.text]


def _proven(text: str, value: JSON, proof: Result, seen: Observed, unsupported: tuple[str, ...]) -> Supported:
    calls = _calls([*seen.in_order, proof])
    return Supported(_worded(text, value), value, calls, proof.evidence(), unsupported)


def _inferred(
    text: str, value: JSON, pieces: Iterable[Piece], seen: Observed, unsupported: tuple[str, ...]
) -> Supported:
    """The value stays; what was made goes with it, what shows most of it last."""
    told = [id(place.result) for piece in pieces for place in piece.places]
    results = sorted(seen.in_order, key=lambda result: told.count(id(result)))
    evidence = together(evidence_of(ran) for result in results[::-1] for ran in result.trail.inside())
    return Supported(_worded(text, value), value, _calls(results), evidence, unsupported)


def _calls(results: Iterable[Result]) -> tuple[CallRecord, ...]:
    """Every call, each once, where it was made last."""
    kept: dict[str, CallRecord] = {}
    for call in (call for result in results for call in result.calls):
        kept[call.spelling] = kept.pop(call.spelling, call)
    return tuple(kept.values())


def _worded(text: str, value: JSON) -> str:
    said = text.strip()
    return said if says(said, value) else answer_in_words(value, said)


def _is_empty(result: Result) -> bool:
    return isinstance(result.value, Bag | list) and len(result.value) == 0
