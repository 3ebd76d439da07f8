"""A run of agents that is kept in a file, one act a line, so that one that was killed goes on."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from graphtalk.core import UsageError
from graphtalk.core.journal import Journal
from graphtalk.core.reading import read_json
from graphtalk.vertex import Bound, Message, NodeState, Report


@dataclass(frozen=True)
class KeptAct:
    """What all agents did in one act: their states, the messages under way, who changed."""

    states: list[NodeState]
    outbox: list[Message]
    changed: list[int]
    report: Report


class KeptRun:
    """The acts of a run in a file, one a line. Raises UsageError where the file is of another run."""

    def __init__(self, path: Path, bound: Bound) -> None:
        run = (
            f"{bound.program.name} {bound.n} {bound.graph.num_edges} {sorted(map(str, bound.values.items()))}"
        )
        self._lines: dict[int, Any] = {}
        if path.exists():
            try:
                lines = [read_json(line) for line in path.read_bytes().splitlines() if line.endswith(b"}")]
                self._lines = {line["id"]: line for line in lines if line["run"] == run}
            except (OSError, ValueError, TypeError, KeyError) as error:
                raise UsageError(f"{path} keeps no run of agents ({error!r}); give another file.") from error
            if len(self._lines) < len(lines):
                raise UsageError(f"{path} keeps another run; give another file.")
        self._journal, self._run = Journal(path, required="run"), run

    def read(self, act: int) -> KeptAct | None:
        """What was kept of an act, or None."""
        found = self._lines.get(act)
        if found is None:
            return None
        states = [
            NodeState(s["fields"], {int(to): fields for to, fields in s["edges"].items()})
            for s in found["states"]
        ]
        outbox = [Message(m["sender"], m["receiver"], m["fields"]) for m in found["outbox"]]
        return KeptAct(states, outbox, found["changed"], Report(found["changes"], found["sent"]))

    def add(self, act: int, kept: KeptAct) -> None:
        """Keep an act."""
        self._journal.add(
            act,
            {
                "run": self._run,
                "states": [asdict(state) for state in kept.states],
                "outbox": [asdict(message) for message in kept.outbox],
                "changed": list(kept.changed),
                "changes": kept.report.changes,
                "sent": kept.report.sent,
            },
        )

    def close(self) -> None:
        """Close the file."""
        self._journal.close()
