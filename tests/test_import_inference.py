"""Tables of any layout: which columns are ids, keys, features, told by what they hold; and recipes that say so."""

import json
import random
from pathlib import Path

import pyarrow as pa
import pytest

from command_line import CommandLine
from graphtalk.core import SourceError, UsageError
from graphtalk.graphs import Graph
from graphtalk.graphs.formats.files import guess_encoding
from graphtalk.graphs.importing import Silent
from graphtalk.graphs.read import explain_graph, read_graph
from graphtalk.graphs.recipe import parse_recipe
from graphtalk.graphs.tabular import Plan, explain
from graphtalk.graphs.tabular.profile import Column
from graphtalk.graphs.tabular.words import called, relation_of, stem

STAFF = {
    "employees.csv": "Employee ID;First Name;Last Name;Dept;Manager ID;Salary;Hired;Skills\n"
    'E001;Ann;Müller;Sales;;"$85,000";2019-03-04;python, sql\nE002;Bob;Stone;Sales;E001;"$65,000";2020-01-02;sql, excel\n'
    'E003;Cy;Young;IT;E001;"$72,500";2021-05-06;excel\nE004;Di;Prince;;E003;$950;2021-05-07;python\n',
    "departments.csv": 'id,name,budget\n1,Sales,"1,000,000"\n2,IT,"500,000"\n3,Ops,"20,000"\n',
    "projects.csv": "id,title,start,end,lead\n1,Apollo,2020,2021,E002\n2,Gemini,2019,2020,E003\n",
    "assignments.csv": "employee_id,project_id,role,hours\nE001,1,owner,10\nE002,1,dev,20\nE002,2,dev,5\nE003,2,qa,7\n",
}


@pytest.fixture
def graphtalk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def put(folder: Path, files: dict[str, str], encoding: str = "utf-8") -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_bytes(text.encode(encoding))
    return folder


class Heard(Silent):
    def __init__(self) -> None:
        self.notes: list[str] = []

    def noted(self, notes: object) -> None:
        self.notes = list(notes)  # type: ignore[call-overload]


def read(*sources: Path, **options: object) -> Graph:
    graph = read_graph(list(sources), **options)  # type: ignore[arg-type]
    assert isinstance(graph, Graph)
    return graph


def edges(graph: Graph) -> set[tuple[str, str, str]]:
    found = set()
    for position, r in enumerate(graph.schema.relations):
        sources, targets = graph.ends(position)
        found |= {(graph.label(a), r.name, graph.label(b)) for a, b in zip(sources, targets, strict=True)}
    return found


WHOLE = {
    ("Bob Stone", "Manager", "Ann Müller"),
    ("Cy Young", "Manager", "Ann Müller"),
    ("Di Prince", "Manager", "Cy Young"),
    ("Ann Müller", "Dept", "Sales"),
    ("Bob Stone", "Dept", "Sales"),
    ("Cy Young", "Dept", "IT"),
    ("Apollo", "lead", "Bob Stone"),
    ("Gemini", "lead", "Cy Young"),
    ("Ann Müller", "assignments", "Apollo"),
    ("Bob Stone", "assignments", "Apollo"),
    ("Bob Stone", "assignments", "Gemini"),
    ("Cy Young", "assignments", "Gemini"),
}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_a_folder_of_messy_tables_is_a_graph(tmp_path: Path, encoding: str) -> None:
    heard = Heard()
    graph = read(put(tmp_path / "staff", STAFF, encoding), progress=heard)
    assert [(t.name, t.count) for t in graph.schema.node_types] == [
        ("departments", 3),
        ("employees", 4),
        ("projects", 2),
    ]
    assert edges(graph) == WHOLE
    ann = graph.node("E001")
    features = graph.features(ann)
    assert (features["Salary"], str(features["Hired"]), features["Skills"]) == (
        85000,
        "2019-03-04",
        ["python", "sql"],
    )
    assert graph.features(graph.node("departments:1"))["budget"] == 1_000_000
    assert graph.features(graph.node("projects:1"))["start"] == 2020
    assert any("1 of 4 rows have no 'Manager ID'" in note for note in heard.notes)
    assert any("cp1252" in note for note in heard.notes) == (encoding == "cp1252")


@pytest.mark.parametrize("nodes", ["isle", "nodes", "data"])
@pytest.mark.parametrize("links", ["isle-edges", "edges", "lines"])
@pytest.mark.parametrize("typed", [True, False])
@pytest.mark.parametrize("ends", ["source,target,type", "from,to,kind"])
def test_a_table_of_nodes_and_one_of_edges(
    tmp_path: Path, nodes: str, links: str, typed: bool, ends: str
) -> None:
    """Whatever the files are called, and whether or not a column says each node's type."""
    rows = [f"n{place},Town {place}x,{1000 + place}" + ",town" * typed for place in range(60)]
    head = "id,name,people" + ",type" * typed
    lines = [f"n{place},n{(place * 7 + 1) % 60},road" for place in range(60)]
    files = {f"{nodes}.csv": "\n".join([head, *rows, ""]), f"{links}.csv": "\n".join([ends, *lines, ""])}
    graph = read(*(put(tmp_path, files) / name for name in files))
    assert (graph.num_nodes, graph.num_edges) == (60, 60)
    assert [t.name for t in graph.schema.node_types] == [
        "town" if typed else "node" if nodes in ("nodes", "data") else nodes
    ]
    assert {(a, b) for a, _, b in edges(graph)} >= {("Town 0x", "Town 1x"), ("Town 1x", "Town 8x")}


@pytest.mark.parametrize(
    ("head", "relations"),
    [
        ("package_id,dependency_id,kind", {"depends_on"}),
        ("package_id,dependency_id,relation", {"dev", "runtime"}),
        ("source,target,kind", {"dev", "runtime"}),
    ],
)
def test_what_kind_an_edge_is_of_is_no_relation_where_its_table_is_one(
    tmp_path: Path, head: str, relations: set[str]
) -> None:
    """Several tables: that of the edges is called as people speak of them."""
    files = {
        "packages.csv": "package_id,name,license_id\np1,numbra,l1\np2,yamlite,l1\np3,mooring,l2\n",
        "licenses.csv": "license_id,name\nl1,MIT\nl2,Apache-2.0\n",
        "depends_on.csv": f"{head}\np2,p1,runtime\np3,p1,dev\np3,p2,runtime\n",
    }
    graph = read(*(put(tmp_path, files) / name for name in files))
    assert {r.name for r in graph.schema.relations} == {"license", *relations}
    assert ("mooring", min(relations), "numbra") in edges(graph)


@pytest.mark.parametrize(
    ("table", "head", "relation"),
    [
        ("companions", "plant_id,companion_id", "companion"),
        ("mentors", "mentor_id,plant_id", "mentor_of"),
        ("mentorships", "plant_id,mentor_id", "mentor"),
        ("rivalries", "plant_id,rival_id", "rival"),
        ("neighbours", "plant_id,other_plant_id", "neighbours"),
    ],
)
def test_edges_called_as_one_end_is_say_which(tmp_path: Path, table: str, head: str, relation: str) -> None:
    files = {
        "plants.csv": "plant_id,name\np1,Lovage\np2,Yarrow\np3,Sage\n",
        f"{table}.csv": f"{head}\np1,p2\np2,p3\n",
    }
    graph = read(*(put(tmp_path, files) / name for name in files))
    assert edges(graph) == {("Lovage", relation, "Yarrow"), ("Yarrow", relation, "Sage")}


def test_a_table_with_a_type_for_each_row_and_a_key_to_its_own_rows(tmp_path: Path) -> None:
    staff = "id,type,name,manager_id\ne1,boss,Ann,\ne2,clerk,Bob,e1\ne3,clerk,Cy,e1\ne4,clerk,Di,e2\n"
    graph = read(put(tmp_path, {"staff.csv": staff}) / "staff.csv")
    assert edges(graph) == {("Bob", "manager", "Ann"), ("Cy", "manager", "Ann"), ("Di", "manager", "Bob")}


def test_what_is_explained_is_a_recipe_that_gives_the_same_graph(tmp_path: Path) -> None:
    folder = put(tmp_path / "staff", STAFF, "cp1252")
    told = explain_graph([folder])
    assert isinstance(told.found, Plan)
    recipe = parse_recipe(explain.explained(told.found, told.notes))
    by_recipe, plain = read(folder, recipe=recipe), read(folder)
    assert edges(by_recipe) == edges(plain) == WHOLE
    assert by_recipe.schema == plain.schema
    assert [t.to_pylist() for t in by_recipe.columns.values()] == [
        t.to_pylist() for t in plain.columns.values()
    ]


def test_explain_writes_a_recipe_that_can_be_edited_and_nothing_else(
    graphtalk: CommandLine, tmp_path: Path
) -> None:
    folder = put(tmp_path / "staff", STAFF)
    done = graphtalk("import", folder, "--explain", "-o", tmp_path / "recipe.toml")
    assert done.code == 0 and "key to departments (name)" in done.out
    assert sorted(p.name for p in tmp_path.iterdir()) == ["recipe.toml", "staff"]
    edited = (tmp_path / "recipe.toml").read_text().replace('relation = "Manager"', 'relation = "reports to"')
    (tmp_path / "recipe.toml").write_text(edited)
    done = graphtalk(
        "import", folder, "-o", tmp_path / "mine.gt", "--recipe", tmp_path / "recipe.toml", "--json"
    )
    assert done.json["name"] == "mine"
    assert "reports to" in [r["name"] for r in done.json["relations"]]
    told = graphtalk("import", folder, "--explain", "--json").json
    columns = {c["column"]: c for t in told["tables"] for c in t["columns"]}
    assert columns["Manager ID"]["read_as"] == "'Manager': key to employees (id)"
    assert "1 blank: no edge" in columns["Manager ID"]["why"]
    again = graphtalk("import", folder, "--explain", "-o", tmp_path / "recipe.toml")
    assert again.code == 2 and "not overwritten" in again.err
    assert graphtalk("import", folder, "--explain", "-o", tmp_path / "x.gt").code == 2
    assert graphtalk("import", folder).code == 2


def test_a_key_to_a_row_that_is_not_there(tmp_path: Path) -> None:
    files = STAFF | {"projects.csv": STAFF["projects.csv"] + "3,Vega,2022,2023,E099\n"}
    files["projects.csv"] = files["projects.csv"].replace("lead", "employee_id")
    folder = put(tmp_path / "staff", files)
    with pytest.raises(
        SourceError, match=r"projects\.csv, line 4: 'E099' in 'employee_id' .* --missing skip .* add"
    ):
        read(folder)
    heard = Heard()
    assert ("Vega", "employee", "E099") not in edges(read(folder, missing="skip", progress=heard))
    assert any("1 edges were left out" in note and "line 4" in note for note in heard.notes)
    graph = read(folder, missing="add", progress=heard)
    assert ("Vega", "employee", "E099") in edges(graph)
    assert graph.node_type(graph.node("E099")).name == "employees"
    assert any("1 employees were made" in note for note in heard.notes)
    assert len(edges(read(folder, on_error="skip"))) == len(WHOLE)


def test_edges_to_nodes_that_are_not_there(tmp_path: Path) -> None:
    folder = put(tmp_path / "g", {"nodes.csv": "id\na\nb\n", "edges.csv": "source,target\na,b\na,z\n"})
    with pytest.raises(SourceError, match=r"edges\.csv, line 3: target 'z' is not a node. --missing skip"):
        read(folder)
    assert edges(read(folder, missing="skip")) == {("a", "edge", "b")}
    assert edges(read(folder, missing="add")) == {("a", "edge", "b"), ("a", "edge", "z")}


ALONE = [
    ("projects.csv", "name,start,end\nApollo,2020,2021\nGemini,2019,2020\n", ("projects", 2, 0)),
    ("projects.csv", "id,name,start,end\n1,Apollo,2020-01-01,2021-01-01\n2,Gem,2021-01-01,2022-01-01\n", ("projects", 2, 0)),
    ("mails.csv", "id,subject,body\n1,Hello,text\n2,Bye,text\n", ("mails", 2, 0)),
    ("courses.csv", "code,subject,hours\nM1,maths,3\nM2,maths,4\n", ("courses", 2, 0)),
    ("people.csv", "id,name,manager_id\n1,Ann,\n2,Bob,1\n3,Cy,1.0\n", ("people", 3, 2)),
    ("links.csv", "from,to,weight\nann,bob,1\nbob,cy,2\n", ("node", 3, 2)),
    ("log.csv", "level,message,host,user\ninfo,started,a,b\ninfo,done,a,c\nwarn,done,b,c\n", ("log", 3, 0)),
    ("sales.csv", "item;price\nPen;1,50\nInk;12,25\n", ("sales", 2, 0)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "found"), ALONE, ids=[f"{i}-{a[0]}" for i, a in enumerate(ALONE)])
def test_one_table_is_taken_for_what_it_holds(
    tmp_path: Path, name: str, text: str, found: tuple[str, int, int]
) -> None:
    (tmp_path / name).write_text(text)
    graph = read(tmp_path / name)
    assert (graph.schema.node_types[0].name, graph.num_nodes, graph.num_edges) == found


def test_people_are_named_by_their_names_and_not_by_their_titles(tmp_path: Path) -> None:
    text = "EmployeeId,LastName,FirstName,Title,ReportsTo\n1,Lee,Ann,Head,\n2,Ray,Bob,Rep,1\n3,Dee,Cy,Rep,1\n"
    (tmp_path / "employees.csv").write_text(text)
    assert edges(read(tmp_path / "employees.csv")) == {
        ("Bob Ray", "ReportsTo", "Ann Lee"),
        ("Cy Dee", "ReportsTo", "Ann Lee"),
    }


def test_whole_numbers_that_lie_among_ids_by_accident_are_no_keys(tmp_path: Path) -> None:
    generator = random.Random(3)
    people = "".join(f"{i},P{i},{generator.randint(1, 5)},{generator.randint(1, 20)}\n" for i in range(1, 51))
    folder = put(
        tmp_path / "x",
        {
            "people.csv": "id,name,rating,visits\n" + people,
            "cities.csv": "id,name\n" + "".join(f"{i},C{i}\n" for i in range(1, 31)),
        },
    )
    graph = read(folder)
    assert not graph.schema.relations
    assert {f.name for f in graph.schema.node_type("people").features} >= {"rating", "visits"}


@pytest.mark.parametrize(
    ("column", "cells", "relations"),
    [
        ("trainer_id", ["", "1", "1", "", "4"], ["trainer"]),
        ("follow_up_of", ["", "", "2", "3", "4"], ["follow_up_of"]),
        ("locker_id", ["2", "1", "3", "5", ""], []),  # goes round: other ids, of the same numbers
        ("locker_id", ["2", "3", "4", "5", "1"], []),
        ("badges", ["", "1", "1", "", "4"], []),
    ],
)
def test_rows_that_go_on_to_rows_of_their_own_without_going_round_are_joined(
    tmp_path: Path, column: str, cells: list[str], relations: list[str]
) -> None:
    rows = [
        f"{i},{name},{cell}"
        for i, (name, cell) in enumerate(zip("Ann Bob Cy Dee Eve".split(), cells, strict=True), 1)
    ]
    folder = put(tmp_path / "x", {"drivers.csv": "\n".join([f"driver_id,name,{column}", *rows, ""])})
    assert [r.name for r in read(folder).schema.relations] == relations


def test_who_has_a_role_or_did_something_is_one_of_the_people(tmp_path: Path) -> None:
    staff = "".join(
        f"{i},{name},{boss}\n"
        for i, (name, boss) in enumerate(zip("Ann Bob Cy Dee".split(), ["1", "1", "2", "1"], strict=True), 1)
    )
    folder = put(
        tmp_path / "x",
        {
            "staff.csv": f"id,name,manager_id\n{staff}",
            "farms.csv": "id,name,site_manager_id,workers\n1,North,2,3\n2,South,1,1\n3,East,2,2\n",
            "orders.csv": "id,title,reported_by,priority\n11,Fix,4,1\n12,Oil,,2\n13,Tow,3,1\n",
            "customers.csv": "id,name,account_manager_id\n1,Acme,2\n2,Blix,1\n3,Corex,1\n",
        },
    )
    relations = {(r.name, r.source, r.target) for r in read(folder).schema.relations}
    assert relations == {
        ("manager", "staff", "staff"),
        ("site_manager", "farms", "staff"),
        ("reported_by", "orders", "staff"),
        ("account_manager", "customers", "staff"),
    }


def test_a_key_that_fits_two_tables_is_left_and_said(tmp_path: Path) -> None:
    files = {
        "staff.csv": "id,name\n1,Ann\n2,Bob\n3,Cy\n",
        "volunteers.csv": "id,name\n1,Acme\n2,Bolt\n3,Corp\n",
        "visits.csv": "id,title,agent_id\n7,a,1\n8,b,2\n",
    }
    heard = Heard()
    graph = read(put(tmp_path / "x", files), progress=heard)
    assert not graph.schema.relations
    assert any(
        "'agent_id' stays a feature" in note and "staff" in note and "volunteers" in note
        for note in heard.notes
    )


def test_what_two_tables_both_have_is_no_key_though_one_has_each_once(tmp_path: Path) -> None:
    towns = ("Rome", "Oslo", "Bern", "Turin")
    actors = "".join(f"{i},Actor {i},{towns[i % 3]}\n" for i in range(1, 10))
    venues = "".join(f"{i},Hall {i},{town}\n" for i, town in enumerate(towns, 1))
    heard = Heard()
    files = {"actors.csv": f"id,name,city\n{actors}", "venues.csv": f"id,name,city\n{venues}"}
    graph = read(put(tmp_path / "stage", files), progress=heard)
    assert not graph.schema.relations
    assert any("'city' stays a feature" in note and "venues.city" in note for note in heard.notes)


def test_pairs_of_one_table_are_edges(tmp_path: Path) -> None:
    files = {
        "people.csv": "person_id,name\n1,Ann\n2,Bob\n3,Cy\n",
        "friendships.csv": "person_id,friend_id,since\n1,2,2001\n2,3,2003\n",
        "cities.csv": "city_id,city_name\n1,Rome\n2,Oslo\n9,Bonn\n",
        "lives_in.csv": "person_id,city_id\n1,1\n2,\n3,9\n",
    }
    graph = read(put(tmp_path / "x", files))
    assert edges(graph) == {
        ("Ann", "friend", "Bob"),
        ("Bob", "friend", "Cy"),
        ("Ann", "lives_in", "Rome"),
        ("Cy", "lives_in", "Bonn"),
    }
    position = [r.name for r in graph.schema.relations].index("friend")
    assert graph.edge_features(position, 0) == {"since": 2001}


def test_rows_without_an_id_are_numbered(tmp_path: Path) -> None:
    files = {
        "employees.csv": "id,name\nE1,Ann\nE2,Bob\n",
        "salaries.csv": "employee_id,year,amount\nE1,2020,10\nE1,2021,11\nE2,2021,9\n",
    }
    graph = read(put(tmp_path / "x", files))
    assert graph.ids() == ["E1", "E2", "salaries:1", "salaries:2", "salaries:3"]
    assert ("salaries:3", "employee", "Bob") in edges(graph)


def test_lists_of_keys(tmp_path: Path) -> None:
    files = {
        "authors.csv": "id,name\na1,Ann\na2,Bob\na3,Cy\n",
        "papers.csv": "id,title,authors\np1,One,a1;a2\np2,Two,a2;a3\np3,Three,a1\n",
    }
    found = edges(read(put(tmp_path / "x", files)))
    assert found == {
        ("One", "authors", "Ann"),
        ("One", "authors", "Bob"),
        ("Two", "authors", "Bob"),
        ("Two", "authors", "Cy"),
        ("Three", "authors", "Ann"),
    }


def test_numbers_in_doubt_stay_text_and_are_said(tmp_path: Path) -> None:
    (tmp_path / "goods.csv").write_text("id;weight\na;1,250\nb;3,500\n")
    heard = Heard()
    graph = read(tmp_path / "goods.csv", progress=heard)
    assert graph.features(0)["weight"] == "1,250"
    assert any("'weight' stays text" in note for note in heard.notes)
    recipe = '[[nodes]]\nfiles = ["goods.csv"]\nseparator = ";"\nkinds = { weight = "1.234,5" }\n'
    assert read(tmp_path / "goods.csv", recipe=parse_recipe(recipe)).features(0)["weight"] == 1.25


def test_ids_that_stand_twice_or_are_blank_are_named(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("id,name\n1,Ann\n1,Bob\n2,Cy\n")
    with pytest.raises(SourceError, match=r"people\.csv, line 3: the id '1' stands twice"):
        read(tmp_path / "people.csv")
    assert read(tmp_path / "people.csv", on_error="skip").ids() == ["1", "2"]
    (tmp_path / "people.csv").write_text("id,name\n1,Ann\n,Bob\n2,Cy\n")
    with pytest.raises(SourceError, match=r"people\.csv, line 3: the id is empty"):
        read(tmp_path / "people.csv")
    (tmp_path / "panel.csv").write_text(
        "id,year,value\n" + "".join(f"1,{y},{y}\n" for y in range(2000, 2010))
    )
    assert read(tmp_path / "panel.csv").num_nodes == 10  # ten rows about one thing


def test_a_file_of_several_encodings_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_bytes("id,name\n1,Zoë\n".encode() + b"2,Jos\xe9\n")
    with pytest.raises(SourceError, match=r"people\.csv, line 3: not UTF-8"):
        read(tmp_path / "people.csv")


def test_blanks_between_digits(tmp_path: Path) -> None:
    rows = "Norway;5 400 000;385 207;22 17 40 00\nSweden;10 500 000;450 295;08 506 300 00\nJapan;125 000 000;377 975;3 3503 2611\n"
    (tmp_path / "countries.csv").write_text("Country;Population;Area;Phone\n" + rows)
    heard = Heard()
    graph = read(tmp_path / "countries.csv", progress=heard)
    told = {"Country": "Norway", "Population": 5_400_000, "Area": "385 207", "Phone": "22 17 40 00"}
    assert graph.features(0) == told
    assert any("'Area' stays text" in note for note in heard.notes)


def test_a_recipe_names_types_that_there_are() -> None:
    table = '[[nodes]]\nfiles = ["a.csv"]\nnode_type = "person"\n[[nodes.links]]\ncolumn = "boss"\nto = "people"\n'
    with pytest.raises(UsageError, match=r"links, 'boss': no node_type 'people'. Valid: person"):
        parse_recipe(table)


def test_names_of_keys() -> None:
    assert stem("HomeCityID") == ("home", "city") and stem("fk_user") == ("user",)
    assert (called("dept", "departments"), called("deprt", "departments")) == (3, 2)
    assert (called("home_city_id", "cities"), called("rating", "people")) == (2, 0)
    found = [relation_of(n, "x") for n in ("manager_id", "ManagerID", "id_club", "reports_to", "id", "valid")]
    assert found == ["manager", "Manager", "club", "reports_to", "x", "valid"]


def test_the_graph_is_called_as_its_store_or_its_folder(graphtalk: CommandLine, tmp_path: Path) -> None:
    folder = put(tmp_path / "club", {"nodes.tsv": "id\na\n", "edges.tsv": "source\ttarget\na\ta\n"})
    assert read(folder).name == read(folder / "nodes.tsv", folder / "edges.tsv").name == "club"
    graphtalk("import", folder / "nodes.tsv", folder / "edges.tsv", "-o", tmp_path / "mine.gt")
    assert json.loads(graphtalk("info", tmp_path / "mine.gt", "--json").out)["name"] == "mine"


def test_numbers_with_zeros_before_are_codes_and_what_nearly_names_rows_is_said(tmp_path: Path) -> None:
    files = {
        "Mitarbeiter.csv": "Pers.-Nr.;Name;PLZ;Vorgesetzter\n007;Anna;01067;\n008;Jörg;80331;007\n012;Can;01067;008\n",
        "projekte.csv": "id,Titel,Leitung\n1,Apollo,008\n2,Zeus,012\n3,Hera,099\n",
    }
    heard = Heard()
    graph = read(put(tmp_path / "amt", files, "cp1252"), progress=heard)
    assert edges(graph) == {("Jörg", "Vorgesetzter", "Anna"), ("Can", "Vorgesetzter", "Jörg")}
    assert any(
        "'Leitung' stays a feature: 67% of its values are in Mitarbeiter" in note for note in heard.notes
    )
    plain = {"a.csv": "id,Name,Rang\n7,Anna,\n8,Jörg,7\n12,Can,7\n"}  # whole numbers may be anything
    assert not edges(read(put(tmp_path / "plain", plain)))


@pytest.mark.parametrize(
    ("cells", "blanks", "distinct"),
    [
        (pa.array(["a", "", None, " ", "a", "NA"]), 4, ["a"]),
        (pa.array(["a", "", None, " ", "a", "NA"]).dictionary_encode(), 4, ["a"]),
        (pa.array(["b", "a", "b"], pa.large_string()), 0, ["b", "a"]),
        (pa.array([1.5, None, 1.5]), 1, ["1.5"]),
        (pa.array([None, None]), 2, []),
        (pa.array([["a", ""], None, ["b", "a"]]), 1, ["a", "b"]),
        (pa.array([b"x", None]), 1, []),
        (pa.array([{"a": 1}, None]), 1, []),
    ],
)
def test_blank_cells_are_counted_and_others_listed_once(
    cells: pa.Array, blanks: int, distinct: list[str]
) -> None:
    column = Column("column", pa.chunked_array([cells]))
    assert (column.blanks, column.distinct.to_pylist()) == (blanks, distinct)


@pytest.mark.parametrize(
    ("tail", "encoding"),
    [(b"\xe9", "cp1252"), (b"a", ""), ("é".encode(), ""), ("é".encode() + b"\xe9", ""), (b"\xc3", "")],
)
def test_an_encoding_shows_wherever_in_a_file_it_does(tmp_path: Path, tail: bytes, encoding: str) -> None:
    path = tmp_path / "long.csv"
    path.write_bytes(
        b"a" * ((1 << 20) - 1) + tail + b"a" * (1 << 20) if encoding else b"a" * ((1 << 20) - 1) + tail
    )
    assert guess_encoding(path) == encoding


def test_tables_that_say_that_they_hold_nodes_are_called_as_what_these_are(tmp_path: Path) -> None:
    """`nodes_Person.tsv` holds persons, whether or not a column says so of each; a type of several values is a feature."""
    files = {
        "nodes_Person.csv": "id,type,name,age\n" + "".join(f"p{i},Person,Ann {i},{i}\n" for i in range(20)),
        "nodes_DataCenter.csv": "id,name\n" + "".join(f"d{i},Hall {i}\n" for i in range(20)),
        "nodes_Car.csv": "id,type,name\n"
        + "".join(f"c{i},{'bus' if i % 2 else 'van'},C{i}\n" for i in range(20)),
        "edges_WORKS_AT.csv": "source,target,since\n" + "".join(f"p{i},d{i},{1990 + i}\n" for i in range(20)),
        "edges_DRIVES.csv": "source,relation,target\n" + "".join(f"p{i},DRIVES,c{i}\n" for i in range(20)),
    }
    graph = read(put(tmp_path, files))
    assert {t.name: [f.name for f in t.features] for t in graph.schema.node_types} == {
        "Person": ["name", "age"],
        "DataCenter": ["name"],
        "Car": ["type", "name"],
    }
    assert {(r.source, r.name, r.target) for r in graph.schema.relations} == {
        ("Person", "WORKS_AT", "DataCenter"),
        ("Person", "DRIVES", "Car"),
    }


def test_what_nobody_calls_rows_by_is_no_key(tmp_path: Path) -> None:
    lands = ("Norway", "France", "Chile", "Japan")
    people = "".join(f"{i},Ann {i},{lands[i % 4]},{('OSL', 'CDG', 'SYD')[i % 3]}\n" for i in range(1, 13))
    files = {
        "passengers.csv": f"id,name,nationality,home\n{people}",
        "airlines.csv": "id,name,country\n"
        + "".join(f"{i},Line {i},{land}\n" for i, land in enumerate(lands, 1)),
        "airports.csv": "id,name,iata\n1,Gardermoen,OSL\n2,Roissy,CDG\n3,Kingsford,SYD\n",
    }
    heard = Heard()
    graph = read(put(tmp_path / "x", files), progress=heard)
    assert [(r.name, r.target) for r in graph.schema.relations] == [("home", "airports")]
    assert any("'nationality' stays a feature" in note for note in heard.notes)
