"""The single words of English and its verbs, as WordNet has them (`words.txt`, `verbs.txt`, `spellings.txt`, by `scripts/make_words.py`)."""

from bisect import bisect_left
from functools import cache
from importlib import resources

_NOUNS_TOO = {
    "given": "give",
    "known": "know",
    "done": "do",
    "gone": "go",
    "went": "go",
    "born": "bear",
}  # or of two letters


@cache
def dictionary() -> tuple[frozenset[str], frozenset[str]]:
    """The words of WordNet that are no names, and those that are, in lower case."""
    words = _lines("words.txt")  # in order: names before the rest, for capitals come first
    first, last, rest = (bisect_left(words, letter) for letter in ("A", "[", "a"))
    return frozenset(words[rest:]), frozenset("\n".join(words[first:last]).lower().split("\n"))


@cache
def forms_in_ie() -> dict[str, str]:
    """The verbs in -ie by their forms in -ies and -ied: `overlies`, which is no form of "overly"."""
    return {f"{verb}{s}": verb for verb in verbs() if verb.endswith("ie") for s in "sd"}


@cache
def verbs() -> frozenset[str]:
    """All verbs."""
    return frozenset(_verbs())


@cache
def _verbs() -> dict[str, frozenset[str]]:
    """Verbs, each with what of it is a verb where nothing is said about it: its `name`, its `names` in -s, or neither; and whether it is
    said of a `state`.
    """
    return {verb: frozenset(marks) for verb, *marks in (line.split() for line in _lines("verbs.txt"))}


def is_base(word: str) -> bool:
    """Whether a word standing alone is a verb as the dictionary has it: `follow`, but not `order`."""
    return "name" in _verbs().get(word, ())


def verb_of(word: str) -> str:
    """The verb whose third person a word is, where that is no plural as a rule: `orders`, but not `parts`; else nothing."""
    ends = [word.removesuffix("s"), word.removesuffix("es"), f"{word.removesuffix('ies')}y"]
    found = [e for e in ends if e != word and _is_verb(e)] if word.endswith("s") else []
    return found[0] if found else ""


def verb_done(word: str) -> str:
    """The verb that a past form is of, however it is spelled: `recruited`, `planned`, `held`; else nothing."""
    known = _verbs()
    irregular = past_forms().get(word) or _NOUNS_TOO.get(word)
    if irregular:
        return irregular
    if not word.endswith("ed"):
        return ""
    base = word[:-2]
    ends = [base, f"{base}e", *([f"{base[:-1]}y"] if base.endswith("i") else [])]
    ends += [base[:-1]] if base[-2:-1] == base[-1:] else []
    return next((e for e in ends if e in known), "")


def is_bare(word: str) -> bool:
    """Whether a word is a verb as it stands, and no past form: what is "open" need not have been opened."""
    return word in verbs() and not verb_done(word)


def is_deed(word: str) -> bool:
    """Whether a word may say what somebody does or did, in any form, and not more often something else: `run`, `drove`, `sinking`."""
    return _is_verb(word) or bool(verb_of(word) or verb_done(word)) or word.endswith("ing")


def is_state(word: str) -> bool:
    """Whether a word says that something is or has something, in any form, rather than that somebody did something: `contained`, `lie`, `lasts`."""
    return any("state" in _verbs().get(verb, ()) for verb in (word, verb_of(word), verb_done(word)))


def _is_verb(word: str) -> bool:
    return not _verbs().get(word, frozenset()).isdisjoint(("name", "names"))


def american(word: str) -> str:
    """A word as America spells it, in lower case.

    >>> [american(word) for word in ("licence", "colours", "organised", "centre", "hour")]
    ['license', 'colors', 'organized', 'center', 'hour']
    """
    spelled = _spellings()
    for ending, base in (("", ""), ("s", ""), ("d", ""), ("ed", ""), ("ing", "e"), ("ing", "")):
        whole = word.removesuffix(ending) + base if word.endswith(ending) else ""
        if whole in spelled:
            return spelled[whole].removesuffix(base) + ending
    return word


@cache
def _spellings() -> dict[str, str]:
    return dict(line.split() for line in _lines("spellings.txt"))


@cache
def past_forms() -> dict[str, str]:
    """Verbs by their past forms that are not made by a rule (`irregular.txt`, by `scripts/make_irregular.py`)."""
    verbs = (line.split() for line in _lines("irregular.txt"))
    return {form: verb for verb, *forms in verbs for form in forms}


def _lines(name: str) -> list[str]:
    text = (resources.files("graphtalk.language") / name).read_text("utf-8")
    return [line for line in text.split("\n") if line and line[0] != "#"]
