"""What Graph-CoT is compared with (paper, section 5.1): a model alone, and models that read a part of the graph.

Base: the question alone. Text RAG: with the text of the node that is nearest to the question. Graph RAG: with the
1-hop or 2-hop ego graph of that node. One call of the model each.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from graphtalk.core import Answer, BudgetError, LmError, Question, Step, Stop
from graphtalk.graphs import Graph
from graphtalk.language.english import tokenize
from graphtalk.lms import LanguageModel, Reply, Request, about_tokens, user
from graphtalk.reasoners.linearise import EgoGraph
from graphtalk.reasoners.prompting import fill, prompt
from graphtalk.reasoners.support import support
from graphtalk.reasoners.untrusted import bordered, one_line
from graphtalk.search.index import Index
from graphtalk.tools.evidence import evidence_of, together
from graphtalk.tools.executor import Executor, Result

NAMES = {None: "base", 0: "text-rag", 1: "graph-rag", 2: "graph-rag-2hop"}
MOST_CONTEXT_TOKENS = 3_000  # both of the paper's code
MOST_PROMPT_TOKENS = 4_096
LETTERS = 4  # about so many are a token
MOST_READ = 4_000  # letters of a question in which names are looked for
MOST_SHOWN = 200  # letters of an observation in the trace


@dataclass(frozen=True)
class Baseline:
    """Asks a model once. `hops` is how much of the graph it reads: None for nothing, 0 for one node.

    Raises nothing: what goes wrong ends in an answer that says so.
    """

    executor: Executor
    index: Index
    model: LanguageModel
    hops: int | None = None
    temperature: float = 0.0
    seed: int = 0

    @property
    def name(self) -> str:
        """The name of the reasoner."""
        return NAMES.get(self.hops, f"graph-rag-{self.hops}hop")

    def run(self, question: Question) -> Iterator[Step]:
        """The steps towards an answer; the last carries it."""
        context, results = "", []
        if self.hops is not None:
            ego = self._nearest(question.text, self.hops)
            if ego is None:
                yield Step("thought", "Nothing in the graph is near to the question.")
            else:
                yield Step("thought", f"The question is nearest to {_called(ego)}.")
                context, results = ego.text(), ego.results
        for result in results:
            yield Step("call", result.trail.spelling, call=result.calls[-1])
            yield Step("observation", one_line(result.show(), MOST_SHOWN))
        answer = replace(self._ask(question, context, results), reasoner=self.name, lm=self.model.name)
        yield Step("answer", answer.text, answer=answer)

    def _nearest(self, question: str, hops: int) -> EgoGraph | None:
        """What is around the node that the question is nearest to; None in a set of graphs, and where there is none."""
        node = nearest(self.index, question)
        if node is None or not isinstance(self.executor.graph, Graph):
            return None
        return EgoGraph(self.executor, self.executor.graph, node, hops, LETTERS * MOST_CONTEXT_TOKENS)

    def _ask(self, question: Question, context: str, results: Sequence[Result]) -> Answer:
        system = prompt("baseline_system")
        template = prompt("baseline_context" if context else "baseline")
        room = LETTERS * (MOST_PROMPT_TOKENS - about_tokens(system + template + context))
        text = fill(template, {"context": bordered(context), "question": question.text[:room]})
        request = Request(user(text, system), temperature=self.temperature, seed=self.seed)
        try:
            reply = self.model.complete(request)
        except LmError as error:
            stopped: Stop = "budget" if isinstance(error, BudgetError) else "lm"
            return _unanswered(f"No answer: {error}", results, stopped)
        return replace(self._read(question, reply, results), usage=_usage(reply))

    def _read(self, question: Question, reply: Reply, results: Sequence[Result]) -> Answer:
        if not reply.text.strip():
            return _unanswered("No answer: the model said nothing.", results, "unreadable")
        found = support(self.executor, reply.text, results, question.text)
        if found.declined:
            return _unanswered("The model found no answer.", results, "")
        return Answer(
            True, found.text, found.value, found.evidence, found.calls, unsupported=found.unsupported
        )


def nearest(index: Index, question: str) -> int | None:
    """The node with the longest name that the question has word for word, else the node that is most like all of it.

    A whole question is like few names: of Hetionet's questions of GRBench, one in three found a node that it names.
    """
    question = question[:MOST_READ]
    named = (m for m in index.mentions(question) if m.literal)
    for mention in named:
        if any(token.content for token in tokenize(question[mention.start : mention.end])):
            return mention.nodes[0]
    hits = index.retrieve(question, k=1)
    return hits[0].node if hits else None


def _called(ego: EgoGraph) -> str:
    return f"the {ego.graph.node_type(ego.node).name} {one_line(ego.graph.label(ego.node), MOST_SHOWN)}"


def _unanswered(why: str, results: Sequence[Result], stopped: Stop) -> Answer:
    """No answer; what was read is kept."""
    calls = {call.spelling: call for result in results for call in result.calls}
    evidence = together(evidence_of(result.trail) for result in results)
    return Answer(False, why, evidence=evidence, calls=tuple(calls.values()), stopped=stopped)


def _usage(reply: Reply) -> dict[str, float]:
    return {name: number for name, number in asdict(reply.usage).items() if number}
