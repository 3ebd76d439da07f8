"""What the commands `graphtalk prompts …` do: each stage reads and writes JSON lines, and can be taken up again."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from graphtalk.app import ask as wiring
from graphtalk.app import console, render
from graphtalk.app.hub_models import shown
from graphtalk.app.reasoners import OFFLINE
from graphtalk.app.settings import Settings
from graphtalk.app.stores import named_graphs
from graphtalk.core import CallError, UsageError
from graphtalk.core.journal import Journal
from graphtalk.training.prompt_sets import stages
from graphtalk.training.prompt_sets.files import read_prompts, to_line
from graphtalk.training.prompt_sets.generate import Prompt, prompts
from graphtalk.training.prompt_sets.sources import FAMILIES, family_of, instances
from graphtalk.training.prompt_sets.templates import families, family

if TYPE_CHECKING:
    from graphtalk.lms import LanguageModel
    from graphtalk.reasoners.toolformer.annotator import Annotator

USUAL = 1760  # prompts of a data set whose paper states no number: 1,600 and 160
_TRIES = 20  # instances drawn for each prompt at most: a small graph has few


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
    hub = wiring.hub()
    stated = hub.card(name).paper.prompts if name in hub.names() else None
    return stated or USUAL


def rephrase(source: Path, out: Path, times: int, settings: Settings) -> int:
    """Write the prompts, each followed by its rephrasings."""
    say: stages.Rephrase = stages.rephrased
    if settings.lm != OFFLINE:
        say = stages.LmRephrase(_model(settings), settings.seed)

    def work(prompt: Prompt) -> Iterator[Prompt]:
        yield prompt
        yield from stages.each(prompt, times, say)

    return _stage("rephrasing", source, out, work)


def annotate(source: Path, out: Path, settings: Settings) -> int:
    """Write the prompts with their outputs, from their templates or by a model."""
    annotator = _annotator(settings) if settings.lm != OFFLINE else None
    return _stage("annotating", source, out, lambda prompt: iter((stages.annotated(prompt, annotator),)))


def filter_(source: Path, out: Path, graph: str) -> int:
    """Write the prompts whose calls run, and give what is true; the others go to OUT.rejected.jsonl with the reason."""
    sessions: dict[str, wiring.Session] = {}

    def work(prompt: Prompt) -> Iterator[Prompt]:
        name = graph or prompt.slots.get("data") or "gpr"
        home = name if graph or name in named_graphs() else "gpr"
        if home not in sessions:
            sessions[home] = wiring.Session(wiring.open(home))
        yield stages.kept(prompt, sessions[home].executor)

    with shown():
        return _stage("running", source, out, work)


def split(source: Path, out: Path, seed: int, as_json: bool) -> int:
    """Write `prompts_train` and `prompts_test` into a folder in the published form, and say what they hold."""
    found = [prompt for prompt in read_prompts(source) if prompt.output]
    train, test = stages.split(found, seed)
    out.mkdir(parents=True, exist_ok=True)
    for name, part in (("train", train), ("test", test)):
        text = "".join(f"{stages.record(prompt)}\n" for prompt in part)
        (out / f"prompts_{name}").write_text(text, encoding="utf-8")
    rows = statistics(found)
    if as_json:
        print(
            render.dumps(
                {
                    "prompts": len(found),
                    "train": len(train),
                    "test": len(test),
                    "tasks": [
                        dict(zip(("family", "task", "prompts", "wordings"), row, strict=True)) for row in rows
                    ],
                }
            )
        )
        return 0
    render.print_table(
        console.stdout(), ("family", "task", "prompts", "wordings"), [tuple(map(str, r)) for r in rows]
    )
    print(f"{len(found):,} prompts: {len(train):,} for training, {len(test):,} for tests: {out}")
    return 0


def statistics(found: list[Prompt]) -> list[tuple[str, str, int, int]]:
    """How many prompts, and wordings, there are of each task."""
    counts = Counter((prompt.family, prompt.task) for prompt in found)
    wordings = {key: {p.wording for p in found if (p.family, p.task) == key} for key in counts}
    return [(*key, count, len(wordings[key])) for key, count in sorted(counts.items())]


def list_families() -> None:
    """Print the families of prompts."""
    rows = [(name, ", ".join(sorted(task.call for task in family(name).tasks))) for name in families()]
    render.print_table(console.stdout(), ("family", "tasks"), rows)


def _stage(verb: str, source: Path, out: Path, work: Callable[[Prompt], Iterator[Prompt]]) -> int:
    """Put every prompt through `work`; what fails goes to OUT.rejected.jsonl. 1 where nothing is left."""
    if source.resolve() == out.resolve():
        raise UsageError(f"A stage cannot write the file that it reads: {source}.")
    given = list(read_prompts(source))
    rejected = out.with_name(f"{out.name}.rejected.jsonl")
    reasons: Counter[str] = Counter()
    with Journal(out, required="input") as good, Journal(rejected, required="reason") as bad:
        before = len(good.keys)
        with console.progress(verb, "prompts", len(given)) as advance:
            for prompt in given:
                if prompt.id not in good.keys and prompt.id not in bad.keys:
                    try:
                        for made in work(prompt):
                            if made.id not in good.keys:
                                good.add(made.id, to_line(made))
                    except CallError as error:
                        reasons[_kind(str(error))] += 1
                        bad.add(prompt.id, {"reason": str(error), **to_line(prompt)})
                advance(1)
        written, dropped = len(good.keys), len(bad.keys)
    if not dropped:
        rejected.unlink()
    console.say(f"{written - before:,} prompts{_kept(before)}, {dropped:,} rejected: {out}")
    for reason, count in reasons.most_common(5):
        console.say(f"  {count:,} x {reason}")
    return 0 if written else 1


def _kind(reason: str) -> str:
    """A reason without what is particular to a prompt."""
    return reason if len(reason) <= 90 else f"{reason[:87]}…"


def _kept(before: int) -> str:
    return f", {before:,} kept from before" if before else ""


def _model(settings: Settings) -> "LanguageModel":
    from graphtalk.lms.registry import open_lm

    return open_lm(settings.lm, wiring.lm_options(settings))


def _annotator(settings: Settings) -> "Annotator":
    from graphtalk.app.toolformer import HOME, toolformer

    chosen = replace(settings, reasoner="toolformer")
    wiring.check(chosen)
    return toolformer(wiring.Session(wiring.open(HOME), chosen), stored=False).annotator
