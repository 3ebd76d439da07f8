"""What `graphtalk train annotator` does: a language model, or the offline annotator, learns to annotate texts."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from graphtalk.app import console, render
from graphtalk.benchmarks.folder import write_whole
from graphtalk.core import JSON, UsageError
from graphtalk.lms.registry import OFFLINE

if TYPE_CHECKING:
    from graphtalk.training.annotator_lm.settings import Tuning

PREFIX = "hf:"


def run(
    base: str, data: Sequence[Path], out: Path, tuning: "Tuning", limit: int | None, as_json: bool
) -> int:
    """Train, or take a training up; say how it went."""
    if base == OFFLINE:
        return _offline(data, out, as_json)
    if not base.startswith(PREFIX) or base == PREFIX:
        raise UsageError(f"--base is {base!r}. Valid: {OFFLINE}, hf:FOLDER, or hf:NAME on its hub.")
    try:
        import peft  # noqa: F401 - to say early what lacks
        import torch_geometric  # noqa: F401
        from safetensors import safe_open  # noqa: F401

        from graphtalk.training.annotator_lm.prompts import read_pairs
        from graphtalk.training.annotator_lm.tune import tune
        from graphtalk.training.checkpoint import Epoch
        from graphtalk.training.loop import Watch
    except ModuleNotFoundError as error:
        raise UsageError(
            f'Training needs {error.name}, which is not installed: python -m pip install "graphtalk[train]".'
        ) from error

    def tell(epoch: Epoch) -> None:
        console.say(
            f"epoch {epoch.number}: loss {epoch.loss:.4f}, validation {epoch.validation:.4f}, "
            f"{render.duration(epoch.seconds)}"
        )

    pairs = read_pairs(data)[:limit]
    with console.progress("training", "prompts", tuning.schedule.epochs * len(pairs)) as advance:
        history, left_out = tune(base.removeprefix(PREFIX), pairs, out, tuning, Watch(tell, advance))
    if left_out:
        console.say(
            f"{left_out:,} of {len(pairs):,} prompts have more than {tuning.length} tokens and were left out."
        )
    result: dict[str, JSON] = {
        "base": base,
        "prompts": len(pairs),
        "left_out": left_out,
        "epochs": [asdict(epoch) for epoch in history],
        "lm": f"trained:{out}",
    }
    write_whole(out / "result.json", json.dumps(result, ensure_ascii=False, indent=2) + "\n")
    print(render.dumps(result) if as_json else f"The annotator is trained: --lm trained:{out}")
    return 0


def _offline(data: Sequence[Path], out: Path, as_json: bool) -> int:
    from graphtalk.training.annotator.make import make_annotator

    files = [
        f for place in data for f in (sorted(place.rglob("prompts_train")) if place.is_dir() else [place])
    ]
    with console.progress("training", "files", None):
        written = make_annotator(files, out)
    if as_json:
        print(render.dumps({"base": OFFLINE, "files": [str(file) for file in written]}))
    else:
        print("\n".join(f"{file}  {file.stat().st_size:,} bytes" for file in written))
    return 0
