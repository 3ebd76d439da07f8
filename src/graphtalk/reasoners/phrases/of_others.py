"""What a question says of nodes of one type that only those of another have: no customer is pending, though orders are."""

import re
from collections.abc import Iterator, Sequence

from graphtalk.language.nouns import singular
from graphtalk.language.people import may_act
from graphtalk.reasoners.around.names import root
from graphtalk.reasoners.phrases.lexicon import Lexicon
from graphtalk.reasoners.phrases.schema_words import is_date
from graphtalk.reasoners.reader.linking import Linked
from graphtalk.reasoners.reader.shape import spoken

_WORD = re.compile(r"[\w'’-]+")
_ASKING = frozenset("which what how many list show find give name me all of the".split())
_OF_ITSELF = frozenset(map(root, "cost weigh measure".split()))
_ONTO = re.compile(r" (?:the )?[\"'“‘]?", re.I)  # what is rented by Ann rents nobody
_PARTICIPLE = re.compile(r"[a-z]+ed")
_DONE_TO = re.compile(
    r" (?:an?|the|their|his|her|its|any|some|two|three|several|more than \w+) ([^\W\d_]+)\b", re.I
)
_BETWEEN = re.compile(
    r" (?:(?:that|who|which) )?(?P<be>(?:(?:is|are|was|were|has been|have been) )?)"
    r"(?:(?:still|currently|also|not|never|already|ever|now) )*(?:(?:an?|the) )?(?=[\"'“‘]?(?P<said>\w+))",
    re.I,
)


def of_others(lexicon: Lexicon, question: str, values: Sequence[Linked], guessed: bool) -> Iterator[str]:
    """The words right behind the noun of a type that say what only another type has: "customers are **pending**", "departments **hired** in 2015", and
    verbs whose deeds are not its: "products **reviewed** Ann".

    Also what a question says as done to nodes that it is not said of: who "cancelled a booking" did not book what was cancelled.
    `guessed`: of readings that no grammar accounts for; of others only the verbs.
    """
    yield from _done_to_another(lexicon, question, values)
    found = _subject(lexicon, question)
    if found is None:
        return
    node_type, end = found
    behind = _BETWEEN.match(question, end)
    if behind is None:
        return
    word, begin, being = behind["said"].lower(), behind.start("said"), bool(behind["be"])
    value = next((v for v in values if v.found and v.start == begin), None)
    if guessed and value is not None:
        stated = being or value.text.lower().endswith("ed")
        if stated and _is_others(lexicon, value, node_type):
            yield repr(value.text)
    elif guessed:
        flag = being and _is_others_flag(lexicon, word, node_type)
        amount = not being and _is_others_amount(lexicon, word, node_type)
        reports = not being and root(word) == root("report") and _reports_elsewhere(lexicon, node_type)
        if flag or amount or reports:
            yield repr(behind["said"])
    if value is not None:
        return
    if _is_others_date(lexicon, word, node_type):
        yield repr(behind["said"])
    ended = begin + len(word)
    after = next((v for v in values if v.found and _ONTO.fullmatch(question, ended, v.start)), None)
    if not being and after is not None and lexicon.events(word) and not _is_somebody(lexicon, node_type):
        named = {lexicon.shape.properties[o].owner for o in after.owners if o in lexicon.shape.properties}
        if named and all(_is_somebody(lexicon, t) for t in named):
            yield repr(behind["said"])


def _is_somebody(lexicon: Lexicon, node_type: str) -> bool:
    """Whether nodes may do what is done: people, firms."""
    return may_act(node_type) or node_type in lexicon.people


def _done_to_another(lexicon: Lexicon, question: str, values: Sequence[Linked]) -> Iterator[str]:
    """The participles that are values, where what they are said to be done to has none of them."""
    shape = lexicon.shape
    owners = [(t, t) for t in shape.types] + [(link.name, link.key) for link in shape.links]
    for v in values:
        done = _DONE_TO.match(question, v.end) if v.found and _PARTICIPLE.fullmatch(v.text) else None
        noun = singular(done[1].lower()) if done is not None else ""
        meant = {key for name, key in owners if singular(spoken(name).lower().rpartition(" ")[2]) == noun}
        if meant and meant.isdisjoint(shape.properties[o].owner for o in v.owners if o in shape.properties):
            yield repr(v.text)


def _subject(lexicon: Lexicon, question: str) -> tuple[str, int] | None:
    """The type whose noun is asked for, and where that ends: at most two words stand between the asking words and it."""
    nouns = {singular(spoken(t).lower().rpartition(" ")[2]): t for t in lexicon.shape.types}
    others = 0
    for match in _WORD.finditer(question):
        word = match[0].lower()
        if word in _ASKING and not others:
            continue
        if (one := singular(word)) in nouns:
            return nouns[one], match.end()
        others += 1
        if others > 2:
            return None
    return None


def _is_others(lexicon: Lexicon, value: Linked, node_type: str) -> bool:
    """Whether only nodes of other types have a value, and it is no name."""
    held = [lexicon.shape.properties[o] for o in value.owners if o in lexicon.shape.properties]
    own = {node_type, *(s.link.key for s in lexicon.steps(node_type))}
    kinds = {s.target for s in lexicon.steps(node_type) if s.out and lexicon.tells_kind(s)}
    return bool(held) and not any(h.naming or h.owner in own or h.owner in kinds for h in held)


def _is_others_flag(lexicon: Lexicon, word: str, node_type: str) -> bool:
    """Whether a word says yes to a property of another type alone."""
    flags = [
        h
        for h in lexicon.shape.held
        if h.kind == "boolean" and not h.edge and lexicon.flag((root(word),), 0, h)
    ]
    return bool(flags) and all(h.owner != node_type for h in flags)


def _is_others_amount(lexicon: Lexicon, word: str, node_type: str) -> bool:
    """Whether a verb says a number of other types alone, which are things: what people earn their department does not."""
    if lexicon.spent(word, node_type) is not None or any(
        lexicon.acts(word, s) for s in lexicon.steps(node_type)
    ):
        return False
    found = [t for t in lexicon.shape.types if lexicon.spent(word, t) is not None]
    of_records = [lexicon.is_record(t) for t in found]
    # Customers spend what their orders come to, but do not cost it.
    return bool(found) and not (all(of_records) if root(word) in _OF_ITSELF else any(of_records))


def _reports_elsewhere(lexicon: Lexicon, node_type: str) -> bool:
    """Whether some report to others, and none of a type."""
    steps = [s for t in lexicon.shape.types for s in lexicon.steps(t) if lexicon.reports(s.link.name)]
    return bool(steps) and all(s.source != node_type for s in steps)


def _is_others_date(lexicon: Lexicon, word: str, node_type: str) -> bool:
    """Whether a verb says a date of other types alone, which are things and no records of what was done."""
    if not word.endswith(("ed", "en", "wn", "lt", "ught")) or lexicon.events(word):
        return False
    dates = [h for h in lexicon.shape.held if is_date(h) and root(word) in lexicon.date_roots(h)]
    own = {node_type, *(s.link.key for s in lexicon.steps(node_type))}
    verbs = {root(w) for s in lexicon.steps(node_type) for w in lexicon.said(s.link)}
    return (
        bool(dates)
        and root(word) not in verbs
        and not any(h.owner in own or h.edge or lexicon.is_record(h.owner) for h in dates)
    )
