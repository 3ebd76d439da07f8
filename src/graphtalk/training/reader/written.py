"""Schemas with questions that somebody made up, each question in several wordings and with its Cypher, as examples.

A program draws readings of every form but asks few things that people would; who writes these invents the data that somebody keeps and
what they ask of it, so which readings are usual, and in which words, is theirs. A file has blocks:

    ## ferries
    Ferry: name* text(Aurora; Bergen Queen), capacity number, launched date, active boolean, fuel text(diesel; electric)
    Company: name* text(Fjord Lines)
    Ferry -operator-> Company: since number
    Company -partner- Company
    ? Which diesel ferries belong to Fjord Lines? | diesel ships run by Fjord Lines
    = MATCH (f:Ferry {fuel: 'diesel'})-[:operator]->(c:Company {name: 'Fjord Lines'}) RETURN f
    ? Is the Aurora still in service? | Aurora still sailing?
    = ASK MATCH (f:Ferry {name: 'Aurora'}) WHERE f.active RETURN f
    ! How long is the Aurora? | what does a ticket on the Aurora cost

A type with its properties (`*`: it names the node; in brackets some of the texts that it has), a relation from type to type (without a head: it
has no direction) with its own; a question in several wordings, then its Cypher, `ASK` before it where yes or no is wanted, `SHARE` where
the part of all nodes of that type is; `!` what nothing here answers.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from graphtalk.reasoners.reader.reading import canonical, written
from graphtalk.reasoners.reader.shape import Held, Link, PropertyKind, Shape, with_names
from graphtalk.training.reader.examples import Example
from graphtalk.training.reader.sets import Labelled, Table, examples_table, labelled, mention
from graphtalk.training.reader.variation import Group

_KINDS: dict[str, PropertyKind] = {k: k for k in ("text", "number", "boolean", "date", "list")}
_PROPERTY = re.compile(r"([\w#%-]+)(\*?) (\w+)(?:\(([^)]*)\))?\s*(?:,|$)")
_LINK = re.compile(r"(\w+) -([^>]+?)-(>?) (\w+)(?:: (.*))?$")
_SHOWN, _FEW = 2, 30  # as the reader shows texts of a graph's properties to the network


@dataclass(frozen=True)
class Complaint:
    """What of a file is not learnt from: the line, and why."""

    line: int
    text: str
    why: str


def read_written(text: str, name: str) -> tuple[list[Group], list[Complaint]]:
    """The schemas of a file with their questions as examples, and what could not be read."""
    groups, complaints = [], []
    lines = [(i, line.strip()) for i, line in enumerate(text.splitlines(), 1)]
    starts = [at for at, (_, line) in enumerate(lines) if line.startswith("## ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        block = _Block(lines[start + 1 : end])
        examples = tuple(block.examples())
        complaints += block.complaints
        if examples:
            groups.append(Group(block.shape, examples, f"{name} {lines[start][1][3:]}"))
    return groups, complaints


class _Block:
    def __init__(self, lines: Sequence[tuple[int, str]]) -> None:
        self.complaints: list[Complaint] = []
        self._asked = [(i, line) for i, line in lines if line[:1] in ("?", "=", "!")]
        types: list[str] = []
        links: list[Link] = []
        held: list[Held] = []
        self._texts: dict[str, list[str]] = {}
        for i, line in lines:
            if not line or line[0] in "?=!#":
                continue
            link = _LINK.match(line)
            head, _, rest = line.partition(":")
            if link is not None:
                links.append(Link(link[2], link[1], link[4], undirected=not link[3]))
                held += self._held(links[-1].key, link[5] or "", True, i)
            else:
                types.append(head.strip())
                held += self._held(head.strip(), rest.strip(), False, i)
        for bad in [k for k in links if k.source not in types or k.target not in types]:
            self._complain(lines[0][0] if lines else 0, bad.key, "a type of this relation has no line")
        links = [k for k in links if k.source in types and k.target in types]
        keys = {*types, *(k.key for k in links)}
        self.shape = Shape(tuple(types), tuple(links), with_names(h for h in held if h.owner in keys))
        self._table = self._known()

    def _complain(self, line: int, text: str, why: str) -> None:
        self.complaints.append(Complaint(line, text, why))

    def _held(self, owner: str, text: str, edge: bool, line: int) -> Iterator[Held]:
        at = 0
        while at < len(text):
            match = _PROPERTY.match(text, at)
            if match is None or match[3] not in _KINDS:
                self._complain(line, text[at:], "no property as `name kind(value; value)`")
                return
            at = match.end() + len(text[match.end() :]) - len(text[match.end() :].lstrip())
            kind, texts = _KINDS[match[3]], [t.strip() for t in (match[4] or "").split(";") if t.strip()]
            kept = texts if kind in ("text", "list") else []
            shown = sorted(kept, key=len)[:_SHOWN] if len(kept) <= _FEW else []
            held = Held(owner, match[1], kind, edge, bool(match[2]), tuple(shown), kind)
            self._texts[held.action] = kept
            yield held

    def _known(self) -> Table:
        every = [replace(h, examples=tuple(self._texts.get(h.action, ()))) for h in self.shape.held]
        return examples_table(replace(self.shape, held=tuple(every)))

    def examples(self) -> Iterator[Example]:
        """The questions that can be learnt from, in each of their wordings."""
        wordings: list[str] = []
        at = 0
        for line, text in self._asked:
            said = [w.strip() for w in text[1:].split(" | ") if w.strip()]
            match text[0]:
                case "?":
                    wordings, at = said, line
                case "!":
                    for question in said:
                        values = labelled("", question, "", self.shape, self._table).values
                        yield Example(question, tuple(map(mention, values)), ("NONE",))
                case _:
                    if not wordings:
                        self._complain(line, text, "no question stands before it")
                    for question in wordings:
                        yield from self._example(question, text[1:].strip(), at)
                    wordings = []

    def _example(self, question: str, cypher: str, line: int) -> Iterator[Example]:
        asks, _, rest = cypher.partition(" ")
        told = asks not in ("ASK", "SHARE")
        read: Labelled = labelled("", question, cypher if told else rest, self.shape, self._table)
        if read.reading is None:
            self._complain(line, question, read.why)
            return
        reading = read.reading
        try:
            if not told:
                plain = replace(reading, asks=asks, columns=(), order=None, limit=None)
                reading = canonical(plain, self.shape)
            actions = tuple(written(reading))
        except (KeyError, ValueError) as error:
            self._complain(line, question, str(error))
            return
        yield Example(question, tuple(map(mention, read.values)), actions)
