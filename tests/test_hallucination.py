"""What answers name, checked against the graph: the paper's own examples first."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from command_line import CommandLine
from graphtalk.benchmarks.graphqa.graphs import stored
from graphtalk.benchmarks.hallucination import Checked, check, rates
from graphtalk.training.text_graphs import TextGraph

TOLD = TextGraph(
    (
        "name: elephant; attribute: gray; (x,y,w,h): (1, 2, 3, 4)",
        "name: bushes; (x,y,w,h): (5, 6, 7, 8)",
        "grass",
    ),
    ("in", "near"),
    np.array([[0, 1], [1, 2]]),
)
SCENE = stored(TOLD, "scene")
HALLUCINATED = (
    "The animal in the bushes is a deer. Nodes: * Deer (node 1) * Bushes (node 1) "
    "Edges: * Deer Bushes (edge 1) * Deer Grass (edge 2) * Bushes Grass (edge 3)"
)


def test_the_papers_hallucinated_answer() -> None:
    checked = check(HALLUCINATED, SCENE)
    assert checked.nodes == (("Deer (node 1)", False), ("Bushes (node 1)", True))
    assert checked.edges == (
        ("Deer Bushes (edge 1)", False),
        ("Deer Grass (edge 2)", False),
        ("Bushes Grass (edge 3)", True),
    )
    assert not checked.fully_valid


def test_the_papers_correct_answer() -> None:
    answer = """Based on the graph, the animal is an elephant. The nodes that support this answer are:
* Node 0: The elephant is mentioned in the first line of the graph.

The edges that support this answer are:
* elephant - in - bushes

Therefore, the answer is: The animal in the bushes is an elephant."""
    checked = check(answer, SCENE)
    assert [valid for _, valid in (*checked.nodes, *checked.edges)] == [True, True]
    assert checked.fully_valid


@pytest.mark.parametrize(
    ("edge", "valid"),
    [
        ("elephant -> bushes", True),
        ("bushes -> elephant", True),  # without a relation no direction is claimed
        ("elephant --in--> bushes", True),
        ("(elephant; in; bushes)", True),
        ("elephant, in, bushes", True),
        ("Elephant in Bushes", True),
        ("elephant → near → bushes", False),
        ("bushes, in, elephant", False),
        ("elephant -> grass", False),
        ("elephant", False),
        ("node 0 -> node 1", True),
        ("node 0 -> node 7", False),
    ],
)
def test_edges_in_all_their_spellings(edge: str, valid: bool) -> None:
    assert check(f"Edges:\n- {edge}", SCENE).edges == ((edge, valid),)


@pytest.mark.parametrize(
    ("nodes", "valid"),
    [
        ("elephant, bushes and more", [True, False]),
        ("Elephant; GRASS", [True, True]),
        ("node 2, node 3", [True, False]),
        ("grass (node 0)", [False]),
        ("name: elephant; attribute: gray; (x,y,w,h): (1, 2, 3, 4)", [False, False, False]),
    ],
)
def test_nodes_in_lists(nodes: str, valid: list[bool]) -> None:
    assert [found for _, found in check(f"Nodes: {nodes}", SCENE).nodes] == valid


def test_a_copy_of_the_textual_graph_is_fully_valid() -> None:
    checked = check(TOLD.as_csv(), SCENE)
    assert len(checked.nodes) == 3 and len(checked.edges) == 2 and checked.fully_valid
    part = TOLD.part(np.array([1, 2]), np.array([1])).as_csv()  # its nodes keep their numbers
    assert part.splitlines()[1].startswith("1,") and check(part, SCENE).fully_valid
    wrong = TOLD.as_csv().replace("0,in,1", "1,in,0").replace("2,grass", "2,hay")
    assert [valid for _, valid in check(wrong, SCENE).edges] == [False, True]
    assert check(wrong, SCENE).nodes[-1] == ("2,hay", False)


@pytest.mark.parametrize("number", ["9" * 5_000, "-1", "0\r1", "\x00", '"0', "²", "٣"])
def test_odd_numbers_and_cells_are_not_there(number: str) -> None:
    tables = f"node_id,node_attr\n{number},grass\n\nsrc,edge_attr,dst\n{number},in,{number}\n"
    found = check(f"Nodes: node {number}\nEdges: node {number} -> node {number}\n\n{tables}", SCENE)
    assert not any(valid for _, valid in (*found.nodes[-1:], *found.edges))


def test_rates_are_those_of_table_5() -> None:
    found = rates([check(HALLUCINATED, SCENE), check("Nodes: grass", SCENE), check("A deer.", SCENE)])
    assert (found.answers, found.naming) == (3, 2)
    assert found.valid_nodes == pytest.approx(2 / 3) and found.valid_edges == pytest.approx(1 / 3)
    assert found.fully_valid == 0.5
    assert rates([]).valid_nodes is None


# runs

LISTED = "yes\nNodes: zoos; tigers\nEdges: zoos, capable of, protect animals; zoos, is a, good thing"


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """ExplaGraphs' form: two questions of ten are its test split."""
    graph = "(zoos; capable of; protect animals)(protect animals; is a; good thing)"
    lines = [f"zoos harm {n}\tzoos help\tcounter\t{graph}" for n in range(10)]
    (tmp_path / "dev.tsv").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path / "dev.tsv"


def scripted(folder: Path, *texts: str) -> str:
    rows = "".join(json.dumps({"text": text}) + "\n" for text in texts)
    (folder / "script.jsonl").write_text(rows, encoding="utf-8")
    return f"scripted:{folder / 'script.jsonl'}"


def test_a_run_keeps_what_answers_list_and_the_report_has_table_5(
    cli: CommandLine, data: Path, tmp_path: Path
) -> None:
    lm, out = scripted(tmp_path, LISTED, "counter"), tmp_path / "run"
    run = ("bench", "run", "graphqa-explagraphs", "--data", data, "--workers", 1, "--out", out, "--lm", lm)
    assert cli(*run, "--reasoner", "g-retriever-list").code == 0
    kept = [json.loads(row) for row in (out / "records.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [record["listed"] for record in kept] == [
        {
            "nodes": [["zoos", True], ["tigers", False]],
            "edges": [["zoos, capable of, protect animals", True], ["zoos, is a, good thing", False]],
        },
        {"nodes": [], "edges": []},
    ]
    assert kept[0]["answer"] == LISTED
    told = cli("bench", "report", out).out
    table = told.split("Hallucination (table 5)\n")[1].splitlines()
    assert table[0].split("\t")[3:] == [
        "answers", "that list any", "valid nodes %", "valid edges %", "fully valid graphs %",
    ]  # fmt: skip
    assert table[1] == "the paper\tLLM with graph prompt tuning\tLlama2-7b\t100\t-\t31.00\t12.00\t8.00"
    assert table[2] == "the paper\tG-Retriever\tLlama2-7b\t100\t-\t77.00\t76.00\t62.00"
    assert table[3] == f"{out}\tg-retriever-list\t{lm}\t2\t1\t50.00\t50.00\t0.00"
    assert "Settings (table 3)" not in told.split("Not here, for want of runs")[0]
    assert cli("bench", "report", out, "--json").json["runs"][0]["listed"]["valid_nodes"] == 0.5
    (tmp_path / "script.jsonl").unlink()
    assert cli("bench", "replay", out).code == 0


def test_other_runs_list_nothing(cli: CommandLine, data: Path, tmp_path: Path) -> None:
    run = ("bench", "run", "graphqa-explagraphs", "--data", data, "--workers", 1, "--out", tmp_path / "run")
    assert cli(*run, "--lm", scripted(tmp_path, LISTED, LISTED), "--reasoner", "g-retriever").code == 0
    told, lacking = cli("bench", "report", tmp_path / "run").out.split("Not here, for want of runs")
    assert "table 5" not in told and "Hallucination (table 5)" in lacking


def test_a_damaged_list_is_named(cli: CommandLine, data: Path, tmp_path: Path) -> None:
    lm, out = scripted(tmp_path, LISTED, LISTED), tmp_path / "run"
    run = ("bench", "run", "graphqa-explagraphs", "--data", data, "--workers", 1, "--out", out, "--lm", lm)
    assert cli(*run, "--reasoner", "g-retriever-list").code == 0
    whole = (out / "records.jsonl").read_text(encoding="utf-8")
    for damaged in ('"listed": 3', '"listed": {"nodes": [["zoos"]], "edges": []}', '"listed": {"nodes": []}'):
        (out / "records.jsonl").write_text(re.sub(r'"listed": \{.*?\}', damaged, whole), encoding="utf-8")
        done = cli("bench", "report", out)
        assert (done.code, "records.jsonl:1: not a record" in done.err) == (2, True)


def test_what_was_checked_comes_back_from_its_json() -> None:
    checked = check(HALLUCINATED, SCENE)
    assert Checked.of_json(json.loads(json.dumps(checked.to_json()))) == checked
