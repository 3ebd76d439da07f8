"""Cypher read into queries."""

import json
from importlib.resources import files

import lark
import pytest

from graphtalk.calls.ast import Boolean, Call, Items, NodeRef, Number, Text
from graphtalk.calls.cypher import parse_query, tables
from graphtalk.calls.cypher.scan import marked
from graphtalk.calls.query import (
    Apply,
    Branch,
    Case,
    Column,
    Comprehension,
    EdgePattern,
    Element,
    Entry,
    Labelled,
    List,
    Map,
    Match,
    NodePattern,
    Null,
    Operation,
    Parameter,
    Part,
    Pattern,
    PatternComprehension,
    Projection,
    Property,
    Quantified,
    Query,
    Reduce,
    Return,
    Slice,
    SortItem,
    Subquery,
    Term,
    Unwind,
    Variable,
    With,
)
from graphtalk.core import ParseError

A, B, N, X = Variable("a"), Variable("b"), Variable("n"), Variable("x")


def term(text: str) -> Term:
    """The value that `RETURN text` gives."""
    clause = parse_query(f"RETURN {text} AS v").parts[0].clauses[-1]
    assert isinstance(clause, Return)
    return clause.projection.columns[0].value


def pattern(text: str) -> Pattern:
    """The pattern of `MATCH text`."""
    match = parse_query(f"MATCH {text} RETURN 1").parts[0].clauses[0]
    assert isinstance(match, Match)
    return match.patterns[0]


def edge(text: str) -> EdgePattern:
    """The edge of `(a) text (b)`."""
    return pattern(f"(a){text}(b)").edges[0]


def exists(*edges: EdgePattern) -> Subquery:
    """`(a) edge (b)` as a condition."""
    found = Pattern((NodePattern("a"), NodePattern("b")), edges)
    return Subquery("exists", Query((Part((Match((found,)),)),)))


def test_a_whole_query() -> None:
    read = parse_query(
        """
        // who borders whom
        MATCH (c:Country {name: 'Chad'})-[b:BORDERS|NEAR*1..3]-(d) WHERE d.area > $least
        OPTIONAL MATCH (d)<-[:CAPITAL_OF]-(t:Town)
        WITH DISTINCT d, count(t) AS towns ORDER BY towns DESC, d.name SKIP 1 LIMIT 5 WHERE towns > 0
        UNWIND [1, 2] AS i
        RETURN *, d.name, towns + i AS "total"
        UNION ALL MATCH (n) RETURN n;""".replace('"total"', "`total`")
    )
    first = Pattern(
        (NodePattern("c", ("Country",), (Entry("name", Text("Chad")),)), NodePattern("d")),
        (EdgePattern("b", ("BORDERS", "NEAR"), "both", True, 1, 3),),
    )
    second = Pattern(
        (NodePattern("d"), NodePattern("t", ("Town",))), (EdgePattern("", ("CAPITAL_OF",), "in"),)
    )
    d = Variable("d")
    assert read == Query(
        (
            Part(
                (
                    Match((first,), Operation(">", (Property(d, "area"), Parameter("least")))),
                    Match((second,), optional=True),
                    With(
                        Projection(
                            (Column(d, "d"), Column(Apply("count", (Variable("t"),)), "towns")),
                            distinct=True,
                            order=(SortItem(Variable("towns"), True), SortItem(Property(d, "name"))),
                            skip=Number(1),
                            limit=Number(5),
                        ),
                        Operation(">", (Variable("towns"), Number(0))),
                    ),
                    Unwind(Items((Number(1), Number(2))), "i"),
                    Return(
                        Projection(
                            (
                                Column(Property(d, "name"), "d.name"),
                                Column(Operation("+", (Variable("towns"), Variable("i"))), "total"),
                            ),
                            everything=True,
                        )
                    ),
                )
            ),
            Part((Match((Pattern((NodePattern("n"),)),)), Return(Projection((Column(N, "n"),))))),
        ),
        repeats=True,
    )


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("1 + 2 * 3", Operation("+", (Number(1), Operation("*", (Number(2), Number(3)))))),
        ("1 - 2 - 3", Operation("-", (Operation("-", (Number(1), Number(2))), Number(3)))),
        ("-5 ^ 2", Operation("^", (Number(-5), Number(2)))),
        ("-(5)", Operation("negative", (Number(5),))),
        ("- a.b", Operation("negative", (Property(A, "b"),))),
        ("a--1", Operation("-", (A, Number(-1)))),
        ("NOT a = b", Operation("not", (Operation("=", (A, B)),))),
        ("a OR b AND x", Operation("or", (A, Operation("and", (B, X))))),
        ("1 < x <= 3", Operation("and", (Operation("<", (Number(1), X)), Operation("<=", (X, Number(3)))))),
        ("a STARTS WITH 'x'", Operation("starts with", (A, Text("x")))),
        ("a =~ '(?i)x.*'", Operation("=~", (A, Text("(?i)x.*")))),
        ("a.b IS NOT NULL", Operation("is not null", (Property(A, "b"),))),
        ("exists(n.prop)", Operation("is not null", (Property(N, "prop"),))),
        ("x in [1, 'a', true, [2.5]]", Operation("in", (X, Items((Number(1), Text("a"), Boolean(True), Items((Number(2.5),))))))),
        ("[a, 1]", List((A, Number(1)))),
        ("[null]", List((Null(),))),
        ("[]", Items(())),
        ("x[0]", Element(X, Number(0))),
        ("x[1..3]", Slice(X, Number(1), Number(3))),
        ("x[..-1]", Slice(X, None, Number(-1))),
        ("{a: 1, `b c`: x}", Map((Entry("a", Number(1)), Entry("b c", X)))),
        ("n {.name, a, other: 1}", Map((Entry("name", Property(N, "name")), Entry("a", A), Entry("other", Number(1))))),
        ("n:A:B", Labelled(N, ("A", "B"))),
        ("n:A|B", Operation("or", (Labelled(N, ("A",)), Labelled(N, ("B",))))),
        ("count(*)", Apply("count")),
        ("Count(DISTINCT n)", Apply("count", (N,), distinct=True)),
        ("toLower(n.name)", Apply("tolower", (Property(N, "name"),))),
        ("date('2020-01-01').year", Property(Apply("date", (Text("2020-01-01"),)), "year")),
        ("duration.between(a, b)", Apply("duration.between", (A, B))),
        ("gt.PageRank()", Call("PageRank")),
        ("gt.Top(gt.Nodes('x'), 'y', {k: 3})", Call("Top", (Call("Nodes", (Text("x"),)), Text("y")), (("k", Number(3)),))),
        ("gt.NodeRef('paper', '12')", NodeRef("paper", "12")),
        ("[x IN a WHERE x > 1 | x + 1]", Comprehension("x", A, Operation(">", (X, Number(1))), Operation("+", (X, Number(1))))),
        ("[x IN a]", Comprehension("x", A)),
        ("[x IN a WHERE x:A | x]", Comprehension("x", A, Labelled(X, ("A",)), X)),
        ("[(x IN a)]", List((Operation("in", (X, A)),))),
        ("any(x IN a WHERE x = 1)", Quantified("any", "x", A, Operation("=", (X, Number(1))))),
        ("`any`(x)", Apply("any", (X,))),
        ("reduce(b = 0, x IN a | b + x)", Reduce("b", Number(0), "x", A, Operation("+", (B, X)))),
        ("CASE WHEN a THEN 1 ELSE 2 END", Case((Branch(A, Number(1)),), None, Number(2))),
        ("CASE a WHEN 1 THEN 2 END", Case((Branch(Number(1), Number(2)),), A)),
        ("(a)-->(b)", exists(EdgePattern())),
        ("NOT (a)<--(b)", Operation("not", (exists(EdgePattern(way="in")),))),
        ("exists((a)-[:R]-(b))", exists(EdgePattern("", ("R",), "both"))),
        ("(a) - (b)", Operation("-", (A, B))),
        ("(a) < -(b)", Operation("<", (A, Operation("negative", (B,))))),
        ("(a) - [b]", Operation("-", (A, List((B,))))),
        ("0x1F", Number(31)),
        ("1.5e-3", Number(0.0015)),
        (".5", Number(0.5)),
        ("1e3", Number(1000.0)),
        (r"'it\'s \"é\n\u00e9'", Text('it\'s "é\né')),
        ('"it\'s // no comment"', Text("it's // no comment")),
        ("/* a ' quote */ 1 // and an ( open one", None),
        ("order.limit", Property(Variable("order"), "limit")),
        ("count", Variable("count")),
        ("n.match", Property(N, "match")),
        ("$p", Parameter("p")),
        ("$`a b`", Parameter("a b")),
    ],
)  # fmt: skip
def test_values(text: str, meaning: Term | None) -> None:
    if meaning is not None:
        assert term(text) == meaning
    else:
        assert parse_query(f"RETURN {text}\n") == parse_query("RETURN 1 AS `1`")


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("-->", EdgePattern()),
        ("<--", EdgePattern(way="in")),
        ("--", EdgePattern(way="both")),
        ("<-->", EdgePattern(way="both")),
        ("-[r:`A b`|:C {x: 1}]->", EdgePattern("r", ("A b", "C"), properties=(Entry("x", Number(1)),))),
        ("-[*]->", EdgePattern(several=True)),
        ("-[*2]->", EdgePattern(several=True, fewest=2, most=2)),
        ("-[*2..]->", EdgePattern(several=True, fewest=2)),
        ("-[*..3]->", EdgePattern(several=True, most=3)),
        ("-[r:R*0..3]->", EdgePattern("r", ("R",), several=True, fewest=0, most=3)),
        ("-[:R]->+", EdgePattern("", ("R",), several=True)),
        ("-[:R]->{2,4}", EdgePattern("", ("R",), several=True, fewest=2, most=4)),
    ],
)
def test_edges(text: str, meaning: EdgePattern) -> None:
    assert edge(text) == meaning


def test_patterns_as_values() -> None:
    path = Pattern((NodePattern("a"), NodePattern("b")), (EdgePattern(),))
    assert term("[(a)-->(b) WHERE a.x | b.y]") == PatternComprehension(
        path, Property(B, "y"), Property(A, "x")
    )
    named = Pattern(path.nodes, path.edges, "p")
    assert term("[p = (a)-->(b) | p]") == PatternComprehension(named, Variable("p"))
    assert term("size((a)-->(b))") == Subquery("count", exists(EdgePattern()).query)
    assert term("COUNT { (a)-->(b) }") == Subquery("count", exists(EdgePattern()).query)
    assert term("EXISTS { MATCH (a)-->(b) }") == exists(EdgePattern())
    assert term("collect { MATCH (a) RETURN a }").keeps == "collect"  # type: ignore[union-attr]
    assert pattern("p = shortestPath((a)-[*]-(b))") == Pattern(
        path.nodes, (EdgePattern(way="both", several=True),), "p", "one"
    )
    assert pattern("allShortestPaths((a)-[*]-(b))").shortest == "all"


def test_conditions_inside_of_patterns_become_conditions_of_the_match() -> None:
    read = parse_query("MATCH (a:A:B WHERE a.x)-[r WHERE r.y]->(b) WHERE b.z RETURN a").parts[0].clauses[0]
    plain = parse_query("MATCH (a:A)-[r]->(b) WHERE a:B AND a.x AND r.y AND b.z RETURN a").parts[0].clauses[0]
    assert read == plain


def test_a_column_without_a_name_is_called_as_it_was_written() -> None:
    read = parse_query("RETURN n.name, count( * ), (a), `b c` ORDER BY n.name").parts[0].clauses[0]
    assert isinstance(read, Return)
    assert [column.name for column in read.projection.columns] == ["n.name", "count( * )", "(a)", "b c"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("CREATE (n)", "column 1: CREATE writes"),
        ("MATCH (n)\nSET n.x = 1", "line 2, column 1: SET writes. Only reading is possible: MATCH"),
        ("MATCH (n) DETACH DELETE n", "DETACH writes"),
        ("MERGE (n) RETURN n", "MERGE writes"),
        ("MATCH (n) REMOVE n:A", "REMOVE writes"),
        ("MATCH (n) FOREACH (x IN [1] | SET n.x = x)", "FOREACH writes"),
        ("MATCH (n) RETURN n; DROP INDEX x", "DROP writes"),
        ("MATCH (n) CALL { RETURN 1 }", "CALL is not supported"),
        ("LOAD CSV FROM 'x' AS y RETURN y", "LOAD is not supported"),
        ("USE x MATCH (n) RETURN n", "USE is not supported"),
        ("MATCH (n)", "ends without RETURN"),
        ("MTACH (n) RETURN n", "found `MTACH`, expected MATCH.*Did you mean MATCH"),
        ("MATCH (n {a: 1) RETURN n", r"column 15: `\)` cannot close the `{` of line 1, column 10"),
        ("MATCH (n RETURN n", r"column 7: this `\(` is not closed"),
        ("MATCH (n)) RETURN n", r"column 10: `\)` closes nothing"),
        ("RETURN 'Schindler's List'", "this quote is not closed"),
        ("RETURN “a”", "not one of Cypher's"),
        ("RETURN /* 1", "comment is not closed"),
        ("RETURN 1 == 2", "column 11: write one ="),
        ("RETURN 1 != 2", "write <>"),
        ("MATCH (n) WHERE 1 NOT IN [2] RETURN n", "NOT stands before a condition"),
        ("MATCH (n) RETURN n GROUP BY n", "no GROUP BY"),
        ("RETURN 1 LIMIT", "found the end of the text, expected a value"),
        ("RETURN 1 AS", "expected a name"),
        ("RETURN sum(*)", r"only in count\(\*\)"),
        ("RETURN 1 UNION RETURN 2 UNION ALL RETURN 3", "UNION and UNION ALL"),
        ("MATCH (n $p) RETURN n", "cannot stand for all properties"),
        ("MATCH (:A:B) RETURN 1", "needs a variable"),
        ("RETURN gt.Top(n.x)", "takes literals"),
        ("RETURN " + "(" * 1000 + "1" + ")" * 1000, "more than 200 brackets"),
        ("RETURN " + "[" * 1000 + "]" * 1000, "more than 200 brackets"),
        ("RETURN " + "NOT " * 2_000 + "x", "more than 80 operations"),
        ("RETURN " + "-" * 5_000 + "x", "more than 80 operations"),
        ("RETURN x" + ".y" * 5_000, "more than 80 operations"),
        ("RETURN " + "1+" * 5_000 + "1", "more than 80 operations"),
        ("RETURN " + "9" * 5000, "more than 4000 digits"),
    ],
)
def test_what_cannot_be_read_is_refused_in_plain_words(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        parse_query(text)


@pytest.mark.parametrize("sign", "([{'\"`-<>*|=.,:&!@#\\\ue000\ue001\ue002")
def test_long_runs_of_a_sign_end_in_an_error(sign: str) -> None:
    with pytest.raises(ParseError):
        parse_query("RETURN 1 " + sign * 100_000)


def test_long_lists_of_conditions_do_not_nest_deep() -> None:
    query = parse_query("MATCH (n) WHERE " + " OR ".join(f"n.x = {i}" for i in range(1000)) + " RETURN n")
    assert query == parse_query(
        "MATCH (n) WHERE " + " OR ".join(f"n.x = {i}" for i in range(1000)) + " RETURN n"
    )


def test_the_kept_tables_are_those_of_the_grammar() -> None:
    kept = json.loads(files("graphtalk.calls.cypher").joinpath("tables.json").read_text("utf-8"))
    assert kept["grammar"] == tables.digest(), "run python scripts/cypher_tables.py --write"
    text = "MATCH (a)-[:R*1..2]->(b) WHERE (a)-->(b) AND any(x IN a.xs WHERE x > 1) RETURN a.x AS end"
    built = lark.Lark(
        files("graphtalk.calls.cypher").joinpath("grammar.lark").read_text("utf-8"), parser="lalr"
    )
    assert tables.parser().parse(marked(text)) == built.parse(marked(text))
