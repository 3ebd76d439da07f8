"""Kin that a graph does not name, said by those that it names: parents are fathers and mothers, grandparents parents of parents."""

import re
from collections.abc import Collection
from dataclasses import dataclass

_KIN = r"(?:great-?\s?)*grand-?(?:parents?|child(?:ren)?)|ancestors?|descend[ae]nts?|siblings?|brothers?|sisters?|sons?|daughters?"
_GRAND = re.compile(r"\b(?P<great>(?:great-?\s?)*)grand-?(?P<kin>parents?|child(?:ren)?)\b", re.I)
_LINE = {"ancestor": "parents", "descendant": "children", "descendent": "children"}
_IN_LINE = re.compile(r"\b(?:all )?(?:the )?(?P<kin>ancestor|descend[ae]nt)s? of (?P<of>[^?.!]+)", re.I)
_CHILDREN = re.compile(r"\b(?P<kin>son|daughter)(?:(?P<many>s)\b|(?= of\b))")
_SIBLINGS = re.compile(r"\b(?P<kin>sibling|brother|sister)(?P<many>s?) of (?P<of>[^?.!]+?)(?= are there\b|[?.!]|$)", re.I)  # fmt: skip
_SEX = {"son": "male ", "brother": "male ", "daughter": "female ", "sister": "female "}
_POSSESSIVE = re.compile(rf"(?P<who>[\w][\w .-]*)['’]s (?P<kin>{_KIN})\b", re.I)
_HAVING = re.compile(rf"^\W*how many (?P<kin>{_KIN}) (?:does|do|did) (?P<who>.+?) have\b", re.I)
_WHICH = re.compile(
    rf"^\W*(?:which|what) (?P<kin>{_KIN}|children|parents) (?:does|do|did) (?P<who>.+?) have\b", re.I
)
_OPENS = re.compile(
    r"(?:.*\b(?:is|are|was|were|list|name|show|me|of|the|does|do)\b )?(?P<who>.+)", re.I | re.S
)
_OFFSPRING = re.compile(r"\b(?:offspring|kids)\b", re.I)
_LITTLE = re.compile(r"^(?:has|have|is) (?:an? |the )?|(?: of| id)$")


@dataclass(frozen=True)
class Kin:
    """What somebody is called who is one of some to another (`of`), and what that other is to them: a father or a mother is the parent of a child."""

    noun: str
    of: tuple[str, ...]
    back: str


KIN = (
    Kin("parent", ("father", "mother"), "child"),
    Kin("child", ("son", "daughter"), "parent"),
    Kin("sibling", ("brother", "sister"), "sibling"),
)
_TAUGHT = {"teacher": "student", "mentor": "mentee", "trainer": "trainee", "advisor": "advisee", "adviser": "advisee", "tutor": "tutee",
           "master": "apprentice", "coach": "trainee", "predecessor": "successor", "successor": "predecessor"}  # fmt: skip


def kin_noun(relation: str) -> str:
    """The noun of a relation's name in words: "father" of "has father", "father of"."""
    return _LITTLE.sub("", _LITTLE.sub("", relation))


def counterpart(noun: str) -> str:
    """What who has a kin or a teacher is to them: "child" of "parent", "student" of "teacher"; else nothing."""
    return next((kin.back for kin in KIN if kin.noun == noun), _TAUGHT.get(noun, ""))


def plain_kin(question: str, relations: Collection[str]) -> str:
    """A question with kin said by parents and children, where one of a graph's `relations`, in words, is either, or two are father and mother,
    and none is called as the kin are.

    >>> plain_kin("Who are the grandparents of Ann?", {"parent"})
    'Who are the parents of the parents of Ann?'
    >>> plain_kin("Who are the ancestors of Ann?", {"has father", "has mother"})
    'Who are the parents of Ann, directly or indirectly?'
    >>> plain_kin("Who are Ann's sisters?", {"child of"})
    'Who are the female children of the parents of Ann other than Ann?'
    """
    nouns = {kin_noun(name) for name in relations}
    for kin in KIN[:2]:
        nouns |= {kin.noun, kin.back} if kin.noun in nouns or nouns.issuperset(kin.of) else set()
    if "parent" not in nouns:
        return question
    question = question if "offspring" in nouns else _OFFSPRING.sub("children", question)
    asked = _turned(question)
    if "grandparent" not in nouns:
        asked = _GRAND.sub(_steps, asked)
    for pattern, said in ((_CHILDREN, _children), (_SIBLINGS, _siblings), (_IN_LINE, _line)):
        found = pattern.search(asked)
        if found is not None and found["kin"].lower() not in nouns:
            asked = f"{asked[: found.start()]}{said(found)}{asked[found.end() :]}".replace("the the ", "the ")
    return asked if _WHICH.match(question) or asked != _turned(question) else question


def _turned(question: str) -> str:
    """ "Ann's grandparents" as "the grandparents of Ann", "does Ann have" as "of Ann are there"."""
    question = _HAVING.sub(r"how many \g<kin> of \g<who> are there", question)
    question = _WHICH.sub(r"who are the \g<kin> of \g<who>", question)
    found = _POSSESSIVE.search(question)
    if found is None:
        return question
    opens = _OPENS.fullmatch(found["who"])
    assert opens is not None
    begin = found.start() + opens.start("who")
    return f"{question[:begin]}the {found['kin']} of {opens['who']}{question[found.end() :]}"


def _steps(found: re.Match[str]) -> str:
    kin = "parents" if found["kin"].lower().startswith("parent") else "children"
    times = found["great"].lower().count("great") + 1
    return " of the ".join([kin] * (times + 1))


def _children(found: re.Match[str]) -> str:
    return f"{_SEX[found['kin'].lower()]}{'children' if found['many'] else 'child'}"


def _siblings(found: re.Match[str]) -> str:
    children = "children" if found["many"] else "child"
    return f"{_SEX.get(found['kin'].lower(), '')}{children} of the parents of {found['of']} other than {found['of']}"


def _line(found: re.Match[str]) -> str:
    return f"the {_LINE[found['kin'].lower()]} of {found['of']}, directly or indirectly"
