"""Names of a schema: exact, else the only one that is spelt alike."""

from graphtalk.engines.naming import node_column, pick
from graphtalk.graphs.schema import Feature, NodeType


def test_an_exact_name_wins_and_a_folded_one_counts_where_only_one_fits() -> None:
    assert pick("COUNTRY_", ["country", "city"]) == "country"
    assert pick("actedIn", ["ACTED_IN", "directed"]) == "ACTED_IN"
    assert pick("Acted-in", ["ACTED_IN", "acted in"]) is None
    assert pick("acted in", ["ACTED_IN", "acted in"]) == "acted in"
    assert pick("acted", ["ACTED_IN"]) is None


def test_name_and_id_of_a_node_are_columns() -> None:
    def of(label: str, *features: str) -> list[str | None]:
        t = NodeType("User", 1, 0, label, tuple(Feature(f, "text") for f in features))
        return [node_column(t, "name"), node_column(t, "id"), node_column(t, "age")]

    assert of("") == ["id", "id", None]
    assert of("handle", "handle", "user id") == ["handle", "user id", None]
    assert of("handle", "handle", "name", "age") == ["name", "id", "age"]
    assert of("", "ID") == ["id", "ID", None]
