"""A graph that stands in a text as JSON: nodes and links, as networkx's `node_link_data`, D3 and cytoscape write it."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from graphtalk.core import UsageError
from graphtalk.reasoners.graph_agents.lexicon import words
from graphtalk.reasoners.graph_agents.lists import HOLE, Chunk, Taken

_LINKS = ("links", "edges")
_ENDS = (("source", "target"), ("from", "to"), ("src", "dst"), ("u", "v"))
_NAMES = ("id", "name", "key", "label")
_SPOKEN = re.compile(r'"(?:nodes|vertices|links|edges)"\s*:\s*\[')
_HEADING = 200  # letters before a list that say what it is


def take_node_link(text: str) -> Taken:
    """The text without its graphs in JSON, and these.

    Raises UsageError for JSON that means a graph and cannot be read: as prose it would be read wrongly.
    """
    if not _SPOKEN.search(text):
        return text, []
    kept: list[str] = []
    chunks: list[Chunk] = []
    place = 0
    while (start := text.find("{", place)) >= 0:
        try:
            data, end = json.JSONDecoder().raw_decode(text, start)
        except (json.JSONDecodeError, RecursionError) as error:
            end = max(start + 1, getattr(error, "pos", len(text)))
            if _SPOKEN.search(text, start, end + 1):
                raise UsageError(f"The JSON of the graph is broken: {error}.") from None
            kept.append(text[place:end])
        else:
            if any(key in data for key in ("nodes", "vertices", *_LINKS)):
                chunks.append(_chunk(data, text[max(0, start - _HEADING) : start]))
                kept += [text[place:start], HOLE]
            else:
                kept.append(text[place:end])
        place = end
    return "".join([*kept, text[place:]]), chunks


def _chunk(data: Mapping[str, Any], heading: str) -> Chunk:
    nodes = data.get("nodes", data.get("vertices", []))
    links = next((data[key] for key in _LINKS if key in data), None)
    if not isinstance(nodes, list) or not isinstance(links, list):
        raise UsageError('JSON of a graph needs the lists "nodes" and "links" (or "edges").')
    names = [_name(node) for node in nodes]
    ends = [_ends(link) for link in links]
    weights = _weights(links)
    unknown = {end for pair in ends for end in pair} - set(names) if names else set()
    if unknown:
        raise UsageError(f"A link of the JSON leads to {min(unknown)!r}, which is not among its nodes.")
    return Chunk(
        [a for a, _ in ends],
        [b for _, b in ends],
        weights,
        data["directed"] if isinstance(data.get("directed"), bool) else None,
        heading,
        names=names,
    )


def _name(node: Any) -> str:
    held = node.get("data", node) if isinstance(node, dict) else {"id": node}
    found = next((held[key] for key in _NAMES if isinstance(held, dict) and key in held), None)
    if isinstance(found, bool) or not isinstance(found, str | int):
        raise UsageError(f'A node of the JSON has no "id": {json.dumps(node)[:80]}.')
    return str(found)


def _ends(link: Any) -> tuple[str, str]:
    held = link.get("data", link) if isinstance(link, dict) else link
    if isinstance(held, dict):
        pair = next(([held[a], held[b]] for a, b in _ENDS if a in held and b in held), [])
    else:
        pair = held[:2] if isinstance(held, list) else []
    if len(pair) != 2 or not all(isinstance(end, str | int) and not isinstance(end, bool) for end in pair):
        raise UsageError(f'A link of the JSON has no "source" and "target": {json.dumps(link)[:80]}.')
    return str(pair[0]), str(pair[1])


def _weights(links: Sequence[Any]) -> Sequence[float] | None:
    """The values under the first key that is called so; of links that are lists, the third entry."""
    held: list[dict[Any, Any]] = [
        link.get("data", link) if isinstance(link, dict) else dict(enumerate(link)) for link in links
    ]
    known = words("weights")
    key = next(
        (k for link in held for k in link if k == 2 or (isinstance(k, str) and k.lower() in known)), None
    )
    if key is None:
        return None
    values = [link.get(key) for link in held]
    if not all(isinstance(value, int | float | None) and not isinstance(value, bool) for value in values):
        raise UsageError(f"The values of {key!r} in the JSON are not all numbers.")
    return [np.nan if value is None else float(value) for value in values]
