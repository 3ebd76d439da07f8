"""What people ask of a database: several columns, in an order, for each of something, with names that run together."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import graphtalk as gt

SCRIPT = """
CREATE TABLE ref_soils (soil_code TEXT PRIMARY KEY, soil_description TEXT);
CREATE TABLE allotmentholder (holder_id INTEGER PRIMARY KEY, name TEXT, age TEXT, village TEXT);
CREATE TABLE plot (plot_id INTEGER PRIMARY KEY, name TEXT, area INTEGER, soil_code TEXT REFERENCES ref_soils(soil_code));
CREATE TABLE contest (contest_id INTEGER PRIMARY KEY, title TEXT, year TEXT, plot_id INTEGER REFERENCES plot(plot_id));
CREATE TABLE holder_in_contest (
  contest_id INTEGER REFERENCES contest(contest_id), holder_id INTEGER REFERENCES allotmentholder(holder_id));
INSERT INTO ref_soils VALUES ('LM', 'loam'), ('CL', 'clay'), ('SD', 'sand');
INSERT INTO allotmentholder VALUES (1, 'Ida Moss', '34', 'Wick'), (2, 'Jem Furrow', '51', 'Hale'), (3, 'Kit Dell', '29', 'Wick'),
  (4, 'Lou Barrow', '62', 'Hale'), (5, 'Max Hedge', '45', 'Thorn');
INSERT INTO plot VALUES (1, 'Long Bed', 120, 'LM'), (2, 'Corner', 60, 'CL'), (3, 'Riverside', 200, 'LM'), (4, 'Top Field', 90, 'SD');
INSERT INTO contest VALUES (1, 'Pumpkin Cup', '2014', 1), (2, 'Bean Race', '2014', 3), (3, 'Rose Show', '2015', 3), (4, 'Leek Fair', '2016', 3),
  (5, 'Onion Derby', '2013', 2);
INSERT INTO holder_in_contest VALUES (1, 1), (1, 2), (2, 1), (3, 3), (4, 1), (5, 4);
"""


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    path = tmp_path_factory.mktemp("allotments") / "allotments.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(SCRIPT)
    return gt.session(gt.open(path))


def rows(value: object) -> object:
    """Rows as tuples without the names of their columns; other values as they are."""
    if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
        return [tuple(row.values()) for row in value]
    return value


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("List the name and village of each allotment holder.",
         [("Ida Moss", "Wick"), ("Jem Furrow", "Hale"), ("Kit Dell", "Wick"), ("Lou Barrow", "Hale"), ("Max Hedge", "Thorn")]),
        ("What are the names and ages of the allotment holders from Hale, sorted by age in descending order?",
         [("Lou Barrow", 62), ("Jem Furrow", 51)]),
        ("Show the names of all plots from the largest to the smallest.", ["Riverside", "Long Bed", "Top Field", "Corner"]),
        ("List the plot names in alphabetical order.", ["Corner", "Long Bed", "Riverside", "Top Field"]),
        ("Show the plot names without any contest.", ["Top Field"]),
        ("What are the minimum, average and maximum area of all plots?", [(60, 117.5, 200)]),
        ("What is the maximum and minimum age of allotment holders in Wick village?", [(34, 29)]),
        ("Show all villages and the number of allotment holders in each village.", [("Wick", 2), ("Hale", 2), ("Thorn", 1)]),
        ("What is the name of each plot and how many contests does it have?",
         [("Long Bed", 1), ("Corner", 1), ("Riverside", 3), ("Top Field", 0)]),
        ("Show the villages shared by at least two allotment holders.", ["Wick", "Hale"]),
        ("Which year had the greatest number of contests?", [2014]),
        ("How many contests occurred in 2014 or 2015?", 3),
        ("Show names for all plots except for plots having a contest in 2014.", ["Corner", "Top Field"]),
        ("List all allotment holder names in contests in year 2014.", ["Ida Moss", "Jem Furrow"]),
        ("Find the number of contests that took place in the plot with the largest area.", 3),
        ("Show the name of allotment holders aged either 29 or 34.", ["Ida Moss", "Kit Dell"]),
        ("Where is the youngest allotment holder from?", ["Wick"]),
        ("What are the soil descriptions?", ["loam", "clay", "sand"]),
        ("List the names of plots that have not had any contest.", ["Top Field"]),
        ("How many contests were held in each year?", [(2013, 1), (2014, 2), (2015, 1), (2016, 1)]),
        ("In which year were the most contests held?", [2014]),
        ("Find the village shared by the most allotment holders who are older than 40.", ["Hale"]),
        ("How many different villages do the allotment holders come from?", 3),
        ("Show the name of the plot with the second largest area.", ["Long Bed"]),
        ("Show the names of allotment holders who took part in at least two contests.", ["Ida Moss"]),
        ("Show the names and ages of allotment holders in Wick, youngest first.", [("Kit Dell", 29), ("Ida Moss", 34)]),
        ("What are the ids of the plots with an area between 80 and 150?", ["1", "4"]),
        ("What is the id of Riverside?", ["3"]),
        ("What is the average and maximum age for each village?", [("Hale", 56.5, 62), ("Thorn", 45.0, 45), ("Wick", 31.5, 34)]),
        ("Show names of contests and their plots.",
         [("Pumpkin Cup", "Long Bed"), ("Bean Race", "Riverside"), ("Rose Show", "Riverside"), ("Leek Fair", "Riverside"), ("Onion Derby", "Corner")]),
    ],
)  # fmt: skip
def test_is_answered(session: gt.Session, question: str, answer: object) -> None:
    found = session.ask(question)
    assert found.answered, found.text
    value, told = rows(found.value), rows(answer)
    ordered = any(word in question for word in ("order", "from the", "first"))
    if isinstance(value, list) and isinstance(told, list) and not ordered:
        value, told = sorted(value, key=str), sorted(told, key=str)
    assert value == told, found.reading


@pytest.mark.parametrize(
    "question",
    [
        "Which plots in Thorn have at least 1 contest?",  # a village has no plots
        "List the allotment holders who have not been asked to join contests.",
        "How many people live in the largest plot?",
        "List the plot owners and their ages.",
        "List the contests in 2014 and their prizes.",
        "What are the soil codes and descriptions?",  # a key that nodes are not called by
    ],
)
def test_is_not_answered(session: gt.Session, question: str) -> None:
    found = session.ask(question)
    assert not found.answered, (found.reading, found.value)


def test_nobody_is_called_by_somebody_else(tmp_path: Path) -> None:
    """Rows that have numbers for names are people by the row that says who they are; an orchestra is not its conductor."""
    path = tmp_path / "a.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            "CREATE TABLE people (people_id INTEGER PRIMARY KEY, name TEXT);"
            "CREATE TABLE chess_player (chess_player_id INTEGER PRIMARY KEY, people_id INTEGER REFERENCES people(people_id), wins INTEGER);"
            "CREATE TABLE band (band_id INTEGER PRIMARY KEY, leader_id INTEGER REFERENCES people(people_id), gigs INTEGER);"
            "INSERT INTO people VALUES (1, 'Ann Rook'), (2, 'Bob Pawn'), (3, 'Cid King');"
            "INSERT INTO chess_player VALUES (11, 2, 40), (12, 1, 70); INSERT INTO band VALUES (21, 3, 9), (22, 1, 4);"
        )
    asking = gt.session(gt.open(path))
    found = asking.ask("List the names of the chess players sorted by wins in descending order.")
    assert rows(found.value) == ["Ann Rook", "Bob Pawn"], found.reading
    assert not asking.ask("List the names of all bands.").answered


def test_texts_of_digits_are_numbers(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            "CREATE TABLE bee (bee_id TEXT PRIMARY KEY, name TEXT, age TEXT, code TEXT);"
            "INSERT INTO bee VALUES ('b1', 'Ann', '7', '007'), ('b2', 'Bob', '12', '012');"
        )
    graph = gt.open(path)
    assert isinstance(graph, gt.Graph)
    assert [graph.features(node)["age"] for node in (0, 1)] == [7, 12]
    assert [graph.features(node)["code"] for node in (0, 1)] == ["007", "012"]


def test_a_number_of_its_own_is_no_key(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            "CREATE TABLE ferries (line INTEGER PRIMARY KEY, ferry_no INTEGER, pier TEXT);"
            "INSERT INTO ferries VALUES (1, 210, 'A'), (2, 2, 'B'), (3, 377, 'C');"
        )
    graph = gt.open(path)
    assert isinstance(graph, gt.Graph) and graph.features(0)["ferry_no"] == 210


ISLANDS = """
CREATE TABLE island (island_id INTEGER PRIMARY KEY, name TEXT, archipelago TEXT, settledyear INTEGER);
CREATE TABLE islandcrop (island_id INTEGER REFERENCES island(island_id), crop TEXT, isstaple TEXT, PRIMARY KEY (island_id, crop));
CREATE TABLE people (people_id INTEGER PRIMARY KEY, name TEXT, height INTEGER, birthdate TEXT);
CREATE TABLE freediver (freediver_id INTEGER PRIMARY KEY, people_id INTEGER REFERENCES people(people_id), maxdepth INTEGER);
CREATE TABLE friend (people_id INTEGER REFERENCES people(people_id), friend_id INTEGER REFERENCES people(people_id));
CREATE TABLE checkup (checkup_id INTEGER PRIMARY KEY, people_id INTEGER REFERENCES people(people_id), date_passed TEXT, fee INTEGER);
INSERT INTO island VALUES (1, 'Tavu', 'North', 1200), (2, 'Moro', 'North', 1350), (3, 'Kelo', 'South', 900), (4, 'Sisi', 'South', 1500);
INSERT INTO islandcrop VALUES (1, 'Taro', 'T'), (1, 'Yam', 'F'), (2, 'Taro', 'F'), (3, 'Yam', 'T'), (3, 'Taro', 'T'), (3, 'Banana', 'F');
INSERT INTO people VALUES (1, 'Ann Reef', 180, '1990-02-01'), (2, 'Bo Shoal', 165, '1985-07-09'), (3, 'Cy Wave', 172, '1999-11-30'),
  (4, 'Di Foam', 190, '1970-01-01');
INSERT INTO friend VALUES (1, 2), (2, 1), (1, 3), (3, 1);
INSERT INTO checkup VALUES (1, 1, '2024-03-01', 40), (2, 1, '2024-09-01', 60), (3, 4, '2023-05-05', 80);
INSERT INTO freediver VALUES (11, 1, 60), (12, 2, 95), (13, 3, 80);
"""


@pytest.fixture(scope="module")
def islands(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    path = tmp_path_factory.mktemp("islands") / "islands.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(ISLANDS)
    return gt.session(gt.open(path))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # rows that are told by a text of theirs
        ("Which crops are grown on Kelo?", {"Yam", "Taro", "Banana"}),
        ("How many crops are grown on Tavu?", 2),
        ("Which islands grow both Taro and Yam?", {"Tavu", "Kelo"}),
        ("How many islands grow Taro?", 3),
        ("Which islands do not grow Taro?", {"Sisi"}),
        ("Which crop is grown on the most islands?", {"Taro"}),
        ("How many archipelagos grow Banana?", 1),
        # what is said of the people that divers are
        ("What is the height of the freediver with the largest max depth?", {165}),
        ("What is the average max depth of freedivers taller than 170?", 70),
        ("List the birth dates of the freedivers.", {"1990-02-01", "1985-07-09", "1999-11-30"}),
        ("How tall is the tallest freediver?", {180}),
        ("List the names of the people that are not freedivers.", {"Di Foam"}),
        # who is joined to others of their kind by a noun
        ("Who has the most friends?", {"Ann Reef"}),
        ("How many friends does each person have?", {("Ann Reef", 2), ("Bo Shoal", 1), ("Cy Wave", 1), ("Di Foam", 0)}),
        ("What is the average height of people who have friends?", pytest.approx(517 / 3)),
        ("Which people do not have any friends?", {"Di Foam"}),
        # what somebody went through, and two sentences
        ("How many people have gone through a checkup?", 2),
        ("How many checkups have a fee below the average?", 1),
        ("What is the passed date of the checkup with the lowest fee?", {"2024-03-01"}),
        ("Which people have at least 2 friends? List their names and heights.", {("Ann Reef", 180)}),
        ("List the names of the people who grew up. Order by height.", None),
        ("List the names of all people. Order by height.", {"Ann Reef", "Bo Shoal", "Cy Wave", "Di Foam"}),
        # names that run together
        ("Which islands have a settled year before 1300?", {"Tavu", "Kelo"}),
    ],
)  # fmt: skip
def test_rows_that_are_told_by_a_text_or_stand_for_somebody(
    islands: gt.Session, question: str, answer: object
) -> None:
    found = islands.ask(question)
    assert found.answered == (answer is not None), found.text
    value = rows(found.value)
    assert (
        set(value) if isinstance(value, list) else {value} if isinstance(answer, set) else value
    ) == answer, found.reading


@pytest.mark.parametrize(
    "question",
    [
        "Which crops are not grown on Tavu?",  # Taro grows elsewhere: no crop of a row that is not Tavu's
        "What is the staple crop of Tavu?",
        "Which crops are mainly grown on Kelo?",
    ],
)
def test_what_rows_do_not_say_is_asked_back(islands: gt.Session, question: str) -> None:
    assert not islands.ask(question).answered, islands.ask(question).text
