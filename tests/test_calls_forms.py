"""The forms in which people, papers and models write calls."""

import json

import pytest

from graphtalk.calls import (
    Boolean,
    Call,
    Function,
    Items,
    NodeRef,
    Number,
    Text,
    Vocabulary,
    find_calls,
    parse,
    show,
    spelling_of,
)
from graphtalk.core.errors import ParseError

KNOWN = Vocabulary.of(
    [
        Function("Order", "toolx:order"),
        Function("Density", "toolx:density", ("is_directed",)),
        Function("ShortestPath", "toolx:shortest_path", ("source", "target")),
        Function("Topic", "graph_bert:topic", ("paper",)),
        Function("RetrieveNode", "graph:retrieve", ("keyword", "node_type"), free_text=True),
        Function("NodeFeature", "graph:feature", ("node", "feature")),
        Function("NodeDegree", "graph:degree", ("node", "neighbor_type")),
        Function("NeighbourCheck", "graph:neighbours", ("node", "neighbor_type"), ("NeighborCheck",)),
        Function("RelationOf", "transe:relation", ("head", "tail")),
        Function("OtherRelation", "other:relation"),
    ]
)
LOLLIPOP = Call("GL", (Text("gpr"), Items((Text("lollipop_graph"),))))
CORA = Call("GL", (Text("cora"),))
FREEBASE = Call("GL", (Text("freebase"),))
PATH = Call("ShortestPath", (NodeRef("node", "1"), NodeRef("node", "5")), graph=Text("G_l"))
TOPIC = Call("Topic", (NodeRef("paper", "83826"),), graph=CORA)
RELATION = Call("RelationOf", (NodeRef("entity", "/m/027rn"), NodeRef("entity", "/m/06cx9")), graph=FREEBASE)


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ('[GR(GL("gpr", {"lollipop_graph"}), "toolx:order")-->r]', Call("Order", graph=LOLLIPOP)),
        ('[GR(GL("gpr", {"lollipop_graph"}), "toolx:order")]', Call("Order", graph=LOLLIPOP)),
        ('GR(GL("gpr", {"lollipop_graph"}), "toolx:order")', Call("Order", graph=LOLLIPOP)),
        ("GR(GL(gpr, {lollipop_graph}), toolx:order)", Call("Order", graph=LOLLIPOP)),
        ("gr( gl( 'gpr' , { 'lollipop_graph' , } ) , 'order' , )", Call("Order", graph=LOLLIPOP)),
        ("[GR(GL(”gpr”, {“lollipop_graph”}), ‘Order’) –¿ r].", Call("Order", graph=LOLLIPOP)),
        ('GR("toolx:order")', Call("Order")),
        ("GR(order)", Call("Order")),
        ('GR(toolx:order, "node#5")', Call("Order", (NodeRef("node", "5"),))),
        ('GR("order", graph=GL("cora"))', Call("Order", graph=CORA)),
        ("[GR(G_l, “toolx:density”, is-directed:False) –> 4/15]", Call("Density", (), (("is_directed", Boolean(False)),), Text("G_l"))),
        ('GR("toolx:density", is_directed=False)', Call("Density", (), (("is_directed", Boolean(False)),))),
        ("[GR(G_l, “toolx:shortest-path”, node #1, node #5) –> 3].", PATH),
        ('GR(G_l, "toolx:shortest_path", "node#1", node#5)', PATH),
        ('[GR(GL("cora"), "graph-bert:topic", paper#83826)->r]', TOPIC),
        ('[GR(GL("cora"), "graph_bert:topic", "paper#83826")→Neural Networks]', TOPIC),
        ('[GR(GL("cora"), "topic", {Paper#1}) --> r]', Call("Topic", (Items((NodeRef("Paper", "1"),)),), graph=CORA)),
        ('GR(GL("freebase"), "transe:relation", entity#/m/027rn, entity#/m/06cx9)', RELATION),
        ("[GR(GL(“freebase”), “transe:relation”, entity:/m/027rn, entity:/m/06cx9)–¿/location/country]", RELATION),
        ('[GL("cora", "all paper nodes", "all citation links")]', Call("GL", (Text("cora"), Text("all paper nodes"), Text("all citation links")))),
        ("[GL(file-path:“./graphs/lollipop”) –¿ G_l]", Call("GL", (), (("file-path", Text("./graphs/lollipop")),))),
        ("GL(./graphs/lollipop.txt)", Call("GL", (Text("./graphs/lollipop.txt"),))),
        ("GL(https://example.org/cora)", Call("GL", (Text("https://example.org/cora"),))),
        ("GL(x, {Euclid's Elements}, {(C=O), (New York City, \"LA\")})",
         Call("GL", (Text("x"), Items((Text("Euclid's Elements"),)),
                     Items((Items((Text("C=O"),)), Items((Text("New York City"), Text("LA")))))))),
        ('GR("graph:retrieve", Cobar(II))', Call("RetrieveNode", (Text("Cobar(II)"),))),
        ('GR("x", 10, -2.5, 1e3, 0077613252, u3, true, (S)-ketamine)',
         Call("x", (Number(10), Number(-2.5), Number(1000.0), Text("0077613252"), Text("u3"), Boolean(True), Text("(S)-ketamine")))),
        ('GR("x", relation#/film/film/x., user#user/7189521, user#p/hard-rock--casino/14, entity#steller\'s_sea_cow.n.01)',
         Call("x", (NodeRef("relation", "/film/film/x."), NodeRef("user", "user/7189521"),
                    NodeRef("user", "p/hard-rock--casino/14"), NodeRef("entity", "steller's_sea_cow.n.01")))),
        ('GR("neighbours", GR("retrieve", "Zinc"), "Gene")',
         Call("NeighbourCheck", (Call("RetrieveNode", (Text("Zinc"),)), Text("Gene")))),
        ('GR("NodeDegree", RetrieveNode("Zinc"), "Gene")',
         Call("NodeDegree", (Call("RetrieveNode", (Text("Zinc"),)), Text("Gene")))),
        ("'Schindler\\'s' is no call; [GR(\"order\")]", Call("Order")),
    ],
)  # fmt: skip
def test_toolformer(text: str, call: Call) -> None:
    assert parse(text, KNOWN) == call


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("RetrieveNode[Zinc]", Call("RetrieveNode", (Text("Zinc"),))),
        ("RetrieveNode[Purpura, Schoenlein-Henoch]", Call("RetrieveNode", (Text("Purpura, Schoenlein-Henoch"),))),
        ('RetrieveNode["Purpura", "Disease"]', Call("RetrieveNode", (Text("Purpura"), Text("Disease")))),
        ("RetrieveNode[a, b, node_type=Disease]", Call("RetrieveNode", (Text("a, b"),), (("node_type", Text("Disease")),))),
        ("RetrieveNode[Cobar(II), Iron(III, IV) oxide]", Call("RetrieveNode", (Text("Cobar(II), Iron(III, IV) oxide"),))),
        ("RetrieveNode[Benzo[a]pyrene]", Call("RetrieveNode", (Text("Benzo[a]pyrene"),))),
        ("RetrieveNode[E=mc2]", Call("RetrieveNode", (Text("E=mc2"),))),
        ("RetrieveNode['Schindler's List']", Call("RetrieveNode", (Text("Schindler's List"),))),
        ("RetrieveNode[Schindler's List]", Call("RetrieveNode", (Text("Schindler's List"),))),
        ('RetrieveNode["Weird Al" Yankovic]', Call("RetrieveNode", (Text('"Weird Al" Yankovic'),))),
        ('RetrieveNode["say \\"hi\\"\\n, \\u00e9"]', Call("RetrieveNode", (Text('say "hi"\n, é'),))),
        ("RetrieveNode[smile :( face]", Call("RetrieveNode", (Text("smile :( face"),))),
        ("RetrieveNode[2.50]", Call("RetrieveNode", (Text("2.50"),))),
        ("RetrieveNode[1984]", Call("RetrieveNode", (Number(1984),))),
        ("NodeFeature[p-4123, year]", Call("NodeFeature", (Text("p-4123"), Text("year")))),
        ("NodeFeature[3101448248, year]", Call("NodeFeature", (Number(3101448248), Text("year")))),
        ("NodeFeature[Smith, John, year]", Call("NodeFeature", (Text("Smith, John"), Text("year")))),
        ("NodeFeature[RetrieveNode[x], a, b]", Call("NodeFeature", (Call("RetrieveNode", (Text("x"),)), Text("a, b")))),
        ("NodeFeature[1, 2, 3]", Call("NodeFeature", (Number(1), Number(2), Number(3)))),
        ("node_feature[]", Call("node_feature")),
        ("nodefeature[paper#5, year]", Call("NodeFeature", (NodeRef("paper", "5"), Text("year")))),
        ('NeighbourCheck[RetrieveNode["Zinc"], "Compound-causes-Side Effect"]',
         Call("NeighbourCheck", (Call("RetrieveNode", (Text("Zinc"),)), Text("Compound-causes-Side Effect")))),
        ("NeighborCheck[RetrieveNode[Zinc, the metal], Compound-binds-Gene]",
         Call("NeighbourCheck", (Call("RetrieveNode", (Text("Zinc, the metal"),)), Text("Compound-binds-Gene")))),
        ("Intersect[[1, x], {true}]", Call("Intersect", (Items((Number(1), Text("x"))), Items((Boolean(True),))))),
        ('toolx:order[graph=GL["gpr", "bull_graph"]]', Call("Order", graph=Call("GL", (Text("gpr"), Text("bull_graph"))))),
        ('Finish["The end"]', Call("Finish", (Text("The end"),))),
        ("Finish[1993]", Call("Finish", (Number(1993),))),
        ("Finish[3,400]", Call("Finish", (Text("3,400"),))),
        ("Finish[Smith, J., and [al.]]", Call("Finish", (Text("Smith, J., and [al.]"),))),
        ("Finish[['a', 'b']]", Call("Finish", (Items((Text("a"), Text("b"))),))),
        ("Action 1:RetrieveNode[Zinc] is what I do", Call("RetrieveNode", (Text("Zinc"),))),
    ],
)  # fmt: skip
def test_graph_cot(text: str, call: Call) -> None:
    assert parse(text, KNOWN) == call


ZINC = Call("NodeDegree", (Call("RetrieveNode", (Text("Zinc"),)), Text("Gene")))


@pytest.mark.parametrize(
    "value",
    [
        {"name": "NodeDegree", "arguments": {"node": {"name": "RetrieveNode", "arguments": {"keyword": "Zinc"}}, "neighbor_type": "Gene"}},
        {"name": "NodeDegree", "arguments": {"neighbor-type": "Gene", "node": {"name": "RetrieveNode", "arguments": {"keyword": "Zinc", "node_type": None}}}},
        {"name": "graph:degree", "arguments": [{"name": "retrieve", "arguments": ["Zinc"]}, "Gene"]},
        {"function": {"name": "NodeDegree", "arguments": '{"node": {"name": "RetrieveNode", "arguments": ["Zinc"]}, "neighbor_type": "Gene"}'}},
        [{"id": "call_1", "type": "function", "function": {"name": "NodeDegree", "arguments": '[{"name": "RetrieveNode", "arguments": ["Zinc"]}, "Gene"]'}}],
    ],
)  # fmt: skip
def test_json(value: object) -> None:
    assert parse(json.dumps(value), KNOWN) == ZINC
    assert parse(f"I call this:\n```json\n{json.dumps(value, indent=1)}\n```", KNOWN) == ZINC


def test_each_spelling_is_printed_as_documented() -> None:
    call = Call(
        "NeighbourCheck", (Call("RetrieveNode", (Text("Zinc"),)), Text("Compound-causes-Side Effect"))
    )
    assert (
        show(call, "graph-cot", KNOWN)
        == 'NeighbourCheck[RetrieveNode["Zinc"], "Compound-causes-Side Effect"]'
    )
    assert (
        show(call, "toolformer", KNOWN)
        == 'GR("graph:neighbours", GR("graph:retrieve", "Zinc"), "Compound-causes-Side Effect")'
    )
    assert json.loads(show(call, "json", KNOWN)) == {
        "name": "NeighbourCheck",
        "arguments": {
            "node": {"name": "RetrieveNode", "arguments": {"keyword": "Zinc"}},
            "neighbor_type": "Compound-causes-Side Effect",
        },
    }
    official = 'GR(GL("gpr", {"lollipop_graph"}), "toolx:shortest_path", "node#5", "node#0")'
    assert show(parse(official, KNOWN), "toolformer", KNOWN) == official
    assert show(TOPIC, "toolformer", KNOWN) == 'GR(GL("cora"), "graph_bert:topic", paper#83826)'


def test_json_is_standard_even_for_infinity() -> None:
    written = show(Call("x", (Number(float("-inf")),)), "json")
    assert json.loads(written, parse_constant=pytest.fail)["arguments"] == [{"number": "-inf"}]


def test_a_short_name_counts_only_where_one_function_has_it() -> None:
    assert KNOWN.canonical("order") == "Order"
    assert KNOWN.canonical("transe:relation") == "RelationOf"
    assert KNOWN.canonical("relation") == "relation"


@pytest.mark.parametrize(
    ("text", "spelling"),
    [
        ('  {"name": "x"}', "json"),
        ('[{"name": "x"}]', "json"),
        ('[GR("x")]', "toolformer"),
        ("GL(x)", "toolformer"),
        ("toolx:order(x)", "toolformer"),
        ("RetrieveNode[f(x)]", "graph-cot"),
        ('"odd name"[f(x)]', "graph-cot"),
        ("match (n) RETURN n", "cypher"),
        ("// all\n/* of it */ OPTIONAL  MATCH (n) RETURN n", "cypher"),
        ("RETURN 1", "cypher"),
        ("CREATE (n)", "cypher"),
        ("Match[x]", "graph-cot"),
        ("Return.x[f(x)]", "graph-cot"),
        ("with_all(x)", "toolformer"),
        ("MatchNodes[Returned]", "graph-cot"),
    ],
)
def test_spelling_of(text: str, spelling: str) -> None:
    assert spelling_of(text) == spelling


def test_several_calls_in_an_action() -> None:
    text = 'Interaction 3: NodeFeature[1980519, name], NodeFeature[1053242, name] and [GR("order")-->r]; {"name": "x"}'
    found = find_calls(text, KNOWN)
    assert [show(each.call, "graph-cot", KNOWN) for each in found] == [
        'NodeFeature[1980519, "name"]',
        'NodeFeature[1053242, "name"]',
        "Order[]",
        "x[]",
    ]
    assert [each.inserts for each in found] == [False, False, True, False]
    assert [text[each.start : each.end] for each in found][2:] == ['[GR("order")-->r]', '{"name": "x"}']
    with pytest.raises(ParseError, match="4 calls") as caught:
        parse(text, KNOWN)
    assert caught.value.position == found[1].start


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("see Smith[3] and list[0], f(x), {set}", 0),
        ("RetrieveNode[Cobar(II)] NodeDegree[x, y]", 2),
        ("RetreiveNode[Zinc]", 1),
        ("Intersection[RetrieveNode[a], RetrieveNode[b]]", 1),
        ("RetrieveNode[abc and then NodeDegree[x, y]", 1),
        ('Intersect[RetrieveNode["a"], RetrieveNode["b"', 0),
        ('[GR(GL("cora"), "gra', 0),
        ('[GR("order") and more', 1),
        ('{"name": "x", broken} then GR("order")', 1),
    ],
)
def test_what_is_found(text: str, count: int) -> None:
    assert len(find_calls(text, KNOWN)) == count


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("", 0),
        ("   ", 3),
        ("hello", 0),
        ("GR(", 3),
        ('GR("x", "a"', 11),
        ('GR("x", "a"]', 11),
        ('GR("x", , 1)', 8),
        ("GR(GL(cora))", 11),
        ('GR("x", {1)', 10),
        ('GR(GL("a"), "x", graph=GL("b"))', 0),
        ('GR("x", k=1, k=2)', 0),
        ("NodeFeature[a, , b]", 15),
        ("RetrieveNode[abc", 16),
        ('Intersect[RetrieveNode["a"], RetrieveNode["b"]', 46),
        ('{"name": "x"', 0),
        ('{"name": "x", "arguments": 1}', 0),
        ('{"name": "x", "arguments": [null]}', 0),
        ('{"name": "x", "arguments": [NaN]}', 0),
        ('  {"name" "x"}', 10),
        ('{"nome": "x"}', 0),
        ("[]", 0),
    ],
)
def test_what_is_no_call_says_where(text: str, position: int) -> None:
    with pytest.raises(ParseError) as caught:
        parse(text, KNOWN)
    assert caught.value.position == position
    assert str(position) in str(caught.value) or position == 0
