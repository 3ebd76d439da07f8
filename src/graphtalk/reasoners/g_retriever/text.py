"""Answers from a retrieved subgraph as text, by any language model (paper, section 5.4, without the soft prompt)."""

import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace

from graphtalk.core import Answer, BudgetError, CallError, Evidence, LmError, Question, Step, Stop
from graphtalk.lms import LanguageModel, Reply, Request, user
from graphtalk.reasoners.g_retriever.retrieved import Retrieved
from graphtalk.reasoners.g_retriever.settings import SETTINGS, Setting
from graphtalk.reasoners.prompting import fill, prompt
from graphtalk.reasoners.support import support
from graphtalk.reasoners.untrusted import bordered
from graphtalk.search.subgraph import Options
from graphtalk.tools.executor import Executor, Result

MOST_TOKENS = 4_096  # of the graph's text; a small local model needs fewer (512 in the paper)
LETTERS = 4  # about so many are a token
_THINKING = 512  # more tokens for a reply that reasons first
_ANSWER = re.compile(r"^\W*(?:the )?(?:final )?answer\W*(?:is\b)?\W*:?[ \t]*", re.IGNORECASE | re.MULTILINE)
_LISTS = re.compile(r"(?:\bthe )?\b(?:nodes|edges)\b[^:\n]{0,60}:", re.IGNORECASE)
_ENDS = {"think": "g_retriever_cot", "list": "g_retriever_list"}  # what stands before "Answer:"


@dataclass(frozen=True)
class GRetriever:
    """Asks a model once, with the part of the graph that its setting says.

    `options` are those of the retrieval, `most_tokens` bounds the graph's text. `strict`: an answer that nothing
    retrieved supports is not given. `form` is for a model that was trained to answer: it is told the graph, then the
    question in that form, and nothing else but what it is to list. What goes wrong ends in an answer that says so.
    """

    executor: Executor
    model: LanguageModel
    setting: Setting = SETTINGS["g-retriever"]
    options: Options = field(default_factory=Options)
    most_tokens: int = MOST_TOKENS
    strict: bool = False
    temperature: float = 0.0
    seed: int = 0
    form: Callable[[str], str] | None = None

    @property
    def name(self) -> str:
        """The name of the reasoner."""
        return self.setting.name

    def run(self, question: Question) -> Iterator[Step]:
        """The steps towards an answer; the last carries it."""
        call = self.setting.call(question.text, self.options)
        result, text = None, ""
        if call is not None:
            try:
                result = self.executor.run(call)
            except CallError as error:
                yield from self._end(Answer(False, f"Nothing could be retrieved: {error}"))
                return
            yield Step("call", result.trail.spelling, call=result.calls[-1])
            found, room = Retrieved.of(result), LETTERS * self.most_tokens
            text, left_out = found.triples(room) if self._in_triples else found.text(room)
            yield Step("observation", _seen(found, left_out, "facts" if self._in_triples else "nodes"))
        yield from self._end(self._ask(question, text, result))

    @property
    def _in_triples(self) -> bool:
        """Whether facts are told as triples in words, as KAPING does; a model that was trained reads tables."""
        return self.setting.knowledge == "triples" and self.form is None

    def prompt(self, question: str, graph: str) -> str:
        """What the model is asked: the text of the graph first, then the question (paper, figure 4)."""
        style = self.setting.style
        if self.form is not None:
            return (
                f"{graph}{self.form(f'{question} {prompt(_ENDS[style])}' if style == 'list' else question)}"
            )
        values = {
            "graph": bordered(graph),
            "question": question,
            "build": f"{prompt('g_retriever_bag')}\n" if style == "build" else "",
            "think": f"{prompt(_ENDS[style])}\n" if style in _ENDS else "",
        }
        form = "g_retriever_triples" if self._in_triples else "g_retriever"
        return fill(prompt(form), values) if graph else f"Question: {question}\nAnswer:"

    def _ask(self, question: Question, graph: str, result: Result | None) -> Answer:
        longer = 0 if self.setting.style == "plain" else _THINKING
        request = Request(
            user(self.prompt(question.text, graph)),
            temperature=self.temperature,
            seed=self.seed,
            max_tokens=256 + longer,
        )
        try:
            reply = self.model.complete(request)
        except LmError as error:
            return _unanswered(
                f"No answer: {error}", result, "budget" if isinstance(error, BudgetError) else "lm"
            )
        usage = {name: number for name, number in asdict(reply.usage).items() if number}
        return replace(self._read(question, reply, result), usage=usage)

    def _read(self, question: Question, reply: Reply, result: Result | None) -> Answer:
        """The model's answer, checked against what was retrieved."""
        said, listing = last_answer(reply.text), self.setting.style == "list"
        if listing and (head := _LISTS.search(said)):
            said = said[: head.start()].strip() or said
        if not said:
            return _unanswered("No answer: the model said nothing.", result, "unreadable")
        found = support(self.executor, said, [result] if result is not None else [], question.text)
        if found.declined and self.form is None:  # what a model was trained to say may be a class of its task
            return _unanswered("The model found no answer in what was retrieved.", result)
        if found.unsupported and self.strict:
            names = ", ".join(found.unsupported)
            return _unanswered(
                f"No answer: nothing that was retrieved supports {names}.", result, "unsupported"
            )
        text = reply.text.strip() if listing else found.text
        return Answer(True, text, found.value, found.evidence, found.calls, unsupported=found.unsupported)

    def _end(self, answer: Answer) -> Iterator[Step]:
        signed = replace(answer, reasoner=self.name, lm=self.model.name)
        yield Step("answer", signed.text, answer=signed)


def last_answer(text: str) -> str:
    """What stands after the last line that begins with "Answer:"; all of the text where there is none.

    >>> last_answer("Bob knows Alice.\\nAnswer: Alice")
    'Alice'
    """
    marks = [m for m in _ANSWER.finditer(text) if text[m.end() :].strip()]
    return text[marks[-1].end() :].strip() if marks else text.strip()


def _seen(found: Retrieved, left_out: int, what: str) -> str:
    more = f", {left_out:,} {what} left out for their length" if left_out else ""
    return f"{len(found.nodes):,} nodes, {len(found.edges):,} edges{more}"


def _unanswered(why: str, result: Result | None, stopped: Stop = "") -> Answer:
    """No answer; what was retrieved is kept."""
    evidence = result.evidence() if result is not None else Evidence()
    return Answer(
        False, why, evidence=evidence, calls=result.calls if result is not None else (), stopped=stopped
    )
