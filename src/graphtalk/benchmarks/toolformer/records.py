"""Prompt records, one a line: `Input: … Output: … Reasoning Result: …`, several results joined by ` <||> `.

`graph_data_loading` has no result; its lines end in a tag of the run that generated them.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from graphtalk.benchmarks.task import Asked, Gold, Questions
from graphtalk.core import UsageError

_RECORD = re.compile(r"Input: (?P<input>.*?) Output: (?P<output>.*?)(?: Reasoning Result: (?P<results>.*))?")
_TAG = re.compile(r"\s+generated_\w+_[\d:-]+$")
_FUNCTION = re.compile(r'"([a-z_]+:[a-z_]+)"')
NO_RESULT = frozenset({"Unknown", "Unsupervised"})  # what stands where no result is known


def read_records(path: Path) -> Questions:
    """The records of a file as questions. The right answer is the annotated text, its names are the results.

    Raises UsageError where the file cannot be read; a line that is no record is a complaint.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"Cannot read the prompts {path}: {error}.") from error
    asked, complaints = [], []
    for number, line in enumerate(lines, 1):
        record = _RECORD.fullmatch(line.strip())
        if record is None:
            if line.strip():
                complaints.append(f"{path}:{number}: not `Input: … Output: …`.")
            continue
        output = _TAG.sub("", record["output"])
        functions = _FUNCTION.findall(output)
        gold = Gold(output, tuple(_results(record["results"])) or None)
        asked.append(Asked(str(number), record["input"], gold, template=functions[0] if functions else "GL"))
    return Questions(tuple(asked), tuple(complaints))


def _results(written: str | None) -> Iterator[str]:
    """What the calls give; nothing where that is not known."""
    for result in (written or "").split(" <||> "):
        plain = result.strip().removesuffix(".")
        if plain and plain not in NO_RESULT:
            yield plain
