"""Questions that compare two sides, each of which is read as a question of its own."""

from pathlib import Path

import pytest

import graphtalk as gt
from graphtalk.app.ask import session
from graphtalk.reasoners.composing import Composing
from graphtalk.reasoners.taken_apart import _superlative, nested


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> gt.Graph:
    """Joiners, the jobs that they did, and the shops where these were done."""
    folder = tmp_path_factory.mktemp("workshop")
    (folder / "joiners.csv").write_text(
        "joiner_id,full_name,hourly_rate,trained_on\n1,Ann Bell,20,2010-03-01\n2,Bo Cole,25,2012-05-01\n3,Cy Dow,18,2015-07-01\n4,Di Eng,,2008-01-15\n"
    )
    (folder / "shops.csv").write_text(
        "shop_id,shop_name,seats\n1,Mill Lane,10\n2,Dock Street,14\n3,High Row,30\n"
    )
    rows = [(1, 1, "2022-01-05", 100), (1, 1, "2022-03-05", 50), (2, 2, "2022-06-01", 80), (2, 2, "2023-02-02", 90), (2, 1, "2023-04-01", 20),
            (3, 2, "2023-05-05", 70), (1, 2, "2023-08-08", 10)]  # fmt: skip
    lines = [f"{i},{joiner},{shop},{day},{cost}" for i, (joiner, shop, day, cost) in enumerate(rows, 1)]
    (folder / "repairs.csv").write_text(
        "repair_id,joiner_id,shop_id,done_on,cost\n" + "\n".join(lines) + "\n"
    )
    graph = gt.open(folder)
    assert isinstance(graph, gt.Graph)
    return graph


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Who gets paid more, Ann Bell or Bo Cole?", "Bo Cole"),
        ("Who gets paid less, Ann Bell or Bo Cole?", "Ann Bell"),
        ("Between Ann Bell and Cy Dow, who gets paid more?", "Ann Bell"),
        ("Did we spend more on repairs in 2022 than in 2023?", True),
        ("Did we spend less on repairs in 2022 than in 2023?", False),
        ("How much more did we spend on repairs in 2022 than in 2023?", 40),
        ("Does High Row have more seats than Mill Lane and Dock Street put together?", True),
        ("Does Dock Street have fewer seats than Mill Lane and High Row combined?", True),
        ("Which has more seats, Mill Lane or Dock Street?", "Dock Street"),
    ],
)
def test_two_sides(workshop: gt.Graph, question: str, value: object) -> None:
    answer = gt.ask(workshop, question)
    got = answer.value
    assert (got[0] if isinstance(got, list) and len(got) == 1 else got) == value, answer.text
    assert session(workshop).verify(answer).verdict == "same"


@pytest.mark.parametrize(
    "question",
    [
        "Who gets paid more, Ann Bell or Di Eng?",  # nobody knows what Di gets
        "Who gets paid more, Ann Bell or Zed Zook?",
        "Who gets paid more, Ann Bell or Mill Lane?",
        "Who snores more, Ann Bell or Bo Cole?",
        "Did we spend more on holidays in 2022 than in 2023?",
        "Does High Row have more windows than Mill Lane and Dock Street put together?",
        "Did Ann Bell or Bo Cole lose more tools in 2022 than in 2023?",
    ],
)
def test_what_is_not_known_of_a_side_is_not_compared(workshop: gt.Graph, question: str) -> None:
    assert not gt.ask(workshop, question).answered


@pytest.mark.parametrize(
    ("said", "most"),
    [
        ("gets paid more", "gets paid the most"),
        ("has been hired more often", "has been hired the most often"),
        ("has the higher rent", "has the highest rent"),
        ("is heavier", "is the heaviest"),
        ("has more friends than fewer", ""),
        ("is longer than the Rhine", ""),
        ("is over there", ""),
    ],
)
def test_superlatives(said: str, most: str) -> None:
    assert _superlative(said) == most


@pytest.fixture(scope="module")
def hires(tmp_path_factory: pytest.TempPathFactory) -> gt.Graph:
    """Clients who hire vans and pay for them in some way."""
    folder = tmp_path_factory.mktemp("hires")
    (folder / "clients.csv").write_text(
        "client_id,client_name,town\n1,Ann Bell,Hull\n2,Bo Cole,York\n3,Cy Dow,Hull\n4,Di Eng,Hull\n"
    )
    (folder / "vans.csv").write_text("van_id,van_name,colour\n1,Kite,red\n2,Wren,blue\n")
    rows = ["1,1,1,card", "2,1,1,card", "3,2,1,card", "4,2,2,cash", "5,3,2,cash"]
    (folder / "hires.csv").write_text("hire_id,client_id,van_id,paid_by\n" + "\n".join(rows) + "\n")
    graph = gt.open(folder)
    assert isinstance(graph, gt.Graph)
    return graph


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which clients have only ever paid by card?", ["Ann Bell"]),
        ("Which clients have paid only by cash?", ["Cy Dow"]),
        ("Which clients have only hired the Kite?", ["Ann Bell"]),
        ("Which clients have hired nothing but red vans?", ["Ann Bell"]),
    ],
)
def test_only(hires: gt.Graph, question: str, value: list[str]) -> None:
    answer = gt.ask(hires, question)
    assert answer.value in (value, value[0]), answer.text
    assert session(hires).verify(answer).verdict == "same"


@pytest.mark.parametrize(
    "question",
    [
        "Which clients have only ever paid by cheque?",
        "Which clients have only painted the Kite?",
        "Which clients have only hired two vans?",
        "Who is the only client in York that hired the Wren?",
        "Which clients have not only paid by card?",
        "Which clients have only hired the Kite or the Wren?",
    ],
)
def test_only_is_no_more_than_is_known(hires: gt.Graph, question: str) -> None:
    answer = gt.ask(hires, question)
    assert not answer.answered or answer.value in (["Bo Cole"], "Bo Cole"), answer.text


@pytest.fixture(scope="module")
def firm(tmp_path_factory: pytest.TempPathFactory) -> gt.Graph:
    """Clerks, who they report to, and the desks that they run."""
    folder = tmp_path_factory.mktemp("firm")
    (folder / "clerks.csv").write_text(
        "clerk_id,clerk_name,manager_id,town\n1,Ann Bell,,Hull\n2,Bo Cole,1,York\n3,Cy Dow,1,Hull\n4,Di Eng,2,Hull\n5,Ed Fry,2,York\n"
    )
    (folder / "desks.csv").write_text("desk_id,desk_name,run_by\n1,Sales,2\n2,Claims,3\n3,Post,2\n")
    graph = gt.open(folder)
    assert isinstance(graph, gt.Graph)
    return graph


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Who is the boss of the person who runs Sales?", ["Ann Bell"]),
        ("Who reports to the person who runs Sales?", ["Di Eng", "Ed Fry"]),
        ("Who reports to the clerk running Post?", ["Di Eng", "Ed Fry"]),
    ],
)
def test_what_a_clause_describes(firm: gt.Graph, question: str, value: list[str]) -> None:
    answer = gt.ask(firm, question)
    got = answer.value if isinstance(answer.value, list) else [answer.value]
    assert sorted(map(str, got)) == value, answer.text
    assert session(firm).verify(answer).verdict == "same"


@pytest.mark.parametrize(
    "question",
    [
        "Who reports to the person who sweeps Sales?",
        "Who tickles the person who runs Sales?",
        "Who reports to the person who runs Marketing?",
        "Who does not report to the person who sweeps Sales?",
        "Which town does the person who runs Sales loathe?",
        "Whom does the person who runs Sales avoid?",
    ],
)
def test_a_clause_that_is_not_understood(firm: gt.Graph, question: str) -> None:
    assert not gt.ask(firm, question).answered


@pytest.fixture(scope="module")
def herd(tmp_path_factory: pytest.TempPathFactory) -> gt.Graph:
    """Cows, their mothers, and the sheds that they are in."""
    folder = tmp_path_factory.mktemp("herd")
    (folder / "cows.csv").write_text(
        "cow_id,cow_name,mother_id,father_id,shed_id\n1,Daisy,,,1\n2,Clover,1,5,2\n3,Bramble,1,5,3\n4,Willow,2,5,1\n5,Samson,,,3\n"
    )
    (folder / "sheds.csv").write_text("shed_id,shed_name\n1,North Shed\n2,Top Barn\n3,Byre\n")
    graph = gt.open(folder)
    assert isinstance(graph, gt.Graph)
    return graph


def test_what_is_said_of_those_that_a_name_has(herd: gt.Graph) -> None:
    answer = gt.ask(herd, "Which sheds are the offspring of Daisy kept in?")
    assert isinstance(answer.value, list)
    assert sorted(map(str, answer.value)) == ["Byre", "Top Barn"], answer.text
    assert not gt.ask(herd, "Which sheds are the rivals of Daisy kept in?").answered
    assert not gt.ask(herd, "Which sheds were the offspring of Daisy sold with?").answered


@pytest.mark.parametrize(
    "question",
    [
        "Which shed was Clover burnt in?",
        "Which sheds was Clover sold with?",
        "Which shed are the cubs of Daisy kept in?",
        "Night-owls kept in Top Barn",
    ],
)
def test_no_word_is_passed_over_beside_a_name(herd: gt.Graph, question: str) -> None:
    assert not gt.ask(herd, question).answered


def test_states_say_no_deed(herd: gt.Graph) -> None:
    assert gt.ask(herd, "Which shed is Clover kept in?").value in ("Top Barn", ["Top Barn"])


def test_what_a_part_passes_over_and_how_it_is_read_is_told(workshop: gt.Graph) -> None:
    """A misspelt word of the second side, too."""
    answer = gt.ask(workshop, "Does High Row have more seats than Mill Lane and Dock Street put together?")
    plain = gt.ask(workshop, "Does High Row have more seets than Mill Lane and Dock Street put together?")
    assert not plain.answered or (plain.value == answer.value and "seets" in plain.text)


def test_a_name_of_several_is_not_nested(tmp_path: Path) -> None:
    """Two are called Bo Cole: who reports to the one who runs Sales is not who reports to either."""
    (tmp_path / "clerks.csv").write_text(
        "clerk_id,clerk_name,manager_id\n1,Ann Bell,\n2,Bo Cole,1\n3,Bo Cole,1\n4,Di Eng,2\n5,Ed Fry,3\n"
    )
    (tmp_path / "desks.csv").write_text("desk_id,desk_name,run_by\n1,Sales,2\n2,Claims,3\n")
    answer = gt.ask(gt.open(tmp_path), "Who reports to the person who runs Sales?")
    assert not answer.answered or answer.value in ("Di Eng", ["Di Eng"]), answer.text


def test_of_another_time_nothing_is_composed(tmp_path: Path) -> None:
    """Bo was in Claims before 2015: what else he was in as of 2015 is not what else he was ever in."""
    (tmp_path / "clerks.csv").write_text("clerk_id,clerk_name\n1,Ann Bell\n2,Bo Cole\n3,Cy Dow\n")
    (tmp_path / "desks.csv").write_text("desk_id,desk_name\n1,Sales\n2,Claims\n")
    (tmp_path / "works_at.csv").write_text(
        "clerk_id,desk_id,valid_from,valid_to\n1,1,2010-01-01,2020-01-01\n2,2,2010-01-01,2014-01-01\n2,1,2014-01-01,2019-01-01\n3,2,2010-01-01,2019-01-01\n"
    )
    graph = gt.open(tmp_path)
    offline = session(graph).planner
    composing = Composing(offline.proposer, offline._best)
    for question, composed in (
        ("Which clerks work at Sales?", True),
        ("Which clerks work at Sales as of 2015?", False),
    ):
        part = offline._best(question)
        assert part is not None
        assert (composing._sure(part[1].reading.call, "so", [part]) is not None) is composed
    answer = gt.ask(graph, "Which clerks only work at Sales as of 2015?")
    assert answer.value == ["Ann Bell", "Bo Cole"], answer.text


def test_an_a_before_several_is_no_article() -> None:
    """ "The grade A instructors who charge 40" are not whatever grade these instructors have."""
    found = nested("Show me the grade A instructors who charge 40 or less", {"instructor"}, ())
    assert not list(found)
    assert list(nested("Show me the grade of an instructor who charges 40", {"instructor"}, ()))
