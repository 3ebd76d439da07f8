"""An answer as a notebook shows it: its text, a drawing of its evidence, and the calls that led to it.

The drawing is one self-contained SVG: no script, no network, every text escaped.
"""

from dataclasses import dataclass, field, fields

from graphtalk.core import JSON, Answer
from graphtalk.core.text import visible
from graphtalk.graphs import Graph
from graphtalk.graphs.drawing import cut, draw, escape, to_svg

MOST_CALLS = 20


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

    def __repr__(self) -> str:
        rests = (len(self.evidence.nodes), len(self.evidence.edges), len(self.calls))
        return "{}\n(nodes of evidence: {}, edges: {}, calls: {})".format(visible(self.text), *rests)

    def _repr_html_(self) -> str:
        understood = f'<p style="opacity:.7">({escape(self.question)})</p>' if self.question else ""
        return understood + to_html(self, self.graph)

    def _repr_mimebundle_(
        self, include: object = None, exclude: object = None
    ) -> dict[str, str]:  # IPython passes both
        return {"text/plain": visible(self.text), "text/html": self._repr_html_()}


def to_html(answer: Answer, graph: Graph | None = None) -> str:
    """The whole answer as HTML."""
    parts = [f'<p style="font-size:1.1em;white-space:pre-wrap"><b>{escape(answer.text)}</b></p>']
    parts += [f"<p>{escape(remark)}</p>" for remark in answer.remarks if remark not in answer.text]
    near = [f"<li>{escape(each)}</li>" for each in answer.near if each not in answer.text]
    if near:
        parts.append(f"<ul>{''.join(near)}</ul>")
    drawing = draw(answer.evidence, graph)
    if drawing.labels:
        parts.append(to_svg(drawing, highlighted=highlighted_names(answer.value)))
    if answer.calls:
        parts.append(_calls_table(answer))
    return f'<div class="graphtalk-answer">{"".join(parts)}</div>'


def _calls_table(answer: Answer) -> str:
    rows = "".join(
        f"<tr><td style='text-align:left'><code>{escape(call.spelling)}</code></td>"
        f"<td style='text-align:left'>{escape(cut(str(call.result), 120))}</td>"
        f"<td>{call.seconds * 1000:.1f} ms</td></tr>"
        for call in answer.calls[:MOST_CALLS]
    )
    more = len(answer.calls) - MOST_CALLS
    rest = f"<tr><td colspan='3'>and {more} more</td></tr>" if more > 0 else ""
    head = "<tr><th>call</th><th>result</th><th>time</th></tr>"
    return f"<details><summary>{len(answer.calls)} calls</summary><table>{head}{rows}{rest}</table></details>"


def highlighted_names(value: JSON) -> frozenset[str]:
    """The names in an answer's value: they stand out in its drawing."""
    return frozenset(v for v in (value if isinstance(value, list) else [value]) if isinstance(v, str))
