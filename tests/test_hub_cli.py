"""`graphtalk hub`, and data sets by name where a store is asked for."""

from pathlib import Path

import pytest

from command_line import CommandLine
from graphtalk.hub import card_names


@pytest.fixture
def graphtalk(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> CommandLine:
    monkeypatch.setenv("GRAPHTALK_HUB", str(tmp_path / "hub"))
    monkeypatch.setenv("GRAPHTALK_CACHE", str(tmp_path / "cache"))
    return CommandLine(monkeypatch, capsys)


@pytest.fixture
def ratings(tmp_path: Path) -> Path:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "Software.csv").write_text("I1,U1,5.0,1104537600\nI2,U1,2.0,1104537700\n")
    return tmp_path / "files"


def test_datasets_and_cards(graphtalk: CommandLine) -> None:
    done = graphtalk("hub", "datasets", "--json")
    assert done.code == 0 and [d["name"] for d in done.json["datasets"]] == list(card_names())
    assert [d["name"] for d in done.json["datasets"] if d["here"]] == ["gpr"]
    listed = graphtalk("hub", "datasets")
    assert all(name in listed.out for name in card_names())
    card = graphtalk("hub", "show", "cora", "--json").json
    assert card["paper"]["prompts"] == 18_956 and card["store"] is None
    assert "comes with the package" in graphtalk("hub", "show", "gpr").out
    shown = graphtalk("hub", "show", "cora")
    assert "Revisiting Semi-Supervised" in shown.out and "graphtalk hub fetch cora" in shown.out


def test_a_fetched_data_set_is_a_store_by_name(graphtalk: CommandLine, ratings: Path, tmp_path: Path) -> None:
    before = graphtalk("info", "amazon")
    assert before.code == 2 and "Fetch it: graphtalk hub fetch amazon" in before.err
    done = graphtalk("hub", "fetch", "amazon", "--from", ratings)
    assert done.code == 0 and "3 nodes, 2 edges" in done.out
    assert "no checksum of Software.csv: taken unchecked" in done.err
    assert graphtalk("info", "amazon", "--json").json["edges"] == 2
    assert graphtalk("call", "amazon", 'NodeDegree["user#U1", "rated"]').out.startswith("2\n")
    loaded = graphtalk("call", "gpr", 'GR(GL("amazon"), "graph:degree", user#U1, "rated")')
    assert loaded.out.startswith("2\n"), loaded.err
    missing = graphtalk("call", "gpr", 'GR(GL("cora"), "toolx:order")')
    assert missing.code == 1 and "Fetch it: graphtalk hub fetch cora" in missing.err
    asked = graphtalk("ask", "amazon", "Which items did U1 rate?", "--json")
    assert asked.code == 0 and sorted(asked.json["value"]) == ["I1", "I2"]
    card = graphtalk("hub", "show", "amazon", "--json").json
    assert card["made_from"]["files"][0]["origin"] == str(ratings / "Software.csv")
    again = graphtalk("hub", "fetch", "amazon", "--from", ratings, "--json").json
    assert again["store"] == str(tmp_path / "hub" / "amazon.gt") and again["edges"] == 2


def test_a_persons_mistakes(graphtalk: CommandLine, tmp_path: Path) -> None:
    for words, message in (
        (("hub", "show", "corra"), "No data set 'corra'. Did you mean cora?"),
        (("hub", "fetch", "nope"), "No data set 'nope'"),
        (("hub", "fetch", "cora", "--from", tmp_path / "no"), "no such folder"),
        (
            ("hub", "fetch", "cora", "--from", tmp_path),
            "has no file 'planetoid/ind.cora.x', which cora needs",
        ),
        (("hub", "fetch", "twitter"), "Give a folder that has it: --from DIR"),
        (("info", "corra"), "Did you mean cora?"),
    ):
        done = graphtalk(*words)
        assert done.code == 2 and message in done.err and "Traceback" not in done.err, done.err
