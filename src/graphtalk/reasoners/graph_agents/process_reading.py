"""Reads a process from a text: the edges, what nodes have at first, the rule, and what is asked.

`words/processes.toml` has the forms in which that is put. Every sentence must be one of them as a whole, or tell edges: what
is not read whole is declined.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any

import numpy as np

from graphtalk.core import UsageError
from graphtalk.core.text import NUMBER_WORDS
from graphtalk.language.nouns import either
from graphtalk.language.told.listing import HOLE
from graphtalk.reasoners.graph_agents.described import Described
from graphtalk.reasoners.graph_agents.mentions import NODE, canonical_words
from graphtalk.reasoners.graph_agents.passages import asks, bare, last_problem, pieces
from graphtalk.reasoners.graph_agents.processes import Process
from graphtalk.reasoners.graph_agents.reading import read

_MOST_ROUNDS = 10_000
_MOST_TEXT = 200_000  # letters
_FORMS = resources.files("graphtalk.reasoners.graph_agents") / "words" / "processes.toml"
_UNIT = r"(?:time[- ]?steps?|rounds?|steps?|days?|hours?|minutes?|seconds?|turns?|ticks?|iterations?|weeks?|months?|years?|hops?|generations?)"
_RULE = re.compile(rf"\b(?:every|each) (?:single )?{_UNIT}\b|\b{_UNIT} (?:by|after) {_UNIT}\b", re.I)
_CONDITION = re.compile(  # what is asked of the neighbours of each node
    rf"\bneighbou?rs?\b.*\b(?:value|number|score|amount|level)s?\b|\b(?:value|number|score|amount|level)s?\b.*\bneighbou?rs?\b"
    rf"|\bnodes?\b.*\bwithin \w+ {_UNIT}\b",
    re.I,
)
_OF_PROCESS = re.compile(
    rf"{_RULE.pattern}|\b(?:after|within|in|by|until) \S+ {_UNIT}\b|\bhow many {_UNIT}\b|\b(?:initially|at first|first|originally|in the beginning|to begin with|outset|"
    r"at (?:the )?(?:very )?(?:start|beginning)|tie|stays?|remains?|starts?|holds?|sends?|forwards?|pass(?:es)?|(?:know|hear|start|ha|learn)s? (?:a|an|the|some) [a-z]+|(?:its|their) neighbou?rs)\b",
    re.I,
)
_PLAIN = (  # words that tell of a graph and nothing else
    rf"(?:{either('nodes')}|{either('edges')}|graphs?|networks?|maps?|friends|friendships?|neighbou?rs|values?|numbers?|amounts?|scores?|levels?"
    r"|the|an?|its|their|this|these|following|each|all|of|with|in|between|and|to|given|by|as|here|below|(?:un)?directed|simple|small|connected|social"
    r"|is|are|has|have|hold|holds)"
)
_BLAND = re.compile(
    rf"(?:(?:please |now,? )?(?:consider|take|we have|there (?:is|are)|you are given|look at)\b)?(?:[\s,.;:]*(?:{_PLAIN}\b|{HOLE}))*\W*",
    re.I,
)
_PARTS = re.compile(
    r",? (?:and|then|and then) (?=(?:(?:in|at|with|after|on|during) )?(?:every|each) round)| and (?:then )?(?=moves to)|(?<!each node)(?<!every node), (?=which |what |how |when |is |in which |after (?:how|which))"
)
_ASKED_OF = re.compile(  # "After 1 round, which nodes …": the time is asked last
    r"^(?P<time>(?:after|within|by the end of|in the end|at the end|eventually|finally)[^,?]{0,40}), (?P<asked>(?:which|what|who|how|is|are)\b.*)$"
)
_LEAD = re.compile(
    r"(?:(?:if|suppose(?: that)?|assume(?: that)?|imagine(?: that)?|given that|then|now|and)[, ]+)+"
)
_ALIKE = tuple(
    (re.compile(pattern, re.I), said)
    for pattern, said in (
        (r"\b(?:walks?|steps?|strolls?|wanders?|jumps?|travels?) to\b", "moves to"),
        (r"\brandom walk\b", "random walker"),
        (rf"\bon (?={_UNIT} \d)", "in "),
        (r"\b(?:everyone|everybody|anyone|anybody|all of them|they all)\b", "every node"),
        (r"\b(?:friends|contacts|neighbors|neighbou?ring nodes|adjacent nodes)\b", "neighbours"),
        (r"\b(?:friend|contact|neighbor)\b", "neighbour"),
        (rf"\bone (?={_UNIT})", "1 "),
        (rf"\b{_UNIT[:-1]})\b(?<!s)", "round"),
        (rf"\b{_UNIT[:-1]})\b(?<=s)", "rounds"),
        (r"\btie\b", "draw"),
    )
)
_NUMBER = re.compile(
    rf"\b(?:{'|'.join(word for word in NUMBER_WORDS if word not in ('one', 'zero'))})\b", re.I
)
_KNOWS = r"(?:(?:has|have|had) )?(?:knows?|hears?|heard|has|have|holds?|got|gets?|receives?|received|learns?|learned|learnt)(?: about| of)?"
_NO_STATE = frozenset("the a an connected adjacent linked joined isolated nodes node in at on not".split())
_CONDITIONS = {
    **dict.fromkeys(("above", "over", "more than", "larger than", "greater than", "of more than"), "above"),
    **dict.fromkeys(("below", "under", "less than", "smaller than", "of less than"), "below"),
    **dict.fromkeys(("at least", "of at least"), "least"),
    **dict.fromkeys(("at most", "of at most"), "most"),
}
_OF_OWN = {"above": "larger", "below": "smaller", "least": "not smaller", "most": "not larger"}
_SHARES = {"half": 1 / 2, "third": 1 / 3, "quarter": 1 / 4, "two thirds": 2 / 3, "all": 1.0, "every one": 1.0}
_NEEDED: Mapping[str, tuple[frozenset[str], ...]] = {
    "spread": (frozenset({"seeds", "rule"}),),
    "vote": (frozenset({"seeds", "rule"}),),
    "walk": (frozenset({"seeds", "rule"}),),
    "gather": (frozenset({"rule"}), frozenset({"sender", "forward"})),
    "reach": (frozenset(),),
    "compare": (frozenset(),),
}
_BESIDE = frozenset({"start", "aside", "ties"})  # what may be said or left out
_SETTLES = frozenset({"max own", "min own"})


@dataclass(frozen=True)
class _Form:
    pattern: str
    role: str
    answer: str
    words: re.Pattern[str]


@dataclass(frozen=True)
class _Said:
    """A sentence that was read: its form, what the groups of that say, and the nodes that it names."""

    form: _Form
    parts: Mapping[str, str]
    nodes: tuple[int, ...]


def tells_rule(text: str) -> bool:
    """Whether a text says what happens round after round: an algorithm that knows nothing of that must not answer."""
    return _RULE.search(text) is not None


def process_of(text: str) -> Process | None:
    """The process that a text tells and asks about; None where it is no such text, or not read whole.

    Raises UsageError where it is read, and edges lead one way or nodes have no values.
    """
    if len(text) > _MOST_TEXT or not (_RULE.search(text) or _CONDITION.search(text)):
        return None
    sentences = list(pieces(last_problem(text)))
    own = [
        each for each in sentences if (_OF_PROCESS.search(each) or asks(each)) and not _tells_numbers(each)
    ]
    try:
        reading = read("\n".join(each for each in sentences if each not in own))
    except UsageError:
        return None
    d = reading.described
    told = [*(s.text for s in reading.left), *own]
    words = [part for each in told if not _BLAND.fullmatch(each.strip()) for part in _parts(each, d)]
    said = next((found for name in _NEEDED if (found := _said(name, words, d)) is not None), None)
    return None if said is None else _process(said, d)


def _tells_numbers(sentence: str) -> bool:
    """Whether a sentence gives nodes their numbers in a row: "The nodes hold the values a: 5, b: 7"."""
    return len(re.findall(r"[\w\"']\s*(?:[:=]|has value|has the value)\s*-?\d", sentence)) > 1


def _parts(sentence: str, described: Described) -> Iterator[str]:
    """The canonical clauses of a sentence, each named node a NODE and its name: "@[3]"."""
    text = " ".join((bare(sentence) if asks(sentence) else sentence).split()).rstrip(" .?!;:")
    text = _NUMBER.sub(lambda m: str(NUMBER_WORDS.index(m[0].lower())), text)
    for pattern, said in _ALIKE:
        text = pattern.sub(said, text)
    text = _marked(text, described)
    for part in _PARTS.split(_ASKED_OF.sub(r"\g<asked> \g<time>", canonical_words(text))):
        yield re.sub(rf"^{_LEAD.pattern}", "", part.strip(" ,"))


def _marked(text: str, d: Described) -> str:
    """The text with nodes that it names, alone or in a row, as NODE and their positions: "@[0,3]"."""

    def mark(m: re.Match[str]) -> str:
        found = [d.position.get(name) for name in re.findall(one, m["row"])]
        return m[0] if None in found else f"{NODE}[{','.join(map(str, found))}]"

    if d.numbered:
        one, head = r"\d+", rf"\b(?i:{either('nodes')})\s+(?:numbered )?"
    else:
        names = "|".join(_name(name) for name in sorted(d.names, key=len, reverse=True))
        one, head = rf"(?<!\w)(?:{names})(?!\w)", rf"(?:\b(?i:the )?(?i:{either('nodes')})\s+)?"
    return re.sub(
        rf"{head}(?P<row>{one}(?:(?:,\s*(?:and\s+)?|\s+and\s+)(?:(?i:node) )?{one})*)(?![\w.]*\w)", mark, text
    )


def _name(name: str) -> str:
    """A name; one that is also a word only where a word for nodes cannot follow: "A is red", but "A node is red"."""
    told = (
        r"(?= (?:is|are|has|and|knows|starts|sends|hears|in|be|become|have|get|receive)\b|,|['’]s|$)"
        if name in ("A", "a", "I", "i")
        else ""
    )
    return re.escape(name) + told


@cache
def _forms() -> tuple[_Form, ...]:
    rows = tomllib.loads(_FORMS.read_text("utf-8"))
    parts: dict[str, str] = {}
    for name, text in rows["parts"].items():
        parts[name] = _with(text, parts)
    return tuple(
        _Form(
            row["pattern"], row.get("role", ""), row.get("answer", ""), re.compile(_with(row["text"], parts))
        )
        for row in rows["form"]
    )


def _with(text: str, parts: Mapping[str, str]) -> str:
    """A form with its parts, where they are named in braces."""
    return re.sub(r"\{([a-z]+)\}", lambda m: parts[m[1]], text)


def _said(name: str, sentences: Sequence[str], d: Described) -> list[_Said] | None:
    """All sentences as forms of one pattern, with a question and all that it needs; None where they are not."""
    forms = [form for form in _forms() if form.pattern == name]
    seeds = next((read for text in sentences if (read := _read(text, forms, "seeds"))), None)
    if (
        seeds and "it" in seeds[1].parts
    ):  # what is told of in another sentence: "each node that knows the rumour"
        things = {thing for text in sentences for thing in re.findall(rf"\b{_KNOWS} the ([a-z]+)\b", text)}
        if len(things) > 1:
            return None
        seeds = seeds[0], replace(seeds[1], parts={**seeds[1].parts, "thing": next(iter(things), "it")})
    found = [
        _read(text if seeds and text == seeds[0] else _put(text, seeds[1] if seeds else None), forms)
        for text in sentences
    ]
    said = [seeds[1] if seeds and each[0] == seeds[0] else each[1] for each in found if each is not None]
    roles = [each.form.role for each in said]
    needed = set(roles) - {""} - _BESIDE
    fits = len(said) == len(found) and roles.count("") == 1 and len(set(roles)) == len(roles)
    return said if fits and needed in [set(each) for each in _NEEDED[name]] else None


def _read(text: str, forms: Sequence[_Form], role: str | None = None) -> tuple[str, _Said] | None:
    """A sentence as the first form that it is; of one role alone, where one is given."""
    nodes = tuple(int(place) for row in re.findall(rf"{NODE}\[([\d,]+)\]", text) for place in row.split(","))
    plain = re.sub(rf"{NODE}\[[\d,]+\]", NODE, text)
    for form in forms:
        m = form.words.fullmatch(plain) if role is None or form.role == role else None
        if m is not None and not _NO_STATE & {m.groupdict().get("state")}:
            return text, _Said(form, {name: part for name, part in m.groupdict().items() if part}, nodes)
    return None


def _put(text: str, seeds: _Said | None) -> str:
    """A sentence with what the seeds have as `ON`."""
    if seeds is None:
        return text
    if state := seeds.parts.get("state"):
        return re.sub(rf"\b{re.escape(state)}\b", "ON", text)
    if thing := seeds.parts.get("thing"):
        text = re.sub(rf"\bthe {re.escape(thing)}\b", "it", text)
        text = re.sub(rf"\b{_KNOWS} it\b", "is ON", text)
        return re.sub(r"\bknows?$", "is ON", text)
    return text


def _process(said: Sequence[_Said], d: Described) -> Process:
    """The process that sentences tell."""
    by_role = {each.form.role: each for each in said}
    ask, name = by_role[""], said[0].form.pattern
    if d.directed or d.unclear:
        raise UsageError(
            "Edges of a process in words go both ways here: say that the graph is undirected, or ask a model to design it: --lm."
        )
    parameters: dict[str, Any] = {}
    if seeds := by_role.get("seeds"):
        parameters["seeds"] = sorted(set(seeds.nodes))
    if ask.nodes:
        parameters["target"] = ask.nodes[0]
    if len(set(ask.nodes)) > 1 or (name == "walk" and len(parameters["seeds"]) > 1):
        raise UsageError("The question is about one node at a time: ask about each.")
    places: dict[str, str] = {}
    if name == "gather":
        d, places["gathered"] = _gathered(by_role, d)
    if name == "compare":
        places, parameters = _compared(ask.parts), {**parameters, **_limit(ask.parts)}
        if d.node_weight is None or np.isnan(d.node_weight).any():
            raise UsageError("The text does not say which value each node has.")
    settled = name != "compare" and not any(key.startswith("rounds") for key in ask.parts)
    if name != "compare":
        parameters["rounds"] = _rounds(name, ask, settled, places, d)
    if name == "spread":
        parameters |= _enough(by_role["rule"].parts)
    told, asked = seeds.parts if seeds else {}, ask.form.answer
    state, thing = told.get("state", ""), told.get("thing", "")
    in_the_end = settled and asked not in ("when", "last")
    return Process(d, name, asked, places, parameters, in_the_end, state, thing, "ties" in by_role)


def _rounds(name: str, ask: _Said, settled: bool, places: Mapping[str, str], d: Described) -> int:
    """After how many rounds it is asked; in the end, as many as surely bring that. Raises UsageError where none do."""
    if not settled:
        rounds = int(next(part for key, part in ask.parts.items() if key.startswith("rounds")))
        if not 1 <= rounds <= _MOST_ROUNDS:
            raise UsageError(f"{rounds} rounds cannot be run: from 1 to {_MOST_ROUNDS:,}.")
        return rounds
    if name in ("walk", "reach") or (name == "gather" and places["gathered"] not in _SETTLES):
        raise UsageError("The text does not say after how many rounds, and this never comes to an end.")
    return 2 * d.num_nodes if name == "vote" else d.num_nodes + 1


def _gathered(by_role: Mapping[str, _Said], d: Described) -> tuple[Described, str]:
    """The graph with the values that nodes have at first, and what they gather."""
    if "sender" in by_role:
        first = np.zeros(d.num_nodes)
        first[list(by_role["sender"].nodes)] = 1
        return replace(d, node_weight=first), "sum"
    rule = by_role["rule"].parts
    how = next(name for name in ("max", "min", "sum", "mean") if name in rule)
    init = by_role["start"].parts["init"] if "start" in by_role else ""
    if "number" in init or "id" in init or "index" in init:
        if not d.numbered:
            raise UsageError("The nodes have names, and the text does not say which number each has.")
        d = replace(d, node_weight=np.array([float(name) for name in d.names]))
    elif "degree" in init:
        pairs = {frozenset(pair) for pair in zip(d.source.tolist(), d.target.tolist(), strict=True)}
        ends = [end for pair in pairs if len(pair) == 2 for end in pair]
        d = replace(d, node_weight=np.bincount(ends, minlength=d.num_nodes).astype(float))
    elif init:
        d = replace(d, node_weight=np.ones(d.num_nodes))
    if d.node_weight is None or np.isnan(d.node_weight).any():
        raise UsageError("The text does not say which value each node has at first.")
    return d, f"{how} own" if "own" in rule or "own2" in rule else how


def _enough(parts: Mapping[str, str]) -> dict[str, float]:
    """How many neighbours are enough."""
    if "above" in parts:
        return {"above": 0.5}
    if "share" in parts:
        words = re.sub(r"^(?:at least )?(?:(?:a|one) )?", "", parts["share"]) or parts["share"]
        return {"share": _SHARES[parts["share"] if parts["share"] in _SHARES else words]}
    if "more" in parts:
        return {"least": int(parts["more"]) + 1}
    least = int(parts.get("least") or parts.get("exact") or 1)
    if not least:
        raise UsageError("No neighbours at all are enough: then all nodes get it at once.")
    return {"least": least}


def _compared(parts: Mapping[str, str]) -> dict[str, str]:
    """The condition on neighbours: none may have as much, where "larger than all" is asked."""
    if "over" in parts or "under" in parts:
        return {"gathered": "count", "kept": "not smaller" if "over" in parts else "not larger"}
    kept = _CONDITIONS[parts["cond"]]
    summed = "sum" in parts or "sum2" in parts
    return {
        "gathered": "sum" if summed else "count",
        "kept": _OF_OWN[kept] if "own" in parts["limit"] else kept,
    }


def _limit(parts: Mapping[str, str]) -> dict[str, float]:
    limit = parts.get("limit", "")
    return {"limit": float(limit)} if limit and "own" not in limit else {}
