"""Questions taken apart into questions that are read by themselves, so that whatever is read of one thing can be compared or nested.

- Two sides: "did we spend more on repairs in 2022 than in 2023" is how much that was in each.
- One of two: "who gets paid more, Ann or Bo" is who of these gets paid the most.
- Only: "who has only paid by card" is who has, but for who has paid otherwise.
- An average: "how many gigs does a band play on average" is the average of how many each band plays.
- A clause: "who reports to the person who runs Sales" is who reports to those that "who runs Sales" gives.

`composing` puts their readings together.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from graphtalk.graphs import Graph
from graphtalk.language.dictionary import verb_done, verb_of
from graphtalk.language.measures import adjectives, base_of
from graphtalk.language.nouns import is_plural, singular
from graphtalk.language.operators import operator_words
from graphtalk.reasoners.overlooked import NOUN_HAD, NOUN_OF
from graphtalk.reasoners.reader.linking import Linked
from graphtalk.reasoners.reader.shape import spoken

_AUX = "did|do|does|has|have|had|is|are|was|were|can|will"
_AT = "in|at|on|from|by|for|with|to|of|during|under|over|per|as|into|through"
_JOINED = rf"(?:,? (?:or|than) |,? or,? )(?:(?:{_AT}) )?(?:(?:{_AUX}) )?(?:the )?"
_TOGETHER = r"(?: (?:put together|together|combined|taken together|added together))"
_SIDES = (  # {0} to {2} are what is compared
    re.compile(rf"(?:by )?how (?P<many>many|much) (?P<more>more|fewer|less) (?P<rest>[^{{]*?(?:the )?)\{{0\}}(?P<tail>[^{{]*?),? than (?:(?:{_AT}) )?(?:(?:{_AUX}) )?(?:the )?\{{1\}}", re.I),
    re.compile(rf"(?P<aux>{_AUX}) (?P<pre>(?:[^{{]*\{{0\}})?[^{{]*?)\b(?P<more>more|fewer|less)\b ?(?P<mid>[^{{]*?(?:the )?(?:\{{0\}})?[^{{]*?){_JOINED}\{{1\}}(?: and (?:the )?\{{2\}}{_TOGETHER})?", re.I),
    re.compile(rf"(?P<be>is|are|was|were) (?P<who>(?:the )?\{{0\}}) (?P<adjective>\w+er|more \w+) than (?:the )?\{{1\}} and (?:the )?\{{2\}}{_TOGETHER}", re.I),
)  # fmt: skip
_WHICH = re.compile(
    r"(?P<who>who|which|what)(?: of (?:these|the) two)?(?: (?P<noun>[a-z][\w-]*))??(?P<is>['’]s)? (?P<said>[^{]*?)(?:,|:| -| –|\?)? (?:the )?\{0\},? or (?:the )?\{1\}",
    re.I,
)
_BETWEEN = re.compile(
    r"(?:(?:out )?of|between) (?:the )?\{0\} (?:and|or) (?:the )?\{1\},? (?P<who>who|which|what)(?: one)?(?: (?P<noun>[a-z][\w-]*))??(?P<is>['’]s)? (?P<said>[^{]*)",
    re.I,
)
_AVERAGED = re.compile(
    r"(?:which|who)(?: of (?:these|the) two)? are (?P<adjective>\w+er|more \w+) on average(?:,|:| -| –)? (?:the )?\{0\}(?P<s>e?s)?,? or (?:the )?\{1\}(?P=s)?",
    re.I,
)
_AT_TWO = re.compile(
    rf"(?:is|are|was|were) (?P<who>(?:the )?\{{0\}}) (?P<adjective>\w+er|more \w+|less \w+) (?P<at>{_AT}) (?:the )?\{{1\}},? or (?:(?P=at) )?(?:the )?\{{2\}}",
    re.I,
)
_APART = re.compile(
    r"(?:by )?how many years (?P<order>before|after) (?:the )?\{0\} (?P<aux>did|was|were) (?P<who>(?:the )?\{1\}) (?P<done>[a-z]+(?: [a-z]+)?)",
    re.I,
)
_MORE = re.compile(r"\b(?:an? |the )?(?:(?P<more>more|fewer|less)|(?P<comparative>[a-z]+er))\b", re.I)
_MOST = {"more": "most", "fewer": "fewest", "less": "least"}
_PRICED = ("cheap", "expensive", "dear", "costly", "pricey")
_NOUN = re.compile(rf"(?P<noun>(?:(?!(?:{_AT})\b|\{{)[\w'’-]+ ?)*)(?P<rest>.*)")


@dataclass(frozen=True)
class Sides:
    """A question taken apart: what is asked of each side, and of the second of several that are added up.

    `asks`: "whether" the first has more, "which" has, or the "gap" between them; `more`: or less. `names`: of each side, as the question has it,
    then as the graph does.
    """

    asks: str
    more: bool
    first: str
    second: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]

    def told(self, words: Sequence[str]) -> str:
        """The comparison in words, by how each side is told."""
        joint = {"gap": "minus", "whether": f"is {'above' if self.more else 'below'}", "which": "or"}[
            self.asks
        ]
        led = f"which is {'more' if self.more else 'less'}: " if self.asks == "which" else ""
        first, rest = words[0], " plus ".join(words[1:])
        if self.asks == "gap" and not self.more:
            first, rest = rest, first
        return f"{led}{first}, {joint}: {rest}"


@dataclass(frozen=True)
class OfTwo:
    """The superlative that a question asks of two nodes alone, with their type and names."""

    question: str
    type: str
    names: tuple[str, str]


def sides(question: str, values: Sequence[Linked]) -> Iterator[Sides]:
    """The question as one of each side."""
    for template, parts in _templates(question, values):
        for form in _SIDES:
            said = form.fullmatch(template)
            asked = _of_side(said) if said else None
            if (
                said is None
                or asked is None
                or (said.groupdict().get("aux") and len(parts) == 3 and " or " in said[0])
            ):
                continue
            texts = [question[v.start : v.end] for v in parts]
            each = tuple(asked.replace("{0}", text) for text in texts)
            asks = (
                "gap"
                if "many" in said.groupdict()
                else "which"
                if re.search(r",? or\b[^{]*\{1\}", template)
                else "whether"
            )
            more = (said.groupdict().get("more") or "more").lower() == "more"
            names = tuple(
                (text, *(t for _, found in v.found for t in found))
                for text, v in zip(texts, parts, strict=True)
            )
            yield Sides(asks, more, f"{each[0]}?", tuple(f"{e}?" for e in each[1:]), names)
        yield from _either(question, template, parts)


def _either(question: str, template: str, parts: Sequence[Linked]) -> Iterator[Sides]:
    """Two of which each is asked of alone: "who brought in more money, A or B", "which are heavier on average, the As or the Bs", "is A
    cheaper at B or at C", "how many years before A did B form".
    """
    texts = [question[v.start : v.end] for v in parts]
    names = tuple(
        (text, *(t for _, found in v.found for t in found)) for text, v in zip(texts, parts, strict=True)
    )
    if any(not v.found or v.kind in ("date", "number") for v in parts):
        return
    said = _APART.fullmatch(template) if len(parts) == 2 else None
    if said is not None:  # "how many years before A did B form" is from B's to A's
        back = -1 if said["order"].lower() == "after" else 1
        last, (first,) = _each(f"When {said['aux']} {{}} {said['done']}?", texts[::back])
        yield Sides("gap", True, last, (first,), names[::back])
    said = _WHICH.fullmatch(template) if len(parts) == 2 else None
    if said is not None and (asked := _deed_of(said)):
        yield Sides("which", asked[1], *_each(asked[0], texts), names)
    said = _AVERAGED.fullmatch(template) if len(parts) == 2 else None
    if said is not None and (measured := _measured(said["adjective"])):
        yield Sides(
            "which",
            measured[1],
            *_each(f"How {measured[0]} are the {{}}{said['s'] or ''} on average?", texts),
            names,
        )
    said = _AT_TWO.fullmatch(template) if len(parts) == 3 else None
    if said is not None and (measured := _measured(said["adjective"])):
        who = said["who"].replace("{0}", texts[0])
        asked_at = f"How {measured[0]} is {who} {said['at']} {{}}?"
        if measured[0] in _PRICED:
            asked_at = f"What is the price of {who} {said['at']} {{}}?"
        yield Sides("which", measured[1], *_each(asked_at, texts[1:]), names[1:])


def _each(asked: str, texts: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    first, *others = (asked.replace("{}", text) for text in texts)
    return first, tuple(others)


def _measured(said: str) -> tuple[str, bool] | None:
    """The adjective of a comparative, or what is priced, and whether its more is the higher number."""
    less = said.lower().startswith("less ")
    adjective = re.sub(r"^(?:more|less) ", "", said.lower())
    base = base_of(adjective)
    known = adjectives().get(base)
    if known is None or (base == adjective and " " not in said):
        return None
    ways = {up for _, up in known.features}
    return (base, (True in ways) != less) if len(ways) == 1 else None


def _deed_of(said: re.Match[str]) -> tuple[str, bool] | None:
    """What is asked of either side of "who brought in more lesson money", and whether more or less of it."""
    found = re.fullmatch(
        rf"(?:(?P<have>has|have|had) )?(?P<verb>[a-z]+(?: (?:in|up|out|off))?) (?P<more>more|fewer|less)(?P<rest> (?!(?:{_AT})\b).*?)??(?P<tail> (?:{_AT}) .+)?",
        said["said"].strip(),
        re.I,
    )
    if found is None or said["is"] or said["noun"]:
        return None
    verb, rest, tail = found["verb"].lower(), (found["rest"] or "").strip(), found["tail"] or ""
    first, _, particle = verb.partition(" ")
    many = "many" if rest and is_plural(rest.partition(" ")[0]) else "much"
    if found["have"]:
        asked = f"How {many} {rest} has {{}} {verb} {tail}?"
    elif base := verb_done(first):
        asked = f"How {many} {rest} did {{}} {base} {particle} {tail}?"
    elif base := verb_of(first):
        asked = f"How {many} {rest} does {{}} {base} {particle} {tail}?"
    else:
        return None
    return " ".join(asked.split()).replace(" ?", "?"), found["more"].lower() == "more"


def _of_side(said: re.Match[str]) -> str | None:
    """What is asked of the side that {0} stands for."""
    part = said.groupdict()
    if "many" in part:
        return f"How {part['many']} {part['rest']}{{0}}{part['tail']}".strip()
    if "adjective" in part:
        adjective = part["adjective"].removeprefix("more ")
        return (
            f"How {base_of(adjective)} {part['be']} {part['who']}"
            if base_of(adjective) != adjective or " " in part["adjective"]
            else None
        )
    whole = f"{part['pre']}{part['mid']}"
    if whole.count("{0}") != 1 or re.search(r"\b(?:than|or|not|n't|never)\b", whole):
        return None
    noun = _NOUN.match(part["mid"])
    assert noun is not None
    nouns, rest = noun["noun"].strip(), noun["rest"]
    many = "many" if nouns and is_plural(nouns.rpartition(" ")[2]) else "much"
    return " ".join(f"How {many} {nouns} {part['aux'].lower()} {part['pre']} {rest}".split())


def of_two(question: str, values: Sequence[Linked], graph: Graph) -> Iterator[OfTwo]:
    """The question for the superlative of two named nodes of a type: "who gives more milk, A or B" as "which cow gives the most milk"."""
    for template, parts in _templates(question, values):
        said = (_WHICH.fullmatch(template) or _BETWEEN.fullmatch(template)) if len(parts) == 2 else None
        owners = [_named(v, graph) for v in parts] if said else []
        for node_type in {t for t, _ in owners[0]} & {t for t, _ in owners[1]} if owners else ():
            asked = _superlative(said["said"]) if said else ""
            if said and asked:
                noun = said["noun"] or singular(spoken(node_type))
                be = " is" if said["is"] else ""
                one, other = (dict(own)[node_type] for own in owners)
                yield OfTwo(f"Which {noun}{be} {asked}?", node_type, (one, other))


def _named(value: Linked, graph: Graph) -> list[tuple[str, str]]:
    """The types whose nodes a value names, each with the name as it is written there."""
    labels = {f"P:{t.name}.{t.label}": t.name for t in graph.schema.node_types if t.label}
    return [(labels[owner], texts[0]) for owner, texts in value.found if owner in labels and len(texts) == 1]


def _superlative(said: str) -> str:
    """The predicate with its one comparative as a superlative; nothing where it has none or several."""
    found = [
        m
        for m in _MORE.finditer(said)
        if m["more"] or base_of(m["comparative"].lower()) != m["comparative"].lower()
    ]
    if len(found) != 1 or re.search(r"\bthan\b", said):
        return ""
    m = found[0]
    most = _MOST[m["more"].lower()] if m["more"] else f"{m['comparative'][:-2]}est"
    return f"{said[: m.start()]}the {most}{said[m.end() :]}".strip()


def _templates(question: str, values: Sequence[Linked]) -> Iterator[tuple[str, list[Linked]]]:
    """The question with its last two or three values as {0}, {1} and {2}."""
    text = question.rstrip(" ?.!")
    known = [v for v in values if v.found or v.kind in ("date", "number")]
    longest = [
        v
        for v in known
        if not any(o.start <= v.start and v.end <= o.end and o.end - o.start > v.end - v.start for o in known)
    ]
    parts = sorted(
        {(v.start, v.end): v for v in longest if v.end <= len(text)}.values(), key=lambda v: v.start
    )
    for number in (3, 2):
        chosen = parts[-number:]
        if len(chosen) == number:
            template = text
            for i, v in reversed(list(enumerate(chosen))):
                template = f"{template[: v.start]}{{{i}}}{template[v.end :]}"
            yield template.strip(), chosen


@dataclass(frozen=True)
class OnlyOf:
    """A question without its "only", and the value that alone is meant, as the question and as the graph have it."""

    question: str
    names: tuple[str, ...]


_ONLY = re.compile(r"\b(?<!the )(?<!an )(?:only(?: ever)?|exclusively|solely|nothing but) (?=\w)", re.I)


def only_of(question: str, values: Sequence[Linked]) -> OnlyOf | None:
    """ "Who has only ever paid by card": who has paid by card, and by nothing else."""
    said = list(_ONLY.finditer(question))
    after = [v for v in values if said and v.start >= said[0].end()]
    first = min(after, key=lambda v: (v.start, -v.end), default=None)
    if len(said) != 1 or first is None or not first.found or first.kind in ("number", "date"):
        return None
    if any(word in ("and", "or") for word in question[said[0].end() :].lower().split()):
        return None  # only this, or that
    if any(word.kind == "negation" for word in operator_words(question)):
        return None  # not only this
    spelled = (question[first.start : first.end], *(t for _, texts in first.found for t in texts))
    return OnlyOf(f"{question[: said[0].start()]}{question[said[0].end() :]}", spelled)


@dataclass(frozen=True)
class Nested:
    """A question about what a part of it describes, "who reports to (the person who runs Sales)", and what that part asks for by itself."""

    before: str
    inner: str
    after: str = ""

    def of(self, name: str) -> str:
        """The question about one node by its name."""
        return f"{self.before}{name}{self.after.rstrip(' ?.')}?"


@dataclass(frozen=True)
class Averaged:
    """A question for the average of a type, "how many gigs does a band play on average", as one about a node: what stands before and behind it."""

    type: str
    before: str
    after: str

    def of(self, name: str) -> str:
        """The question about one node by its name."""
        return f"{self.before}{name}{self.after}?"


_ON_AVERAGE = re.compile(r",? ?\bon average\b,? ?", re.I)


def averaged(question: str, types: Mapping[str, str]) -> Averaged | None:
    """The question of any one of a type, where it asks for their average; `types`: by their nouns, in the singular."""
    text = _ON_AVERAGE.sub(" ", question.rstrip(" ?.!")).strip()
    if text == question.rstrip(" ?.!") or not text.lower().startswith("how "):
        return None
    nouns = "|".join(map(re.escape, sorted(types, key=len, reverse=True)))
    said = list(
        re.finditer(
            rf"\b(?:an?|each|every|the average|a typical) (?P<noun>{nouns})(?P<next> \w+|$)", text, re.I
        )
    )
    after = said[0]["next"].strip().lower() if len(said) == 1 else ""
    # What more is said of it, as of "a band from York", is true of that one alone.
    if len(said) != 1 or re.fullmatch(rf"{_AT}|that|who|which|whose|and|or|without", after):
        return None
    end = said[0].end("noun")
    return Averaged(types[said[0]["noun"].lower()], f"{text[: said[0].start()]}", text[end:])


_SOMEBODY = "person|people|one|somebody|someone|anybody|anyone|those"
_DESCRIBED = re.compile(
    rf"^(?P<before>\W*\w+ .*?\b)(?P<article>the |any |some |an? )?(?P<noun>{_SOMEBODY}|[a-z][\w-]+) (?P<who>who|that|which|whose|(?=[a-z]+ing\b))(?P<rest>.+?)[?. ]*$",
    re.I,
)
_HELPED = re.compile(rf"\b(?:{_AUX}|could|would|should|may)\s*$", re.I)
_OF_SEVERAL = re.compile(r"\b(?:all|every|each|both|others?|same|together)\b", re.I)
_ONLY_ASKS = re.compile(
    r"\W*(?:(?:which|what|who|list|show|name|find|give|how|many|all|the|me|is|are|was|were|of)\b\W*)*", re.I
)


def nested(question: str, types: Collection[str], values: Sequence[Linked]) -> Iterator[Nested]:
    """The question with its last clause, or what it says a name has, as a question of its own. `types`: the nouns of types, in the singular."""
    for found in (_clause(question, types), *_of_names(question, values)):
        if found is None or (_ONLY_ASKS.fullmatch(found.before) and not found.after.strip(" ?.")):
            continue
        if _OF_SEVERAL.search(question):
            continue  # what is true of all of them is more than what is true of one
        if all(word.kind == "count" for word in operator_words(f"{found.before} {found.after}")):
            yield found  # of several, what is denied or the most of is another's


def _clause(question: str, types: Collection[str]) -> Nested | None:
    """ "The person who runs Sales", where it ends the question."""
    said = _DESCRIBED.match(question)
    # Before "does the clerk who ..." the verb of the question is yet to come, and would be taken for the clause's.
    if said is None or _HELPED.search(said["before"]) or _ONLY_ASKS.fullmatch(said["before"]):
        return None
    noun = singular(said["noun"].lower())
    if (said["article"] or "").lower() in ("a ", "an ") and is_plural(said["noun"]):
        return None  # "the grade A instructors who ..."
    if noun not in types and noun not in _SOMEBODY.split("|"):
        return None
    asked = f"Which {said['noun']}" if noun in types else "Who"
    link = {"": " is", "whose": " whose"}.get(said["who"].lower(), "")
    return Nested(said["before"], f"{asked}{link} {said['rest'].strip()}?")


def _of_names(question: str, values: Sequence[Linked]) -> Iterator[Nested]:
    """ "Edda's pupils", "the offspring of Marigold", with more said of these."""
    for v in values:
        if not v.found or v.kind == "number":
            continue
        owned, of = NOUN_HAD.match(question, v.end), NOUN_OF.search(question, 0, v.start)
        if owned:
            told = question[v.start : owned.end()]
            yield Nested(question[: v.start], f"{_who(owned['noun'])} {told}?", question[owned.end() :])
        elif of:
            told = question[of.start() : v.end]
            yield Nested(question[: of.start()], f"{_who(of['noun'])} {told}?", question[v.end :])


def _who(noun: str) -> str:
    return f"Who {'are' if is_plural(noun) else 'is'}"
