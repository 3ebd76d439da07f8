"""GRBench made anew for any graph of its schemas (Jin et al. 2024, sections 3.3 to 3.5).

For each template slots are drawn and the gold answer is computed by the template's call, until there are enough
questions. A draw without a fit answer (none, or one of too many names) is thrown away, as in the paper's appendix
D. Templates draw independently: the same graph and seed give the same questions.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from graphtalk.benchmarks.grbench.drawing import Drawer, Drawn, fit, written
from graphtalk.benchmarks.grbench.gold import gold_of
from graphtalk.benchmarks.grbench.templates import Template, Templates, fill_call, fill_wording, wording_slots
from graphtalk.benchmarks.task import Generated, Gold
from graphtalk.calls import show
from graphtalk.calls.ast import Call
from graphtalk.core import JSON, CallError, CheckError
from graphtalk.graphs import Graph
from graphtalk.tools.executor import Executor

Row = Mapping[str, JSON]
_TRIES = 200  # draws for each question that is wanted


@dataclass
class _Maker:
    """Makes the questions of one template. `error` is the last that a draw ended in."""

    drawer: Drawer
    template: Template
    answer: Call
    rng: random.Random
    error: str = ""
    seen: set[tuple[str, ...]] = field(default_factory=set)

    def rows(self, wanted: int, wordings: Sequence[str]) -> Iterator[Row]:
        """Up to so many rows; fewer where too many draws come to nothing."""
        made = 0
        for _ in range(wanted * _TRIES):
            if made == wanted:
                return
            row = self._row(made, wordings[made % len(wordings)])
            if row is not None:
                made += 1
                yield row

    def _row(self, place: int, wording: str) -> Row | None:
        try:
            drawn = self.drawer.draw(self.template, self.rng)
            if drawn is None or not self._new(drawn):
                return None
            call = fill_call(self.answer, written(drawn))
            gold = gold_of(self.drawer.executor.run(call))
        except CallError as error:
            self.error = str(error)
            return None
        if gold is None or len(gold.names or ()) > self.template.most:
            return None
        question = fill_wording(wording, {name: one.shown for name, one in drawn.items()})
        return _row(self.template, place, question, gold, call)

    def _new(self, drawn: Mapping[str, Drawn]) -> bool:
        """Whether what the question shows was not drawn before."""
        key = tuple(drawn[name].shown for name in wording_slots(self.template.ask[0]))
        fresh = key not in self.seen
        self.seen.add(key)
        return fresh


def generate(
    executor: Executor,
    graph: Graph,
    templates: Templates,
    per_template: int,
    seed: int,
    wordings: Mapping[str, Sequence[str]] | None = None,
) -> Generated:
    """So many questions of each template about the executor's graph, as rows of a question file.

    A row has the published keys (`qid`, `question`, `answer`) and `template`, `level`, `names` and `call`, which no
    reasoner may see. `wordings` gives other wordings by template id. Remarks say which templates gave fewer
    questions, and why.
    """
    drawer = Drawer.of(executor, graph)
    rows: list[Row] = []
    remarks: list[str] = []
    for template in templates:
        if template.external:
            remarks.append(f"{template.id}: none, as no graph holds the answer: {template.external}")
            continue
        try:
            answer = fit(executor, graph, template).answer
        except CheckError as error:
            remarks.append(f"{template.id}: none, as this graph lacks what it asks about: {error}")
            continue
        maker = _Maker(drawer, template, answer, random.Random(f"{seed} {template.id}"))
        made = list(maker.rows(per_template, (wordings or {}).get(template.id) or template.ask))
        rows += made
        if len(made) < per_template:
            why = f" Last: {maker.error}" if maker.error else ""
            remarks.append(
                f"{template.id}: {len(made)} of {per_template} in {per_template * _TRIES} draws.{why}"
            )
    return Generated(tuple(rows), tuple(remarks))


def _row(template: Template, place: int, question: str, gold: Gold, call: Call) -> Row:
    return {
        "qid": f"{template.id}-{place}",
        "question": question,
        "answer": gold.text,
        "template": template.id,
        "level": template.level,
        "names": None if gold.names is None else list(gold.names),
        "call": show(call),
    }
