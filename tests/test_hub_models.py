"""The model hub: fitted once, kept, told to who watches; and the paper's calls of fitted models."""

import importlib.util
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from command_line import CommandLine
from graphtalk.calls import parse
from graphtalk.core import CheckError, ToolError, UsageError
from graphtalk.graphs import EdgeTable, Graph, GraphSet, NodeTable, build, store
from graphtalk.hub import models
from graphtalk.hub.models import ModelHub, Watch, watching
from graphtalk.models import bpr, graph_bert, mf, transe
from graphtalk.models.cards import UNFITTED
from graphtalk.models.predictions import Predictions
from graphtalk.reasoners.toolformer.results import plain, written
from graphtalk.tools import describe
from graphtalk.tools import models as calls
from graphtalk.tools.executor import Executor, Result
from graphtalk.tools.limits import Limits
from graphtalk.tools.registry import default_registry
from test_models_bpr import shop
from test_models_graph_bert import QUICK
from test_models_graph_bert import planted as papers
from test_models_kmeans import planted
from test_models_mf import ITEMS, SMALL, USERS, cinema
from test_models_transe import kinship


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModelHub:
    """A hub in an empty folder, which the calls use, with quick settings."""
    made = ModelHub(tmp_path)
    monkeypatch.setenv("GRAPHTALK_HUB", str(tmp_path))
    monkeypatch.setattr(calls, "model_hub", lambda: made)
    monkeypatch.setattr(bpr, "BprConfig", lambda: SMALL_BPR)
    monkeypatch.setattr(transe, "TransEConfig", lambda: SMALL_TRANSE)
    return made


GUESS = r"predicted by transe \(Hits@10 [\d.]+%\), not recorded in the graph"
SMALL_BPR = bpr.BprConfig(factors=8, epochs=8, batch=64)
SMALL_TRANSE = transe.TransEConfig(dimensions=16, epochs=100, batch=64, negatives=32, rate=0.2)


def stored(graph: Graph | GraphSet, folder: Path) -> Graph | GraphSet:
    store.write(graph, folder / f"{graph.name}.gt")
    return store.open_graph(folder / f"{graph.name}.gt")


def run(graph: Graph | GraphSet, text: str, limits: Limits | None = None) -> Result:
    return Executor(graph, limits=limits or Limits()).run(parse(text, default_registry().vocabulary))


class Witness:
    """Who watches: what was said, and how far the bars came."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.steps = 0

    @contextmanager
    def bar(self, what: str, unit: str, total: int | None) -> Iterator[object]:
        yield self.advance

    def advance(self, count: int) -> None:
        self.steps += count


# fitting


def test_a_model_is_fitted_once_and_then_read(hub: ModelHub, tmp_path: Path) -> None:
    graph, witness = stored(planted()[0], tmp_path), Witness()
    with watching(Watch(witness.said.append, witness.bar)):
        first = hub.model("kmeans", graph)
        assert hub.model("kmeans", graph) is first
        again = ModelHub(tmp_path).model("kmeans", store.open_graph(tmp_path / "friends.gt"))
    assert witness.said == ["kmeans is fitted on friends now, once: about 1 s on one CPU core."]
    assert witness.steps > 0 and np.array_equal(again.labels, first.labels)
    assert [card.scores for card in hub.cards()] == [first.card.scores]


def test_threads_that_ask_at_once_fit_once(hub: ModelHub, tmp_path: Path) -> None:
    graph, witness = stored(planted()[0], tmp_path), Witness()

    def ask() -> None:
        with watching(Watch(witness.said.append)):
            hub.model("kmeans", graph)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(witness.said) == 1


def test_another_version_of_a_data_set_is_fitted_anew(hub: ModelHub, tmp_path: Path) -> None:
    first = hub.place("kmeans", stored(planted()[0], tmp_path))
    second = hub.place("kmeans", stored(planted(0.3)[0], tmp_path))
    assert first != second and not hub.is_fitted("kmeans", store.open_graph(tmp_path / "friends.gt"))


def test_a_graph_in_memory_is_fitted_and_not_kept(hub: ModelHub, tmp_path: Path) -> None:
    graph, _ = planted()
    assert hub.place("leiden", graph) is None
    hub.model("leiden", graph)
    assert hub.is_fitted("leiden", graph) and not (tmp_path / "models").exists()


def test_fitting_anew_replaces_what_was_there(hub: ModelHub, tmp_path: Path) -> None:
    graph = stored(planted()[0], tmp_path)
    hub.model("kmeans", graph)
    assert hub.fit("kmeans", graph, seed=9) is hub.model("kmeans", graph)
    assert [card.seed for card in hub.cards()] == [9]


def test_every_model_of_the_hub_is_there_with_its_functions() -> None:
    for entry in models.models().values():
        assert importlib.util.find_spec(entry.module), entry.name
        known = default_registry().vocabulary
        for function in entry.functions:
            found = known.find(f"{entry.name}:{function}")
            assert found is not None and found.toolformer == f"{entry.name}:{function}"


def test_an_unknown_model_and_a_missing_package_are_said(hub: ModelHub, monkeypatch) -> None:
    graph, _ = planted()
    with pytest.raises(UsageError, match=r"No model 'kmean'. Did you mean kmeans\?"):
        hub.model("kmean", graph)
    monkeypatch.setattr(models, "find_spec", lambda name: None)
    with pytest.raises(ToolError, match=r'graph_bert needs torch, .*: pip install "graphtalk\[models\]"'):
        run(graph, 'GR(GL("friends"), "graph_bert:topic", user#u3)')


def test_what_cannot_run_is_not_offered_and_says_why_when_called(hub: ModelHub, monkeypatch) -> None:
    def offered(graph: Graph | GraphSet | None) -> set[str]:
        return {tool.name for tool in default_registry().offered(graph)} & {
            "Topic", "MoleculeFunction", "KMeansCommunity", "LeidenCommunity", "Recommendation", "TailEntity"
        }  # fmt: skip

    friends, _ = planted()
    always = {"KMeansCommunity", "LeidenCommunity", "TailEntity"}
    assert offered(friends) == always  # one type of nodes, and no classes
    assert offered(shop()) == {*always, "Recommendation"}
    assert offered(GraphSet.of({"0": friends, "1": friends}, "many")) == always  # of each of them
    assert offered(None) == {*always, "Topic", "MoleculeFunction", "Recommendation"}
    assert "Topic" in {tool["function"]["name"] for tool in describe.json_schemas(default_registry())}
    listed = describe.json_schemas(default_registry(), friends)
    assert "Topic" not in {tool["function"]["name"] for tool in listed} and len(listed) > 80

    monkeypatch.setattr(models, "find_spec", lambda name: None if name == "graspologic_native" else True)
    assert offered(friends) == always - {"LeidenCommunity"}
    assert "graspologic_native, which is not installed" in describe.help_text(
        default_registry()["LeidenCommunity"]
    )
    with pytest.raises(ToolError, match="graspologic_native, which is not installed"):
        run(friends, "LeidenCommunityCount[]")


def test_what_was_fitted_with_torch_is_asked_without_it(tmp_path: Path, monkeypatch) -> None:
    pytest.importorskip("torch")
    monkeypatch.setenv("GRAPHTALK_HUB", str(tmp_path))
    graph = stored(papers(), tmp_path)
    first = ModelHub(tmp_path).fit("graph_bert", graph, 0, replace(QUICK, epochs=5))
    monkeypatch.setattr(models, "find_spec", lambda name: None if name == "torch" else True)
    later = ModelHub(tmp_path)
    assert later.model("graph_bert", graph).predict([3]) == first.predict([3])
    monkeypatch.setattr(calls, "model_hub", lambda: later)
    assert run(graph, f'GR(GL("{graph.name}"), "graph_bert:topic", paper#{graph.id(3)})').value in (
        "t0",
        "t1",
        "t2",
    )
    with pytest.raises(UsageError, match="graph_bert needs torch"):
        later.fit("graph_bert", graph)


# calls


def test_communities_of_a_network(hub: ModelHub) -> None:
    graph, _ = planted()
    shown = {
        'GR(GL("friends"), "kmeans:community", user#u114)': 3,
        'GR(GL("friends"), "kmeans:community_count")': 4,
        'GR(GL("friends"), "kmeans:community-avg-size")': 115 / 4,
        'GR(GL("friends"), "kmeans:max-community-size")': 40,
        'GR(GL("friends"), "kmeans:community_size", user#u50)': 30,
        'GR(GL("friends"), "kmeans:common_community_check", user#u0, user#u39)': True,
        'GR(GL("friends"), "leiden:common_community_check", user#u0, "u40")': False,
        "community_count()": 4,
    }
    assert {text: run(graph, text).value for text in shown} == shown
    (remark,) = run(graph, "kmeans:community_count()").remarks
    assert re.fullmatch(r"found by kmeans \(modularity 0\.\d\d\)", remark)
    assert len(run(graph, 'GR(GL("friends"), "kmeans:community")').value) == 115


def test_evidence_is_who_was_asked_about(hub: ModelHub) -> None:
    graph, _ = planted()
    result = run(graph, 'GR(GL("friends"), "kmeans:common_community_check", user#u0, user#u39)')
    assert set(result.evidence().nodes) == {"u0", "u39"}
    best = run(shop(), 'GR(GL("shop"), "bpr:topk_recommendation", user#u3, 2)')
    assert {"u3", *best.graph.ids(best.value.nodes)} <= set(best.evidence().nodes) and len(best.value) == 2


def test_recommendations(hub: ModelHub) -> None:
    best = run(shop(), 'GR(GL("shop"), "bpr:topk-recommendation", user#u3, 1)')
    item = best.graph.id(int(best.value.nodes[0]))
    likely = run(shop(), f'GR(GL("shop"), "bpr:recommendation", user#u3, item#{item})').value
    assert 0.5 < likely < 1
    assert re.fullmatch(r"predicted by bpr \(Hit@10 [\d.]+%\)", best.remarks[0])
    with pytest.raises(CheckError, match="is no item that bpr was fitted on"):
        run(shop(), 'GR(GL("shop"), "bpr:recommendation", user#u3, user#u4)')


def test_recorded_facts_come_before_predictions_and_fit_nothing(hub: ModelHub) -> None:
    graph, witness = kinship(), Witness()
    with watching(Watch(witness.said.append)):
        tail = run(graph, 'GR(GL("kin"), "transe:tail_entity", entity#c1, relation#father)')
        head = run(graph, 'GR(GL("kin"), "transe:head_entity", relation#wife., entity#m1)')
        between = run(graph, 'GR(GL("kin"), "transe:relation", entity#c1, entity#m1)')
    assert (tail.show(), head.show(), between.show()) == ("[f1]", "[f1]", "mother")
    assert tail.remarks == head.remarks == between.remarks == ("recorded in the graph",)
    assert tail.evidence().edges == (("c1", "father", "f1"),) and set(tail.evidence().nodes) == {"f1", "c1"}
    assert head.evidence().edges == (("f1", "wife", "m1"),)
    assert between.evidence().edges == (("c1", "mother", "m1"),)
    assert witness.said == []


def test_what_is_not_recorded_is_predicted_and_marked(hub: ModelHub) -> None:
    graph = kinship()
    found = run(graph, 'GR(GL("kin"), "transe:tail_entity", entity#c3, relation#wife)')
    remark, why = found.remarks
    assert re.fullmatch(GUESS, remark) and "is recorded" in why
    assert "c3" in found.evidence().nodes and found.show() != "[c3]"
    relation = run(graph, 'GR(GL("kin"), "transe:relation", entity#m1, entity#f3)')
    assert relation.value in ("wife", "father", "mother")
    assert relation.remarks[0] == remark


def test_of_several_recorded_ends_the_likeliest_is_given_and_the_others_are_counted(hub: ModelHub) -> None:
    people = NodeTable("person", pa.table({"id": ["a", "b", "c", "d"]}))
    knows = EdgeTable("knows", "person", "person", np.array([0, 0, 1, 3]), np.array([1, 2, 2, 2]))
    found = run(build([people], [knows], "few"), 'GR(GL("few"), "transe:tail_entity", person#a, "knows")')
    assert found.show() in ("[b]", "[c]")
    assert found.remarks == ("one of 2, the likeliest by transe, recorded in the graph",)


def test_unknown_relations_and_nodes_name_the_valid_ones(hub: ModelHub) -> None:
    with pytest.raises(CheckError, match=r"kin has no relation 'mothr'. Did you mean mother\?"):
        run(kinship(), 'GR(GL("kin"), "transe:tail_entity", entity#c1, relation#mothr)')
    with pytest.raises(ToolError, match=r"No .* is called 'c99'"):
        run(kinship(), 'GR(GL("kin"), "transe:tail_entity", entity#c99, relation#mother)')


def test_a_recorded_rating_comes_before_a_predicted_one(hub: ModelHub, monkeypatch) -> None:
    monkeypatch.setattr(mf, "MfConfig", lambda: SMALL)
    graph = cinema()
    source, target = graph.ends(0)
    user, film = graph.id(int(source[0])), graph.id(int(target[0]))
    known = run(graph, f'GR(GL("cinema"), "mf:rating", user#{user}, film#{film})')
    assert (known.value, known.remarks) == (graph.edge_features(0, 0)["rating"], ("recorded in the graph",))
    assert known.evidence().edges == ((user, "rated", film),)
    rated = {int(t) for s, t in zip(source, target, strict=True) if s == source[0]}
    new = next(n for n in range(USERS, USERS + ITEMS) if n not in rated)
    told = run(graph, f'GR(GL("cinema"), "mf:rating", user#{user[1:]}, film#{graph.id(new)[1:]})')
    assert 1 <= told.value <= 5
    assert re.fullmatch(r"predicted by mf \(RMSE \d\.\d\d\), not recorded in the graph", told.remarks[0])
    assert re.fullmatch(r"u\d+ gives .* on average \(\d+ ratings\); i\d+ is given .*", told.remarks[1])
    with pytest.raises(ToolError, match="shop has no ratings"):
        run(shop(), 'GR(GL("shop"), "mf:rating", user#u3, item#i4)')


def test_recorded_classes_come_before_predicted_ones(hub: ModelHub, monkeypatch) -> None:
    monkeypatch.setattr(ModelHub, "model", lambda hub, name, graph: Said())
    table = pa.table({"id": ["a", "b", "c"], "topic": ["mutagenic", "mutagenic", None]})
    links = EdgeTable("cites", "paper", "paper", np.array([2, 2]), np.array([0, 1]))
    graph = build([NodeTable("paper", table)], [links], "papers")
    assert run(graph, 'Topic["a"]').remarks == ("recorded in the graph",)
    told = run(graph, 'Topic["c"]')
    assert told.remarks[1] == "2 of 2 neighbours with a recorded topic have mutagenic"
    assert {edge[2] for edge in told.evidence().edges} == {"a", "b"}
    assert run(graph, 'Topic["a", predicted=true]').remarks[0].startswith("predicted by graph_bert")


def test_seconds_of_fitting_are_not_the_calls(hub: ModelHub, monkeypatch) -> None:
    import time

    import graphtalk.models.kmeans as kmeans

    graph, fit = planted()[0], kmeans.fit

    def slow(*given: object) -> object:
        time.sleep(1.6)
        return fit(*given)

    monkeypatch.setattr(kmeans, "fit", slow)
    assert run(graph, "kmeans:community_count()", Limits(seconds=1.5)).value == 4


class Said:
    """A classifier that says the same of all."""

    card = replace(UNFITTED, scores={"test accuracy": 0.852})

    def predict(self, positions: list[int]) -> object:
        return Predictions(("mutagenic", "not"), np.array([[0.75, 0.25]] * 3, np.float32)).at(positions)


def test_classes_of_papers_and_of_molecules(hub: ModelHub, monkeypatch) -> None:
    """Where the model says what, the calls say it; the models themselves have tests of their own."""
    monkeypatch.setattr(ModelHub, "model", lambda hub, name, graph: Said())
    graph, _ = planted()
    molecules = GraphSet.of({"0": graph, "1": graph, "2": graph}, "molecules")
    told = run(molecules, 'GR(GL("molecules"), "seg_bert:molecule_function", instance#1)')
    said = "predicted by seg_bert (test accuracy 85.2%), with probability 0.75"
    assert (told.value, told.remarks) == ("mutagenic", (said,))
    topic = run(graph, 'GR(GL("friends"), "graph_bert:topic", {user#u2})')
    assert (topic.value, topic.remarks) == ("mutagenic", (said.replace("seg_bert", "graph_bert"),))
    with pytest.raises(ToolError, match=r"No instance '3' in molecules. Valid: 0, 1, 2"):
        run(molecules, 'GR(GL("molecules"), "seg_bert:molecule_function", instance#3)')
    with pytest.raises(ToolError, match="friends is one graph"):
        run(graph, 'GR(GL("friends"), "seg_bert:molecule_function", instance#3)')
    with pytest.raises(CheckError, match="Order needs one graph of molecules"):
        run(molecules, 'GR(GL("molecules"), "toolx:order")')


def test_fitting_begins_from_another_graph_where_the_model_can(hub: ModelHub) -> None:
    first, second = papers(0), papers(7)
    hub.fit("graph_bert", first, config=QUICK)
    barely = replace(QUICK, epochs=1, rate=1e-9)
    assert hub.fit("graph_bert", second, config=barely, start=first).card.source.endswith(
        "begun from planted"
    )
    with pytest.raises(UsageError, match=r"kmeans learns nothing that .*; these do: graph_bert, seg_bert"):
        hub.fit("kmeans", planted()[0], start=first)


# the command line


def test_models_are_fitted_and_listed(hub: ModelHub, tmp_path: Path, monkeypatch, capsys) -> None:
    graphtalk = CommandLine(monkeypatch, capsys)
    store.write(planted()[0], tmp_path / "twitter.gt")  # under the name of a data set
    done = graphtalk("hub", "fit", "kmeans", "twitter", "--seed", "7")
    assert done.code == 0 and "communities 4" in done.out
    assert "kmeans is fitted on friends now, once" in done.err
    listed = {row["name"]: row for row in graphtalk("hub", "models", "--json").json["models"]}
    assert list(listed) == list(models.models())
    again = graphtalk("hub", "fit", "kmeans", "twitter", "--seed", "7", "--affinity", "counts", "--json").json
    assert again["config"]["affinity"] == "counts"
    assert graphtalk("hub", "fit", "kmeans", "twitter", "--seed", "7").code == 0
    (card,) = listed["kmeans"]["fitted"]
    assert card["seed"] == 7 and card["scores"]["communities"] == 4 and card["config"]["affinity"] == "shares"
    assert "common_community_check" in graphtalk("hub", "models").out


def test_graph_bert_is_fitted_as_in_its_paper_unless_ours_is_asked_for(
    hub: ModelHub, tmp_path: Path, monkeypatch, capsys
) -> None:
    graphtalk = CommandLine(monkeypatch, capsys)
    store.write(papers(0), tmp_path / "cora.gt")
    monkeypatch.setitem(graph_bert.PAPERS, "cora", replace(graph_bert.PAPER, split="", epochs=3))
    monkeypatch.setitem(graph_bert.SETTINGS, "cora", replace(QUICK, epochs=3))
    fitted = [
        graphtalk("hub", "fit", "graph_bert", "cora", "--json", *more).json["config"]
        for more in ((), ("--layers", "gated"))
    ]
    assert [(config["paper"], config["layers"]) for config in fitted] == [(True, 2), (False, 1)]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("kmean", "gpr"), "Did you mean kmeans?"),
        (("leiden", "gpr"), "leiden is fitted on one graph; gpr is a set of graphs."),
        (("leiden", "cora"), "Fetch it: graphtalk hub fetch cora"),
        (("leiden", "coraa"), "No data set 'coraa'"),
        (("bpr", "cora", "--affinity", "counts"), "--affinity counts is of kmeans, not of bpr."),
        (("kmeans", "cora", "--layers", "gated"), "--layers gated is of graph_bert, not of kmeans."),
        (("graph_bert", "cora", "--layers", "plain"), "No layers 'plain'. Valid: normalised, gated."),
        (("kmeans", "cora", "--affinity", "count"), "No affinity 'count'. Valid: shares, counts."),
    ],
)
def test_what_cannot_be_fitted_is_said(hub: ModelHub, words, said, monkeypatch, capsys) -> None:
    done = CommandLine(monkeypatch, capsys)("hub", "fit", *words)
    assert done.code == 2 and said in done.err


def test_a_text_has_one_entity_by_its_id_and_no_list(hub: ModelHub) -> None:
    found = run(kinship(), 'GR(GL("kin"), "transe:tail_entity", entity#c1, relation#father)')
    assert plain(found, "transe:tail_entity") == written(found, "transe:tail_entity") == "f1"
    top = run(shop(), 'GR(GL("shop"), "bpr:topk_recommendation", user#u3, 1)')
    assert plain(top, "bpr:topk_recommendation") == [top.graph.id(int(top.value.nodes[0]))]
