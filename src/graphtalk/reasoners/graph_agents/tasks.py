"""Which task a question sets, told by its words, and the problem that comes of it."""

import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources

from graphtalk.core import UsageError
from graphtalk.core.text import NUMBER_WORDS
from graphtalk.language.nouns import any_of, either, forms, singular
from graphtalk.language.nouns import words as nouns_of
from graphtalk.language.operators import OF_STORED, operator_words
from graphtalk.language.told.listing import HOLE
from graphtalk.reasoners.graph_agents.dependencies import may_be_turned
from graphtalk.reasoners.graph_agents.described import Described, Problem, with_isolated
from graphtalk.reasoners.graph_agents.losses import after_loss, without_loss
from graphtalk.reasoners.graph_agents.measures import check_one_unit, check_units_asked
from graphtalk.reasoners.graph_agents.mentions import NODE, Asking, asking
from graphtalk.reasoners.graph_agents.passages import bare
from graphtalk.reasoners.graph_agents.reading import ReadProblem, read
from graphtalk.reasoners.graph_agents.telling import is_goal
from graphtalk.reasoners.graph_agents.verbs import with_verbs_told
from graphtalk.reasoners.graph_agents.wanted import (
    comparison,
    denies,
    leaves_weights_aside,
    parameter,
    uses_number,
    wants,
)
from graphtalk.reasoners.graph_agents.ways import ways

_TASKS = resources.files("graphtalk.reasoners.graph_agents") / "words" / "tasks.toml"


@dataclass(frozen=True)
class _Cue:
    name: str
    needs: tuple[re.Pattern[str], ...]
    without: tuple[re.Pattern[str], ...]
    nodes: int
    most: int
    graph: str


@cache
def _cues() -> tuple[_Cue, ...]:
    return tuple(
        _Cue(
            row["name"],
            tuple(re.compile(pattern, re.S) for pattern in row["needs"]),
            tuple(re.compile(pattern) for pattern in row.get("not", ())),
            row.get("nodes", 0),
            row.get("most", 1_000),
            row.get("graph", ""),
        )
        for row in tomllib.loads(_TASKS.read_text("utf-8"))["task"]
    )


def task_names() -> tuple[str, ...]:
    """The names of all tasks."""
    return tuple(dict.fromkeys(cue.name for cue in _cues()))


def understand(text: str) -> Problem:
    """The problem that a text poses. Raises UsageError, quoting the place, where it poses none that can be read."""
    left, loss = without_loss(text)
    reading = read(left)
    if loss is not None and loss.is_of(reading.described):
        if beside := _NO_LONGER.search(left):
            raise UsageError(
                f"What is {beside[0]!r} after {loss.said!r} cannot be told here: ask before and after."
            )
        reading = replace(reading, described=after_loss(reading.described, loss))
    elif loss is not None:
        reading, loss = read(text), None
    problem = replace(posed(reading), text=text)
    if loss is not None and loss.name in problem.unknown:
        raise UsageError(f"The question is about {loss.name}, which {loss.said!r} leaves out.")
    if problem.described.weight is not None:
        check_one_unit(text[:_MEASURED])
    check_units_asked(text, reading.asked, needed=problem.task == "within_weight")
    return problem


_MEASURED = 50_000  # letters in which units are looked for: edges are told in one way


def posed(reading: ReadProblem) -> Problem:
    """The problem that a reading poses. Raises UsageError where no task is recognised or a node is missing."""
    before = _told(reading)
    if out := _OUT_OF_USE.search(before):
        raise UsageError(
            f"What is {out[0]!r} cannot be left out of the graph here: tell the edges that are left."
        )
    changed = next(
        (
            m
            for s in reading.left
            if not s.asks
            for m in (_TO_CHANGE.match(s.text), _changed_behind().search(s.text))
            if m is not None
        ),
        None,
    )
    start = next((s.text for s in reading.left if not s.asks and _STARTS.match(s.text)), "")
    condition = next(
        (
            s.text
            for s in reading.left
            if (not s.asks and _CONDITION.match(s.text) and s.text != start) or _CONDITIONAL.match(s.text)
        ),
        None,
    )
    if condition is not None:
        raise UsageError(f"A condition cannot be used here: {_short(condition)!r}.")
    if unsure := _UNSURE.search(" ".join(s.text for s in reading.left if not s.asks)):
        raise UsageError(f"What is there {unsure[0]!r} is not read here: tell what is there.")
    if changed is not None:
        raise UsageError(
            f"A graph is not changed here before it is asked about ({_short(changed.string)!r}): tell it as it is then."
        )
    reading = _with_story_nouns(_with_bridges(reading, before), before)
    described = reading.described
    last = next((sentence.text for sentence in reversed(reading.left) if sentence.asks), "")
    told = asking(" ".join(s.text for s in reading.left if not s.asks), described, strict=True)
    if start:
        last = f"{start}, {last}"
    elif _REFERS.search(last):
        last = reading.asked
    rest = " ".join(s.text for s in reading.left if s.asks or not _TELLS_EDGES.match(s.text))
    goals = " ".join(s.text for s in reading.left if not s.asks and is_goal(s.text))
    aims = " ".join(s.text for s in reading.left if not s.asks and _AIM.search(s.text))
    aiming = f"{aims} {last}" if aims else ""
    for words in (
        last,
        reading.asked,
        f"{goals} {reading.asked}" if goals else "",
        *(() if _SAYS_WHAT.match(bare(last)) else (rest, f"{reading.explained} {rest}")),
        aiming,
    ):
        asked = asking(bare(words), described)
        if not asked.nodes and not asked.unknown:
            asked = replace(asked, nodes=told.nodes, unknown=told.unknown if told.nodes else ())
        task = _task(asked, reading) if words.strip() else None
        plain = with_verbs_told(asked, before, described.directed)
        if plain is not asked and (task is None or (task == "degree" and described.directed)):
            asked, task = plain, _task(plain, reading)
        if (
            task in _TRUTHS
            and words not in (last, reading.asked)
            and _task(told, reading) == task
            and not _POINTS_BACK.search(last)
        ):
            continue  # said of the graph, and asked by nothing
        if task is not None and not (words == aiming and task in _COUNTS):
            break
    else:
        raise UsageError(
            f"The graph was read, but not what is asked of it: {_short(reading.asked or reading.rest)!r}."
        )
    if re.search(rf"\bthe edge {HOLE}|\bedge {NODE}[-–]", asked.words):
        raise UsageError(
            f"The question is about an edge, and was read as {task.replace('_', ' ')}: {_short(last)!r}."
        )
    if task.startswith("hamilton") and re.match(rf"\W*(?:is|are) {NODE}\W+{NODE}", asked.words):
        raise UsageError(f"Whether a path that is told is one cannot be asked here: {_short(last)!r}.")
    if when := _ANOTHER_TIME.search(last):
        raise UsageError(
            f"What the text tells is of now; the question asks of {when[0].strip()!r}: {_short(last)!r}."
        )
    if words == last:
        _check_alone(task, last, reading)
    way, asked = ways()[task], _with_nodes(task, asked, reading)
    question = words if words in (last, reading.asked) else reading.asked or words
    _check_other_problems(task, asked.words)
    wanted = wants(task, asked.words, reading.asked.lower())
    truth = task in _TRUTHS or wanted == "truth"
    denied = truth and task != "node_exists" and denies(task, asked.words)  # no Not stands around a query
    _check_used(task, asked, question, denied)
    _check_counted(task, asked.words)
    _check_numbers(task, asking(bare(last), described), described.num_nodes)
    _check_head(task, asked.words, described, reading.titles)
    if task == "any_spanning_tree" and (said := _MEASURES.search(asked.words)):
        raise UsageError(f"The question asks for {said[0]!r}, and no edge has a number: {_short(words)!r}.")
    if task in _IN_HOPS and described.weight is not None and not _HOPS.search(asked.words):
        raise UsageError(
            f"Edges have numbers here: say whether lengths are counted in edges: {_short(words)!r}."
        )
    if task in _OF_WEIGHTS and described.weight is None and (said := _COSTS.search(asked.words)):
        raise UsageError(f"The question asks for {said[0]!r}, and no edge has a number: {_short(words)!r}.")
    if task in _OF_WEIGHTS and (
        extra := next(filter(_EXTRA.search, (s.text for s in reading.left if not s.asks)), None)
    ):
        raise UsageError(f"An amount is told that is none of an edge: {_short(extra)!r}.")
    if task == "nodes_of_degree" and parameter(task, asked.words) is None:
        raise UsageError(f"Which degree is meant cannot be told: {_short(words)!r}.")
    beside = "\n".join(s.text for s in reading.left if not s.asks)
    if (
        task == "topological_order"
        and not described.quotes
        and (
            _AFTER_ITS_OWN.search(asked.words)
            or may_be_turned(reading.text, f"{reading.explained}\n{beside}")
        )
    ):
        raise UsageError(
            f"Whether edges lead to what comes before or behind is not said of the graph: {_short(words)!r}."
        )
    if words != last and not truth and _ASKS_IF.match(last):
        raise UsageError(
            f"The question asks for yes or no, and was read as {task.replace('_', ' ')}: {_short(last)!r}."
        )
    _check_kind(
        task,
        asked.words if words != aiming else asking(bare(last), described).words,
        question,
        truth,
    )
    if asked.unknown and not described.listed and described.numbered and way.isolated:
        described = with_isolated(described, asked.unknown, beyond=task in ("connectivity", "edge_exists"))
        asked = _with_nodes(task, asking(bare(words), described), replace(reading, described=described))
    if not described.directed and (described.certain or _joins_both_ways(before)):
        task = {"in_degree": "degree", "out_degree": "degree"}.get(task, task)  # such edges lead in and out
        way = ways()[task]
    if way.directed and not described.certain:
        described = replace(described, directed=True)
    nodes = _nodes_of(task, asked, described)
    return Problem(
        reading.text,
        described,
        task,
        nodes,
        wants(task, asked.words, reading.asked.lower()),
        denied,
        parameter(task, asked.words),
        comparison(asked.words),
        leaves_weights_aside(asked.words),
        reading.pattern,
        _short(last if words == aiming else words),
        asked.unknown,
    )


_COUNTS = frozenset({"node_count", "edge_count"})
_AIM = re.compile(  # "I want to invite as many people as possible, but no two who are friends. How many can come?"
    r"\b(?:want|wants|need|needs|must|may|can|cannot|should|would like|have to|has to)\b|n['’]t\b"
)
_NO_LONGER = re.compile(
    r"\b(?:no longer|any ?more|cut off|more|fewer|less|longer than|change\w*|affect\w*|differ\w*)\b", re.I
)
_POINTS_BACK = re.compile(r"\b(?:this|that|possible|so|true)\b", re.I)  # "Is this possible?"
_UNSURE = re.compile(
    r"\bwith (?:a )?(?:probability|chance)\b|\bprobabilit(?:y|ies) (?:of|is)\b|\b(?:perhaps|maybe|possibly)\b",
    re.I,
)
_ANOTHER_TIME = re.compile(
    r"\b(?:last|next) (?:day|week|month|year|night|time)\b|\b(?:yesterday|tomorrow|formerly|previously|likely|probably)\b|\bused to (?!get\b)|\bnext\W*$",
    re.I,
)
_CONDITION = re.compile(
    r"\W*(?:if(?! so\b| not\b| yes\b| no\b| possible\b| there\b| it exists\b| none\b| any\b| one exists\b)|when|once|after|suppose|assuming|unless|provided|imagine)\b",
    re.I,
)
_GOER = r"(?:[A-Z][\w.-]*|[a-z]?\d+|[a-z])"
_STARTS = re.compile(  # "If I spawn in the Cave, can I get to the Throne?"
    r"\W*(?:if|when|once|suppose) (?:i|we|you|one|somebody|someone|an? [a-z]+|the [a-z]+) (?:am|is|are|starts?|begins?|spawns?|stands?|lives?|lands?|wakes?|enters?)(?: [a-z]+)? (?:in|at|from|on)\b",
    re.I,
)
_CONDITIONAL = re.compile(  # "If Ada and Bo quarrel, can news still get from Ada to Ed?"
    rf"\W*(?:if|when|once|after|suppose|assuming|unless|provided)\b(?! (?:so|not|yes|no|possible|there|none|any|each|every|no|the (?:graph|network|edges?|weights?|directions?)|weights?|direction|edges)\b)"
    rf"(?! (?:i|we|you|one|he|she|they|somebody|someone|a [a-z]+|the [a-z]+|{_GOER}) (?:starts?|begins?|hears?|gets?|learns?|knows?|receives?|posts?|sends?|tells?|is|am|are|wants?|may|can|takes?|goes|go|walks?|travels?|ignores?|counts?|follows?|uses?|always|only)\b)"
    r"[^,?]{3,}, (?:can|could|is|are|does|do|will|would|how|what|which|who|in how|into how|to how|from how|whom|where)\b",
    re.I,
)
_SAYS_WHAT = re.compile(
    r"(?:who|whom|whose|which|how (?:many|much)|where|when|why)\b", re.I
)  # what is told is no part of that


def _check_alone(task: str, last: str, reading: ReadProblem) -> None:
    """Raise UsageError where another sentence asks for something else than the last one, which was to be answered."""
    for other in reading.left:
        asked = asking(bare(other.text), reading.described)
        heads = not asked.nodes and _OF_ANY.search(asked.words)
        found = _task(asked, reading) if other.asks and other.text not in last and not heads else None
        if found is not None and found != task:
            raise UsageError(
                f"Two things are asked for, {found.replace('_', ' ')} and {task.replace('_', ' ')}: {_short(other.text)!r}. Ask one of them."
            )


_OF_ANY = re.compile(r"\ban? (?:[a-z-]+ ){0,2}(?:node|graph|network)\b")  # a heading: "distances in a graph"


# A sentence that only says that the edges follow: nothing is asked by its words.
_TELLS_EDGES = re.compile(
    r"\W*(?:(?:the|there|here|following|all|is|are|its|this|these|given|(?:un)?directed|(?:un)?weighted|weights?|edges?|links?|arcs?|graph|network"
    rf"|of|with|a|an|has|have|in|as|list|connections?|nodes?|vertices|numbered|from|to|and|\d+)\b\W*)*{HOLE}?\W*$",
    re.I,
)
_BRIDGE = re.compile(r"\bbridge(s?)\b", re.I)
_DEFINES = re.compile(r"\bbridges? (?:is|are|means?)\b|\bcalled (?:a )?bridges?\b|\bbridge edges?\b", re.I)
_OUT_OF_USE = re.compile(
    r"\b(?:closed(?! (?:walk|circuit|tour|cycle|path|loop|trail))|blocked|blocks|removed|deleted|broken|failed|unavailable|cancell?ed|out of (?:order|service|use)|under (?:construction|repair))\b",
    re.I,
)
_TO_CHANGE = re.compile(  # "Suppose we also connect A and C.", "Double all weights."
    r"\W*(?:(?:now|then|next|but|and|also|suppose|imagine|assume|say|let us|let's|that|if|we|you|i|they|one|somebody|someone|may|can|could|were to) )*"
    r"(?:adds?|removes?|deletes?|drops?|doubles?|halves?|triples?|reverses?|swaps?|merges?|contracts?|replaces?|connects?|joins?|links?|inserts?|multipl(?:y|ies)|increases?|decreases?|"
    rf"shuts?|closes?|opens?|cuts?|blocks?) (?!with\b|between\b|among\b|\s*{HOLE})",
    re.I,
)


@cache
def _changed_behind() -> re.Pattern[str]:
    """A change told behind a graph: "given the graph …, delete edge 1-2"."""
    things = f"(?:{either('edges')}|{either('nodes')})"
    return re.compile(
        rf"[,;:]\s*(?:(?:and|then|now) )*(?:delete|remove|add|insert|drop|reverse|contract|merge|close|block)s? (?:(?:the|an?|all|every|each) )?{things}\b",
        re.I,
    )


_MEASURES = re.compile(r"\b(?:total|weights?|lengths?|costs?|cheapest|lightest)\b")
_EXTRA = re.compile(  # "every change takes another 5 minutes"
    rf"\b(?:every|each|another|extra|additional(?:ly)?|per|surcharge|fee|wait\w*|changes?|changing|transfers?|stops?|penalty|rest)\b[^.?!]*\d ?{either('units')}\b"
    rf"|\d ?{either('units')}\b[^.?!]*\b(?:every|each|another|extra|additional(?:ly)?|per|surcharge|wait\w*|penalty)\b",
    re.I,
)
_COSTS = re.compile(
    r"\b(?:costs?|cheap\w*|expensive|price\w*|fares?|fees?|tolls?|toll-free|euros?|dollars?|minutes?|hours?|kilomet\w+|km|miles?)\b"
)


def _with_bridges(reading: ReadProblem, told: str) -> ReadProblem:
    """The reading with edges for the bridges that its question asks about, where the text tells of bridges one can cross."""
    if not _BRIDGE.search(told) or _DEFINES.search(reading.text):
        return reading
    left = [replace(s, text=_BRIDGE.sub(r"edge\1", s.text)) if s.asks else s for s in reading.left]
    return replace(reading, left=tuple(left))


_HEADS = re.compile(  # before edges that are written with a sign
    r"(?:^|[.\n])\s*(?:The )?([A-Za-z]+s)(?: \([^)\n]*\))?:\s*(?:[-*•] )?(?:[(\[]|([\w.]+(?: [\w.]+)?)\s*(?:[-–—<>=→↔~]))",
    re.M,
)
_COUNTED = re.compile(
    r"\b(?:which|what|how many|each|every|all|any|other|another|of the) ([a-z]{3,})\b", re.I
)


def _with_story_nouns(reading: ReadProblem, told: str) -> ReadProblem:
    """The reading with `edge` and `node` in its questions for nouns that the text has for them, and no task knows.

    What stands before a list and a colon is what the list is of ("Synapses: n1-n2, n2-n3"); what the text tells of and its question
    counts or asks for are nodes ("Some wizards know each other … Which wizard …").
    """
    questions = [s for s in reading.left if s.asks]
    heads = {
        m[1].lower() for m in _HEADS.finditer(told) if m[2] is None or m[2] in reading.described.position
    }
    known = {word.lower() for word in re.findall(r"[A-Za-z]+", told)}
    asked = {m[1].lower() for s in questions for m in _COUNTED.finditer(s.text)}
    asked |= {
        word
        for s in questions
        for word in re.findall(r"[a-z]+", s.text)
        if word in heads or f"{word}s" in heads
    }
    names = {part for name in reading.described.names[:_MOST_NAMES] for part in name.lower().split()}
    called: dict[str, str] = {}
    for word in asked - names:
        one, many = forms(singular(word))
        if (
            known.isdisjoint((one, many))
            or _is_of_tasks(word)
            or {one, many} & {singular(t) for t in reading.titles}
        ):
            continue
        noun = "edge" if many in heads else "node" if _are_nodes(one, many, told) else ""
        if not noun:
            continue
        called |= {one: noun, many: f"{noun}s"}
    if not called:
        return reading
    nouns = re.compile(rf"\b{any_of(called)}\b", re.I)
    left = [
        replace(s, text=nouns.sub(lambda m: called[m[0].lower()], s.text)) if s.asks else s
        for s in reading.left
    ]
    return replace(reading, left=tuple(left))


def _are_nodes(one: str, many: str, told: str) -> bool:
    """Whether a text has a noun for what it names: "the mirror M1", "wizards who know each other", "dwarves called Dori and Nori"."""
    form = rf"\b(?i:{one} (?:(?=\d)|(?-i:(?=[A-Z\"])))|{many} (?:[a-z]+ ){{0,4}}?(?:each other|one another|named|called)\b)"
    return re.search(form, told) is not None


_MOST_NAMES = 10_000


@cache
def _is_of_tasks(word: str) -> bool:
    """Whether a word has a meaning of its own in questions: that of a task, a number, a unit, a measure, or no noun."""
    known = frozenset(re.findall(r"[a-z]{3,}", _TASKS.read_text("utf-8")))
    ends = range(3, len(word) + 1)
    return (
        any(word[:end] in known for end in ends if end > 3 or end >= len(word) - 1)
        or word in NUMBER_WORDS
        or any(word in nouns_of(kind) for kind in ("nodes", "edges", "weights", "units"))
    )


def _joins_both_ways(told: str) -> bool:
    """Whether a text calls its edges what leads both ways: "each line is a cable between two switches"."""
    return re.search(rf"\b{either('both_ways')}\b", told, re.I) is not None


def _told(reading: ReadProblem) -> str:
    """The text without its sentences that ask."""
    told = reading.text
    for sentence in reading.left:
        if sentence.asks:
            pieces = (re.escape(piece.strip()) for piece in sentence.text.split(HOLE))
            asked = r".*?".join(pieces)  # edges may stand in the question
            told = re.sub(asked, " ", told, flags=re.S)
    return told


def _check_other_problems(task: str, words: str) -> None:
    """Raise UsageError where a question has words of a problem for which there is no algorithm here."""
    of_none, but, of = _other_problems()
    patterns = [*(() if task in but else of_none), *([of[task]] if task in of else ())]
    found = next((m for pattern in patterns if (m := pattern.search(words))), None)
    if found is not None:
        raise UsageError(
            f"There is no algorithm for {found[found.lastindex or 0].strip()!r} here, and {task.replace('_', ' ')} is another problem: "
            f"{_short(words)!r}. A model may design one: --lm."
        )


@cache
def _other_problems() -> tuple[tuple[re.Pattern[str], ...], frozenset[str], Mapping[str, re.Pattern[str]]]:
    read = tomllib.loads(_TASKS.read_text("utf-8"))["other_problems"]
    of = {task: re.compile(pattern) for task, pattern in read["of"].items()}
    return tuple(map(re.compile, read["any"])), frozenset(read["but"].split()), of


def _check_used(task: str, asked: Asking, words: str, denied: bool) -> None:
    """Raise UsageError where a question has words that change its meaning, or names nodes, which its task does not use."""
    said = [word for word in operator_words(words) if word.kind not in OF_STORED]
    unused = [
        word.word
        for word in said
        if task not in _uses().get(word.kind, frozenset()) and not (denied and word.kind == "negation")
    ]
    changes = [] if task in _uses()["changes"] else [m[0] for m in _CHANGES.finditer(asked.words)]
    if unused or changes:
        raise UsageError(
            f"The question was read as {task.replace('_', ' ')}, which makes nothing of {(unused + changes)[0]!r}: {_short(words)!r}."
        )
    most = None if task in _ANY_NODES else ways()[task].nodes[1]
    if (
        task.startswith("hamilton")
        and asked.nodes
        and re.search(r"\b(?:start|begin|end|finish|from)\w*\b[^.?]*@", asked.words)
    ):
        raise UsageError(
            f"Where a {task.replace('_', ' ')} starts or ends cannot be asked for here: {_short(words)!r}."
        )
    if most is not None and len(asked.nodes) > most:
        raise UsageError(
            f"The question names {len(asked.nodes)} nodes; {task.replace('_', ' ')} is about {most or 'no one'}: {_short(words)!r}."
        )


_OF_WEIGHTS = frozenset(
    {"shortest_path", "spanning_tree", "any_spanning_tree", "maximum_flow", "distances", "longest_path"}
)
_IN_HOPS = frozenset({"hops_exactly", "hops_within"})
_HOPS = re.compile(r"\b(?:hops?|edges?|steps?|neighbou?r\w*|friends?)\b|-hop|second-degree")
_TRUTHS = frozenset(
    "isomorphic connectivity edge_exists node_exists connected strongly_connected cycle bipartite is_tree euler_path euler_circuit k_colourable subgraph".split()
)
_ASKS_FOR_THINGS = re.compile(
    r"^\W*(?:q\W+)?(?:(?:through|via|over|from|to|by|with|between|at|in|of) )?(?:which|whom?|whose|where|when|why|how (?:many|much|long|far|large|big|do i|do you|do we|can i|can we)|what(?:'s| is| are| (?:all )?(?:can|could|may|do|does|did))|list|name|give|count)\b|^\W*(?:show|find|compute|construct) (?:me )?(?:the|a|one|all|every|each) |\b(?:to|with|from|by|of) (?:whom\b|(?:which|what) nodes?\b)"
)
_AFTER_ITS_OWN = re.compile(
    r"\bafter (?:all |every\w*|each |what\w* |those |the )[^?.]*\b(?:it|they) (?:\w+ly )?(?!is|are|was|were|must|can)\w+"
)
_REFERS = re.compile(
    r"\b(?:it|its|they|them|their|he|she|him|his|her|(?:this|that|these|those) (?:node|one|two)s?)\b"
)
_ASKS_WHETHER = re.compile(
    r"\W*(?:q\W+)?(?:is|are|does|do|has|have)\b(?!.*\b(?:which|what|who|list|give|show|find|name|how|construct|output|print|provide|return)\b)"
)
_ASKS_IF = re.compile(
    r"\W*(?:is|are|was|does|do|did|has|have|can|could|will|would|may)\b(?!.*\b(?:which|what|who|list|give|show|find|name|how|tell|help|compute|calculate|determine|work out)\b)",
    re.I,
)
_YES_OR_NO = re.compile(
    r"^\W*(?:q\W+)?(?:is|are|does|do|did|can|could|has|have|will|would|may|must|verify|check|test|determine|decide|examine)\b|\?"
)
_ASKS_WHICH = re.compile(r"\W*(?:q\W+)?(?:which|who|how many)\b")


_COUNT_WORDS = frozenset(
    "a all and are altogether amount an answer any as be by can collection compute contain contains consist count determine do does edge edges "
    "exist exists find following for from full get give given graph graphs has have here how i in included including inside is it its "
    "just large big many me network number of on order out overall part please present q question report same say set size state tell "
    "tally that the there these this those to together total undirected directed up us use used we weighted what what's whats which whole "
    "with within your you node nodes quantity unique distinct different make makes need one list map graph's s entire exactly let know "
    "calculate calculating calculated evaluate measure task response instruction figure quantify enumerate ascertain identify specific check obtain adjacency lists matrix table csv json yaml below above shown pairs arcs lines points relationships people members entities places our comprise comprises structure data drawing picture connected path paths joined linked took take takes place happened occurred".split()
)


def _check_counted(task: str, words: str) -> None:
    """Raise UsageError where a question for the number of nodes or edges has words that such a question does not have."""
    if task in _COUNTS:
        other = next((word for word in re.findall(r"[a-z][a-z'-]+", words) if word not in _COUNT_WORDS), None)
        if other is not None:
            raise UsageError(
                f"The question was read as {task.replace('_', ' ')}, which makes nothing of {other!r}: {_short(words)!r}."
            )


_NUMBER = re.compile(
    rf"(?<![\w.@=-])(?:\d+(?:\.\d+)?(?!\w|-colou?r)|(?<!\bno )(?<!\bany )(?<!\bthe )(?<!\binto )(?:{'|'.join(NUMBER_WORDS[2:])})\b(?! adjacent))(?P<nodes>(?: [a-z]+)? (?:nodes|places|graphs|networks)\b)?"
)


def _check_numbers(task: str, asked: Asking, num_nodes: int) -> None:
    """Raise UsageError where a question has a number that is no node, and its task uses none: "reached within 4 hours".

    Two nodes are those of a pair, and as many as there are all of them.
    """
    if uses_number(task):
        return
    number = next(
        (
            m[0]
            for m in _NUMBER.finditer(asked.words)
            if m[0] not in asked.unknown
            and not (m["nodes"] and m[0].split()[0] in {"two", *_told_as(num_nodes)})
        ),
        None,
    )
    if number is not None:
        raise UsageError(
            f"The question was read as {task.replace('_', ' ')}, which makes nothing of the number {number}: {_short(asked.words)!r}."
        )


def _told_as(number: int) -> tuple[str, ...]:
    """How a number may be written."""
    return (str(number), *NUMBER_WORDS[number : number + 1])


_OF_VALUES = frozenset(
    "worst_neighbour neighbours_of_value sum_over_neighbours mean_over_neighbours best_neighbour most_over_neighbours least_over_neighbours triangle_sum graph_convolution".split()
)
_OF_DEGREES = frozenset("degree most_connected least_connected nodes_of_degree".split())
_ONE_WAY = re.compile(
    r"^\W*to (?:which|what)\b|\b(?:(?:point|lead|aim)\w* at|from|by|into|(?<!find )(?<!work )(?<!figure )out|incoming|outgoing|receiv\w+|sends?|(?:link|point|lead|refer|go|flow|fl(?:y|ies)|travel)\w* to|cit(?:e|es|ed)|follow\w*|call\w*|arriv\w+|depart\w*)\b"
)
_COUNTING_END = re.compile(rf"(?<!not )\bcounting {NODE}")
_NODES_ON = re.compile(r"\b(?:how many|number of) (?:other )?nodes\b(?! (?:away|apart|from))")


def _check_head(task: str, words: str, described: Described, titles: Collection[str]) -> None:
    """Raise UsageError where numbers at nodes, a direction, or what is counted stand in a question whose task does not use them."""
    said = next(
        (
            t
            for t in titles
            if task not in _OF_VALUES and re.search(rf"\b{re.escape(singular(t))}(?:e?s)?\b", words)
        ),
        None,
    )
    if said is None and task in _OF_DEGREES and described.directed:
        found = _ONE_WAY.search(words)
        said = found and found[0]
    if said is None and task in ("shortest_path", "hops") and not _COUNTING_END.search(words):
        found = _NODES_ON.search(words)
        said = found and found[0]
    if said is not None:
        raise UsageError(
            f"The question was read as {task.replace('_', ' ')}, which makes nothing of {said!r}: {_short(words)!r}."
        )


def _check_kind(task: str, words: str, question: str, truth: bool) -> None:
    """Raise UsageError where a question that is not for yes or no was read as one that is, or the other way round."""
    polite = re.match(r"\W*(?:q\W+)?(?:can|could|would|will) you (?!list|name|give|show)", question.lower())
    either = re.search(r"\b(?:whether|yes|or not|exist\w*|true)\b", words) or (
        " if " in words and not _ASKS_WHICH.match(words)
    )
    asks_for_things = any(map(_ASKS_FOR_THINGS.search, (words, bare(question).lower()))) or _ASKS_WHICH.match(
        bare(question).lower()
    )
    if truth and not polite and not either and asks_for_things:
        raise UsageError(
            f"The question asks for more than yes or no, and was read as {task.replace('_', ' ')}: {_short(words)!r}."
        )
    if truth and not (polite or either or _YES_OR_NO.search(words)):
        raise UsageError(
            f"The question is not for yes or no, and was read as {task.replace('_', ' ')}: {_short(words)!r}."
        )
    if not truth and _ASKS_WHETHER.match(words):
        raise UsageError(
            f"The question asks for yes or no, and was read as {task.replace('_', ' ')}: {_short(words)!r}."
        )


_CHANGES = re.compile(
    r"\b(?:remov\w*|delet\w*|added|adding(?! up)|(?:which|top|first|last) (?:two|three|four|five|\d+)(?= nodes)|clos(?:es|ing)\b|(?:is|are|was|were|be|gets?|got|station|@) (?:now |temporarily )?closed|shut\w*|(?:goes|go|going|went|is|were|are) (?:down|offline|out of)\b|(?:un|no longer )available|bypass\w*|without (?:using |passing |going through |visiting |touching )?(?:the )?@|blocked|fail(?:s|ed)?|breaks?|avoid\w*|revers\w*|contract\w*|twice|median|percent\w*|more (?!than\b)\w+ (?:[\w@]+ ){0,5}than|how (?:many|much) more|edges remain|complement|transposed?|line graph|(?:every|all|each) shortest paths?|(?:how many|number of) (?:\w+ )?(?:short|cheap|quick|fast)\w* paths"
    r"|(?:if|once|after|when|suppose|assuming) (?:node )?@ (?:(?!is\b|has\b|hears\b|learns\b|knows\b|gets (?:an?|the|some)\b|receives\b|posts\b|sends\b|tells\b|starts\b)\w+s|is \w+ed|were|was)|(?:through|via|using|with|over|by) (?:exactly|precisely|just)|if (?:i|we|you|one|they|somebody|someone) (?:may|might|can|could|were|was|am|are|is|had|adds?|build|builds|built|put|puts|all)\b|consecutive\w*)\b"
)
_ANY_NODES = frozenset(
    "hamilton hamilton_cycle matching graph_convolution subgraph topological_order".split()
)


@cache
def _uses() -> Mapping[str, frozenset[str]]:
    """For each kind of word that changes the meaning of a question, the tasks that use it."""
    names = frozenset(cue.name for cue in _cues())
    listed = tomllib.loads(_TASKS.read_text("utf-8"))["uses"]
    return {
        kind: names - frozenset(text[4:].split()) if text.startswith("not ") else frozenset(text.split())
        for kind, text in listed.items()
    }


def _task(asked: Asking, reading: ReadProblem) -> str | None:
    named = len(asked.nodes) + len(asked.unknown)
    has = _features(reading.described, reading)
    for cue in _cues():
        if cue.graph and not has[cue.graph]:
            continue
        if not cue.nodes <= named <= cue.most:
            continue
        if all(p.search(asked.words) for p in cue.needs) and not any(
            p.search(asked.words) for p in cue.without
        ):
            return cue.name
    return None


def _features(described: Described, reading: ReadProblem) -> Mapping[str, bool]:
    return {
        "embeddings": described.embeddings is not None,
        "pattern": reading.pattern is not None,
        "kinds": bool(described.kinds),
        "precedence": any(_PRECEDES.search(quote) for quote in list(described.quotes.values())[:1])
        or (described.directed and any(_MEANS_BEFORE.search(s.text) for s in reading.left if not s.asks))
        or (reading.needs and reading.described.directed)
        or _MEANS_BEFORE.search(reading.explained) is not None,
        "values": described.node_weight is not None,
        "plain": not described.kinds,
        "directed": described.directed,
        "undirected": not described.directed,
        "unweighted": described.weight is None,
        "weights": described.weight is not None or described.node_weight is not None,
    }


def _with_nodes(task: str, asked: Asking, reading: ReadProblem) -> Asking:
    """The same words with the nodes that other sentences name, where these name too few."""
    wanted = ways()[task].nodes[0]
    if len(asked.nodes) + len(asked.unknown) >= wanted:
        return asked
    for words in (reading.asked, reading.rest):
        wider = asking(words, reading.described)
        if len(wider.nodes) + len(wider.unknown) >= wanted:
            return replace(asked, nodes=wider.nodes, unknown=wider.unknown)
    return asked


def _nodes_of(task: str, asked: Asking, described: Described) -> tuple[int, ...]:
    if task == "node_exists":
        return asked.nodes[:1]
    least = ways()[task].nodes[0]
    if least:
        return asked.need(least, described, f"a {task.replace('_', ' ')} problem")
    return asked.nodes


_MEANS_BEFORE = re.compile(r"(?:\b(?:arrow|edge|line|pair|row|it)s?\b|->|→|[)\]])[^.?!\n]*\bbefore\b", re.I)
_PRECEDES = re.compile(r"\b(?:before|after|prerequisites?|depends?|requires?|needs|precedes?|required)\b")


def _short(text: str, most: int = 120) -> str:
    bare = " ".join(text.replace(NODE, " ").split())
    return bare if len(bare) <= most else f"{bare[:most]}…"
