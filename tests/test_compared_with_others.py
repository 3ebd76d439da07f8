"""Nodes compared with others: with a named one, with the one that they are joined to, with the average, with a number of their own."""

from pathlib import Path

import pytest

import graphtalk as gt
from phrase_graphs import imported

TABLES = {
    "bakers": """id,name,sex,email,wage_eur,hired_on,town,chief
b1,Ann Reed,female,ann@x,4000,2010-03-01,Alm,
b2,Bo Dahl,male,,3000,2012-04-01,Alm,b1
b3,Cy Vale,male,cy@x,4500,2009-05-01,Brod,b1
b4,Di Moss,female,,2500,2020-06-01,Brod,b2
""",
    "ovens": """id,name,maker,room
o1,Ember,Hotrock,2
o2,Flare,Steelfire,2
o3,Glow,Hotrock,3
o4,Haze,,3
""",
    "shops": "id,name,town,staff_target\ns1,Corner,Alm,2\ns2,Dock,Brod,1\ns3,Eaves,Alm,3\n",
    "batches": """id,baked_on,weight_kg,baker,oven
t1,2024-01-02,10,b1,o1
t2,2024-01-03,12,b1,o2
t3,2024-02-02,8,b2,o1
t4,2024-02-03,9,b3,o1
t5,2024-03-02,11,b3,o2
t6,2024-03-03,7,b3,o3
""",
    "works_at": "bakers_id,shops_id,hours\nb1,s1,20\nb2,s1,10\nb3,s2,30\nb4,s2,5\nb2,s2,15\nb4,s3,6\n",
}


@pytest.fixture(scope="module")
def bakery(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    """Bakers, where they work how long, and what they baked in which oven."""
    return imported(TABLES, tmp_path_factory.mktemp("bakery"))


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which bakers earn more than their chief?", {"Cy Vale"}),
        ("Who was hired before their chief?", {"Cy Vale"}),
        ("Which bakers live in the same town as their chief?", {"Bo Dahl"}),
        ("Which bakers live in a different town than their chief?", {"Cy Vale", "Di Moss"}),
        ("Which bakers earn above average?", {"Ann Reed", "Cy Vale"}),
        ("Which bakers earn below the average wage?", {"Bo Dahl", "Di Moss"}),
        ("Which bakers have more batches than Ann Reed?", {"Cy Vale"}),
        ("Which bakers have fewer batches than Ann Reed?", {"Bo Dahl", "Di Moss"}),
        ("Which ovens are in the same room as Ember?", {"Flare"}),
        ("Which ovens are made by neither Hotrock nor Steelfire?", {"Haze"}),
        ("Which shops have more bakers than Corner?", {"Dock"}),
        ("Which shops have fewer bakers than their staff target?", {"Eaves"}),
        ("Which women have no batch?", {"Di Moss"}),
        ("Which men live in Alm?", {"Bo Dahl"}),
        ("Which bakers work at all shops in Brod?", {"Bo Dahl", "Cy Vale", "Di Moss"}),
        ("Who does not work at every shop in Brod?", {"Ann Reed"}),
        ("Who works at every shop?", set()),
        ("Which shops have all women?", set()),  # not where some of them work
        ("Which shops do all bakers from Brod work at?", {"Dock"}),
        ("Which shops do all women work at?", set()),
        ("Which bakers are chiefs?", {"Ann Reed", "Bo Dahl"}),
        ("Which chiefs have more than one direct report?", {"Ann Reed"}),
        ("Who takes home the highest wage?", {"Cy Vale"}),
        ("Which bakers work at Corner but never at Dock?", {"Ann Reed"}),
        ("bakers hired after 2010 but not in 2012", {"Di Moss"}),
    ],
)
def test_which_compare_so(bakery: gt.Session, question: str, names: set[str]) -> None:
    answer = bakery.ask(question)
    assert answer.answered, answer.text
    assert isinstance(answer.value, list) and set(map(str, answer.value)) == names


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("batches per baker, highest first", [3, 2, 1, 0]),
        ("number of batches per oven, fewest first", [0, 1, 2, 3]),
        ("number of batches per oven, top 2", [3, 2]),
        ("avg wage by town, lowest first", [3500, 3500]),
    ],
)
def test_groups_come_in_the_order_that_is_said_last(
    bakery: gt.Session, question: str, rows: list[float]
) -> None:
    answer = bakery.ask(question)
    assert answer.answered and isinstance(answer.value, list), answer.text
    assert [list(row.values())[-1] for row in answer.value if isinstance(row, dict)] == rows


@pytest.mark.parametrize(
    "question",
    [
        "Which bakers earn more than Ember?",  # an oven earns nothing
        "Which bakers earn more than their oven?",
        "Which shops have more bakers than their budget?",
        "Which widows live in Alm?",
        "number of batches per oven, cheapest first",
        "Which bakers have more batches than Zed Quill?",
        "Which bakers baked in all ovens?",
        "Which bakers does Cy Vale's chief lead?",  # not who that chief is
        "How many bakers does Cy Vale's chief look after?",
        "Whose chief is Di Moss?",  # not who her chief is
        "How far is Corner from Dock?",  # on the ground, not in edges
        "the biggest baker",
        "Who is the best baker?",
    ],
)
def test_what_cannot_be_compared_is_asked_back(bakery: gt.Session, question: str) -> None:
    assert not bakery.ask(question).answered


def test_whom_their_chief_has_are_they_too(bakery: gt.Session) -> None:
    answer = bakery.ask("Who reports to Cy Vale's chief?")
    assert answer.answered and isinstance(answer.value, list) and set(answer.value) == {"Bo Dahl", "Cy Vale"}


def test_the_graphs_own_name_says_nothing_of_its_types(tmp_path: Path) -> None:
    (tmp_path / "digs").mkdir()
    (tmp_path / "digs" / "seasons.csv").write_text(
        "id,name,budget_eur\ns1,Ness 2020,500\ns2,Ness 2021,900\n", "utf-8"
    )
    (tmp_path / "digs" / "sites.csv").write_text("id,name\nt1,Ness\n", "utf-8")
    graph = gt.open(tmp_path / "digs")
    answer = gt.ask(graph, "Which dig seasons had a budget above 600 euros?")
    assert answer.answered and answer.value == ["Ness 2021"]
    assert not gt.ask(graph, "Which dive seasons had a budget above 600 euros?").answered


def test_the_name_before_a_possessive_is_no_misspelt_one(bakery: gt.Session) -> None:
    assert "called" not in bakery.ask("How long is Ann Reed's mixer?").text
