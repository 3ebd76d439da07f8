"""What people ask of one table: a column by its name, and rows by what other columns have."""

from pathlib import Path

import pytest

import graphtalk as gt

MATCHES = """Week,Opponent,Venue,Away team,Result,Crowd,Year,Power (kW)
4,Redcliff Rovers,Moss Lane,Redcliff Rovers,2-1,4200,2008,30
1,Hale United,The Dell,Hale United,0-0,1800,2009,45
9,Thorn Athletic,Moss Lane,Thorn Athletic,3-3,5100,2010,30
12,Wick Town,Pier Park,Wick Town,1-4,2600,2011,60
"""


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    path = tmp_path_factory.mktemp("matches") / "2024_3.csv"
    path.write_text(MATCHES)
    return gt.session(gt.open(path))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the result when the opponent is Wick Town?", {"1-4"}),
        ("Which venue has a result of 0-0, and a crowd smaller than 2000?", {"The Dell"}),
        ("What is the highest crowd for the venue Moss Lane?", {5100}),
        ("Name the opponent for week 9", {"Thorn Athletic"}),
        ("What was the crowd at the Pier Park venue?", {2600}),
        ("How many opponents were there when the venue is Moss Lane?", {2}),
        ("What opponent has 4200 as the crowd?", {"Redcliff Rovers"}),
        ("What is the venue of 2010?", {"Moss Lane"}),
        ("When Hale United is the opponent, what is the result?", {"0-0"}),
        ("Which opponent has a power (kw) of 60?", {"Wick Town"}),
        ("What is the lowest week where the crowd is larger than 2000?", {4}),
        ("WHAT IS THE RESULT FOR THE OPPONENT THORN ATHLETIC?", {"3-3"}),
    ],
)
def test_cells_are_told(session: gt.Session, question: str, answer: set[object]) -> None:
    found = session.ask(question)
    assert found.answered, found.text
    assert (set(found.value) if isinstance(found.value, list) else {found.value}) == answer, found.reading


@pytest.mark.parametrize(
    "question",
    [
        "What is the referee when the opponent is Wick Town?",
        "What is the sponsor for week 9?",
        "Which venue did not have a result of 0-0, usually?",
    ],
)
def test_what_no_column_says_is_asked_back(session: gt.Session, question: str) -> None:
    assert not session.ask(question).answered, session.ask(question).text


def test_a_first_column_of_numbers_is_no_id(session: gt.Session) -> None:
    graph = session.graph
    assert isinstance(graph, gt.Graph)
    assert graph.features(0)["Week"] == 4


def test_the_number_of_a_row_is_nobody(tmp_path: Path) -> None:
    path = tmp_path / "9.csv"
    path.write_text("Score,Round,Place\n70,1,Kelso\n70,2,Kelso\n71,2,Airth\n71,1,Airth\n")
    asking = gt.session(gt.open(path))
    assert not asking.ask("Who had a score of 70?").answered
    assert asking.ask("What is the place for a score of 71 and a round of 2?").value == ["Airth"]


def test_columns_may_be_called_by_signs(tmp_path: Path) -> None:
    path = tmp_path / "9.csv"
    path.write_text("#,%,---,Name\n3,20,a,Ann Lee\n5,40,b,Bo Ray\n")
    asking = gt.session(gt.open(path))
    assert asking.ask("How many nodes are there?").value == 2
    assert asking.ask("What is the number for Bo Ray?").value in ([5], 5)


LEAGUE = """Date,Home side,Away side,Home side score,Ground,Attendance,H / A,Net+,Net-,Turnout (%)
16/05/1998,Marsh End,Kelby,3-1 (2-0),Pond Road,812,h,4,7,61%
23/05/1998,Kelby,Aldon,0-0,Mill Park,455,a,6,2,48%
30/05/1998,Aldon,Marsh End,2-2,Pond Road,1203,h,9,5,75%
06/06/1998,Torrin,Kelby,1-4,Castle Hill,97,a,1,8,12%
"""
CREW = """Pilot,Wing,Born,Flights,Nickname,Team
Ann Lee,North,1961,12,Swift,Red
Bo Ray,South,1958,30,a,Red
Cy Dow,North,1970,7,Hawk,Blue
Di Fox,East,1958,22,Wren,Green
"""


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    path = tmp_path_factory.mktemp("league") / "7.csv"
    path.write_text(LEAGUE)
    return gt.session(gt.open(path))


@pytest.fixture(scope="module")
def crew(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    path = tmp_path_factory.mktemp("crew") / "8.csv"
    path.write_text(CREW)
    return gt.session(gt.open(path))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which home side competed against Aldon?", {"Kelby"}),  # verbs and nouns of what tables are about
        ("What was the ground for the game on 16 May 1998?", {"Pond Road"}),
        ("What is the lowest attendance for games played at Pond Road?", {812}),
        ("In the match at Castle Hill, who was the home side?", {"Torrin"}),
        ("Name the ground for attendance is 455", {"Mill Park"}),
        ("What is Ground, when Away side is Aldon, and when Attendance is less than 500?", {"Mill Park"}),
        ("Tell me the home side for a net+ of 6", {"Kelby"}),  # signs in the names of columns, and in cells
        ("What home side has a net- of 2 and a turnout (%) of 48%?", {"Kelby"}),
        ("Which ground has an H/A of a and an attendance larger than 100?", {"Mill Park"}),
        ('What is the away side, when net- is "8"?', {"Kelby"}),
        ("Which ground has a home side score of 3-1 (2-0)?", {"Pond Road"}),
        ("Castle Hill is the ground of which home side?", {"Torrin"}),
        ("What was the highest attendance when Kelby was the away side?", {812}),
        ("Which attendance is the lowest one that has a net+ larger than 5?", {455}),
        ("What is the total attendance at Pond Road?", {2015}),
        ("What is the value of net+ for the home side Torrin?", {1}),
        ("How many people attended the game at Castle Hill?", {97}),
        ("Where was the game when the home side was Aldon?", {"Pond Road"}),
    ],
)
def test_every_word_of_a_match_has_its_place(league: gt.Session, question: str, answer: set[object]) -> None:
    found = league.ask(question)
    assert found.answered, found.text
    assert (set(found.value) if isinstance(found.value, list) else {found.value}) == answer, found.reading


@pytest.mark.parametrize(
    "question",
    [
        "Which home side lost to Aldon?",  # what no column says
        "Which ground has an H/A of b?",
        "What is the home side and the ground for a net+ of 6?",
        "Which home side has a higher attendance than Kelby?",
        "What is the ground when the home side is not Kelby and the away side?",
        "Who was the referee at Castle Hill?",
        "What is the net for the home side Torrin?",
        "What is the ground before Kelby?",
        "Which home side beat Aldon?",
        "What is the total week at Moss Lane?",
        "How many games did Kelby win at home?",
        "When was the game at Castle Hill recorded?",
    ],
)
def test_what_has_no_place_is_asked_back(league: gt.Session, question: str) -> None:
    assert not league.ask(question).answered, league.ask(question).text


def test_a_word_that_no_column_says_is_told(league: gt.Session) -> None:
    """What rows are no column says, so the final of a day may be its game; that nothing says so is told."""
    found = league.ask("What was the ground for the final on 16 May 1998?")
    assert not found.answered or "not used: 'final'" in found.text


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the nickname of the pilot with 7 flights?", {"Hawk"}),
        ("Who has the nickname Swift?", {"Ann Lee"}),
        ("What is the wing of the pilot that has a nickname of a?", {"South"}),
        ("When was Cy Dow born?", {1970}),
        (
            "What is the name of the pilot with more than 12 flights and a born of 1958 in the South wing?",
            {"Bo Ray"},
        ),
        ("What is Ann Lee's wing?", {"North"}),
    ],
)
def test_who_and_when_ask_for_the_one_column_that_says_it(
    crew: gt.Session, question: str, answer: set[object]
) -> None:
    found = crew.ask(question)
    assert found.answered, found.text
    assert (set(found.value) if isinstance(found.value, list) else {found.value}) == answer, found.reading


@pytest.mark.parametrize(
    "question",
    [
        "When did Cy Dow retire?",
        "Who trained Cy Dow?",
        "What is the total number of flights for the wing North?",  # so many flights, or rows that say how many
        "What is the wing of the pilot who met Cy Dow?",  # somebody else's
        "What is the nickname of the person that played against Di Fox?",
    ],
)
def test_who_and_when_with_another_deed_are_asked_back(crew: gt.Session, question: str) -> None:
    assert not crew.ask(question).answered, crew.ask(question).text


def test_columns_that_differ_in_brackets_alone_are_asked_back(tmp_path: Path) -> None:
    path = tmp_path / "4.csv"
    path.write_text("Boat,Length (m),Length (f),Built\nTern,9.1,30,1961\nGull,12.2,40,1958\n")
    asking = gt.session(gt.open(path))
    assert not asking.ask("Name the length of the boat Tern").answered
    assert asking.ask("Name the length (f) of the boat Tern").value == [30]
