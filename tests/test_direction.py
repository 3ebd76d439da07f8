"""A relation that leads from a type to itself is never followed from its wrong end, however it is asked for."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pytest

import graphtalk as gt
from graphtalk.core import JSON
from graphtalk.graphs import EdgeTable, NodeTable, build

NAMES = ["Ada Kern", "Bo Lindt", "Cy Marsh", "Di Novak", "Ed Osei", "Flo Pratt", "Gus Quint", "Hana Rye"]
# the first leads to two others, and three lead to it
ENDS = [(0, 1), (0, 4), (5, 0), (6, 0), (7, 0), (1, 2), (2, 3), (4, 6), (5, 3)]
LEADS_TO, COMES_FROM = {"Bo Lindt", "Ed Osei"}, {"Flo Pratt", "Gus Quint", "Hana Rye"}
X = NAMES[0]

BY_VERB = """\
doer: Who {third} X? | Which {nodes} {base} X? | {nodes} that {base} X | List the {nodes} {ing} X | How many {nodes} {base} X?
doer: Who is X {done} by? | By whom is X {done}? | By how many {nodes} is X {done}? | Which {nodes} is X {done} by? | Who is {ing} X?
done: Who does X {base}? | Which {nodes} does X {base}? | {nodes} that X {third} | How many {nodes} does X {base}? | Who is X {ing}?
done: Who is {done} by X? | {nodes} {done} by X | Which {nodes} were {done} by X | Who gets {done} by X? | Show me everything X {third}
"""
BY_NOUN = """\
bearer: Who are the {role} of X? | X's {role} | How many {role} does X have? | Which {nodes} are {role} of X?
other: Whose {role} include X? | Of whom is X one of the {role}? | X is among the {role} of which {nodes}?
other: Which {nodes} have X as one of their {role}?
"""
RELATIONS = {  # its type, whether its source does what the verb says, the verb, the noun for who does it
    "MANAGES": ("Employee", True, ("manage", "manages", "managed", "managing"), "managers"),
    "followedBy": ("User", False, ("follow", "follows", "followed", "following"), "followers"),
    "mentor_of": ("Person", True, ("mentor", "mentors", "mentored", "mentoring"), "mentors"),
    "has_parent": ("Person", False, None, "parents"),
    "cites": ("Paper", True, ("cite", "cites", "cited", "citing"), None),
    "supplier": ("Company", False, None, "suppliers"),
    "precedes": ("Item", True, ("precede", "precedes", "preceded", "preceding"), "predecessors"),
}


def graph(node_type: str, relation: str) -> gt.Session:
    nodes = NodeTable(node_type, pa.table({"id": list("abcdefgh"), "name": NAMES}), "name")
    at = np.array(ENDS, dtype=np.int64)
    knows = np.array([(0, 5), (1, 3), (2, 6), (3, 0)], dtype=np.int64)
    edges = [
        EdgeTable(name, node_type, node_type, ends[:, 0], ends[:, 1])
        for name, ends in ((relation, at), ("knows", knows))
    ]
    return gt.session(build([nodes], edges))


def wordings(relation: str) -> Iterator[tuple[str, set[str]]]:
    """Questions, each with what it asks for."""
    node_type, source_does, verb, role = RELATIONS[relation]
    nodes = {"Company": "companies", "Person": "people"}.get(node_type, f"{node_type.lower()}s")
    base, third, done, ing = verb or ("", "", "", "")
    for line in ((BY_VERB if verb else "") + (BY_NOUN if role else "")).splitlines():
        asked, _, listed = line.partition(": ")
        for wording in listed.split(" | ") if listed else ():
            text = wording.format(nodes=nodes, base=base, third=third, done=done, ing=ing, role=role)
            doer = asked in ("doer", "bearer")
            yield text.replace("X", X, 1), COMES_FROM if doer == source_does else LEADS_TO


def told(value: JSON) -> set[str] | int:
    if isinstance(value, int):
        return value
    entries = value if isinstance(value, list) else [value]
    return {str(next(iter(e.values())) if isinstance(e, dict) else e) for e in entries}


@pytest.mark.parametrize("relation", RELATIONS)
def test_no_answer_is_of_the_other_direction(relation: str) -> None:
    session, right = graph(RELATIONS[relation][0], relation), 0
    asked = list(wordings(relation))
    for question, names in asked:
        found = session.ask(question)
        if found.answered:
            assert told(found.value) in (names, len(names)), (question, found.reading)
            right += 1
    assert right >= len(asked) / 2 or relation == "has_parent"


@pytest.mark.parametrize(
    "question",
    [
        "items viewed with Ada Kern",
        "items co-viewed with Ada Kern",
        "Which items were viewed together with Ada Kern?",
        "items seen along with Ada Kern",
        "Which items were viewed alongside Ada Kern?",
    ],
)
def test_what_has_no_direction_is_not_answered_in_one(question: str) -> None:
    found = graph("Item", "also_viewed").ask(question)
    assert not found.answered, found.reading


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Papers citing papers cited by Ada Kern", {"Flo Pratt"}),
        ("Which paper is cited by the most papers?", {"Ada Kern"}),
        ("What is the most cited paper?", {"Ada Kern"}),
        ("papers cited by papers that Ada Kern cites", {"Cy Marsh", "Gus Quint"}),
        ("Which papers were cited by more than two papers?", {"Ada Kern"}),
        ("Which papers cite no papers?", {"Di Novak"}),
    ],
)
def test_steps_and_numbers_keep_their_direction(question: str, names: set[str]) -> None:
    found = graph("Paper", "cites").ask(question)
    assert not found.answered or told(found.value) == names, found.reading


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many citations does Ada Kern make?", 2),
        ("How many citations does Ada Kern have?", 3),
        ("Which paper has the most citations?", {"Ada Kern"}),
        ("Which paper got the most citations?", {"Ada Kern"}),
        ("Which paper do the most papers cite?", {"Ada Kern"}),
        ("Ada Kern. How many papers cite it?", 3),
    ],
)
def test_a_deed_says_who_did_it_or_to_whom(question: str, answer: set[str] | int) -> None:
    found = graph("Paper", "cites").ask(question)
    assert not found.answered or told(found.value) == answer, found.reading
