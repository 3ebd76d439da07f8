"""Generated questions: every gold answer against plain Python over the same graph, and what a generator owes."""

import json
import re
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import graphtalk as gt
from graphtalk.benchmarks.grbench.generate import Row, generate
from graphtalk.benchmarks.grbench.templates import parse_templates, read
from graphtalk.calls import parse
from graphtalk.graphs.read import read_graph
from graphtalk.tools.executor import Executor
from grbench_graphs import Plain, healthcare, most, names_in, small

SEED = 5
EACH = 8


def make(graph: gt.Graph, domain: str, seed: int = SEED, each: int = EACH):
    return generate(Executor(graph), graph, read(domain), each, seed)


def gold(row: Row) -> set[str] | str:
    return str(row["answer"]) if row["names"] is None else set(row["names"])


def number(row: Row) -> int:
    return int(str(row["template"]).rpartition("-")[2])


# What each template asks, in plain Python: (the graph, the names in the call, the row) → names or text.
Ask = Callable[[Plain, list[str], Row], object]


def _literal(row: Row, before: str) -> str:
    """The literal that follows `before` in the call."""
    return re.search(re.escape(before) + r', "?([^"\]]+)"?', str(row["call"]))[1]


def _listed(row: Row, place: int = 0) -> list[str]:
    """A list of names in the call."""
    found = re.findall(r"\[(\"(?:[^\"\\]|\\.)*\"(?:, \"(?:[^\"\\]|\\.)*\")+)\]", str(row["call"]))
    return list(json.loads(f"[{found[place]}]"))


def hops(g: Plain, first: str, last: str) -> str:
    """Steps from co-author to co-author, by breadth-first search."""
    seen, queue = {first}, deque([(first, 0)])
    while queue:
        author, steps = queue.popleft()
        if author == last:
            return str(steps)
        for other in g.near(g.near(author, "paper"), "author"):
            if other not in seen:
                seen.add(other)
                queue.append((other, steps + 1))
    raise AssertionError("not joined")


def academic(org: bool) -> dict[str, Ask]:
    def papers(g, author):
        return set(g.near(g.id(author, "author"), "paper"))

    def coauthors(g, author, kept):
        return [a for a in g.near(kept, "author") if a != g.id(author, "author")]

    def closest(g, names, row):
        return g.names(most(coauthors(g, names[0], papers(g, names[0]))))

    def in_year(g, names, row):
        year = int(_literal(row, '"year", "="'))
        kept = [p for p in papers(g, names[0]) if g.feature(p, "year") == year]
        return str(len(set(coauthors(g, names[0], kept))))

    def venue(g, names, row):
        return g.names(most(g.near(papers(g, names[0]) & papers(g, names[1]), "venue")))

    def cited(g, names, row):
        return g.names(max_all(papers(g, names[0]), key=lambda p: len(g.near(p, "cited_by"))))

    def interests(g, names, row):
        return most((k for p in papers(g, names[0]) for k in g.feature(p, "keywords")), 3)

    found: dict[str, Ask] = {
        "authors": lambda g, n, r: g.names(g.near(g.id(n[0], "paper"), "author")),
        "coauthors": lambda g, n, r: g.names(g.near(g.id(n[0], "paper"), "author")) - {n[1]},
        "both": lambda g, n, r: (
            g.names(g.near(g.id(n[0], "paper"), "author")) & g.names(g.near(g.id(n[1], "paper"), "author"))
        ),
        "closest": closest,
        "year": in_year,
        "together": lambda g, n, r: str(len(papers(g, n[0]) & papers(g, n[1]))),
        "cited": lambda g, n, r: str(len(g.near(g.id(n[0], "paper"), "cited_by"))),
        "most cited": cited,
        "written": lambda g, n, r: str(len(papers(g, n[0]))),
        "joint venue": venue,
        "know": lambda g, n, r: hops(g, g.id(n[0], "author"), g.id(n[1], "author")),
    }
    if org:
        found["organization"] = lambda g, n, r: g.feature(g.id(n[0], "author"), "organization")
        found["interests"] = interests
    else:
        found["recommend"] = lambda g, n, r: (
            set(_listed(r)) & g.names(g.near(g.id(n[0], "paper"), "reference"))
        )
    return found


def max_all(items, key):
    listed = list(items)
    best = max(map(key, listed))
    return [item for item in listed if key(item) == best]


def _item(g: Plain, n: list[str]) -> str:
    return g.id(n[0], "item")


def _sharing(relation: str) -> Ask:
    def ask(g, n, row):
        own = set(g.near(_item(g, n), relation))
        least = int(re.search(r'">", (\d+)', str(row["call"]))[1])
        others = [i for i in g.all("item") if len(own & set(g.near(i, relation))) > least]
        return g.names(i for i in others if i != _item(g, n))

    return ask


def _mean_price(relation: str) -> Ask:
    def ask(g, n, row):
        prices = [g.feature(i, "price") for i in g.near(_item(g, n), relation)]
        known = [price for price in prices if price not in (None, "")]
        return f"{sum(known) / len(known):.2f}".rstrip("0").rstrip(".")

    return ask


def _same_brand(g, n, row):
    item = _item(g, n)
    (category,) = g.feature(item, "category")
    same = [i for i in g.near(g.near(item, "brand"), "item") if category in g.feature(i, "category")]
    return g.names(i for i in same if i != item)


def _holding_all(g, n, row):
    own = set(g.near(_item(g, n), "bought_together_item"))
    return str(sum(own <= set(g.near(i, "bought_together_item")) for i in g.all("item") if i != _item(g, n)))


def _popular(relation: str) -> Ask:
    return lambda g, n, r: most(c for i in g.near(_item(g, n), relation) for c in g.feature(i, "category"))


def _next(kind: str, relation: str) -> Ask:
    def ask(g, n, row):
        candidates, history = _listed(row, 0), _listed(row, 1)
        return set(candidates) & g.names(g.near([g.id(h, kind) for h in history], relation))

    return ask


ECOMMERCE: dict[int, Ask] = {
    0: lambda g, n, r: g.names(g.near(_item(g, n), "brand")),
    2: lambda g, n, r: str(g.feature(_item(g, n), "price")),
    5: lambda g, n, r: str(len(g.near(_item(g, n), "buy_after_viewing_item"))),
    7: lambda g, n, r: str(len(g.near(g.id(n[0], "brand"), "item"))),
    8: _same_brand,
    9: _sharing("also_viewed_item"),
    10: _sharing("bought_together_item"),
    11: _holding_all,
    12: _mean_price("bought_together_item"),
    13: _mean_price("also_viewed_item"),
    14: _popular("bought_together_item"),
    16: _next("item", "also_bought_item"),
    18: lambda g, n, r: set(_listed(r)) & g.names(g.near(_item(g, n), "buy_after_viewing_item")),
    19: lambda g, n, r: set(_listed(r)) & g.names(g.near(_item(g, n), "bought_together_item")),
}


def _book(g: Plain, n: list[str]) -> str:
    return g.id(n[0], "book")


def _by_author(g: Plain, book: str) -> set[str]:
    return set(g.near(g.near(book, "author"), "book"))


def _earliest(g, n, row):
    dated = [b for b in _by_author(g, _book(g, n)) if g.feature(b, "publication_year")]
    first = min(int(g.feature(b, "publication_year")) for b in dated)
    return g.names(b for b in dated if int(g.feature(b, "publication_year")) == first)


def _most_of_genre(relation: str) -> Ask:
    def ask(g, n, row):
        genre = _literal(row, '"genres", "contains"')
        if n:
            assert g.feature(_book(g, n), "genres") == [genre]
        books = [b for b in g.all("book") if genre in (g.feature(b, "genres") or [])]
        return g.names(most(g.near(books, relation)))

    return ask


def _same_genre(g, n, row):
    (genre,) = g.feature(_book(g, n), "genres")
    found = [b for b in _by_author(g, _book(g, n)) if genre in (g.feature(b, "genres") or [])]
    return g.names(b for b in found if b != _book(g, n))


def _usual(feature: str) -> Ask:
    def ask(g, n, row):
        values = [g.feature(b, feature) for b in g.near(g.id(n[0], "author"), "book")]
        return most(v for value in values for v in (value if isinstance(value, list) else [value]) if v)

    return ask


LITERATURE: dict[int, Ask] = {
    3: lambda g, n, r: set(g.feature(_book(g, n), "genres")),
    6: lambda g, n, r: str(g.feature(_book(g, n), "num_pages")),
    9: lambda g, n, r: (
        g.names(_by_author(g, _book(g, n)) & set(g.near(g.near(_book(g, n), "publisher"), "book"))) - {n[0]}
    ),
    10: _same_genre,
    11: _earliest,
    12: lambda g, n, r: g.names(
        set(g.near(_by_author(g, _book(g, n)), "series")) - set(g.near(_book(g, n), "series"))
    ),
    17: lambda g, n, r: str(len(set(g.near(g.near(g.id(n[0], "publisher"), "book"), "author")))),
    18: _most_of_genre("author"),
    19: _usual("format"),
    20: _usual("genres"),
    21: _most_of_genre("publisher"),
    22: _usual("language_code"),
    23: _next("book", "similar_books"),
}


def _along(*relations: str) -> Callable[[Plain, str], list[str]]:
    def walk(g: Plain, start: str) -> list[str]:
        at = [start]
        for relation in relations:
            at = g.near(at, relation)
        return at

    return walk


_COURT_OF_OPINION = ("opinion_cluster", "docket", "court")


def _courts_of_case(g, n, row):
    case = _literal(row, '"case_name", "="')
    dockets = [d for d in g.all("docket") if g.feature(d, "case_name") == case]
    return str(len(set(g.near(dockets, "court"))))


def _opinions_of_case(g, n, row):
    case = _literal(row, '"case_name", "="')
    clusters = [c for c in g.all("opinion_cluster") if g.feature(c, "case_name") == case]
    return str(len(g.near(clusters, "opinion")))


def _cites_most(g, n, row):
    walk = _along("docket", "opinion_cluster", "opinion", "reference", *_COURT_OF_OPINION)
    return g.names(most(walk(g, g.id(n[0], "court"))))


LEGAL: dict[int, Ask] = {
    0: lambda g, n, r: g.feature(g.id(n[0], "court"), "start_date"),
    3: lambda g, n, r: g.names(g.near(g.id(n[0], "docket"), "court")),
    6: lambda g, n, r: str(len(g.near(g.id(n[0], "opinion"), "cited_by"))),
    7: lambda g, n, r: g.feature(g.near(g.id(n[0], "opinion"), "opinion_cluster")[0], "judges"),
    8: lambda g, n, r: g.feature(
        _along("opinion_cluster", "docket")(g, g.id(n[0], "opinion"))[0], "pacer_case_id"
    ),
    9: lambda g, n, r: g.names(_along("docket", "court")(g, g.id(n[0], "opinion_cluster"))),
    10: _courts_of_case,
    11: _opinions_of_case,
    13: lambda g, n, r: str(len(_along("opinion_cluster", "opinion")(g, g.id(n[0], "opinion")))),
    14: lambda g, n, r: g.names(_along(*_COURT_OF_OPINION)(g, g.id(n[0], "opinion"))),
    15: _cites_most,
}


def _numbered(named: dict[str, Ask], order: list[str]) -> dict[int, Ask]:
    return {order.index(name): ask for name, ask in named.items()}


DBLP_ORDER = (
    "authors|organization|venue|coauthors|both|closest|year|together|cited|cites|most cited|written|joint venue"
    "|know|interests"
).split("|")
MAG_ORDER = [name for name in DBLP_ORDER if name not in ("organization", "interests")] + ["recommend"]
PLAIN = {
    "academic-dblp": _numbered(academic(org=True), DBLP_ORDER),
    "academic-mag": _numbered(academic(org=False), MAG_ORDER),
    "ecommerce": ECOMMERCE,
    "literature": LITERATURE,
    "legal": LEGAL,
}


@pytest.mark.parametrize("domain", PLAIN)
def test_gold_answers_are_what_plain_python_finds(domain):
    plain, graph = small(domain.split("-")[0])
    checked = dict.fromkeys(PLAIN[domain], 0)
    for row in make(graph, domain).rows:
        ask = PLAIN[domain].get(number(row))
        if ask is not None:
            assert gold(row) == ask(plain, names_in(str(row["call"])), row), row
            checked[number(row)] += 1
    assert all(checked.values()), checked


DISEASE_OF_SYMPTOM = "Disease-presents-Symptom"


def _most_of_symptom(middle: str, last: str) -> Ask:
    def ask(g, n, row):
        reached = set(g.near(set(g.near(g.id(n[0], "Symptom"), DISEASE_OF_SYMPTOM)), middle))
        return g.names(most(g.near(reached, last)))

    return ask


def _of_both(one: str, other: str) -> Ask:
    """Diseases of both names in a call, by these metaedges."""

    def ask(g, n, row):
        kinds = [name.split()[0] for name in n]
        first, second = (g.id(name, kind) for name, kind in zip(n, kinds, strict=True))
        return g.names(set(g.near(first, one)) & set(g.near(second, other)))

    return ask


def _all_of(kind: str, edge: str) -> Ask:
    def ask(g, n, row):
        own = set(g.near(g.id(n[0], kind), edge))
        return str(sum(own <= set(g.near(i, edge)) for i in g.all(kind) if i != g.id(n[0], kind)))

    return ask


def _correlated(g, n, row):
    gene, symptom = (g.id(name, name.split()[0]) for name in n)
    edges = [f"Disease-{verb}-Gene" for verb in ("associates", "upregulates", "downregulates")]
    diseases = {d for edge in edges for d in g.near(gene, edge)}
    return str(bool(diseases & set(g.near(symptom, DISEASE_OF_SYMPTOM))))


def _one_hop(kind: str, edge: str) -> Ask:
    return lambda g, n, r: g.names(g.near(g.id(n[0], kind), edge))


HEALTHCARE: dict[int, Ask] = {
    0: _one_hop("Compound", "Compound-causes-Side Effect"),
    2: _one_hop("Gene", "Gene-participates-Biological Process"),
    5: _one_hop("Gene", "Anatomy-expresses-Gene"),
    7: _of_both("Compound-treats-Disease", "Compound-treats-Disease"),
    8: _of_both("Compound-palliates-Disease", "Disease-localizes-Anatomy"),
    10: _of_both("Disease-downregulates-Gene", "Disease-localizes-Anatomy"),
    13: _correlated,
    15: lambda g, n, r: str(len(g.near(g.id(n[0], "Disease"), "Disease-resembles-Disease"))),
    17: _most_of_symptom("Compound-palliates-Disease", "Pharmacologic Class-includes-Compound"),
    20: _most_of_symptom("Disease-associates-Gene", "Gene-participates-Cellular Component"),
    24: _most_of_symptom("Disease-downregulates-Gene", "Gene-participates-Pathway"),
    25: _all_of("Gene", "Gene-participates-Biological Process"),
    26: _all_of("Disease", DISEASE_OF_SYMPTOM),
}


def test_gold_answers_of_healthcare_are_what_plain_python_finds(tmp_path):
    plain, graph = healthcare(tmp_path)
    made = make(graph, "healthcare")
    checked = dict.fromkeys(HEALTHCARE, 0)
    for row in made.rows:
        ask = HEALTHCARE.get(number(row))
        if ask is not None:
            assert gold(row) == ask(plain, names_in(str(row["call"])), row), row
            checked[number(row)] += 1
    assert all(checked.values()), (checked, made.remarks)
    assert {"True", "False"} == {row["answer"] for row in made.rows if number(row) == 13}


# What a generator owes


def test_the_same_seed_gives_the_same_questions_and_another_gives_others():
    _, graph = small("literature")
    assert make(graph, "literature").rows == make(graph, "literature").rows
    other = make(graph, "literature", seed=6)
    assert [r["question"] for r in other.rows] != [r["question"] for r in make(graph, "literature").rows]


def test_a_template_draws_the_same_whatever_templates_stand_beside_it():
    _, graph = small("literature")
    templates = read("literature")
    alone = replace(templates, by_number={17: templates.by_number[17]})
    rows = generate(Executor(graph), graph, alone, EACH, SEED).rows
    assert rows == tuple(r for r in make(graph, "literature").rows if number(r) == 17)


@pytest.mark.parametrize("domain", PLAIN)
def test_rows_are_unique_fit_the_bounds_and_their_calls_give_their_answers(domain):
    _, graph = small(domain.split("-")[0])
    executor, templates = Executor(graph), read(domain)
    rows = make(graph, domain).rows
    assert len({r["qid"] for r in rows}) == len({r["question"] for r in rows}) == len(rows)
    for row in rows:
        template = templates.by_number[number(row)]
        assert row["level"] == template.level and "{" not in str(row["question"])
        if row["names"] is not None:
            assert 1 <= len(row["names"]) <= template.most
            assert row["answer"] == ", ".join(row["names"])
        assert executor.check(parse(str(row["call"])))
    by_template = {t.id: [r for r in rows if r["template"] == t.id] for t in templates if not t.external}
    assert all(by_template.values())


ONE_HOP = """
node_types = ["Compound"]
[[template]]
number = 0
level = "easy"
slots = [{ name = "compound", type = "Compound" }]
answer = 'NeighbourCheck["{compound}", "causes"]'
ask = ["a {compound}", "b {compound}", "c {compound}", "d {compound}", "e {compound}"]
"""


def causes(folder: Path, compounds: dict[str, tuple[str, list[str]]]) -> gt.Graph:
    """A graph of compounds: id → (name, names of effects)."""
    effects = sorted({e for _, (_, listed) in compounds.items() for e in listed})
    path = folder / "graph.json"
    path.write_text(
        json.dumps(
            {
                "Compound_nodes": {
                    i: {"features": {"name": name}, "neighbors": {"causes": [f"e {e}" for e in listed]}}
                    for i, (name, listed) in compounds.items()
                },
                "Effect_nodes": {f"e {e}": {"features": {"name": e}, "neighbors": {}} for e in effects},
            }
        )
    )
    graph = read_graph([path])
    assert isinstance(graph, gt.Graph)
    return graph


def asked_about(graph: gt.Graph) -> dict[str, str]:
    made = generate(Executor(graph), graph, parse_templates("healthcare", ONE_HOP), 10, 0)
    assert made.remarks == (f"healthcare-00: {len(made.rows)} of 10 in 2000 draws.",)
    return {str(r["question"])[2:]: str(r["answer"]) for r in made.rows}


def test_ambiguous_and_blank_names_long_and_empty_answers_are_left_out(tmp_path):
    graph = causes(
        tmp_path,
        {
            "c1": ("Zinc", ["pain"]),
            "c2": ("ZINC ", ["cough"]),
            "c3": ("", ["cough"]),
            "c4": ("Tin", []),
            "c5": ("Lead", ["a", "b", "c", "d", "e", "f"]),
            "c6": ("Iron", ["a", "b", "c", "d", "e"]),
            "c7": ("Gold {compound}", ["pain, dull", "cough"]),
            "c8": ("x" * 501, ["cough"]),
        },
    )
    assert asked_about(graph) == {"Iron": "a, b, c, d, e", "Gold {compound}": "pain, dull, cough"}


def test_a_name_that_another_type_has_too_is_asked_about_with_its_type(tmp_path):
    graph = causes(tmp_path, {"c1": ("pain", ["cough"]), "c2": ("cough", ["pain"])})
    assert asked_about(graph) == {"pain": "cough", "cough": "pain"}


def test_remarks_say_what_a_graph_lacks(tmp_path):
    graph = causes(tmp_path, {"c1": ("Zinc", ["pain"])})
    lacking = ONE_HOP.replace("causes", "cures")
    made = generate(Executor(graph), graph, parse_templates("healthcare", lacking), 1, 0)
    assert not made.rows
    assert re.search("healthcare-00: none.*'cures'.*causes", made.remarks[0])
    legal = make(small("legal")[1], "legal").remarks
    assert sum("no graph holds the answer" in remark for remark in legal) == 2
