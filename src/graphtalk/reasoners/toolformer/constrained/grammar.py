"""The network of a text: all that its annotation may be.

    statement  = the text, each slot [TBR] a place with a result, and places without between its words
    question   = any plain text with places in it, one of them with a result; or the text as it is. Ids and numbers
                 in it are copied too
    place      = "[" call "-->r]" | "[" (call | load) "]"
    call       = 'GR(GL("' graph '"' [', {"' name '"}'] '), "' domain:function '"' {", " argument} ")"
    load       = 'GL("' (graph | name) '"' ["," parts] ")"
    argument   = kind#id | "kind#id" | "name" | number | True | False | call         as the function's parameters want

Graphs and functions are those that exist; ids, names and numbers are copied from the text (see `spans`).
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from graphtalk.reasoners.toolformer.constrained.network import (
    Automaton,
    Node,
    either,
    plain_text,
    through,
    trie,
    write,
)
from graphtalk.reasoners.toolformer.constrained.spans import MOST_WORDS, Spans
from graphtalk.reasoners.toolformer.statement import SLOT
from graphtalk.tools.registry import Parameter, Registry

Words: TypeAlias = Literal["copy", "free"]
KINDS = frozenset(
    "paper instance user item movie artist entity relation node".split()
)  # table 2 of the paper
_PARTS = frozenset("nodes links edges and of".split())  # beside words of the text, in "all road nodes"
_NODES = frozenset({"node", "nodes", "entries", "bag or list"})
_NUMBERS = frozenset({"number", "whole number"})
_MOST_PAIRED = 12  # ids of a text that are told apart where a function takes two
_CALLED = frozenset({"table", "names", "numbers", "ordered"})  # only another call gives them


@dataclass(frozen=True)
class Grammar:
    """What annotations may call: functions of a registry, on graphs of these names.

    words: `copy` has statements come back word for word; `free` lets them be put in other words, as questions are
    """

    registry: Registry
    graphs: Collection[str]
    words: Words = "copy"

    def automaton(self, text: str) -> Automaton:
        """The automaton of the annotations of a text; a blank may stand before them."""
        text = text.strip()
        calls = _Calls(self, Spans(text))
        bodies = [calls.copied(text)] if self.words == "copy" or SLOT not in text else []
        if self.words == "free" or SLOT not in text:
            bodies.append(calls.rewritten())
        body = either(*bodies)
        first = Node(jumps=[body])
        write(first, " ").jumps.append(body)
        return Automaton(first)

    @cached_property
    def functions(self) -> dict[str, tuple[Parameter, ...]]:
        """The functions of domains, `toolx:order`, with their parameters."""
        return {tool.toolformer: tool.parameters for tool in self.registry.values() if ":" in tool.toolformer}


class _Calls:
    """The networks of calls about one text."""

    def __init__(self, grammar: Grammar, spans: Spans) -> None:
        self._spans = spans
        self._graphs = trie(grammar.graphs)
        self._names = trie(spans.names("_"))
        self._quoted = trie(spans.quoted())
        self._numbers = trie(spans.numbers())
        self._truths = trie(("True", "False"))
        self._names_of_nodes = trie(() if spans.marked else spans.quoted())
        self._kinds = trie(spans.kinds() | KINDS)
        self._ids = spans.ids()
        self._references = self._reference(self._ids)
        self._arguments: dict[tuple[Parameter, ...], Node] = {}
        self._call = Node()
        self._fill_call(grammar.functions)
        self._plain = plain_text(trie(spans.counted()))
        self._result = self._place(self._call, "-->r]")
        self._kept = self._place(either(self._call, self._load()), "]")

    def copied(self, text: str) -> Node:
        """The text with a place in each slot, and places without results where words end and at the beginning.

        A `#` before a slot may go, or be a blank: "entity #[TBR]" asks for a whole reference.
        """
        first = Node()
        at = Node()
        first.jumps.append(at)
        write(through(first, self._kept), " ").jumps.append(at)
        place = 0
        while place < len(text):
            if text.startswith(SLOT, place):
                at = through(at, self._result)
                place += len(SLOT)
                continue
            after = write(at, text[place])
            if text.startswith(f"#{SLOT}", place):
                at.jumps.append(after)
                write(at, " ").jumps.append(after)
            at, place = after, place + 1
            if text[place - 1].isalnum() and not text[place : place + 1].isalnum():
                joined = Node()
                at.jumps.append(joined)
                through(write(at, " "), self._kept).jumps.append(joined)
                at = joined
        at.final = True
        return first

    def rewritten(self) -> Node:
        """Other words, with at least one place that has a result."""
        first = Node()
        before = through(first, self._plain)
        before.calls.append((self._kept, first))
        behind = through(before, self._result)
        end = through(behind, self._plain)
        end.final = True
        end.calls += [(self._kept, behind), (self._result, behind)]
        return first

    @staticmethod
    def _place(call: Node, closing: str) -> Node:
        first = Node()
        write(through(write(first, "["), call), closing).final = True
        return first

    def _fill_call(self, functions: dict[str, tuple[Parameter, ...]]) -> None:
        graph = through(write(self._call, 'GR(GL("'), self._graphs)
        head = write(graph, '"), "')
        write(through(write(graph, '", {"'), self._names), '"}), "').jumps.append(head)
        for name, parameters in functions.items():
            end = Node(final=True)
            write(head, f'{name}"').calls.append((self._given(parameters), end))

    def _load(self) -> Node:
        first = Node()
        known = either(self._graphs, trie(self._spans.names("-")))
        name = write(through(write(first, 'GL("'), known), '"')
        end = write(name, ")")
        end.final = True
        write(through(write(name, ', {"'), self._names), '"})').jumps.append(end)
        nodes = through(write(name, ', "all '), self._parts())
        links = through(write(nodes, '", "all '), self._parts())
        write(nodes, '")').jumps.append(end)
        write(links, '")').jumps.append(end)
        return first

    def _parts(self) -> Node:
        """A few words of the text or of _PARTS, with blanks between them."""
        words = trie({word.lower() for word in self._spans.plain} | _PARTS)
        first = at = Node()
        for _ in range(MOST_WORDS):
            end = through(at, words)
            end.final = True
            at = write(end, " ")
        return first

    def _given(self, parameters: tuple[Parameter, ...]) -> Node:
        """The arguments of a function, and the bracket behind them."""
        if parameters not in self._arguments:
            first = at = Node()
            left = parameters
            if len(parameters) > 1 and all(self._is_named(parameter) for parameter in parameters[:2]):
                at, left = through(at, self._pair(*parameters[:2])), parameters[2:]
            for parameter in left:
                if not parameter.required:
                    write(at, ")").final = True
                at = through(write(at, ", "), self._value(parameter))
            write(at, ")").final = True
            self._arguments[parameters] = first
        return self._arguments[parameters]

    def _is_named(self, parameter: Parameter) -> bool:
        """Whether the argument has to be given, and names a node, a relation or the like."""
        return parameter.required and parameter.kind not in _NUMBERS | _CALLED | {"boolean"}

    def _pair(self, one: Parameter, other: Parameter) -> Node:
        """Two arguments: where the text has a few ids, not the same twice."""
        pair = Node()
        ids = self._ids if 1 < len(self._ids) <= _MOST_PAIRED else set[str]()
        ways = [
            (self._reference({id}), either(self._unmarked(other), self._reference(ids - {id}))) for id in ids
        ]
        ways.append((self._unmarked(one) if ids else self._value(one), self._value(other)))
        for first, second in ways:
            through(write(through(write(pair, ", "), first), ", "), second).final = True
        return pair

    def _value(self, parameter: Parameter) -> Node:
        if parameter.kind in _NUMBERS:
            return self._numbers
        if parameter.kind in _CALLED:
            return self._call
        if parameter.kind == "boolean":
            return self._truths
        return either(self._references, self._unmarked(parameter))

    def _unmarked(self, parameter: Parameter) -> Node:
        """What names a node or the like without a kind and an id."""
        return either(self._names_of_nodes, self._call) if parameter.kind in _NODES else self._quoted

    def _reference(self, ids: Collection[str]) -> Node:
        """`paper#12`, or in quotes, as the paper writes the nodes of a set's graphs, `"node#12"`."""
        bare, quoted = Node(), Node()
        through(write(through(bare, self._kinds), "#"), trie(ids)).final = True
        plain = trie(id for id in ids if not id.startswith('"'))
        write(through(write(through(write(quoted, '"'), self._kinds), "#"), plain), '"').final = True
        return either(bare, quoted)
