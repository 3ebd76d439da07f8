"""Records as JSON and as text for people: the one place where either is made."""

import json
from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from graphtalk.app.console import write
from graphtalk.core import JSON, Alternative, Answer, CallRecord, Evidence, Step, UsageError
from graphtalk.core.reading import read_json
from graphtalk.core.text import escaped

if TYPE_CHECKING:
    from rich.console import Console

    from graphtalk.graphs import Graph
    from graphtalk.tools.executor import Result
    from graphtalk.tools.values import Table
    from graphtalk.tools.verify import Verification

_T = TypeVar("_T")

Spell: TypeAlias = Callable[[str], str]

MOST_LINES = 12
MARKS = {"thought": "·", "call": "→", "observation": "="}


def answer_to_json(answer: Answer, trace: bool = False, cypher: Spell | None = None) -> dict[str, JSON]:
    """An answer as the object that `graphtalk ask --json` prints; with `trace`, its steps too.

    With `cypher`, which writes a call in Cypher, each call has that too.
    """
    shown: dict[str, JSON] = {
        "answered": answer.answered,
        "answer": answer.text,
        "value": answer.value,
        "confidence": answer.confidence,
        "alternatives": [
            {"reading": a.reading, "call": a.call, "confidence": a.confidence} for a in answer.alternatives
        ],
        "evidence": evidence_to_json(answer.evidence),
        "calls": [call_to_json(call, cypher) for call in answer.calls],
        "near": list(answer.near),
        "reason": answer.reason,
        "stopped": answer.stopped,
        "unsupported": list(answer.unsupported),
        "remarks": list(answer.remarks),
        "reading": answer.reading,
        "reasoner": answer.reasoner,
        "lm": answer.lm,
        "usage": dict(answer.usage),
        "seconds": answer.seconds,
    }
    if trace:
        shown["trace"] = [step_to_json(step) for step in answer.trace.steps]
    return shown


def step_to_json(step: Step) -> dict[str, JSON]:
    """A step of a run, as a trace lists it."""
    return {"kind": step.kind, "text": step.text}


def evidence_to_json(evidence: Evidence) -> dict[str, JSON]:
    """Nodes by id, edges as lists of source, relation and target."""
    return {
        "nodes": list(evidence.nodes),
        "edges": [list(edge) for edge in evidence.edges],
        "complete": evidence.complete,
    }


def call_to_json(call: CallRecord, cypher: Spell | None = None) -> dict[str, JSON]:
    """A call that was run; with `cypher`, written by that too."""
    shown: dict[str, JSON] = {"spelling": call.spelling, "result": call.result, "seconds": call.seconds}
    return shown if cypher is None else {**shown, "cypher": cypher(call.spelling)}


def verification_to_json(found: "Verification") -> dict[str, JSON]:
    """What a verification found, as `graphtalk verify --json` prints it. `same`: nothing differs, and all was checked."""
    return {
        "same": found.verdict == "same",
        "verdict": found.verdict,
        "differences": list(found.differences),
        "checked": list(found.checked),
        "unchecked": list(found.unchecked),
    }


def verification_in_lines(found: "Verification") -> list[str]:
    """What a verification found, for people."""
    lines = [found.headline, *found.differences]
    if found.verdict in ("same", "concluded"):
        lines += [f"Checked: {'; '.join(found.checked)}.", f"Not checked: {'; '.join(found.unchecked)}."]
    return lines


def answer_from_json(text: str, place: str) -> Answer:
    """The answer that `answer_to_json` wrote: what verification needs of it.

    Raises UsageError, naming `place`, where the text is no such object.
    """
    try:
        return answer_of_json(read_json(text), place)
    except ValueError as error:
        raise UsageError(f"{place}: not an answer of `graphtalk ask --json` ({error}).") from error


def answer_of_json(shown: Mapping[str, Any], place: str) -> Answer:
    """As `answer_from_json`, of the object itself."""
    try:
        evidence = shown["evidence"]
        return Answer(
            answered=_typed(shown["answered"], bool),
            text=_typed(shown["answer"], str),
            value=shown["value"],
            evidence=Evidence(
                tuple(_typed(node, str) for node in evidence["nodes"]),
                tuple(_edge(edge) for edge in evidence["edges"]),
                _typed(evidence.get("complete", True), bool),
            ),
            calls=tuple(
                CallRecord(_typed(c["spelling"], str), c["result"], float(c.get("seconds", 0)))
                for c in shown["calls"]
            ),
            reasoner=str(shown.get("reasoner", "")),
            lm=str(shown.get("lm", "")),
            unsupported=tuple(_typed(name, str) for name in shown.get("unsupported", ())),
            remarks=tuple(_typed(remark, str) for remark in shown.get("remarks", ())),
            reading=_typed(shown.get("reading", ""), str),
        )
    except KeyError as error:
        raise UsageError(f"{place}: not an answer of `graphtalk ask --json`: it has no {error}.") from error
    except (ValueError, TypeError, AttributeError) as error:
        raise UsageError(f"{place}: not an answer of `graphtalk ask --json` ({error}).") from error


def _typed(value: object, kind: type[_T]) -> _T:
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} where a {kind.__name__} belongs")
    return value


def _edge(edge: Sequence[str]) -> tuple[str, str, str]:
    source, relation, target = edge
    return _typed(source, str), _typed(relation, str), _typed(target, str)


def dumps(shown: object, indent: int | None = 2) -> str:
    """JSON for people and programs: indented, every letter as it is, and what a terminal would obey escaped."""
    return escaped(json.dumps(shown, ensure_ascii=False, indent=indent))


def print_answer(
    console: "Console", answer: Answer, graph: "Graph | None" = None, spell: Spell | None = None
) -> None:
    """An answer for people: its text, its evidence by name, the call that gave it, and how long it took."""
    print_text(console, answer)
    if answer.evidence.edges or answer.evidence.nodes:
        _print_part(console, "Evidence", evidence_lines(answer.evidence, graph), "cyan")
    if answer.calls:
        call = answer.calls[-1].spelling
        _print_part(console, "Call", (spell(call) if spell else call).splitlines(), "green")
    _print_part(console, cost(answer))


def cost(answer: Answer) -> str:
    """Who answered, how long it took, and what was asked of a model for it."""
    parts = [answer.reasoner, duration(answer.seconds)]
    if answer.answered and answer.confidence is not None:
        parts.append(f"{100 * answer.confidence:.0f} % sure")
    if answer.usage:
        used = answer.usage
        tokens = used.get("input_tokens", 0) + used.get("output_tokens", 0)
        cached = f" ({used['cached_calls']:.0f} of them kept from before)" if used.get("cached_calls") else ""
        known = (
            f" ({used['cached_tokens']:,.0f} of them kept by the server)" if used.get("cached_tokens") else ""
        )
        parts += [f"{answer.lm}, {used.get('calls', 0):.0f} calls{cached}, {tokens:,.0f} tokens{known}"]
        parts += [f"${used['usd']:.4f}"] if used.get("usd") else []
    return ", ".join(parts)


def print_text(console: "Console", answer: Answer) -> None:
    """The text of an answer alone; where there is none, what could be asked instead."""
    from rich.text import Text

    text = answer.reason or answer.text  # what it offers is listed below
    console.print(Text(text, style="bold" if answer.answered else "yellow"))
    for remark in answer.remarks:
        if remark not in answer.text:
            console.print(Text(remark, style="yellow"))
    if answer.unsupported:
        names = ", ".join(answer.unsupported)
        console.print(Text(f"Nothing that was seen in the graph supports: {names}", style="red"))
    if answer.alternatives:
        _print_part(console, "It may ask for (choose one by its number)", offered_lines(answer.alternatives))
    elif answer.near:
        _print_part(console, "What could be answered", answer.near)


def offered_lines(alternatives: Sequence[Alternative]) -> list[str]:
    """The readings to choose from, numbered from 1, each with how likely it is meant."""
    return [f"{i}  {a.reading}  ({100 * a.confidence:.0f} %)" for i, a in enumerate(alternatives, 1)]


def _print_part(console: "Console", title: str, lines: Sequence[str] = (), style: str = "") -> None:
    from rich.text import Text

    console.print(Text(f"\n{title}", style="dim"))
    for line in lines:
        console.print(Text(f"  {line}", style=style))


def evidence_lines(evidence: Evidence, graph: "Graph | None" = None, most: int = MOST_LINES) -> list[str]:
    """The evidence by names: its edges, or its nodes where there are none; `most` lines of them."""

    def name(node: str) -> str:
        index = graph.find(node) if graph is not None else None
        return node if graph is None or index is None else graph.label(index)

    both_ways = {r.name for r in graph.schema.relations if r.undirected} if graph is not None else set()
    lines = [
        f"{name(s)} ─ {relation} {'─' if relation in both_ways else '→'} {name(t)}"
        for s, relation, t in evidence.edges[:most]
    ]
    if not evidence.edges:
        lines = [name(node) for node in evidence.nodes[:most]]
    left = len(evidence.edges or evidence.nodes) - len(lines)
    if left > 0:
        lines.append(f"and {left:,} more")
    if not evidence.complete:
        lines.append("(cut short by a limit)")
    return lines


def step_printer(console: "Console", spell: Spell | None = None) -> Callable[[Step], None]:
    """Prints the steps of a run as they happen, calls written by `spell`; not the answer, which is printed by itself."""
    from rich.text import Text

    def show(step: Step) -> None:
        if step.kind != "answer":
            seconds = f"  {duration(step.call.seconds)}" if step.call else ""
            text = spell(step.call.spelling) if spell and step.call else step.text
            console.print(Text.assemble((f"{MARKS[step.kind]} ", "magenta"), text, (seconds, "dim")))

    return show


def result_to_json(result: "Result", spell: Spell | None = None) -> dict[str, JSON]:
    """What a call gave, as `graphtalk call --json` prints it; with `spell` the call is written by that."""
    from graphtalk.tools.values import to_json

    return {
        "call": spell(result.trail.spelling) if spell else result.trail.spelling,
        "result": to_json(result.value, result.graph),
        "evidence": evidence_to_json(result.evidence()),
        "calls": [call_to_json(call) for call in result.calls],
        "remarks": list(result.remarks),
        "seconds": sum(call.seconds for call in result.calls),
    }


def print_result(console: "Console", result: "Result", spell: Spell | None = None) -> None:
    """What a call gave, for people; with `spell` the call too, written by that."""
    from rich.text import Text

    from graphtalk.tools.values import Table

    evidence = result.evidence()
    if isinstance(result.value, Table):
        _print_numbers(console, result.value, result.graph)
    else:
        console.print(Text(result.show(), style="bold"))
    for remark in result.remarks:
        console.print(Text(remark, style="yellow"))
    if evidence.edges:
        _print_part(console, "Evidence", evidence_lines(evidence, result.graph), "cyan")
    if spell is not None:
        _print_part(console, "Call", spell(result.trail.spelling).splitlines(), "green")
    _print_part(console, duration(sum(call.seconds for call in result.calls)))


def _print_numbers(console: "Console", table: "Table", graph: "Graph", most: int = 50) -> None:
    """A number for each of some nodes, the largest first, `most` of them."""
    numbers = table.numbers.tolist()
    order = sorted(range(len(table)), key=lambda row: -numbers[row] if numbers[row] == numbers[row] else inf)[
        :most
    ]
    names = graph.labels(table.nodes[order])
    rows = [(name, f"{numbers[row]:.6g}") for name, row in zip(names, order, strict=True)]
    print_table(console, ("node", "number"), rows)
    if len(table) > most:
        write(f"and {len(table) - most:,} more; --json has all")


def short(value: JSON, most: int = 200) -> str:
    """A value on one line, cut where it is long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= most else f"{text[:most]}…"


def print_table(console: "Console", head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table: drawn in a terminal, tab-separated where it is piped. Numbers stand to the right."""
    if not console.is_terminal:
        for row in (head, *rows):
            write("\t".join(row))
        return
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, header_style="bold")
    for position, title in enumerate(head):
        numeric = all(row[position].replace(",", "").isdigit() for row in rows)
        table.add_column(title, justify="right" if numeric and rows else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    console.print(table, soft_wrap=False)


def duration(seconds: float) -> str:
    """Seconds for people: `12 ms`, `3.4 s`, `2 min 5 s`."""
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms" if seconds >= 0.01 else f"{seconds * 1000:.1f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds // 60)} min {int(seconds % 60)} s"


def size(count: int) -> str:
    """Bytes for people: `512 B`, `3.1 MB`."""
    value = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if value < 1000:
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.1f} TB"
