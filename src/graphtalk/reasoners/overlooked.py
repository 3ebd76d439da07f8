"""What of a question a reading passes over or misreads: names, words like nothing in the graph, places."""

import re
from collections.abc import Iterable, Iterator, Sequence

from graphtalk.language.english import stem as english_stem
from graphtalk.language.english import thesaurus
from graphtalk.language.leading import ORDERS
from graphtalk.language.measures import base_of
from graphtalk.language.nouns import plural
from graphtalk.reasoners.phrases.staying import stays
from graphtalk.reasoners.planner.planner import Ranked
from graphtalk.reasoners.reader.linking import Linked
from graphtalk.reasoners.reader.shape import Shape, spoken
from graphtalk.reasoners.reader.words import stem
from graphtalk.search.embedder import word_rank

_WORD = re.compile(r"\w+")
_OPENS = " \t\r\"'“‘("  # may stand before the first word of a sentence
_ENDS = (".", "!", "?", ":", ";", "\n")
_QUANTITY = re.compile(r"\b(?:more|most|fewer|fewest|less|least|many|no)\s+$", re.I)
_ASKED = re.compile(
    rf"(?:\b(?:which|what|whose|how many|how much)|^\W*(?:{'|'.join(ORDERS)})(?: me)?)(?: of)?(?: all)?(?: the)?\s+$",
    re.I,
)
_POSSESSIVES = ("'s ", "’s ", "' ", "’ ")
_HEAD, _OF = (
    re.compile(r"\bwhat(?: is| are| was| were|'s) the (?:[\w'-]+ ){0,2}$", re.I),
    re.compile(r"\s+(?:of|for)\b"),
)
_BEING = re.compile(r"\b(?:is|are|was|were|been)\s+$", re.I)
_ENDING = re.compile(r"\s*(?:(?:in|on|at|from)\b|[?.!]*$)", re.I)
_DONE = re.compile(
    r"(?:ed|en|wn|ne|ing|ght|ung|ut|de|ld|it|st)$", re.I
)  # what ends so may be a form of a verb
_DID = re.compile(r"\b(?:do|does|did)\s+(?:the\s+)?[\"'“‘]?$", re.I)
_JOINED = "by|at|in|on|to|into|from|for|with|about|of|off|during|through|against"
_OBJECT = re.compile(rf"\s+(?:(?:{_JOINED})\s+)?((?:the|a|an)\s+)?[\"'“‘]?", re.I)
_SENTENCE = re.compile(r"[.!;]\s+\S")
_TIME = re.compile(r"\s+(?:before|after|since|in|until|during|between)\s+[^\W\d]*\s*\d", re.I)
_STAYS = re.compile(
    r"(?<!\bhas )(?<!\bhad )(?<!\bhave )\b(work(?:s|ed|ing)?|live[sd]?|living) (?:in|at)\b", re.I
)
_LAST_WORD = re.compile(r"\b(first|last)\W*$", re.I)
_ORDERED = re.compile(
    r"\b(?:first|last|smallest|largest|earliest|latest|lowest|highest|minimum|maximum|least|most)\b", re.I
)
_WHO_IS_AT = re.compile(r"\W*who(?:'s| is| are| was| were) (?:on|in|at|with|from)\b", re.I)
_THAN = re.compile(
    r"\bthan\b|\bor (?:more|fewer|less|later|earlier)\b|\b(?:once|any|no) (?:more|longer)\b", re.I
)
_COMPARED = re.compile(
    r"\b(?:largest|smallest|above|below|least|most|more|fewer|larger|smaller|ordered|minus)\b"
)
_AMOUNTS = ("more", "fewer", "less", "better", "worse")
_MORE = re.compile(r"\b(?:more|fewer|less|worse|\w{2,}er)\b", re.I)
_AGAINST = re.compile(r"\b(?:against|versus|vs|anti|oppos\w*|object\w*|reject\w*|contra\w*)\b", re.I)
_WISHED = re.compile(
    r"\b(?:who|(?:which|what)(?: \w+){1,2})\s+(?:also\s+)?(likes?|liked|knows?|knew|sees?|saw|wants?|wanted)\b(?! to\b)"
    r"|\b(?:do|does|did)\s+(?!you\b|we\b|i\b).+?\b(like|know|see|want)\b(?! to\b)",
    re.I,
)
_CODE = re.compile(r"\w+(?:[-_./@]\w+)+")


def capitalised(
    question: str, used: Sequence[tuple[int, int]], told: str, known: frozenset[str]
) -> list[str]:
    """The words of a question that are written as names, and that nothing accounts for.

    `used` are the spans that a reading uses, `told` is the reading in words, `known` the stems of the schema's words. A
    capital says nothing where a sentence begins, and where most words have one. A unit after a number ("500 USD") is no
    name.
    """
    words, named, before, end = 0, [], "", 0
    for match in _WORD.finditer(question):
        word, between = match.group(), question[end : match.start()]
        counted = before[-1:].isdigit() and not between.strip()
        if before and not between.rstrip(_OPENS).endswith(_ENDS):
            words += 1
            if word[0].isupper() and word != "I" and not (word.isupper() and counted):
                named.append(match)
        before, end = word, match.end()
    if len(named) * 2 > words:
        return []
    said = {word.lower() for word in _WORD.findall(told)}
    return [
        m.group()
        for m in named
        if known.isdisjoint(map(stem, (m.group().lower(), m.group().lower().removesuffix("s"))))
        and m.group().lower() not in said
        and not any(start < m.end() and m.start() < end for start, end in used)
    ]


def decides(word: str, question: str, values: Sequence[Linked], nouns: frozenset[str]) -> bool:
    """Whether a word that is like nothing in the graph stands where it narrows what is asked for.

    That is before a type (`nouns` are their first words), a value or a name ("wooden bowls", "sparkling white wines", "failed Algebra"), after a quantity
    ("more sugar"), "which" ("which dogs"), as the head of what is asked for ("the opening hours of"), as what a name has ("Ann's dog") or "is" ("beds that are free"), before a time ("exported before 2015"), or is what a name did ("who did Ann negotiate
    with"), or what was done to or at one in the sentence that asks ("hated Ann", "sank at Oslo").
    """
    begins = {v.start for v in values if v.found and v.text.islower()}
    named = {v.start for v in values if v.found}
    for match in re.finditer(rf"\b{re.escape(word)}\b", question):
        before, after = question[: match.start()], question[match.end() :]
        following = _WORD.match(after.lstrip())
        noun = following is not None and following.group().lower() in nouns
        deed = _OBJECT.match(after) if _SENTENCE.search(after) is None else None
        narrows = after[:1] == " " and (noun or match.end() + 1 in begins)
        if deed is not None:
            kind_of = _WORD.match(after, deed.end())
            typed = kind_of is not None and kind_of.group().lower() in nouns
            ends = (deed.end(), deed.start(1), kind_of.end() + 1 if kind_of is not None and typed else -1)
            narrows |= not named.isdisjoint(match.end() + end for end in ends if end >= 0)
        done = any(
            v.found and v.end + 1 == match.start() and _DID.search(question[: v.start]) for v in values
        )
        told = _BEING.search(before) and _ENDING.match(after) and not _DONE.search(word)
        kind = (
            _QUANTITY.search(before) or _ASKED.search(before) or (_HEAD.search(before) and _OF.match(after))
        )
        owned = any(v.found and question[v.end : match.start()] in _POSSESSIVES for v in values)
        if narrows or done or told or kind or owned or _TIME.match(after):
            return True
    return False


def cuts_a_name(ranked: Ranked, question: str) -> bool:
    """Whether a plan takes part of a compound for a name: `utils` of `frobnicator-utils`."""
    compounds = [m.span() for m in _CODE.finditer(question)]
    return any(
        start <= a.start and a.end <= end and (start, end) != (a.start, a.end) and not a.score >= 6
        for a in ranked.plan.anchors
        for start, end in compounds
    )


def mistyped(
    question: str, taken: Iterable[tuple[int, int, str]], values: Sequence[Linked], shape: Shape
) -> Iterator[str]:
    """The noun of a type beside a name that one of that type has, where a reading takes the name for that of another type.

    `taken`: where names stand, each with the type that the reading takes it for.
    """
    nouns = {spoken(t): t for t in shape.types}
    beside = "|".join(map(re.escape, nouns))
    for start, end, node_type in taken:
        owners = {a for v in values if v.start <= start and end <= v.end for a in v.owners}
        before = re.search(rf"\b({beside})(?: named| called)? [\"'“‘]?$", question[:start], re.I)
        after = re.match(rf"[\"'”’]? ({beside})\b", question[end:], re.I)
        for noun in (m[1].lower() for m in (before, after) if m is not None):
            if nouns[noun] != node_type and shape.name_of(nouns[noun]) in owners:
                yield noun


def misplaced(question: str, words: str) -> Iterator[str]:
    """That somebody works or lives somewhere, where a reading says another thing of the place: who was born there."""
    said = _WORD.findall(words)
    for found in _STAYS.finditer(question):
        if not stays("work" if found[1].lower().startswith("work") else "live", said):
            yield repr(found[1])


def unordered(question: str, words: str) -> Iterator[str]:
    """The "first" or "last" that a question ends in, where a reading says no order: "which team joined first"."""
    found = _LAST_WORD.search(question)
    if found is not None and not _ORDERED.search(words):
        yield repr(found[1])


def opposed(question: str, words: str) -> Iterator[str]:
    """The words of a question whose opposite a reading says: "sold" where it says who bought; and an "against" that nobody said."""
    if re.search(r"\bagainst\b", words) and not _AGAINST.search(question):
        yield "'against'"
    told = _WORD.findall(words.lower())
    asked = {english_stem(w) for w in _WORD.findall(question)}
    own = [w for w in told if english_stem(w) not in asked]
    yield from (repr(w) for w in _WORD.findall(question) if thesaurus().contrary(w, own))


def wished(question: str, words: str) -> Iterator[str]:
    """What somebody likes, knows, sees or wants, where a reading says nothing of the kind."""
    found = _WISHED.search(question)
    verb = next((w for w in found.groups() if w), "") if found else ""
    lines = frozenset[str]().union(*thesaurus().groups([english_stem(w) for w in _WORD.findall(words)]))
    own = thesaurus().groups([english_stem(verb)])[0] if verb else frozenset()
    if verb and lines.isdisjoint(own) and stem(verb.lower()) not in map(stem, _WORD.findall(words.lower())):
        yield repr(verb)


def besides(question: str, words: str, things: Iterable[str]) -> Iterator[str]:
    """The "who is on" something that a reading answers with what is nobody; `things`: the names of such types."""
    head = words.lower().removeprefix("the ")
    if _WHO_IS_AT.match(question) and any(
        re.match(rf"(?:{re.escape(noun)}|{re.escape(plural(noun))})\b", head) for noun in things
    ):
        yield "'who'"


def uncompared(question: str, words: str) -> Iterator[str]:
    """A comparative that is compared with nothing, where a reading neither orders nor compares: "which of them is cheaper"."""
    if _THAN.search(question) or _COMPARED.search(words):
        return
    told = _WORD.findall(words.lower())
    for found in _MORE.finditer(question):
        word = found[0].lower()
        if word not in told and (word in _AMOUNTS or (base_of(word) != word and word.endswith("er"))):
            yield repr(found[0])


def strange_words(ranked: Sequence[Ranked]) -> tuple[str, ...]:
    """Words that nothing in the graph is like, and that everyday English does not have: names that are not there."""
    unexplained = ranked[0].unexplained if ranked else []
    common = word_rank("\0")  # what words have that are not listed
    return tuple(w for w in unexplained if w.isalpha() and min(map(word_rank, _forms(w.lower()))) >= common)


def _forms(word: str) -> tuple[str, ...]:
    return tuple(word.removesuffix(ending) for ending in ("", "s", "es", "ed", "d", "ing", "er", "r", "ly"))
