"""Sentences out of the grammar of paraphrases (`grammar.txt`), as shapes: mentions are masked."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from graphtalk.reasoners.toolformer.offline.mentions import WORDS

_CHOICE = re.compile(r"\{([^{}]*)\}")
_MACRO = re.compile(r"\$([a-z]+)")
_PLACES = {
    "toolx": "$g",
    "graph_bert": "$bib",
    "seg_bert": "$mol",
    "bpr": "$shop",
    "kmeans": "$soc",
    "transe": "$kg",
}


_MORE = {
    "other": 4,
    "graph_bert:topic": 2,
    "seg_bert:molecule_function": 2,
}  # the only functions of their families


@dataclass
class _Section:
    phrases: list[str] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)


def sentences(each: int, seed: int = 0) -> Iterator[tuple[tuple[str, ...], str]]:
    """Shapes and the function that each asks for: up to `each` different ones of every function, drawn at random."""
    macros, frames, sections = _read()
    for function, section in sections.items():
        draw = random.Random(f"{seed} {function}")
        wanted = each * _MORE.get(function, 1)
        seen: set[tuple[str, ...]] = set()
        for _ in range(wanted * 3):
            line = draw.choice(section.sentences + section.phrases * 2)
            if line in section.phrases:
                place = _PLACES[function.partition(":")[0]]
                line = draw.choice(frames).replace("$g", place).replace("$np", line)
            seen.add(_of_some_kind(_shape(_expand(line, macros, draw)), function, draw))
            if len(seen) == wanted:
                break
        yield from ((shape, function) for shape in sorted(seen))


def _of_some_kind(shape: tuple[str, ...], function: str, draw: random.Random) -> tuple[str, ...]:
    """The same asked of another graph, whose nodes are papers, users or entities; only of functions that take any."""
    if not function.startswith(("toolx:", "kmeans:")) or draw.random() < _AS_WRITTEN:
        return shape
    node = draw.choice(_NODES)
    return tuple(node if mask in _NODES else mask for mask in shape)


_AS_WRITTEN = 0.4
_NODES = ("<node>", "<user>", "<paper>", "<entity>")


def _expand(line: str, macros: dict[str, str], draw: random.Random) -> str:
    while True:
        if match := _CHOICE.search(line):
            chosen = draw.choice(match[1].split("|"))
        elif match := _MACRO.search(line):
            chosen = macros[match[1]]
        else:
            return line
        line = line[: match.start()] + chosen + line[match.end() :]


def _shape(line: str) -> tuple[str, ...]:
    masks: list[str] = []
    for part in line.split():
        masks.extend([part] if part.startswith("<") else WORDS.findall(part.lower()))
    return tuple(masks)


@cache
def _read() -> tuple[dict[str, str], list[str], dict[str, _Section]]:
    macros: dict[str, str] = {}
    frames: list[str] = []
    sections: dict[str, _Section] = {}
    for line in files(__package__).joinpath("grammar.txt").read_text(encoding="utf-8").splitlines():
        name, _, rest = line.partition(" = ")
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            section = sections.setdefault(line.strip("[]"), _Section())
        elif line.startswith("$") and rest and " " not in name:
            macros[name[1:]] = rest
        elif line.startswith("frame: "):
            frames.append(line.removeprefix("frame: "))
        elif line.startswith("np: "):
            section.phrases.append(line.removeprefix("np: "))
        else:
            section.sentences.append(line)
    return macros, frames, sections
