"""Questions and requests as statements with one open place: "What is the order of G?" → "The order of G is _".

By rules of English word order; where none fits, the open place follows the question.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from graphtalk.language.nouns import singular
from graphtalk.reasoners.toolformer.offline.candidates import plural
from graphtalk.reasoners.toolformer.offline.writing import Insert, Piece

_BE = frozenset("is are was were 's".split())
_AUX = frozenset("will would should can could does do did is are might may shall".split())
_DO = frozenset("does do did".split())
_WHAT = frozenset("what which who".split())
_ASKING = _WHAT | _AUX | frozenset("how where whose when whom whether has have what's who's".split())
_ALSO_ASKING = frozenset(("how", "where", "whose", "when", "what's", "who's"))
_REQUESTS = tuple(
    tuple(line.split())
    for line in """could you tell me|can you tell me|could you please tell me|i would like to know|i want to know
    i 'd like to know|i'd like to know|do you know|please tell me|kindly tell me|tell me|please give me|give me|please compute|please find
    please|kindly|compute|calculate|determine|find|report|show me|show|state|identify|name|list|let me know|work out|i wonder|i'd like|i would like|let's see|let us see|let me see
    can you find|could you find|could you give me|can you give me|get|return|provide|print|estimate|predict|say
    figure out|i need|we need|i want|i am looking for|i am curious about|i 'm curious about|i'm curious about|i am curious|i 'm curious|i'm curious|i'd be curious|i 'd be curious|i would be curious|i am interested in|i 'm looking for|i'm looking for""".replace(
        "\n", "|"
    ).split("|")
)
_VERBS_OF_REQUESTS = frozenset(
    "compute calculate determine find report show state identify name list get provide estimate predict tell".split()
)
_VERBS = {
    "have": "has",
    "contain": "contains",
    "include": "includes",
    "possess": "possesses",
    "count": "counts",
}
_PLURAL = frozenset(
    "nodes vertices points movies items artists products films eccentricities ids members".split()
)


@dataclass(frozen=True)
class _Words:
    """A stretch of a shape, and the places of its tokens."""

    shape: tuple[str, ...]
    places: tuple[int, ...]

    def __getitem__(self, part: slice) -> "_Words":
        return _Words(self.shape[part], self.places[part])

    def starts(self, words: Sequence[str]) -> bool:
        return self.shape[: len(words)] == tuple(words)

    def find(self, wanted: frozenset[str]) -> int:
        return next((at for at, mask in enumerate(self.shape) if mask in wanted), -1)


def asks(shape: Sequence[str]) -> bool:
    """Whether a text without a place to be filled is a question or a request."""
    words = [mask for mask in shape if mask not in (",",)]
    if not words:
        return False
    first = tuple(words)
    if "?" in shape or "please" in shape or "kindly" in shape or first[0] in _WHAT | _ALSO_ASKING:
        return True
    if any(first[: len(request)] == request for request in _REQUESTS) or first[0] in _REQUESTED:
        return True
    if first[0] in _AUX and first[1:] and first[1][0] == "<":
        return True  # "are <user> and <user> in the same community"
    if any(pair in _WISHES for pair in pairwise(first)):
        return True
    return any(_asks_behind(shape, at) for at in range(1, len(shape) - 2) if shape[at] in ",:;.")


def _asks_behind(shape: Sequence[str], at: int) -> bool:
    """Whether a question or a request begins behind the mark at `at`: "in G, find the radius", "G: name its order"."""
    verb, behind = shape[at + 1], shape[at + 2]
    if shape[at] not in ",." and verb in _WHAT | _ALSO_ASKING:
        return True
    if (verb, behind) in (("how", "many"), ("how", "far"), ("what", "is"), ("what", "are")):
        return True
    return verb in _REQUESTED | _VERBS_OF_REQUESTS and behind in _BEHIND_REQUEST


def orders(shape: Sequence[str]) -> bool:
    """Whether a text begins as a command does, whatever its verb: "line up three films for U"."""
    if not shape or not shape[0].isalpha() or shape[0] in _NO_VERB:
        return False
    at = 2 if tuple(shape[1:2]) in _PARTICLES else 1
    mentioned = not shape[0].endswith("s") and any(mask[0] == "<" for mask in shape[at : at + 1])
    return (mentioned or tuple(shape[at : at + 1]) in _OBJECTS) and _BE.isdisjoint(shape)


_WISHES = frozenset((who, verb) for who in ("i", "we") for verb in ("need", "want", "wonder", "'d"))
_BEHIND_REQUEST = frozenset("the a an all me us how which what every each its whether if".split())
_OBJECTS = {(word,) for word in _BEHIND_REQUEST | {"<number>", "an", "some", "for"}}
_PARTICLES = {(word,) for word in ("up", "out", "down", "off")}
_NO_VERB = frozenset(
    """the a an in on at by for from of to with within without inside given during after before since while when if as
    this that these those there it its he she they we i you his her their our my your each every all both some any no not
    one two three many most only just also and or but so because although though like unlike under over between among via
    through what which who how where why""".split()
)


def compares(shape: Sequence[str]) -> bool:
    """Whether a question sets two quantities side by side: "more edges than nodes", "as many edges as nodes"."""
    if "<slot>" in shape:
        return False
    pairs = list(pairwise(shape))
    than = any(b == "than" and a not in ("rather", "other") for a, b in pairs)
    return than or not _COMPARED.isdisjoint(shape) or ("as", "many") in pairs or ("as", "much") in pairs


_COMPARED = frozenset("bigger larger smaller denser greater higher lower".split())
_REQUESTED = frozenset(
    """give tell rate score take compare look go help inform explain describe fetch search pull return output write
    print display present assess evaluate judge measure examine analyse analyze quantify derive guess deduce obtain
    ascertain establish evaluate enumerate retrieve specify mention pinpoint locate discover select choose rank assign test decide need count
    recommend suggest propose predict classify infer check verify label categorise sort pick""".split()
)


def stated(shape: Sequence[str], call: Insert) -> list[Piece]:
    """A question or request as `statement` gives it; where no rule fits, itself with the call behind it."""
    return statement(shape, call) or [*range(len(shape)), call]


def statement(shape: Sequence[str], call: Insert) -> list[Piece]:
    """The statement that answers a question or request of this shape, as pieces with `call` in the open place.

    Nothing where no rule of word order fits.
    """
    end = len(shape)
    while end and (shape[end - 1] in "?.!," or shape[end - 1] == "please"):
        end -= 1
    whole = _Words(tuple(shape[:end]), tuple(range(end)))
    if any(mark in whole.shape for mark in "?!"):  # several sentences
        return []
    context, body = _context(whole)
    found = _body(_without_request(body), call)
    return [*context, *found, "."] if found else []


def requested(shape: Sequence[str]) -> int:
    """How many words at the start ask for what follows: "please tell me", "could you work out"."""
    return _request(_Words(tuple(shape), tuple(range(len(shape)))))


def _context(words: _Words) -> tuple[list[Piece], _Words]:
    """What stands before the question ("In G, …"), and the question."""
    for at in range(len(words.shape) - 1, 0, -1):
        after = words[at + 1 :]
        if words.shape[at] == "," and after.shape and (after.shape[0] in _ASKING or _request(after)):
            return list(words.places[: at + 1]), after
    return [], words


def _request(words: _Words) -> int:
    polite = next((len(each) for each in _POLITE if words.starts(each)), 0)
    if not polite:
        return max((len(request) for request in _REQUESTS if words.starts(request)), default=0)
    rest = words[polite:]
    if rest.shape[:1] == ("please",):
        polite, rest = polite + 1, rest[1:]
    base = next((each for each in _VERBS_ASKING if rest.starts(each)), rest.shape[:1])
    person = rest.shape[len(base) : len(base) + 1] in (("me",), ("us",))
    return polite + len(base) + person


_POLITE = tuple(
    tuple(line.split())
    for line in ("would you mind", "could you", "can you", "would you", "will you", "may you")
)
_VERBS_ASKING = (("work", "out"), ("figure", "out"), ("find", "out"), ("let", "me", "know"))


def _without_request(words: _Words) -> _Words:
    return words[_request(words) :]


def _body(words: _Words, call: Insert) -> list[Piece]:
    shape = words.shape
    if len(shape) < 2:
        return []
    if shape[0] in ("what's", "who's"):
        return _what_is(words, call, 1)
    if shape[0] in _WHAT and shape[1] in _BE and len(shape) > 2:
        return _what_is(words, call, 2)
    if shape[:2] == ("how", "many"):
        return _how_many(words, call)
    if shape[:2] == ("how", "likely"):
        rest = words[2:]
        rest = next((rest[len(head) :] for head in _LIKELY if rest.starts(head)), rest)
        return ["the", "likelihood", "that", *rest.places, "is", call]
    if shape[0] in _WHAT and shape[1] == "the" and shape[-1] in _BE:  # "(tell me) what the radius of G is"
        return [*words.places[1:], call]
    if shape[0] in _WHAT:
        return _what_noun(words, call)
    if len(shape) > 3 and shape[-2] in _WHAT and shape[-3] in _PREPOSITIONS:  # "… from what entity?"
        return [*words.places[:-2], words.places[-1], call]
    if shape[0] in _AUX or shape[0] in ("whether", "if"):
        return _same(words, call)
    if shape[0] in ("the", "its", "a", "all") or (_request_noun(shape)):
        return [*words.places, "are" if _is_plural(shape) else "is", call]
    return []


_LIKELY = (("is", "it", "that"), ("will",), ("is",), ("would",))


def _request_noun(shape: Sequence[str]) -> bool:
    return len(shape) > 2 and shape[1] in ("of", "for", "between")


def _is_plural(shape: Sequence[str]) -> bool:
    head = shape[
        : next(
            (at for at, mask in enumerate(shape) if mask in ("of", "in", "for", "that", "with")), len(shape)
        )
    ]
    return bool(head) and plural(head[-1]) == head[-1] != singular(head[-1])


def _what_is(words: _Words, call: Insert, asking: int) -> list[Piece]:
    rest = words[asking:]
    if rest.shape[-1] == "about":
        return [*rest.places[:-1], "is", "about", call]
    if rest.shape[0].startswith("<") and rest.shape[0] != "<data>" and rest.shape[1:2] != ("'s",):
        return []
    verb = words.shape[1] if asking > 1 and words.shape[1] != "'s" else "is"
    if verb == "are" and "<number>" in rest.shape:
        verb = "include"
    return [*rest.places, verb, call]


def _how_many(words: _Words, call: Insert) -> list[Piece]:
    at = words.find(_BE | _DO)
    if at < 3:
        return _how_many_told(words, call)
    noun, rest = words[2:at], words[at + 1 :]
    if noun.shape[-1] == "there":
        noun = noun[:-1]
    if words.shape[at] in _DO and rest.shape and rest.shape[-1] in _VERBS:
        return [*rest.places[:-1], _VERBS[rest.shape[-1]], call, *noun.places]
    if words.shape[at] == "are":
        rest = rest[1:] if rest.starts(("there",)) else rest
        return ["there", "are", call, *noun.places, *rest.places]
    return []


def _how_many_told(words: _Words, call: Insert) -> list[Piece]:
    """ "(Tell me) how many nodes G has" → "G has _ nodes"."""
    start = next((at for at, mask in enumerate(words.shape) if mask in ("<graph>", "<data>", "the")), -1)
    if start < 3 or words.shape[-1] not in _VERBS.values():
        return []
    return [*words.places[start:], call, *words.places[2:start]]


def _what_noun(words: _Words, call: Insert) -> list[Piece]:
    """ "Which movie will U watch next?" → "The movie that U will watch next is _"."""
    aux = words.find(_AUX)
    if aux == 1:  # "What does <paper> discuss?"
        subject = words[2 : _subject_end(words.shape, 2)]
        rest = words[2 + len(subject.shape) :]
        told = words.shape[1] in _DO and subject.shape and rest.shape and rest.shape[-1].isalpha()
        return [*subject.places, *_third_person(rest), call] if told else []
    if aux > 1:
        start = aux + 1
        subject = words[start : _subject_end(words.shape, start)]
        if not subject.shape:
            return []
        noun, rest = words[1:aux], words[start + len(subject.shape) :]
        tail: list[Piece] = [*rest.places] if words.shape[aux] not in _DO else _third_person(rest)
        helper = [] if words.shape[aux] in _DO else [words.places[aux]]
        return ["the", *noun.places, "that", *subject.places, *helper, *tail, "is", call]
    mention = next((at for at, mask in enumerate(words.shape) if mask[:1] == "<" and mask != "<number>"), -1)
    if mention not in (2, 3) or words.shape[mention] == "<data>":
        return []  # a verb stands between: "Which nodes lie in G?"
    noun, rest = words[1:mention], words[mention:]
    return ["the", *noun.places, "that", *rest.places, "is", call]


def _subject_end(shape: Sequence[str], start: int) -> int:
    """Where the mentions that begin at `start` end, a determiner before them; `start` where there are none."""
    at = start + (shape[start : start + 1] in (("the",), ("a",)))
    end = at
    while end < len(shape) and (shape[end].startswith("<") or (end > at and shape[end] in ("and", "'s"))):
        end += 1
    return _with_data(shape, end) if end > at else start


def _with_data(shape: Sequence[str], end: int) -> int:
    """The end of a subject that ends at `end`, with the data set that may follow: "<user> of <data>"."""
    if tuple(shape[end : end + 2]) in _OF_DATA:
        return end + 2
    called = tuple(shape[end + 1 : end + 5]) == ("the", "<data>", "data", "set")
    return end + 5 if called and shape[end] in _DATA_BEHIND else end


_DATA_BEHIND = frozenset("of on from in".split())
_OF_DATA = frozenset((word, "<data>") for word in _DATA_BEHIND)


def _third_person(words: _Words) -> list[Piece]:
    """The rest of a question behind "does N": the verb, the last word before a preposition or mention, gets its ending."""
    ends = (at for at, mask in enumerate(words.shape) if not mask.isalpha() or mask in _BEHIND_VERB)
    at = next(ends, len(words.shape)) - 1
    if at < 0:
        return list(words.places)
    verb = words.shape[at]
    ending = "es" if verb.endswith(("s", "sh", "ch", "x", "o")) else "s"
    return [*words.places[:at], _VERBS.get(verb, verb + ending), *words.places[at + 1 :]]


_BEHIND_VERB = frozenset("to with in of on about under for at from into best most next well".split())
_PREPOSITIONS = frozenset("to with in of on about under for at from into".split())


def _same(words: _Words, call: Insert) -> list[Piece]:
    """ "Are U and U in the same community?" → "U and U are in _ community"; the result is "the same" or "different"."""
    at = next(
        (
            at
            for at, pair in enumerate(zip(words.shape, words.shape[1:], strict=False))
            if pair == ("the", "same")
        ),
        -1,
    )
    last = max((at for at, mask in enumerate(words.shape) if mask == "<user>"), default=-1)
    if at < 0 or last < 0 or at < last:
        return []
    last = _with_data(words.shape, last + 1) - 1
    verb = words.shape[last + 1]
    helper: list[Piece] = (
        ["are"] if words.shape[0] == "are" and verb not in ("belong", "share", "live", "fall") else []
    )
    if words.shape[at - 2 : at] == ("one", "and") and at - 2 > last:
        at, words = (
            at - 2,
            _Words(words.shape[: at - 2] + words.shape[at:], words.places[: at - 2] + words.places[at:]),
        )
    return [*words.places[1 : last + 1], *helper, *words.places[last + 1 : at], call, *words.places[at + 2 :]]
