"""Where training questions come from, as an endless row of groups: a schema with some questions about it."""

import json
import lzma
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from importlib.resources import as_file, files
from pathlib import Path
from random import Random
from typing import Literal, TextIO

from graphtalk.core import UsageError
from graphtalk.language.wordpiece import WordPiece
from graphtalk.reasoners.reader.encoding import (
    Asked,
    Items,
    Target,
    encode_items,
    encode_question,
    encode_target,
)
from graphtalk.reasoners.reader.grammar import Grammar
from graphtalk.reasoners.reader.shape import Held, Link, Shape
from graphtalk.training.reader.domains import Domain, made_up, tables, vary
from graphtalk.training.reader.examples import Example, Mention
from graphtalk.training.reader.made import Questions
from graphtalk.training.reader.network import Batch, batched
from graphtalk.training.reader.variation import Group, thinned, varied

MOST_POSITIONS, MOST_STEPS = 220, 64
WINDOW = 64
LEAST_ROWS = 24
PACKAGED = ("paraphrases", "written", "written_more", "written_near")  # sets beside this module


Source = Callable[[Random, int], Group]
"""A group of so many questions, drawn anew each time."""


def made_source(spider: Path | None) -> Source:
    """Questions made by program over the made-up schemas, and over Spider's where their `tables.json` is given."""
    domains: list[Domain] = made_up() * 3
    if spider is not None:
        domains += tables(json.loads(spider.read_text("utf-8")))

    def draw(random: Random, number: int) -> Group:
        while True:
            world = vary(random.choice(domains), random)
            maker = Questions(world, random)
            made = [maker.make() for _ in range(number * 3)]
            found = [e for e in made if e is not None][:number]
            if len(found) >= number // 2:
                return thinned(Group(world.shape, tuple(found)), random, _size(random))

    return draw


def _size(random: Random) -> int:
    """How many items a varied schema may have."""
    return random.choice((25, 40, 40, 60, 60, 80, 120))


def set_source(groups: Sequence[Group], as_said: bool = False) -> Source:
    """Questions of a set, by schema: a schema is drawn as often as the root of its questions. `as_said`: none is varied."""
    if not groups:
        raise UsageError("There are no questions to learn from.")
    weights = [len(g.examples) ** 0.5 for g in groups]

    def draw(random: Random, number: int) -> Group:
        group = random.choices(groups, weights)[0]
        picked = Group(group.shape, tuple(random.sample(group.examples, min(number, len(group.examples)))))
        if as_said or random.random() < 0.12:
            return picked
        return varied(picked, random, _size(random))

    return draw


def write_groups(path: Path, groups: Sequence[Group]) -> None:
    """Groups as JSON lines; packed where the name ends in `.xz`."""
    with _opened(path, "wt") as file:
        for group in groups:
            file.write(json.dumps(asdict(group), ensure_ascii=False) + "\n")


def _opened(path: Path, mode: Literal["rt", "wt"]) -> TextIO:
    return (
        lzma.open(path, mode, encoding="utf-8") if path.suffix == ".xz" else path.open(mode, encoding="utf-8")
    )


def weighed_sources(
    weights: str, spider: Path | None, sets: Path | None, left_out: str, as_said: bool = False
) -> list[tuple[float, Source]]:
    """Sources with their shares, as `made=0.5,paraphrases=0.3,text2cypher=0.2` says them.

    `made` is questions made by program, `paraphrases` such questions as people said them (`scripts/paraphrase.py`), `written` schemas with
    questions that somebody made up (`scripts/written.py`), any other name a file under `sets`;
    `left_out`: names of schemas, with commas, that none of these may show; `as_said`: what people said is not varied. Raises UsageError where there are no `sets`.
    """
    found = []
    for part in weights.split(","):
        name, _, weight = part.partition("=")
        if name == "made":
            source = made_source(spider)
        elif name in PACKAGED:
            with as_file(files("graphtalk.training.reader") / f"{name}.jsonl.xz") as path:
                source = set_source(read_groups(path), as_said)
        elif sets is None:
            raise UsageError(f"The questions of {name} are in the folder that --sets says.")
        else:
            unseen = frozenset(filter(None, left_out.split(",")))
            source = set_source(read_groups(sets / f"{name}.jsonl", unseen), as_said)
        found.append((float(weight), source))
    return found


def read_groups(path: Path, left_out: frozenset[str] = frozenset()) -> list[Group]:
    """Groups as `write_groups` wrote them, but for the schemas of these names."""
    found = []
    with _opened(path, "rt") as file:
        lines = file.readlines()
    for raw in map(json.loads, lines):
        if raw["name"] in left_out:
            continue
        s = raw["shape"]
        held = tuple(
            Held(h["owner"], h["name"], h["kind"], h["edge"], h["naming"], tuple(h["examples"]), h["stored"])
            for h in s["held"]
        )
        shape = Shape(
            tuple(s["types"]),
            tuple(Link(**{**each, "of": tuple(each.get("of", ()))}) for each in s["links"]),
            held,
        )
        examples = tuple(
            Example(
                e["question"],
                tuple(Mention(**{**v, "owners": tuple(v["owners"])}) for v in e["values"]),
                tuple(e["actions"]),
            )
            for e in raw["examples"]
        )
        found.append(Group(shape, examples, raw["name"]))
    return found


def encoded(group: Group, tokenizer: WordPiece, random: Random | None) -> list[tuple[Asked, Target]]:
    """What the network reads; with `random`, the schema's items in another order. Questions that do not fit are left out."""
    shape = group.shape if random is None else shuffled(group.shape, random)
    items: Items = encode_items(shape, tokenizer)
    found = []
    for e in group.examples:
        values = [(v.start, v.end, v.kind, v.owners) for v in e.values]
        asked = encode_question(e.question, values, items, tokenizer)
        if asked.positions > MOST_POSITIONS or len(e.actions) > MOST_STEPS:
            continue
        try:
            kinds = {f"S:{i}": v.kind for i, v in enumerate(e.values)}
            owners = {f"S:{i}": v.owners for i, v in enumerate(e.values)}
            found.append((asked, encode_target(e.actions, asked, Grammar(shape, kinds, owners))))
        except ValueError:
            continue
    return found


def shuffled(shape: Shape, random: Random) -> Shape:
    """The same schema in another order."""
    return Shape(
        tuple(random.sample(shape.types, len(shape.types))),
        tuple(random.sample(shape.links, len(shape.links))),
        tuple(random.sample(shape.held, len(shape.held))),
    )


def batches(
    sources: Sequence[tuple[float, Source]],
    seed: int,
    tokenizer: WordPiece,
    questions: int = 6,
    pairs: int = 500_000,
) -> Iterator[Batch]:
    """Batches without end, each over several schemas, sources drawn by their weights.

    Groups of about the same size come together, and a batch has about so many `pairs` of positions, which is what a step
    costs, but never fewer than LEAST_ROWS questions.
    """
    random = Random(seed)
    weights = [w for w, _ in sources]
    while True:
        groups: list[list[tuple[Asked, Target]]] = []
        while len(groups) < WINDOW:
            source = random.choices(sources, weights)[0][1]
            found = encoded(source(random, questions), tokenizer, random)
            if found:
                groups.append(found)
        groups.sort(key=lambda g: -max(a.positions for a, _ in g))
        rows: list[list[tuple[Asked, Target]]] = [[]]
        for group in groups:
            most = max((a.positions for a, _ in rows[-1]), default=0)
            if len(rows[-1]) >= LEAST_ROWS and (len(rows[-1]) + len(group)) * most * most > pairs:
                rows.append([])
            rows[-1] += group
        if len(rows) > 1 and len(rows[-1]) < LEAST_ROWS:
            rows[-2] += rows.pop()
        for row in random.sample(rows, len(rows)):
            yield batched([a for a, _ in row], [t for _, t in row])
