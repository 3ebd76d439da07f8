"""Schemas with questions that somebody made up, read as examples for training."""

from graphtalk.training.reader.written import read_written

FERRIES = """
## ferries
Ferry: name* text(Aurora; Bergen Queen), capacity number, active boolean, fuel text(diesel; electric)
Company: name* text(Fjord Lines)
Ferry -operator-> Company: since number
Company -partner- Company
? Which diesel ferries belong to Fjord Lines? | diesel ships run by Fjord Lines
= MATCH (f:Ferry {fuel: 'diesel'})-[:operator]->(c:Company {name: 'Fjord Lines'}) RETURN f
? Is the Aurora still in service?
= ASK MATCH (f:Ferry {name: 'Aurora'}) WHERE f.active RETURN f
? share of electric ferries
= SHARE MATCH (f:Ferry) WHERE f.fuel = 'electric' RETURN f
! How long is the Aurora? | who is her captain
"""


def test_each_wording_is_an_example_with_the_reading_of_its_cypher() -> None:
    (group,), complaints = read_written(FERRIES, "a")
    assert not complaints and group.name == "a ferries"
    assert group.shape.types == ("Ferry", "Company")
    assert [k.undirected for k in group.shape.links] == [False, True]
    assert {h.action for h in group.shape.held if h.edge} == {"E:Ferry-operator-Company.since"}
    owned = (
        "T:Ferry P:Ferry.fuel EQ S:0 V:>Ferry-operator-Company P:Company.name EQ S:1 UP UP RETURN NODE END"
    )
    told = [(e.question, " ".join(e.actions)) for e in group.examples]
    assert told == [
        ("Which diesel ferries belong to Fjord Lines?", owned),
        ("diesel ships run by Fjord Lines", owned),
        ("Is the Aurora still in service?", "T:Ferry P:Ferry.name EQ S:0 P:Ferry.active YES UP ASK END"),
        ("share of electric ferries", "T:Ferry P:Ferry.fuel EQ S:0 UP SHARE END"),
        ("How long is the Aurora?", "NONE"),
        ("who is her captain", "NONE"),
    ]
    assert group.examples[0].values[1].owners == ("P:Company.name",)


def test_what_cannot_be_read_is_told_with_its_line() -> None:
    bad = """## bad
Ferry: name* text(Aurora), length
Ferry -to-> Port
? Where is it bound for?
= MATCH (f:Ferry {name: 'Aurora'}) RETURN f
= MATCH (f:Ferry) RETURN f
? ferries
= MATCH (f:Ferry) RETURN f
"""
    (group,), complaints = read_written(bad, "b")
    assert [e.question for e in group.examples] == ["ferries"]
    assert [(c.line, c.why) for c in complaints] == [
        (2, "no property as `name kind(value; value)`"),
        (2, "a type of this relation has no line"),
        (4, "the value 'Aurora' is not in the question"),
        (6, "no question stands before it"),
    ]
