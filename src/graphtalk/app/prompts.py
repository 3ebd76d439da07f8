"""What the commands `graphtalk prompts …` do: each stage reads and writes JSON lines, and can be taken up again."""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from graphtalk.app import ask as wiring
from graphtalk.app import console, render
from graphtalk.app.hub_models import shown
from graphtalk.app.reasoners import OFFLINE
from graphtalk.app.session import Session, hub, lm_options
from graphtalk.app.settings import Settings
from graphtalk.app.stores import named_graphs
from graphtalk.app.toolformer import HOME
from graphtalk.core import CallError, UsageError
from graphtalk.core.journal import Journal
from graphtalk.training.prompt_sets import stages
from graphtalk.training.prompt_sets.files import count_lines, read_prompts, to_line
from graphtalk.training.prompt_sets.generate import Prompt, prompts
from graphtalk.training.prompt_sets.running import Runner
from graphtalk.training.prompt_sets.sources import FAMILIES, family_of, instances
from graphtalk.training.prompt_sets.templates import families, family

if TYPE_CHECKING:
    from graphtalk.lms import LanguageModel
    from graphtalk.reasoners.toolformer.annotator import Annotator

USUAL = 1760  # prompts of a data set whose paper states no number: 1,600 and 160
_TRIES = 20  # instances drawn for each prompt at most: a small graph has few
_PARTICULAR = re.compile(r"(?<=^It gives ).*(?=, which is not true)|(['\"]).*?\1", re.DOTALL)
_COLUMNS = ("family", "task", "prompts", "wordings")

Made: TypeAlias = Prompt | stages.Rejected
Work: TypeAlias = Callable[[Prompt], Iterable[Made]]
Kind: TypeAlias = tuple[str, str]


def generate(name: str, out: Path, count: int | None, seed: int, families_of: tuple[str, ...]) -> int:
    """Write prompts about a graph or a data set."""
    graph = wiring.open(name)
    called = name if name in FAMILIES else graph.name
    chosen = families_of or ((family_of(called),) if called in FAMILIES else ("property", "stored"))
    wanted = count if count is not None else _usual(called)
    with (
        Journal(out, required="input") as journal,
        console.progress("generating", "prompts", wanted) as advance,
    ):
        before = len(journal.keys)
        for place, each in enumerate(chosen):
            share = wanted // len(chosen) + (place < wanted % len(chosen))
            source = instances(each, called, graph, random.Random(f"{seed} {each}"))
            limited = (instance for instance, _ in zip(source, range(share * _TRIES), strict=False))
            for prompt in prompts(family(each), limited, share, seed, f"{called}-{each}"):
                if prompt.id not in journal.keys:
                    journal.add(prompt.id, to_line(prompt))
                advance(1)
        made = len(journal.keys)
    short = f" ({wanted:,} were wanted: the graph has no more)" if made < wanted else ""
    console.say(f"{made - before:,} prompts{_kept(before)}{short}: {out}")
    return 0 if made else 1


def _usual(name: str) -> int:
    """As many prompts as the paper has of a data set (table 3)."""
    paper = hub().card(name).paper if name in hub().names() else None
    return (paper and paper.prompts) or USUAL


def rephrase(source: Path, out: Path, times: int, settings: Settings) -> int:
    """Write the prompts, each followed by its rephrasings."""
    say: stages.Rephrase = stages.rephrased
    if settings.lm != OFFLINE:
        say = stages.LmRephrase(_model(settings), settings.seed)

    return _stage("rephrasing", source, out, lambda prompt: stages.each(prompt, times, say))


def annotate(source: Path, out: Path, settings: Settings) -> int:
    """Write the prompts with their outputs, from their templates or by a model."""
    annotator = _annotator(settings) if settings.lm != OFFLINE else None
    return _stage("annotating", source, out, lambda prompt: iter((stages.annotated(prompt, annotator),)))


def filter_(source: Path, out: Path, graph: str) -> int:
    """Write the prompts whose calls run, and give what is true; the others go to OUT.rejected.jsonl with the reason."""
    runner = cache(lambda home: Runner(Session(wiring.open(home)).executor))
    named = frozenset(named_graphs())

    def work(prompt: Prompt) -> Iterator[Made]:
        name = graph or prompt.slots.get("data", "")
        yield runner(name if graph or name in named else HOME).kept(prompt)

    with shown():
        return _stage("running", source, out, work)


def split(source: Path, out: Path, seed: int, as_json: bool) -> int:
    """Write `prompts_train` and `prompts_test` into a folder in the published form, and say what they hold.

    A prompt with the text of an earlier one is left out.
    """
    counts, wordings = Counter[Kind](), defaultdict[Kind, set[int]](set)
    ids, seen = list[str](), set[int]()
    for prompt in filter(_has_output, read_prompts(source)):
        if (text := hash(prompt.input)) not in seen:
            seen.add(text)
            ids.append(prompt.id)
            kind = (prompt.family, prompt.task)
            counts[kind] += 1
            wordings[kind].add(prompt.wording)
    parts = dict(zip(("train", "test"), stages.split(ids, seed), strict=True))
    _write_parts(source, out, parts)
    rows = [(*kind, count, len(wordings[kind])) for kind, count in sorted(counts.items())]
    sizes = {"prompts": len(ids), **{name: len(part) for name, part in parts.items()}}
    if as_json:
        tasks = [dict(zip(_COLUMNS, row, strict=True)) for row in rows]
        console.write(render.dumps({**sizes, "tasks": tasks}))
        return 0
    render.print_table(console.stdout(), _COLUMNS, [tuple(map(str, row)) for row in rows])
    console.write(
        f"{len(ids):,} prompts: {sizes['train']:,} for training, {sizes['test']:,} for tests: {out}"
    )
    return 0


def _write_parts(source: Path, out: Path, parts: Mapping[str, list[str]]) -> None:
    """Write the prompts of each part, by their ids, in the order of the part."""
    chosen = {id for part in parts.values() for id in part}
    found = {p.id: stages.record(p) for p in filter(_has_output, read_prompts(source)) if p.id in chosen}
    texts = {
        out / f"prompts_{name}": "".join(f"{found[id]}\n" for id in part) for name, part in parts.items()
    }
    for path, text in texts.items():
        if path.exists() and path.read_bytes() != text.encode():
            raise UsageError(f"{path} is there already and holds something else; it is not overwritten.")
    out.mkdir(parents=True, exist_ok=True)
    for path, text in texts.items():
        path.write_text(text, encoding="utf-8")


def _has_output(prompt: Prompt) -> bool:
    return bool(prompt.output)


def list_families() -> None:
    """Print the families of prompts."""
    rows = [(name, ", ".join(sorted(task.call for task in family(name).tasks))) for name in families()]
    render.print_table(console.stdout(), ("family", "tasks"), rows)


def _stage(verb: str, source: Path, out: Path, work: Work) -> int:
    """Put every prompt through `work`; what fails goes to OUT.rejected.jsonl. 1 where nothing is left.

    Prompts are read one at a time, however many there are.
    """
    if source.resolve() == out.resolve():
        raise UsageError(f"A stage cannot write the file that it reads: {source}.")
    total = count_lines(source)
    rejected = out.with_name(f"{out.name}.rejected.jsonl")
    reasons: Counter[str] = Counter()
    with Journal(out, required="input") as good, Journal(rejected, required="reason") as bad:
        before = len(good.keys)
        with console.progress(verb, "prompts", total) as advance:
            for prompt in read_prompts(source):
                if prompt.id not in good.keys and prompt.id not in bad.keys:
                    for made in _tried(work, prompt):
                        if isinstance(made, stages.Rejected):
                            reasons[_kind(made.reason)] += 1
                            bad.add(made.prompt.id, {"reason": made.reason, **to_line(made.prompt)})
                        elif made.id not in good.keys:
                            good.add(made.id, to_line(made))
                advance(1)
        written, dropped = len(good.keys), len(bad.keys)
    if not dropped:
        rejected.unlink()
    console.say(f"{written - before:,} prompts{_kept(before)}, {dropped:,} rejected: {out}")
    for reason, count in reasons.most_common(5):
        console.say(f"  {count:,} x {reason}")
    return 0 if written else 1


def _tried(work: Work, prompt: Prompt) -> Iterator[Made]:
    try:
        yield from work(prompt)
    except CallError as error:
        yield stages.Rejected(prompt, str(error))


def _kind(reason: str) -> str:
    """A reason without what is particular to a prompt."""
    plain = _PARTICULAR.sub("…", reason)
    return plain if len(plain) <= 90 else f"{plain[:87]}…"


def _kept(before: int) -> str:
    return f", {before:,} kept from before" if before else ""


def _model(settings: Settings) -> "LanguageModel":
    from graphtalk.lms.registry import open_lm

    return open_lm(settings.lm, lm_options(settings))


def _annotator(settings: Settings) -> "Annotator":
    from graphtalk.app.makers import toolformer

    chosen = replace(settings, reasoner="toolformer")
    wiring.check(chosen)
    return toolformer(Session(wiring.open(HOME), chosen), stored=False).annotator
