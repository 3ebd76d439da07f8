"""A run as a picture: a frame for each round, with the states of all nodes and the messages that were sent (SVG)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from graphtalk.core import UsageError
from graphtalk.graphs import Graph
from graphtalk.graphs.drawing import cut, escape, layout
from graphtalk.reasoners.graph_agents.transcript import in_short, shown, states_of
from graphtalk.vertex import Round

MOST_NODES = 30
MOST_FRAMES = 12  # the first, and the last of a longer run
_SIDE, _EDGE, _ACROSS = 260, 34, 3
_MOST_FIELDS = 2  # of a state that stand beside a node


@dataclass(frozen=True)
class Frame:
    """A round: its title, all states after it, the nodes that changed, and who told whom."""

    title: str
    states: Mapping[int, Mapping[str, Any]]
    changed: frozenset[int]
    told: frozenset[tuple[int, int]]


@dataclass
class Frames:
    """Hears the rounds of a run, and draws them."""

    graph: Graph | None = None
    frames: list[Frame] = field(default_factory=list)

    def hear(self, one: Round) -> None:
        """Keep a round; one of another run than before begins anew."""
        graph = one.bound.graph
        if one.number == 1 or graph is not self.graph:
            self.graph, self.frames = graph, []
        if graph.num_nodes > MOST_NODES:
            return
        states = states_of(one)
        before = self.frames[-1].states if self.frames else {}
        changed = frozenset(node for node, fields in states.items() if before.get(node) != fields)
        told = frozenset((m.sender, m.receiver) for m in one.report.messages)
        phase = f", {one.phase}" if one.phase else ""
        title = f"Round {one.number}{phase}: {in_short(one)}"
        if len(self.frames) == MOST_FRAMES:
            self.frames.pop()  # the last place is the latest round's
        self.frames.append(Frame(title, states, changed, told))

    def svg(self) -> str:
        """The picture. Raises UsageError where no program ran, or the graph is too large to be drawn."""
        if self.graph is None:
            raise UsageError("There is nothing to draw: the problem was solved without rounds.")
        if not self.frames:
            many = f"The graph has {self.graph.num_nodes:,} nodes"
            raise UsageError(f"{many}; rounds are drawn of {MOST_NODES} at most. See them by --trace.")
        ends = [self.graph.ends(position) for position in range(len(self.graph.schema.relations))]
        edges = [(int(s), "", int(t)) for source, target in ends for s, t in zip(source, target, strict=True)]
        places = layout(self.graph.num_nodes, edges) * (_SIDE - 2 * _EDGE) + _EDGE
        rows = -(-len(self.frames) // _ACROSS)
        width, height = _ACROSS * _SIDE, rows * (_SIDE + 24)
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img"'
            ' aria-label="rounds" style="max-width:100%" font-family="sans-serif" font-size="10">'
        ]
        for number, frame in enumerate(self.frames):
            row, column = divmod(number, _ACROSS)
            parts.append(f'<g transform="translate({column * _SIDE},{row * (_SIDE + 24)})">')
            parts.append(
                f'<text x="8" y="14" fill="currentColor" font-weight="bold">{escape(cut(frame.title, 48))}</text>'
            )
            parts += self._frame(frame, edges, places + np.array([0, 20]))
            parts.append("</g>")
        return "".join(parts) + "</svg>"

    def _frame(self, frame: Frame, edges: list[tuple[int, str, int]], places: Any) -> list[str]:
        assert self.graph is not None
        parts = []
        for source, _, target in edges:
            heard = (source, target) in frame.told or (target, source) in frame.told
            (x1, y1), (x2, y2) = places[source], places[target]
            stroke = 'stroke="#f58518" stroke-width="2"' if heard else 'stroke="#999"'
            parts.append(f'<line x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}" {stroke}/>')
        for node, fields in frame.states.items():
            x, y = places[node]
            told = ", ".join(f"{name} {shown(value)}" for name, value in fields.items())
            few = ", ".join(cut(shown(value), 12) for value in [*fields.values()][:_MOST_FIELDS])
            label, fill = self.graph.label(node), "#f58518" if node in frame.changed else "#4c78a8"
            parts.append(
                f'<g><circle cx="{x:.0f}" cy="{y:.0f}" r="6" fill="{fill}"><title>{escape(f"{label}: {told}")}</title>'
                f'</circle><text x="{x:.0f}" y="{y - 9:.0f}" text-anchor="middle" fill="currentColor">'
                f'{escape(cut(label, 14))}</text><text x="{x:.0f}" y="{y + 17:.0f}" text-anchor="middle" fill="#888">'
                f"{escape(few)}</text></g>"
            )
        return parts
