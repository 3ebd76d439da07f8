"""Recursive transition networks over bytes, made deterministic step by step.

A network is its first node. A node leads on by a byte, by nothing (`jumps`), or through another network (`calls`:
that network, and the node after it). A text is of the network where a path from the first node ends at a final one.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from math import inf as NEVER
from typing import TypeAlias


@dataclass(eq=False)
class Node:
    """A node of a network. `free`: any plain text leads from it to a node that is free again."""

    bytes: "dict[int, Node]" = field(default_factory=dict)
    jumps: "list[Node]" = field(default_factory=list)
    calls: "list[tuple[Node, Node]]" = field(default_factory=list)
    final: bool = False
    free: bool = False

    def near(self) -> "set[Node]":
        """The nodes that it leads to, in its own network and in those that it goes through."""
        return {*self.bytes.values(), *self.jumps, *(part for pair in self.calls for part in pair)}


Returns: TypeAlias = "tuple[Node, Returns] | tuple[()]"
Config: TypeAlias = tuple[Node, Returns]


@dataclass(eq=False)
class State:
    """All places of the network where the bytes so far may lead. `accepts`: the text may end here."""

    configs: frozenset[Config]
    accepts: bool
    free: bool
    steps: "dict[int, State | None]" = field(default_factory=dict)

    @cached_property
    def bytes(self) -> frozenset[int]:
        """The bytes that lead on, some of them perhaps to nowhere."""
        return frozenset(byte for node, _ in self.configs for byte in node.bytes)


class Automaton:
    """The deterministic automaton of a network; states are made when they are first reached.

    From every state the text can be ended: ways without an end are left out. Raises ValueError where no way has one.
    """

    def __init__(self, first: Node) -> None:
        self._states: dict[frozenset[Config], State] = {}
        self._distances = _distances(first)
        start = self._state([(first, ())])
        if start is None:
            raise ValueError("the network has no text")
        self.start = start

    def step(self, state: State, byte: int) -> State | None:
        """The state after one more byte, or None where that may not come."""
        if byte not in state.steps:
            reached = [(node.bytes[byte], returns) for node, returns in state.configs if byte in node.bytes]
            state.steps[byte] = self._state(reached)
        return state.steps[byte]

    def walk(self, state: State, text: bytes) -> State | None:
        """The state after more bytes, or None."""
        at: State | None = state
        for byte in text:
            if at is None:
                return None
            at = self.step(at, byte)
        return at

    def accepts(self, text: str) -> bool:
        """Whether the whole text is of the network."""
        state = self.walk(self.start, text.encode())
        return state is not None and state.accepts

    def bytes_left(self, state: State) -> int:
        """How many bytes the shortest end has."""
        if state.accepts:
            return 0
        return int(min(self._distances[node] + self._behind(returns) for node, returns in state.configs))

    def shortest(self, state: State) -> bytes:
        """The shortest bytes after which the text may end."""
        written = bytearray()
        while not state.accepts:
            _, byte = min(
                (self._distances[child] + self._behind(returns), byte)
                for node, returns in state.configs
                for byte, child in node.bytes.items()
            )
            after = self.step(state, byte)
            if after is None:
                raise ValueError("a state leads nowhere")
            written.append(byte)
            state = after
        return bytes(written)

    def _behind(self, returns: Returns) -> float:
        total = 0.0
        while returns:
            total += self._distances[returns[0]]
            returns = returns[1]
        return total

    def _state(self, configs: Iterable[Config]) -> State | None:
        seen: set[Config] = set()
        left = list(configs)
        while left:
            config = left.pop()
            node, returns = config
            if config in seen or self._distances[node] == NEVER:
                continue
            seen.add(config)
            left += [(jump, returns) for jump in node.jumps]
            left += [(inner, (after, returns)) for inner, after in node.calls if self._ends(after)]
            if node.final and returns:
                left.append(returns)
        kept = frozenset(each for each in seen if each[0].bytes or (each[0].final and not each[1]))
        if not kept:
            return None
        if kept not in self._states:
            accepts = any(node.final and not returns for node, returns in kept)
            self._states[kept] = State(kept, accepts, any(node.free for node, _ in kept))
        return self._states[kept]

    def _ends(self, node: Node) -> bool:
        return self._distances[node] < NEVER


def _distances(first: Node) -> dict[Node, float]:
    """How many bytes each node is from the end of its own network, at least; infinite where there is no way."""
    near = _reached(first)
    before: dict[Node, list[Node]] = {node: [] for node in near}
    for node, afters in near.items():
        for after in afters:
            before[after].append(node)
    found = dict.fromkeys(before, NEVER)
    left = deque(node for node in before if node.final)
    while left:
        node = left.popleft()
        ways = [0.0] if node.final else []
        ways += [1 + found[after] for after in set(node.bytes.values())]
        ways += [found[after] for after in node.jumps]
        ways += [found[inner] + found[after] for inner, after in node.calls]
        if ways and min(ways) < found[node]:
            found[node] = min(ways)
            left.extend(before[node])
    return found


def _reached(first: Node) -> dict[Node, set[Node]]:
    """All nodes of a network, each with those that are near it."""
    found: dict[Node, set[Node]] = {}
    left = [first]
    while left:
        node = left.pop()
        if node not in found:
            found[node] = node.near()
            left += [after for after in found[node] if after not in found]
    return found


# the parts that networks are put together from; each returns the node behind


def write(at: Node, text: str) -> Node:
    """Lead on by a text. An existing way with the same bytes is taken as far as it goes."""
    for byte in text.encode():
        at = at.bytes.setdefault(byte, Node())
    return at


def through(at: Node, network: Node) -> Node:
    """Lead on through another network."""
    after = Node()
    at.calls.append((network, after))
    return after


def trie(texts: Iterable[str]) -> Node:
    """The network of some texts."""
    first = Node()
    for text in texts:
        write(first, text).final = True
    return first


def either(*networks: Node) -> Node:
    """The network of all texts of several networks."""
    return Node(jumps=list(networks))


def plain_text(copied: Node) -> Node:
    """The network of text in one line without calls: valid UTF-8, no `[`, no control characters, no `GR (`.

    Digits and `#` come in texts of the network `copied` alone: ids and numbers are not to be made up. A round bracket
    after GR or GL would be taken for a call that stands in no brackets.
    """
    other, g, gr = (Node(final=True, free=True) for _ in range(3))
    for node in (other, g, gr):
        for byte in range(0x20, 0x7F):
            node.bytes[byte] = other
        for sign in b"[#0123456789":
            del node.bytes[sign]
        node.calls.append((copied, other))
        node.bytes[ord("g")] = node.bytes[ord("G")] = g
        for byte, after in _beyond_ascii(gr if node is gr else other):
            node.bytes[byte] = after
    for letter in "rlRL":
        g.bytes[ord(letter)] = gr
    gr.bytes[ord(" ")] = gr
    del gr.bytes[ord("(")]
    return other


def _beyond_ascii(back: Node) -> Iterator[tuple[int, Node]]:
    """The ways of UTF-8 characters of two to four bytes (RFC 3629), which end at `back`."""
    one = Node(dict.fromkeys(range(0x80, 0xC0), back))
    two = Node(dict.fromkeys(range(0x80, 0xC0), one))
    # U+0080 to U+009F are control characters.
    yield 0xC2, Node(dict.fromkeys(range(0xA0, 0xC0), back))
    yield from ((byte, one) for byte in range(0xC3, 0xE0))
    yield 0xE0, Node(dict.fromkeys(range(0xA0, 0xC0), one))
    yield from ((byte, two) for byte in (*range(0xE1, 0xED), 0xEE, 0xEF))
    yield 0xED, Node(dict.fromkeys(range(0x80, 0xA0), one))
    yield 0xF0, Node(dict.fromkeys(range(0x90, 0xC0), two))
    yield from ((byte, Node(dict.fromkeys(range(0x80, 0xC0), two))) for byte in range(0xF1, 0xF4))
    yield 0xF4, Node(dict.fromkeys(range(0x80, 0x90), two))
