"""Who is still there, who has left, who has been there longest: by a flag, or by a date on which people left."""

from pathlib import Path

import pytest

import graphtalk as gt

STAFF = """id,name,job,hired_on,{column}
1,Ann Bell,baker,2010-03-01,{here}
2,Bo Cole,driver,2012-05-01,{gone}
3,Cy Dow,baker,2015-07-01,{here}
4,Di Eng,clerk,2008-01-15,{gone}
"""
GONE = {"left_on": ("", "2020-06-30"), "is_active": ("yes", "no"), "is_former": ("no", "yes")}


@pytest.fixture(scope="module", params=GONE)
def bakery(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> gt.Graph:
    """Four people, of whom two have left, and a customer."""
    folder = tmp_path_factory.mktemp("bakery")
    here, gone = GONE[request.param]
    (folder / "staff.csv").write_text(STAFF.format(column=request.param, here=here, gone=gone))
    (folder / "customers.csv").write_text("customer_id,customer_name,town\n1,Eve Fox,Hull\n2,Gus Hay,York\n")
    (folder / "orders.csv").write_text("order_id,customer_id,staff_id,price\n1,1,1,20\n2,2,2,30\n")
    graph = gt.open(Path(folder))
    assert isinstance(graph, gt.Graph)
    return graph


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Who still works here?", ["Ann Bell", "Cy Dow"]),
        ("Who is still with us?", ["Ann Bell", "Cy Dow"]),
        ("Which people have left us?", ["Bo Cole", "Di Eng"]),
        ("Who no longer works for the company?", ["Bo Cole", "Di Eng"]),
        ("How many people work here at the moment?", 2),
    ],
)
def test_who_is_there(bakery: gt.Graph, question: str, value: object) -> None:
    answer = gt.ask(bakery, question)
    assert answer.answered, answer.text
    got = answer.value
    assert (sorted(got) if isinstance(got, list) and isinstance(value, list) else got) in (value, [value])
    assert any("is read as" in remark for remark in answer.remarks)  # it says how it was read


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Does Bo Cole still work for us?", False),
        ("Is Ann Bell still employed?", True),
        ("Has Di Eng left?", True),
    ],
)
def test_whether_one_is_there(bakery: gt.Graph, question: str, value: bool) -> None:
    answer = gt.ask(bakery, question)
    assert answer.value is value or not answer.answered
    assert answer.answered or "former" in str(bakery.schema)  # "not former" is not read


@pytest.mark.parametrize(
    "question", ["Who is the longest-serving member of staff?", "Who has been with us the longest?"]
)
def test_longest_is_asked_back_where_those_who_left_decide(bakery: gt.Graph, question: str) -> None:
    """Di came first and left; of those who are there it is Ann."""
    assert not gt.ask(bakery, question).answered


@pytest.mark.parametrize(
    "question",
    [
        "Which customers have left us?",  # the graph has it of the staff alone
        "Does Bo Cole still work for Eve Fox?",
        "Is Eve Fox still with us?",
        "Which ovens are still active?",
    ],
)
def test_of_others_nothing_is_said(bakery: gt.Graph, question: str) -> None:
    assert not gt.ask(bakery, question).answered


def test_longest_where_nobody_left(tmp_path: Path) -> None:
    (tmp_path / "nurses.csv").write_text(
        "id,name,ward,started_on\n1,Ann Bell,A,2011-01-01\n2,Bo Cole,B,2009-05-05\n"
    )
    graph = gt.open(tmp_path)
    for question in (
        "Who has worked here the longest?",
        "longest-serving nurse?",
        "Which nurse has been with us longest?",
    ):
        answer = gt.ask(graph, question)
        assert answer.value in ("Bo Cole", ["Bo Cole"]), (question, answer.text)
    answer = gt.ask(graph, "Who has been here the second longest?")
    assert answer.value in ("Ann Bell", ["Ann Bell"]), answer.text
