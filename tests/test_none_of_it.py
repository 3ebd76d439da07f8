"""Numbers that are 0 of some: a flight with a delay of 0 has none, and was not delayed."""

import pytest

import graphtalk as gt
from phrase_graphs import imported

TABLES = {
    "airlines": "airline_id,name,country\n1,Nordwind,Norway\n2,Iberis,Spain\n",
    "flights": "flight_id,name,airline_id,delay_min,duration_min\nf1,NW1,1,0,60\nf2,NW2,1,30,90\nf3,NW3,1,0,45\nf4,IB1,2,50,120\n",
}


@pytest.fixture(scope="module")
def flights(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    return imported(TABLES, tmp_path_factory.mktemp("flights"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which flights were delayed?", ["IB1", "NW2"]),
        ("Which flights have a delay?", ["IB1", "NW2"]),
        ("Which flights had no delay?", ["NW1", "NW3"]),
        ("Which flights were not delayed?", ["NW1", "NW3"]),
        ("How many delayed flights are there?", 2),
        ("How many flights were delayed?", 2),
        ("What share of flights were delayed?", 0.5),
        ("What is the average delay of delayed flights?", 40.0),
        ("What is the average delay of flights?", 20.0),
        ("Which airlines have delayed flights?", ["Iberis", "Nordwind"]),
        ("Which flights have a duration?", ["IB1", "NW1", "NW2", "NW3"]),
    ],
)
def test_none_is_none(flights: gt.Session, question: str, value: object) -> None:
    found = flights.ask(question)
    assert found.answered, found.text
    given = found.value if isinstance(found.value, list) else [found.value]
    assert sorted(map(str, given)) == sorted(map(str, value if isinstance(value, list) else [value])), (
        found.reading
    )


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which are the 2 flights with the longest delay?", ["IB1", "NW2"]),
        ("What are the top 2 flights by delay?", ["IB1", "NW2"]),
        ("Which flights have a delay of zero or less?", ["NW1", "NW3"]),
        ("Which flights have a delay below 40?", ["NW1", "NW2", "NW3"]),
    ],
)
def test_none_is_a_number_to_compare_and_to_order_by(
    flights: gt.Session, question: str, value: list[str]
) -> None:
    found = flights.ask(question)
    assert found.answered, found.text
    assert found.value == value, found.reading


@pytest.mark.parametrize(
    "question", ["Which are the most delayed flights?", "Which is the least delayed flight?"]
)
def test_what_is_most_so_is_not_all_that_is_so(flights: gt.Session, question: str) -> None:
    found = flights.ask(question)
    assert not found.answered or found.value in (["IB1"], ["NW1", "NW3"]), found.reading


def test_what_was_done_most_by_who_did_nothing_is_not_all(tmp_path_factory: pytest.TempPathFactory) -> None:
    tables = {
        "customers": "customer_id,name\nu1,Ada Moss\nu2,Ben Nash\n",
        "products": "product_id,name\np1,Kettle\np2,Rake\np3,Spade\n",
        "orders": "order_id,customer_id,product_id\no1,u2,p1\no2,u2,p1\no3,u2,p2\n",
    }
    shop = imported(tables, tmp_path_factory.mktemp("shop"))
    nothing = shop.ask("Which product did Ada Moss order most often?")
    assert not nothing.answered or nothing.value == [], nothing.reading
    assert shop.ask("Which product did Ben Nash order most often?").value in (["Kettle"], None)
