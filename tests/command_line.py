"""The command line as tests run it: in this process, with its exit code and what it printed."""

import json
import sys
from dataclasses import dataclass
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest

from graphtalk.app.main import main


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What it printed, read as JSON."""
        return json.loads(self.out)


class CommandLine:
    """Runs `graphtalk` with words as given."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, *words: object, stdin: str | bytes = "") -> Done:
        self._monkeypatch.setattr(sys, "argv", ["graphtalk", *map(str, words)])
        self._monkeypatch.setattr(sys, "stdin", StringIO(stdin) if isinstance(stdin, str) else _binary(stdin))
        self._capsys.readouterr()
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        printed = self._capsys.readouterr()
        return Done(code, printed.out, printed.err)


def lines(path: Path, rows: list[dict[str, object]]) -> Path:
    """Writes rows as JSON lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def read(path: Path) -> list[dict[str, object]]:
    """Reads JSON lines."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def _binary(content: bytes) -> TextIOWrapper:
    from io import BytesIO

    return TextIOWrapper(BytesIO(content), encoding="utf-8")
