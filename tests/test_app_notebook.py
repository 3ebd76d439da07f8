"""An answer in a notebook: well-formed, escaped, self-contained, and small."""

import re
from xml.etree import ElementTree

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphtalk.app import notebook
from graphtalk.core import Answer, CallRecord, Evidence
from graphtalk.graphs import EdgeTable, Graph, NodeTable, build
from graphtalk.graphs import drawing as drawing_of

SVG = "{http://www.w3.org/2000/svg}"
nodes = st.text(st.characters(codec="utf-8", categories=("L", "P", "S", "N", "Z")), min_size=1, max_size=8)


@pytest.fixture
def people() -> Graph:
    table = pa.table({"id": ["p1", "p2", "p3"], "name": ["Ann", "Bob <script>", "Cy & Co"]})
    knows = EdgeTable("knows", "person", "person", np.array([0, 1]), np.array([1, 2]))
    return build([NodeTable("person", table, "name")], [knows])


def svg_of(html: str) -> ElementTree.Element:
    found = re.search(r"<svg.*</svg>", html, re.DOTALL)
    assert found
    return ElementTree.fromstring(found[0])


def test_an_answer_shows_its_text_its_evidence_by_name_and_its_calls(people: Graph) -> None:
    answer = Answer(
        True,
        "Bob <script>",
        ["Bob <script>"],
        Evidence(("p1", "p2"), (("p1", "knows", "p2"),)),
        (CallRecord('NeighbourCheck["Ann", "knows"]', ["Bob <script>"], 0.001),),
    )
    html = notebook.GraphAnswer.of(answer, people)._repr_html_()
    assert "<script>" not in html
    texts = [element.text for element in svg_of(html).iter(f"{SVG}text")]
    assert {"Ann", "Bob <script>", "knows"} <= set(texts)
    assert "NeighbourCheck[&quot;Ann&quot;, &quot;knows&quot;]" in html
    bold = [e.text for e in svg_of(html).iter(f"{SVG}text") if e.get("font-weight") == "bold"]
    assert bold == ["Bob <script>"]


def test_what_a_model_predicted_is_told_once() -> None:
    remark = "predicted by bpr <Hit@10>"
    for text in ("i5", f"i5 (what u3 would choose) {remark}"):
        html = notebook.to_html(Answer(True, text, "i5", remarks=(remark,)))
        assert html.count("predicted by bpr &lt;Hit@10&gt;") == 1


def test_it_keeps_all_that_the_answer_had(people: Graph) -> None:
    answer = Answer(True, "42", 42, usage={"calls": 1.0}, near=("x",))
    shown = notebook.GraphAnswer.of(answer, people)
    assert (shown.text, shown.value, shown.usage, shown.near) == ("42", 42, {"calls": 1.0}, ("x",))
    assert shown._repr_mimebundle_()["text/plain"] == "42"


@given(st.lists(st.tuples(nodes, nodes, nodes), max_size=120))
def test_any_evidence_draws_as_well_formed_svg_that_loads_nothing(edges: list[tuple[str, str, str]]) -> None:
    ids = dict.fromkeys(end for s, _, t in edges for end in (s, t))
    drawing = drawing_of.draw(Evidence(tuple(ids), tuple(edges)))
    svg = drawing_of.to_svg(drawing)
    root = ElementTree.fromstring(svg)
    assert len(drawing.labels) == min(len(ids), drawing_of.MOST_NODES)
    assert drawing.left_out == len(ids) - len(drawing.labels)
    assert not list(root.iter(f"{SVG}script"))
    assert not [a for e in root.iter() for a in e.attrib if a.rpartition("}")[2] in ("href", "src")]
    assert all(v.startswith("url(#") for e in root.iter() for v in e.attrib.values() if "url(" in v)
    groups = list(root.iter(f"{SVG}g"))
    assert len(groups) == len(drawing.labels)


def test_the_layout_is_the_same_every_time_and_keeps_nodes_apart() -> None:
    ring = [(i, "next", (i + 1) % 12) for i in range(12)]
    places = drawing_of.layout(12, ring)
    assert np.array_equal(places, drawing_of.layout(12, ring))
    assert places.min() >= 0
    assert places.max() <= 1
    gaps = np.linalg.norm(places[:, None] - places[None], axis=2)[~np.eye(12, dtype=bool)]
    assert gaps.min() > 0.1


def test_what_could_be_answered_is_said_once() -> None:
    """An answer that declines has its readings in its text already."""
    shown = notebook.to_html(Answer(False, "Did you mean: 1. all cities.", near=("all cities", "all rivers")))
    assert shown.count("all cities") == 1 and shown.count("all rivers") == 1
