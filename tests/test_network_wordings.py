"""Questions over networks that nobody keeps as tables: people who follow each other, services and servers, plain triples."""

import json
import re
from pathlib import Path

import pytest

import graphtalk as gt

PEOPLE = {"Maja Lind": 34, "Tariq Aziz": 41, "Noor Haddad": 27, "Greta Voss": 52}
FOLLOWS = [("Maja Lind", "Tariq Aziz", 2016), ("Tariq Aziz", "Maja Lind", 2017), ("Noor Haddad", "Maja Lind", 2020), ("Tariq Aziz", "Greta Voss", 2013)]  # fmt: skip
POSTS = {"Winter Light": "Maja Lind", "On Bread": "Tariq Aziz", "Ski Wax": "Maja Lind"}
TRIPLES = """Ann lives_in Oslo,Bob lives_in Bergen,Cara lives_in Oslo,Ann works_for NordWind,Oslo located_in Norway,Bergen located_in Norway,
Oslo capital_of Norway,Norway borders Sweden,NordWind produces turbines,Ann married_to Bob,Bob married_to Ann"""
CALLS = [("main", "run", 3), ("run", "load", 4), ("load", "load", 1), ("run", "main", 2)]


def node_link(path: Path, nodes: list[dict[str, object]], links: list[dict[str, object]]) -> gt.Session:
    path.write_text(json.dumps({"directed": True, "multigraph": True, "nodes": nodes, "links": links}))
    return gt.session(gt.open(path))


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, gt.Session]:
    """Kinds of nodes in a property, as networkx keeps them, under several names; and triples."""
    folder = tmp_path_factory.mktemp("networks")
    people: list[dict[str, object]] = [
        {"id": n, "node_type": "Person", "name": n, "age": a, "city": "Oslo" if a < 40 else "Bonn"}
        for n, a in PEOPLE.items()
    ]
    people += [{"id": n, "node_type": "Post", "name": n} for n in POSTS]
    follows: list[dict[str, object]] = [
        {"source": a, "target": b, "type": "FOLLOWS", "since": y} for a, b, y in FOLLOWS
    ]
    follows += [{"source": who, "target": post, "type": "POSTED"} for post, who in POSTS.items()]
    follows += [{"source": a, "target": "Winter Light", "type": "LIKES"} for a in ("Maja Lind", "Tariq Aziz")]
    functions: list[dict[str, object]] = [
        {"id": n, "kind": "Function", "name": n, "version": 2.1} for n in ("main", "run", "load")
    ]
    functions += [{"id": "loader", "kind": "Package", "name": "loader", "version": 1.4}]
    calls: list[dict[str, object]] = [
        {"source": a, "target": b, "rel": "calls", "count": c} for a, b, c in CALLS
    ]
    calls += [{"source": "load", "target": "loader", "rel": "definedIn"}]
    functions += [
        {"id": "Otto Lenz", "kind": "Developer", "name": "Otto Lenz"},
        {"id": "Pia Roth", "kind": "Developer", "name": "Pia Roth"},
    ]
    calls += [{"source": "loader", "target": "Otto Lenz", "rel": "hasMaintainer"}]
    wires: list[dict[str, object]] = [
        {"source": a, "target": b, "type": "connects_to", "bandwidth_mbps": 100}
        for a, b in [("web", "db"), ("db", "backup")]
    ]
    servers: list[dict[str, object]] = [
        {"id": n, "type": "server", "name": n} for n in ("web", "db", "backup")
    ]
    (folder / "town.tsv").write_text(
        "head\trelation\ttail\n" + "\n".join("\t".join(t.split()) for t in TRIPLES.split(",")) + "\n"
    )
    things = {
        "Writer": ("Elsa Brandt", "Karl Anders", "Ivo Mares"),
        "City": ("Vienna", "Linz", "Brno"),
        "Country": ("Austria", "Czechia"),
        "Genre": ("satire", "romance"),
        "Novel": ("Cold Bread", "Blue Hour"),
    }
    born = [
        "Elsa Brandt birthPlace Vienna",
        "Karl Anders birthPlace Linz",
        "Ivo Mares birthPlace Brno",
        "Vienna country Austria",
        "Linz country Austria",
        "Brno country Czechia",
        "Cold Bread author Karl Anders",
        "Blue Hour author Elsa Brandt",
        "Cold Bread literaryGenre satire",
        "Blue Hour literaryGenre romance",
    ]
    told = [re.split(" (birthPlace|country|author|literaryGenre) ", line) for line in born]
    return {
        "books": node_link(folder / "books.json", [{"id": n, "type": t, "name": n} for t, names in things.items() for n in names], [{"source": a, "type": r, "target": b} for a, r, b in told]),
        "films": node_link(folder / "films.json", [{"id": n, "type": t, "name": n} for t, n in [("Movie", "Tin"), ("Movie", "Oak"), ("Person", "Ida Ray"), ("Genre", "film"), ("Tag", "boats"), ("Tag", "boat")]],
                           [{"source": "Tin", "type": "directed_by", "target": "Ida Ray"}, {"source": "Oak", "type": "directed_by", "target": "Ida Ray"}, {"source": "Oak", "type": "has_genre", "target": "film"}, {"source": "Oak", "type": "has_tags", "target": "boat"}]),
        "people": node_link(folder / "people.json", people, follows),
        "code": node_link(folder / "code.json", functions, calls),
        "servers": node_link(folder / "servers.json", servers, wires),
        "kin": node_link(folder / "kin.json", [{"id": n} for n in ("Ann", "Bob", "Finn", "Eve")], [{"source": "Ann", "target": "Finn", "type": "parent_of"}, {"source": "Eve", "target": "Ann", "type": "parent_of"}, {"source": "Ann", "target": "Bob", "type": "knows"}]),
        "town": gt.session(gt.open(folder / "town.tsv")),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("graph", "question", "value"),
    [
        ("people", "Which people follow each other?", ["Maja Lind", "Tariq Aziz"]),
        ("people", "Who follows one another?", ["Maja Lind", "Tariq Aziz"]),
        ("people", "Do Maja Lind and Tariq Aziz follow each other?", True),
        ("people", "Do Tariq Aziz and Greta Voss follow each other?", False),
        ("people", "Who has more followers, Maja Lind or Greta Voss?", ["Maja Lind"]),
        ("people", "Who has posted more posts, Maja Lind or Tariq Aziz?", ["Maja Lind"]),
        ("town", "Are Ann and Bob married to each other?", True),
        ("code", "Which functions call load?", ["load", "run"]),
        ("code", "How often does run call load?", ["4"]),
        ("code", "How many times does run call main?", ["2"]),
        ("people", "Since when does Maja Lind follow Tariq Aziz?", ["2016"]),
        ("people", "In which year did Noor Haddad start following Maja Lind?", ["2020"]),
        ("people", "Who started following Maja Lind after 2018?", ["Noor Haddad"]),
        ("people", "Whom does Noor follow?", ["Maja Lind"]),  # the only Noor
        ("people", "Who follows someone from Bonn?", ["Maja Lind", "Tariq Aziz"]),
        ("people", "Who liked a post by Maja Lind?", ["Maja Lind", "Tariq Aziz"]),
        ("people", "Who likes their own posts?", ["Maja Lind"]),
        ("books", "Which writers were born in Austria?", ["Elsa Brandt", "Karl Anders"]),
        ("books", "In which country was Elsa Brandt born?", ["Austria"]),
        ("books", "How many satires are there?", 1),
        ("films", "How many films did Ida Ray direct?", 2),  # whatever is called "film"
        ("servers", "What is the bandwidth between db and web?", ["100"]),
    ],
)
def test_is_answered(sessions: dict[str, gt.Session], graph: str, question: str, value: object) -> None:
    answer = sessions[graph].ask(question)
    assert answer.answered, answer.text
    assert (sorted(map(str, answer.value)) if isinstance(answer.value, list) else answer.value) == value


@pytest.mark.parametrize(
    ("graph", "question"),
    [
        ("town", "Who lives in Norway?"),  # people live in cities
        ("town", "What does Ann produce?"),
        ("code", "How often is load called?"),  # not by how many: the edges say how often
        ("code", "When was loader released?"),  # a version is no time
        ("code", "Which functions call each other?"),  # one calls itself
        ("servers", "Which servers is db connected to?"),  # either way
        ("people", "Who is followed by Ski Wax?"),  # posts follow nobody, though who posted them may
        ("people", "Which posts follow Maja Lind?"),
        ("code", "Which packages call load?"),  # functions of them do
        ("code", "Which package maintains Otto Lenz?"),
        ("code", "Which developers were fired?"),
        ("code", "Which developers work for loader?"),  # a lead is one of those who do
        ("people", "Which posts are in Oslo?"),
        ("kin", "Who is Ann's mother?"),
        ("books", "Which writers studied in Vienna?"),  # they were born there
    ],
)
def test_is_not_answered(sessions: dict[str, gt.Session], graph: str, question: str) -> None:
    answer = sessions[graph].ask(question)
    assert not answer.answered, answer.text


def test_a_kind_that_each_node_has_alone_is_no_type(tmp_path: Path) -> None:
    nodes: list[dict[str, object]] = [{"id": n, "kind": f"of {n}"} for n in "abc"]
    read = node_link(tmp_path / "g.json", nodes, [{"source": "a", "target": "b"}]).graph
    assert [t.name for t in read.schema.node_types] == ["node"]
