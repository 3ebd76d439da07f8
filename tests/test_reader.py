"""The reader: its normal form both ways, its grammar, the values of questions, the queries that readings mean."""

from random import Random

import numpy as np
import pyarrow as pa
import pytest

from graphtalk.calls import show
from graphtalk.calls.cypher import parse_query
from graphtalk.calls.query import Return, query_call
from graphtalk.core import JSON
from graphtalk.engines.arrays.run import run
from graphtalk.graphs import EdgeTable, NodeTable, build
from graphtalk.language.telling import value_in_words
from graphtalk.reasoners.reader.confidence import unused_operators
from graphtalk.reasoners.reader.grammar import Grammar, State
from graphtalk.reasoners.reader.labels import Unread, reading_of
from graphtalk.reasoners.reader.linking import link, table_look_up
from graphtalk.reasoners.reader.querying import Unsaid, query_of
from graphtalk.reasoners.reader.reader import load_reader
from graphtalk.reasoners.reader.reading import Span, canonical, contradicts, parsed, senseless, written
from graphtalk.reasoners.reader.reading import Test as PropertyTest
from graphtalk.reasoners.reader.shape import Held, Link, Shape, spoken
from graphtalk.training.reader.domains import made_up, vary
from graphtalk.training.reader.made import Questions
from query_runs import frame

NOTHING = table_look_up({})  # no graph at all
FILMS = Shape(
    ("Film", "Person"),
    (Link("DIRECTED", "Person", "Film"), Link("ACTED_IN", "Person", "Film")),
    (
        Held("Film", "title", "text", naming=True),
        Held("Film", "year", "number"),
        Held("Person", "name", "text", naming=True),
        Held("Person-ACTED_IN-Film", "role", "text", edge=True),
    ),
)
KNOWN = table_look_up(
    {"alien": {"P:Film.title": ["Alien"]}, "ada lovelace": {"P:Person.name": ["Ada Lovelace"]}}
)
NAMED = (("Drug", "Zinc"), ("Effect", "Rash"))


def actions_of(question: str, cypher: str) -> str:
    values = link(question, KNOWN)
    return " ".join(written(reading_of(parse_query(cypher), FILMS, values)))


@pytest.mark.parametrize(
    ("question", "cypher", "actions"),
    [
        (
            "Who directed Alien?",
            "MATCH (p:Person)-[:DIRECTED]->(f:Film {title: 'Alien'}) RETURN p.name",
            "T:Person V:>Person-DIRECTED-Film P:Film.title EQ S:0 UP UP RETURN NODE END",
        ),
        (
            "Which films did Ada Lovelace not direct?",
            "MATCH (f:Film) WHERE NOT (f)<-[:DIRECTED]-(:Person {name: 'Ada Lovelace'}) RETURN f",
            "T:Film NOT V:<Person-DIRECTED-Film P:Person.name EQ S:0 UP UP RETURN NODE END",
        ),
        (
            "Who acted in more than 3 films after 1999?",
            "MATCH (p:Person)-[:ACTED_IN]->(f:Film) WHERE f.year > 1999 WITH p, count(f) AS n WHERE n > 3 RETURN p.name, n",
            "T:Person CNT V:>Person-ACTED_IN-Film P:Film.year GT S:1 UP GT S:0 UP RETURN NODE "
            "CNT V:>Person-ACTED_IN-Film P:Film.year GT S:1 UP END",
        ),
        (
            "The top 3 people by number of films",
            "MATCH (p:Person)-[:ACTED_IN]->(f:Film) RETURN p.name, count(f) AS n ORDER BY n DESC LIMIT 3",
            "T:Person UP RETURN NODE TOP CNT V:>Person-ACTED_IN-Film UP LIMIT S:0 END",
        ),
        (
            "Who directed and acted in the same film?",
            "MATCH (p:Person)-[:DIRECTED]->(f:Film)<-[:ACTED_IN]-(p) RETURN p",
            "T:Person V:>Person-DIRECTED-Film V:<Person-ACTED_IN-Film REF V0 UP UP RETURN NODE END",
        ),
        (
            "What is the average year of films with a role Ripley?",
            "MATCH (p:Person)-[r:ACTED_IN]->(f:Film) WHERE r.role CONTAINS 'Ripley' RETURN avg(f.year)",
            "T:Film V:<Person-ACTED_IN-Film E:Person-ACTED_IN-Film.role HAS S:0 UP UP RETURN AVG P:Film.year END",
        ),
        (
            "Which people have acted with the most directors?",
            "MATCH (p:Person)-[:ACTED_IN]->(:Film)<-[:DIRECTED]-(d:Person) RETURN p, count(DISTINCT d) AS n ORDER BY n DESC",
            "T:Person UP RETURN NODE TOP VALUES V:>Person-ACTED_IN-Film UP V:<Person-DIRECTED-Film UP END",
        ),
        (
            "Which films of the 1980s are there?",
            "MATCH (f:Film) WHERE f.year >= 1980 AND f.year < 1990 RETURN f",
            "T:Film P:Film.year EQ S:0 UP RETURN NODE END",
        ),
        (
            "Who acted in the newest film?",
            "MATCH (f:Film) WITH f ORDER BY f.year DESC LIMIT 1 MATCH (p:Person)-[:ACTED_IN]->(f) RETURN p.name",
            "T:Person V:>Person-ACTED_IN-Film TOP P:Film.year UP UP RETURN NODE END",
        ),
        (
            "List people with the number of films",
            "MATCH (p:Person) RETURN p, COUNT { (p)-[:ACTED_IN]->(:Film) }",
            "T:Person UP RETURN NODE CNT V:>Person-ACTED_IN-Film UP END",
        ),
    ],
)
def test_cypher_reads_as_the_normal_form(question: str, cypher: str, actions: str) -> None:
    assert actions_of(question, cypher) == actions


@pytest.mark.parametrize(
    "cypher",
    [
        "MATCH p = shortestPath((a:Person)-[*]-(b:Person)) RETURN p",
        "MATCH (a:Person) RETURN a UNION MATCH (a:Film) RETURN a",
        "MATCH (a:Person) WHERE a.name = 'Nobody in the question' RETURN a",
    ],
)
def test_what_the_normal_form_cannot_say_is_refused(cypher: str) -> None:
    with pytest.raises(Unread):
        actions_of("Who is it?", cypher)


def test_made_questions_follow_the_grammar_and_come_back_from_their_actions() -> None:
    random = Random(3)
    seen = set()
    for domain in made_up()[::6]:
        world = vary(domain, random)
        maker = Questions(world, random)
        for _ in range(50):
            made = maker.make()
            if made is None:
                continue
            for value in made.values:
                assert made.question[value.start : value.end].lower() == value.text.lower()
            grammar = Grammar(world.shape, {f"S:{i}": v.kind for i, v in enumerate(made.values)})
            state = State()
            for action in made.actions:
                assert action in grammar.allowed(state)
                state = grammar.advance(state, action)
            assert state.done
            reading = parsed(made.actions, world.shape)
            if reading is not None:
                assert written(canonical(reading, world.shape)) == list(made.actions)
                seen |= set(made.actions)
    assert {"NOT", "TOP", "CNT", "LIMIT", "COUNT", "AVG", "STAR", "OR"} <= seen


def test_values_of_questions_keep_their_places_and_unknown_names_stay_whole() -> None:
    question = "Did Ada Lovelace's friend 'Tom's diner' pay $10 million for frobnicator-utils after March 2019, twice?"
    values = link(question, KNOWN)
    assert [(v.text, v.kind, v.number) for v in values] == [
        ("Ada Lovelace", "name", None),
        ("Tom's diner", "quoted", None),
        ("$10 million", "number", 10_000_000),
        ("frobnicator-utils", "name", None),
        ("2019-03", "date", None),
        ("twice", "number", 2),
    ]
    assert values[0].owners == ("P:Person.name",)
    assert values[3].owners == ()
    assert link("What is it?", NOTHING) == []
    told = link("In 2021: which of BE-2021-07 took over 5,000: at 10:30, on 2019-03-05?", NOTHING)
    assert [(v.text, v.kind) for v in told] == [
        ("2021", "number"),
        ("BE-2021-07", "name"),
        ("5,000", "number"),
        ("2019-03-05", "date"),
    ]


def test_a_hop_that_nothing_names_is_a_condition_and_repeats_no_row() -> None:
    values = link("Who directed Alien?", KNOWN)
    reading = parsed(
        "T:Person V:>Person-DIRECTED-Film P:Film.title EQ S:0 UP UP RETURN NODE END".split(), FILMS
    )
    assert reading is not None
    same = parse_query(
        "MATCH (V0:Person) WHERE EXISTS { MATCH (V0)-[eV1:DIRECTED]->(V1:Film) WHERE V1.title = 'Alien' } RETURN DISTINCT V0 AS person"
    )
    query = query_of(reading, FILMS, values)
    assert query.parts[0].clauses[-1] == same.parts[0].clauses[-1]


@pytest.mark.parametrize(
    ("question", "actions", "where"),
    [
        ("Films of the 1980s", "P:Film.year EQ S:0", "V0.year >= 1980 AND V0.year < 1990"),
        ("Films before the '80s", "P:Film.year LT S:0", "V0.year < 1980"),
        ("Films after the 1980s", "P:Film.year GT S:0", "V0.year >= 1990"),
        ("Films with 'AL' in the title", "P:Film.title HAS S:0", "tolower(V0.title) CONTAINS 'al'"),
    ],
)
def test_conditions_mean_what_they_say(question: str, actions: str, where: str) -> None:
    reading = parsed(f"T:Film {actions} UP RETURN NODE END".split(), FILMS)
    assert reading is not None
    query = query_of(reading, FILMS, link(question, KNOWN))
    assert query == parse_query(f"MATCH (V0:Film) WHERE {where} RETURN DISTINCT V0 AS film")


@pytest.mark.parametrize(
    ("cypher", "names"),
    [
        ("MATCH (f:Film) RETURN f.year, count(f)", ["year", "number of films"]),
        ("MATCH (f:Film) RETURN avg(f.year)", ["average year"]),
        ("MATCH (f:Film) RETURN f.title, f.year", ["film", "year"]),
        ("MATCH (p:Person)-[r:ACTED_IN]->(f:Film) RETURN p, f, f.year", ["person", "film", "year"]),
        (
            "MATCH (p:Person)-[:ACTED_IN]->(q:Film)<-[:DIRECTED]-(d:Person) RETURN p, d",
            ["person", "person 2"],
        ),
        ("MATCH (p:Person) RETURN p, COUNT { (p)-[:ACTED_IN]->(:Film) }", ["person", "number of films"]),
        ("MATCH (p:Person)-[:ACTED_IN]->(f:Film) RETURN p, min(f.year)", ["person", "lowest year"]),
        (
            "MATCH (p:Person)-[:ACTED_IN]->(:Film)<-[:DIRECTED]-(d:Person) RETURN p, count(DISTINCT d)",
            ["person", "number of different people"],
        ),
    ],
)
def test_columns_are_called_by_what_is_in_them(cypher: str, names: list[str]) -> None:
    query = query_of(reading_of(parse_query(cypher), FILMS, []), FILMS, [])
    told = query.parts[0].clauses[-1]
    assert isinstance(told, Return)
    assert [column.name for column in told.projection.columns] == names
    assert parse_query(show(query_call(query), "cypher")) == query


def test_rows_are_told_by_their_first_column_or_with_all_names() -> None:
    rows: JSON = [
        {"department": "Sales", "average salary": 150.5},
        {"department": None, "average salary": 20},
    ]
    assert value_in_words(rows) == "Sales: 150.5 and Not known: 20"
    row: JSON = {"film": "Alien", "year": 1979, "number of persons": 3}
    assert value_in_words([row]) == "(film: Alien, year: 1979, number of persons: 3)"


def test_nodes_two_hops_off_are_counted_once() -> None:
    actions = "T:Person UP RETURN NODE TOP VALUES V:>Person-ACTED_IN-Film UP V:<Person-DIRECTED-Film UP LIMIT N1 END".split()
    reading = parsed(actions, FILMS)
    assert reading is not None and written(canonical(reading, FILMS)) == actions
    same = parse_query(
        "MATCH (V0:Person) MATCH (V0)-[ex1:ACTED_IN]->(x1:Film), (x1)<-[ex2:DIRECTED]-(x2:Person) "
        "WITH V0, count(DISTINCT x2) AS x3 WITH *, x3 AS best WHERE best IS NOT NULL "
        "WITH collect([V0, best]) AS rows, max(best) AS most UNWIND rows AS row WITH * WHERE row[1] = most "
        "WITH row[0] AS V0 RETURN DISTINCT V0 AS person"
    )
    assert query_of(reading, FILMS, []) == same


@pytest.mark.parametrize(
    ("actions", "told"),
    [
        ("T:Film UP RETURN NODE TOP P:Film.year LIMIT N1 END", [["Alien"], ["Blade"]]),
        ("T:Film UP RETURN NODE P:Film.year BOTTOM P:Film.year LIMIT N1 END", [["Heat", 1980]]),
        ("T:Film UP RETURN NODE TOP CNT V:<Person-ACTED_IN-Film UP LIMIT N1 END", [["Alien"], ["Heat"]]),
        (
            "T:Person V:>Person-ACTED_IN-Film TOP P:Film.year UP UP RETURN NODE V1 END",
            [["Ada", "Alien"], ["Bob", "Alien"], ["Cem", "Blade"]],
        ),
        (  # who acted with one of those who acted most
            "T:Person V:>Person-ACTED_IN-Film V:<Person-ACTED_IN-Film TOP CNT V:>Person-ACTED_IN-Film UP UP UP UP "
            "RETURN NODE END",
            [["Ada"], ["Bob"]],
        ),
        (  # who acted with Ada: not she herself
            "T:Person V:>Person-ACTED_IN-Film V:<Person-ACTED_IN-Film P:Person.name EQ S:0 UP UP UP RETURN NODE END",
            [["Bob"]],
        ),
        (
            "T:Film VALUES V:<Person-ACTED_IN-Film UP V:>Person-ACTED_IN-Film UP GT N0 UP RETURN NODE END",
            [["Alien"], ["Heat"]],
        ),
        ("T:Person MAX V:>Person-ACTED_IN-Film UP P:Film.year GE N2 UP RETURN COUNT END", [[3]]),
        ("T:Film UP RETURN P:Film.year COUNT TOP COUNT LIMIT N1 END", [[1999]]),
        ("T:Film UP RETURN P:Film.year COUNT BOTTOM COUNT END", [[1980, 1], [1999, 2]]),
        ("T:Film UP RETURN P:Film.year CNT V:<Person-ACTED_IN-Film UP END", [[1980, 2], [1999, 3]]),
        (  # the year with the fewest actors of all its films, and the years of the films with the fewest
            "T:Film UP RETURN P:Film.year CNT V:<Person-ACTED_IN-Film UP BOTTOM CNT V:<Person-ACTED_IN-Film UP LIMIT N1 END",
            [[1980]],
        ),
        ("T:Film UP RETURN P:Film.year BOTTOM CNT V:<Person-ACTED_IN-Film UP LIMIT N1 END", [[1999]]),
        (  # the earliest of the other films of a film's actors
            "T:Film UP RETURN NODE MIN V:<Person-ACTED_IN-Film UP V:>Person-ACTED_IN-Film UP P:Film.year END",
            [["Alien", 1980], ["Heat", 1999]],
        ),
    ],
)
def test_readings_give_what_they_mean(actions: str, told: list[list[object]]) -> None:
    film = pa.table(
        {"id": ["f0", "f1", "f2"], "title": ["Alien", "Blade", "Heat"], "year": [1999, 1999, 1980]}
    )
    person = pa.table({"id": ["p0", "p1", "p2"], "name": ["Ada", "Bob", "Cem"]})
    acted = EdgeTable("ACTED_IN", "Person", "Film", np.array([0, 1, 2, 0, 1]), np.array([0, 0, 1, 2, 2]))
    graph = build([NodeTable("Film", film, "title"), NodeTable("Person", person, "name")], [acted])
    reading = parsed(actions.split(), FILMS)
    assert reading is not None
    query = query_of(reading, FILMS, link("With 'Ada'", KNOWN))
    assert sorted(map(list, run(query, frame(graph)).records())) == told


@pytest.mark.parametrize(
    "actions",
    [
        "T:Film UP RETURN COUNT TOP COUNT LIMIT N1 END",  # of what
        "T:Film UP RETURN NODE TOP COUNT LIMIT N1 END",  # a film is one film
        "T:Film UP RETURN P:Film.title COUNT TOP P:Film.year LIMIT N1 END",  # a group has no year
        "T:Film UP RETURN P:Film.year COUNT CNT V:<Person-ACTED_IN-Film UP END",
    ],
)
def test_groups_that_mean_nothing_are_no_query(actions: str) -> None:
    reading = parsed(actions.split(), FILMS)
    assert reading is not None
    with pytest.raises(Unsaid):
        query_of(reading, FILMS, [])


@pytest.mark.parametrize(
    ("cypher", "actions"),
    [
        (
            "MATCH (f:Film) RETURN f.year, count(f) AS n ORDER BY n DESC LIMIT 1",
            "T:Film UP RETURN P:Film.year COUNT TOP COUNT LIMIT N1 END",
        ),
        (
            "MATCH (p:Person)-[:ACTED_IN]->(f:Film) RETURN f.year ORDER BY count(p) DESC LIMIT 1",
            "T:Film UP RETURN P:Film.year CNT V:<Person-ACTED_IN-Film UP TOP CNT V:<Person-ACTED_IN-Film UP LIMIT N1 END",
        ),
        (
            "MATCH (p:Person)-[:ACTED_IN]->(f:Film) WITH f, count(p) AS n ORDER BY n DESC LIMIT 1 RETURN f.year",
            "T:Film UP RETURN P:Film.year TOP CNT V:<Person-ACTED_IN-Film UP LIMIT N1 END",
        ),
        (
            "MATCH (p:Person)-[:ACTED_IN]->(f:Film) WITH f, count(p) AS n RETURN f.year, n",
            "T:Film UP RETURN NODE P:Film.year CNT V:<Person-ACTED_IN-Film UP END",
        ),
        (
            "MATCH (p:Person)-[:ACTED_IN]->(:Film)<-[:DIRECTED]-(d:Person) RETURN p, count(DISTINCT d)",
            "T:Person UP RETURN NODE VALUES V:>Person-ACTED_IN-Film UP V:<Person-DIRECTED-Film UP END",
        ),
        (  # unnamed nodes inside and outside are different ones
            "MATCH (p:Person)-[:DIRECTED]->(:Film) WHERE NOT EXISTS { MATCH (p)-[:ACTED_IN]->(:Film {title: 'Alien'}) } RETURN p",
            "T:Person V:>Person-DIRECTED-Film UP NOT V:>Person-ACTED_IN-Film P:Film.title EQ S:0 UP UP RETURN NODE END",
        ),
        (
            "MATCH (p:Person)-[:DIRECTED]->(f:Film), (o:Film {title: 'Alien'}) WHERE f.year > o.year RETURN p",
            "T:Person V:>Person-DIRECTED-Film P:Film.year GT THAN S:0 UP UP RETURN NODE END",
        ),
    ],
)
def test_groups_and_what_is_compared_with_are_read(cypher: str, actions: str) -> None:
    assert actions_of("Of Alien?", cypher) == actions


@pytest.mark.parametrize(
    ("question", "actions", "told"),
    [
        (
            "Which is the second latest film?",
            "T:Film TOP P:Film.year LIMIT S:0 UP RETURN NODE END",
            ["b", "c"],
        ),
        (
            "Which film is the third most recent?",
            "T:Film UP RETURN NODE TOP P:Film.year LIMIT S:0 END",
            ["d"],
        ),
        ("The 9th best film?", "T:Film UP RETURN NODE TOP P:Film.year LIMIT S:0 END", []),
    ],
)
def test_a_place_is_one_place_and_equals_share_it(question: str, actions: str, told: list[str]) -> None:
    films = pa.table({"id": list("abcde"), "title": list("abcde"), "year": [2003, 2002, 2002, 2001, None]})
    graph = build([NodeTable("Film", films, "title")], [])
    values = link(question, NOTHING)
    assert values[0].ordinal
    reading = parsed(actions.split(), FILMS)
    assert reading is not None and not unused_operators(question, reading, FILMS, values)
    assert sorted(row[0] for row in run(query_of(reading, FILMS, values), frame(graph)).records()) == told


def test_what_is_false_where_there_is_no_value_is_read_as_the_condition() -> None:
    plain, sure = ("f.year = 1990", "coalesce(f.year = 1990, false)")
    told = {
        actions_of("Films not from 1990?", f"MATCH (f:Film) WHERE NOT {c} RETURN f") for c in (plain, sure)
    }
    assert told == {"T:Film P:Film.year NE S:0 UP RETURN NODE END"}


def test_a_place_that_nothing_uses_is_lost_and_seconds_are_no_place() -> None:
    question = "Which is the second latest film?"
    reading = parsed("T:Film UP RETURN NODE END".split(), FILMS)
    assert reading is not None
    assert "second" in unused_operators(question, reading, FILMS, link(question, NOTHING))
    assert not any(v.ordinal for v in link("Which took more than a second, and who was second?", NOTHING))


@pytest.mark.parametrize(
    ("actions", "lost"),
    [
        ("T:Film P:Film.title EQ S:0 NOT P:Film.title EQ S:1 UP RETURN NODE END", ["nor"]),
        ("T:Film NOT P:Film.title EQ S:0 NOT P:Film.title EQ S:1 UP RETURN NODE END", []),
        ("T:Film NOT P:Film.title EQ S:0 ALSO S:1 UP RETURN NODE END", []),
    ],
)
def test_each_negation_denies_a_condition_of_its_own(actions: str, lost: list[str]) -> None:
    question = "Which films are neither 'Alien' nor 'Big'?"
    reading = parsed(actions.split(), FILMS)
    assert reading is not None
    assert unused_operators(question, reading, FILMS, link(question, KNOWN)) == lost


@pytest.mark.parametrize(
    ("question", "actions", "lost"),
    [
        ("Which films are from 1990 or later?", "T:Film P:Film.year GE S:0 UP RETURN NODE END", []),
        ("Which films are from 1990 or later?", "T:Film P:Film.year EQ S:0 UP RETURN NODE END", ["or later"]),
        ("Which films are of at least 1990?", "T:Film P:Film.year EQ S:0 UP RETURN NODE END", ["at least"]),
        ("Who directed at least one film?", "T:Person V:>Person-DIRECTED-Film UP UP RETURN NODE END", []),
        ("Who directed at least two films?", "T:Person V:>Person-DIRECTED-Film UP UP RETURN NODE END", ["at least"]),
        ("What is the number of the year of Alien?", "T:Film P:Film.title EQ S:0 UP RETURN NODE P:Film.year END", []),
        ("What is the number of films like Alien?", "T:Film P:Film.title EQ S:0 UP RETURN NODE P:Film.year END", ["number of"]),
        ("What is the average year per film?", "T:Film UP RETURN AVG P:Film.year END", []),
        ("What is the average year per genre?", "T:Film UP RETURN AVG P:Film.year END", ["per"]),
        ("What is the total of the years per film?", "T:Film UP RETURN SUM P:Film.year END", ["per"]),
        ("Who acted in plays about Alien?", "T:Person V:>Person-ACTED_IN-Film P:Film.title EQ S:0 UP UP RETURN NODE END", []),
        ("Who acted in Alien, about time?", "T:Person V:>Person-ACTED_IN-Film P:Film.title EQ S:0 UP UP RETURN NODE END", ["about"]),
    ],
)  # fmt: skip
def test_a_word_of_the_list_counts_once_and_not_where_an_item_says_it(
    question: str, actions: str, lost: list[str]
) -> None:
    reading = parsed(actions.split(), FILMS)
    assert reading is not None
    assert unused_operators(question, reading, FILMS, link(question, KNOWN)) == lost


@pytest.mark.parametrize(
    ("cypher", "view"),
    [
        ("MATCH (d:Drug {name: 'Zinc'})-[:CAUSES]-(e:Effect) RETURN e", "T:Effect V:<Drug-CAUSES-Effect"),
        ("MATCH (d:Drug)-[:CAUSES]->(:Effect {name: 'Rash'}) RETURN d", "T:Drug V:>Drug-CAUSES-Effect"),
        ("MATCH (d:Drug {name: 'Zinc'})-[:LIKE]-(o:Drug) RETURN o", "T:Drug V:>Drug-LIKE-Drug"),
    ],
)
def test_an_undirected_link_is_gone_from_both_its_types(cypher: str, view: str) -> None:
    names = (Held("Drug", "name", "text", naming=True), Held("Effect", "name", "text", naming=True))
    links = (Link("CAUSES", "Drug", "Effect", undirected=True), Link("LIKE", "Drug", "Drug", undirected=True))
    shape = Shape(("Drug", "Effect"), links, names)
    values = link("Zinc and Rash", table_look_up({n.lower(): {f"P:{t}.name": [n]} for t, n in NAMED}))
    reading = reading_of(parse_query(cypher), shape, values)
    actions = written(reading)
    assert " ".join(actions).startswith(view)
    assert written(canonical(parsed(actions, shape), shape)) == actions
    grammar = Grammar(shape, {f"S:{i}": v.kind for i, v in enumerate(values)})
    state = State()
    for action in actions:
        state = grammar.advance(state, action)
    assert state.done
    again = reading_of(query_of(reading, shape, values), shape, values)
    assert written(again) == actions


@pytest.mark.parametrize(
    "actions",
    [
        "T:Film UP RETURN NODE TOP P:Film.year LIMIT N1 END",
        "T:Person V:>Person-ACTED_IN-Film BOTTOM P:Film.year UP UP RETURN NODE END",
        "T:Film UP RETURN NODE TOP CNT V:<Person-ACTED_IN-Film UP LIMIT N1 END",
    ],
)
def test_the_best_of_a_query_that_keeps_all_of_them_reads_back(actions: str) -> None:
    """Calls keep all that share the best place, as people never write it in Cypher."""
    reading = canonical(parsed(actions.split(), FILMS), FILMS)
    assert " ".join(written(reading_of(query_of(reading, FILMS, ()), FILMS, ()))) == actions


@pytest.mark.parametrize(
    ("actions", "meant"),
    [
        ("T:Person V:>Person-ACTED_IN-Film V:<Person-ACTED_IN-Film REF V0 UP UP RETURN NODE END", False),
        ("T:Person V:>Person-DIRECTED-Film V:<Person-ACTED_IN-Film REF V0 UP UP RETURN NODE END", True),
        (  # directed somebody with whom they acted
            "T:Person V:>Person-DIRECTED-Film V:<Person-ACTED_IN-Film V:>Person-ACTED_IN-Film "
            "V:<Person-ACTED_IN-Film REF V0 UP UP UP UP RETURN NODE END",
            True,
        ),
    ],
)
def test_nobody_means_that_all_act_in_what_they_act_in(actions: str, meant: bool) -> None:
    reading = parsed(actions.split(), FILMS)
    assert reading is not None
    assert senseless(reading, FILMS) != meant


@pytest.mark.parametrize(("kind", "both"), [("text", False), ("list", True)])
def test_only_a_list_has_two_values(kind: str, both: bool) -> None:
    shape = Shape(("Book",), (), (Held("Book", "genre", kind),))
    tests = [PropertyTest("P:Book.genre", "EQ", (Span(i),)) for i in (0, 1)]
    assert contradicts(tests, shape) != both


def test_either_of_two_ends_of_one_hop_is_one_condition() -> None:
    named = {name.lower(): {"P:Person.name": [name]} for name in ("Ada Lovelace", "Grace")}
    values = link("Ada Lovelace or Grace", table_look_up(named))
    ends = "MATCH (f:Film)<-[:DIRECTED]-(:Person {name: '%s'})"
    cypher = (
        f"MATCH (f:Film) WHERE EXISTS {{ {ends % 'Ada Lovelace'} }} OR EXISTS {{ {ends % 'Grace'} }} RETURN f"
    )
    assert " ".join(written(reading_of(parse_query(cypher), FILMS, values))) == (
        "T:Film V:<Person-DIRECTED-Film P:Person.name EQ S:0 ALSO S:1 UP UP RETURN NODE END"
    )


def test_names_of_schemas_are_spoken() -> None:
    assert [spoken(n) for n in ("nbrEmployees", "HAS_CEO", "releaseDate2", "URLText")] == [
        "nbr employees",
        "has ceo",
        "release date 2",
        "url text",
    ]


def test_numpy_and_torch_run_the_same_network() -> None:
    torch = pytest.importorskip("torch")
    from graphtalk.language.wordpiece import wordpiece
    from graphtalk.reasoners.reader.encoding import encode_items, encode_question, encode_target
    from graphtalk.reasoners.reader.network import Network
    from graphtalk.training.reader.network import ReaderNetwork, batched

    torch.manual_seed(0)
    network = ReaderNetwork().eval()
    with torch.no_grad():
        network.likeness.normal_(std=0.5)
        network.pairs.weight.normal_(std=0.5)
        network.marks.weight.normal_(std=0.5)
        network.similar.normal_(std=0.5)
    tokenizer = wordpiece()
    items = encode_items(FILMS, tokenizer)
    values = link("Who directed Alien?", KNOWN)
    asked = encode_question(
        "Who directed Alien?", [(v.start, v.end, v.kind, v.owners) for v in values], items, tokenizer
    )
    actions = "T:Person V:>Person-DIRECTED-Film P:Film.title EQ S:0 UP UP RETURN NODE END".split()
    target = encode_target(actions, asked, Grammar(FILMS, {f"S:{i}": v.kind for i, v in enumerate(values)}))
    with torch.no_grad():
        scores = network(batched([asked, asked], [target, target]))[0].numpy()
    weights = {n: w.detach().numpy() for n, w in network.state_dict().items()}
    words = weights.pop("words.weight")
    ours = Network(
        {**weights, "words.weight|q": words, "words.weight|s": np.ones((len(words), 1), np.float32)}
    )
    memory = ours.memory(asked, ours.items(items))
    cache = ours.begin()
    for at in range(len(actions)):
        step, cache = ours.step(
            memory, cache, at, target.last[at : at + 1], target.rule[at : at + 1], target.where[at : at + 1]
        )
        np.testing.assert_allclose(step[0], scores[at], atol=2e-3)


def test_numpy_and_torch_rank_alike() -> None:
    torch = pytest.importorskip("torch")

    from graphtalk.reasoners.reader.network import Network
    from graphtalk.training.reader.ranking import Choice, Ranker, loss, tokens

    torch.manual_seed(0)
    ranker = Ranker().eval()
    choice = Choice("Who directed Alien?", (("person -directed-> film", True), ("film", False)))
    tokenizer = load_reader().tokenizer
    ids, mask = tokens([choice], tokenizer)
    with torch.no_grad():
        scores = ranker(ids, mask)
    state = {n: w.detach().numpy() for n, w in ranker.state_dict().items()}
    words = state.pop("words.weight")
    ours = Network(
        {
            "words.weight|q": words,
            "words.weight|s": np.ones((len(words), 1), np.float32),
            **{n: state[n] for n in state if n.startswith(("places", "word_norm"))},
            **{n.replace("encoder", "ranker"): w for n, w in state.items() if n.startswith("encoder")},
            **{f"ranked.{n}": w for n, w in state.items() if n.startswith(("wide", "score"))},
        }
    )
    pairs = [tokenizer.ids(choice.question, told) for told, _ in choice.readings]
    np.testing.assert_allclose([ours.rank(pair) for pair in pairs], scores, atol=2e-3)
    best, first, asked = loss(torch.tensor([3.0, -3.0]), [choice])
    assert float(best) < float(loss(torch.tensor([-3.0, 3.0]), [choice])[0]) and (first, asked) == (1, 1)


def test_the_wrong_way_round_fits_worse_as_it_is_told() -> None:
    reader = load_reader().of(FILMS, KNOWN)
    asked = "Which persons directed the film 'Alien'?"
    right = "person -directed-> film whose title is “Alien”"
    wrong = "film <-acted in- person whose name is “Alien”"
    assert reader.rank(asked, right) > reader.rank(asked, wrong)
