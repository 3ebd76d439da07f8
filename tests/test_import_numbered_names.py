"""Names that are numbers: an order is called 10248, and not by the id of its row."""

from pathlib import Path

import pytest

import graphtalk as gt
from phrase_graphs import imported

TABLES = {
    "clients": "id,name\nc1,Ann Bell\nc2,Bob Dale\n",
    "orders": "id,name,client,freight\no1,10248,c1,3.5\no2,10249,c2,8.25\no3,10250,c2,1.75\n",
}


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    return imported(TABLES, tmp_path_factory.mktemp("orders"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which order has the highest freight?", ["10249"]),
        ("Which client is order 10248 of?", ["Ann Bell"]),
        ("What is the freight of order 10250?", [1.75]),
    ],
)
def test_they_are_given_and_asked_by_them(orders: gt.Session, question: str, value: list[object]) -> None:
    found = orders.ask(question)
    assert found.answered, found.text
    assert found.value in (value, value[0])


def test_numbers_that_several_share_name_nobody(tmp_path: Path) -> None:
    tables = {"cells": "id,name,size\na,0,3\nb,1,4\nc,0,5\n", "links": "source,target\na,b\n"}
    schema = imported(tables, tmp_path).graph.schema
    assert [t.label for t in schema.node_types] == [""]
