"""A node or an edge that a question leaves out: "if the road between A and B is closed", "without passing through C"."""

import re
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from graphtalk.core import UsageError
from graphtalk.language.nouns import either
from graphtalk.reasoners.graph_agents.described import Described

_NAME = r"(?:\"[^\"\n]{1,60}\"|[^\W_][\w.'-]*(?: [A-Z][\w'-]*){0,2})"
_GONE = (
    r"(?:(?:is|are|were|was|gets?|has been|becomes?) (?:now |temporarily |suddenly )?(?:removed|deleted|taken (?:out|away|down|offline)|(?:switched|turned) off"
    r"|shut(?: down)?|closed|blocked|down|offline|out of (?:order|service|use|action)|unavailable|broken|destroyed|lost|flooded|absent|ill)"
    r"|fails|breaks(?: down)?|crashes|goes (?:down|offline)|drops out|shuts down|leaves(?: the [a-z]+)?|dies|closes)"
)
_AVOIDING = (
    r"(?:without (?:using|passing(?: through)?|going through|visiting|crossing|touching|stopping (?:in|at))|(?:that|which) (?:avoids|bypasses"
    r"|does not (?:pass|go|lead|run) (?:through|via)|does not (?:use|visit|touch))|avoiding|bypassing)"
)


@dataclass(frozen=True)
class Loss:
    """A node that is left out (`other` empty), or the edge between two, in either direction; `said` are the words for it."""

    name: str
    other: str
    said: str

    def is_of(self, described: Described) -> bool:
        """Whether it can be left out of a graph: one told in a text, of one kind of nodes, that has it."""
        there = all(end in described.position for end in (self.name, self.other) if end)
        return there and not described.kinds and described.embeddings is None and described.stored is None


@cache
def _lost() -> re.Pattern[str]:
    thing = (
        rf"(?:the )?(?:(?:direct )?{either('edges')} (?:(?:between|from) )?(?:the )?(?P<one>{_NAME})(?: (?:and|to) |-|–|—)(?:the )?(?P<other>{_NAME})"
        rf"|(?:{either('nodes')} )?(?P<node>{_NAME}))"
    )
    both = (
        thing.replace("?P<one>", "?P<one2>")
        .replace("?P<other>", "?P<other2>")
        .replace("?P<node>", "?P<node2>")
    )
    return re.compile(
        rf"(?:(?<=^)|(?<=[.,;:?!\n]))?\s*\b(?:if|when|once|after|suppose(?: that)?|assuming(?: that)?) {thing} {_GONE}(?=\s*[,.?;]|\s*$),?"
        rf"|,? {_AVOIDING} {both}(?=\s*[,.?;]|\s*$)",
        re.I | re.M,
    )


def without_loss(text: str) -> tuple[str, Loss | None]:
    """The text without the words for what is left out, and this; None where there is none, or more than one.

    >>> without_loss("If B fails, is A joined to C?")
    (' is A joined to C?', Loss(name='B', other='', said='If B fails,'))
    """
    found = list(_lost().finditer(text))
    if len(found) != 1:
        return text, None
    m = found[0]
    one, other = m["one"] or m["one2"], m["other"] or m["other2"] or ""
    name = one or m["node"] or m["node2"]
    return f"{text[: m.start()]} {text[m.end() :].lstrip()}", Loss(
        name.strip('"'), other.strip('"'), m[0].strip()
    )


def after_loss(described: Described, loss: Loss) -> Described:
    """The graph without what is left out. Raises UsageError where no edge joins the two ends."""
    one, source, target = described.position[loss.name], described.source, described.target
    if loss.other:
        other = described.position[loss.other]
        gone = ((source == one) & (target == other)) | ((source == other) & (target == one))
    else:
        gone = (source == one) | (target == one)
    if loss.other and not gone.any():
        raise UsageError(f"There is no edge between {loss.name} and {loss.other}.")
    kept = np.flatnonzero(~gone)
    stays = np.ones(described.num_nodes, np.bool_)
    stays[one] = bool(loss.other)
    place = np.cumsum(stays) - 1
    quotes = {new: described.quotes[old] for new, old in enumerate(kept.tolist()) if old in described.quotes}
    return replace(
        described,
        names=tuple(name for name, there in zip(described.names, stays, strict=True) if there),
        source=place[source[kept]],
        target=place[target[kept]],
        weight=None if described.weight is None else described.weight[kept],
        node_weight=None if described.node_weight is None else described.node_weight[stays],
        quotes=quotes,
        listed=True,
    )
