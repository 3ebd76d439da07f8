"""An example of one step of a card, worked out by running it, in the words that an agent is shown."""

from collections.abc import Mapping, Sequence
from typing import Any

from graphtalk.vertex.binding import bind
from graphtalk.vertex.example import Example
from graphtalk.vertex.program import Program
from graphtalk.vertex.small import small_graph
from graphtalk.vertex.stepper import Message, Moment, NodeState, Stepper


def worked_example(program: Program, example: Example) -> str:
    """The first node of the example that receives a message in the first round: its input and its output."""
    from graphtalk.vertex.engines.objects import ObjectExecution
    from graphtalk.vertex.run import totals_of

    graph = small_graph(example.nodes, example.edges, example.directed, example.node_weights)
    bound = bind(program, graph, example.parameters)
    execution = ObjectExecution(bound)
    if program.repeat is not None and program.repeat.each:
        execution.choose(program.repeat.each, 0)
    execution.initialise()
    stepper = Stepper(bound)
    stepper.world.update({program.repeat.each: 0} if program.repeat and program.repeat.each else {})
    execution.enter(0)
    states = [stepper.enter(node, stepper.init(node)) for node in range(example.nodes)]
    for round in range(1, example.nodes + 2):
        moment = Moment(round=round, totals=totals_of(bound, execution, round))
        messages = [m for node, state in enumerate(states) for m in stepper.send(node, state, moment)]
        if messages:
            break
        states = [stepper.update(node, state, [], moment) for node, state in enumerate(states)]
        execution.step(0, round)
    else:
        return ""
    receiver = messages[0].receiver
    came = [m for m in messages if m.receiver == receiver]
    after = stepper.update(receiver, states[receiver], came, moment)
    sender = messages[0].sender
    sent = [m for m in messages if m.sender == sender]
    return "\n".join(
        [
            "### Example of Send",
            f"Node {sender}\n{state_text(states[sender])}",
            *message_lines(sent),
            "\n### Example of Update",
            f"Node {receiver}\n{state_text(states[receiver])}",
            *message_lines(came),
            f"New state\n{state_text(after)}",
        ]
    )


def state_text(state: NodeState) -> str:
    """A state, one numbered field a line, and what it knows of its edges."""
    lines = ["State:", *_numbered(state.fields)]
    for to, fields in state.edges.items():
        lines.append(f"Edge to node {to}: " + ", ".join(f"{name}: {plain(v)}" for name, v in fields.items()))
    return "\n".join(lines)


def message_lines(messages: Sequence[Message]) -> list[str]:
    """Messages as a transcript shows them: `Node 6 → Node 2: distance 7`."""
    return [
        f"Node {m.sender} → Node {m.receiver}: "
        + ", ".join(f"{name} {plain(v)}" for name, v in m.fields.items())
        for m in messages
    ]


def plain(value: Any) -> str:
    """A value in words: infinity, none, true, a list."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return "infinity" if value == float("inf") else f"{value:.6g}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(plain(item) for item in value) + "]"
    return str(value)


def _numbered(fields: Mapping[str, Any]) -> list[str]:
    return [f"{i}. {name}: {plain(value)}" for i, (name, value) in enumerate(fields.items(), 1)]
