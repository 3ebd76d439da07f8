"""What kind of a thing a text asks for: people, a time, a number, yes or no."""

from collections.abc import Sequence
from itertools import pairwise

from graphtalk.language.english import STOP
from graphtalk.reasoners.toolformer.offline.counting import BEFORE_NOUN, ENDS_NOUN
from graphtalk.reasoners.toolformer.offline.mentions import SLOT


def asks_for_else(shape: Sequence[str], family: str) -> bool:
    """Whether people, a time, a reason or the past is asked for: no function gives these."""
    first = next((at for at, mask in enumerate(shape) if mask not in _REQUEST), 0)
    asked = tuple(shape[first : first + 2])
    if asked[:1] == ("why",) or (
        asked[:1] == ("when",) and asked[1:] and asked[1] in ENDS_NOUN - {"you", "we", "one"}
    ):
        return True
    if family != "recommender" and asked[0:1] in (("which",), ("what",)) and asked[1:] in _SO_MANY:
        return True  # "which two nodes are farthest apart"
    if family == "recommender" and "did" in shape:
        return True  # what will be is predicted, not what was
    if asked[:1] == ("how",) and not _BE.isdisjoint(
        shape[first + 2 : first + 3]
    ):  # "how old is", "how heavy is"
        return family == "molecular" or asked[1] not in _HOW
    if family in ("recommender", "knowledge"):  # an artist is a person, a subject may be
        return False
    if asked[:1] and asked[0] in ("who", "who's", "whom"):
        return True
    if asked[:1] in (("which",), ("what",)):
        return asked[1:] in _PEOPLE or (
            asked[1:] in _OWN.get(family, ()) and _QUALITIES.isdisjoint(shape[first + 2 : first + 3])
        )
    return False


def is_other_kind(shape: Sequence[str], function: str) -> bool:
    """Whether the function gives a value of another kind than is asked for: a number for "which community", a topic for
    "is it true that"."""
    first = next((at for at, mask in enumerate(shape) if mask not in _REQUEST), 0)
    if function in _SIZES and asked_noun(shape) in _GROUPS:
        return True
    if (
        function in _GIVES_NUMBER
        and shape[first : first + 1] in (("which",), ("what",))
        and asked_noun(shape) in _NODES
    ):
        return True
    if (
        function in _TELLS_ONLY_WHETHER
        and shape[first : first + 1]
        and shape[first] in ("what", "what's", "which")
    ):
        return True
    tests = not _TESTS.isdisjoint(shape[first : first + 1]) and _OPENS.isdisjoint(shape[first + 1 :])
    return tests and function not in _TELLS_WHETHER


_SIZES = frozenset(f"kmeans:community_{name}" for name in ("count", "avg_size", "max_size", "size"))
_GIVES_NUMBER = frozenset(
    f"toolx:{name}"
    for name in "order size density radius diameter degree avg_path_length max_path_length min_path_length".split()
)
_NODES = frozenset("node nodes vertex vertices point points pair pairs".split())
_GROUPS = frozenset("community communities group groups cluster clusters circle circles".split())
_OPENS = frozenset("you <slot> what which how who where whether".split())
_TELLS_ONLY_WHETHER = frozenset(("toolx:is_connected", "toolx:has_cycle", "toolx:is_bipartite"))
_TELLS_WHETHER = _TELLS_ONLY_WHETHER | frozenset(
    ("kmeans:common_community_check", "bpr:recommendation", "seg_bert:molecule_function")
)
_TESTS = frozenset("is are was were does do did has have".split())
_HOW = frozenset(
    """likely probable much many far large big small dense sparse wide long short close near populous tightly thinly well
    strongly eccentric clustered transitive connected interested keen fond possible densely sparsely richly full""".split()
)
_QUALITIES = frozenset("topic topics function class label category role field area subject activity".split())
_OWN = {
    "bibliographic": {(word,) for word in "paper papers article articles publication publications".split()},
    "molecular": {(word,) for word in "molecule molecules compound protein proteins instance graph".split()},
}
_REQUEST = frozenset("please tell me could you can say find out i wonder , so and hey hi".split())
_PEOPLE = {
    (word,) for word in ("users", "members", "people", "persons", "accounts", "authors", "researchers")
}


def asked_noun(shape: Sequence[str]) -> str | None:
    """The head of what is asked for: "what is the melting temperature of <instance>" → "temperature"."""
    words, _ = _asked(shape)
    return words[-1] if words else None


def named_before_slot(shape: Sequence[str]) -> str | None:
    """The word whose value the place to be filled is: "with a density of <slot>" → "density"."""
    at = next((at for at, mask in enumerate(shape) if mask == SLOT), 0)
    return shape[at - 2] if at > 1 and shape[at - 1] in ("of", ":", "=") else None


def asked_nouns(shape: Sequence[str]) -> Sequence[str]:
    """The words of what is asked for where they are nouns for sure: "what genre does …", "what is the genre" → "genre"."""
    words, behind = _asked(shape)
    is_named = any(pair == (be, "the") for pair in pairwise(shape) for be in ("is", "are", "what's"))
    return words if behind in _YES_OR_NO or is_named else ()


def _asked(shape: Sequence[str]) -> tuple[Sequence[str], str]:
    """The noun phrase behind "what" or "which", and the word behind it."""
    at = next((at for at, mask in enumerate(shape) if mask in ("what", "which", "what's")), len(shape))
    start = at + 1
    while start < len(shape) and (shape[start] in BEFORE_NOUN or shape[start] in _BE):
        start += 1
    end = start
    while end < len(shape) and shape[end].isalpha() and shape[end] not in ENDS_NOUN:
        end += 1
    return shape[start:end], shape[end] if end < len(shape) else ""


_SO_MANY = frozenset((word,) for word in ("two", "three", "<number>", "pair", "pairs"))
_BE = frozenset(("is", "are", "was", "would", "be"))
_YES_OR_NO = frozenset(
    "is are was were does do did has have had can could will would should may might".split()
)
_SURER, _VERY_SURE = 0.7, 0.97
"""How probable a function must be in a text with a word that no example has; and where that word is what is asked for."""


def caution(shape: Sequence[str], unknown: Sequence[str]) -> float:
    """How probable a function must be where these words of the text are in no example."""
    strange = [word for word in unknown if word not in STOP]
    if not strange:
        return 0.0
    first = next((mask for mask in shape if mask not in _REQUEST), "")
    asked = {asked_noun(shape), *_told_of(shape)}
    return _VERY_SURE if first in _YES_OR_NO or not asked.isdisjoint(strange) else _SURER


def _told_of(shape: Sequence[str]) -> Sequence[str]:
    """The words of what a statement is about that is to be filled: "the spectral radius of <graph> is <slot>" → spectral, radius."""
    if SLOT not in shape or "of" not in shape:
        return ()
    end = shape.index("of")
    start = next(
        (at + 1 for at in range(end - 1, -1, -1) if shape[at] in BEFORE_NOUN or not shape[at].isalpha()), 0
    )
    return shape[start:end]
