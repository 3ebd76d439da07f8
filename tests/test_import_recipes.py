"""Recipes: what they say, what is wrong with them, and the built-in ones on their data sets."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from graphtalk.core import SourceError, UsageError
from graphtalk.graphs import Graph
from graphtalk.graphs.importing import Silent
from graphtalk.graphs.read import read_graph
from graphtalk.graphs.recipe import Recipe, builtin_recipes, load_recipe, parse_recipe


def by_recipe(folder: Path, text: str) -> Graph:
    graph = read_graph([folder], recipe=parse_recipe(text))
    assert isinstance(graph, Graph)
    return graph


def edges(graph: Graph) -> set[tuple[str, str, str]]:
    """All edges as they are seen, from both ends."""
    ids = graph.ids()
    found: set[tuple[str, str, str]] = set()
    for position, r in enumerate(graph.schema.relations):
        sources, targets = (end.tolist() for end in graph.ends(position))
        for a, b in zip(sources, targets, strict=True):
            found |= {(ids[a], r.name, ids[b]), (ids[b], r.back, ids[a])}
    return found


def test_codes_joins_types_and_lists(tmp_path: Path) -> None:
    (tmp_path / "n.txt").write_text("3\nm1 0 F a|b\nm2 1 P \nm3 2 P c\n")
    (tmp_path / "names.csv").write_text("m2,Bob\nm1,Alien\nm9,Nobody\n")
    (tmp_path / "e1.txt").write_text("0 1 9\n1 2 8\n")
    (tmp_path / "e2.txt").write_text("0 1 9\n")
    (tmp_path / "r.tsv").write_text("9\tdirected\n8\tknows\n")
    graph = by_recipe(
        tmp_path,
        """
        [[nodes]]
        files = ["n.txt"]
        header = false
        skip = 1
        columns = ["id", "code", "kind", "tags"]
        key = "code"
        type = "kind"
        types = { F = "film", P = "person" }
        label = "name"
        lists = { tags = "|" }
        join = [{ files = ["names.csv"], header = false, columns = ["id", "name"] }]

        [[edges]]
        files = ["e*.txt"]
        header = false
        columns = ["source", "target", "relation"]
        relation = "relation"
        distinct = true

        [relation_names]
        files = ["r.tsv"]
        header = false
        columns = ["code", "name"]

        [relations.directed]
        inverse = "director of"
        description = "who made it"
        """.replace('[relations.8]\n        name = "knows"', ""),
    )
    assert [(t.name, t.label) for t in graph.schema.node_types] == [("film", "name"), ("person", "name")]
    assert graph.features(graph.node("m1")) == {"tags": ["a", "b"], "name": "Alien"}
    assert graph.label(graph.node("m3")) == "m3"
    assert edges(graph) == {
        ("m1", "directed", "m2"),
        ("m2", "director of", "m1"),
        ("m2", "knows", "m3"),
        ("m3", "^knows", "m2"),
    }
    assert [(r.name, r.count, r.description) for r in graph.schema.relations] == [
        ("directed", 1, "who made it"),
        ("knows", 1, ""),
    ]


def test_prefixes_flags_and_fixed_values(tmp_path: Path) -> None:
    (tmp_path / "users.txt").write_text("1|Ann\n2|Bob\n")
    (tmp_path / "films.txt").write_text("1|Alien|1|0|1\n2|Up|0|0|0\n")
    (tmp_path / "train.txt").write_text("1|2\n2|1\n")
    (tmp_path / "test.txt").write_text("1|1\n")
    recipe = """
        [[nodes]]
        files = ["users.txt"]
        header = false
        columns = ["number", "name"]
        separator = "|"
        id = "number"
        prefix = "u"
        node_type = "user"

        [[nodes]]
        files = ["films.txt"]
        header = false
        columns = ["number", "title", "Horror", "Comedy", "Space"]
        separator = "|"
        id = "number"
        prefix = "i"
        node_type = "film"
        flags = { genres = ["Horror", "Comedy", "Space"] }
        """
    for split in ("train", "test"):
        recipe += f"""
        [[edges]]
        files = ["{split}.txt"]
        header = false
        columns = ["source", "target"]
        separator = "|"
        relation_name = "saw"
        source_prefix = "u"
        target_prefix = "i"
        values = {{ split = "{split}" }}
        """
    graph = by_recipe(tmp_path, recipe)
    assert graph.ids() == ["u1", "u2", "i1", "i2"]
    assert graph.features(graph.node("i1")) == {"title": "Alien", "genres": ["Horror", "Space"]}
    assert graph.features(graph.node("i2")) == {"title": "Up", "genres": []}
    sources, targets = graph.ends(0)
    splits = graph.edge_columns[0].column("split").to_pylist()
    found = {(graph.id(a), graph.id(b), s) for a, b, s in zip(sources, targets, splits, strict=True)}
    assert found == {("u1", "i2", "train"), ("u2", "i1", "train"), ("u1", "i1", "test")}


def test_edges_given_from_both_ends_are_stored_once(tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text("a\tup\tb\nb\tdown\ta\nc\tdown\ta\na\tlike\tb\nb\tlike\ta\na\tlike\ta\n")
    graph = by_recipe(
        tmp_path,
        """
        [[edges]]
        files = ["t.tsv"]
        header = false
        columns = ["source", "relation", "target"]
        relation = "relation"
        [relations.up]
        inverse = "down"
        [relations.down]
        inverse = "up"
        [relations.like]
        inverse = "like"
        """,
    )
    assert {r.name: r.count for r in graph.schema.relations} == {"up": 2, "like": 2}
    assert edges(graph) == {
        ("a", "up", "b"),
        ("a", "up", "c"),
        ("b", "down", "a"),
        ("c", "down", "a"),
        ("a", "like", "b"),
        ("b", "like", "a"),
        ("a", "like", "a"),
    }


def test_parallel_edges_of_a_relation_with_an_inverse_stay(tmp_path: Path) -> None:
    rows = ["a\tup\tb", "a\tup\tb", "b\tdown\ta", "a\tlike\tb", "b\tlike\ta", "b\tlike\ta", "c\tdown\ta"]
    (tmp_path / "t.tsv").write_text("\n".join(rows) + "\n")
    graph = by_recipe(
        tmp_path,
        """
        [[edges]]
        files = ["t.tsv"]
        header = false
        columns = ["source", "relation", "target"]
        relation = "relation"
        [relations.up]
        inverse = "down"
        [relations.down]
        inverse = "up"
        [relations.like]
        inverse = "like"
        """,
    )
    assert {r.name: r.count for r in graph.schema.relations} == {"up": 3, "like": 2}


def test_edges_from_the_other_types_end_are_turned_round(tmp_path: Path) -> None:
    (tmp_path / "n.tsv").write_text("id\ttype\nd\tdrug\ng\tgene\nh\tgene\n")
    (tmp_path / "e.tsv").write_text("source\ttarget\nd\tg\ng\td\nh\td\n")
    graph = by_recipe(
        tmp_path,
        """
        nodes = [{ files = ["n.tsv"], type = "type" }]
        edges = [{ files = ["e.tsv"], relation_name = "binds" }]
        relations.binds = { inverse = "binds", source = "drug", target = "gene" }
        """,
    )
    assert [(r.source, r.target, r.count) for r in graph.schema.relations] == [("drug", "gene", 2)]


def test_roles_give_types(tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text("m\tby\tp\nm\tin\t2010\nn\tby\tm\n2010\tby\tp\n")
    graph = by_recipe(
        tmp_path,
        """
        roles = ["movie", "person", "year"]
        [[edges]]
        files = ["t.tsv"]
        header = false
        columns = ["source", "relation", "target"]
        relation = "relation"
        [relations.by]
        source = "movie"
        target = "person"
        [relations.in]
        source = "movie"
        target = "year"
        """,
    )
    assert {graph.id(n): graph.node_type(n).name for n in graph.indices()} == {
        "m": "movie",
        "n": "movie",
        "2010": "movie",
        "p": "person",
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nods = 1", "recipe: unknown key 'nods'. Did you mean nodes"),
        ("nodes = 1", "recipe, nodes: must be a list of tables"),
        (
            'nodes = [{ files = ["a"], colums = [] }]',
            "recipe, nodes: unknown key 'colums'. Did you mean columns",
        ),
        ('nodes = [{ files = "a" }]', "recipe, nodes, files: must be a list of texts"),
        ('nodes = [{ files = ["a"], skip = -1 }]', "skip: must be a number"),
        ('nodes = [{ files = ["a"], header = "no" }]', "header: must be true or false"),
        ('nodes = [{ files = ["a"], id = 1 }]', "id: must be a text"),
        ('edges = [{ source = "a" }]', "says no `files`"),
        ('relations.a = 3\nedges = [{ files = ["a"] }]', "relations.a: must be a table"),
        ('name = "x"', r"neither `\[\[nodes\]\]` nor `\[\[edges\]\]`"),
        ("a = = 1", "recipe is not TOML"),
    ],
)
def test_what_is_wrong_with_a_recipe_is_named(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse_recipe(text)


def test_recipes_are_found_by_name_and_by_path(tmp_path: Path) -> None:
    assert builtin_recipes() == ["fb15k-237", "hetionet", "metaqa", "wn18", "wn18rr"]
    assert all(isinstance(load_recipe(name), Recipe) for name in builtin_recipes())
    (tmp_path / "mine.toml").write_text('edges = [{ files = ["e.tsv"] }]')
    assert load_recipe(tmp_path / "mine.toml").name == "mine"
    with pytest.raises(UsageError, match=r"No recipe 'hetnet', and no such file. Did you mean hetionet"):
        load_recipe("hetnet")


class Remarks(Silent):
    """Keeps what was remarked."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def noted(self, notes: Sequence[str]) -> None:
        self.heard += notes


def test_the_recipe_of_a_folder_is_applied_where_it_is_asked_for(tmp_path: Path) -> None:
    own = tmp_path / "recipe.toml"
    own.write_text('edges = [{ files = ["e.tsv"], relation_name = "cites" }]')
    (tmp_path / "e.tsv").write_text("source\ttarget\na\tb\n")
    remarks = Remarks()
    graph = read_graph([tmp_path], progress=remarks)
    assert [r.name for r in graph.schema.relations] == ["edge"]  # type: ignore[union-attr]
    assert len(remarks.heard) == 1 and f"--recipe {own}" in remarks.heard[0]
    graph = read_graph([tmp_path], recipe=own)
    assert [r.name for r in graph.schema.relations] == ["cites"]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "name",
    [
        "/etc/passwd",
        "../e.tsv",
        "a/../../e.tsv",
        "C:\\\\e.tsv",
        "\\\\\\\\host\\\\e.tsv",
        "",
        "**/**/e.tsv",
        "a\\u0000",
    ],
)
@pytest.mark.parametrize(
    "table",
    [
        'edges = [{{ files = ["{}"] }}]',
        'nodes = [{{ files = ["n.tsv"], join = [{{ files = ["{}"] }}] }}]',
        'nodes = [{{ files = ["n.tsv"] }}]\n[relation_names]\nfiles = ["{}"]',
    ],
)
def test_a_recipe_names_nothing_outside_its_folder(name: str, table: str) -> None:
    with pytest.raises(UsageError, match="must be a name or a glob within the folder"):
        parse_recipe(table.format(name))


def test_links_that_lead_out_of_a_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.tsv").write_text("source\ttarget\na\tb\n")
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "edges.tsv").symlink_to(tmp_path / "secret.tsv")
    recipe = parse_recipe('edges = [{ files = ["*.tsv"] }]')
    for how in ({"recipe": recipe}, {}, {"format": "delimited"}):
        with pytest.raises(SourceError, match=r"edges\.tsv: leads out of"):
            read_graph([tmp_path / "d"], **how)  # type: ignore[arg-type]
    assert read_graph([tmp_path / "d" / "edges.tsv"]).num_edges == 1  # type: ignore[union-attr]
    (tmp_path / "d" / "edges.tsv").unlink()
    (tmp_path / "d" / "far").symlink_to(tmp_path)
    with pytest.raises(SourceError, match="leads out of"):
        read_graph([tmp_path / "d"], recipe=parse_recipe('edges = [{ files = ["far/*.tsv"] }]'))


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("^(.+)_", "a(b"),
        (r"\\(([^)]*)", "b_c"),
        ("[(]([a-z])", "b"),
        ("(?P<one>b)", "b"),
        ("(?:a)(.)", "("),
        ("^(a+)+x", None),
    ],
)
def test_a_pattern_takes_the_text_of_its_one_group(tmp_path: Path, pattern: str, found: str | None) -> None:
    (tmp_path / "n.tsv").write_text("id\na(b_c\n" + "a" * 5_000 + "\n")
    text = f"""
        nodes = [{{ files = ["n.tsv"] }}]
        derived = [{{ node_type = "node", feature = "name", pattern = '{pattern}', blanks = "_" }}]
        """.replace("\\\\", "\\")
    name = by_recipe(tmp_path, text).columns["node"].column("name")[0].as_py()
    assert name == (found and found.replace("_", " "))


def test_a_missing_file_of_a_recipe_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no file 'nodes\.tsv\.gz' in .*, though the recipe names it"):
        read_graph([tmp_path], recipe="hetionet")


def shared(folder: Path, recipe: str) -> Graph:
    graph = read_graph([folder], recipe=recipe)
    assert isinstance(graph, Graph)
    return graph


def test_hetionet(shared_data: Path) -> None:
    graph = shared(shared_data / "hetionet", "hetionet")
    assert (graph.num_nodes, graph.num_edges) == (47_031, 993_498)
    counts = {t.name: t.count for t in graph.schema.node_types}
    assert (len(counts), counts["Gene"], counts["Side Effect"]) == (11, 20_945, 5_734)
    relations = {r.name: r for r in graph.schema.relations}
    assert len(relations) == 20
    assert relations["Compound-causes-Side Effect"].count == 138_944
    assert relations["Gene-interacts-Gene"].undirected
    assert relations["Gene-regulates-Gene"].back == "^Gene-regulates-Gene"
    assert graph.label(graph.node("Gene::9021")) == "SOCS3"


def test_metaqa(shared_data: Path) -> None:
    graph = shared(shared_data / "metaqa", "metaqa")
    assert graph.num_edges == 129_413
    types = {t.name for t in graph.schema.node_types}
    assert {"movie", "person", "year", "language", "tag", "genre"} <= types
    kismet = graph.node("0")
    assert graph.label(kismet) == "Kismet" and graph.node_type(kismet).name == "movie"
    assert graph.labels(graph.neighbours(kismet, "directed by")) == ["William Dieterle"]
    assert graph.label(graph.node("22446")) == "22446"
    names = {r.name for r in graph.schema.relations}
    assert len(names) == 9 and "has imdb votes" in names


def triples(folder: Path) -> set[tuple[str, ...]]:
    import lzma

    return {
        tuple(line.split("\t"))
        for part in ("train", "valid", "test")
        for line in lzma.open(folder / f"{part}.txt.xz", "rt", encoding="utf-8").read().splitlines()
    }


@pytest.mark.slow
@pytest.mark.parametrize(("name", "folder"), [("wn18", "WN18"), ("wn18rr", "WN18RR")])
def test_wordnet_keeps_every_triple(shared_data: Path, name: str, folder: str) -> None:
    graph = shared(shared_data / "kg" / folder, name)
    assert {t.name for t in graph.schema.node_types} == {"synset"}
    missing = triples(shared_data / "kg" / folder) - edges(graph)
    assert missing == set()
    if name == "wn18":
        assert graph.num_edges < 77_000  # about half of the 151,442 triples: each edge once
        assert graph.schema.view("synset", "_hyponym")[0].direction == "in"


def test_fb15k_237(shared_data: Path) -> None:
    graph = shared(shared_data / "kg" / "FB15k-237", "fb15k-237")
    assert (graph.num_nodes, graph.num_edges, len(graph.schema.relations)) == (14_541, 310_116, 237)
    haiti = graph.node("/m/03gj2")
    assert graph.label(haiti)
    assert not any(f.name == "code" for f in graph.schema.node_types[0].features)
