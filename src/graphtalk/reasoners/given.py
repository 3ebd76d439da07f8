"""What a reading gives that its question rules out: names that are excepted, several of what is one, ways there and back again."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from graphtalk.calls import show
from graphtalk.calls.ast import Call, Number
from graphtalk.calls.query import Apply, EdgePattern, Operation, Subquery, With, as_query, parts_of
from graphtalk.core import JSON
from graphtalk.graphs import Schema
from graphtalk.language.dictionary import verb_done
from graphtalk.language.identifiers import split_name
from graphtalk.language.nouns import plural
from graphtalk.language.operators import operator_words
from graphtalk.reasoners.joined import names_in
from graphtalk.reasoners.reader.linking import Linked
from graphtalk.reasoners.reader.shape import spoken
from graphtalk.reasoners.reader.words import stem

_EXCEPT = re.compile(
    r"\b(?:except(?: for)?|excepting|excluding|other than|besides|apart from|aside from|not counting|ignoring) (?:the )?[\"'“]?$",
    re.I,
)
_CALLED = re.compile(
    r"(?<!who )(?<!that )(?<!which )\b(?:is|are|was|were) (?:called|named|titled) [\"'“]?$", re.I
)
_THE_MOST = re.compile(r"\b(?P<verb>\w+) the (?:most|least)\W*$", re.I)
_EACH = re.compile(r"\b(?:each|every|all|any|per|for)\b", re.I)
_WORD = re.compile(r"\w+")
_FEW = 12  # nodes that somebody may count
_OFTEN = 3  # times that a call goes along a relation which the question says once; more where several are called so


_HOW_MANY = re.compile(r"\W*(how (?:many|much))\b", re.I)
_COUNTS_NAMED = re.compile(r"number of (?P<type>[\w ]+) whose (?P<name>[\w ]+) is “[^”]*”")
_NAMED = re.compile(r"\b(?:named?|names|called|titled?|entitled)\b", re.I)
_HOW_FAR = re.compile(r"\b(?:how far|distance|how long is the (?:way|path|road|route|walk|trip))\b", re.I)
_IN_EDGES = re.compile(
    r"\b(?:edges?|steps?|hops?|links?|graph|nodes?|shortest|degrees?|connections?)\b", re.I
)


def how_far(question: str) -> str:
    """The "how far" of a question that may ask for a way on the ground, as it says nothing of edges; else nothing."""
    found = _HOW_FAR.search(question)
    return "" if found is None or _IN_EDGES.search(question) else found[0].lower()


def ruled_out(
    question: str, values: Sequence[Linked], call: Call, words: str, entries: JSON, schema: Schema
) -> Iterator[str]:
    """What a question says that the `entries` which a call gives are not: each as it stands in the question. `words`: the call as told."""
    given = {str(e).casefold() for e in entries} if isinstance(entries, list) else {str(entries).casefold()}
    for v in values:
        if v.found and _EXCEPT.search(question, 0, v.start) and v.text.casefold() in given:
            yield repr(v.text)
        if v.found and _CALLED.search(question, 0, v.start) and f"“{v.text}”" not in words:
            yield repr(v.text)  # it is what is asked for that is called so, and nothing beside it
    most = _THE_MOST.search(question)
    if most and verb_done(most["verb"].lower()) and f"“{most['verb'].lower()}”" in words.lower():
        yield repr(most["verb"])  # who "paid the most" is told by what he paid, and not by a status
    numbers = (
        isinstance(entries, list) and len(entries) > 1 and all(isinstance(e, int | float) for e in entries)
    )
    if numbers and (how := _HOW_MANY.match(question)) and not _EACH.search(question):
        yield repr(how[1].lower())  # the seats of a building are those of all its rooms
    one = _COUNTS_NAMED.fullmatch(words) if given == {"1"} and not _NAMED.search(question) else None
    if one and (one["type"], one["name"]) in (
        (plural(spoken(t.name)), spoken(t.label or "")) for t in schema.node_types
    ):
        yield "'how many'"  # of what is called so there is one, however many are in it
    spelled = show(call)
    yield from _several(question, spelled, len(given), schema)
    asked = Counter(stem(word.lower()) for word in _WORD.findall(question))
    for name, alike in Counter(r.name for r in schema.relations).items():
        times = len(re.findall(rf'relations=\["{re.escape(name)}"\]', spelled))
        called = split_name(name)
        if times >= _OFTEN + alike - 1 and called and max(asked[stem(w)] for w in called) == 1:
            yield repr(next(w for w in called if asked[stem(w)] == 1))


def _several(question: str, spelled: str, number: int, schema: Schema) -> Iterator[str]:
    """The "highest point" of a place, where a call gives that of each of the places there."""
    for name in dict.fromkeys(r.name for r in schema.relations) if number > 1 else ():
        told = spoken(name)
        most = any(word.kind in ("most", "least") for word in operator_words(told))
        one = re.search(rf"\bthe {re.escape(told)}\b", question, re.I)
        if most and one and names_in(name, spelled) and not _EACH.search(question):
            yield repr(told)


def may_be_none(call: Call) -> bool:
    """Whether nothing is no odd answer to a call: one that denies that there is something, compares how many there are, also of groups, or
    asks for two of one relation. Nobody may work at every shop, at more than five, or with both Ann and Ben; "rated by more than 100 users"
    may speak of a number that is recorded otherwise.
    """
    query = as_query(call) if call.function == "Query" else None
    operations = [part for part in parts_of(query) if isinstance(part, Operation)]
    within = [(part, o) for part in operations for o in part.operands if isinstance(o, Subquery)]
    counts = [
        w.where
        for w in parts_of(query)
        if isinstance(w, With)
        and any(isinstance(p, Apply) and p.function == "count" for p in parts_of(w.projection))
    ]
    groups = [p for where in counts for p in parts_of(where) if isinstance(p, Operation)]
    compared = [*(part for part, _ in within), *groups]
    many = any(isinstance(o, Number) and o.value > _FEW for part in compared for o in part.operands)
    counted = any(o.keeps == "count" or part.operator == "not" for part, o in within)
    there = [o.query for _, o in within if o.keeps == "exists"]
    ways = Counter(tuple(p.relations for p in parts_of(q) if isinstance(p, EdgePattern)) for q in there)
    return not many and (counted or bool(groups) or any(n > 1 for n in ways.values()))
