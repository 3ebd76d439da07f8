"""Questions about a data set of the hub that its models answer, as the offline annotator reads them.

The planner reads a question as a plan over what the graph records. What a user would choose next, the function of a
molecule, a community, a topic or a fact that nobody recorded is what models tell; the annotator has learnt how people
ask for it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from graphtalk.calls import Vocabulary
from graphtalk.calls.ast import Call, Expression, Items, NodeRef, Number, Text
from graphtalk.core import CallError
from graphtalk.graphs import Graph, GraphSet
from graphtalk.language.identifiers import split_name
from graphtalk.reasoners.candidates import Proposal
from graphtalk.reasoners.toolformer.annotator import Annotator
from graphtalk.reasoners.toolformer.predicting import asks_for_prediction, of_the_model
from graphtalk.reasoners.toolformer.statement import read_statement

MOST_CHARACTERS = 1_000  # of a question that is read; reading takes time that grows with its square
_MAY_BE = re.compile(r"\b(?:would|should|will|might|may|likely|probable|probability|chances?|next)\b", re.I)
_WHY = re.compile(  # "why is paper 5 predicted to be about Theory", "why does Graph-Bert predict the topic of paper 5"
    r"^\s*(?:and\s+|so\s+)?why\s+(?:(?:is|was)\s+(?P<one>.+?)\s+predicted\b|"
    r"(?:do|does|did)\s+.+?\s+predict\b.*?\s(?:of|for|that)\s+(?P<other>.+?)(?:\s+(?:is|has|be)\s.*)?[?.!\s]*$)",
    re.I,
)
_WHY_WOULD = re.compile(r"^\s*why\s+(?:would|should|might|will|may)\b", re.I)
_RELATION = re.compile(r"\b(?:relat|link|connect|predicate|edge)\w*", re.I)
_PROPERTIES = "toolx:"  # of whole graphs: the planner reads those of one graph itself
_RECORDABLE = frozenset(("Topic", "HeadEntity", "TailEntity", "RelationBetween"))
_END = re.compile(r"\s*[.?!]*\s*$")


@dataclass(frozen=True)
class ModelReader:
    """Reads questions about `graph` with an annotator, which is opened when it is first needed (a `Reader`).

    What the graph records of the same comes before what a model predicts, unless the question asks for a prediction.
    """

    graph: Graph | GraphSet
    open_annotator: Callable[[], Annotator]
    vocabulary: Vocabulary

    def claims(self, question: str) -> bool:
        """Whether a question is about what may be, which no graph records."""
        return bool(_MAY_BE.search(question) or asks_for_prediction(question))

    def readings(self, question: str) -> tuple[Proposal, ...]:
        """The recorded and the predicted answer to a question; none where it is not about a model of this graph.

        Why something is predicted is asked as what is predicted: each prediction says what in the graph speaks for it.
        """
        if len(question) > MOST_CHARACTERS:
            return ()
        question = self._what_for_why(question)
        try:
            annotated = self.open_annotator().annotate(self._named(question))
            calls = [
                placed.call for placed in read_statement(annotated, self.vocabulary).calls if placed.inserts
            ]
        except CallError:
            return ()
        if len(calls) != 1 or not self._fits(calls[0], question):
            return ()
        predicted = asks_for_prediction(question)
        asked = of_the_model(calls[0]) if predicted else calls[0]
        recorded = None if predicted else _recorded(asked)
        found = (asked,) if recorded is None else (recorded, asked)
        thought, recordable = f"Read as: {annotated}", asked.function in _RECORDABLE
        return tuple(Proposal(call, thought, in_words(call), recordable=recordable) for call in found)

    def _named(self, question: str) -> str:
        """The question, with the name of the graph if it leaves that out; a set's graphs have names of their own."""
        name = self.graph.name
        of_its_own = isinstance(self.graph, GraphSet) and not self.graph.names[0].isdigit()
        if of_its_own or _letters(name) in _letters(question):
            return question
        end = _END.search(question)
        at = end.start() if end else len(question)
        return f"{question[:at]} in {name}{question[at:]}"

    def _what_for_why(self, question: str) -> str:
        why = _WHY.match(question)
        if why is None:
            return _WHY_WOULD.sub("How likely would", question)
        noun = "function" if isinstance(self.graph, GraphSet) else "topic"
        return f"What {noun} is predicted for {why['one'] or why['other']}?"

    def _fits(self, call: Call, question: str) -> bool:
        """Whether a call is about this graph, about more than a property that the planner reads, and asked for.

        Two nodes are mentioned in many a question that is not after the relation between them, and nobody asks for
        the communities of all nodes.
        """
        loaded = call.graph
        if not isinstance(loaded, Call) or loaded.arguments[:1] != (Text(self.graph.name),):
            return False
        known = self.vocabulary.find(call.function)
        whole = known is not None and known.toolformer.startswith(_PROPERTIES)
        asked = call.function != "RelationBetween" or _RELATION.search(question) is not None
        of_all = call.function in ("KMeansCommunity", "LeidenCommunity") and not call.arguments
        return asked and not of_all and (isinstance(self.graph, GraphSet) or not whole)


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def _recorded(call: Call) -> Call | None:
    """The call that gives what the graph records of what a model's call predicts; None where there is no such call."""
    given = call.arguments
    if call.function == "Topic":
        return Call("NodeFeature", (given[0], Text("topic")))
    if call.function == "TailEntity":
        return Call("NeighbourCheck", (given[0], Text(_name(given[1]))))
    if call.function == "HeadEntity":
        return Call("NeighbourCheck", (given[1], Text(f"^{_name(given[0])}")))
    return None


def _name(value: Expression) -> str:
    """A node, a relation or a graph as it is called."""
    if isinstance(value, Items):
        return ", ".join(map(_name, value.values))
    if isinstance(value, NodeRef):
        return value.id
    return value.value if isinstance(value, Text) else "the graph"


def in_words(call: Call) -> str:
    """A call as an answer names it: "topic of 31336", "shortest path of 0 and 4", "top recommendations of u3"."""
    what, given = " ".join(split_name(call.function)).lower(), call.arguments
    if call.function in ("NodeFeature", "NeighbourCheck"):
        what, given = _name(given[1]), given[:1]
    elif not given and isinstance(call.graph, Call):
        given = call.graph.arguments[-1:]
    of = " and ".join(_name(each) for each in given if not isinstance(each, Number))
    return f"{what} of {of}" if of else what
