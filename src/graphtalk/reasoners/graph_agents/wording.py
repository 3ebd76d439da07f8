"""How nodes, paths and counts are told in answers (master summarization, section 4)."""

from collections.abc import Sequence

from graphtalk.language.nouns import forms
from graphtalk.reasoners.graph_agents.described import Described

MOST_SHOWN = 1_000


def node(d: Described, place: int) -> str:
    """A node in a sentence: `node 3`, `Paris`.

    Numbers and letters are said to be nodes; names stand for themselves.
    """
    name = d.names[place]
    return f"node {name}" if d.numbered or len(name) == 1 else name


def nodes_of(d: Described, places: Sequence[int]) -> str:
    """Several nodes: `0, 3 and 5`."""
    return joined([d.names[place] for place in places])


def joined(names: Sequence[str]) -> str:
    """Names in a sentence.

    >>> joined(["a", "b", "c"])
    'a, b and c'
    """
    if len(names) > MOST_SHOWN:
        return f"{', '.join(names[:MOST_SHOWN])} and {len(names) - MOST_SHOWN:,} more"
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)


def path_of(d: Described, places: Sequence[int]) -> str:
    """A path: `0,3,5`, or `Paris -> Rome`."""
    names = [d.names[place] for place in places]
    between = "," if d.numbered else " -> "
    return between.join(names if len(names) <= MOST_SHOWN else [*names[:MOST_SHOWN], "…"])


def times(count: int, noun: str) -> str:
    """A count of something.

    >>> times(1, "edge"), times(3, "community")
    ('1 edge', '3 communities')
    """
    return f"{count:,} {noun if count == 1 else forms(noun)[1]}"
