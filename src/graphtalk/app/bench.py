"""What the commands of `graphtalk bench` do, each a function that prints and returns the exit code.

The runner and the report know nothing of names: graphs, reasoners and models are wired here.
"""

import json
import os
import platform
import signal
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from graphtalk.app import ask as wiring
from graphtalk.app import console, reasoners, render
from graphtalk.app.bench_asking import Asking, asked_by, fitting_place, place_of
from graphtalk.app.session import Session, lm_options
from graphtalk.app.settings import Settings
from graphtalk.benchmarks import Questions, Task, find_task, report, runner, tasks
from graphtalk.benchmarks.folder import Facts, RunFolder, check_new, write_whole
from graphtalk.benchmarks.graphqa import trainings
from graphtalk.benchmarks.missing import missing
from graphtalk.benchmarks.records import Record, read_records
from graphtalk.benchmarks.replay import Replay, replay, rescore
from graphtalk.benchmarks.scorers.registry import find_scorers
from graphtalk.benchmarks.summary import Run, narrowed
from graphtalk.benchmarks.task import Ships, Sized
from graphtalk.core import JSON, BudgetError, UsageError
from graphtalk.core.journal import BEGINNING
from graphtalk.core.text import escaped
from graphtalk.graphs import Loaded

if TYPE_CHECKING:
    from graphtalk.benchmarks.scorers.given import Scorer
    from graphtalk.lms.budget import Ledger

WORKERS = 8  # threads that wait for a model; without a model there is nothing to wait for
INTERRUPTED = 130  # the exit code of what Ctrl-C ended


@dataclass(frozen=True)
class Chosen:
    """What a person chose to run. `limit` and `workers` of None are all questions and the usual number."""

    task: str
    store: str
    out: Path
    settings: Settings
    questions: Path | None = None
    per_template: int = 10
    nodes: str = ""
    limit: int | None = None
    workers: int | None = None
    judge: str = ""
    judge_url: str = ""

    @property
    def threads(self) -> int:
        """How many questions are asked at once."""
        usual = 1 if self.settings.lm == reasoners.OFFLINE else WORKERS
        return usual if self.workers is None else self.workers


def list_tasks(as_json: bool) -> int:
    """Print the tasks."""
    rows = [(name, task.summary, ", ".join(task.scorers)) for name, task in tasks().items()]
    if as_json:
        console.write(
            render.dumps([dict(zip(("name", "graph", "scorers"), row, strict=True)) for row in rows])
        )
    else:
        render.print_table(console.stdout(), ("task", "a graph of", "scorers"), rows)
    return 0


# run


def run(chosen: Chosen, as_json: bool) -> int:
    """Run a task, or take up a run; 1 where lines were broken or questions are left."""
    started = time.perf_counter()
    task = _sized(find_task(chosen.task), chosen.nodes)
    wiring.check(chosen.settings)
    _check_model("--judge", chosen.judge)
    loader = fitting_place(task, chosen.store, chosen.questions)
    given = None if chosen.questions is None else task.load(loader.executor, chosen.questions)
    folder = RunFolder(chosen.out)
    with folder.alone():
        questions = given or _own_questions(task, loader, folder, chosen)
        chosen = replace(chosen, limit=len(questions.asked[: chosen.limit]))
        folder.begin(_facts(chosen, loader))
        outcome = _ask(chosen, task, questions, folder, loader)
    for complaint in questions.complaints:
        console.say(complaint)
    console.say(_in_words(outcome, questions, chosen.out, time.perf_counter() - started))
    finished = Run.read(chosen.out)
    if as_json:
        told = {"asked": outcome.asked, "kept": outcome.kept, "left": outcome.left, "ended": outcome.ended}
        console.write(
            render.dumps({**told, "broken": list(questions.complaints), **report.to_json([finished])})
        )
    else:
        _print_tables([report.headline([finished])])
    if outcome.interrupted:
        return INTERRUPTED
    return 1 if questions.complaints or outcome.left else 0


def _sized(task: Task, nodes: str) -> Task:
    """The task with graphs of as many nodes as `A:B` says, or one number. Raises UsageError where it has no sizes."""
    if not nodes:
        return task
    fewest, _, most = nodes.partition(":")
    if not isinstance(task, Sized):
        raise UsageError(f"--nodes {nodes}: {task.name} makes no graphs of its own.")
    if not fewest.isdigit() or not (most or fewest).isdigit():
        raise UsageError(f"--nodes {nodes}: give a number of nodes, or two as A:B.")
    return task.sized(int(fewest), int(most or fewest))


def _own_questions(task: Task, loader: Session, folder: RunFolder, chosen: Chosen) -> Questions:
    """The questions that come with the task, or that it makes for the graph. A run that is taken up has them already."""
    if isinstance(task, Ships):
        return task.shipped()
    if not (folder.facts_file.exists() and folder.questions.exists()):
        made = task.generate(loader.executor, chosen.per_template, chosen.settings.seed)
        for remark in made.remarks:
            console.say(remark)
        write_whole(folder.questions, _lines(made.rows))
    return task.load(loader.executor, folder.questions)


def _facts(chosen: Chosen, loader: Session) -> Facts:
    """What `run.json` says of a run. Holds no key."""
    settings, graph = chosen.settings, loader.union
    place = Path(chosen.store).expanduser()
    return {
        "task": chosen.task,
        "graph": {
            "name": graph.name,
            "store": str(place.resolve()) if chosen.store and place.exists() else chosen.store,
            "checksum": graph.checksum,
        },
        "questions": {
            "file": None if chosen.questions is None else str(chosen.questions.resolve()),
            "count": chosen.limit,
        },
        "settings": {
            "reasoner": asked_by(find_task(chosen.task), settings),
            "lm": settings.lm,
            "max_steps": settings.max_steps,
            "demos": settings.demos,
            "demo_count": settings.demo_count,
            "retriever": settings.retriever,
            "depth": settings.depth,
            "search": settings.search,
            "strict": settings.strict,
            "temperature": settings.temperature,
            "seed": settings.seed,
            "judge": chosen.judge,
            "per_template": chosen.per_template if chosen.questions is None else None,
            "nodes": chosen.nodes,
        },
        "server": {"lm": _without_secrets(settings.base_url), "judge": _without_secrets(chosen.judge_url)},
        "versions": {
            "graphtalk": version("graphtalk"),
            "python": platform.python_version(),
            "platform": platform.platform(),
        },
    }


def _without_secrets(url: str) -> str:
    """An address without a user, a password or a query, which may hold keys."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()


def _ask(
    chosen: Chosen, task: Task, questions: Questions, folder: RunFolder, loader: Session
) -> runner.Outcome:
    from graphtalk.lms.budget import Ledger

    asked = questions.asked[: chosen.limit]
    left = len(asked) - len(runner.done_with(folder.records, asked))
    settings = _within_budget(chosen.settings, folder, left)
    if settings.lm != reasoners.OFFLINE:
        settings = replace(settings, record=folder.recording)
    judge = replace(settings, lm=chosen.judge, base_url=chosen.judge_url, record=folder.judgements)
    ledger = Ledger(lm_options(settings).budget)
    session = Session(loader.graph, settings, ledger)
    worker = _worker(Asking(task, session, chosen.questions), judge)
    brake = runner.Brake()
    with _ctrl_c(brake), console.progress("asking", "questions", len(asked)) as advance:
        return runner.run(folder.records, asked, worker, chosen.threads, advance, brake)


def _within_budget(settings: Settings, folder: RunFolder, left: int) -> Settings:
    """The settings with what is left of the money of a run that is taken up. Raises BudgetError for nothing."""
    tapes = [path for path in (folder.recording, folder.judgements) if path.exists()]
    if not (settings.budget_usd and tapes and left):
        return settings
    from graphtalk.lms.tape import Tape

    spent = sum(recorded.reply.usage.usd for path in tapes for recorded in Tape.read(path))
    if spent >= settings.budget_usd:
        raise BudgetError(
            f"The budget of ${settings.budget_usd:g} is spent: {folder.path} has cost ${spent:.4f}, and {left:,} "
            "questions are left. Run it again with a larger --budget-usd."
        )
    return replace(settings, budget_usd=settings.budget_usd - spent)


def _worker(asking: Asking, judge: Settings) -> runner.Worker:
    """How questions are asked, answered and scored."""

    @cache
    def scorers_of() -> tuple["Scorer", ...]:
        return _scorers(asking.task, judge, asking.session.ledger)

    return runner.Worker(asking.of, asking.shown, scorers_of)


def _scorers(task: Task, judge: Settings, ledger: "Ledger | None" = None) -> tuple["Scorer", ...]:
    """The scorers of a task; the judge among them where one is chosen, which draws on the run's account."""
    names = task.scorers if task.about in ("words", "statements") else ("set", *task.scorers)
    found = find_scorers(dict.fromkeys(names))
    if not judge.lm:
        return found
    from graphtalk.benchmarks.scorers.judge import Judge
    from graphtalk.lms.registry import open_lm

    return (*found, Judge(open_lm(judge.lm, lm_options(judge), ledger)))


def _check_model(option: str, name: str) -> None:
    """Raise UsageError where an option names no language model; it may name nothing."""
    if name == reasoners.OFFLINE:
        raise UsageError(
            f"{option} is a language model, such as openai:MODEL; leave {option} out to do without."
        )
    if name:
        from graphtalk.lms.registry import check_name

        check_name(name)


@contextmanager
def _ctrl_c(brake: runner.Brake) -> Iterator[None]:
    """Ctrl-C ends the run when the questions in hand are done; pressed again, at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def pressed(number: int, frame: object) -> None:
        if brake.pulled:
            raise KeyboardInterrupt
        brake.pulled = True
        os.write(2, b"graphtalk: finishing the questions in hand; Ctrl-C again ends at once.\n")

    before = signal.signal(signal.SIGINT, pressed)
    try:
        yield
    except KeyboardInterrupt:
        os._exit(INTERRUPTED)  # the usual way out would wait for the threads, and so for the model
    finally:
        signal.signal(signal.SIGINT, before)


def _in_words(outcome: runner.Outcome, questions: Questions, out: Path, seconds: float) -> str:
    broken = f", {len(questions.complaints):,} broken lines left out" if questions.complaints else ""
    if not outcome.asked and not outcome.left:
        return f"Nothing left to ask: all {outcome.kept:,} questions are recorded{broken}: {out}"
    kept = f", {outcome.kept:,} kept from before" if outcome.kept else ""
    left = f", {outcome.left:,} left" if outcome.left else ""
    failed = f", {outcome.failed:,} of them could not be asked" if outcome.failed else ""
    ended = f" ({outcome.ended})" if outcome.ended else ""
    why = f" The last of them: {outcome.why}" if outcome.why else ""
    told = f"{outcome.asked:,} asked{kept}{broken}{left}{failed}{ended}, {render.duration(seconds)}: {out}"
    return f"{told}{why}"


# generate


def generate(
    name: str, store: str, per_template: int, seed: int, out: Path | None, paraphrase_lm: str, base_url: str
) -> int:
    """Write new questions, one a line; 1 where there are none."""
    task = find_task(name)
    _check_model("--paraphrase-lm", paraphrase_lm)
    if out is not None:
        check_new(out, BEGINNING.decode())
    session = fitting_place(task, store, None)
    lm = None
    if paraphrase_lm:
        from graphtalk.lms.registry import open_lm

        lm = open_lm(paraphrase_lm, lm_options(Settings(lm=paraphrase_lm, base_url=base_url)))
    made = task.generate(session.executor, per_template, seed, lm)
    for remark in made.remarks:
        console.say(remark)
    if out is None:
        console.write(escaped(_lines(made.rows)), end="")
    else:
        write_whole(out, _lines(made.rows))
        console.say(f"{len(made.rows):,} questions: {out}")
    return 0 if made.rows else 1


def _lines(rows: Sequence[Mapping[str, JSON]]) -> str:
    return "".join(json.dumps(dict(row), ensure_ascii=False) + "\n" for row in rows)


# report and replay


@dataclass(frozen=True)
class Shown:
    """What of a report is shown: of which templates, as JSON, and where plots go."""

    templates: Sequence[str] = ()
    without: Sequence[str] = ()
    as_json: bool = False
    plots: Path | None = None


def show_report(paths: Sequence[Path], shown: Shown) -> int:
    """Print the tables of runs and of trainings, and draw those of runs where that is asked for."""
    trained = [trainings.Training.read(path) for path in paths if trainings.is_training(path)]
    ran = [Run.read(path) for path in paths if not trainings.is_training(path)]
    runs = narrowed(ran, shown.templates, shown.without)
    if shown.plots is not None:
        from graphtalk.benchmarks.plots import draw

        for path in draw(runs, shown.plots):
            console.say(f"drawn: {path}")
    if shown.as_json:
        console.write(render.dumps({**report.to_json(runs), "trainings": [t.to_json() for t in trained]}))
    else:
        _print_tables(_tables(runs, trained))
    return 0


def _tables(runs: Sequence[Run], trained: Sequence[trainings.Training] = ()) -> list[report.Table]:
    """The tables of runs and trainings, and at last the tables of the papers that they do not suffice for."""
    printed = [*(report.tables(runs) if runs else ()), *trainings.tables(trained, runs)]
    lacking = missing([*(run.task for run in runs), *(each.task for each in trained)], printed)
    return [*printed, lacking] if lacking.rows else printed


def _print_tables(tables: Iterable[report.Table]) -> None:
    for number, table in enumerate(tables):
        console.write(f"{chr(10) if number else ''}{table.title}")
        render.print_table(console.stdout(), table.head, table.rows)


def show_replay(path: Path, store: str, workers: int | None, as_json: bool) -> int:
    """Ask a run's questions again from its recording, and print its tables; 1 where something differs."""
    folder = RunFolder(path)
    facts = folder.facts()
    records = read_records(folder.records)
    again = _replayed(folder, facts, records, store, workers)
    runs = [Run.of(str(path), facts, again.records)]
    if as_json:
        differences = [{"id": d.id, "fields": list(d.fields), "why": d.why} for d in again.differences]
        console.write(
            render.dumps({"same": not differences, "differences": differences, **report.to_json(runs)})
        )
    else:
        _print_tables(_tables(runs))
    for difference in again.differences:
        console.say(str(difference))
    skipped = f"; {again.skipped:,} that could not be asked are left out" if again.skipped else ""
    same = len(records) - len(again.differences) - again.skipped
    console.say(f"{same:,} of {len(records):,} questions give the same again{skipped}.")
    return 1 if again.differences else 0


def _replayed(
    folder: RunFolder, facts: Facts, records: Sequence[Record], store: str, workers: int | None
) -> Replay:
    task = find_task(facts["task"])
    settings = _settings_of(facts, folder)
    judge = Settings(lm=facts["settings"]["judge"], replay=folder.judgements)
    data = Path(facts["questions"]["file"]) if facts["questions"]["file"] else None
    graph = _graph_of(task, facts, store, data)
    if graph is None:
        return rescore(records, _scorers(task, judge))
    worker = _worker(Asking(task, Session(graph, settings), data), judge)
    with console.progress("asking again", "questions", len(records)) as advance:
        return replay(records, worker, workers or 1, advance)


def _settings_of(facts: Facts, folder: RunFolder) -> Settings:
    names = ("lm", "reasoner", "max_steps", "demos", "strict", "temperature", "seed")
    later = {
        name: facts["settings"][name]
        for name in ("demo_count", "retriever", "depth", "search")
        if name in facts["settings"]
    }
    settings = Settings(**{name: facts["settings"][name] for name in names}, **later)
    wiring.check(settings)
    return settings if settings.lm == reasoners.OFFLINE else replace(settings, replay=folder.recording)


def _graph_of(task: Task, facts: Facts, store: str, data: Path | None) -> Loaded | None:
    """The graph of a run, an empty one where questions bring their own; None, with a warning, where it is no longer there."""
    kept = facts["graph"]
    try:
        session = place_of(task, store or kept["store"], data)
    except UsageError as error:
        if store:
            raise
        console.say(f"The answers are scored again, but not asked again, for the graph is not there. {error}")
        return None
    found = session.union.checksum
    if found != kept["checksum"]:
        raise UsageError(
            f"{store or kept['store']} is not the graph of the run: its checksum is {found[:12]}…, that of the run "
            f"{kept['checksum'][:12]}…. Name the graph of the run by --graph."
        )
    return session.graph
