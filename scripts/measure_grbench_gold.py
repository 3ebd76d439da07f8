"""Whether our gold answers are the published ones: GRBench's questions, answered by the templates' calls.

    python scripts/measure_grbench_gold.py TASK STORE QUESTIONS.jsonl...

The values of a template's slots are the names of nodes of the right type that stand in a question's text, longest
first; its wording is not looked at. Prints the share per template, and every difference with its cause; as Markdown
with `--markdown`.
"""

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import graphtalk as gt
from graphtalk.benchmarks import Asked, Gold, find_task
from graphtalk.benchmarks.grbench.drawing import Fit, fit, retrieve
from graphtalk.benchmarks.grbench.gold import gold_of
from graphtalk.benchmarks.grbench.questions import Reader
from graphtalk.benchmarks.grbench.tasks import GrbenchTask
from graphtalk.benchmarks.grbench.templates import Template, fill_call, wording_slots
from graphtalk.calls import show
from graphtalk.core import CallError, CheckError
from graphtalk.search.index import Index
from graphtalk.tools.executor import Executor


@dataclass(frozen=True)
class Compared:
    """A published question beside our gold answer; `cause` says why they differ, empty where they do not."""

    asked: Asked
    ours: Gold | None
    call: str
    cause: str


def compare(task: GrbenchTask, graph: gt.Graph, questions: Sequence[Asked]) -> Iterator[Compared]:
    """Every question with our gold answer."""
    executor = Executor(graph)
    index = Index.open(graph)
    fits: dict[str, Fit | str] = {}
    for asked in questions:
        template = task.templates.find(asked.template)
        if template is None:
            continue
        if template.id not in fits:
            try:
                fits[template.id] = fit(executor, graph, template)
            except CheckError as error:
                fits[template.id] = str(error)
        fitting = fits[template.id]
        if isinstance(fitting, str):
            yield Compared(asked, None, "", f"not computable here: {fitting}")
        else:
            yield _compare(executor, index, template, fitting, asked)


def _compare(executor: Executor, index: Index, template: Template, fitting: Fit, asked: Asked) -> Compared:
    values = find_slots(index, template, fitting, asked.question)
    if values is None:
        return Compared(asked, None, "", "the names in the question are not in this graph")
    call = fill_call(
        fitting.answer, {s: retrieve(index.graph.label(n), fitting.node_type(s)) for s, n in values.items()}
    )
    try:
        ours = gold_of(executor.run(call))
    except CallError as error:
        return Compared(asked, None, show(call), str(error))
    return Compared(asked, ours, show(call), cause(template, asked.gold, ours))


def find_slots(index: Index, template: Template, fitting: Fit, question: str) -> dict[str, int] | None:
    """The nodes of the slots that a question shows: names of the slot's type in it, longest first; None if one lacks.

    Slots of one type take the names in the order of the text. Some published questions give an id for a name.
    """
    wanted = list(dict.fromkeys(wording_slots(template.ask[0])))
    found: dict[str, int] = {}
    taken: list[tuple[int, int]] = []
    for node_type in dict.fromkeys(fitting.node_type(slot) for slot in wanted):
        slots = [slot for slot in wanted if fitting.node_type(slot) == node_type]
        spans: list[tuple[int, int, int]] = []
        for start, end, node in [*named(index, question, node_type), *by_id(index, question, node_type)]:
            free = all(end <= a or start >= b for a, b in taken)
            if free and len(spans) < len(slots):
                spans.append((start, end, node))
                taken.append((start, end))
        if len(spans) < len(slots):
            return None
        found |= {slot: node for slot, (_, _, node) in zip(slots, sorted(spans), strict=True)}
    return found


def named(index: Index, question: str, node_type: str) -> Iterator[tuple[int, int, int]]:
    """Start, end and node of every name of a node of this type in a question, longest first."""
    for mention in index.mentions(question, longest=30):
        nodes = [n for n in mention.nodes if index.graph.node_type(n).name == node_type]
        if nodes and mention.literal:
            yield mention.start, mention.end, nodes[0]


def by_id(index: Index, question: str, node_type: str) -> Iterator[tuple[int, int, int]]:
    """The same for ids as Hetionet has them, `Symptom::D021501`, written without their type."""
    for word in re.finditer(r"\w+", question):
        node = index.graph.find(f"{node_type}::{word[0]}")
        if node is not None:
            yield word.start(), word.end(), node


def cause(template: Template, published: Gold, ours: Gold | None) -> str:
    """Why two gold answers differ; empty where they are the same set of names, or the same value."""
    if ours is None:
        return "nothing here"
    if published.names is None or ours.names is None:
        return "" if published.text.casefold() == ours.text.casefold() else f"here it is {ours.text}"
    theirs, own = set(published.names), set(ours.names)
    if theirs < own and template.most == 1:
        return f"the published answer is one of {len(own)} that tie"
    told = (("missing here", theirs - own), ("only here", own - theirs))
    return "; ".join(f"{what}: {_listed(names)}" for what, names in told if names)


def _listed(names: set[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(sorted(names)[:3]) + more


def report(records: Sequence[Compared], markdown: bool) -> None:
    """The share per template, then every difference."""
    by_template: dict[str, list[Compared]] = {}
    for record in records:
        by_template.setdefault(record.asked.template, []).append(record)
    if markdown:
        print("| template | level | the same | |\n|---|---|---|---|")
    for name, part in by_template.items():
        same = sum(not r.cause for r in part)
        causes = "; ".join(dict.fromkeys(r.cause for r in part if r.cause))
        lacks = causes.split(" Did you mean")[0].split(" Valid:")[0]
        row = (name, part[0].asked.level, f"{same} of {len(part)}", lacks)
        print("| " + " | ".join(row) + " |" if markdown else "  ".join(row))
    same = sum(not r.cause for r in records)
    computed = [r for r in records if r.call]
    print(f"\n{same} of {len(computed)} that can be computed here, of {len(records)} in all.")
    for r in computed:
        if r.cause:
            ours = r.ours.text if r.ours else ""
            print(f"\n{r.asked.id} {r.asked.question}\n  published: {r.asked.gold.text}\n  ours:      {ours}")
            print(f"  call:      {r.call}\n  cause:     {r.cause}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("task", help="such as grbench-healthcare")
    parser.add_argument("store")
    parser.add_argument("questions", type=Path, nargs="+")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    task, graph = find_task(options.task), gt.open(options.store)
    if not isinstance(task, GrbenchTask) or not isinstance(graph, gt.Graph):
        parser.error("needs a task of GRBench and one graph")
    task.check(graph)
    reader = Reader.of(Executor(graph), graph, task.templates)
    asked = [one for path in options.questions for one in reader.read(path).asked]
    report(list(compare(task, graph, asked)), options.markdown)


if __name__ == "__main__":
    sys.exit(main())
