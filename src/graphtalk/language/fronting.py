"""Questions in their usual order: "X has which genre" asks "which genre does X have", "in 1999, who wrote Y" "who wrote Y in 1999"."""

import re
from collections.abc import Iterator

_WH = r"(?:(?:in|into|at|to|of|from|by|with|under|on|for|before|after) )?(?:which|what|whom?|how many|how much|how often|where|when)\b"
_SAID_FIRST = re.compile(
    r"(?P<at>of all(?: of)?(?: the)?|out of(?: all)?(?: the)?|among(?: all)?(?: the)?|of the"
    rf"|(?:going |judging )?by|in|at|on|from|within|during|since|before|after|together with|beside|besides|with) (?P<of>.+), (?P<asks>{_WH}.+)",
    re.I | re.S,
)
_OF_TWO = re.compile(r"(?P<two>[^,;:?]+ or [^,;:?]+?)(?: [-–—]|:|,) (?P<asks>(?:who|which|what)\b.+)", re.I)
_EXCEPT = re.compile(r"(?:apart from|besides|except for|other than|aside from|beside) (?P<but>.+), (?P<wh>(?:in |at |to |on )?(?:which|how many|what)) (?P<asks>.+)", re.I)  # fmt: skip
_BETWEEN = re.compile(r"(?P<asks>(?:which|what|how many) [^,]+), (?P<but>(?:other than|apart from|except(?: for)?|besides) .+), (?P<rest>.+)", re.I)  # fmt: skip
_LEAVES_OUT = re.compile(  # "List the books. Leave out those of Ann.", "how many books are there, not counting those of Ann"
    r"(?P<asks>[^.?!;]+)(?:[.?!;] (?:but )?(?:please )?(?:leave out|exclude|ignore|skip|omit|disregard|(?:don't|don’t|do not) (?:count|include|list|show))"
    r" (?P<these>[^.?!;]+)|, (?:but )?(?:leaving out|ignoring|skipping|omitting|disregarding|(?:not|without) (?:counting|including)) (?P<those>[^.?!;,]+)"
    r"|(?<= are there),? (?:except(?: for)?|excluding|apart from|other than|besides) (?P<rest>[^.?!;,]+))",
    re.I,
)
_THERE = re.compile(r" (?:are there|are there in all|do we have|do you have|are listed|are known)$", re.I)
_SPLIT = re.compile(r"that (?P<did>.+)", re.I)
_VERBS = ("is", "are", "was", "were", "has", "have", "had", "did", "does", "do")
_HAS_MOST = re.compile(r"(?P<who>.+ (?:the )?(?:most|fewest))(?: of (?:them|these))?", re.I)
_PARTITIVE = ("of", "out of", "among")
_TAKEN = re.compile(
    rf"(?:take|consider|look at|think of|given) (?P<of>.+)[.;:] (?P<asks>{_WH}.+?)\b(?:them|these|those)(?P<rest>\b.*)",
    re.I | re.S,
)
_THESE = re.compile(r"(?P<told>(?:the )?same .+): which (?P<kind>[\w -]+) (?:is|are) (?:these|those|this|that|it)", re.I | re.S)  # fmt: skip
_RESULT = re.compile(r"\s*[:;,] (?:what is|what's|give) the (?:result|answer|outcome)$", re.I)
_ASIDE = re.compile(r",? (?:itself|himself|herself) included$", re.I)
_EXCLUDES = re.compile(r"\b(?:same|other|else)\b", re.I)  # then what is asked for is without itself
_COMMON = re.compile(r"(?P<what>.+?) (?:is|are) (?:common to|shared by) (?P<one>.+) and (?P<others>which (?:other )?.+)", re.I | re.S)  # fmt: skip
_ASKS_LAST = re.compile(
    r"(?P<said>.+?) (?P<at>(?:(?:in|into|at|to|of|from|by|with|under|on|for|before) )?)(?P<wh>(?:which|what|how many) .+?)"
    r"(?P<tail>(?:,? (?:most often|most frequently|most commonly|in all|in total|altogether|together|by (?:its|their) \w+)|, by [\w ]+)?)",
    re.I | re.S,
)
_ASKING = re.compile(
    rf"\s*(?:{_WH}|who|whose|is|are|was|were|do|does|did|has|have|had|can|could|list|name|show|give|find|tell|count|say|average|why|how)\b",
    re.I,
)
_STATES = re.compile(
    r"(?<!that )(?<!who )(?<!which )\b(?:is|are|was|were|am)\b", re.I
)  # "our staff are in Rome"
_WITH_WHICH = re.compile(
    r"with which (?P<kind>[\w -]+?) (?:do|does|did) (?P<one>.+) (?:(?:have|share) (?P<what>.+) in common)",
    re.I | re.S,
)
_BY_ITS = re.compile(
    r"(?P<asks>name|give|list|state|find|what is) (?P<of>the [\w -]+), (?:by|with|that is,?) (?:its|his|her|their) (?P<what>[\w -]+), (?P<rest>.+)",
    re.I | re.S,
)
_LISTED = re.compile(
    r"(?:does|do) the (?:catalogue?|database|data|graph|list|register|records?) (?:list|have|give|show|record|know) (?P<one>.+) as (?P<what>an? .+)",
    re.I | re.S,
)
_THAT_IS = re.compile(
    rf"^\s*(?:where|when|who|how), that is,? (?P<asks>{_WH}.+)", re.I | re.S
)  # what is asked is said twice
_BY = re.compile(r", by (?P<what>[\w-]+)", re.I)
_OFTEN = re.compile(
    r" (?P<be>is|are|was|were) (?P<often>most often|most frequently|most commonly|usually|mostly|\w+)$", re.I
)
_DONE_LAST = re.compile(rf"(?P<asks>{_WH} .*\b(?:do|does|did) .+) (?P<verb>\w+)", re.I)
_QUOTED = re.compile(r'"[^"]*"')
_GIVE = re.compile(
    r"(?P<asks>[^?]+)\? (?:give|name|list|state|say)(?: me)?(?: all)?(?: the| its| their)? (?P<what>[\w -]+)",
    re.I,
)
_ORDER = r"(?:give|name|list|state|say|show|return|find|report|output|print|tell me|and show|also show)"
_THEN_TOLD = re.compile(
    rf"(?P<asks>[^?.!]+)[?.!] {_ORDER}(?: me)?(?: all| both)?(?: of)?(?: the| its| their| his or her| his| her)? (?P<what>[^?.!]+)",
    re.I,
)
_THEN_ORDERED = re.compile(r"(?P<asks>[^?.!]+)[?.!] (?:order|sort|rank)(?: them| it| the \w+)?(?P<by> (?:by|in) [^?.!]+)", re.I)  # fmt: skip
_NOUN_FIRST = re.compile(r"(?:which|what) (?P<of>.+)", re.I)
_LISTS = re.compile(rf"{_ORDER}(?: me)?(?: all| any)?(?: of)?(?: the)? (?P<of>.+)", re.I)
_ASKS_OF = re.compile(
    rf"(?P<wh>{_WH})(?: (?P<noun>[\w-]+))? (?:is|are|was|were|do|does|did|has|have) (?P<of>.+)", re.I
)
_STOPS = re.compile(
    r"(?<=[\w)\]\"][a-z0-9)\]\"])[.?!] (?=[A-Z\"])|[:;] "
)  # a sentence ends, or a name is given apart


def fronted(question: str) -> Iterator[str]:
    """The question in its usual order, in each way that it may be put so; nothing where it is in that order.

    >>> list(fronted("The books of Ann have which genre most often?"))
    ['which genre do The books of Ann have most often?', 'what is the genre of The books of Ann most often?']
    >>> list(fronted("In 1999, how many people wrote a book?"))
    ['how many people wrote a book in 1999?']
    >>> list(fronted("Of all the books of Ann, which was published first?"))
    ['which books of Ann was published first?', 'which of the books of Ann was published first?']
    >>> list(fronted("The book of Ann was printed in which town?"))
    ['in which town was The book of Ann printed?', 'which town do The book of Ann was printed in?']
    >>> list(fronted("Take all books of Ann. Which publisher has most of them?"))
    ['Which publisher has most of all books of Ann?']
    >>> list(fronted("Ann or Bo - who wrote more books?"))
    ['who wrote more books, Ann or Bo?']
    >>> list(fronted("Which clerks have two desks? List their names and ages."))
    ['show the names and ages of the clerks that have two desks?', 'show the names and ages of the clerks have that two desks?', 'show the names and ages of the clerks have two that desks?']
    >>> list(fronted("List the clerks of Ann. Order by age."))
    ['List the clerks of Ann, ordered by age?']
    >>> list(fronted("How many books are there? Don't count those of Ann."))
    ['How many books excluding those of Ann are there?']
    >>> list(fronted("codes of the books of Ann"))
    ['list codes of the books of Ann']
    >>> list(fronted("Who wrote the book of Ann?"))
    []
    """
    text = _THAT_IS.sub(lambda m: m["asks"].replace(",", "", 1), question.rstrip(" \t\n?!."))
    plain = _RESULT.sub("", text)
    if not _EXCLUDES.search(plain):
        plain = _ASIDE.sub("", plain)
    found = list(_reordered(plain))
    yield from (f"{each}?" for each in found or ([plain] if plain != question.rstrip(" \t\n?!.") else []))
    if not found and not _ASKING.match(plain) and not _STATES.search(plain):
        yield f"list {plain}"


def _reordered(text: str) -> Iterator[str]:
    quoted = _QUOTED.findall(text)
    if match := _OF_TWO.fullmatch(text):
        yield f"{match['asks']}, {match['two']}"
    elif match := _LEAVES_OUT.fullmatch(_QUOTED.sub('""', text)):
        asks, there = _THERE.subn("", match["asks"])
        but = match["these"] or match["those"] or match["rest"]
        yield _quoting(f"{asks} excluding {but}{' are there' if there else ''}", quoted)
    elif match := _THEN_ORDERED.fullmatch(_QUOTED.sub('""', text)):
        yield _quoting(f"{match['asks']}, ordered{match['by']}", quoted)
    elif match := _GIVE.fullmatch(_QUOTED.sub('""', text)):
        if " and " not in match["what"]:
            yield from _given(match, quoted)
        yield from _told_of(match, quoted)
    elif match := _THEN_TOLD.fullmatch(_QUOTED.sub('""', text)):
        yield from _told_of(match, quoted)
    elif match := _TAKEN.fullmatch(text):
        yield f"{match['asks']}{match['of']}{match['rest']}"
    elif match := _LISTED.fullmatch(text):
        yield f"is {match['one']} {match['what']}"
    elif match := _THESE.fullmatch(text):
        yield f"which {match['kind']} have {_with_the(match['told'])}"
    elif match := _WITH_WHICH.fullmatch(text):
        yield f"which {match['kind']} have {match['what']} in common with {match['one']}"
    elif match := _BY_ITS.fullmatch(text):
        yield f"{match['asks']} the {match['what']} of {match['of']} {match['rest']}"
    elif match := _BETWEEN.fullmatch(text):
        yield f"{match['asks']} {match['rest']} {match['but']}"
        yield f"{match['asks']} {match['but']} {match['rest']}"
    elif match := _EXCEPT.fullmatch(text):
        noun, _, rest = match["asks"].partition(" ")
        yield f"{match['wh']} {match['asks']} other than {match['but']}"
        yield f"{match['wh']} {noun} other than {match['but']} {rest}"
        if text.lower().startswith("beside "):  # what is listed beside it is listed with it
            yield f"{match['wh']} {match['asks']} with {match['but']}"
    elif match := _SAID_FIRST.fullmatch(text):
        yield from _said_last(match)
    elif not _ASKING.match(text) and not _STOPS.search(_QUOTED.sub('""', text)):
        if match := _COMMON.fullmatch(text):
            yield f"{match['others']} have {match['what']} in common with {match['one']}"
        elif match := _ASKS_LAST.fullmatch(text):
            yield from _asks_first(match)


def _given(match: re.Match[str], quoted: list[str]) -> Iterator[str]:
    """ "To which office does X belong? Give the number.": the number of the office of X, or of X itself."""
    asks = _ASKS_OF.fullmatch(match["asks"])
    if asks is not None and asks["noun"]:  # "in which language are they? Give the code."
        told = f"{match['asks'][: asks.end('noun')]} {match['what']}{match['asks'][asks.end('noun') :]}"
        yield _quoting(told, quoted)
    words = asks["of"].split(" ") if asks is not None else []
    for cut in range(min(3, len(words))):
        if not all(word.islower() for word in words[len(words) - cut :]):
            return
        named = " ".join(words[: len(words) - cut])
        for of in (*([f"the {asks['noun']} of {named}"] if asks is not None and asks["noun"] else []), named):
            yield _quoting(f"what is the {match['what']} of {of}", quoted)


def _told_of(match: re.Match[str], quoted: list[str]) -> Iterator[str]:
    """ "Which clerks have two desks? List the name and age.": the name and age of the clerks that have two desks, wherever the noun ends."""
    listed, asked = _LISTS.fullmatch(match["asks"]), _NOUN_FIRST.fullmatch(match["asks"])
    if listed is not None:
        yield _quoting(f"show the {match['what']} of the {listed['of']}", quoted)
    words = asked["of"].split(" ") if asked is not None else []
    for cut in range(1, min(4, len(words))):
        noun, said = " ".join(words[:cut]), " ".join(words[cut:])
        yield _quoting(f"show the {match['what']} of the {noun} that {said}", quoted)


def _quoting(told: str, quoted: list[str]) -> str:
    """A text with what it quotes in its places."""
    for text in quoted:
        told = told.replace('""', text, 1)
    return told


def _said_last(match: re.Match[str]) -> Iterator[str]:
    """A question after what it is about: "of all books of Ann, which was published first"."""
    at, of, asks = match["at"].lower(), match["of"], match["asks"]
    wh, _, rest = asks.partition(" ")
    partitive = at.startswith(_PARTITIVE)
    wh = "which" if partitive and wh.lower() in ("who", "whom") else wh
    did = _SPLIT.fullmatch(of)
    if partitive and did is not None:  # "of all that Ann wrote, which book is ..."
        noun, _, rest = rest.partition(" ")
        yield f"{wh} {noun} that {did['did']} {rest}"
    elif partitive and (
        most := _HAS_MOST.fullmatch(asks)
    ):  # "of all books of Ann, which publisher has the most"
        yield f"{most['who']} {of}"
    elif partitive and rest.split(" ")[0] in _VERBS:
        yield f"{wh} {of} {rest}"
        yield f"{wh} of the {of} {rest}"
    elif at in ("beside", "besides"):
        yield f"{asks} with {of}"
    else:
        yield f"{asks} {at} {of}"
        if at.endswith("by"):
            yield f"{asks}, by {of}"
        if (done := _DONE_LAST.fullmatch(asks)) is not None:  # "in 1999, from which house do most books come"
            yield f"{done['asks']} {at} {of} {done['verb']}"


def _asks_first(match: re.Match[str]) -> Iterator[str]:
    """A statement whose last phrase asks: "X has which genre", "X is in which country"."""
    said, at, wh, tail = (match[name] for name in ("said", "at", "wh", "tail"))
    subject, _, verb = said.rpartition(" ")
    last = f"{f' {at.strip()}' if at.strip() else ''}{tail}"
    if not subject:
        return
    by = _BY.fullmatch(tail)
    if by is not None:  # "in which language, by code"
        wh, tail, last = f"{wh} {by['what']}", "", last.removesuffix(tail)
    often = _OFTEN.search(said)
    if (
        often is not None
    ):  # "the books of Ann are most often in which language", "the book was printed in which town"
        yield f"{at}{wh} {often['be']} {said[: often.start()]} {often['often']}{tail}"
        if often["often"].endswith(("often", "frequently", "commonly", "usually", "mostly")):
            yield f"{wh} do {said[: often.start()]} have {often['often']}{tail}"
    if verb.lower() in ("is", "are", "was", "were"):
        yield f"{wh} {verb} {subject}{last}"
        if at.strip():
            yield f"{at}{wh} {verb} {subject}{tail}"
        return
    yield f"{wh} do {said}{last}"
    if verb.lower() in ("has", "have", "had") and not at.strip() and not wh.lower().startswith("how"):
        yield f"what is the {wh.partition(' ')[2]} of {subject}{last}"


def _with_the(told: str) -> str:
    return told if told.lower().startswith("the ") else f"the {told[0].lower()}{told[1:]}"
