"""An answer as a notebook shows it: its text, a drawing of its evidence, and the calls that led to it.

The drawing is one self-contained SVG: no script, no network, every text escaped.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from html import escape as _escape

import numpy as np
from numpy.typing import NDArray

from graphtalk.core import JSON, Answer, Evidence
from graphtalk.core.text import visible
from graphtalk.graphs import Graph

MOST_NODES = 60
MOST_NAMED_EDGES = 40
MOST_CALLS = 20
ROUNDS = 200
PALETTE = ("#4c78a8", "#f58518", "#54a24b", "#b279a2", "#e45756", "#72b7b2", "#9d755d", "#eeca3b")


def escape(text: str) -> str:
    """A text of a graph or a model for HTML: no markup, and nothing that turns the direction of writing."""
    return _escape(visible(text))


@dataclass(frozen=True)
class GraphAnswer(Answer):
    """An answer that knows its graph, so that a notebook can draw its evidence by names, not ids.

    `question` is what a follow-up was understood as; empty where it was asked as it stands.
    """

    graph: Graph | None = field(default=None, repr=False, compare=False)
    question: str = field(default="", compare=False)

    @classmethod
    def of(cls, answer: Answer, graph: Graph, question: str = "") -> "GraphAnswer":
        """The same answer, with its graph."""
        known = {f.name: getattr(answer, f.name) for f in fields(Answer)}
        return cls(**known, graph=graph, question=question)

    def _repr_html_(self) -> str:
        understood = f'<p style="opacity:.7">({escape(self.question)})</p>' if self.question else ""
        return understood + to_html(self, self.graph)

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> dict[str, str]:  # IPython passes both
        return {"text/plain": visible(self.text), "text/html": self._repr_html_()}


@dataclass(frozen=True)
class Drawing:
    """Nodes and edges to draw. `edges` are (source, relation, target) with positions in `labels`."""

    labels: tuple[str, ...]
    kinds: tuple[str, ...]
    edges: tuple[tuple[int, str, int], ...]
    left_out: int = 0
    both_ways: frozenset[str] = frozenset()


def to_html(answer: Answer, graph: Graph | None = None) -> str:
    """The whole answer as HTML."""
    parts = [f'<p style="font-size:1.1em"><b>{escape(answer.text)}</b></p>']
    parts += [f"<p>{escape(remark)}</p>" for remark in answer.remarks if remark not in answer.text]
    if answer.near:
        parts.append(f"<ul>{''.join(f'<li>{escape(near)}</li>' for near in answer.near)}</ul>")
    drawing = draw(answer.evidence, graph)
    if drawing.labels:
        parts.append(to_svg(drawing, highlighted=_names(answer.value)))
    if answer.calls:
        parts.append(_calls_table(answer))
    return f'<div class="graphtalk-answer">{"".join(parts)}</div>'


def draw(evidence: Evidence, graph: Graph | None = None) -> Drawing:
    """What to draw of `evidence`: MOST_NODES nodes at most, those with edges first."""
    ends = (end for source, _, target in evidence.edges for end in (source, target))
    everything = list(dict.fromkeys([*ends, *evidence.nodes]))
    place = {node: position for position, node in enumerate(everything[:MOST_NODES])}
    edges = tuple(
        (place[source], relation, place[target])
        for source, relation, target in dict.fromkeys(evidence.edges)
        if source in place and target in place
    )
    known = [graph.find(node) if graph is not None else None for node in place]
    labels = [_label(graph, index, node) for index, node in zip(known, place, strict=True)]
    kinds = ["" if graph is None or index is None else graph.node_type(index).name for index in known]
    relations = graph.schema.relations if graph is not None else ()
    both_ways = frozenset(r.name for r in relations if r.undirected)
    return Drawing(tuple(labels), tuple(kinds), edges, len(everything) - len(place), both_ways)


def _label(graph: Graph | None, index: int | None, node: str) -> str:
    return node if graph is None or index is None else graph.label(index)


def layout(count: int, edges: Sequence[tuple[int, str, int]]) -> NDArray[np.float64]:
    """Positions in the unit square, shape (count, 2): force-directed, the same every time.

    Source: Fruchterman and Reingold, Graph drawing by force-directed placement (1991).
    """
    angles = np.arange(count) * np.pi * (3 - np.sqrt(5))  # golden angle: no two nodes start close together
    points = np.sqrt(np.arange(1, count + 1) / max(count, 1))[:, None] * np.c_[np.cos(angles), np.sin(angles)]
    joined = np.zeros((count, count))
    for source, _, target in edges:
        if source != target:
            joined[source, target] = joined[target, source] = 1
    distance = 1 / np.sqrt(max(count, 1))
    for heat in np.linspace(0.2, 0.005, ROUNDS):
        apart = points[:, None] - points[None]
        length = np.maximum(np.linalg.norm(apart, axis=2), 0.01)
        force = distance**2 / length**2 - joined * length / distance
        move = (apart * force[..., None]).sum(axis=1) - 0.3 * points
        size = np.maximum(np.linalg.norm(move, axis=1, keepdims=True), 1e-9)
        points = points + move / size * np.minimum(size, heat)
    low = points.min(axis=0, initial=0)
    span = np.maximum(points.max(axis=0, initial=0) - low, 1e-9)
    return (points - low) / span  # type: ignore[no-any-return]


def to_svg(drawing: Drawing, highlighted: frozenset[str] = frozenset()) -> str:
    """The drawing as SVG; nodes whose label is `highlighted` stand out."""
    count = len(drawing.labels)
    width, height = 760, 140 + min(460, 14 * count)
    places = layout(count, drawing.edges) * [width - 200, height - 60] + [100, 30]
    colours = {kind: PALETTE[i % len(PALETTE)] for i, kind in enumerate(dict.fromkeys(drawing.kinds))}
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + 24}" width="{width}"'
        f' role="img" aria-label="evidence" style="max-width:100%" font-family="sans-serif" font-size="12">',
        '<defs><marker id="gt-arrow" viewBox="0 0 8 8" refX="16" refY="4" markerWidth="7" markerHeight="7"'
        ' orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="#999"/></marker></defs>',
    ]
    named = len(drawing.edges) <= MOST_NAMED_EDGES
    lines += [_edge(places, edge, named, edge[1] not in drawing.both_ways) for edge in drawing.edges]
    for place, label, kind in zip(places, drawing.labels, drawing.kinds, strict=True):
        lines.append(_node(place, label, kind, colours[kind], label in highlighted))
    lines.append(_legend(colours, drawing.left_out, height))
    return "".join(lines) + "</svg>"


def _edge(places: NDArray[np.float64], edge: tuple[int, str, int], named: bool, arrow: bool) -> str:
    source, relation, target = edge
    (x1, y1), (x2, y2) = places[source], places[target]
    title = f"<title>{escape(relation)}</title>"
    if source == target:
        return f'<circle cx="{x1:.0f}" cy="{y1 - 12:.0f}" r="10" fill="none" stroke="#999">{title}</circle>'
    head = ' marker-end="url(#gt-arrow)"' if arrow else ""
    line = f'<line x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}" stroke="#999"{head}>{title}</line>'
    text = (
        f'<text x="{(x1 + x2) / 2:.0f}" y="{(y1 + y2) / 2 - 3:.0f}" text-anchor="middle" fill="#888"'
        f' font-size="10">{escape(_cut(relation))}</text>'
    )
    return line + (text if named else "")


def _node(place: NDArray[np.float64], label: str, kind: str, colour: str, highlighted: bool) -> str:
    x, y = place
    ring = ' stroke="currentColor" stroke-width="2.5"' if highlighted else ""
    weight = ' font-weight="bold"' if highlighted else ""
    return (
        f'<g><circle cx="{x:.0f}" cy="{y:.0f}" r="7" fill="{colour}"{ring}>'
        f"<title>{escape(f'{label} ({kind})' if kind else label)}</title></circle>"
        f'<text x="{x:.0f}" y="{y + 20:.0f}" text-anchor="middle" fill="currentColor"{weight}>'
        f"{escape(_cut(label))}</text></g>"
    )


def _legend(colours: dict[str, str], left_out: int, height: int) -> str:
    named = [(kind, colour) for kind, colour in colours.items() if kind]
    texts = [
        f'<tspan fill="{colour}">● </tspan><tspan fill="#666">{escape(kind)}  </tspan>'
        for kind, colour in named
    ]
    if left_out:
        texts.append(f'<tspan fill="#666">and {left_out:,} more nodes</tspan>')
    return f'<text x="12" y="{height + 14}" xml:space="preserve">{"".join(texts)}</text>'


def _calls_table(answer: Answer) -> str:
    rows = "".join(
        f"<tr><td style='text-align:left'><code>{escape(call.spelling)}</code></td>"
        f"<td style='text-align:left'>{escape(_cut(str(call.result), 120))}</td>"
        f"<td>{call.seconds * 1000:.1f} ms</td></tr>"
        for call in answer.calls[:MOST_CALLS]
    )
    more = len(answer.calls) - MOST_CALLS
    rest = f"<tr><td colspan='3'>and {more} more</td></tr>" if more > 0 else ""
    head = "<tr><th>call</th><th>result</th><th>time</th></tr>"
    return f"<details><summary>{len(answer.calls)} calls</summary><table>{head}{rows}{rest}</table></details>"


def _names(value: JSON) -> frozenset[str]:
    return frozenset(v for v in (value if isinstance(value, list) else [value]) if isinstance(v, str))


def _cut(text: str, most: int = 28) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
