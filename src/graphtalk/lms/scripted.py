"""A model that says what a file tells it to: for demonstrations, and for tests of everything around a model.

The file has one JSON object a line. A line is used once, in order:

    {"text": "Action 1: RetrieveNode[Zinc]"}
    {"tool_calls": [{"name": "RetrieveNode", "arguments": {"keyword": "Zinc"}}]}
    {"when": "boiling point", "text": "…"}       used only for a prompt that holds these words
    {"text": "…", "repeat": true}                 used as often as it fits

Blank lines and lines that begin with `#` are left out.
"""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from graphtalk.core import LmError, UsageError
from graphtalk.core.reading import read_json
from graphtalk.lms.protocol import Reply, Request, ToolCall, Usage, about_tokens, in_one_piece


@dataclass(frozen=True)
class Line:
    """One reply of a script, and when it fits: where the prompt holds `when`."""

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    when: str = ""
    repeat: bool = False


@dataclass
class ScriptedLM:
    """Says the first line that is left and fits. Tokens are counted as four letters each; nothing costs money."""

    lines: list[Line]
    name: str = "scripted"
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @classmethod
    def open(cls, path: str | Path) -> "ScriptedLM":
        """The script of a file. Raises UsageError, naming the line, where it is not one."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"Cannot read the script {path}: {error}.") from error
        rows = enumerate(text.splitlines(), 1)
        lines = [_line(row, f"{path}:{n}") for n, row in rows if row.strip() and not row.startswith("#")]
        return cls(lines, f"scripted:{path}")

    def complete(self, request: Request) -> Reply:
        """The next line that fits, cut at the first stop. Raises LmError where none is left."""
        prompt = "\n".join(message.content for message in request.messages)
        line = self._take(prompt)
        text = cut_at(line.text, request.stop)
        asked = about_tokens(prompt) + about_tokens(json.dumps([dict(tool) for tool in request.tools]))
        said = about_tokens(line.text + "".join(c.name + c.arguments for c in line.tool_calls))
        usage = Usage(1, asked if request.tools else about_tokens(prompt), said)
        return Reply(text, line.tool_calls, usage, "tool_calls" if line.tool_calls else "stop")

    def stream(self, request: Request) -> Iterator[str | Reply]:
        """The line in one piece."""
        yield from in_one_piece(self.complete(request))

    def _take(self, prompt: str) -> Line:
        with self._lock:
            for at, line in enumerate(self.lines):
                if line.when in prompt:
                    return line if line.repeat else self.lines.pop(at)
        raise LmError(f"{self.name} has no line left that fits.")


def cut_at(text: str, stop: tuple[str, ...]) -> str:
    """The text up to the first of the stops.

    >>> cut_at("one\\ntwo", ("\\n",))
    'one'
    """
    return text[: min((at for at in (text.find(s) for s in stop) if at >= 0), default=len(text))]


def _line(row: str, place: str) -> Line:
    try:
        shown = read_json(row)
        calls = shown.get("tool_calls", [])
        return Line(
            str(shown.get("text", "")),
            tuple(
                ToolCall(str(c.get("id", f"call-{n}")), str(c["name"]), _arguments(c.get("arguments", {})))
                for n, c in enumerate(calls, 1)
            ),
            str(shown.get("when", "")),
            bool(shown.get("repeat", False)),
        )
    except (ValueError, AttributeError, KeyError, TypeError) as error:
        raise UsageError(f"{place}: not a line of a script ({error}).") from error


def _arguments(arguments: object) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
