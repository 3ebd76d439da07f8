"""What people say plainly of measures, times and places: orders by an adjective, "3 and up", "at the weekend", "email address"."""

import pytest

import graphtalk as gt
from phrase_graphs import imported, plain

TABLES = {
    "guides": """id,name,email,phone,hired_on,first_aid,sex
g1,Ann Bell,ann@hills.example,0301,2001-05-05,true,F
g2,Bob Dale,,0302,2009-03-01,false,M
g3,Cleo Fox,cleo@hills.example,,2011-07-09,true,F
g4,Dan Hill,dan@hills.example,0304,2011-11-30,false,M
""",
    "huts": """id,name,floors,beds,built_year,population
h1,Ness Lodge,1,20,1991,1500000
h2,Oban Rest,2,45,1975,900000
h3,Pine House,3,60,1998,2000
h4,Quay Inn,4,12,2004,1000000
""",
    "tours": """id,title,kind,fee_eur,minutes,guide,hut,held_on
t1,Moor Round,walk,20,120,g1,h1,2024-01-06
t2,Bay Loop,walk,30,60,g2,h1,2024-02-12
t3,Ridge Way,climb,90,300,g3,h2,2024-11-03
t4,Cliff Line,climb,70,240,g3,h3,2024-12-02
t5,Lake Path,ride,10,45,g4,h4,2024-07-16
t6,Dam Path,ride,12,50,g4,h4,2023-12-09
t7,Fen Path,ride,14,40,g1,h4,2024-08-21
""",
    "talks": """id,title,hut,starts_at
k1,On Moss,h1,2024-05-01 09:30:00
k2,On Fern,h2,2024-05-01 22:15:00
k3,On Reed,h3,2024-05-02 13:00:00
""",
    "sessions": """id,label,hut,starts_at,ends_at
n1,Ropes,h1,2024-05-01 09:30:00,2024-05-01 10:30:00
n2,Knots,h2,2024-06-03 09:30:00,2024-06-03 11:00:00
""",
}


@pytest.fixture(scope="module")
def hills(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    """Guides, huts and the tours between them."""
    return imported(TABLES, tmp_path_factory.mktemp("hills"))


@pytest.mark.parametrize(
    ("question", "groups"),
    [
        ("average fee by kind, dearest first", ["climb", "walk", "ride"]),
        ("Average fee per kind, cheapest first", ["ride", "walk", "climb"]),
        ("average minutes per kind, the shortest first", ["ride", "walk", "climb"]),
        ("tours per kind, most common first", ["ride", None, None]),
    ],
)
def test_groups_are_put_in_the_order_of_what_an_adjective_measures(
    hills: gt.Session, question: str, groups: list[str | None]
) -> None:
    value = hills.ask(question).value
    assert isinstance(value, list), question
    told = [row["kind"] for row in value if isinstance(row, dict)]
    assert [t if g else None for t, g in zip(told, groups, strict=True)] == groups


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which guides do not have an email address?", "Bob Dale"),
        ("What is the phone number of Ann Bell?", "0301"),
        ("Which huts have 3 floors and up?", {"Pine House", "Quay Inn"}),
        ("huts with 2 floors or more", {"Oban Rest", "Pine House", "Quay Inn"}),
        ("huts with 3 floors and below", {"Ness Lodge", "Oban Rest", "Pine House"}),
        ("guides with 2 tours and up", {"Ann Bell", "Cleo Fox", "Dan Hill"}),
        ("total beds of huts with 45 beds and up", 105),
        ("Which tours were held at the weekend?", {"Moor Round", "Ridge Way", "Dam Path"}),
        ("How many tours were held on weekends?", 3),
        ("Which tours were held in the last two months of 2024?", {"Ridge Way", "Cliff Line"}),
        ("How many tours were held in the first 2 months of 2024?", 2),
        ("Which huts were built in the nineties?", {"Ness Lodge", "Pine House"}),
        ("huts built in the 1970s", "Oban Rest"),
        ("huts with a population of more than a million", "Ness Lodge"),
        ("huts with a population above two thousand", {"Ness Lodge", "Oban Rest", "Quay Inn"}),
        ("huts with a population above half a million", {"Ness Lodge", "Oban Rest", "Quay Inn"}),
        ("Which talks start after 10 pm?", "On Fern"),
        ("How many talks start before 1:30 pm?", 2),
        ("talks that start between 9:00 and 14:00", {"On Moss", "On Reed"}),
        ("talks in Ness Lodge or Oban Rest", {"On Moss", "On Fern"}),
        (
            "tours of Ann Bell, Bob Dale or Dan Hill",
            {"Moor Round", "Bay Loop", "Lake Path", "Dam Path", "Fen Path"},
        ),
        ("How many years older is Oban Rest than Ness Lodge?", 16),
        ("Which tours cost between 20 and 80 euros?", {"Moor Round", "Bay Loop", "Cliff Line"}),
        ("huts with more than 10 beds but fewer than 50", {"Ness Lodge", "Oban Rest", "Quay Inn"}),
        ("tours whose guide is Ann Bell", {"Moor Round", "Fen Path"}),
        ("tours whose hut is Oban Rest or Pine House", {"Ridge Way", "Cliff Line"}),
        ("What is the most common kind?", "ride"),
        ("Which kind is the most common?", "ride"),
        ("female guides", {"Ann Bell", "Cleo Fox"}),
        ("How many male guides are there?", 2),
        ("sessions in May 2024", "Ropes"),
        ("sessions on 3 June 2024", "Knots"),
        ("huts with more than a dozen beds", {"Ness Lodge", "Oban Rest", "Pine House"}),
    ],
)
def test_ranges_times_and_further_nouns_are_read(hills: gt.Session, question: str, value: object) -> None:
    answer = hills.ask(question)
    assert answer.answered, answer.text
    assert plain(answer.value) == value


@pytest.mark.parametrize(
    "question",
    [
        "average fee by kind, oldest first",  # a fee has no age
        "tours per kind, longest first",  # nor a number of tours a length
        "average fee by kind, nicest first",
        "What is the phone address of Ann Bell?",
        "Which guides are in their thirties?",
        "Which tours cost between 20 and 80 metres?",
        "tours whose guide is Zed Quill",
        "What is the main kind?",
        "What is the rarest kind?",
        "female huts",
        "sessions in Mayfair 2024",
        "Which tours were held after 10 pm?",  # only their days are known
        "Which talks start after 25:00?",
        "talks in Ness Lodge or Nowhere Inn",
        "How many years older is Ness Lodge than Oban Rest?",
        "Which tours were held in the last two moons of 2024?",
        "Which huts were built in the early nineties?",
        "huts with a population of a quarter of a million",
    ],
)
def test_what_measures_something_else_is_declined(hills: gt.Session, question: str) -> None:
    assert not hills.ask(question).answered


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("tours held at Quay Inn", {"Dam Path", "Fen Path", "Lake Path"}),
        ("Which hut has the most floors? If there's a tie list them all.", "Quay Inn"),
        ("Which guides have no email recorded?", "Bob Dale"),
    ],
)
def test_words_of_keeping_and_of_ties_add_nothing(hills: gt.Session, question: str, names: object) -> None:
    answer = hills.ask(question)
    assert answer.answered and plain(answer.value) == names, answer.text


def test_fragments_are_read_as_lists(hills: gt.Session) -> None:
    assert plain(hills.ask("titles of the walks held at Ness Lodge").value) == {"Moor Round", "Bay Loop"}
