"""Whether the master's words may stand for what was found: they say the value, and no number or node beside it."""

import re
from collections.abc import Collection, Mapping, Sequence

from graphtalk.core import JSON
from graphtalk.tools.verify import says

_OPEN = re.compile(r"\{\w+\}")  # a place of a template
_NUMBER = r"-?\d+(?:,\d{3})*(?:\.\d+)?(?![\d,]*\d)"
_NUMBERS = re.compile(rf"(?<![\w.]){_NUMBER}")
_PAIRS = re.compile(rf"(?<![\w.])(?P<name>[\w.-]+)\s*(?::|=|\bis\b|\bat\b)\s*(?P<number>{_NUMBER})")
_BETWEEN = r"\W+(?:(?:and|then|to|via)\W+)*"


def agrees(said: str, value: JSON, asked: str, names: Collection[str]) -> bool:
    """Whether words say a value, and nothing that may contradict it. `asked` is the question, `names` are all nodes'.

    Words with a place of a template left open ("{answer}") say nothing. Where it is not plain that they agree, they do not.

    >>> agrees("Node 7 is at distance 8.", 7, "How far is 7 from 0?", {"7", "8"})
    False
    """
    if not said.strip() or _OPEN.search(said):
        return False
    told = _numbers(said)
    if value is None or isinstance(value, bool | str):
        return value is None or says(said, value)
    if isinstance(value, int | float):
        return float(value) in told and told <= {float(value), *_numbers(asked)}
    if isinstance(value, dict):
        return _tells_pairs(said, value, told - _numbers(asked))
    nodes = [str(node) for node in value if isinstance(node, str | int)]
    if len(nodes) < len(value) or not nodes:
        return False
    mentioned = {word for word in re.findall(r"\w+(?:[-'’]\w+)*", said) if word in names}
    others = mentioned - set(nodes) - set(re.findall(r"\w+(?:[-'’]\w+)*", asked))
    return not others and _in_order(nodes, said)


def _numbers(text: str) -> set[float]:
    return {float(number.replace(",", "")) for number in _NUMBERS.findall(text)}


def _tells_pairs(said: str, value: Mapping[str, JSON], told: set[float]) -> bool:
    """Whether all numbers that are told stand right after a node, and are that node's."""
    pairs = [(m["name"], float(m["number"].replace(",", ""))) for m in _PAIRS.finditer(said)]
    right = all(value.get(name) == number for name, number in pairs)
    named = {float(name) for name, _ in pairs if name.isdecimal()}
    return bool(pairs) and right and told <= named | {number for _, number in pairs}


def _in_order(nodes: Sequence[str], said: str) -> bool:
    return re.search(rf"(?<!\w){_BETWEEN.join(map(re.escape, nodes))}(?!\w)", said) is not None
