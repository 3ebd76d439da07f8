"""How many tampered answers `graphtalk verify` refuses, by kind of tampering, and how many honest ones it takes.

    python scripts/measure_verify.py [NAME ...]      NAME: a set of tests/questions (all that need no other data)

Every question of the sets is asked; each answer is verified as it is, and after each kind of tampering that alters it,
written as JSON and read back as `graphtalk ask --json` and `graphtalk verify` do.
"""

import argparse
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import graphtalk as gt
import measure_offline
from graphtalk.app.render import answer_from_json, answer_to_json, dumps
from graphtalk.core import JSON, Answer, CallRecord, Evidence
from graphtalk.language.telling import answer_in_words

SMALL = (*measure_offline.BUILT_IN, *measure_offline.SMALL)
Tamper = Callable[[Answer, "Forger"], Iterator[Answer]]


class Forger:
    """What a forger has at hand: other names of the graph, and chance."""

    def __init__(self, session: gt.Session, seed: int) -> None:
        self.chance = random.Random(seed)
        self.session = session
        self.names = session.union.labels()

    def other(self, than: JSON) -> JSON:
        """Another value of the same kind."""
        if isinstance(than, bool):
            return not than
        if isinstance(than, int | float):
            return than + self.chance.choice((1, -1, 10))
        if isinstance(than, list) and than and not isinstance(than[0], list | dict):
            kept = list(than)
            kept[self.chance.randrange(len(kept))] = self.other(kept[0])
            return kept
        return self.chance.choice([name for name in self.names if name != than])


def value(answer: Answer, by: Forger) -> Iterator[Answer]:
    """Another value, and a text that says it."""
    new = by.other(answer.value)
    yield replace(answer, value=new, text=answer_in_words(new, answer.reading, answer.remarks))


def shortened(answer: Answer, by: Forger) -> Iterator[Answer]:
    """One entry of a list left out, or there twice."""
    if isinstance(answer.value, list) and len(answer.value) > 1:
        for new in (answer.value[:-1], [*answer.value, answer.value[0]]):
            text = answer_in_words(new, answer.reading, answer.remarks)
            yield replace(answer, value=new, text=text)


def text(answer: Answer, by: Forger) -> Iterator[Answer]:
    """A text that says something else, the opposite, or more."""
    said = answer.text
    yield replace(answer, text=f"It is not true that it is {said}")
    yield replace(answer, text=f"{said} All others were excluded by the court.")
    yield replace(answer, text=f"{by.other('')} ({answer.reading})")
    denied = f"Surely not {said}" if answer.value else f"Yes, there is no doubt about {said}"
    yield replace(answer, text=denied, reading="", lm="openai:any")


def calls(answer: Answer, by: Forger) -> Iterator[Answer]:
    """Calls that are gone, do not parse, gave something else, stand there twice, or only look the value up."""
    yield replace(answer, calls=())
    yield replace(answer, calls=(*answer.calls[:-1], CallRecord("no call", answer.calls[-1].result, 0.0)))
    yield replace(answer, calls=(*answer.calls, answer.calls[-1]))
    last = answer.calls[-1]
    yield replace(answer, calls=(*answer.calls[:-1], replace(last, result=by.other(last.result))))
    if isinstance(answer.value, list) and answer.value and all(name in by.names for name in answer.value):
        listed = dumps(answer.value).replace("\n", "")
        look_up = f"Union[{listed}, {listed}]"
        result = by.session.call(look_up)
        yield replace(answer, calls=result.calls, evidence=result.evidence())


def evidence(answer: Answer, by: Forger) -> Iterator[Answer]:
    """Evidence that is emptied, cut without a word, invented, or doubled."""
    nodes, edges = answer.evidence.nodes, answer.evidence.edges
    if nodes or edges:
        yield replace(answer, evidence=Evidence(complete=False))
        yield replace(answer, evidence=replace(answer.evidence, nodes=nodes[1:], edges=edges[1:]))
        yield replace(answer, evidence=replace(answer.evidence, nodes=nodes * 2, edges=edges * 2))
    yield replace(answer, evidence=replace(answer.evidence, nodes=(*nodes, "a node of nowhere")))
    yield replace(answer, evidence=replace(answer.evidence, edges=(*edges, ("a", "knows", "b"))))


def status(answer: Answer, by: Forger) -> Iterator[Answer]:
    """Said not to be answered, or to name what nothing showed, or a remark more."""
    yield replace(answer, answered=False)
    yield replace(answer, answered=False, text="There is no such thing.", value=None)
    yield replace(answer, unsupported=("Gotham",))
    yield replace(answer, remarks=(*answer.remarks, "All of this was recorded in 1999."))


KINDS: Mapping[str, Tamper] = {
    "value": value,
    "entries": shortened,
    "text": text,
    "calls": calls,
    "evidence": evidence,
    "status": status,
}


def measure(name: str, seed: int = 7) -> tuple[Counter[str], dict[str, Counter[str]], list[str]]:
    """Verdicts on the honest answers of a set, on tampered ones by kind, and the forgeries that were taken."""
    session = gt.session(measure_offline.open_own(name))
    forger = Forger(session, seed)
    honest: Counter[str] = Counter()
    tampered: dict[str, Counter[str]] = defaultdict(Counter)
    taken = []
    for asked in measure_offline.own(name):
        answer = session.ask(asked.question)
        if not answer.answered:
            continue
        honest[session.verify(answer).verdict] += 1
        for kind, tamper in KINDS.items():
            for forged in tamper(answer, forger):
                again = answer_from_json(dumps(answer_to_json(forged)), "forged")
                verdict = session.verify(again).verdict
                tampered[kind][verdict] += 1
                if verdict == "same":
                    taken.append(f"{kind}: {asked.question} -> {forged.text}")
    return honest, tampered, taken


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", default=list(SMALL))
    honest: Counter[str] = Counter()
    tampered: dict[str, Counter[str]] = defaultdict(Counter)
    for name in parser.parse_args().names:
        found = measure(name)
        honest += found[0]
        for kind, verdicts in found[1].items():
            tampered[kind] += verdicts
        for line in found[2]:
            print(f"taken: {name}: {line}")
    print(
        f"honest: {honest.total()} answers, {honest['same']} verified, {honest.total() - honest['same']} not"
    )
    for kind, verdicts in tampered.items():
        refused = verdicts.total() - verdicts["same"]
        print(f"{kind:10s} {verdicts.total():5d} tampered, {refused} refused, {verdicts['same']} taken")
    return int(any(verdicts["same"] for verdicts in tampered.values()))


if __name__ == "__main__":
    sys.exit(main())
