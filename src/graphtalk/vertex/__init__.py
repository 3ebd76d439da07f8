"""Vertex programs: distributed algorithms in six parts, the library of cards, and the engines that run them."""

from graphtalk.vertex.answers import Outcome, plain_states
from graphtalk.vertex.binding import Bound, bind
from graphtalk.vertex.card import Card, read_card
from graphtalk.vertex.engine import Engine, Execution, Report
from graphtalk.vertex.example import Example
from graphtalk.vertex.library import Library, card_file, library
from graphtalk.vertex.program import Parameter, Program
from graphtalk.vertex.reading import read_program
from graphtalk.vertex.run import OnRound, Round, Run, run, totals_of
from graphtalk.vertex.small import small_graph
from graphtalk.vertex.stepper import Message, Moment, NodeState, Stepper

__all__ = [
    "Bound",
    "Card",
    "Engine",
    "Example",
    "Execution",
    "Library",
    "Message",
    "Moment",
    "NodeState",
    "OnRound",
    "Outcome",
    "Parameter",
    "Program",
    "Report",
    "Round",
    "Run",
    "Stepper",
    "bind",
    "card_file",
    "library",
    "plain_states",
    "read_card",
    "read_program",
    "run",
    "small_graph",
    "totals_of",
]
