"""GraphQA's loaders on small files of each form, its scorers, and MetaQA's questions."""

import json
import lzma
import runpy
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from graphtalk.benchmarks import Gold, find_task, tasks
from graphtalk.benchmarks.graphqa import metaqa
from graphtalk.benchmarks.graphqa.graphs import stored
from graphtalk.benchmarks.graphqa.questions import split
from graphtalk.benchmarks.graphqa.statistics import statistics
from graphtalk.benchmarks.graphqa.tasks import explagraphs, scenegraphs, webqsp
from graphtalk.benchmarks.scorers.given import Given
from graphtalk.benchmarks.scorers.registry import find_scorers
from graphtalk.benchmarks.task import Asked
from graphtalk.core import UsageError
from graphtalk.graphs.build import NodeTable, build
from graphtalk.tools.executor import Executor
from graphtalk.training.text_graphs import TextGraph

TRIPLES = "(entrapment; capable of; being abused)(being abused; created by; police)(police; capable of; harm)"
EXPLAGRAPHS_CSV = """\
node_id,node_attr
0,entrapment
1,being abused
2,police
3,harm

src,edge_attr,dst
0,capable of,1
1,created by,2
2,capable of,3
"""
SCENE = {
    "width": 500,
    "objects": {
        "7": {
            "name": "banana",
            "h": 34,
            "w": 64,
            "y": 55,
            "x": 248,
            "attributes": ["small", "yellow"],
            "relations": [{"object": "9", "name": "to the left of"}],
        },
        "9": {"name": "spots", "h": 16, "w": 26, "y": 92, "x": 245, "attributes": [], "relations": []},
    },
}


def explagraphs_file(folder: Path, *lines: str) -> Path:
    (folder / "train.tsv").write_text(
        "\n".join(["arg1\targ2\tlabel\tgraph", *lines]) + "\n", encoding="utf-8"
    )
    return folder


def scene_files(folder: Path, questions: dict[str, object], scenes: dict[str, object]) -> Path:
    (folder / "val_balanced_questions.json").write_text(json.dumps(questions), encoding="utf-8")
    (folder / "val_sceneGraphs.json").write_text(json.dumps(scenes), encoding="utf-8")
    return folder


def webqsp_row(
    question: str = "Who won the FedEx Cup?", answers: tuple[str, ...] = ("Brandt Snedeker",)
) -> dict[str, object]:
    graph = [["FedEx Cup", "sports.winners", "m.0n1"], ["m.0n1", "sports.award_winner", "Brandt Snedeker"]]
    return {"id": "WebQTest-1", "question": question, "answer": list(answers), "graph": graph}


def asked_in(folder: Path) -> list[str]:
    return sorted(question.prompt for question in explagraphs.splits(folder).all)


# ExplaGraphs


def test_explagraphs_lines_become_graphs_in_the_papers_form(tmp_path: Path) -> None:
    explagraphs_file(tmp_path, f"Entrapment is BAD.\tPolice abuse it.\tsupport\t{TRIPLES.upper()}")
    (question,) = explagraphs.splits(tmp_path).all
    assert question.graph.as_csv() == EXPLAGRAPHS_CSV
    assert question.asked.gold == Gold("support")
    assert "entrapment is bad." in question.prompt and question.prompt.endswith("\nAnswer:")
    assert "support" not in question.prompt.replace("support or counter", "")


def test_broken_lines_of_explagraphs_are_named_and_left_out(tmp_path: Path) -> None:
    explagraphs_file(
        tmp_path,
        f"a\tb\tsupport\t{TRIPLES}",
        "a\tb\tsupport",
        f"a\tb\tmaybe\t{TRIPLES}",
        "a\tb\tcounter\tno triples",
        "a\tb\tcounter\t(one; two)",
        "a\tb\tcounter\t(one; two; three) and more",
    )
    splits = explagraphs.splits(tmp_path)
    assert len(splits.all) == 1
    assert [complaint.split(":")[1] for complaint in splits.complaints] == ["3", "4", "5", "6", "7"]
    assert "'maybe'" in splits.complaints[1]


def test_a_split_is_six_to_two_to_two_and_always_the_same() -> None:
    parts = split(list(range(2766)))
    assert [len(part) for part in parts] == [1660, 553, 553]
    assert sorted(number for part in parts for number in part) == list(range(2766))
    assert parts == split(list(range(2766))) and parts[0] != tuple(range(1660))


def test_real_explagraphs_have_the_sizes_of_table_2(shared_data: Path) -> None:
    splits = explagraphs.splits(shared_data / "explagraphs")
    numbers = statistics(splits.all)
    assert numbers.graphs == 2213 and not splits.complaints
    assert numbers.nodes == pytest.approx(5.17, abs=0.05) and numbers.edges == pytest.approx(4.25, abs=0.05)


# SceneGraphs


def test_scene_graphs_become_the_papers_texts(tmp_path: Path) -> None:
    asked = {"q1": {"imageId": "23", "question": "What is small?", "answer": "banana"}}
    scene_files(tmp_path, asked, {"23": SCENE, "24": {"objects": {}}})
    (question,) = scenegraphs.splits(tmp_path).all
    assert question.graph.nodes == (
        "name: banana; attribute: small, yellow; (x,y,w,h): (248, 55, 64, 34)",
        "name: spots; (x,y,w,h): (245, 92, 26, 16)",
    )
    assert question.graph.edges == ("to the left of",) and question.graph.ends.tolist() == [[0], [1]]
    assert question.prompt == "Question: What is small?\nAnswer:"
    assert (
        '0,"name: banana; attribute: small, yellow; (x,y,w,h): (248, 55, 64, 34)"' in question.graph.as_csv()
    )


def test_a_question_without_its_scene_is_named(tmp_path: Path) -> None:
    one = {"imageId": "23", "question": "What?", "answer": "banana"}
    scene_files(tmp_path, {"q1": one, "q2": {**one, "imageId": "99"}}, {"23": SCENE})
    splits = scenegraphs.splits(tmp_path)
    assert len(splits.all) == 1 and "'99'" in splits.complaints[0]


def test_broken_scene_files_say_where(tmp_path: Path) -> None:
    asked = {"q1": {"imageId": "23", "question": "What?", "answer": "banana"}}
    lost = json.loads(json.dumps(SCENE))
    lost["objects"]["7"]["relations"][0]["object"] = "1000"
    scene_files(tmp_path, asked, {"23": lost})
    with pytest.raises(UsageError, match=r"image 23, object 7.*'1000'"):
        scenegraphs.splits(tmp_path)
    (tmp_path / "val_sceneGraphs.json").write_text('{"23": {"objects"', encoding="utf-8")
    with pytest.raises(UsageError, match=r"val_sceneGraphs\.json: not a JSON object"):
        scenegraphs.splits(tmp_path)
    (tmp_path / "val_sceneGraphs.json").unlink()
    with pytest.raises(UsageError, match="sceneGraphs"):
        scenegraphs.splits(tmp_path)


# WebQSP


@pytest.mark.parametrize("form", ["parquet", "jsonl", "json"])
def test_webqsp_is_read_in_all_its_forms(tmp_path: Path, form: str) -> None:
    for part in ("train", "validation", "test"):
        row = webqsp_row(f"Who, {part}?", ("Brandt Snedeker", "Tiger Woods"))
        path = tmp_path / f"{part}-00000-of-00001.{form}"
        if form == "parquet":
            parquet.write_table(pa.Table.from_pylist([row]), path)
        else:
            path.write_text(json.dumps(row if form == "jsonl" else [row]), encoding="utf-8")
    splits = webqsp.splits(tmp_path)
    (question,) = splits.validation
    assert question.asked.question == "who, validation?"
    assert question.asked.gold == Gold("brandt snedeker|tiger woods", ("brandt snedeker", "tiger woods"))
    assert question.graph.nodes == ("fedex cup", "m.0n1", "brandt snedeker")
    assert question.graph.ends.tolist() == [[0, 1], [1, 2]]
    assert len(splits.train) == len(splits.test) == 1


def test_webqsp_files_must_say_their_split(tmp_path: Path) -> None:
    (tmp_path / "questions.jsonl").write_text(json.dumps(webqsp_row()), encoding="utf-8")
    with pytest.raises(UsageError, match="train, validation"):
        webqsp.splits(tmp_path)
    (tmp_path / "questions.jsonl").rename(tmp_path / "test.jsonl")
    broken = {**webqsp_row(), "graph": [["only", "two"]]}
    (tmp_path / "train.jsonl").write_text(json.dumps(broken), encoding="utf-8")
    assert "no triple" in webqsp.splits(tmp_path).complaints[0]


def test_a_graph_without_edges_is_a_graph() -> None:
    empty = TextGraph.of_triples([])
    assert empty.ends.shape == (2, 0)
    assert empty.as_csv() == "node_id,node_attr\n\nsrc,edge_attr,dst\n"


def test_a_questions_graph_can_be_asked_like_any_other(tmp_path: Path) -> None:
    explagraphs_file(tmp_path, f"a\tb\tsupport\t{TRIPLES}(harm; capable of; police)")
    (question,) = explagraphs.splits(tmp_path).all
    graph = stored(question.graph, question.asked.id)
    assert graph.num_nodes == 4 and graph.num_edges == 4
    police, harm = graph.node("2"), graph.node("3")
    assert graph.label(police) == "police" and graph.neighbours(police, "capable of").tolist() == [harm]
    assert stored(TextGraph.of_triples([]), "empty").num_nodes == 0


# MetaQA


def metaqa_folder(folder: Path) -> Path:
    (folder / "1-hop").mkdir()
    lines = "what movies did [Epps] act in\tHalf Nelson|Half Nelson|8 Mile\nno tab here\n"
    with lzma.open(folder / "1-hop" / "dev.txt.xz", "wt") as file:
        file.write(lines)
    (folder / "1-hop" / "qa_dev_qtype.txt").write_text(
        "actor_to_movie\ndirector_to_movie\n", encoding="utf-8"
    )
    return folder


def test_metaqa_questions_have_types_and_names(tmp_path: Path) -> None:
    questions = metaqa.read(metaqa_folder(tmp_path) / "1-hop" / "dev.txt.xz", 1)
    (asked,) = questions.asked
    assert asked.gold.names == ("Half Nelson", "8 Mile") and asked.template == "actor_to_movie"
    assert len(questions.complaints) == 1 and ":2:" in questions.complaints[0]


def test_metaqa_refuses_another_graph() -> None:
    graph = build([NodeTable("thing", pa.table({"id": ["a"]}))], [], "things")
    with pytest.raises(UsageError, match="directed by"):
        find_task("metaqa-2hop").check(graph)
    with pytest.raises(UsageError, match="needs its questions"):
        find_task("metaqa-2hop").load(Executor(graph))


def test_real_metaqa_questions_load(shared_data: Path) -> None:
    graph = build([NodeTable("thing", pa.table({"id": ["a"]}))], [])
    questions = find_task("metaqa-3hop").load(Executor(graph), shared_data / "metaqa")
    assert len(questions.asked) == 14_274 and not questions.complaints
    assert all(asked.template for asked in questions.asked)


# tasks and scorers


def test_the_tasks_are_registered() -> None:
    names = [name for name in tasks() if name.startswith(("graphqa-", "metaqa-"))]
    assert len(names) == 6
    for name in names:
        task = find_task(name)
        assert task.name == name and find_scorers(task.scorers)
    graph = build([NodeTable("thing", pa.table({"id": ["a"]}))], [])
    with pytest.raises(UsageError, match="its own graph"):
        explagraphs.check(graph)


def score(name: str, text: str, gold: Gold) -> dict[str, float]:
    (scorer,) = find_scorers([name])
    return dict(scorer(Given.of(Asked("1", "Which?", gold), True, text, None)))


def test_accuracy_is_as_lenient_as_the_papers() -> None:
    assert score("stance", "It does not Support it, but counters it.", Gold("support")) == {"accuracy": 1.0}
    assert score("stance", "I cannot say.", Gold("support")) == {"accuracy": 0.0}
    assert score("contains", "nowhere", Gold("no")) == {"accuracy": 1.0}
    assert score("whole_answer", "nowhere", Gold("no"))["whole_answer"] == 0.0


def test_hits_are_names_in_the_text() -> None:
    gold = Gold("jamaican english|english", ("jamaican english", "english"))
    lenient = score("hit", "Jamaican English.|french", gold)
    assert lenient["hit"] == 1.0 and lenient["hit_precision"] == 0.5 and lenient["hit_recall"] == 1.0
    strict = score("whole_answer", "Jamaican English.|french", gold)
    assert strict == {"whole_answer": 0.0, "first_answer": 1.0}
    assert score("whole_answer", "english|jamaican english", gold)["whole_answer"] == 1.0
    assert score("hit", "", gold)["hit"] == 0.0 and score("whole_answer", "", gold)["first_answer"] == 0.0


@pytest.mark.parametrize("answer", ["dog", "yes"])
def test_statistics_of_scene_graphs_are_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], answer: str
) -> None:
    """With answers that nodes are called and with none; one scene is empty and one has no relations."""
    scenes: dict[str, object] = {}
    for n in range(10):
        objects = {
            f"{n}{k}": {"name": name, "attributes": [], "x": k, "y": n, "w": 3, "h": 4, "relations": []}
            for k, name in enumerate(("cat", "dog"))
        }
        objects[f"{n}0"]["relations"] = [{"object": f"{n}1", "name": "near"}] if n > 1 else []
        scenes[str(n)] = {"objects": objects if n else {}}
    asked = {f"q{n}": {"question": "What?", "imageId": str(n), "answer": answer} for n in range(10)}
    scene_files(tmp_path, asked, scenes)
    script = Path(__file__).resolve().parents[1] / "scripts" / "graphqa_statistics.py"
    monkeypatch.setattr(sys, "argv", [str(script), f"graphqa-scenegraphs={tmp_path}", "--k", "3"])
    runpy.run_path(str(script), run_name="__main__")
    told = capsys.readouterr().out
    assert ("no answer of the test split is a node" in told) == (answer == "yes")
    assert ("| graphqa-scenegraphs | 3 | the paper's rule |" in told) == (answer == "dog")
