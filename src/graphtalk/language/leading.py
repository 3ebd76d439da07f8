"""What leads in to a question: "would you be so kind as to tell me", "I was wondering whether you could say"."""

import re

ORDERS = ("list", "name", "show", "find", "identify", "display", "retrieve", "give", "return", "provide", "get", "enumerate",
          "find out", "tell", "fetch")  # fmt: skip
_SPEAKERS = frozenset(
    "i you we me us my your anyone anybody somebody someone please kindly hi hello hey".split()
)
_SPEAKING = _SPEAKERS | frozenset(
    """a an any the so as to of it is are am was be been do does did have has had having can could will would shall should
    may might must if whether that here there for on about with in and but well ok okay now just really quite very much
    possibly perhaps maybe quickly briefly exactly kind good great nice lovely glad happy grateful curious interested sure
    able possible help thanks thank dear sir madam there's it's i'd i'm i've you'd you've we'd d m ve s ll re
    tell telling told say saying ask asking know knowing knows like want wanting wish wonder wondering find finding out
    see seeing learn hear let give giving explain share mind need idea clue chance way trying try hope hoping love
    appreciate remind happen figure check look looking up answer question got get us""".split()
)
_GRATEFUL = _SPEAKING | frozenset("ever lot in advance again".split())
ASKING = frozenset("who whom whose what which how when where why whether if list name show count".split())
_WANTS = re.compile(
    r"^\W*(?:i|we)(?:['’]m|['’]re|['’]d| am| are| would)?(?: (?:just|really|currently))? (?:(?:looking|searching) for|need(?: to (?:see|find|get|know|have))?"
    r"|want(?: to (?:see|find|get|know|have))?|like(?: to (?:see|find|get|know|have))?) ",
    re.I,
)
_THANKS = re.compile(
    r"(?<=[.?!,;])\s*(?:many thanks|thanks|thank you|cheers)\b(?P<more>[^.?!]*)[.?! ]*$", re.I
)
_IDLE = re.compile(
    r",?\s+(?:please|pls|plz|thanks|thx|at all|right now|so far|at the moment|at present|on (?:record|file))(?=[?.! ]*$)",
    re.I,
)
_NUMBER_OF = re.compile(r"\b(?:no\.?|nr\.?|num\.?|#) ?of\b(?= \w)", re.I)
_WORD = re.compile(r"[\w'’]+")


def without_lead_in(question: str) -> str:
    """The question itself: without the words before it that say that somebody asks, and nothing else.

    Such words are of a closed class, and one of them is the speaker or the hearer. A question that asks in its first
    word stays as it is.

    >>> without_lead_in("Would you be so kind as to tell me who manages Ada?")
    'who manages Ada?'
    >>> without_lead_in("Do you have any films by Ada?")
    'Do you have any films by Ada?'
    >>> without_lead_in("I wonder if Ada knows Bob.")
    'tell me whether Ada knows Bob.'
    >>> without_lead_in("I am looking for films by Ada. Many thanks!")
    'list films by Ada.'
    >>> without_lead_in("Which clerks have no desk at all?")
    'Which clerks have no desk?'
    >>> without_lead_in("no. of clerks on record")
    'number of clerks'
    """
    thanks = _THANKS.search(question)
    if thanks is not None and _GRATEFUL.issuperset(w.lower() for w in _WORD.findall(thanks["more"])):
        question = question[: thanks.start()]
    question = _NUMBER_OF.sub("number of", _IDLE.sub("", question))
    wanted = _WANTS.match(question)
    spoken = False
    for match in _WORD.finditer(question):
        word = match.group().lower().replace("’", "'")
        asks = word in ASKING and not (word in ("if", "whether") and _goes_on(question, match.end()))
        if asks and spoken and word in ("if", "whether"):
            return f"tell me whether{question[match.end() :]}"
        if asks:
            return question[match.start() :] if spoken else question
        if word not in _SPEAKING:
            return question if wanted is None else f"list {question[wanted.end() :]}"
        spoken = spoken or word.split("'")[0] in _SPEAKERS
    return question


def _goes_on(question: str, at: int) -> bool:
    """Whether the clause that begins here is the speaker's too: "whether you could tell me", "if it is possible"."""
    words = [w.lower() for w in _WORD.findall(question[at : at + 60])][:3]
    return bool(words) and (
        words[0] in _SPEAKERS or words[:2] == ["it", "is"] or words[:2] == ["there", "is"]
    )
