"""A library of patterns: how nodes act by what they hear, with places for what a problem chooses (`patterns/*.toml`).

    pattern("spread").program({"answer": "which"})      # the source of a program, as `read_card` takes it
    plain("spread", neighbours, values, parameters, choices)

A pattern is no algorithm with a name, but a rule that problems state in words: what spreads, what is gathered, who follows
whom. Edges have no direction, parallel ones count once and those from a node to itself not at all. `plain` says what a
pattern gives by a loop over nodes, one after the other: what a run on all nodes is compared with.
"""

from graphtalk.vertex.patterns.library import Pattern, pattern, pattern_names
from graphtalk.vertex.patterns.plain import Ambiguous, Answer, plain

__all__ = ["Ambiguous", "Answer", "Pattern", "pattern", "pattern_names", "plain"]
