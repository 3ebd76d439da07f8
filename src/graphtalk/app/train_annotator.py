"""What `graphtalk train annotator` does: a language model, or the offline annotator, learns to annotate texts."""

import json
import time
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
_LOADING = 100  # prompts of graph loading that its rankers need
_OFFLINE_TAKES = {"base", "data", "out", "limit", "seed", "as_json"}


def refuse_unused(base: str, tuning: "Tuning", given: Sequence[str]) -> None:
    """Raises UsageError for options, by the names of their parameters, that this training would pass over."""
    for unused, why in (
        (
            set(given) - _OFFLINE_TAKES if base == OFFLINE else set(),
            "the offline annotator is no language model; leave it out, or give --base hf:FOLDER",
        ),
        ({"lora_alpha", "lora_dropout"} if tuning.lora is None else set(), "--lora-rank 0 is without LoRA"),
        ({"words"} if tuning.decoding.free else set(), "--unconstrained is without the grammar"),
    ):
        if named := [name for name in given if name in unused]:
            options = ", ".join(f"--{name.replace('_', '-')}" for name in named)
            raise UsageError(f"{options} would change nothing: {why}.")


def run(
    base: str, data: Sequence[Path], out: Path, tuning: "Tuning", limit: int | None, as_json: bool
) -> int:
    """Train, or take a training up; say how it went."""
    if base == OFFLINE:
        return _offline(data, out, limit, tuning.schedule.seed, as_json)
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
        from graphtalk.training.parallel import processes
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
    if not processes().first:
        return 0  # the first says and writes what came of it
    result: dict[str, JSON] = {
        "base": base,
        "prompts": len(pairs),
        "left_out": left_out,
        "epochs": [asdict(epoch) for epoch in history],
        "lm": f"trained:{out}",
    }
    write_whole(out / "result.json", json.dumps(result, ensure_ascii=False, indent=2) + "\n")
    console.write(render.dumps(result) if as_json else f"The annotator is trained: --lm trained:{out}")
    return 0


def _offline(data: Sequence[Path], out: Path, limit: int | None, seed: int, as_json: bool) -> int:
    """Learn without a language model: what data sets of the hub are asked, and what graphs of one's own are."""
    from graphtalk.tools.registry import default_registry
    from graphtalk.training.annotator.examples import Prompt
    from graphtalk.training.annotator.fit import FitSettings
    from graphtalk.training.annotator.loading import learn_loader, loading_examples
    from graphtalk.training.annotator.make import make_functions
    from graphtalk.training.annotator_lm.prompts import read_pairs
    from graphtalk.training.facts import OFFLINE_ANNOTATOR, keep_facts
    from graphtalk.training.taught import about_own_graphs, teach

    started = time.perf_counter()
    pairs = read_pairs(data)[:limit]
    own = about_own_graphs(pairs)
    known = [Prompt(pair.input, pair.output, "") for pair in pairs if pair not in own]
    loading = loading_examples(known)
    told = {"prompts": len(pairs), "of own graphs": len(own), "of graph loading": len(loading)}
    keep_facts(out, {"format": OFFLINE_ANNOTATOR, **told})
    written: list[Path] = []
    with console.progress("training", "parts", 3) as advance:
        if own:
            written += teach([pair for pair in pairs if pair in own], default_registry(), seed).save(out)
        advance(1)
        if len(known) > len(loading):
            written += make_functions(known, out, FitSettings(seed=seed))
        advance(1)
        if len(loading) >= _LOADING:
            learn_loader(loading, seed=seed).save(out / "loading.npz")
            written.append(out / "loading.npz")
        advance(1)
    if as_json:
        files = [str(file) for file in written]
        console.write(render.dumps({"base": OFFLINE, **told, "files": files, "lm": f"trained:{out}"}))
        return 0
    for file in written:
        console.say(f"{file}: {file.stat().st_size:,} bytes")
    seconds = render.duration(time.perf_counter() - started)
    console.write(f"The annotator learnt {len(pairs):,} prompts in {seconds}: --lm trained:{out}")
    return 0
