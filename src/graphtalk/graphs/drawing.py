"""Drawings of graphs: a layout by forces, as SVG without script or network, every text escaped."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape as _escape
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from graphtalk.core import Evidence
from graphtalk.core.text import visible
from graphtalk.graphs.sample import sample

if TYPE_CHECKING:
    from graphtalk.graphs.graph import Graph

MOST_NODES = 60
MOST_NAMED_EDGES = 40
ROUNDS = 200
PALETTE = ("#4c78a8", "#f58518", "#54a24b", "#b279a2", "#e45756", "#72b7b2", "#9d755d", "#eeca3b")
_SAMPLE = 24  # nodes of the drawing of a whole graph in a notebook
_MOST_ROWS = 40
_STYLE = (
    ":root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;margin:1rem 0}td,th{padding:.2rem .8rem .2rem 0;border-bottom:1px solid #8884}"
)


def escape(text: str) -> str:
    """A text of a graph or a model for HTML: no markup, and nothing that turns the direction of writing."""
    return _escape(visible(text))


@dataclass(frozen=True)
class Drawing:
    """Nodes and edges to draw. `edges` are (source, relation, target) with positions in `labels`."""

    labels: tuple[str, ...]
    kinds: tuple[str, ...]
    edges: tuple[tuple[int, str, int], ...]
    left_out: int = 0
    both_ways: frozenset[str] = frozenset()


def draw(evidence: Evidence, graph: "Graph | None" = None) -> Drawing:
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


def _label(graph: "Graph | None", index: int | None, node: str) -> str:
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


def places(drawing: Drawing) -> tuple[NDArray[np.float64], int, int]:
    """Where the nodes are drawn, shape (nodes, 2), and the width and height of the whole without its legend."""
    count = len(drawing.labels)
    width = max(760, int(105 * count**0.5))  # so that most names have room beside each other
    height = 140 + min(14 * count, int(0.6 * width))
    return layout(count, drawing.edges) * [width - 200, height - 60] + [100, 30], width, height


def colours(drawing: Drawing) -> dict[str, str]:
    """A colour for each node type."""
    return {kind: PALETTE[i % len(PALETTE)] for i, kind in enumerate(dict.fromkeys(drawing.kinds))}


def to_svg(drawing: Drawing, highlighted: frozenset[str] = frozenset()) -> str:
    """The drawing as SVG; nodes whose label is `highlighted` stand out."""
    points, width, height = places(drawing)
    of_kind = colours(drawing)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + 24}" width="{width}"'
        f' role="img" aria-label="evidence" style="max-width:100%" font-family="sans-serif" font-size="12">',
        '<defs><marker id="gt-arrow" viewBox="0 0 8 8" refX="16" refY="4" markerWidth="7" markerHeight="7"'
        ' orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="#999"/></marker></defs>',
    ]
    named = len(drawing.edges) <= MOST_NAMED_EDGES
    lines += [_edge(points, edge, named, edge[1] not in drawing.both_ways) for edge in drawing.edges]
    for place, label, kind in zip(points, drawing.labels, drawing.kinds, strict=True):
        lines.append(_node(place, label, kind, of_kind[kind], label in highlighted))
    lines.append(_legend(of_kind, drawing.left_out, height))
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
        f' font-size="10">{escape(cut(relation))}</text>'
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
        f"{escape(cut(label))}</text></g>"
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


def cut(text: str, most: int = 28) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def draw_graph(graph: "Graph", most: int = MOST_NODES) -> Drawing:
    """What to draw of a graph: all of it, or where it has more than `most` nodes some edges of every relation."""
    shown = sample(graph, most)
    place = {node: position for position, node in enumerate(shown.nodes.tolist())}
    names = [graph.schema.relations[r].name for r in graph.relation_positions(shown.edges).tolist()]
    sources, targets = (end.tolist() for end in graph.ends_of(shown.edges))
    joined = tuple((place[s], name, place[t]) for s, name, t in zip(sources, names, targets, strict=True))
    kinds = tuple(graph.node_type(node).name for node in place)
    both_ways = frozenset(r.name for r in graph.schema.relations if r.undirected)
    left_out = graph.num_nodes - len(place)
    return Drawing(tuple(graph.labels(place)), kinds, joined, left_out, both_ways)


def graph_html(graph: "Graph", most: int = _SAMPLE) -> str:
    """A graph as a notebook shows it: its types and relations with counts and features, and a drawing of some of it."""
    types = [(t.name, f"{t.count:,}", ", ".join(f.name for f in t.features)) for t in graph.schema.node_types]
    relations = [
        (r.name, f"{r.source} {'–' if r.undirected else '→'} {r.target}", f"{r.count:,}")
        for r in graph.schema.relations
    ]
    head = f"{graph.name}: {graph.num_nodes:,} nodes, {graph.num_edges:,} edges"
    parts = [f"<p><b>{escape(head)}</b></p>", _table(("node type", "nodes", "features"), types)]
    parts.append(_table(("relation", "between", "edges"), relations))
    if graph.num_nodes:
        parts.append(to_svg(draw_graph(graph, most)))
    return f'<div class="graphtalk-graph">{"".join(parts)}</div>'


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def cells(row: Sequence[str], tag: str) -> str:
        return "".join(f'<{tag} style="text-align:left">{escape(cut(cell, 200))}</{tag}>' for cell in row)

    shown = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in rows[:_MOST_ROWS])
    left = len(rows) - _MOST_ROWS
    more = f"<tr><td>and {left:,} more</td></tr>" if left > 0 else ""
    return f"<table><thead><tr>{cells(head, 'th')}</tr></thead><tbody>{shown}{more}</tbody></table>"


def page(body: str, title: str) -> str:
    """HTML that stands alone: no script, and nothing that is fetched."""
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n<body>\n{body}\n</body>\n</html>\n"
    )
