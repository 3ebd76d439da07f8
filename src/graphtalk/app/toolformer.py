"""`graphtalk annotate` and `graphtalk complete`: texts with calls, and texts with their results. See docs/toolformer.md."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from graphtalk.app import ask as wiring
from graphtalk.app import batch, console, render
from graphtalk.app.hub_models import shown
from graphtalk.app.reasoners import TRAINED, asks_model, taught_folder
from graphtalk.app.settings import Settings
from graphtalk.core import JSON, CallError, LmError, Question, StoppedError, UsageError
from graphtalk.core.journal import Journal
from graphtalk.core.limits import within
from graphtalk.core.text import whole
from graphtalk.graphs import Graph

if TYPE_CHECKING:
    from graphtalk.lms.meter import Meter
    from graphtalk.reasoners.toolformer.annotator import Annotator
    from graphtalk.reasoners.toolformer.reasoner import Toolformer

HOME = "gpr"  # the graph at hand where none is named; texts name their own

Work: TypeAlias = Callable[[str], Mapping[str, JSON]]


def toolformer(session: wiring.Session, stored: bool = True) -> "Toolformer":
    """The reasoner of a session's graph and model. `stored`: texts may be about that graph without naming it."""
    from graphtalk.lms.meter import Meter
    from graphtalk.reasoners.toolformer.reasoner import Toolformer

    meter = Meter(session.model) if asks_model(session.settings) else None
    return Toolformer(session.executor, annotator(session, meter, stored), meter)


def annotator(session: wiring.Session, meter: "Meter | None", stored: bool) -> "Annotator":
    """What writes calls: a model, or without one the offline annotator and then, for the graph at hand, the planner."""
    from graphtalk.reasoners.toolformer.stored import FirstOf, PlannedAnnotator

    if meter is not None:
        from graphtalk.reasoners.toolformer.lm import LmAnnotator

        executor, settings = session.executor, session.settings
        graphs = executor.loader.names() if executor.loader else ()
        if settings.lm.startswith(TRAINED):
            from graphtalk.reasoners.toolformer.constrained.asking import TunedAnnotator

            return TunedAnnotator(meter, executor.registry, graphs)
        home = None
        if stored and isinstance(session.graph, Graph):
            from graphtalk.reasoners.outline import Outline

            home = Outline(session.graph, session.index)
        return LmAnnotator(meter, executor.registry, graphs, settings.temperature, settings.seed, home)
    trained = _without_lm(session.settings)
    return FirstOf((trained, PlannedAnnotator(session.planner))) if stored else trained


def _without_lm(settings: Settings) -> "Annotator":
    """The offline annotator that ships with the package, or the one that was taught."""
    folder = taught_folder(settings)
    if folder is not None:
        from graphtalk.reasoners.toolformer.taught import open_taught

        return open_taught(folder)
    from graphtalk.reasoners.toolformer.offline import open_offline_annotator

    return open_offline_annotator()


@dataclass(frozen=True)
class Texts:
    """What a command does with a text, and how it says so. `required` is a field that each of its outputs has."""

    work: Work
    verb: str
    required: str = "output"

    def one(self, text: str, as_json: bool, timeout: float | None = None) -> int:
        """Work on one text and print the outcome; 1 where it was declined, or a call of it failed."""
        with shown():
            found = self._work_within(timeout, text)
        console.write(whole(render.dumps({"input": text, **found}) if as_json else str(found["output"])))
        if not as_json:
            remarks = found.get("remarks")
            for said in (found.get("declined"), *(remarks if isinstance(remarks, list) else ())):
                if said:
                    console.say(str(said))
        left_alone = found["output"] == text and not found.get("declined")
        return 0 if left_alone or (found.get("answered", True) and not found.get("declined")) else 1

    def _work_within(self, seconds: float | None, text: str) -> Mapping[str, JSON]:
        """What a text becomes; after so many seconds itself, declined."""
        try:
            with within(seconds):
                return self.work(text)
        except StoppedError as error:
            declined: dict[str, JSON] = {"output": text, "declined": str(error), "stopped": "time"}
            return declined if self.required in declined else {**declined, self.required: False}

    def file(self, inputs: Path, out: Path, timeout: float | None = None) -> int:
        """Work on the texts of a file, in order and each for so many seconds, keeping what `out` already has.

        A text that the model could not be asked about is not kept, so that the next run asks it. Gives 1 where there
        was one, or a broken line.
        """
        if inputs.resolve() == out.resolve():
            raise UsageError(f"Inputs and outputs cannot be the same file: {inputs}.")
        started = time.perf_counter()
        lines = list(batch.read_questions(inputs, "input"))
        readable = [line for line in lines if not line.complaint]
        unasked: list[str] = []
        with Journal(out, required=self.required) as journal, shown():
            kept = len(journal.keys)
            left = [line for line in readable if line.key not in journal.keys]
            try:
                with console.progress(self.verb, "texts", len(left)) as advance:
                    for line in left:
                        found = self._work_within(timeout, line.question)
                        if found.get("stopped") in _UNASKED:
                            unasked.append(str(found["declined"]))
                        else:
                            journal.add(line.key, found)
                        advance(1)
            except KeyboardInterrupt:
                console.say(f"stopped; {len(journal.keys):,} texts are done. The same command goes on: {out}")
                raise
            journal.restore_order(line.key for line in readable)
        for line in lines:
            if line.complaint:
                console.say(f"{inputs}:{line.number}: {line.complaint}")
        before = f", {kept:,} kept from before" if kept else ""
        seconds = render.duration(time.perf_counter() - started)
        console.say(f"{len(left) - len(unasked):,} texts{before}, {seconds}: {out}")
        if unasked:
            console.say(f"{len(unasked):,} texts are left for the next run. The last of them: {unasked[-1]}")
        return 1 if unasked or len(readable) < len(lines) else 0


def annotating(settings: Settings, store: str) -> Texts:
    """`graphtalk annotate`: gives texts with their calls. What is declined comes back as it is, with the reason."""
    from graphtalk.reasoners.toolformer.reasoner import refusal

    reasoner = toolformer(_session(settings, store), stored=bool(store))

    def work(text: str) -> Mapping[str, JSON]:
        try:
            return {"output": reasoner.annotated(text).text}
        except (CallError, LmError) as error:
            refused = refusal(error)
            return {"output": text, "declined": str(error), "stopped": refused.stopped}

    return Texts(work, "annotating")


def completing(settings: Settings, store: str) -> Texts:
    """`graphtalk complete`: gives texts with the results of their calls in place. What is declined comes back as it is."""
    reasoner = toolformer(_session(settings, store), stored=bool(store))

    def work(text: str) -> Mapping[str, JSON]:
        started = time.perf_counter()
        *_, last = reasoner.run(Question(text))
        if last.answer is None:
            raise ValueError("the last step of a run carries its answer")
        whole = render.answer_to_json(replace(last.answer, seconds=time.perf_counter() - started))
        told = {name: whole[name] for name in _COMPLETED}
        if last.answer.stopped:
            return {"output": text, "declined": last.answer.text, "stopped": last.answer.stopped, **told}
        return {"output": last.answer.text, **told}

    return Texts(work, "completing", required="answered")


_UNASKED = ("lm", "budget")
_COMPLETED = ("answered", "value", "remarks", "calls", "evidence", "lm", "usage", "seconds")


def _session(settings: Settings, store: str) -> wiring.Session:
    settings = replace(settings, reasoner="toolformer")
    wiring.check(settings)
    return wiring.Session(wiring.open(store or HOME), settings)
