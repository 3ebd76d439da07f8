"""Processes in words: every pattern against a plain loop, what is read whole, and what is declined."""

import json
import math
import random
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from command_line import CommandLine
from graphtalk.core import CheckError
from graphtalk.reasoners.graph_agents import processes
from graphtalk.reasoners.graph_agents.offline import OfflineMaster
from graphtalk.vertex import read_card, run, small_graph
from graphtalk.vertex.patterns import pattern, pattern_names, plain

RING = "The edges are (0,1) (1,2) (2,3) (3,4) (4,0) (1,3). "
VALUES = "The values of the nodes are: 0: 5, 1: 3, 2: 8, 3: 1, 4: 7. "
FRIENDS = (
    "Ann is friends with Ben. Ben is friends with Cid. Cid is friends with Dee. Dee is friends with Ann. "
    "Ben is friends with Dee. "
)
INFECTED = "Node 2 is infected at first. Each hour every infected node infects all its neighbours. "
RED = "Nodes 0, 1 and 2 are red at first and the others are blue. Every round each node takes the colour that most of its neighbours have. "


def _cases() -> list[tuple[str, dict[str, str]]]:
    found = []
    for name in pattern_names():
        places = pattern(name).places
        for chosen in product(pattern(name).answers, *(places[place] for place in places)):
            found.append((name, dict(zip(("answer", *places), chosen, strict=True))))
    return found


@pytest.mark.parametrize(("name", "chosen"), _cases())
def test_a_pattern_gives_what_a_plain_loop_gives(name: str, chosen: dict[str, str]) -> None:
    rng, kind = random.Random(f"{name}{chosen}"), pattern(name)
    for least in ({"least": 1}, {"least": 2}, {"share": 0.5}, {"above": 0.5}):
        n = rng.randint(3, 9)
        edges = [(at, (at + 1) % n) for at in range(n)] + [
            (rng.randrange(n), rng.randrange(n)) for _ in range(n)
        ]
        values = [rng.randint(-3, 9) for _ in range(n)]
        near: list[set[int]] = [set() for _ in range(n)]
        for one, other in edges:
            if one != other:
                near[one].add(other)
                near[other].add(one)
        could: dict[str, Any] = {
            "seeds": frozenset(rng.sample(range(n), 1 if name == "walk" else 2)),
            "rounds": n if chosen["answer"] == "last" else rng.randint(1, 3),
            "limit": rng.randint(2, 6),
            **least,
        }
        if "target." in kind.answers[chosen["answer"]]:
            could["target"] = rng.randrange(n)
        given = {key: value for key, value in could.items() if key in kind.source["parameters"]}
        graph = small_graph(n, edges, False, values if kind.values else ())
        found = run(read_card(kind.program(chosen)).program, graph, given).outcome.value
        expected = plain(name, [frozenset(each) for each in near], values, given, {**chosen, "ties": "kept"})
        if isinstance(expected, dict):
            assert all(math.isclose(found[node], each) for node, each in expected.items())
        else:
            exact = isinstance(expected, set | bool)
            assert (set(found) if isinstance(expected, set) else found) == (
                expected if exact else pytest.approx(expected)
            )


def test_what_a_pattern_has_not_is_refused() -> None:
    with pytest.raises(CheckError, match=r"No pattern 'spred'\. Did you mean spread"):
        pattern("spred")
    with pytest.raises(CheckError, match="gather has no gathered 'median'"):
        pattern("gather").program({"answer": "table", "gathered": "median"})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (RING + "Nodes 0 and 3 are infected at first. Every round a node becomes infected if at least 2 of its neighbours are infected. Which nodes are infected after 1 round?", [0, 1, 3, 4]),
        (RING + "Nodes 0 and 3 are infected at first. Every round a node with at least two infected neighbours becomes infected. How many rounds does it take until node 2 is infected?", 2),
        (RING + INFECTED + "Which nodes are infected after one hour?", [1, 2, 3]),
        (RING + INFECTED + "How many nodes are infected in the end?", 5),
        (RING + "Node 0 starts a rumour. Every day each node that knows it tells all its neighbours. How many days until every node knows it?", 2),
        (FRIENDS + "Ann knows a secret. Each day everyone who knows the secret tells it to all their friends. After how many days does everyone know it?", 2),
        (FRIENDS + "At first only Ann is ill. Each day, a person gets ill if more than half of their friends are ill. Who is ill after 2 days?", ["Ann"]),
        (FRIENDS + "At first only Ann is ill. Each day, a person gets ill if any of their friends is ill. Is Cid ill after 1 day?", False),
        ("A-B, B-C, C-D, D-A are the edges. If A is infected and every day each infected node infects all its neighbours, which nodes are infected after 1 day?", ["A", "B", "D"]),
        (RING + VALUES + "Every round each node takes the largest value of its own and its neighbours' values. What value does node 1 have after 1 round?", 8),
        (RING + VALUES + "In each step, every node replaces its value by the average of its neighbours' values. What is the value of node 0 after 1 step?", 5),
        (RING + VALUES + "In each step, every node replaces its value by the sum of the values of its neighbours. What is the value of node 4 after 1 step?", 6),
        (RING + "Each node starts with its own number. In each round every node takes the smallest number among its own and its neighbours' numbers. After how many rounds does no value change any more?", 2),
        (RING + "Node 0 sends one message to all its neighbours. In every round each node passes every message it received on to all its neighbours. How many messages does node 3 receive in round 2?", 2),
        (RING + "Every day each node that has the rumour tells all its neighbours. Node 0 has it at first. Which nodes have it after 1 day?", [0, 1, 4]),
        (RING + "At first only node 0 knows it. Every day each node that knows it tells all its neighbours. After 1 day, which nodes know it?", [0, 1, 4]),
        (RING + "Every node starts with the value of its own number. In each round it takes the largest value of its neighbours and its own. What is the value of node 0 after 1 round?", 4),
        (RING + "A walker starts at node 0 and moves to a random neighbour in each step. What is the probability that it is at node 4 after 1 step?", 1 / 2),
        (RING + "Nodes 0, 1 and 3 are red, the others blue. In each round every node takes the colour of most of its neighbours. In a tie it keeps its colour. Which nodes are red after 1 round?", [0, 1, 2, 4]),
        (RING + "How many nodes can each node reach within 1 hop?", {"0": 2, "1": 3, "2": 2, "3": 3, "4": 2}),
        (RING + RED + "In a tie it keeps its colour. Which nodes are red after 1 round?", [0, 1, 2, 3]),
        (RING + "A walker starts at node 0. In every step it moves to one of its neighbours chosen uniformly at random. What is the probability that it is at node 3 after 2 steps?", 1 / 2 * 1 / 3 + 1 / 2 * 1 / 2),
        (RING + "For each node, how many other nodes are within 1 hop?", {"0": 2, "1": 3, "2": 2, "3": 3, "4": 2}),
        (RING + "Which node has the most nodes within 1 hop?", [1, 3]),
        (RING + VALUES + "Which nodes have a larger value than all their neighbours?", [2, 4]),
        (RING + VALUES + "For every node, count the neighbours with a value above 4.", {"0": 1, "1": 2, "2": 0, "3": 2, "4": 1}),
        (RING + VALUES + "For every node, find the sum of the values of its neighbours with a value of at least 5.", {"0": 7, "1": 13, "2": 0, "3": 15, "4": 5}),
    ],
)  # fmt: skip
def test_a_process_is_read_and_run(text: str, value: Any) -> None:
    found = OfflineMaster().solve(text)
    assert found.answered, found.text
    assert found.value == (pytest.approx(value) if isinstance(value, float) else value)
    assert found.algorithm in {pattern(name).title.lower() for name in pattern_names()}
    assert found.remarks[-1] == "A plain loop over the nodes, one after the other, gives the same."


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (RING + INFECTED.replace("neighbours.", "neighbours with probability 0.5.") + "Which nodes are infected after 1 hour?", ""),
        (RING + INFECTED + "Node 3 is immune. Which nodes are infected after 1 hour?", ""),
        (RING + INFECTED + "Which nodes are not infected after 1 hour?", ""),
        (RING + INFECTED + "Which nodes become infected in hour 2?", ""),
        (RING + INFECTED + "Suppose infected nodes recover in the end. Which nodes are infected after 2 hours?", ""),
        (RING + "A walker starts at node 0. In every step it moves to a random neighbour. What is the probability that it is at node 3 within 2 steps?", ""),
        (RING + INFECTED.replace("Each hour", "Every second hour") + "Which nodes are infected after 2 hours?", ""),
        (RING + INFECTED.replace("Node 2", "Node 9") + "Which nodes are infected after 2 hours?", ""),
        (RING + "Nodes 0 and 3 are infected at first. Every round a node with at least 2 infected neighbours becomes infected and then recovers. Which nodes are infected after 3 rounds?", "not what is asked of it"),
        (RING + "Node 0 starts a rumour. Every day each node that knows it tells one neighbour. How many days until all know?", "not read whole; degree is another problem"),
        (RING + "Node 0 is infected at first. Every round a node becomes infected if at least 2 of its neighbours are infected. How many rounds does it take until all nodes are infected?", "never happens"),
        (RING + "Every day each node that has the rumour tells all its neighbours. Node 0 has it at first. Which nodes have the flu after 1 day?", ""),
        (RING + "Every day each node that knows it tells all its neighbours. Node 0 knows it at first. Node 3 has the flu. Which nodes know it after 1 day?", ""),
        (RING + "A walker starts at node 0 and moves to a random neighbour in each step and back. What is the probability that it is at node 3 after 1 step?", ""),
        (RING + RED + "Which nodes are red after 2 rounds?", "does not say what they do then"),
        (RING + RED + "In a tie it keeps its colour. Which nodes are blue after 2 rounds?", ""),
        ("The edges are (0,1) (2,3). Node 0 and node 2 are red at first and the others are blue. Every round each node takes the colour that most of its neighbours have. In a tie it keeps its colour. Which nodes are red in the end?", "change for ever"),
        (RING + VALUES + "Each round every node takes the sum of the values of its neighbours. What value does node 0 have in the end?", "never comes to an end"),
        (RING + VALUES + "Each round every node takes the sum of the values of its neighbours. What value does node 0 have after 100 rounds?", "beyond what is exact"),
        (RING + VALUES + "Each round every node takes the largest value of its neighbours, minus 1. What value does node 0 have after 2 rounds?", ""),
        (RING + "Each round every node takes the largest value of its neighbours. What value does node 0 have after 2 rounds?", "which value each node has"),
        (RING + "A walker starts at node 0. Each step it stays with probability 1/2, else it moves to a random neighbour. What is the probability that it is at node 0 after 2 steps?", ""),
        ("Consider a directed graph. " + RING + INFECTED + "Which nodes are infected after 2 hours?", "go both ways"),
    ],
)  # fmt: skip
def test_what_is_not_read_whole_or_left_open_is_declined(text: str, why: str) -> None:
    found = OfflineMaster().solve(text)
    assert not found.answered and why in found.text, (found.text, found.value)


def test_a_program_that_a_plain_loop_contradicts_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "plain", lambda *_: {0})
    found = OfflineMaster().solve(RING + INFECTED + "Which nodes are infected after one hour?")
    assert not found.answered and "do not agree" in found.text


def test_the_answer_to_a_process_verifies(monkeypatch: Any, capsys: Any, tmp_path: Path) -> None:
    graphtalk, problem = CommandLine(monkeypatch, capsys), tmp_path / "problem.txt"
    problem.write_text(RING + INFECTED + "Which nodes are infected after one hour?")
    told = graphtalk("solve", problem.read_text(), "--json")
    (tmp_path / "answer.json").write_text(told.out)
    done = graphtalk("verify", str(tmp_path / "answer.json"), "--problem", str(problem))
    assert done.code == 0 and "same answer" in done.out
    claimed = json.loads(told.out)
    (tmp_path / "answer.json").write_text(json.dumps({**claimed, "value": [0, 2, 3]}))
    done = graphtalk("verify", str(tmp_path / "answer.json"), "--problem", str(problem))
    assert done.code == 1 and "[0, 2, 3]" in done.out
