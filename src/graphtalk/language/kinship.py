"""Kin that a graph of parents and children does not name, said by what it names: grandparents are parents of parents."""

import re
from collections.abc import Collection

_GRAND = re.compile(r"\b(?P<great>(?:great-?\s?)*)grand-?(?P<kin>parents?|child(?:ren)?)\b", re.I)
_LINE = {"ancestor": "parent", "descendant": "child", "descendent": "child"}
_IN_LINE = re.compile(r"\b(?:all )?(?:the )?(ancestor|descend[ae]nt)s? of (?P<of>[^?.!]+)", re.I)
_POSSESSIVE = re.compile(r"(?P<who>[\w][\w .-]*)['’]s (?P<kin>(?:great-?\s?)*grand-?(?:parents?|child(?:ren)?)|ancestors?|descend[ae]nts?)\b", re.I)  # fmt: skip
_HAVING = re.compile(r"^\W*how many (?P<kin>(?:great-?\s?)*grand-?children|(?:great-?\s?)*grand-?parents|ancestors|descend[ae]nts) (?:does|do|did) (?P<who>.+?) have\b", re.I)  # fmt: skip
_OPENS = re.compile(
    r"(?:.*\b(?:is|are|was|were|list|name|show|me|of|the|does|do)\b )?(?P<who>.+)", re.I | re.S
)
_MANY = {"parent": "parents", "child": "children"}


def plain_kin(question: str, nouns: Collection[str]) -> str:
    """A question with kin said by parents and children, where these are among the `nouns` of a graph and the kin are not.

    >>> plain_kin("Who are the grandparents of Ann?", {"parent", "child"})
    'Who are the parents of the parents of Ann?'
    >>> plain_kin("Who are the ancestors of Ann?", {"parent", "child"})
    'Who are the parents of Ann, directly or indirectly?'
    """
    if not {"parent", "child"} <= set(nouns):
        return question
    if "grandparent" not in nouns:
        question = _GRAND.sub(_steps, _turned(question))
    line = _IN_LINE.search(question)
    if line is None or line[1].lower() in nouns:
        return question
    kin = _MANY[_LINE[line[1].lower()]]
    return f"{question[: line.start()]}the {kin} of {line['of']}, directly or indirectly{question[line.end() :]}".replace(
        "the the ", "the "
    )


def _turned(question: str) -> str:
    """ "Ann's grandparents" as "the grandparents of Ann", "has Ann" as "are there of Ann"."""
    question = _HAVING.sub(r"how many \g<kin> of \g<who> are there", question)
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
