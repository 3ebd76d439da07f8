"""What of a question a reading passes over or misreads: names, words like nothing in the graph, places."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from graphtalk.core.people import means_somebody
from graphtalk.language.dictionary import dictionary, is_deed, is_state, verb_done
from graphtalk.language.leading import ORDERS
from graphtalk.language.nouns import is_plural, singular
from graphtalk.language.units import units
from graphtalk.language.wordpiece import word_rank
from graphtalk.reasoners.around.names import root
from graphtalk.reasoners.phrases.words import STAYING
from graphtalk.reasoners.planner.planner import Ranked
from graphtalk.reasoners.reader.confidence import means_something
from graphtalk.reasoners.reader.linking import Linked
from graphtalk.reasoners.reader.shape import Shape, spoken
from graphtalk.reasoners.reader.words import stem

_WORD = re.compile(r"\w+")
_OPENS = " \t\r\"'“‘("  # may stand before the first word of a sentence
_ENDS = (".", "!", "?", ":", ";", "\n")
_QUANTITY = re.compile(r"\b(?:more|most|fewer|fewest|less|least|many|no)\s+$", re.I)
_ASKED = re.compile(
    rf"(?:\b(?:which|what|whose|how many|how much)|^\W*(?:{'|'.join(ORDERS)})(?: me)?)(?: of)?(?: all)?(?: the)?\s+$",
    re.I,
)
_OF_MOST = re.compile(  # "the highest population density" is of no population, "the average alcohol" of no price
    r"\b(?:(?:most|least|\w+est|average|mean|total) (?!of\b|the\b|in\b|at\b|is\b|was\b|are\b|were\b)\w+|average|mean|total) $",
    re.I,
)
_POSSESSIVES = ("'s ", "’s ", "' ", "’ ")
_HEAD, _OF = (
    re.compile(r"\b(?:what|how much)(?: is| are| was| were|'s| do| does| did) the (?:[\w'-]+ ){0,2}$", re.I),
    re.compile(r"\s+(?:of|for)\b"),
)
_WHO = re.compile(r"\bwhom?(?: (?:also|ever|has|have|had))?\s+$", re.I)
_BEING = re.compile(r"\b(?:is|are|was|were|been)\s+$", re.I)
_ENDING = re.compile(r"\s*(?:(?:in|on|at|from|to|of|with|for)\b|[?.!]*$)", re.I)
_DONE = re.compile(
    r"(?:ed|en|wn|ne|ing|ght|ung|ut|de|ld|it|st)$", re.I
)  # what ends so may be a form of a verb
_WORD_BEFORE = re.compile(r"(\w+) $")
_ALL_THAT_WERE = re.compile(r"\W*(?:which|what|how many) (?:[\w'-]+ ){1,4}(?:is|are|was|were|been) $", re.I)
_IN_ALL = re.compile(r"\s*(?:in total|in all|altogether|overall|so far|yet)?[?.! ]*$", re.I)
_IS_A = re.compile(r"[\"'”’]? (?:also |still )?an? ")  # "is Ann a shareholder"
_SUBJECT = re.compile(r"\W*(?:which|what|how many) (?:[\w'-]+ ){0,2}?([\w'-]+) $", re.I)
_THAT = re.compile(
    r"([\w-]+) (?:who|that|which) (?:(?:has|have|had|ever|also|never) ){0,2}$", re.I
)  # "people who grew up"
_NEXT = re.compile(r" (?:the |an? |any |some )?([^\W\d_]+)")
_HAS = re.compile(
    r"\b(?:has|had|having|with|without|(?<!do )(?<!did )(?<!does )have|lack|lacks|lacking)(?: (?:not|no|any|some|an?|the|its|their|his|her|own))*(?: [a-z]+ing)? $",
    re.I,
)
_DAY = re.compile(r"day|date|year|month|time|hour", re.I)
_ASKED_DAY = re.compile(r"^\W*(?:(?:what|which)(?: is| was|['’]s)? ?)?(?:the )?(?:exact )?$", re.I)
_HEAD_ASKED = re.compile(r"(?:^|[,:;] )\W*(?:which|what|how many)(?: of)?(?: our| your| the| all)* $", re.I)
_AND_DID = re.compile(
    r"\b(?:or|nor|(?:and|but) (?:has|have|had|is|are|was|were|do|does|did|not|never|also))(?: (?:has|have|had|been|also|not|never|ever))* $"
    r"|\b(?:we|they|i|you|he|she)(?:['’](?:ve|d|s|re)| have| had| has)(?: (?:also|not|never|ever|already|since|just))* $",
    re.I,
)
_IS_NAMED = re.compile(r"^\W*(?:is|are|was|were)\s+(?:the\s+)?[\"'“‘]?$", re.I)  # "is Ann alone"
_OWN_ONE = re.compile(r"['’]s? (?:[\w-]+ ){1,2}")  # "Ann's mentor"
_DID = re.compile(
    r"\b(?:do|does|did|has|have|had)\s+(?:the\s+(?:[\w-]+\s+){1,2}(?:of|for)\s+)?(?:the\s+)?[\"'“‘]?$", re.I
)
_WHERE_IS = re.compile(  # "where is X stored", "when was X tuned"
    r"^\W*(?:where|when)(?:['’]s| (?:is|are|was|were|do|does|did|has|have|had))\s+(?:the\s+)?[\"'“‘]?$", re.I
)
_WHICH_IS = re.compile(  # "which shed was X painted in"; a verb that only says a state, as "kept", asks for no other deed
    r"^\W*(?:(?:in|on|at|by|from|to|with|for) )?(?:which|what) (?:[\w-]+ ){1,3}?(?:is|are|was|were)\s+(?:the\s+(?:[\w-]+\s+)?)?[\"'“‘]?$",
    re.I,
)
_JOINED = "by|at|in|on|to|into|from|for|with|about|of|off|during|through|against|as"
_OBJECT = re.compile(
    rf"\s+(?:as\s+\w+\s+)?(?:(?:{_JOINED})\s+)?(?:(?:both|either)\s+)?((?:the|a|an)\s+)?[\"'“‘]?", re.I
)
_SENTENCE = re.compile(r"[.!;]\s+\S")
_TIME = re.compile(r"\s+(?:before|after|since|in|until|during|between)\s+[^\W\d]*\s*\d", re.I)
_BY = re.compile(r"(?:\s+(?:up|out|in|off|over|down|away|back))?\s+by\b", re.I)
_GIVING = frozenset(ORDERS) - {"get"}  # who "gets" something has it
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


def unused_figures(values: Sequence[Linked], used: Sequence[tuple[int, int]]) -> list[str]:
    """The numbers and dates in figures that a reading does not use: "in 2010". What stands within a name, or another value that is used, is
    no number of its own.
    """
    taken = [*used, *((v.start, v.end) for v in values if v.found or v.kind == "quoted")]
    return [
        v.text
        for v in values
        if v.kind in ("number", "date")
        and not v.found
        and any(map(str.isdigit, v.text))
        and not any(start < v.end and v.start < end for start, end in taken)
    ]


# What is asked for beside something else: "the codes and names of ports".
_ASKED_FIRST = re.compile(
    r"\W*(?:what(?:['’]s| is| are| was| were)|show|list|give|find|return|display|provide|get|tell)(?: me)?(?: all)?(?: the)?"
    r"(?: (?!(?:of|for|that|who|which|with|in|from|by)\b)[\w'’-]+,?){0,4} ",
    re.I,
)
_BESIDE = re.compile(r"(?: [\w'’-]+)?(?:,? and\b|, (?:[\w'’-]+ )?[\w'’-]+,? and\b)", re.I)


def narrows(
    word: str,
    question: str,
    values: Sequence[Linked],
    nouns: frozenset[str],
    properties: frozenset[str] = frozenset(),
) -> bool:
    """Whether a word that is like nothing in the graph stands where fewer are meant than without it, or something else.

    That is right before a type (`nouns` are their first words), a value ("sparkling white wines") or, but for adverbs, the noun of a property (`properties`: "eye colour"), after a quantity ("more sugar", "the average alcohol"), as the
    head of what is asked for ("the opening hours of", "which women"), as what a name has ("Ann's dog") or "is" ("beds that are free"), as what a type did at the end ("tests
    failed") or where it is asked for ("which clubs relegated the most"), before "by" ("directed by somebody"), and where it is asked for beside something else.
    """
    begins = {v.start for v in values if v.found and v.text.islower()}
    for match in re.finditer(rf"\b{re.escape(word)}\b", question):
        before, after = question[: match.start()], question[match.end() :]
        following = _WORD.match(after.lstrip())
        noun = following is not None and following.group().lower() in nouns
        own = following is not None and following.group().lower() in properties and not word.endswith("ly")
        modifies = after[:1] == " " and (noun or own or match.end() + 1 in begins)
        last, subject = _WORD_BEFORE.search(before), _SUBJECT.fullmatch(before) or _THAT.search(before)
        ended = last is not None and last[1].lower() in nouns and not after.strip(" ?.!")
        ended |= subject is not None and subject[1].lower() in nouns and not is_state(word.lower())
        ended |= bool(
            _ALL_THAT_WERE.fullmatch(before) and _IN_ALL.match(after)
        )  # it is all that is said of them
        told = _BEING.search(before) and _ENDING.match(after) and not _DONE.search(word)
        head = (
            _QUANTITY.search(before) or _OF_MOST.search(before) or (_HEAD.search(before) and _OF.match(after))
        )
        owned = any(v.found and question[v.end : match.start()] in _POSSESSIVES for v in values)
        passive = _DONE.search(word) is not None and _BY.match(after) is not None
        owned |= any(v.found and _IS_A.fullmatch(question, v.end, match.start()) for v in values)
        beside = bool(
            _ASKED_FIRST.fullmatch(before) and (_BESIDE.match(after) or before.rstrip().endswith(" and"))
        )
        beside |= before.endswith(", ") and not after.strip(" ?.!")
        # Women that something was maintained by are not all its maintainers.
        somebody = means_somebody(singular(word.lower())) and _ASKED.search(before) is not None
        if modifies or ended or told or head or owned or passive or beside or somebody:
            return True
    return False


def decides(word: str, question: str) -> bool:
    """Whether a word that is like nothing in the graph stands after "which" and "who", where it may be what is asked for."""
    places = re.finditer(rf"\b{re.escape(word)}\b", question)
    befores = [(question[: m.start()], question[m.end() :]) for m in places]
    # Who "co-wrote" something wrote it.
    return any(
        _ASKED.search(before) or (_WHO.search(before) and after[:1] != "-") for before, after in befores
    )


def heads(word: str, question: str) -> bool:
    """Whether a noun that is like nothing in the graph is what is asked for: "which trucks serve Oslo" asks for no customers."""
    return not is_deed(word.lower()) and any(
        _HEAD_ASKED.search(question[: m.start()]) for m in re.finditer(rf"\b{re.escape(word)}\b", question)
    )


def several_of(word: str) -> bool:
    """Whether a word that is like nothing in the graph is the noun of several things: of "the average price of the dresses" only those count."""
    noun = singular(word.lower())
    return is_plural(word) and noun in dictionary()[0] and not is_deed(noun) and not units(word)


def jointly(word: str, question: str) -> bool:
    """Whether a word says what several are or do to one another: what is "ordered together", who "shares" the most courses.

    Who is somewhere "together with Bob" is there too.
    """
    return word.lower() in _JOINTLY and re.search(rf"\b{word}\b(?! with\b)", question) is not None


def money_deed(question: str) -> str:
    """The verb by which somebody has or gives money: "which band has earned the most from gigs"; else nothing."""
    deed = _HAS_DONE.match(question)
    return deed[1] if deed is not None and root(deed[1].lower()) in _OF_MONEY else ""


def thing_of(word: str, question: str) -> bool:
    """Whether a word is the noun of something: "does the market belong to the town"."""
    return re.search(rf"\b(?:the|an?) {re.escape(word)}\b(?! \w+s?\b of)", question, re.I) is not None


def held(word: str, question: str) -> bool:
    """Whether a noun that is like nothing in the graph is what something has: "households with a bath", "had running water"; or the time that is asked for."""
    return not (means_somebody(singular(word.lower())) or verb_done(word.lower())) and any(
        _HAS.search(question[: m.start()])
        or (_DAY.fullmatch(word) and _ASKED_DAY.search(question[: m.start()]))
        for m in re.finditer(rf"\b{re.escape(word)}\b", question)
    )


def doing(word: str, question: str, nouns: frozenset[str], unlike: Collection[str]) -> bool:
    """Whether a verb that is like nothing in the graph says what those of a type do ("fans waiting for a ticket"), or has an object that is
    like nothing there either ("gave money").
    """
    for match in re.finditer(rf"\b{re.escape(word)}\b", question) if is_deed(word.lower()) else ():
        before, after = _WORD_BEFORE.search(question[: match.start()]), _NEXT.match(question, match.end())
        if word.endswith("ing") and before and before[1].lower() in nouns and not is_state(word.lower()):
            return True
        if after is not None and after[1] in unlike and not is_deed(after[1].lower()):
            return True
    return False


def adds(word: str, question: str) -> bool:
    """Whether a verb that is like nothing in the graph is one of several ("supplied X or lent money to it"), or what a pronoun did ("the
    shows we've shut down").
    """
    return is_deed(word.lower()) and any(
        _AND_DID.search(question[: m.start()]) for m in re.finditer(rf"\b{re.escape(word)}\b", question)
    )


def who_did(word: str, question: str) -> bool:
    """Whether a word stands after "who", where it is what somebody did, though of things it says a state: who "led" the most climbs."""
    return any(_WHO.search(question[: m.start()]) for m in re.finditer(rf"\b{re.escape(word)}\b", question))


def does(word: str, question: str, values: Sequence[Linked], nouns: frozenset[str]) -> bool:
    """Whether a word that is like nothing in the graph stands where it is what was done.

    That is before a time ("exported before 2015"), and where it is what a name did ("who did Ann negotiate with"), or what was done to or at one or a
    type (`nouns` are their first words) in the sentence that asks ("hated Ann", "sank at Oslo", "complained about both Ann and Bob").
    """
    named = {v.start for v in values if v.found}
    for match in re.finditer(rf"\b{re.escape(word)}\b", question):
        after = question[match.end() :]
        deed = _OBJECT.match(after) if _SENTENCE.search(after) is None else None
        done = says_of_name(match, question, values, nouns)
        if deed is not None:
            kind_of = _WORD.match(after, deed.end())
            typed = kind_of is not None and kind_of.group().lower() in nouns
            ends = (deed.end(), deed.start(1), kind_of.end() + 1 if kind_of is not None and typed else -1)
            done |= not named.isdisjoint(match.end() + end for end in ends if end >= 0)
        if done or _TIME.match(after):
            return True
    return False


def says_of_name(word: re.Match[str], question: str, values: Sequence[Linked], nouns: frozenset[str]) -> bool:
    """Whether a word stands where it is what is said of a name, whatever else it may be: "does Ann chair X", "is Ann free", "does the father
    of Ann own a boat", "does the Ledger service write to X" (`nouns`: the first words of types).
    """

    def follows(end: int) -> bool:
        between = question[end : word.start()]
        return between == " " or between.strip().lower() in nouns or _OWN_ONE.fullmatch(between) is not None

    said = word[0].lower()
    led = (_DID, _IS_NAMED, _WHERE_IS, *(() if is_state(said) or said in STAYING else (_WHICH_IS,)))
    return any(
        v.found
        and v.end < word.start()
        and follows(v.end)
        and any(before.search(question[: v.start]) for before in led)
        for v in values
    )


def ordering_deeds(question: str, values: Sequence[Linked]) -> Iterator[str]:
    """The verbs that order where a name stands before them, so that it did them: "what colour did Ann give"."""
    for v in values:
        verb = _WORD.match(question, v.end + 1) if v.found and _DID.search(question[: v.start]) else None
        if verb is not None and verb.group().lower() in _GIVING:
            yield verb.group()


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


_HAS_DONE = re.compile(
    r"\W*(?:who |(?:which|what) (?:[\w-]+ ){1,2}?)(?:has |have |had )?(?:ever )?([\w-]+)\b", re.I
)
_OF_MONEY = frozenset(map(root, "pay paid earn spend spent".split()))
_JOINTLY = frozenset("together jointly mutual mutually share shares shared sharing".split())


def strange_words(unexplained: Sequence[str]) -> tuple[str, ...]:
    """Those of the words that nothing in the graph is like that everyday English does not have: names that are not there."""
    common = word_rank("\0")  # what words have that are not listed
    return tuple(
        w
        for w in unexplained
        if w.isalpha() and min(map(word_rank, _forms(w.lower()))) >= common and not compares(w.lower())
    )


def compares(word: str) -> bool:
    """Whether a word is a degree of an adjective in -y, which names nothing: `pricier`, `bulkiest`."""
    degree = re.fullmatch(r"(\w+)i(?:er|est)", word)
    return degree is not None and f"{degree[1]}y" in dictionary()[0]


def _forms(word: str) -> tuple[str, ...]:
    return tuple(word.removesuffix(ending) for ending in ("", "s", "es", "ed", "d", "ing", "er", "r", "ly"))


NOUN_OF = re.compile(r"\bthe (?:[a-z-]+ )?(?P<noun>[a-z-]+) of (?:the )?[\"'“‘]?$")
NOUN_HAD = re.compile(r"[\"'”’]?['’]s (?:[a-z-]+ )??(?P<noun>[a-z-]+)\b(?! of\b)")


def owned_nouns(question: str, values: Sequence[Linked], called: Mapping[str, Collection[str]]) -> list[str]:
    """The nouns for what a name has: the cubs "of Daisy" are not Daisy. `called`: by the property that names nodes, the nouns of their type.

    >>> daisy = Linked("Daisy", "name", 22, 27, found=(("P:cow.name", ("Daisy",)),))
    >>> owned_nouns("Where are the cubs of Daisy kept?", [daisy], {"P:cow.name": {"cow"}})
    ['cubs']
    """
    nouns = []
    for v in values:
        if not v.found:
            continue
        said = NOUN_OF.search(question, 0, v.start) or NOUN_HAD.match(question, v.end)
        own = {word for owner in v.owners for word in called.get(owner, ())}
        if (
            said
            and singular(said["noun"]) not in set(map(singular, own))
            and not means_something(said["noun"])
        ):
            nouns.append(said["noun"])
    return nouns
