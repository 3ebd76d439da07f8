"""Graphs told in logs, comments, exam sheets and spreadsheets: how they are read, and what is not read as an edge."""

import doctest

import pytest

from graphtalk.language.told import logs
from graphtalk.reasoners.graph_agents.offline import OfflineMaster
from graphtalk.reasoners.graph_agents.reading import read


def edges(text: str) -> set[tuple[str, str, float]]:
    d = read(text).described
    weights = [1.0] * d.num_edges if d.weight is None else d.weight.tolist()
    ends = zip(d.source.tolist(), d.target.tolist(), weights, strict=True)
    return {(d.names[a], d.names[b], w) for a, b, w in ends}


def test_examples() -> None:
    assert doctest.testmod(logs).failed == 0


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "[12:01] WARN lock: T1 waits for T2\n[12:02] WARN lock: T2 waits for T3\nA deadlock?",
            "T2>T1 T3>T2",
        ),
        ("ts=1 from=a to=b\nts=2 from=b to=c\nIs a connected to c?", "a>b b>c"),
        (
            '{"ts": 1, "from": "a", "to": "b"}\n{"ts": 2, "from": "b", "to": "c"}\nIs a connected to c?',
            "a>b b>c",
        ),
        ("ping a b 12ms\nping b c 7ms\nping a c 25ms\nLowest latency from a to c?", "a>b:12 b>c:7 a>c:25"),
        ("/* edges: {{0,1},{1,2}} */\n/* How many paths go from 0 to 2? */", "0>1 1>2"),
        ("V = {u, v, w} and E = {uv, vw, wu}. Is it bipartite?", "u>v v>w w>u"),
        ("Vertices 1, ..., 4; edges 12, 23, 34. Is it a tree?", "1>2 2>3 3>4"),
        ("What is the total weight?\nAB = 7, AC = 3, BC = 1", "A>B:7 A>C:3 B>C:1"),
        ("Arc | Capacity\n--- | ---\n(s,a) | 10\n(a,t) | 6\nMaximum flow from s to t?", "s>a:10 a>t:6"),
        ("No,From,To,km\n1,A,B,7\n2,B,C,4\nHow far is C from A?", "A>B:7 B>C:4"),
    ],
)
def test_edges_are_read(text: str, wanted: str) -> None:
    told = set()
    for each in wanted.split():
        ends, _, weight = each.partition(":")
        told.add((*ends.split(">"), float(weight or 1)))
    assert edges(text) == told


def test_times_stay_where_the_question_is_about_them() -> None:
    text = "[12:01] INFO a -> b\n[12:05] INFO b -> c\nWho was reached before 12:04?"
    assert logs.without_logs(text) == text


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("From,To,Dist\nP,Q,4 km\nQ,R,900 m\nP,R,3 mi\nShortest distance from P to R?", "'km' and in 'm'"),
        ("conn n1 n2\nconn n2 n3\nconn n3 ...\nShortest path from n1 to n3?", "No graph was found"),
    ],
)
def test_what_cannot_be_read_is_declined(text: str, place: str) -> None:
    found = OfflineMaster().solve(text)
    assert not found.answered and place in found.text, found.text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (
            "Auth depends on Db. Db depends on Disk. What does Auth depend on, directly or indirectly?",
            ["Db", "Disk"],
        ),
        ("Al cites Bo. Bo cites Cy. Dee cites Bo. Who is cited by Al, directly or indirectly?", ["Bo", "Cy"]),
        ("Al cites Bo. Bo cites Cy. Does Al cite Cy, directly or indirectly?", True),
        ("Links between servers: 1-2, 2-3, 3-4, 2-4. What is the degree of server 2?", 3),
        ("Al likes Bo. Bo likes Cy. Dee likes Bo. By how many people is Bo liked?", 2),
        ("Ann phoned Bea. Bea phoned Cal. Cal phoned Ann. Dee phoned Ann. Who was phoned most often?", "Ann"),
        (
            "Employee,Manager\nRuth,\nSam,Ruth\nTess,Ruth\nUgo,Sam\nHow many people report directly to Ruth?",
            2,
        ),
        ("Tree edges (parent, child): (1,2), (1,3), (2,4), (4,5). What is the height of the tree?", 3),
        (
            "From,To,Miles\nA,B,290\nB,C,190\nA,C,520\nAll roads are two-way. What is the minimum mileage from A to C?",
            480,
        ),
    ],
)
def test_what_is_asked_is_told_by_the_verbs_of_the_text(text: str, value: object) -> None:
    assert OfflineMaster().solve(text).value == value
