"""What an agent is told: its number, its edges, the parameters, the totals of the round, its state."""

from graphtalk.reasoners.graph_agents.replies import Act
from graphtalk.reasoners.graph_agents.transcript import shown
from graphtalk.vertex import Bound, Moment
from graphtalk.vertex.language.types import outward


def known(bound: Bound, node: int, moment: Moment) -> str:
    """What a node knows: its number, its edges, the parameters, the totals of the round."""
    lines = [f"Node Id: {node}"]
    for name in bound.used_columns:
        if name != "id":
            lines.append(f"{name}: {shown(float(bound.column(name)[node]))}")
    arcs = bound.arcs(bound.program.phases[moment.phase].send.along)
    row = slice(int(arcs.sender_ptr[node]), int(arcs.sender_ptr[node + 1]))
    lines.append("Neighbours that you send to:")
    for place, to in enumerate(arcs.receivers[row].tolist()):
        values = ", ".join(
            f"{name} {shown(float(column[row][place]))}" for name, column in arcs.attributes.items()
        )
        lines.append(f"- Node {to}" + (f" ({values})" if values else ""))
    shared = {
        "n": bound.n,
        **{name: outward(bound.values[name], p.type) for name, p in bound.program.parameters.items()},
    }
    told = ", ".join(f"{name} = {shown(value)}" for name, value in {**shared, **moment.totals}.items())
    return "\n".join([*lines, f"Known to all: {told}"])


def phase_text(bound: Bound, phase: int) -> str:
    """The name of the phase, where there are several."""
    phases = bound.program.phases
    return f" of the phase {phases[phase].name!r}" if len(phases) > 1 else ""


def receivers(bound: Bound, node: int, phase: int) -> list[int]:
    """The nodes that a node may send to in a phase."""
    arcs = bound.arcs(bound.program.phases[phase].send.along)
    return [int(v) for v in arcs.receivers[int(arcs.sender_ptr[node]) : int(arcs.sender_ptr[node + 1])]]


def told(act: Act) -> str:
    """An act in one line."""
    sent = "; ".join(
        f"to {m.receiver}: " + ", ".join(f"{k} {shown(v)}" for k, v in m.fields.items()) for m in act.messages
    )
    fields = ", ".join(f"{name} {shown(value)}" for name, value in act.state.fields.items())
    return f"state {fields} and messages {sent or 'none'}"
