"""Verifying the answer to a problem in words: the text is read and solved again, and all that is claimed is compared."""

from graphtalk.core import Answer, CallError, UsageError
from graphtalk.reasoners.graph_agents.answers import NoAnswer
from graphtalk.reasoners.graph_agents.described import Described
from graphtalk.reasoners.graph_agents.offline import OfflineMaster, understood
from graphtalk.reasoners.graph_agents.reading import read
from graphtalk.reasoners.graph_agents.solving import executor_of
from graphtalk.reasoners.graph_agents.tasks import posed
from graphtalk.tools.verify import Solution, Verification, verify


def verify_solved(text: str, answer: Answer) -> Verification:
    """Run the calls of an answer again on the graph of its problem.

    An answer that was found without a model must be the one that is found again, in every word; of a model's the calls
    must give the value, so of the text the graph alone is read where it asks what only a model understands. Raises
    UsageError for a text that cannot be read without a model.
    """
    if answer.lm != "offline":
        return verify(executor_of(_graph_of(text)), answer)
    problem = understood(text)
    told = None
    if answer.answered:
        try:
            again = OfflineMaster().run(problem)
        except (NoAnswer, CallError) as error:
            return Verification([f"The problem has no answer: {error}"])
        told = Solution(again.calls[-1].spelling, again.value, again.text)
    return verify(executor_of(problem.described), answer, told)


def _graph_of(text: str) -> Described:
    reading = read(text)
    try:
        return posed(reading).described
    except UsageError:
        return reading.described
