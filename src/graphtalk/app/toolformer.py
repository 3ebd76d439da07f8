"""`graphtalk annotate` and `graphtalk complete`: texts with calls, and texts with their results. See docs/toolformer.md."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from graphtalk.app import ask as wiring
from graphtalk.app import batch, console, render
from graphtalk.app.hub_models import shown
from graphtalk.app.makers import toolformer
from graphtalk.app.session import Session
from graphtalk.app.settings import Settings
from graphtalk.core import JSON, CallError, LmError, Question, StoppedError, UsageError
from graphtalk.core.journal import Journal
from graphtalk.core.limits import within
from graphtalk.core.text import whole

if TYPE_CHECKING:
    pass

HOME = "gpr"  # the graph at hand where none is named; texts name their own

Work: TypeAlias = Callable[[str], Mapping[str, JSON]]


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
        if last.answer.stopped or last.answer.reason:  # no call was written, or none that can be used
            return {"output": text, "declined": last.answer.text, "stopped": last.answer.stopped, **told}
        return {"output": last.answer.text, **told}

    return Texts(work, "completing", required="answered")


_UNASKED = ("lm", "budget")
_COMPLETED = ("answered", "value", "remarks", "calls", "evidence", "lm", "usage", "seconds")


def _session(settings: Settings, store: str) -> Session:
    settings = replace(settings, reasoner="toolformer")
    wiring.check(settings)
    return Session(wiring.open(store or HOME), settings)
