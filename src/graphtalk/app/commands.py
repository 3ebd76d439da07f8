"""What the commands do, each a function that prints. The exit code is returned where it can differ."""

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from graphtalk.app import ask as wiring
from graphtalk.app import console, render
from graphtalk.app.asking import answered_line, ask_within, opened, read_answer, session_of
from graphtalk.app.hub_models import shown
from graphtalk.app.options import EACH
from graphtalk.app.settings import Settings
from graphtalk.calls import Spelling
from graphtalk.core import CheckError, SourceError, UsageError
from graphtalk.core.text import visible
from graphtalk.graphs import Graph, GraphSet, damage
from graphtalk.graphs.importing import Missing, OnError

_RATED = 10_000  # rows from which on their rate says something
_LONGEST_PATH = 4_000  # letters of a file's name
_MANY = 500_000  # nodes whose vectors take longer than a question should


def explain_sources(
    sources: Sequence[str], out: Path | None, format: str, recipe: str, as_json: bool
) -> None:
    """Show how sources would be read, as a recipe with reasons; nothing but a recipe that is asked for is written."""
    from graphtalk.app import about
    from graphtalk.graphs.read import explain_graph
    from graphtalk.graphs.tabular import Plan, explain

    if recipe:
        raise UsageError("--explain writes a recipe, --recipe takes one: give one of them.")
    if out is not None and out.suffix != ".toml":
        raise UsageError(f"--explain imports nothing: {out} is not written. A recipe is: -o recipe.toml")
    if out is not None and out.exists():
        raise UsageError(f"{out} is there already; it is not overwritten.")
    with console.ImportBar() as bar:
        told = explain_graph(sources, format=format or None, progress=bar)
    if isinstance(told.found, Plan):
        text = explain.explained(told.found, told.notes)
        if out is not None:
            out.write_text(text, encoding="utf-8")
        console.write(
            render.dumps(explain.as_json(told.found, told.notes)) if as_json else text,
            end="\n" if as_json else "",
        )
        return
    if out is not None:
        raise UsageError(f"{told.format} says itself what is what: there is no recipe to write.")
    if as_json:
        console.write(
            render.dumps({"format": told.format, "notes": list(told.notes), **about.to_json(told.found)})
        )
        return
    console.write(f"Read as {told.format}, which says itself what is what and needs no recipe.")
    about.print_counts(console.stdout(), told.found)
    for note in told.notes:
        console.say(note)


def import_sources(
    sources: Sequence[str],
    out: Path,
    format: str,
    recipe: str,
    on_error: OnError,
    missing: Missing,
    as_json: bool,
    embedder: str = "",
    vectors: bool | None = None,
    memory: str = "",
) -> None:
    """Import into a store, and say what was imported and how fast.

    `vectors` are made now, never, or, if None, when they are first needed. `memory` is a size as people write it.
    """
    from graphtalk.app import about
    from graphtalk.graphs.spill import bytes_of

    started = time.perf_counter()
    with console.ImportBar() as bar, _ways_on(on_error):
        graph = wiring.import_graph(
            sources,
            out,
            format=format,
            recipe=recipe,
            on_error=on_error,
            missing=missing,
            progress=bar,
            embedder=embedder,
            vectors="later" if vectors is None else "now" if vectors else "never",
            memory=bytes_of(memory),
        )
    seconds = time.perf_counter() - started
    left_out = sum(bar.left_out.values())
    if as_json:
        rows = {
            "rows": bar.rows,
            "rows_per_second": bar.rate,
            "left_out": bar.left_out,
            "notes": bar.notes,
            "seconds": seconds,
        }
        console.write(render.dumps({**about.to_json(graph), **rows}))
        return
    about.print_counts(console.stdout(), graph)
    rate = f" at {bar.rate:,.0f} a second" if bar.rows >= _RATED and bar.seconds > 1 else ""
    read = f"{bar.rows:,} rows read{rate}; " if bar.rows else ""
    console.write(
        f"{read}{render.size(about.size_of(graph))} written and indexed, {render.duration(seconds)}: {out}"
    )
    from graphtalk.search import index

    nodes = graph.num_nodes if isinstance(graph, Graph) else 0
    if vectors is None and not embedder and nodes >= _MANY:
        when = (
            "Vectors are made when a question first needs them, which then takes longer. --vectors makes them now, "
            "--no-vectors never: names are then found by their letters alone."
        )
        if nodes > index.MOST_AT_ONCE:
            when = "Names are found by their letters alone; with --vectors also by what they mean, which takes longer."
        console.say(when)
    if left_out:
        console.say(f"{left_out:,} rows were left out; {bar.report} lists them.")
        for reason, count in bar.left_out.items():
            console.say(f"  {count:,} x {reason}")
    for note in bar.notes:
        console.say(note)


@contextmanager
def _ways_on(on_error: OnError) -> Iterator[None]:
    """Say beside what is wrong with a line how to import the others."""
    try:
        yield
    except SourceError as error:
        if not error.row or error.line is None or on_error != "stop":
            raise
        raise UsageError(f"{error}\n--on-error skip leaves bad lines out and lists them.") from error


def info(store: str, as_json: bool, refresh: bool = False) -> None:
    """Print what a graph has; `refresh` reads anew what is kept of one that lives elsewhere."""
    from graphtalk.app import about, stores

    if refresh and "://" not in store:
        raise UsageError(
            f"--refresh is for graphs that live elsewhere; {store} is read whenever it is opened."
        )
    graph = stores.open_named(store, refresh=True) if refresh else opened(store)
    if as_json:
        console.write(render.dumps(about.to_json(graph)))
    else:
        about.print_page(console.stdout(), graph)


def check(store: str, as_json: bool) -> int:
    """Say what is damaged in a store; 1 where anything is. Raises StoreError where there is none."""
    if "://" in store:
        raise UsageError(
            f"{store} lives elsewhere, and only names of it are kept here: info --refresh reads them again."
        )
    path = Path(store).expanduser()
    if not path.exists():  # what has a name is kept in a store
        graph = opened(store)
        path = (graph.union if isinstance(graph, GraphSet) else graph).path or path
    found = damage(path)
    if as_json:
        console.write(render.dumps({"store": str(path), "whole": not found, "damaged": found}))
    else:
        console.write("\n".join(found) if found else f"{path} is whole: every file is what was written.")
    return 1 if found else 0


@shown()
def ask_one(
    store: str,
    question: str,
    settings: Settings,
    as_json: bool,
    trace: bool,
    timeout: float | None = None,
    spelling: Spelling | None = None,
    picture: Path | None = None,
    choose: int = 0,
) -> int:
    """Ask one question; 1 where it could not be answered, and where it took more than so many seconds.

    What the answer rests on is drawn into the file `picture`.
    """
    if picture is not None:
        from graphtalk.graphs.writers.pictures import check_picture

        check_picture(picture)
    session = session_of(store, settings)
    if as_json:
        answer = ask_within(timeout, session, question, choose=choose)
        cypher = session.spelled if spelling == "cypher" else None
        console.write(render.dumps(render.answer_to_json(answer, trace, cypher)))
    else:
        out = console.stdout()
        spell = None if spelling is None else partial(session.spelled, spelling=spelling)
        on_step = render.step_printer(out, spell) if trace else None
        answer = ask_within(timeout, session, question, on_step=on_step, choose=choose)
        render.print_answer(out, answer, session.union, spell)
    if picture is not None and answer.answered:
        from graphtalk.app.exporting import draw_answer

        draw_answer(answer, session.union, picture)
        console.say(f"Drawn: {picture}")
    return 0 if answer.answered else 1


@shown()
def ask_lines(store: str, settings: Settings, as_json: bool, trace: bool, timeout: float | None) -> int:
    """Ask the questions of standard input, one a line, and answer each as it comes; 1 where one was not answered."""
    from rich.text import Text

    session = session_of(store, settings)
    out, all_answered = console.stdout(), True
    for question in map(str.strip, sys.stdin):
        if not question:
            continue
        answer = ask_within(timeout, session, question)
        all_answered &= answer.answered
        if as_json:
            console.write(
                render.dumps({"question": question, **render.answer_to_json(answer, trace)}, indent=None)
            )
        else:
            out.rule(Text(visible(question)), align="left")
            render.print_answer(out, answer, session.union, None)
    return 0 if all_answered else 1


@shown()
def ask_file(
    store: str,
    questions: Path,
    out: Path,
    settings: Settings,
    trace: bool,
    timeout: float | None = None,
    at_once: int = 1,
    workers: int = 1,
) -> int:
    """Ask a file of questions, each for so many seconds at most; 1 where a line was broken.

    So many are asked `at_once` in threads, which is for models, or in as many processes as there are `workers`, which is not.
    """
    session = session_of(store, settings)
    each = timeout or EACH
    started = time.perf_counter()
    with ExitStack() as kept_open:
        if workers > 1:
            from graphtalk.app.processes import processes

            answerers = kept_open.enter_context(processes(session, settings, workers, each, trace))
        else:
            beside = [session, *(session.beside() for _ in range(at_once - 1))]
            answerers = [partial(answered_line, own, seconds=each, trace=trace) for own in beside]
        advance = kept_open.enter_context(console.progress("asking", "questions", _lines(questions)))
        from graphtalk.app import batch  # one question needs none

        summary = batch.run(questions, out, answerers, advance)
    for complaint in summary.complaints:
        console.say(complaint)
    kept = f", {summary.kept:,} kept from before" if summary.kept else ""
    broken = f", {len(summary.complaints):,} broken lines left out" if summary.complaints else ""
    console.say(
        f"{summary.asked:,} asked, {summary.answered:,} answered{kept}{broken},"
        f" {render.duration(time.perf_counter() - started)}: {out}"
    )
    return 1 if summary.complaints else 0


def _lines(path: Path) -> int | None:
    if not path.is_file():
        return None
    with path.open("rb") as file:
        return sum(1 for line in file if line.strip())


@shown()
def call(store: str, text: str, as_json: bool, spelling: Spelling | None = None) -> None:
    """Run one call, and show it in a spelling if one is asked for; raises CallError where it fails."""
    session = session_of(store)
    result = session.call(text)
    spell = None if spelling is None else partial(session.spelled, spelling=spelling)
    if as_json:
        console.write(render.dumps(render.result_to_json(result, spell)))
    else:
        render.print_result(console.stdout(), result, spell)


def tools(name: str | None, spelling: Spelling, as_json: bool) -> None:
    """List the tools of the registry, or tell all about one. Raises UsageError where none is called `name`."""
    from graphtalk.tools import describe
    from graphtalk.tools.registry import default_registry

    registry = default_registry()
    if name is not None:
        try:
            found = registry.find(name)
        except CheckError as error:
            raise UsageError(str(error)) from None
        as_schema = as_json or spelling == "json"
        console.write(
            render.dumps(describe.json_schema(found)) if as_schema else describe.help_text(found, spelling)
        )
    elif spelling == "json":
        console.write(render.dumps(describe.json_schemas(registry)))
    elif as_json:
        console.write(
            render.dumps([{"name": t.name, "call": describe.line(t, spelling)} for t in registry.values()])
        )
    else:
        rows = [describe.line(t, spelling).partition(": ")[::2] for t in registry.values()]
        render.print_table(console.stdout(), ("call", "what it gives"), rows)


@shown()
def verify(answer: str, store: str | None, problem: str | None, as_json: bool) -> int:
    """Run an answer's calls again, on a store or on the graph of a problem; 1 unless all was checked and is the same."""
    if (store is None) == (problem is None):
        raise UsageError("Name the STORE that was asked, or give --problem, the text that was solved.")
    given = render.answer_from_json(read_answer(answer), answer)
    if store is not None:
        found = session_of(store).verify(given)
    else:
        from graphtalk.reasoners.graph_agents.verifying import verify_solved

        found = verify_solved(_problem(problem or ""), given)
    if as_json:
        console.write(render.dumps(render.verification_to_json(found)))
    else:
        console.write("\n".join(render.verification_in_lines(found)))
    return 0 if found.verdict == "same" else 1


def _problem(text: str) -> str:
    """The text of a problem, or of the file of that name."""
    one_line = "\n" not in text and len(text) < _LONGEST_PATH
    return read_answer(text) if text == "-" or (one_line and Path(text).is_file()) else text
