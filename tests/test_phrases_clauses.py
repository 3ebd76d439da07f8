"""Conditions in clauses, and how two properties of one thing compare, in the words of the schema as analysts write them."""

import pytest

import graphtalk as gt
from phrase_graphs import imported

TABLES = {
    "payments": "payment_id,name,sender_bank,sender_bank_country,receiver_bank_country,amount,score,upVotes,stock_count,minimum_stock,sent_date,due_date\n"
    "p1,Alder,Norbank,Norway,Norway,900,-2,0,4,9,2020-01-05,2020-01-04\n"
    "p2,Birch,Norbank,Norway,Chile,400,3,1,8,8,2020-02-05,2020-02-08\n"
    "p3,Cedar,Chibank,Chile,Chile,700,0,6,9,2,2020-03-05,2020-03-05\n"
    "p4,Dogwood,Chibank,Chile,Kenya,100,5,2,3,7,2020-04-05,2020-04-01\n"
    "p5,Elm,Kenbank,Kenya,Norway,500,-1,3,5,4,2020-05-05,2020-05-09\n",
}


@pytest.fixture(scope="module")
def payments(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    return imported(TABLES, tmp_path_factory.mktemp("payments"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("List the payments where the sender bank is 'Chibank'.", "Cedar Dogwood"),
        ("List the payments where the sender bank is 'Chibank' and the amount is over 500.", "Cedar"),
        ("Which payments are there where the amount is between 400 and 700?", "Birch Cedar Elm"),
        (
            "List the payments where the sender bank country is 'Norway' and the receiver bank country is not 'Norway'.",
            "Birch",
        ),
        ("List the payments whose sender bank is 'Norbank' and amount is above 500.", "Alder"),
        ("Which payments have the same sender bank country and receiver bank country?", "Alder Cedar"),
        (
            "List the payments where the sender bank's country and the receiver bank's country are the same.",
            "Alder Cedar",
        ),
        (
            "List the payments where the sender bank country is different from the receiver bank country.",
            "Birch Dogwood Elm",
        ),
        ("Which payments have fewer stock count than their minimum stock?", "Alder Dogwood"),
        ("List the payments where the stock count exceeds the minimum stock.", "Cedar Elm"),
        ("Show payments where the sent date is later than the due date.", "Alder Dogwood"),
        ("Which payments have a negative score?", "Alder Elm"),
        ("Which payments have a positive score and more than 1 upVote?", "Dogwood"),
        ("Which payments have both more than 1 upVote and an amount above 400?", "Cedar Elm"),
        ("List all payments that received more than 2 upVotes.", "Cedar Elm"),
        ("What are the first 2 payments in alphabetical order?", "Alder Birch"),
        ("Which payments have more than 1 upVote? Limit to the top 2 results.", 2),
        ("Which payments have more than 1 upVote? Show only the first 2.", 2),
    ],
)
def test_they_are_read(payments: gt.Session, question: str, value: str | int) -> None:
    found = payments.ask(question)
    assert found.answered, found.text
    given = found.value if isinstance(found.value, list) else [found.value]
    assert len(given) == value if isinstance(value, int) else sorted(map(str, given)) == value.split(), (
        found.reading
    )


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many payments are there where the sender bank country is 'Chile'?", 2),
        ("How many payments are there with an amount over 450?", 3),
        ("What is the average amount of payments where the receiver bank country is 'Norway'?", 700),
        ("How many payments have a score of zero?", 1),
        ("How many payments have an amount of more than 450 dollars?", 3),
        ("How many payments have an amount above 450 USD?", 3),
        ("How many payments have the receiver bank country Norway, Chile or Kenya?", 5),
    ],
)
def test_they_are_counted(payments: gt.Session, question: str, value: float) -> None:
    found = payments.ask(question)
    assert found.answered, found.text
    assert found.value in (value, [value])
