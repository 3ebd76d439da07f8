"""Years, months and units that a question asks for, where a property holds just these."""

from pathlib import Path

import pytest

import graphtalk as gt


@pytest.fixture(scope="module")
def bells(tmp_path_factory: pytest.TempPathFactory) -> gt.Graph:
    """Bells cast in years and tuned in months; peals of so many minutes."""
    folder = tmp_path_factory.mktemp("bells")
    (folder / "bells.csv").write_text(
        "bell_id,bell_name,cast_in,tuned_in,hung_on\n1,Sweet Anne,1931,May,1932-04-05\n2,Old Tom,1702,June,1703-01-02\n"
    )
    (folder / "peals.csv").write_text(
        "peal_id,bell_id,kind,duration_min\n1,1,quarter,45\n2,1,quarter,47\n3,2,full,180\n"
    )
    graph = gt.open(Path(folder))
    assert isinstance(graph, gt.Graph)
    return graph


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("In which year was Sweet Anne cast?", 1931),
        ("What month was Old Tom tuned in?", "June"),
        ("How many minutes does a quarter peal take on average?", 46),
    ],
)
def test_what_is_held_so(bells: gt.Graph, question: str, value: object) -> None:
    answer = gt.ask(bells, question)
    assert answer.value in (value, [value]), answer.text


@pytest.mark.parametrize(
    "question", ["In which month was Sweet Anne cast?", "How many hours does a quarter peal take on average?"]
)
def test_what_is_not(bells: gt.Graph, question: str) -> None:
    assert not gt.ask(bells, question).answered


def test_a_whole_date_is_no_year(bells: gt.Graph) -> None:
    assert gt.ask(bells, "In which year was Old Tom hung?").value not in ("1703-01-02", ["1703-01-02"])
