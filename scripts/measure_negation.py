"""Negate the questions that the offline reader answers, and count what it makes of them.

    python scripts/measure_negation.py atlas [NAME ...] [--half test] [--every 2]

Each question of our own sets that is answered is negated in every way of WAYS that fits its form, by rule, and asked again:
declined; the complement (all things of the type asked for but those, or the other truth value); apart (other things only);
**same**: the answer of the question itself, so the opposite of what was asked; part: things of both. `--all` lists what is answered.
"""

import argparse
import collections
import re
import sys
from collections.abc import Iterator, Sequence

from lemminflect import getAllLemmas

import graphtalk as gt
from graphtalk.core import JSON
from graphtalk.graphs import Graph
from measure_offline import OWN_SETS, agrees, open_own, own

VERDICTS = ("declined", "complement", "apart", "part", "same")
_AUXILIARY = re.compile(r"\b(?:is|are|was|were|do|does|did|has|have|can)\b", re.I)
_ASKED = re.compile(r"^(?:which|what|who|how many)\b", re.I)
_LIST = re.compile(r"^(?:list|name|give me|tell me|show me|find)\s+(?:all\s+)?(?:the\s+)?", re.I)
_JOINS = frozenset("and or of in at on the a an to by for with from as both that who which".split())
_NAME = re.compile(
    r"(?<=[a-z,] )(?:the )?(?:[A-Z][\w.'’-]*)(?: (?:of |the )?[A-Z][\w.'’-]*)*(?=[ ?.,]|$)|\"[^\"]+\""
)
# For a verb that stands by itself: {lemma} and {verb} are it, in its dictionary form and as it stands.
_VERBS = {
    "do not": "do not {lemma}", "don't": "don't {lemma}", "don’t": "don’t {lemma}", "dont": "dont {lemma}", "never": "never {verb}",
    "fail to": "fail to {lemma}", "refuse to": "refuse to {lemma}", "avoid": "avoid to {lemma}", "no longer": "no longer {verb}",
    "hardly": "hardly {verb}",
}  # fmt: skip
_AUXILIARIES = {"not": "{0} not", "n't": "{0}n't", "never": "{0} never", "by no means": "{0} by no means"}
_NAMES = {
    "neither": "neither {0} nor {1}", "other than": "anything other than {0}", "except": "anyone except {0}", "but not": "anything but not {0}",
    "rather than": "{1} rather than {0}", "instead of": "{1} instead of {0}", "all but": "all but {0}", "no": "no {0}",
}  # fmt: skip
_WHOLE = {
    "except": "Everything except the answer to this: {0}", "opposite": "Give the opposite of the answer to: {0}",
    "false": "Is it false that this holds: {0}",
}  # fmt: skip
_LISTS = {
    "except": "List everything except {0}", "other than": "What is there other than {0}", "all but": "All but {0}",
    "excluding": "Everything excluding {0}", "not": "Not {0}", "outside": "What is outside {0}", "leaving out": "Everything, leaving out {0}",
}  # fmt: skip
_WORDS = {  # of a question, each by what says the opposite of it
    r"\b(?:have|has)\b": ("lack", "are missing"), r"\bwith\b": ("without",), r"(?<=\w )in(?= [A-Z])": ("outside", "absent from"),
    r"\buse\b": ("refuse", "avoid"), r"\bmembers\b": ("non-members",), r"\b(?=landlocked|African|European)": ("non-", "un"),
}  # fmt: skip


def negations(question: str, other: str) -> Iterator[tuple[str, str]]:
    """The ways in which a question can be negated, each with its name. `other`: a name beside that of the question."""
    verb = _AUXILIARY.search(question)
    if verb and (_ASKED.match(question) or verb.start()):  # "Isn't it …?" at the head asks for the same truth
        for way, form in _AUXILIARIES.items():
            yield way, question[: verb.start()] + form.format(verb[0]) + question[verb.end() :]
    elif verb:
        subject = _NAME.search(question)
        for way in ("not", "never") if subject else ():
            assert subject is not None
            yield f"… {way}", f"{question[: subject.end()]} {way}{question[subject.end() :]}"
        yield "false that", f"Is it false, or not: {question}"
    elif found := _verb(question):
        start, end, lemma = found
        for way, form in _VERBS.items():
            yield way, question[:start] + form.format(lemma=lemma, verb=question[start:end]) + question[end:]
    name = _NAME.search(question)
    if name and not question[: name.start()].rstrip().endswith((" of", "the", "and")):
        for way, form in _NAMES.items():
            yield (
                f"{way} NAME",
                question[: name.start()] + form.format(name[0], other) + question[name.end() :],
            )
    if listed := _LIST.match(question):
        for way, form in _LISTS.items():
            yield f"{way} those", form.format(f"the {question[listed.end() :]}")
    for way, form in _WHOLE.items():
        yield f"whole: {way}", form.format(question)
    titles = [found.span() for found in re.finditer(r'"[^"]*"', question)]
    for word, negated in _WORDS.items():
        said = re.search(word, question)
        if said and not any(start < said.start() < end for start, end in titles):
            for way in negated:
                yield way, question[: said.start()] + way + question[said.end() :]


def _verb(question: str) -> tuple[int, int, str] | None:
    """Where the first word after what is asked for that may be a verb stands, and its dictionary form."""
    if not _ASKED.match(question):
        return None
    for word in list(re.finditer(r"[a-z]+", question))[(0 if question.lower().startswith("who") else 1) :]:
        lemmas = getAllLemmas(word[0])
        if word[0] in _JOINS or "VERB" not in lemmas or ("NOUN" in lemmas and word[0].endswith("s")):
            continue
        return word.start(), word.end(), lemmas["VERB"][0]
    return None


def verdict(graph: Graph, before: JSON, after: gt.Answer) -> str:
    """What the answer to a negated question is, beside that of the question itself."""
    if not after.answered:
        return "declined"
    if agrees(after.value, before):
        return "same"
    if isinstance(before, bool) and isinstance(after.value, bool):
        return "complement"
    was, now = _entries(before), _entries(after.value)
    if was & now:
        return "part"
    types = (set(graph.labels(graph.indices(t.name))) for t in graph.schema.node_types)
    return "complement" if any(was and was | now == each for each in types) else "apart"


def _entries(value: JSON) -> set[str]:
    return {str(v) for v in value} if isinstance(value, list | dict) else {str(value)}


def measure(graph: Graph, questions: Sequence[str]) -> Iterator[tuple[str, str, str, gt.Answer]]:
    """For each negation of each question that is answered: the way, its text, the verdict, the answer."""
    names = [found[0] for question in questions for found in _NAME.finditer(question)]
    for question in questions:
        other = next(name for name in names if name not in question)
        plain = gt.ask(graph, question)
        if not plain.answered or re.search(r"\b(?:not|no|only|but)\b|n't", question):
            continue
        for way, negated in negations(question, other):
            answer = gt.ask(graph, negated)
            yield way, negated, verdict(graph, plain.value, answer), answer


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("names", nargs="+", choices=OWN_SETS)
    asked.add_argument("--half", choices=["dev", "test", "fresh"])
    asked.add_argument("--every", type=int, default=1, help="of the questions, each so many")
    asked.add_argument(
        "--all", action="store_true", help="list all that is answered, and not only what is the same"
    )
    given = asked.parse_args()
    for name in given.names:
        graph = open_own(name)
        assert isinstance(graph, Graph)
        rows = [a for a in own(name) if not given.half or a.group.endswith(given.half)]
        by_way: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
        for way, negated, found, answer in measure(graph, [r.question for r in rows][:: given.every]):
            by_way[way][found] += 1
            if found == "same" or (given.all and found != "declined"):
                print(f"{found}\t{way}\t{negated}\t{answer.text[:120]!r}\t{answer.calls[-1].spelling}")
        total = sum(by_way.values(), collections.Counter[str]())
        for way, counts in [*sorted(by_way.items()), (f"all of {name}", total)]:
            print(f"{way:20}", ", ".join(f"{v} {counts[v]}" for v in VERDICTS if counts[v]))


if __name__ == "__main__":
    sys.exit(main())
