"""What the words of a question say that a reading, as it is told, does not: nouns, amounts, orders, opposites.

Each function gives the words that were left out, as they are shown.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from graphtalk.core.abbreviations import written_as
from graphtalk.core.people import means_somebody
from graphtalk.core.text import NUMBER_WORDS
from graphtalk.language.dictionary import dictionary, is_bare, verb_done, verb_of, verbs
from graphtalk.language.english import stem as english_stem
from graphtalk.language.english import thesaurus
from graphtalk.language.kinds import asked_part
from graphtalk.language.leading import ORDERS
from graphtalk.language.measures import adjectives, base_of
from graphtalk.language.nouns import plural, singular
from graphtalk.language.people import is_person, sexes
from graphtalk.language.periods import PERIODICAL
from graphtalk.language.units import per_unit, units
from graphtalk.reasoners.around.names import agents, root
from graphtalk.reasoners.phrases.staying import stays
from graphtalk.reasoners.reader.confidence import means_something
from graphtalk.reasoners.reader.linking import Linked
from graphtalk.reasoners.reader.shape import spoken
from graphtalk.reasoners.reader.words import stem

_STAYS = re.compile(
    r"(?<!\bhas )(?<!\bhad )(?<!\bhave )\b(?:(?P<there>work(?:s|ed|ing)?|live[sd]?|living) (?:in|at)\b"
    r"|(?:(?<=\bwhere\b)|(?<=^in which)|(?<=^in what)|(?<=^on which)|(?<=^at which))[^,;]*? (?P<where>works?|worked|working|live[sd]?|living)\W*$)",
    re.I,
)
_LIFE = (  # what a reading says of a place, what asks for that, and what is told to be missing
    (re.compile(r"birth ?place|place of birth|born in", re.I), re.compile(r"\b(?:born|birth\w*|native|from|com(?:e|es|ing)|hail\w*|origin\w*)\b", re.I), "in"),
    (re.compile(r"death ?place|place of death|died in", re.I), re.compile(r"\b(?:die[sd]?|dying|dead|death\w*|deceased|buried)\b", re.I), "in"),
)  # fmt: skip
_FIRST = re.compile(  # "the first motion that ...", "did X last visit"; the first three are any, and what lasts has no order
    r"(?<![\w-])(first|last)\b(?!-)(?! (?:\d|names?\b|times?\b|few|couple|ones?\b|two|three|four|five|ten|days?\b|weeks?\b|months?\b|years?\b|decade|century"
    r"|longer|shorter|more|less|over|at\b|between|for\b|from\b|under|about))",
    re.I,
)
_HOW_LONG = re.compile(r"\W*how long\b", re.I)
_ORDERED = re.compile(
    r"\b(?:first|last|smallest|largest|earliest|latest|lowest|highest|minimum|maximum|least|most|ordered)\b",
    re.I,
)
_WHO = re.compile(r"\W*(whose|who)\b", re.I)
_WHAT_WAS = re.compile(r"\W*what (?:was|were|did|does|do|has|had) ", re.I)
_LED_BY = re.compile(
    r"\b(?:in|from|of|by|with|for|at|on|within|named|called|than|has|have|had|owns?) (?:(?:the|an?|any) )?[\"'“‘]?$",
    re.I,
)
_OTHER_THAN = re.compile(r"\b(?!earlier|later)([a-z]{3,}er) than(?= \d)", re.I)
_MANY_PEOPLE = re.compile(r"\W*how many (people|persons|inhabitants|residents|citizens)\b", re.I)
_HOW = re.compile(r"\W*how\b", re.I)
_FLAG = re.compile(r"(?:is|has) ([\w]+) of ")
_WHAT = re.compile(r"\W*(?:what|which|who)\b", re.I)
_BEFORE = re.compile(r"\b(before|after) (?:the )?[\"'“‘]?$", re.I)
_MOST_OF = re.compile(r"\b(?:most|fewest|least) [\"'“‘]?$", re.I)
_OF_EITHER_SEX = frozenset({"parent", "child", "sibling", "spouse"})
_KIN = frozenset(
    "mother father son daughter brother sister grandmother grandfather aunt uncle niece nephew wife husband".split()
)
MANY_DONE = re.compile(
    r"\b(?:how many|how much|number of|amount of) (?P<noun>[\w-]+) (?:in (?:total|all) |altogether )?(?:were|was|are|is|have been|has been|had been) (?P<done>[\w-]+)",
    re.I,
)
_NUMBER_OF = re.compile(r"(?:the )?number of (?:the )?(.+)")
_HOW_MUCH = re.compile(r"\W*how (?:many|much) ", re.I)
_HOW_MANY = re.compile(r"\W*how many ", re.I)
_DOES_MANY = re.compile(
    r"\W*(?:how many|which|what) [\w -]+? (?:does|do|did) .+['’]s? ([\w-]+) ([\w-]+)", re.I
)
_COUNTED_SO = re.compile(r"\b(?:number|count|total|sum|how many|each|by)\b")
_AUXILIARY = re.compile(r"e?s? (?:do|does|did|is|are|was|were|has|have|had)\b", re.I)
_THAN = re.compile(
    r"\bthan\b|\bor (?:more|fewer|less|later|earlier)\b|\b(?:once|any|no) (?:more|longer)\b", re.I
)
_COMPARED = re.compile(
    r"\b(?:largest|smallest|above|below|least|most|more|fewer|larger|smaller|ordered|minus)\b"
)
_AMOUNTS = ("more", "fewer", "less", "better", "worse")
_MORE = re.compile(r"\b(?:more|fewer|less|worse|\w{2,}er)\b", re.I)
_IS_IN = re.compile(r"\b(?:is|are|was|were)(?: not|n[’']t)? in (?:an?|any|no)\b", re.I)
_AGAINST = re.compile(r"\b(?:against|versus|vs|anti|oppos\w*|object\w*|reject\w*|contra\w*)\b", re.I)
_WISHED = re.compile(
    r"\b(?:who|(?:which|what)(?: \w+){1,2})\s+(?:also\s+)?(likes?|liked|knows?|knew|sees?|saw|wants?|wanted)\b(?! to\b)"
    r"|\b(?:do|does|did)\s+(?!you\b|we\b|i\b).+?\b(like|know|see|want)\b(?! to\b)",
    re.I,
)
_LISTED = re.compile(rf"\W*(?:{'|'.join(ORDERS)})(?: me)? the (?:names of (?:the )?)?([\w-]+)\b", re.I)
_MOST = re.compile(r"(?<!\bat )\b(?:most|fewest|least|highest|lowest|largest|smallest|greatest)\b", re.I)
_MOST_COUNTED = re.compile(
    r"\b(?:most|fewest|(?:highest|largest|greatest)(?= number)) (?:number of )?([\w-]+)\b", re.I
)
_MOST_TOLD = re.compile(r"\bwith the (?:most|fewest|(?:largest|smallest) number of)(?: of:| different)? ")
_TOP = re.compile(r"\b(?:top|bottom|best|worst)\b", re.I)
_TOP_NOUN = re.compile(rf"{_TOP.pattern} (?:(?:\d+|{'|'.join(NUMBER_WORDS[1:])}) )?(\w+)", re.I)
_THAT_ARE = re.compile(
    r"\b(?:that|who|which) (?:are|is|were|was) (?:also )?(?:an? |the )?([a-z]{4,})(?= (?:in|of|on|for|at|to|with)\b)"
)
_SUPERLATIVE = re.compile(r"\b(?:most|fewest|least|\w+est)\b(?<!best)", re.I)
_BY_MOST = re.compile(r"\bwith the (?:largest|smallest|most|fewest|earliest|latest) (?:number of )?(.+)")
_HOW_OLD = re.compile(r"\W*how old\b", re.I)
_OF_AGE = re.compile(r"\b(?:age|aged|old|years (?:from|between|since)|lived)\b")
_WORD = re.compile(r"\w+")
_SUPERLATIVE_OF = re.compile(r"\b(?P<most>[a-z]{3,}est) (?P<noun>\w+)", re.I)
_WHOSE_IS = re.compile(r"\W*whose [\w-]+ (?:is|was) [\"'“‘]?(?P<name>.+?)\W*$", re.I)
_WHOM_DOES = re.compile(
    r"\W*(?:whom?|which \w+|what) (?:does|did|do) [\"'“‘]?(?P<name>.+?)[\"'”’]? (?P<verb>\w+)\W*$", re.I
)
_ALL_OF = re.compile(
    r"(?<![\w'’])(?P<before>[\w'’]+),? (?P<all>all|every)(?: of)?(?: the| these| those| their| its)? (?=[a-z])",
    re.I,
)
_ONE_OF_EVERY = re.compile(
    r"\b(?:one|a|an|any|some|every|each) (?:[\w-]+ ){0,2}?(?:of|from|for|in) (every|each|all)\b", re.I
)
_BEING = frozenset("are is was were".split())
_BEING_THEN = re.compile(
    r"\b(?:is|are|was|were|been) (?:still |already )?(?P<state>\w+) (?:on|in|at|during|by)\b[^?.!,;]{0,12}\d",
    re.I,
)
_WITH_DATE = re.compile(r"\b\d{4}\b")
_WHAT_ALONE = re.compile(r"\W*(?:what|which|who|where|how)\W*", re.I)
_OF_EVERY = frozenset("and or of across for over than per".split()) | frozenset(ORDERS)
_OF_ALL = (
    frozenset(  # what stands before "all" where no more is meant than without it: "list all", "the average of all"
        "and or of are is was were across for among over within between than that at above after before includes including count us me for per".split()
    )
    | frozenset(ORDERS)
)
_FORMERLY = re.compile(
    r"\b(?<!day )(?<!year )(before|beforehand|originally|initially|at first|back then)\W*$", re.I
)
_TOOK_TO = re.compile(
    r"\b(?:take|takes|took|taken|taking)\b[^.?!,;]{0,80}? to (?!the\b|a\b|an\b|our\b|do\b)([a-z]{3,})\b", re.I
)
_IDIOM = re.compile(
    r"\b(?:have|has|had|having)(?: (?-i:[A-Z])[\w'’-]*)* (?:an? )?(look|words?|go|say|try|chat|taste) (?:at|with|in|to)\b",
    re.I,
)
_PHRASAL = re.compile(  # what is put or taken, with a particle, is another deed than what is had
    r"\b(?P<verb>give|gave|given|giving|take|took|taken|taking|put|putting|turn|turned|turning|break|broke|broken|drop|dropped|cut|fall|fell|fallen|throw"
    r"|threw|thrown|let|blow|blew|blown|stay|stayed|walk|walked|back|backed|call|called|tell|told|hold|held|keep|kept|pull|pulled|do|did|done|run|ran)"
    r" (?P<particle>up|down|out|off|away|back|over|aside|apart)\b(?! (?:to|of) (?:\d|and))"
    r"|\b(?P<got>get|got|gotten|gets) (?P<gone>out|off|away|over|down)\b",
    re.I,
)
_MOST_ASKED = re.compile(r"\W*what(?:['’]s| is| was| are| were) the (most|fewest|least) ([\w-]+)", re.I)
_PART_OF = re.compile(
    r"(?:which part|percent|percentage|share) of (?:all )?(.+?)(?: are | is | that | whose |$)", re.I
)
_SHARE_OF = re.compile(
    r"\b(?:percentage|percent|per cent|share|proportion|fraction) of (?:all |the |our )*([\w-]+)", re.I
)
_BELONGS = re.compile(r"\bbelong(?:s|ed|ing)?\b", re.I)
_DONE_BY = re.compile(r"\b([a-z]+) by\b")
_RATED = re.compile(r"\b([a-z]+s) ([a-z]+ed) (?:above|below|over|under|at|between) (?:least |most )?\d", re.I)
_WITH_WHOM = re.compile(r"^\W*with (?:which \w+|whom|who)\b(?=.*\b(?:most|fewest|least)\b)", re.I)
_RANKS = frozenset("first last much".split())
_DEGREES = frozenset("how as so too most least more less".split())
_OF_OTHER = re.compile(r"\bwhose ([\w ]+?) is (?:below|above|at most|at least) the ([\w ]+?) of the other\b")
_GOING_TO = re.compile(r"\b(?:is|are|was|were|am|be)\b[^.?!,;]{0,80}? going to ([a-z]+)\b")
_POSSESSED = re.compile(r"[\"'”’]?['’]s? ([a-z]+)\b")
_I_DID = re.compile(r"\b(?:did|do|have|had|was|am) (I)\b(?! (?:need|want|have to|get to|find)\b)")
_NOUN_DID = re.compile(r"\b(?:which|what) ([\w-]+) (?:has |have |had )?([a-z]+)\b", re.I)
_HOW_MUCH_MORE = re.compile(r"\bhow much (\w{3,}er)\b", re.I)
_DIFFERENCE = re.compile(r"\b(?:difference|minus)\b")
_BEGINS = re.compile(
    r"\b(start|begin|starts|begins|started|began|stop|stops|stopped|finish|finished|quit) (?!working\b|living\b)[a-z]+ing\b",
    re.I,
)
_BEGUN = re.compile(r"\b(?:start\w*|begin\w*|began|begun|from|since|end\w*|until|stop\w*|finish\w*)\b")
_BY_PERIOD = re.compile(
    r"\b(?:by|per|each|every|for each|in each|(?<=in )(?:which|what)) (?:calendar )?(year|month|quarter|decade|weekday)\b",
    re.I,
)
_DID_LONGEST = re.compile(
    r"\b((?!been\b|served\b|stood\b)[a-z]+)(?: for)?(?: by far)? the (longest|shortest)\b(?! [a-z]+ (?:of|to|from|is|are|was|were|has|have|does|do|did)\b)",
    re.I,
)
_PERFECT = re.compile(r"\b(?:has|have|had)\b|['’](?:ve|s|d)\b", re.I)
_ALL_TOGETHER = re.compile(
    r"\b(?:all|every|each|total|average|lowest|highest|largest|smallest|most|median|percentage|share)\b"
)


def unmeasured(question: str, words: str) -> Iterator[str]:
    """The "top" or "best" of a question that says nothing of what a reading measures: "the top five films" are not by rating."""
    measure = _BY_MOST.search(words)
    if (measure or words.startswith("most frequent")) and not _SUPERLATIVE.search(question):
        told = {stem(w) for w in _WORD.findall(words[: measure.start()].lower())} if measure else set()
        nouns = told & {stem(w.lower()) for w in _TOP_NOUN.findall(question)}
        said = {
            stem(w) for w in _WORD.findall(question.lower())
        } - nouns  # no supplier is top by what it supplies
        by = _WORD.findall(measure[1].lower()) if measure else []
        if said.isdisjoint(stem(w) for w in by if not means_something(w)):
            yield from map(repr, _TOP.findall(question))


def aged(question: str, words: str) -> Iterator[str]:
    """The "old" of a question that a reading answers with another date: the day that somebody started, or a crater was named, is no age."""
    if _HOW_OLD.match(question) and not _OF_AGE.search(words) and "year" not in question.lower():
        yield "'old'"
    if _HOW_LONG.match(question) and words.startswith("age of"):
        yield "'how long'"


def roles(question: str, words: str) -> Iterator[str]:
    """What somebody is to something, where a reading says another thing: "entities that are beneficiaries in filings" did not file these."""
    said = {stem(w) for w in _WORD.findall(words.lower())}
    lines = frozenset[str]().union(
        *thesaurus().groups([english_stem(w) for w in _WORD.findall(words.lower())])
    )
    for role in (found[1].lower() for found in _THAT_ARE.finditer(question)):
        known = lines & frozenset[str]().union(*thesaurus().groups([english_stem(role)]))
        if means_somebody(singular(role)) and stem(role) not in said and not known:
            yield repr(role)


def rates(question: str, words: str) -> Iterator[str]:
    """The "daily" of a question where a reading says nothing of days: a mileage is no daily mileage, nor a price per gram one per kg."""
    said = {stem(w) for w in _WORD.findall(words.lower())}
    for word in _WORD.findall(question.lower()):
        of = next((period for period, rates in PERIODICAL.items() if word in rates), None)
        if of is not None and said.isdisjoint({stem(of), *map(stem, PERIODICAL[of])}):
            yield repr(word)
    told = {unit for word in _WORD.findall(words.lower()) for unit in units(word)}
    for each in per_unit(question):
        timed = any(u.dimension in ("time", "months") for u in units(each[1]))  # as above
        if not timed and told.isdisjoint(units(each[1])):
            yield repr(each[0])


def best_alone(question: str, rows: int) -> Iterator[str]:
    """The noun, in the plural, of which the best are to be listed, nobody said how many, where a reading gives one: "list the teams with the most wins"."""
    head = _LISTED.match(question)
    noun = head[1].lower() if head else ""
    if rows == 1 and noun and noun == plural(singular(noun)) != singular(noun) and _MOST.search(question):
        yield repr(noun)


def every_one(question: str, words: str) -> Iterator[str]:
    """The "all" of what something is joined to, where a reading is content with any: "who works at all shops", "checked one of every kind"."""
    if not _ALL_TOGETHER.search(words):
        yield from (repr(found[1]) for found in _ONE_OF_EVERY.finditer(question))
        for found in _ALL_OF.finditer(question):
            before, word = question[: found.start()].strip(), found["before"].lower()
            of_which = (
                word in _BEING and _WHAT_ALONE.fullmatch(before) is None
            )  # "where were all works short"
            other = word not in (_OF_EVERY if found["all"].lower() == "every" else _OF_ALL)
            if before and (other or of_which):
                yield repr(found["all"])


def being_then(question: str, words: str) -> Iterator[str]:
    """The state that something "was" in at a time, where a reading takes a date: what "was open in 1990" need not have opened then."""
    for found in _BEING_THEN.finditer(question) if _WITH_DATE.search(words) else ():
        if is_bare(found["state"].lower()):
            yield repr(found["state"])


def narrower(question: str, words: str) -> Iterator[str]:
    """The words for a mother or a son where a reading says parents or children: they are some of them."""
    told = {singular(word) for word in _WORD.findall(words.lower())}
    for word in _WORD.findall(question) if told & _OF_EITHER_SEX else ():
        if singular(word.lower()) in _KIN - told:
            yield repr(word)


def misplaced(question: str, words: str) -> Iterator[str]:
    """That somebody works, lives or studied somewhere, where a reading says another thing of the place: who was born there."""
    said = _WORD.findall(words)
    for found in _STAYS.finditer(question):
        verb = found["there"] or found["where"]
        if not stays("work" if verb.lower().startswith("work") else "live", said):
            yield repr(verb)
    for told, asked, place in _LIFE:
        if told.search(words) and not asked.search(question):
            yield repr(place)


def unordered(question: str, words: str, values: Sequence[Linked]) -> Iterator[str]:
    """The "first" or "last" of a question where a reading says no order: "which team joined first", "when did X last call"."""
    if _ORDERED.search(words) or _HOW_LONG.match(question):
        return
    for found in _FIRST.finditer(question):
        if not any(v.found and v.start <= found.start() < v.end for v in values):
            yield repr(found[1])


def unmeasurable(question: str, words: str) -> Iterator[str]:
    """A superlative that measures nothing which a reading says: "the strongest animal" is not the heaviest, "the biggest clerk" no best paid one."""
    told = _BY_MOST.search(words)
    if told is None:
        return
    for found in _SUPERLATIVE_OF.finditer(question):
        base = base_of(found["most"].lower())
        somebody = base in ("large", "big", "small", "great") and means_somebody(
            singular(found["noun"].lower())
        )
        others = question[: found.start("noun")] + question[found.end("noun") :]
        said = {stem(w) for w in _WORD.findall(others.lower())}
        named = said & {stem(w) for w in _WORD.findall(told[1].lower()) if not means_something(w)}
        if not named and (
            somebody or (base not in adjectives() and found["most"][:-3].lower() in dictionary()[0])
        ):
            yield repr(found["most"])


def turned_round(question: str, words: str) -> Iterator[str]:
    """The "whose" or the verb of a question whose subject a reading takes for the object: "whose chief is Ann" is not who the chief of Ann is, nor
    whom Ann leads who leads her.
    """
    asked = _WHOSE_IS.match(question)
    if asked is not None:
        role_of = rf"(?:the|[\w ]+ that are) \w+ of (?:\w+ )?\W?{re.escape(asked['name'])}\W?$"
        if re.match(role_of, words, re.I):
            yield "'whose'"
    asked = _WHOM_DOES.match(question)
    if asked is not None:
        told = re.match(
            rf"(?:the |[\w ]+ that are )?(\w+) of (?:\w+ )?\W?{re.escape(asked['name'])}\W?$", words, re.I
        )
        if told is not None and root(asked["verb"].lower()) in agents(singular(told[1].lower())):
            yield repr(asked["verb"])


def inside(question: str, words: str) -> Iterator[str]:
    """That something is in something, where a reading says what was done by whom: nobody is in an order that he placed."""
    if _IS_IN.search(question) and re.search(r"\bby\b", words) and not re.search(r"\bby\b", question, re.I):
        yield "'in'"


def opposed(question: str, words: str) -> Iterator[str]:
    """The words of a question whose opposite a reading says: "sold" where it says who bought; and an "against" that nobody said."""
    if re.search(r"\bagainst\b", words) and not _AGAINST.search(question):
        yield "'against'"
    told = _WORD.findall(words.lower())
    asked = {english_stem(w) for w in _WORD.findall(question)}
    own = [w for w in told if english_stem(w) not in asked]
    yield from (repr(w) for w in _WORD.findall(question) if thesaurus().contrary(w, own))
    # What a donor "got" is not what donors gave.
    yield from (
        repr(m[2]) for m in _NOUN_DID.finditer(question) if thesaurus().contrary(m[2], [m[1].lower()])
    )


def wished(question: str, words: str) -> Iterator[str]:
    """What somebody likes, knows, sees or wants, where a reading says nothing of the kind."""
    found = _WISHED.search(question)
    verb = next((w for w in found.groups() if w), "") if found else ""
    lines = frozenset[str]().union(*thesaurus().groups([english_stem(w) for w in _WORD.findall(words)]))
    own = thesaurus().groups([english_stem(verb)])[0] if verb else frozenset()
    if verb and lines.isdisjoint(own) and stem(verb.lower()) not in map(stem, _WORD.findall(words.lower())):
        yield repr(verb)


def nobody(question: str, given: Collection[str], things: Collection[str], words: str) -> Iterator[str]:
    """The "who" or "whose" of a question that a reading answers with what is nobody, and the people where it counts something else.

    given: the types of the nodes that it gives; things: those whose nodes are nobody; words: the reading as told
    """
    people = _MANY_PEOPLE.match(question)
    if people and any(words.startswith(f"number of {plural(spoken(t))}") for t in things):
        yield repr(people[1].lower())
    if _WHAT_WAS.match(question) and given and all(is_person(t) for t in given):
        yield "'what'"
    asked = _WHO.match(question)
    if asked and given and all(t in things for t in given):
        yield repr(asked[1].lower())


def most_counted(
    question: str, words: str, nouns: Collection[str], values: Sequence[Linked], types: Mapping[str, str]
) -> Iterator[str]:
    """The noun of which the most is asked for where a reading counts another: countries "with the most visits" are not those of the most visitors.

    It may stand behind a value of it, or go without saying: "the most gold (medals)". `nouns`: what types are called, in the plural;
    `types`: of what type the nodes are that have a property, by the property.
    """
    asked, told = _MOST_COUNTED.search(question), _MOST_TOLD.search(words)
    others = [other for other in nouns if told and words.startswith(other, told.end())]
    if asked is None or not others:
        return
    after = [v for v in values if v.start == asked.start(1)]
    behind = _WORD.findall(question, max([asked.start(1), *(v.end for v in after)]))
    said = plural(singular(behind[0].lower())) if behind else ""
    of_value = {plural(spoken(types[a])) for v in after for a in v.owners if a in types}
    meant = {said} & set(nouns) or of_value
    if meant and meant.isdisjoint(others):
        yield repr(asked[1] if meant == of_value else said)


def counts_another(
    question: str, words: str, values: Sequence[Linked], types: Mapping[str, str]
) -> Iterator[str]:
    """The name after "how many" where a reading counts something else: "how many V-belts are needed" is no number of machines.

    `types`: of what type the nodes are that have a property, by the property.
    """
    counted, asked = _NUMBER_OF.match(words), _HOW_MANY.match(question)
    if counted is None or asked is None:
        return
    for v in values:
        own = {spoken(types[a]) for a in v.owners if a in types}
        forms = "|".join(re.escape(form) for noun in own for form in (noun, plural(noun)))
        alone = v.found and v.start == asked.end() and _AUXILIARY.match(question, v.end)
        noun = _WORD.match(counted[1])  # films are movies, though a tag is called "film"
        alike = thesaurus().groups([english_stem(w) for w in (v.text, noun[0] if noun else "")])
        if alone and not alike[0] & alike[1] and not re.match(rf"(?:{forms})\b", counted[1], re.I):
            yield repr(v.text)


def counts_other_nouns(question: str, words: str, nouns: Collection[str]) -> Iterator[str]:
    """The noun of a type or relation after "how many" that a reading says nowhere: "how many flights does Acme have" is no number of airlines.

    nouns: those of the schema, in the plural
    """
    counted, asked = _NUMBER_OF.match(words), _HOW_MANY.match(question)
    noun = _WORD.match(question, asked.end()) if asked and counted else None
    if noun is not None and noun[0].lower() in nouns:
        one = stem(noun[0].lower())
        if one not in {stem(w) for w in _WORD.findall(words.lower())}:
            yield repr(noun[0])


def counts_the_doer(question: str, words: str) -> Iterator[str]:
    """The verb of whom something is asked for where a reading gives or counts these: "how many clerks does Ann's mentor look after" is not how
    many mentors, nor "which clerks does Ann's chief lead" who the chief is.
    """
    asked = _DOES_MANY.match(question)
    if asked is None:
        return
    role = "|".join(map(re.escape, (asked[1], plural(asked[1]))))
    if re.match(rf"(?:number of )?(?:the )?(?:[\w ]+? that are )?(?:the )?(?:{role}) of\b", words, re.I):
        yield repr(asked[2])


def counts_nothing(question: str, words: str, rows: int) -> Iterator[str]:
    """The "how many" that a reading answers with several values, none of them a number of something: "how many totals have X"."""
    asked = _HOW_MUCH.match(question)
    if asked is not None and rows > 1 and not _COUNTED_SO.search(words):
        yield repr(asked[0].strip().lower())


def measured_otherwise(question: str, words: str) -> Iterator[str]:
    """The comparatives that measure something else than a reading compares: who earns above 200 is not "taller than 200"."""
    said = {stem(w) for w in _WORD.findall(words.lower())}
    for match in _OTHER_THAN.finditer(question):
        adjective = adjectives().get(base_of(match[1].lower()))
        if adjective is None or adjective.degree or base_of(match[1].lower()) == match[1].lower():
            continue
        if not said & {stem(w) for name, _ in adjective.features for w in (name, *written_as(name))}:
            yield repr(match[0])


def number_asked(question: str, given: Collection[str]) -> Iterator[str]:
    """The "what is the most" of a question that a reading answers with whom it is of: "what's the most runs Ann made"."""
    found = _MOST_ASKED.match(question)
    if (
        found is not None
        and given
        and not any(singular(spoken(t)) == singular(found[2].lower()) for t in given)
    ):
        yield repr(f"{found[1]} {found[2]}")


def share_of_others(question: str, words: str, nouns: Collection[str]) -> Iterator[str]:
    """The noun whose share is asked for, where a reading takes that of another: a share of the approvals is not one of what was approved.

    nouns: those of the schema, in the plural
    """
    told = _PART_OF.match(words)
    for found in _SHARE_OF.finditer(question) if told is not None else ():
        noun = found[1].lower()
        if noun in nouns and told is not None and noun not in _WORD.findall(told[1].lower()):
            yield repr(found[1])


def belongs(question: str, words: str) -> Iterator[str]:
    """The "belong" of a question that a reading answers by what was done by whom."""
    done = [verb_done(m[1].lower()) for m in _DONE_BY.finditer(words)] if _BELONGS.search(question) else []
    if any(verb and verb not in ("own", "hold", "keep", "possess", "run", "lead", "manage") for verb in done):
        yield "'belong'"


def rated_by(question: str, words: str) -> Iterator[str]:
    """The deed of a type with its number where a reading takes it for what others have: "reviewers rated above 80" may be rated so."""
    for found in _RATED.finditer(question):
        if re.match(rf"{re.escape(found[1].lower())} that (?!are |is )\w+ the ", words):
            yield repr(found[2])


def with_whom(question: str) -> Iterator[str]:
    """The "with whom" of a question that is no phrase: with whom somebody did the most is not who did the most of those who did it with them."""
    yield from (repr(m[0].strip()) for m in _WITH_WHOM.finditer(question))


def own_compared(words: str) -> Iterator[str]:
    """What a guess compares of one thing with another of the same: which of the two is to be above no guess is sure of."""
    yield from (repr(f"than {m[2]}") for m in _OF_OTHER.finditer(words) if m[1] != m[2])


def graded(
    question: str, values: Sequence[Linked], nouns: Collection[str], own: Collection[str]
) -> Iterator[str]:
    """The adjectives of degree before the noun of a type: how big "big cities" are nothing says. `nouns`: of types, in the singular; `own`: the
    stems of the schema's words.
    """
    words = list(_WORD.finditer(question))
    for before, word, *after in zip([None, *words], words, words[1:], [*words[2:], None], strict=False):
        said = word.group().lower()
        if said not in adjectives() or said in _RANKS or stem(said) in own:
            continue
        if before is not None and before.group().lower() in _DEGREES:
            continue
        named = any(v.start <= word.start() < v.end for v in values if v.found)
        if not named and any(w is not None and singular(w.group().lower()) in nouns for w in after):
            yield repr(word.group())


def sexed(question: str, values: Sequence[Linked], own: Collection[str]) -> Iterator[str]:
    """The words for people of one sex, which the graph does not tell: women are not all employees. `own`: the stems of the schema's words."""
    for word in _WORD.finditer(question):
        named = any(v.start <= word.start() < v.end for v in values if v.found)
        if sexes(word.group()) and not named and stem(word.group().lower()) not in own:
            yield repr(word.group())


def others_deed(question: str, spelled: str, types: Collection[str]) -> Iterator[str]:
    """The verbs of what those of a type do that a reading does not come to: coaches who "played for" a team were players once.

    `spelled`: the call as it is shown; `types`: the names of the types
    """
    nouns = [(t, singular(spoken(t).lower().rpartition(" ")[2])) for t in types]
    doers = {done: t for t, noun in nouns for done in agents(noun)}
    doers |= {root(noun): t for t, noun in nouns if verb_of(noun) or noun in verbs()}  # "ordered", of orders
    for word in _WORD.findall(question):
        doer = doers.get(root(word.lower())) if verb_done(word.lower()) or word.lower() in verbs() else None
        noun = doer is not None and singular(word.lower()) == singular(spoken(doer).lower())
        if doer is not None and not noun and f'"{doer}"' not in spelled:
            yield repr(word)


def future(question: str) -> Iterator[str]:
    """The "going to" of what has not been done yet."""
    yield from (repr("going to") for m in _GOING_TO.finditer(question) if m[1] in verbs())


def whose_role(question: str, words: str, values: Sequence[Linked]) -> Iterator[str]:
    """What somebody is to a name, where a reading says nothing of it: what "Ann's boss" keeps is not what she keeps."""
    told = [english_stem(word) for word in _WORD.findall(words.lower())]
    lines = frozenset[str]().union(*thesaurus().groups(told))
    for v in values:
        found = _POSSESSED.match(question, v.end) if v.found else None
        role = singular(found[1].lower()) if found is not None else ""
        known = lines & thesaurus().groups([english_stem(role)])[0]
        if means_somebody(role) and english_stem(role) not in told and not known:
            yield repr(role)


def who_asks(question: str) -> Iterator[str]:
    """The "I" who did something: the graph does not know who asks."""
    yield from (repr(m[1]) for m in _I_DID.finditer(question))


def by_how_much(question: str, words: str) -> Iterator[str]:
    """The "how much longer" that a reading answers with no difference."""
    for found in _HOW_MUCH_MORE.finditer(question):
        if base_of(found[1].lower()) != found[1].lower() and not _DIFFERENCE.search(words):
            yield repr(found[0])


def begins_doing(question: str, words: str) -> Iterator[str]:
    """The "start" of what somebody does, where a reading says nothing of its start: when Ann "started looking after" a dog is not when it was born."""
    for found in _BEGINS.finditer(question):
        if not _BEGUN.search(words):
            yield repr(found[1])


def in_periods(question: str, words: str) -> Iterator[str]:
    """The year or month by which a question groups, where a reading groups by the whole date."""
    for found in _BY_PERIOD.finditer(question):
        opens = asked_part(question) and found[0].lower().startswith(("which", "what"))  # what is given tells
        if not opens and not told_for_each(found[1], words):
            yield repr(found[0])


def told_for_each(period: str, words: str) -> bool:
    """Whether a reading in words tells something for each such period: `rent pm` for every "month".

    >>> told_for_each("every month", "total rent pm of offices"), told_for_each("all of whose", "films whose genre is red")
    (True, False)
    """
    last = period.lower().rpartition(" ")[2]
    known = last in PERIODICAL or last in ("decade", "weekday")
    return known and not {last, *PERIODICAL.get(last, ())}.isdisjoint(_WORD.findall(words.lower()))


def lasted(question: str, words: str, dates: Collection[str]) -> Iterator[str]:
    """The "longest" of what something did, where a reading goes by one date: what waited the longest did not begin first.

    `dates`: what dates are called. Who has been there the longest came first.
    """
    told = _BY_MOST.search(words)
    found = _DID_LONGEST.search(question)
    by_date = told is not None and told[1].strip() in dates
    if by_date and found is not None and not _PERFECT.search(question[: found.start(1)]):
        yield repr(found[2])


def formerly(question: str) -> Iterator[str]:
    """The "before" at the end of a question: what something cost then is not what it costs."""
    found = _FORMERLY.search(question)
    if found is not None:
        yield repr(found[1])


def took_to(question: str, words: str) -> Iterator[str]:
    """What something took so long to do, where a reading says nothing of it: how long a play "took to make" is not how long it lasts."""
    said = {root(word) for word in _WORD.findall(words.lower())}
    yield from (repr(m[1]) for m in _TOOK_TO.finditer(question) if root(m[1].lower()) not in said)


def phrasal(question: str, words: str, names: Mapping[str, Collection[str]]) -> Iterator[str]:
    """The verbs that mean something of their own with their particle ("given up", "take back") where a reading says nothing like them.

    `names`: the words of the question that stand for a name of the graph
    """
    told = [english_stem(word) for word in _WORD.findall(words)]
    lines = frozenset[str]().union(*thesaurus().groups(told))
    roots = {root(word) for word in _WORD.findall(words.lower())}
    yield from (repr(m[0]) for m in _IDIOM.finditer(question) if root(m[1].lower()) not in roots)
    for found in _PHRASAL.finditer(question):
        own = thesaurus().groups([english_stem(w) for w in found[0].split()])
        particle = found["particle"] or found["gone"]
        known = any(roots.issuperset(map(root, key.split())) for key in names.get(particle, ()))
        known |= found.start() == 0  # "break down the sales by shop"
        if not known and not lines & own[-1] and root((found["verb"] or found["got"]).lower()) not in roots:
            yield repr(found[0])


def done_otherwise(question: str, words: str) -> Iterator[str]:
    """What was done with so many, where a reading tells how many something else was done with: of "seeds sown" no `seeds_banked`."""
    for match in MANY_DONE.finditer(question):
        noun, done = (match[part].lower() for part in ("noun", "done"))
        told = re.search(rf"\b{re.escape(noun)} (\w+)", words)
        if told is None or verb_done(told[1]) in ("", verb_done(done)) or not verb_done(done):
            continue
        if not re.search(rf"\b{re.escape(done)}\b", words):
            own, other = thesaurus().groups([english_stem(told[1]), english_stem(done)])
            if not own & other:
                yield repr(match["done"])


def told_flag(question: str, words: str) -> Iterator[str]:
    """The adjective of what is asked for where a reading tells whether it is so: the "official language" is no yes or no."""
    told = _FLAG.match(words)
    if told and _WHAT.match(question) and not re.search(rf"\b(?:is|are) {told[1]}\b", question, re.I):
        yield repr(told[1])


def before_another(question: str, words: str, values: Sequence[Linked]) -> Iterator[str]:
    """The "before" or "after" that stands before a name, where a reading compares nothing: "who plays before X"."""
    lines = frozenset[str]().union(*thesaurus().groups([english_stem(w) for w in _WORD.findall(words)]))
    for v in values:
        led = _BEFORE.search(question, 0, v.start)
        if v.found and led and not lines & {"before", "after"} and not _COMPARED.search(words):
            yield repr(led[1])


def most_of_another(question: str, values: Sequence[Linked], names: frozenset[str]) -> Iterator[str]:
    """The name of which the most is asked for: of what is called "sugar" there is one, however much of it is used.

    `names`: the properties that nodes are called by.
    """
    for v in values:
        if v.owners and names.issuperset(v.owners) and _MOST_OF.search(question, 0, v.start):
            yield repr(v.text)


_WORD_BEFORE = re.compile(r"(\w+) $")


def dropped(
    question: str, values: Sequence[Linked], said: str, nouns: Collection[str], names: frozenset[str]
) -> Iterator[str]:
    """The values of the graph that a preposition or the noun of a type leads, and the nodes that are written as names, that a reading says
    nowhere: "countries in europe" are not all countries, who has no "test pass" may have a test, what "Ann Lee" chairs is not what anybody does.

    `nouns`: what types are called. "The film X" says no more than X, though a tag is called "film". `names`: the properties that nodes
    are called by.
    """
    lower = said.casefold()
    types = frozenset[str]().union(*thesaurus().groups([english_stem(noun) for noun in nouns]))
    for v in values:
        if types & thesaurus().groups([english_stem(v.text)])[0]:
            continue
        spellings = {v.text, *(text for _, texts in v.found for text in texts)}
        before = _WORD_BEFORE.search(question, 0, v.start)
        of_type = before is not None and plural(before[1].lower()) in nouns
        led = v.kind == "name" and v.owners and (of_type or _LED_BY.search(question, 0, v.start))
        written = v.text[:1].isupper() and (v.start > 0 or " " in v.text)  # sentences begin so too
        called = written and not names.isdisjoint(owner for owner, _ in v.found)
        if (led or called) and not any(text.casefold() in lower for text in spellings):
            yield repr(v.text)


def numbers(question: str, values: Sequence[Linked], said: str) -> Iterator[str]:
    """The numbers, in words, that a reading says nowhere: "how much do three nights cost"; two may be the two that are named."""
    named = [v for v in values if v.found]
    for v in values:
        inside = any(n.start <= v.start and v.end <= n.end for n in named)
        counts = v.number is not None and (v.number <= 1 or v.number == len(named))
        if v.kind != "number" or not v.text.isalpha() or v.ordinal or v.decade or inside or counts:
            continue
        told = re.search(rf"(?<![\w.]){v.number:g}(?!\w)|\b{re.escape(v.text.lower())}\b", said)
        if told is None or (
            _HOW.match(question) and f"{v.text.lower()} of them" in said
        ):  # so many are no list
            yield repr(v.text)


def uncompared(question: str, words: str) -> Iterator[str]:
    """A comparative that is compared with nothing, where a reading neither orders nor compares: "which of them is cheaper"."""
    if _THAN.search(question) or _COMPARED.search(words):
        return
    told = _WORD.findall(words.lower())
    for found in _MORE.finditer(question):
        word = found[0].lower()
        if word not in told and (word in _AMOUNTS or (base_of(word) != word and word.endswith("er"))):
            yield repr(found[0])
