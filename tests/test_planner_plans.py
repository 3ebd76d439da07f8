"""Plans and the calls they are written as: every operation exactly, and all of them pass the checker."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphtalk.calls import parse, show
from graphtalk.core import CallError, Question
from graphtalk.graphs import Graph, View
from graphtalk.language.english import tokenize
from graphtalk.reasoners.planner.analysis import Analysis
from graphtalk.reasoners.planner.chains import MOST_CHAINS, MOST_HOPS, ChainSpace
from graphtalk.reasoners.planner.cues import Comparison
from graphtalk.reasoners.planner.lexis import Lexis, Match
from graphtalk.reasoners.planner.linking import Anchor
from graphtalk.reasoners.planner.plans import Chain, Condition, Plan, is_way_back
from graphtalk.reasoners.planner.reading import plan_in_words
from graphtalk.reasoners.planner.scoring import Scorer, ways_from
from graphtalk.search.embedder import load_embedder
from graphtalk.tools.checker import check
from graphtalk.tools.executor import Executor
from graphtalk.tools.registry import Registry
from planner_graphs import countries, library, make, offline, planner


def view(graph: Graph, node_type: str, name: str) -> View:
    return graph.schema.view(node_type, name)[0]


def chain(graph: Graph, name: str, *names: str) -> Chain:
    """A chain from the node of this label along views of these names; from a whole type where none is called so."""
    nodes = [n for n in range(graph.num_nodes) if graph.label(n) == name]
    node_type = graph.node_type(nodes[0]).name if nodes else name
    hops: list[View] = []
    for step in names:
        hops.append(view(graph, hops[-1].target if hops else node_type, step))
    anchor = Anchor(0, len(name), tuple(nodes[:1]), 2.0, name) if nodes else None
    return Chain(node_type, anchor, nodes[0] if nodes else None, tuple(hops))


def written(plan: Plan, graph: Graph) -> str:
    return show(plan.call(graph), "graph-cot", registry(graph).vocabulary)


def registry(graph: Graph) -> Registry:
    return Executor(graph).registry


DEEP = 'RetrieveNode["Deep Water", "paper"]'
ADA = 'RetrieveNode["Ada Byron", "author"]'
WEBER = 'RetrieveNode["Max Weber", "author"]'


def plans(g: Graph) -> dict[str, tuple[Plan, str]]:
    """Each operation on the library, with the call it is written as."""
    authors, by_ada = chain(g, "Deep Water", "author"), chain(g, "Ada Byron", "paper")
    by_weber, coauthors = chain(g, "Max Weber", "paper"), chain(g, "Ada Byron", "paper", "author")
    ada, weber = chain(g, "Ada Byron"), chain(g, "Max Weber")
    papers, all_authors = chain(g, "paper"), chain(g, "paper", "author")
    venue = view(g, "paper", "venue")
    ada_papers = f'NeighbourCheck[{ADA}, "paper"]'
    return {
        "list": (Plan("list", (authors,)), f'Distinct[NeighbourCheck[{DEEP}, "author"]]'),
        "list of a type": (Plan("list", (papers,)), 'Nodes["paper"]'),
        "way back": (
            Plan("list", (coauthors,)),
            f'Distinct[Difference[Distinct[NeighbourCheck[Distinct[{ada_papers}], "author"]], {ADA}]]',
        ),
        "count": (Plan("count", (authors,)), f'Count[Distinct[NeighbourCheck[{DEEP}, "author"]]]'),
        "and": (
            Plan("list", (by_ada, by_weber)),
            f'Intersect[{ada_papers}, NeighbourCheck[{WEBER}, "paper"]]',
        ),
        "or": (
            Plan("list", (by_ada, by_weber), joined="or"),
            f'Union[{ada_papers}, NeighbourCheck[{WEBER}, "paper"]]',
        ),
        "not": (
            Plan("list", (by_ada, by_weber), joined="not"),
            f'Distinct[Difference[{ada_papers}, NeighbourCheck[{WEBER}, "paper"]]]',
        ),
        "then": (
            Plan("list", (by_ada,), then=(venue,)),
            f'Distinct[NeighbourCheck[Distinct[{ada_papers}], "venue"]]',
        ),
        "after": (
            Plan("largest", (by_ada,), feature="year", after=(venue,)),
            f'NeighbourCheck[Top[{ada_papers}, "year"], "venue"]',
        ),
        "condition": (
            Plan("list", (by_ada,), conditions=(Condition("language", "=", "English"), Condition("year", ">", 2000.0))),
            f'Filter[Filter[Distinct[{ada_papers}], "language", "=", "English"], "year", ">", 2000]',
        ),
        "flag": (
            Plan("list", (papers,), conditions=(Condition("retracted", "=", True),)),
            'Filter[Nodes["paper"], "retracted", "=", true]',
        ),
        "most": (Plan("most", (all_authors,)), 'MostFrequent[NeighbourCheck[Nodes["paper"], "author"]]'),
        "three most": (
            Plan("most", (all_authors,), many=3),
            'MostFrequent[NeighbourCheck[Nodes["paper"], "author"], 3]',
        ),
        "most on the way back": (
            Plan("most", (coauthors,)),
            f'MostFrequent[Difference[NeighbourCheck[Distinct[{ada_papers}], "author"], {ADA}]]',
        ),
        "feature": (
            Plan("feature", (chain(g, "Deep Water"),), feature="year"),
            f'NodeFeature[{DEEP}, "year"]',
        ),
        "average": (Plan("average", (by_ada,), feature="pages"), f'Average[NodeFeature[{ada_papers}, "pages"]]'),
        "total": (Plan("total", (by_ada,), feature="pages"), f'Sum[NodeFeature[{ada_papers}, "pages"]]'),
        "most common value": (
            Plan("most common value", (papers,), feature="language", many=2),
            'MostFrequent[NodeFeature[Nodes["paper"], "language"], 2]',
        ),
        "largest": (Plan("largest", (papers,), feature="year", many=2), 'Top[Nodes["paper"], "year", 2]'),
        "smallest": (Plan("smallest", (by_ada,), feature="year"), f'Bottom[{ada_papers}, "year"]'),
        "most neighbours": (Plan("most neighbours", (all_authors,)), 'TopDegree[Nodes["paper"], "author"]'),
        "fewest neighbours": (
            Plan("fewest neighbours", (by_ada,), then=(venue,), many=2),
            f'BottomDegree[{ada_papers}, "venue", 2]',
        ),
        "average degree": (
            Plan("average degree", (all_authors,)),
            'Average[NodeDegree[Nodes["paper"], "author"]]',
        ),
        "frequent": (
            Plan("frequent", (coauthors,), number=Comparison(">=", 2.0)),
            f'Frequent[Difference[NeighbourCheck[Distinct[{ada_papers}], "author"], {ADA}], ">=", 2]',
        ),
        "by degree": (
            Plan("by degree", (all_authors,), number=Comparison("=", 1.5)),
            'FilterDegree[Nodes["paper"], "author", "=", 1.5]',
        ),
        "larger": (
            Plan("larger", (chain(g, "Deep Water"),), feature="year", target=chain(g, "Made")),
            f'Top[Union[{DEEP}, RetrieveNode["Made", "paper"]], "year"]',
        ),
        "is smaller": (
            Plan("is smaller", (chain(g, "Deep Water"),), feature="year", target=chain(g, "Made")),
            f'Contains[Bottom[Union[{DEEP}, RetrieveNode["Made", "paper"]], "year"], {DEEP}]',
        ),
        "same": (Plan("same", (by_ada,)), f'ShareNeighbours[{ADA}, "paper"]'),
        "exactly the same": (Plan("same", (by_ada,), exactly=True), f'SameNeighbours[{ADA}, "paper"]'),
        "count same": (Plan("count same", (by_ada,)), f'Count[ShareNeighbours[{ADA}, "paper"]]'),
        "contains": (Plan("contains", (by_ada,), target=chain(g, "Made")), f'Contains[{ada_papers}, RetrieveNode["Made", "paper"]]'),
        "holds": (
            Plan("holds", (chain(g, "Deep Water"),), conditions=(Condition("language", "=", "English"),)),
            f'Contains[Filter[{DEEP}, "language", "=", "English"], {DEEP}]',
        ),
        "same value": (
            Plan("same value", (by_ada, by_weber)),
            f'Contains[{ada_papers}, NeighbourCheck[{WEBER}, "paper"]]',
        ),
        "connected": (Plan("connected", (coauthors,), target=weber), f"Connected[{ADA}, {WEBER}, 2]"),
        "path": (Plan("path", (ada,), target=weber), f"Path[{ADA}, {WEBER}]"),
        "distance": (Plan("distance", (ada,), target=weber), f"PathLength[{ADA}, {WEBER}]"),
    }  # fmt: skip


@pytest.mark.parametrize("name", plans(library()))
def test_the_call_of_each_operation(name: str) -> None:
    plan, call = plans(library())[name]
    assert written(plan, library()) == call


@pytest.mark.parametrize("name", plans(library()))
def test_each_call_is_checked_run_and_read_again(name: str) -> None:
    graph = library()
    plan, text = plans(graph)[name]
    known = registry(graph)
    call = plan.call(graph)
    check(call, graph.schema, known)
    assert parse(text, known.vocabulary) == call
    offline(graph).executor.run(call)
    assert plan_in_words(plan)


def test_every_operation_is_written_above() -> None:
    named = {plan.operation for plan, _ in plans(library()).values()}
    assert named | {"smaller", "is larger"} >= {
        "list", "count", "most", "feature", "average", "total", "largest", "smallest", "most neighbours",
        "fewest neighbours", "average degree", "most common value", "larger", "is smaller", "contains", "holds",
        "same value", "frequent", "by degree", "connected", "same", "count same", "path", "distance",
    }  # fmt: skip


def test_namesakes_are_named_by_id_and_all_of_a_name_by_a_filter() -> None:
    graph = library()
    two = tuple(n for n in range(graph.num_nodes) if graph.label(n) == "Jo Park")
    anchor = Anchor(0, 7, two, 2.0, "Jo Park")
    one = Chain("author", anchor, two[1], (view(graph, "author", "paper"),))
    assert written(Plan("list", (one,)), graph) == 'Distinct[NeighbourCheck[author#a3, "paper"]]'
    every = replace(one, called="name")
    assert written(Plan("list", (every,)), graph) == (
        'Distinct[NeighbourCheck[Filter[Nodes["author"], "name", "=", "Jo Park"], "paper"]]'
    )


def test_plans_that_are_written_alike_have_one_key() -> None:
    for name, (plan, _) in plans(library()).items():
        assert plan.key() == replace(plan, score=3.0).key()
        for other, (rival, _) in plans(library()).items():
            assert (plan.key() == rival.key()) == (name == other), (name, other)


def test_what_is_a_way_back() -> None:
    graph = library()
    cites, cited = view(graph, "paper", "cites"), view(graph, "paper", "cited by")
    assert is_way_back(cites, cited)
    assert not is_way_back(cites, cites)
    borders = view(countries(), "country", "borders")
    assert is_way_back(borders, borders)


# chains


def space(graph: Graph) -> ChainSpace:
    return ChainSpace(graph.schema, Lexis(graph.schema))


def match(graph: Graph, question: str) -> Match:
    return Lexis(graph.schema).match(tokenize(question), load_embedder("static"))


def test_all_chains_of_a_schema_are_listed_once() -> None:
    graph = library()
    for start in ("paper", "author", "venue"):
        chains = space(graph).chains(start, match(graph, "papers"))
        assert len(np.unique(chains.hops, axis=0)) == len(chains.hops)
        by_length = np.bincount(chains.lengths).tolist()
        assert by_length == [0, *(walks(graph, start, hops) for hops in (1, 2, 3))]


def walks(graph: Graph, start: str, hops: int) -> int:
    """Walks over the schema, counted one by one."""
    if hops == 0:
        return 1
    return sum(walks(graph, v.target, hops - 1) for v in graph.schema.views if v.source == start)


def test_each_chain_hangs_together() -> None:
    graph = library()
    views = graph.schema.views
    for start in ("paper", "author", "venue"):
        for row in space(graph).chains(start, match(graph, "papers")).hops:
            hops = [views[i] for i in row if i >= 0]
            assert [start, *(v.target for v in hops)][:-1] == [v.source for v in hops]


def test_a_large_schema_is_chained_over_the_supported_views_only() -> None:
    nodes = {"id": ["a", "b"], "name": ["Ann", "Bob"]}
    names = [f"r{i}" for i in range(60)]
    graph = make({"person": nodes}, [("admires", "person", "person", [("a", "b")])] + [(n, "person", "person", []) for n in names])  # fmt: skip
    assert len(graph.schema.views) ** MOST_HOPS > MOST_CHAINS
    chains = space(graph).chains("person", match(graph, "Whom does Ann admire?"))
    assert len(chains.hops) <= 24 + 24**2 + 24**3
    admires = [i for i, v in enumerate(graph.schema.views) if v.name == "admires"]
    assert admires[0] in chains.hops[:, 0]


def test_a_type_without_relations_has_no_chains() -> None:
    graph = make({"thing": {"id": ["a"]}}, [])
    assert len(space(graph).chains("thing", match(graph, "things")).hops) == 0


def test_odd_edges_weigh_less() -> None:
    """Of 1,001 edges called "by" one leads from film to film."""
    films = {"id": ["f0", "f1"]}
    people = {"id": [f"p{i}" for i in range(1000)]}
    graph = make(
        {"film": films, "person": people},
        [
            ("by", "film", "person", [("f0", f"p{i}") for i in range(1000)]),
            ("by", "film", "film", [("f0", "f1")]),
        ],
    )
    usual, odd = graph.schema.view("film", "by")
    assert space(graph).prior_of(usual) == pytest.approx(0.0, abs=0.01)
    assert space(graph).prior_of(odd) == pytest.approx(-3.0, abs=0.01)


def test_shortest_ways_over_a_schema() -> None:
    graph = countries()
    way = ways_from("city", "continent", graph.schema.views)
    assert [v.name for v in way] == ["capital of", "continent"]
    assert ways_from("city", "moon", graph.schema.views) == ()


# any graph, any question


WORDS = [
    "paper",
    "author",
    "cites",
    "made by",
    "part of",
    "kind",
    "year",
    "name",
    "size",
    "Ann",
    "Bob",
    "Deep Water",
    "x",
]
QUESTIONS = [
    "Which {t} {r} {n}?", "How many {t} does {n} have?", "Is {n} {r} {m}?", "Which {t} has the most {u}?",
    "What is the largest {t}?", "Do {n} and {m} share the same {t}?", "{t} of {n} but not of {m}",
    "average {f} of the {t} of {n}", "How is {n} connected to {m}?", "Which {t} have more than 1 {u}?",
    "most common {f} of {t}", "either {n} or {m}", "Which {t} have exactly the same {u} as {n}?",
    "Which two {t} are the most common?", "Is {n} larger than {m}?", "{f} of {n}",
]  # fmt: skip


@st.composite
def typed_graphs(draw: st.DrawFn) -> Graph:
    """Up to three types with features of all kinds, and relations of any name between them, some of them undirected."""
    names = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3, unique=True))
    nodes = {}
    for position, name in enumerate(names):
        count = draw(st.integers(0, 4))
        labels = draw(
            st.lists(st.sampled_from([*WORDS, "", '"', "a]b", "\n"]), min_size=count, max_size=count)
        )
        numbers = draw(st.lists(st.one_of(st.none(), st.integers(-5, 5)), min_size=count, max_size=count))
        flags = draw(st.lists(st.sampled_from(["yes", "no", None]), min_size=count, max_size=count))
        nodes[name] = {
            "id": [f"{position}.{i}" for i in range(count)],
            "name": pa.array(labels, pa.string()),
            "size": pa.array(numbers, pa.int64()),
            "kind": pa.array(flags, pa.string()),
            "tags": pa.array([[label] for label in labels], pa.list_(pa.string())),
            "old": pa.array([n is not None and n > 0 for n in numbers], pa.bool_()),
        }
    relation = st.tuples(
        st.sampled_from(WORDS), st.sampled_from(names), st.sampled_from(names), st.booleans()
    )
    edges = []
    for name, source, target, undirected in draw(st.lists(relation, max_size=4, unique_by=lambda r: r[:3])):
        ends = [nodes[t]["id"] for t in (source, target)]
        pairs = draw(st.lists(st.tuples(*map(st.sampled_from, ends)), max_size=5)) if all(ends) else []
        edges.append((name, source, target, pairs, name if undirected and source == target else ""))
    return make(nodes, edges)


@given(typed_graphs(), st.data())
def test_every_plan_is_checked_and_runs(graph: Graph, data: st.DataObject) -> None:
    """Whatever is asked of whatever graph, what the planner offers is a call that is well typed and can be run."""
    word = st.sampled_from(WORDS)
    pattern = data.draw(st.sampled_from(QUESTIONS))
    question = pattern.format(**{slot: data.draw(word) for slot in "trnmuf"})
    executor = offline(graph).executor
    for ranked in planner(graph).plans(question):
        call = ranked.plan.call(graph)
        check(call, graph.schema, executor.registry)
        plan_in_words(ranked.plan)
        try:
            executor.run(call)
        except CallError:
            continue


@given(typed_graphs(), st.text(max_size=60))
def test_any_text_is_answered_or_declined(graph: Graph, text: str) -> None:
    last = list(offline(graph).run(Question(text)))[-1].answer
    assert last is not None
    assert last.answered == bool(last.calls)


class CountingScorer(Scorer):
    """Counts the plans that it scores."""

    scored = 0

    def score(self, plan: Plan, analysis: Analysis) -> Plan:
        self.scored += 1
        return super().score(plan, analysis)


def test_the_plans_around_three_names_are_few() -> None:
    """One type with nine relations, as WordNet has: 8,000 combinations of chains for each set of three names."""
    things = {"id": list("abcde"), "name": ["Alpha", "Beta", "Gamma", "Delta", "Other"]}
    names = ["part", "kind", "member", "topic", "region", "usage", "form", "verb", "likeness"]
    graph = make({"thing": things}, [(name, "thing", "thing", [("a", "b")]) for name in names])
    asked = planner(graph)
    scorer = CountingScorer(graph, asked.lexis, asked.scorer.space)
    asked.lister = replace(asked.lister, scorer=scorer)
    asked.plans("Go up from Alpha, Beta and Gamma to Delta: what do you reach?")
    assert 0 < scorer.scored < 5_000
