"""Who did what nodes stand for: orders that are joined to what was ordered are no answer to who ordered it."""

import pytest

import graphtalk as gt
from phrase_graphs import joined


@pytest.fixture(scope="module")
def shop() -> gt.Session:
    """Customers who made orders, which are joined to their products by a relation called as the orders are."""
    return joined(
        {
            "Customer": {"id": ["c1", "c2"], "name": ["Ann Bell", "Bob Dale"]},
            "Order": {
                "id": ["o1", "o2", "o3"],
                "name": ["10248", "10249", "10250"],
                "freight": [3.0, 9.0, 4.0],
            },
            "Product": {"id": ["p1", "p2"], "name": ["Chai", "Ikura"]},
            "Review": {"id": ["r1", "r2"], "name": ["Review 1", "Review 2"], "stars": [4, 1]},
        },
        {
            ("PURCHASED", "Customer", "Order"): "c1-o1 c1-o2 c2-o3",
            ("ORDERS", "Order", "Product"): "o1-p1 o2-p2 o3-p2",
            ("WROTE", "Customer", "Review"): "c2-r1 c1-r2",
            ("REVIEWS", "Review", "Product"): "r1-p1 r2-p2",
        },
    )


@pytest.mark.parametrize(
    ("question", "people"),
    [
        ("Who ordered Chai?", {"Ann Bell"}),
        ("Who has ordered Ikura?", {"Ann Bell", "Bob Dale"}),
        ("Who was Chai ordered by?", {"Ann Bell"}),
        ("Who reviewed Chai?", {"Bob Dale"}),
        ("Who reviews Chai?", {"Bob Dale"}),
        ("By whom was Chai reviewed?", {"Bob Dale"}),
    ],
)
def test_who_is_somebody(shop: gt.Session, question: str, people: set[str]) -> None:
    found = shop.ask(question)
    assert not found.answered or set(found.value) == people, found.reading


def test_what_is_asked_for_is_given(shop: gt.Session) -> None:
    assert shop.ask("Who reviewed Chai?").value == ["Bob Dale"]
    assert shop.ask("Which orders contain Chai?").value == ["10248"]
    assert shop.ask("Which reviews are of Ikura?").value == ["Review 2"]


@pytest.mark.parametrize(
    "question",
    [
        "Which order had the highest freight, and who purchased it?",
        "Which product has the most reviews, and by whom?",
        "Which reviews were marked as helpful by Bob Dale?",
    ],
)
def test_half_of_what_is_asked_is_no_answer(shop: gt.Session, question: str) -> None:
    found = shop.ask(question)
    assert not found.answered, found.reading
