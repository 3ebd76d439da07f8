"""Graph problems in words, one or a file of them, answered by a distributed algorithm: `graphtalk solve`."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from graphtalk.app import batch, console
from graphtalk.app.options import EACH
from graphtalk.app.reasoners import OFFLINE
from graphtalk.app.render import call_to_json, evidence_to_json
from graphtalk.app.settings import Settings
from graphtalk.benchmarks.folder import write_whole
from graphtalk.core import JSON, StoppedError, UsageError
from graphtalk.core.journal import Journal
from graphtalk.core.limits import within
from graphtalk.core.text import escaped

if TYPE_CHECKING:
    from graphtalk.lms import LanguageModel
    from graphtalk.reasoners.graph_agents.frames import Frames
    from graphtalk.reasoners.graph_agents.solving import Solved
    from graphtalk.tools.context import Programs
    from graphtalk.tools.executor import Executor as Executing
    from graphtalk.vertex import Round

MOST_LINES = 400  # of rounds that a page shows
Agents: TypeAlias = Literal["compiled", "lm"]
OnLine: TypeAlias = Callable[[str], None]


@dataclass(frozen=True)
class SolveSettings:
    """How problems are solved: the model's settings, and who runs the steps of nodes.

    `check` is the share of the agents' replies that are checked against the compiled steps; `keep` is a file in which
    a run of agents is kept round by round, to be taken up again after a kill. `timeout`: seconds for each problem.
    """

    settings: Settings
    agents: Agents = "compiled"
    check: float = 1.0
    keep: Path | None = None
    timeout: float | None = None


Solve: TypeAlias = "Callable[[str], Solved]"


def solver(
    chosen: SolveSettings,
    on_line: OnLine | None = None,
    lm: "LanguageModel | None" = None,
    frames: "Frames | None" = None,
) -> Solve:
    """What solves one text. `on_line` hears every line of the trace, `frames` every round. `lm` is the model, where one is open already.

    Raises UsageError where agents are to be a language model and none is named.
    """
    if chosen.settings.lm == OFFLINE:
        if chosen.agents == "lm":
            raise UsageError("--agents lm needs a language model, such as --lm openai:MODEL.")
        from graphtalk.reasoners.graph_agents.offline import OfflineMaster

        return OfflineMaster(programs=_told(on_line, frames)).solve
    from graphtalk.app.session import lm_options
    from graphtalk.lms.registry import open_lm
    from graphtalk.reasoners.graph_agents.agents import AT_ONCE, SPREAD_AT_ONCE, LmEngine
    from graphtalk.reasoners.graph_agents.master import Master

    lm = lm or open_lm(chosen.settings.lm, lm_options(chosen.settings))
    hear = on_line or (lambda _: None)
    at_once = SPREAD_AT_ONCE if chosen.settings.spread else AT_ONCE
    engine = (
        LmEngine(lm, at_once, chosen.check, hear=hear, keep=chosen.keep) if chosen.agents == "lm" else None
    )
    return Master(lm, engine=engine, most_turns=chosen.settings.max_steps, hear=hear).solve


def _told(on_line: OnLine | None, frames: "Frames | None") -> "Programs":
    """How programs are run where their rounds are told, or drawn."""
    from graphtalk.reasoners.graph_agents.transcript import rounds_of
    from graphtalk.tools.context import Programs
    from graphtalk.vertex.engines.telling import TellingEngine

    hears = [
        each for each in (rounds_of(on_line) if on_line else None, frames.hear if frames else None) if each
    ]
    if not hears:
        return Programs()

    def on_round(one: "Round") -> None:
        for hear in hears:
            hear(one)

    return Programs(TellingEngine(), on_round)


def rounds(executor: "Executing", question: str) -> tuple[list[str], str]:
    """The rounds in which `graph-agents` answers a question offline: lines, and a picture (SVG) of a small graph, else "".

    Of large graphs, and of long runs, the lines are a sample.
    """
    from graphtalk.core import Question
    from graphtalk.reasoners.graph_agents.frames import Frames
    from graphtalk.reasoners.graph_agents.stored import GraphAgents

    lines: list[str] = []
    frames = Frames()
    for _ in GraphAgents(executor, programs=_told(lines.append, frames)).run(Question(question)):
        pass  # the answer is known already
    if len(lines) > MOST_LINES:
        lines[MOST_LINES:] = [f"… and {len(lines) - MOST_LINES:,} more lines"]
    return lines, frames.svg() if frames.frames else ""


def one(text: str, chosen: SolveSettings, as_json: bool, trace: bool, draw: Path | None = None) -> int:
    """Solve one problem and print the answer; 1 where there is none. `draw`: a new file, SVG, of the rounds."""
    frames = None
    if draw is not None:
        from graphtalk.reasoners.graph_agents.frames import Frames

        if draw.suffix.lower() != ".svg":
            raise UsageError(f"--draw {draw}: rounds are drawn as SVG; name a file .svg.")
        if draw.exists():
            raise UsageError(f"--draw {draw}: there is such a file already. Name a new one.")
        if chosen.settings.lm != OFFLINE:
            raise UsageError("--draw shows the rounds of compiled steps: leave out --lm.")
        frames = Frames()
    found = _solved(
        text, solver(chosen, console.write if trace and not as_json else None, frames=frames), chosen.timeout
    )
    if frames is not None and draw is not None and found.answered:
        write_whole(draw, frames.svg())
    if as_json:
        console.write(escaped(json.dumps(with_calls(found, chosen.settings.lm), ensure_ascii=False)))
    else:
        console.write(found.text)
        if found.how:
            console.write(found.how)
        for said in found.remarks:
            if said != found.how:
                console.say(said)
        if found.usage.get("calls"):
            tokens = found.usage.get("input_tokens", 0) + found.usage.get("output_tokens", 0)
            cost = f", ${found.usage['usd']:.4f}" if found.usage.get("usd") else ""
            console.say(f"{chosen.settings.lm}: {found.usage['calls']:.0f} calls, {tokens:,.0f} tokens{cost}")
    return 0 if found.answered else 1


def file(questions: Path, out: Path, chosen: SolveSettings, workers: int) -> int:
    """Solve a file of problems into another, in order, keeping what is there; 1 where a line was broken."""
    if questions.resolve() == out.resolve():
        raise UsageError(f"Problems and answers cannot be the same file: {questions}.")
    lines = list(batch.read_questions(questions))
    whole = [line for line in lines if not line.complaint]
    started, answered = time.perf_counter(), 0
    with Journal(out, required="answered") as journal:
        kept = len(journal.keys)
        left = [line for line in whole if line.key not in journal.keys]
        with console.progress("solving", "problems", len(left)) as advance:
            for line, found in _spread(left, chosen, workers):
                journal.add(line.key, to_json(found))
                answered += found.answered
                advance(1)
        journal.restore_order(line.key for line in whole)
    for line in lines:
        if line.complaint:
            console.say(f"{questions}:{line.number}: {line.complaint}")
    seconds = time.perf_counter() - started
    before = f", {kept:,} kept from before" if kept else ""
    console.say(f"{len(left):,} problems, {answered:,} answered{before}, {seconds:.1f} s: {out}")
    return 1 if len(whole) < len(lines) else 0


def to_json(found: "Solved") -> dict[str, JSON]:
    """An answer as a line of an answers file holds it."""
    return {
        "answered": found.answered,
        "answer": found.text,
        "value": found.value,
        "algorithm": found.algorithm or None,
        "seconds": round(found.seconds, 6),
    }


def with_calls(found: "Solved", lm: str) -> dict[str, JSON]:
    """An answer with all that `graphtalk verify --problem` needs."""
    return {
        **to_json(found),
        "rounds": found.rounds,
        "messages": found.messages,
        "calls": [call_to_json(call) for call in found.calls],
        "evidence": evidence_to_json(found.evidence),
        "remarks": list(found.remarks),
        "usage": dict(found.usage),
        "reasoner": "graph-agents",
        "lm": lm,
    }


def _spread(
    lines: Sequence[batch.Line], chosen: SolveSettings, workers: int
) -> Iterator[tuple[batch.Line, "Solved"]]:
    """The lines with their answers, as they are done. Exact work goes to processes, a model's to threads."""
    each = chosen.timeout or EACH
    if workers <= 1 or len(lines) < 2:
        own = solver(chosen)
        for line in lines:
            yield line, _solved(line.question, own, each)
        return
    workers = min(workers, len(lines))
    if chosen.settings.lm == OFFLINE:
        pool: Executor = ProcessPoolExecutor(workers, get_context("spawn"))
        work: Solve = solve
    else:
        pool, work = ThreadPoolExecutor(workers), solver(chosen)
    try:
        futures = {pool.submit(_solved, line.question, work, each): line for line in lines}
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _solved(text: str, solve: Solve, seconds: float | None) -> "Solved":
    """What became of a problem; after so many seconds, that it was not solved by then."""
    from graphtalk.reasoners.graph_agents.solving import Solved

    started = time.perf_counter()
    try:
        with within(seconds):
            return solve(text)
    except StoppedError as error:
        return Solved(False, str(error), seconds=time.perf_counter() - started)


def solve(problem: str) -> "Solved":
    """Solve a graph problem that is told in words, by an exact algorithm, without a language model."""
    return _exact()(problem)


@cache
def _exact() -> Solve:
    return solver(SolveSettings(Settings()))
