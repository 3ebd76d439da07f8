"""A text in which no graph was found, in plainer words: things as names, verbs of its own as verbs that are known.

This is done only then, since it takes more for nodes and edges than is safe in a text that says them plainly.
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache

from graphtalk.language.nouns import ID, either, nouns, relations, words
from graphtalk.reasoners.graph_agents.passages import pieces

_WORD = r"[a-z]{2,}"
_WITH_ARTICLE = re.compile(rf"\b(?:the|an?) ({_WORD})\b", re.I)
_WITHIN = re.compile(rf"\b(?:in|on|at|of|inside|within) the ({_WORD})\b", re.I)
_JOINING = r"from|between|link(?:s|ing)?|connect(?:s|ing)?|join(?:s|ing)?|wir(?:e|es|ing)|attach(?:es|ing)?|cabl(?:e|es|ing)"
_ENDS = re.compile(rf"\b(?:{_JOINING}) (?:the )?({_WORD}) (?:to|and|into|with) (?:the )?({_WORD})\b", re.I)
_UNTIL = re.compile(
    rf"\bthe ({_WORD}) (?:cannot|can't|must not|may not) [a-z ]{{1,20}}?(?:until|unless|before) (?:the )?({_WORD})\b",
    re.I,
)
_VERBED = re.compile(
    rf"(?:^|[.:;,]\s+|\n|\band )({_WORD}) ([a-z]+s(?: (?:with|to|on|into))?) ({_WORD}(?:(?:, | and |, and ){_WORD})*)(?=\s*(?:[.,;\n]|$|and\b))"
)
_PAIRED = re.compile(rf"\bthe ({_WORD}) and the ({_WORD})\b", re.I)
_BEFORE = re.compile(
    rf"\bthe ({_WORD}) (?:must|should|needs? to|has to|have to|can only|may only|is|are|comes?|goes|happens)\b[a-z ]{{0,25}}? (?:before|after) (?:the )?({_WORD})\b",
    re.I,
)
_FIRST = re.compile(
    rf"\bbefore (?:you|one|we|they) (?:can )?{_WORD} (?:the |an? )?({_WORD}),? (?:you|one|we|they) (?:first )?(?:must|should|needs? to|has to|have to)"
    rf" (?:first )?{_WORD} (?:the |an? )?({_WORD})\b",
    re.I,
)
_OBJECTS = re.compile(  # "Ira can do welding and paint"
    rf"[A-Z]\w+ (?P<verb>(?:can |may |could |wants? to )?(?:[a-z]+s|do|speak|teach|play|take|fill|cover|drive|repair|use)) (?P<things>{_WORD}(?:(?:, | and | or |, and |, or ){_WORD})*)(?=\s*(?:[.;\n]|$))"
)
_PARTICIPLE = re.compile(
    r"\b((?:must|should|needs? to|has to|have to|can only|may only|is|are)) [a-z ]{1,25}?\b(before|after)\b"
)
_NO_THINGS = frozenset(
    "graph network following pattern path order cycle is has and with to must can needs from depends before after that which in of on or are "
    "have was were left right start finish end one two three all any each every other others the this these those it "
    "its them him her some same first last next both there here where what who".split()
)
_SHORT = frozenset("a an as at be by do go he if in is it me my no of on or so to up us we am i".split())
_SMALL = re.compile(r"[a-z][a-z'’-]*|\d[\d.]*")
_MOST = 2_000  # sentences in which things are looked for
_LED = re.compile(rf"\b(?P<lead>[A-Za-z]+) (?P<one>{ID}) (?P<to>to|into|with) (?:the )?(?P<other>{ID})")
_ENDED = frozenset("from between".split())
_EITHER = re.compile(r"(?:link|connect|join|attach|cabl|wir)\w*", re.I)
_VERB = re.compile(
    rf"(?P<left>{ID}),? (?P<verb>(?:[a-z]+(?:s|ed)|wrote|met|went|sang|sat|rode|ran|spoke|fought|made|took|saw|lent|built)(?: [a-z]+){{0,2}}) (?=(?:[a-z]+ )?[A-Z])"
)
_COSTS = re.compile(
    rf"(?<!from )(?P<ends>\b(?:[A-Za-z][a-z]+ )?{ID} to (?:[a-z]+ )?{ID}) (?=(?:uses|takes|costs|is|has|needs|requires|spans|measures|carries|charges|wants) [a-z ]{{0,20}}\d)"
)
_ENDS_NEXT = re.compile(rf"(?<=from ){ID} (?:in)?to ")  # "a plane goes from A to B"
_SO_ARE = re.compile(  # "Vic and Wendy are friends, and so are Wendy and Tom"
    rf"\bare (?P<how>[a-z][^.,;\n]{{2,60}}?),? (?:(?:and )?so are|(?:just )?as are) (?P<pair>(?:the )?{ID} and (?:the )?{ID})(?=\s*(?:[.,;\n]|$))"
)
_ONLY = re.compile(r"\b(is|are) (?:only|just|solely) (?=(?:friends|connected|linked|joined|adjacent)\b)")
_JOINERS = re.compile(
    r"\b[A-Za-z]+s (?:join|connect|link) [^.;:\n]+"
)  # "cables join server 1 to server 2, server 2 to …"
_NO_VERBS = frozenset("is was has its as this does says costs takes nodes edges".split())
_EITHER_WAY = re.compile(r"\b(?:with|next to|beside|opposite|alongside|near|against)$")


def with_things(text: str) -> str:
    """The text with things as names: `the hall` as `Hall`, `package core` as `package Core`.

    Things are words with an article that stand there twice or more, ends of two or more ways or pairs, what comes before
    something else, and words behind the noun of nodes where several stand so.
    """
    found = _things(text)
    if not found:
        return text
    either = "|".join(sorted(found, key=len, reverse=True))
    text = re.sub(rf"\b(?:{either})\b(?!-)", lambda m: m[0].capitalize(), text)
    return re.sub(rf"\bThe (?=(?i:{either})\b)", "the ", text)  # no part of a name


def _things(text: str) -> set[str]:
    common = words("nodes") | words("edges") | words("weights") | _NO_THINGS
    counts = Counter(
        m[1].lower() for m in _WITH_ARTICLE.finditer(text) if not _of_edges().match(text, m.end())
    )
    for word, often in Counter(m[1].lower() for m in _WITHIN.finditer(text)).items():
        if counts[word] == often:
            del counts[word]  # "in the rack", wherever it stands
    found = {word for word, count in counts.items() if count > 1 and word not in common}
    for pattern, least in ((_ENDS, 2), (_PAIRED, 2), (_BEFORE, 1), (_FIRST, 2), (_UNTIL, 2)):
        pairs = [(m[1].lower(), m[2].lower()) for m in pattern.finditer(text)]
        if len(set(pairs)) >= least:
            found |= {word for pair in pairs for word in pair}
    verbed = [m.groups() for m in _VERBED.finditer(text)]
    often_said = Counter(verb for _, verb, _ in verbed)
    found |= {
        word
        for one, verb, other in verbed
        for word in (one, *re.split(r", and | and |, ", other))
        if often_said[verb] > 2 and verb.split()[0] not in _NO_VERBS
    }
    objects = [m for m in _OBJECTS.finditer(text) if m["verb"].split()[-1] not in _NO_VERBS]
    listed = [(m["verb"], re.split(r",? and |,? or |, ", m["things"].lower())) for m in objects]
    often_done = Counter(verb for verb, _ in listed)
    often_named = Counter(word for _, things in listed for word in things)
    if any(count > 1 for count in often_named.values()):
        found |= {word for verb, things in listed if often_done[verb] > 1 for word in things}
    found |= (
        {m[1].lower() for m in _without_edges().finditer(text) if m[1].lower() not in common}
        if found
        else set()
    )
    numbered = [(m[1].lower(), m[2]) for m in _after_noun().finditer(text)]
    for noun in {noun for noun, _ in numbered}:
        called = Counter(name for other, name in numbered if other == noun and name not in common)
        heads = {
            m[1] for m in re.finditer(rf"(?:^|[.!\n]\s*){noun.title()} ([a-z]{{2,}}) [a-z]+", text)
        } - common
        if len(called) >= 3 and (sum(count > 1 for count in called.values()) >= 2 or len(heads) >= 3):
            found |= set(called)
    found = {word for word in found - _NO_THINGS if len(word) > 2 or word not in _SHORT}
    return _with_alike(text, found) if len(found) > 1 else found


def _with_alike(text: str, found: set[str]) -> set[str]:
    """These things, and the words that stand where they do in sentences which are otherwise alike."""
    sentences = [_SMALL.findall(piece.lower()) for piece in pieces(text) if not piece.endswith("?")][:_MOST]
    common = words("nodes") | words("edges") | words("weights") | _NO_THINGS | _SHORT
    holding: dict[str, list[Sequence[str]]] = {}
    for sentence in sentences:
        for word in {*sentence} - common:
            if word.isalpha():
                holding.setdefault(word, []).append(sentence)
    while True:
        frames = {frame for s in sentences if (frame := _frame(s, found)).count("") > 1}
        more = {w for w in holding if w not in found and _stands_alike(w, holding[w], found | {w}, frames)}
        if not more:
            return found
        found = found | more


def _stands_alike(
    word: str, holding: Sequence[Sequence[str]], things: Collection[str], frames: Collection[tuple[str, ...]]
) -> bool:
    """Whether a word stands where things do in one of the frames, or at two places of a frame of its own."""
    places: dict[tuple[str, ...], set[int]] = {}
    for sentence in holding:
        if (frame := _frame(sentence, things)).count("") > 1:
            places.setdefault(frame, set()).add(sentence.index(word))
    return any(frame in frames or len(at) > 1 for frame, at in places.items())


def _frame(sentence: Sequence[str], things: Collection[str]) -> tuple[str, ...]:
    """The words of a sentence without its things and numbers."""
    return tuple("" if word in things else "0" if word[0].isdigit() else word for word in sentence)


@cache
def _without_edges() -> re.Pattern[str]:
    """A thing of which is only said that nothing leads there: "the cellar has no door"."""
    return re.compile(
        rf"\bthe ({_WORD}) (?:(?:has|have|is|are|had|was) (?:[a-z]+ ){{0,5}}?(?:no|not|without)\b|lacks)[^.\n]{{0,30}}?\b(?:{either('edges')}|connected|linked|joined)\b",
        re.I,
    )


@cache
def _of_edges() -> re.Pattern[str]:
    return re.compile(rf" {either('edges')}\b")  # "a patch cable"


@cache
def _after_noun() -> re.Pattern[str]:
    singulars = "|".join(nouns()["nodes"].split())
    return re.compile(rf"\b((?i:{singulars})) ({_WORD})\b")


@cache
def _known() -> re.Pattern[str]:
    """Verbs that the grammar of sentences has, with the way in which they lead."""
    return re.compile("|".join(verb for verbs in relations().values() for verb in verbs))


@cache
def _of_nodes() -> re.Pattern[str]:
    return re.compile(rf"\b{either('nodes')} (?={ID}(?: (?:to|with|and)\b|[,.;]|$))")


def plain_verbs(text: str, past: bool = False) -> str:
    """The text with verbs of its own, which join names twice or more, as "links to" or "is connected to".

    `past`: also what was done, which may be another story in a text that tells of edges by other words.

    >>> plain_verbs("Al helps Bo, Bo helps Cy.")
    'Al links to Bo, Bo links to Cy.'
    """
    text = _SO_ARE.sub(r"are \g<how>. \g<pair> are \g<how>", text)
    text = _ONLY.sub(r"\1 ", text)
    text = _JOINERS.sub(lambda m: _of_nodes().sub("", m[0]).replace(" with ", " to "), text)
    text = _FIRST.sub(r"\2 must be done before \1", text)
    text = _PARTICIPLE.sub(r"\1 be done \2", text)
    text = _with_ends_told(text)
    text = _COSTS.sub(lambda m: f"from {m['ends'][0].lower()}{m['ends'][1:]} ", text)
    counts = Counter(m["verb"] for m in _VERB.finditer(text))
    verbs = {
        verb
        for verb, count in counts.items()
        if count > 1 and (one := verb.split()[0]) not in _NO_VERBS and (past or one.endswith("s"))
    }

    def plainly(m: re.Match[str]) -> str:
        if m["verb"] not in verbs or _known().fullmatch(m["verb"]) or _ENDS_NEXT.match(m.string, m.end()):
            return m[0]
        return f"{m['left']} {'is connected to' if _EITHER_WAY.search(m['verb']) else 'links to'} "

    return _VERB.sub(plainly, text)


def _with_ends_told(text: str) -> str:
    """The text with `from` before ends that stand behind the same word twice or more: "You can fly A to B", "the pipe A to B".

    >>> _with_ends_told("You can fly Oslo to Rome. You can fly Rome to Bonn.")
    'You can fly from Oslo to Rome. You can fly from Rome to Bonn.'
    """
    told = [
        m
        for m in _LED.finditer(text)
        if m["lead"].lower() not in _ENDED and m["one"][0] != m["one"][0].lower()
    ]
    counts = Counter(m["lead"].lower() for m in told)
    both = words("both_ways")

    def between(m: re.Match[str]) -> str:
        lead = m["lead"].lower()
        if counts[lead] < 2 or lead in _ENDED | words("nodes"):
            return m[0]
        if m["to"] == "with" or lead in both or _EITHER.fullmatch(lead):
            return (
                f"{m['lead'] if not _EITHER.fullmatch(lead) else 'edge'} between {m['one']} and {m['other']}"
            )
        return f"{m['lead']} from {m['one']} {m['to']} {m['other']}"

    return _LED.sub(between, text)
