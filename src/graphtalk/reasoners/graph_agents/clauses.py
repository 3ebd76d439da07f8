"""Edges that are told in sentences: "an edge from node 0 to node 1 with capacity 5", "A is connected to B and C"."""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import Literal

from graphtalk.core import UsageError
from graphtalk.core.limits import look
from graphtalk.language.nouns import CAPITAL, ID, NUMBER, either, named, relations, singular, words

Way = Literal["both", "forward", "backward"]

_SHOWN = 120  # letters of a sentence that a message quotes
_REACH = 100  # letters behind a list in which a verb ends that follows it
_NOT_NAMES = frozenset(
    "The An In Each Every Given There Note Is Are Can Find What Which How If It Its And Or This These Every Some All Graph "
    "Suppose Consider Imagine Assume Let Here Additionally Also Then Next Finally Moreover Two Edge Edges Road Roads Node Nodes "
    "Between From To You We I He She They Their One Directed Undirected No Not Nobody Any Only Furthermore Meanwhile "
    "Determine Identify Compute Calculate Yes Nothing Nobody None Neither Both Other Others Everybody Everyone Everything Somebody Someone Something Anybody Anyone".split()
)


class Unread(UsageError):
    """A sentence tells of edges that cannot be read; `why` stands behind its first words."""

    def __init__(self, sentence: str, why: str) -> None:
        text = " ".join(sentence.split())
        super().__init__(f"{text if len(text) <= _SHOWN else f'{text[:_SHOWN]}…'!r} {why}.")


@dataclass(frozen=True)
class ToldEdge:
    """An edge as a sentence tells it. `sourced` and `targeted` are the nouns before the ends: `applicant`, `job`."""

    source: str
    target: str
    way: Way
    weight: float | None
    sourced: str
    targeted: str
    noun: str
    quote: str


@dataclass(frozen=True)
class _Grammar:
    relation: re.Pattern[str]
    listed: re.Pattern[str]
    verb: re.Pattern[str]
    both: re.Pattern[str]
    backward: re.Pattern[str]
    between: re.Pattern[str]
    joined: re.Pattern[str]
    end: re.Pattern[str]
    value: re.Pattern[str]
    noun: re.Pattern[str]
    opening: re.Pattern[str]
    pair: re.Pattern[str]


_DENIES = re.compile(
    r"\W*(?:but |and |however,? |note that |also,? )*there(?:'s| is| are| exists?| was| were) (?:no|not an?|not any)\b",
    re.I,
)
_STILL_TELLS = re.compile(r"\b(?:but|while|whereas|although|though|only|except|other than)\b|;|,", re.I)
_CUT_BEFORE = re.compile(
    rf"(?<!\b[IiAa]n )(?<!\b[Aa]t )(?<!\b[Ff]or )(?P<id>{ID})(?:,| and|, and| as well as) $"
)
_CUT_BEHIND = re.compile(
    rf"(?:,? (?:and|as well as|plus|&)|,) (?:also |to |with |the )*(?P<id>(?:{either('nodes')} )?{ID})"
)
_BETWEEN = re.compile(r"\b(?:between|from|connect\w*|join\w*|link\w*) (?:the )?(?:\w+ )?$")
_END = rf"(?:{either('nodes')} )?{ID}"
_POSSESSED = re.compile(  # "Lea's friends are Sven and Petra"
    r"(?<=\w)['’]s? (?:(?:direct|immediate|close|best|only) )?(?:friends?|neighbou?rs?|colleagues?|contacts?|connections|partners?|acquaintances) (?:is|are|include)\b"
)
_AT_TIMES = re.compile(
    r"\b(?:only (?:when|if|on|in|at|during|after|before)|unless|as long as|except (?:when|on|in|at)|whenever|provided that|on (?:mon|tues|wednes|thurs|fri|satur|sun)days?|on weekends?)\b(?! (?:that|which|starting|beginning|taking)\b)",
    re.I,
)
_SUPPOSES = re.compile(r"\W*(?:if|when|once|after|suppose|assuming|unless)\b", re.I)
_EACH_OTHER = re.compile(  # "T1 and T2 interfere"
    rf"(?P<one>{_END}) (?:and|&) (?P<other>{_END}) (?:also )?(?:interfere|conflict|clash|overlap|fight|react|compete|collaborate|cooperate|trade|communicate|interact|argue|quarrel|correspond|touch|meet|met|play|work|dance)(?: with (?:each other|one another)| together| each other| one another)?(?=\s*[.,;]|\s*$)"
)
_CLASH = re.compile(  # what two things may not do together joins them
    r"\b(?:does not|doesn['’]t|do not|don['’]t|cannot|can['’]t|must not|may not|should not) (?:get (?:along|on)|sit|work|be (?:seated|placed|put|stored|kept|together)) (?:with|next to|beside|near)\b"
)
_ADVERB = re.compile(r" also(?= )|,? (?:too|as well)(?=\s*[,;.]|\s*$)")
# A node can be read in one way only, or a list of n nodes without a verb would be tried in 2^n ways.
_NODE = rf"(?:the |an? )?(?:(?!(?:the|an?|also|and|or) )[a-z]+ ){{0,2}}?{ID}"
_PAREN = r"(?:\s*\([^()\n]{0,40}\)|\s*\[[^\[\]\n]{0,40}\]| with (?:an? )?[a-z]+ (?:of )?[\d.]*\d)?"
_VERBS_NEXT = r"(?! (?:is|are|was|were|has|have|must|should|before|after|needs?|knows?|follows?|links?|points?|connects?|joins?|leads?|borders?|wants?|depends?|requires?|likes?|can|may|goes|comes|precedes?|cites?|to|[a-z]+s (?:(?:to|on|with|from|into|for|next)\b|(?=[A-Z]))|and [A-Z]\w* (?:are|is))\b)"
_RESPECTIVELY = re.compile(r"\brespectively\b", re.I)
_VALUE = rf"(?P<value>{NUMBER} ?{either('units')})\b"
_APART = (  # "Oslo is 460 km from Bergen", "Bergen and Voss are 90 km apart", "Voss and Oslo 370 km"
    re.compile(
        rf"(?!(?:It|This|That|There) )(?P<one>{_END}) (?:is|lies) (?:about )?{_VALUE} (?:away )?from (?:the )?(?P<other>{_END})"
    ),
    re.compile(rf"(?P<one>{_END}) and (?:the )?(?P<other>{_END})(?:,| are| lie| is)? {_VALUE}(?: apart)?"),
)
_AWAY = re.compile(  # "From A water can flow to B" as "water can flow from A to B"
    rf"\bfrom (?:the )?(?P<one>{_END}),? (?P<said>(?!to |and |or |with |via )[a-z]+(?: (?!to |into |and |or |from |via )[a-z]+){{0,4}}) (?P<to>(?:in)?to) (?:the )?(?P<other>{_END})"
)
_DENIED = re.compile(r"\b(?:not(?! only)|never|no longer|neither|nor|except|other than)\b|n['’]t\b", re.I)
_UNTIL = re.compile(
    r"(?:can ?not|can['’]t|(?:may|must|could|should|will) not|won['’]t) (?:[a-z]+ ){1,3}?(?:until|till|unless|before)\b"
)
_FATE = re.compile(  # "the road between A and B was washed away"
    r"\s*(?:later |now |then |since |also )*(?:is|are|was|were|has|have|had|will|got|gets|became|broke|fell|failed|collapsed|closed)\b(?! (?:also )?(?:open|there|passable|usable|available|direct|present|two-way|one-way|(?:un|bi-?)?directed|bidirectional)\b)[^,;]*"
)
_OR = re.compile(r"\bor\b")
_MAY = re.compile(
    r" ?(?:can|could|may|might|would|will|wants?|prefers?|appl\w+|desires|chooses|is|are|has|have)\b"
)
_THING = re.compile(r"\s*the ([a-z]{3,})\W*$")
_PAIR_LEFT = re.compile(
    rf"(?:(?P<noun>[a-z]+) )?(?P<one>{ID}),? (?:and|to|with) (?(noun)(?P=noun) )(?P<other>{ID})"
)
_BETWEEN_TWO = re.compile(rf"\bbetween {_END} and {_END}\b")
_WORDS_OF_NAME = rf"[{CAPITAL}][\w'’]*(?: [{CAPITAL}][\w'’]*)*"
_NEXT_TWO = re.compile(  # "a cable between A and B would cost 5, A and C 8, and B and C 2"
    rf"(?<=[\d,;a-z€$] )(?P<one>{_WORDS_OF_NAME}) and (?P<other>{_WORDS_OF_NAME}) (?=[€$£]?{NUMBER}\b)"
)
_ELLIPSIS = re.compile(
    rf"(?P<before>,? and |, )(?P<one>(?:(?!and |from |to |with )[a-z]+ )?{ID}) (?P<to>to|with) (?P<other>(?:[a-z]+ )?{ID})(?=\s*(?:[,;.:(]|and\b|$))"
)
_LEFT = rf"{_NODE}{_PAREN}(?:(?:,? and |,? or | & |,? as well as |, ){_NODE}(?![\w'’]){_PAREN}){{0,30}}"


@cache
def _grammar() -> _Grammar:
    verbs = relations()
    every = [*verbs["both_ways"], *verbs["backward"], *verbs["forward"]]
    united = "|".join(every)
    verbs_next = rf"{_VERBS_NEXT}(?! (?:{united}))"  # "A follows B and C follows D"
    listed = rf"{_NODE}{_PAREN}(?:(?:,? and |,? or | & |,? as well as |, )(?:also )?{_NODE}(?![\w'’]){verbs_next}{_PAREN})*"
    weights, units = either("weights"), either("units")
    value = (
        rf"\b{weights}\s*(?:is|are|was|of|=|:|equal to|to be)*\s*({NUMBER})"
        rf"|({NUMBER})(?:\s*|-){units}\b"
        rf"|\b(?:takes?|costs?|spans?|carr(?:y|ies)|handles?|holds?|measures?|lasts?|weighs?|allows?|(?:at|up to)(?: most)?|is|of|supports?)\s+"
        rf"(?:about |exactly |only |up to |at most |a maximum of )*({NUMBER})\b"
        rf"|[(\[]\s*({NUMBER})\s*[a-z]*\s*[)\]]|[:=]\s*({NUMBER})\b"
    )
    joined = (
        rf"(?<![\w'])(?P<among>(?!(?:[a-z]+ )?(?:{weights}|of|at|is) \d|\d+, \D){_NODE}(?:, {_NODE}){{0,8}}(?:,? and |, | & ){_NODE}) (?:are|were|is|have been|both|share|have|know|became|remain) "
        r"(?P<how>(?:both |all |each |also |directly |mutual(?:ly)? |close |good |best |an? |immediate )*)"
        r"(?:connected|linked|joined|adjacent|friends?|neighbou?rs?|tied|wired|related|acquainted|colleagues|partners|"
        r"each other|edge|border|siblings|paired|attached|coauthors|connection|link|road|collaborators)\b"
        r"(?P<each> (?:with|to|of) (?:each other|one another)| pairwise| mutually)?(?! (?:directly )?(?:to|with|of) )"
    )
    return _Grammar(
        re.compile(
            rf"(?<![\w'])(?P<left>{_LEFT})(?:,| also| then| both| each| only)* (?P<verb>{united})(?!(?<=[a-z])[a-z])\s*(?:[:]\s*)?(?P<right>{listed})"
        ),
        re.compile(rf"(?<![\w']){listed}"),
        re.compile(rf"(?<= )(?:{united})"),
        re.compile("|".join(verbs["both_ways"])),
        re.compile("|".join(verbs["backward"])),
        re.compile(
            rf"\b(?P<kind>between|from|connects|connect|connecting|joins?|joining|links|linking|joining up) (?!to |with )"
            rf"(?P<left>{_NODE})(?:,? (?P<word>and|to|with|into|towards|->) )(?P<right>{_NODE})(?P<more>(?:[,;](?: and)? {_NODE} and {_NODE}{verbs_next})*)"
        ),
        re.compile(joined),
        re.compile(rf"(?:(?P<noun>[a-z]+) )?(?P<id>{ID})(?P<tail>{_PAREN})"),
        re.compile(value),
        re.compile(rf"\b{either('edges')}\b"),
        re.compile(
            rf"\b(?i:{either('nodes')}) (?=[a-z]\d*\b)|^(?:Between|From)\b"
        ),  # "Team a": a noun, and no name of two words
        re.compile(rf"({_NODE}) and ({_NODE})"),
    )


_OF_OTHERS = re.compile(r"[A-Z][\w-]* (?:is|are|was|and|has|[a-z]+s)\b")  # "Xena is only friends with Yves"


def may_tell(sentence: str, names: Collection[str]) -> bool:
    """Whether a sentence has a verb that joins nodes, and two names, or one of theirs and a thing."""
    verb = _grammar().verb.search(sentence)
    if verb is None:
        return False
    found = {named(m[0])[1] for m in re.finditer(ID, sentence)} - _NOT_NAMES
    thing = _THING.match(sentence, verb.end())
    if (
        thing
        and thing[1] not in words("edges")
        and {named(m[0])[1] for m in re.finditer(ID, sentence[: verb.start()])}.intersection(names)
    ):
        return True  # "the Glaze comes before the packing"
    told = bool(found.intersection(names)) or _OF_OTHERS.match(sentence) is not None
    return told and len([name for name in found if name[0].isupper() or name in names]) > 1


@dataclass(frozen=True)
class Alone:
    """Nodes that a sentence says are without edges: of any kind, or only leading `out` of them or `in`."""

    names: tuple[str, ...]
    way: Literal["any", "out", "in"]


def told_alone(sentence: str) -> Alone | None:
    """The nodes that a sentence says have no edges; None where it says that of none, or names others too.

    >>> told_alone("Mona and Hugo have no friends here yet.")
    Alone(names=('Mona', 'Hugo'), way='any')
    """
    m = _alone().match(sentence)
    if m is None and (nobody := _NOBODY.match(sentence)):
        return _left_alone(sentence, nobody["said"])
    if m is None or not (denied := _lacks().search(m["said"])):
        return None
    if _EXCEPT.search(m["said"], denied.end()):
        raise Unread(sentence, "tells of edges and denies some; tell them in sentences of their own")
    if any(named(other)[1] not in _NOT_NAMES for other in re.findall(ID, m["said"])) or _STILL.search(
        m["said"], denied.end()
    ):
        return None
    names = tuple(name for name, _, _ in _ends(_grammar(), m["names"]) if name not in ("A", "I", "a"))
    way: Literal["any", "out", "in"] = (
        "out" if _OUT.search(m["said"]) else "in" if _IN.search(m["said"]) else "any"
    )
    return Alone(names, way) if names else None


def _left_alone(sentence: str, said: str) -> Alone | None:
    """The node that is named where it is said that nobody or no edge leads there: "No road leads to Eaton"."""
    names = [n for _, n in map(named, re.findall(ID, said)) if n not in _NOT_NAMES and n not in ("I", "a")]
    if len(names) != 1 or not (_grammar().verb.search(said) or _grammar().noun.search(sentence)):
        return None
    if _EXCEPT.search(said) or _STILL.search(said):
        raise Unread(sentence, "tells of edges and denies some; tell them in sentences of their own")
    way: Literal["any", "out", "in"] = (
        "out"
        if re.search(r"\b(?:from|leav\w+)\b", said)
        else "in"
        if re.search(r"\b(?:to|into|follows|cites|calls|reach\w*)\b", said)
        else "any"
    )
    return Alone((names[0],), way)


_NOBODY = re.compile(
    r"\W*(?:(?:But|And|Also),? )?(?:Nobody|No one|Nothing|None|No [a-z]+|There (?:is|are) no)\b(?P<said>.*)",
    re.S | re.I,
)
_EXCEPT = re.compile(r"\b(?:except|besides|(?:other|more) than|apart from|but)\b")
_STILL = re.compile(r"\b(?:but|except|other|besides|apart|only|more|longer|else|direct\w*|than|if|unless)\b")
_OUT = re.compile(
    r"\b(?:out\w*|leav\w+|leads? (?:to )?no\w*|(?:links?|points?|goes|leads?|refers?) to (?:no|any)\w*)\b|\b(?:follow|cite|call|like|trust|email)s?:? no\w*\b"
)
_IN = re.compile(
    r"\b(?:in(?:coming|bound|-?going)|by (?:no|any)\w*|(?:leads?|links?|points?|goes|comes?) (?:in)?to (?:it|them|her|him)|enter\w*|prerequisites?|requirements?)\b"
)


@cache
def _alone() -> re.Pattern[str]:
    first = rf"(?:the )?(?:{either('nodes')} )?{ID}"
    return re.compile(
        rf"\W*(?:(?:And|But|Also|Finally|However),? |(?:The|the|Neither|Both) )?(?P<names>{first}(?:(?:,? and |,? nor |, ){first})*),? "
        r"(?P<said>(?:is|are|has|have|was|were|does|do|did|knows?|[a-z]+s (?:to |with |on )?(?:nobody|no one|nothing|none)|lives?|stands?|sits?|remains?|stays?|links?|points?|leads?|follows?|cites?|calls?|comes?|joined|came|moved)\b.*)",
        re.S,
    )


@cache
def _lacks() -> re.Pattern[str]:
    joined = rf"(?:{either('edges')}|friends?|neighbou?rs?|acquaintances?|colleagues?|contacts?|cabl\w+|wir\w+|pip\w+|connected|linked|joined|wired|attached|prerequisites?|requirements?)"
    return re.compile(
        rf"\b(?:no|not|without|zero|never|neither|nor|doesn['’]t|don['’]t|isn['’]t|aren['’]t|hasn['’]t|haven['’]t|lacks?)\b[^.]{{0,40}}?\b{joined}\b"
        r"|\b(?:isolated|unconnected|disconnected|nobody|no one|nothing|nowhere|anybody|anyone)\b"
    )


def told_edges(sentence: str) -> list[ToldEdge]:
    """The edges that a sentence tells of, in order."""
    grammar = _grammar()
    if _DENIES.match(sentence):
        if _STILL_TELLS.search(sentence):
            raise UsageError(
                f"{sentence!r} tells of edges and denies some; tell them in sentences of their own."
            )
        return []
    if _RESPECTIVELY.search(sentence):
        raise Unread(sentence, "tells of edges by 'respectively'; tell them one by one")
    sentence = _CLASH.sub("conflicts with", _ADVERB.sub("", sentence))
    if not _SUPPOSES.match(sentence):
        sentence = _EACH_OTHER.sub(r"\g<one> is connected to \g<other>", sentence)
    sentence = _POSSESSED.sub(r" is connected to", sentence)
    for pattern in _APART:
        sentence = pattern.sub(_as_between, sentence)
    sentence = grammar.opening.sub(lambda m: m[0].lower(), sentence)
    sentence = _AWAY.sub(r"\g<said> from \g<one> \g<to> \g<other>", sentence)
    sentence = _without_ellipsis(grammar, sentence)
    if _BETWEEN_TWO.search(sentence):
        sentence = _NEXT_TWO.sub(r"between \g<one> and \g<other> is ", sentence)
    found = sorted(_spans(grammar, sentence), key=lambda m: (m.start(), -m.end()))
    if found and (condition := _AT_TIMES.search(sentence)):
        raise Unread(sentence, f"tells of edges that are there at times ({condition[0].strip()!r})")
    if found and (denied := _DENIED.search(_UNTIL.sub(" until", sentence))):
        raise Unread(
            sentence, f"tells of edges and denies some ({denied[0]!r}); tell them in sentences of their own"
        )
    starts = [m.start() for m in found]
    edges: list[ToldEdge] = []
    last = 0
    ahead = (
        _ahead(
            grammar,
            sentence[: found[0].start("left") if "left" in found[0].groupdict() else found[0].start()],
        )
        if found
        else None
    )
    for place, m in enumerate(found):
        if m.start() < last:
            continue
        later = bisect_left(starts, m.end(), place + 1)
        head = sentence[last : m.start()]
        tail = sentence[m.end() : starts[later] if later < len(starts) else len(sentence)]
        last = m.end()
        _check_beside(sentence, head, tail)
        if (
            (fate := _FATE.match(tail))
            and _value(grammar, tail) is None
            and re.search(rf"\b(?:the|this|that) (?:[a-z]+ ){{0,2}}{either('edges')} $", head, re.I)
        ):
            raise Unread(sentence, f"says of an edge what is not understood ({fate[0].strip()!r})")
        weight = _ahead(grammar, head) if ahead is not None else _value(grammar, tail)
        edges += _edges(grammar, m, weight, head, m[0] + tail)
    return edges


def with_whole_names(told: Sequence[ToldEdge]) -> list[ToldEdge]:
    """Edges whose ends keep the word before their number or letter where other ends have none: "Calculus 1" beside "Logic"."""
    nouns = {noun for t in told for noun in (t.sourced, t.targeted)}
    if "" not in nouns or nouns - {""} <= words("nodes"):
        return list(told)

    def whole(name: str, noun: str, quote: str) -> str:
        if not noun or noun in words("nodes"):
            return name
        found = re.findall(rf"\b[A-Z]\w* {re.escape(name)}\b", quote)
        return next((said for said in found if singular(said.split()[0]) == noun), name)

    return [
        replace(t, source=whole(t.source, t.sourced, t.quote), target=whole(t.target, t.targeted, t.quote))
        for t in told
    ]


def _without_ellipsis(grammar: _Grammar, sentence: str) -> str:
    """A sentence that says its verb each time: "1 has a wire to 2, 2 to 3" as "1 has a wire to 2, 2 has a wire to 3"."""
    if not _ELLIPSIS.search(sentence):
        return sentence
    if first := grammar.between.search(sentence):  # "cables connect A to B, B to C"
        lead, way, last = f"{first['kind']} ", "", first["word"]
    elif (first := next(_relations(grammar, sentence), None)) and " " in first["verb"].strip():
        lead, way = "", first["verb"].strip()
        last = way.split()[-1]
    else:
        return sentence
    return sentence[: first.end()] + _ELLIPSIS.sub(
        lambda m: f"{m['before']}{lead}{m['one']} {way or m['to']} {m['other']}" if m["to"] == last else m[0],
        sentence[first.end() :],
    )


def _as_between(m: re.Match[str]) -> str:
    if _BETWEEN.search(m.string, max(0, m.start() - 20), m.start()):
        return m[0]
    return f"between {m['one']} and {m['other']} is {m['value']}"


def in_sentences(sentence: str) -> str:
    """A sentence whose names have clauses of their own as one that says them in a row.

    >>> in_sentences("A is connected to B, which is connected to C.")
    'A is connected to B, B is connected to C.'
    """
    return sentence if sentence.endswith("?") else _relative().sub(r"\g<name>, \g<name> ", sentence)


@cache
def _relative() -> re.Pattern[str]:
    verbs = "|".join(verb for listed in relations().values() for verb in listed)
    return re.compile(rf"(?P<name>{ID}), (?:which|who) (?:in turn )?(?:also )?(?={verbs})")


def _check_beside(sentence: str, head: str, tail: str) -> None:
    """Raise UsageError where a name before or behind an edge belongs to its ends, and was not read."""
    for pair in (*_PAIR_LEFT.finditer(head), *_PAIR_LEFT.finditer(tail)):
        if not any(
            name in _NOT_NAMES or (name.isdecimal() and not (noun or pair["noun"])) or name.islower()
            for noun, name in (named(pair["one"]), named(pair["other"]))
        ):
            raise Unread(sentence, f"tells of edges, and {pair[0]!r} in it cannot be read")
    for m in (_CUT_BEFORE.search(head), _CUT_BEHIND.match(tail)):
        noun, name = named(m["id"]) if m is not None else ("", "")
        if m is not None and name not in _NOT_NAMES and (noun or not (name.isdecimal() or name == "a")):
            raise Unread(sentence, f"tells of edges, and {m['id']!r} in it cannot be read")


def _spans(grammar: _Grammar, sentence: str) -> Iterator[re.Match[str]]:
    between = list(grammar.between.finditer(sentence))
    yield from between
    if not between:
        yield from grammar.joined.finditer(sentence)
        yield from _relations(grammar, sentence)


def _relations(grammar: _Grammar, sentence: str) -> Iterator[re.Match[str]]:
    """As `relation.finditer`, without trying every node of a list that no verb follows."""
    place = 0
    while (listed := grammar.listed.search(sentence, place)) is not None:
        look()
        found = None
        if grammar.verb.search(sentence, listed.start(), listed.end() + _REACH):
            found = grammar.relation.match(sentence, listed.start())
            place = found.end() if found else listed.start() + 1
        else:
            place = listed.end()
        if found is not None:
            yield found


def _edges(
    grammar: _Grammar, m: re.Match[str], weight: float | None, head: str, quote: str
) -> Iterator[ToldEdge]:
    groups = m.groupdict()
    if "verb" in groups:
        verb = groups["verb"]
        way: Way = (
            "both"
            if grammar.both.fullmatch(verb)
            else "backward"
            if grammar.backward.fullmatch(verb)
            else "forward"
        )
        left, right = groups["left"], groups["right"]
    elif "kind" in groups:
        left, right = groups["left"], groups["right"]
        way = (
            "forward"
            if groups["kind"] == "from"
            or (
                groups["word"] in ("to", "into", "towards", "->")
                and groups["kind"] in ("from", "links", "linking")
            )
            else "both"
        )
    else:
        yield from _among(grammar, m, weight, head, quote)
        return
    if _OR.search(right) and "verb" in groups and not _MAY.match(groups["verb"]):
        raise Unread(quote, "does not say which of them")
    nouns = grammar.noun.findall(head)
    more = grammar.pair.findall(groups.get("more") or "")  # between A and B, C and D
    for one, other in ((left, right), *more):
        targets = list(_ends(grammar, other))
        for source, sourced, _ in _ends(grammar, one):
            for target, targeted, own in targets:
                value = own if own is not None else weight
                noun = nouns[-1] if nouns else ""
                yield ToldEdge(source, target, way, value, sourced, targeted, noun, " ".join(quote.split()))


def _among(
    grammar: _Grammar, m: re.Match[str], weight: float | None, head: str, quote: str
) -> Iterator[ToldEdge]:
    """The edges between each two of a list: "A, B and C are all friends". Raises UsageError where of three it may be some."""
    ends = list(_ends(grammar, m["among"]))
    if not all(name.isdecimal() for name, _, _ in ends):  # "… of cost 3, B and C are joined"
        ends = [end for end in ends if not end[0].isdecimal()]
    if len(ends) > 2 and not (m["each"] or re.search(r"all|each|mutual", f"{m['how']}{m[0][-11:]}")):
        raise Unread(quote, "does not say which of them")
    nouns = grammar.noun.findall(head)
    for (source, sourced, _), (target, targeted, _) in combinations(ends, 2):
        noun = nouns[-1] if nouns else ""
        yield ToldEdge(source, target, "both", weight, sourced, targeted, noun, " ".join(quote.split()))


def _ends(grammar: _Grammar, listed: str) -> Iterator[tuple[str, str, float | None]]:
    """The nodes of a list: name, noun before it, value behind it."""
    noun = ""
    for m in grammar.end.finditer(listed):
        own, name = named(m["id"])
        article = name == "a" and m.end() < len(listed) and not listed.startswith("a ")
        if name in _NOT_NAMES or article:
            continue
        before = m["noun"] if m["noun"] and m["noun"] not in ("and", "or", "also", "the") else ""
        noun = own or (singular(before) if before else noun)
        yield name, noun, _value(grammar, m["tail"]) if m["tail"] else None


def _ahead(grammar: _Grammar, text: str) -> float | None:
    """The value before an edge: with a word that says so, or bare, as in "7 between A and C"."""
    found = _value(grammar, text)
    bare = re.search(rf"(?<!\w)({NUMBER})\s*$", text)
    return float(bare[1]) if found is None and bare else found


def _value(grammar: _Grammar, text: str) -> float | None:
    m = grammar.value.search(text)
    if m is None:
        return None
    return float(next(group for group in m.groups() if group is not None))
