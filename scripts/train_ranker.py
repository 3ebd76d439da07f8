"""Trains the part of the reader that ranks its readings. CPU or GPU; a stopped run goes on with --start.

    .venv/bin/python scripts/train_ranker.py make CHOICES.jsonl --number N [--spider tables.json] [--sets DIR] [--leave-out NAMES] [--layers FILE]
    .venv/bin/python scripts/train_ranker.py learn RUN.pt CHOICES.jsonl ... --minilm FOLDER [--start RUN.pt] [--steps N]
    .venv/bin/python scripts/train_ranker.py export RUN.pt [--out FILE]

`make` asks the reader that ships, or one with other layers (older ones have not learnt the questions), about questions made by program and those of sets, and keeps its readings with whether they
are right; `learn` takes such files and those of `scripts/collect_judged.py`, of schemas that the judge is not fitted on;
`export` writes `weights/ranker.npz`, int8 by rows.
"""

import argparse
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch

from graphtalk.language.wordpiece import wordpiece
from graphtalk.reasoners.reader.network import Network
from graphtalk.reasoners.reader.reader import Reader, load_reader
from graphtalk.search.transformer import load_weights, minilm, quantised
from graphtalk.training.reader.learning import load_minilm, number_type, weights_of
from graphtalk.training.reader.ranking import (
    Ranker,
    batches,
    choices,
    loss,
    read_choices,
    tokens,
    write_choices,
)
from graphtalk.training.reader.sources import weighed_sources

WEIGHTS = Path(__file__).parent.parent / "src/graphtalk/reasoners/reader/weights/ranker.npz"


def main() -> None:
    """See the module."""
    options = _options()
    {"make": _make, "learn": _learn, "export": _export}[options.command](options)


def _make(options: Any) -> None:
    # Not varied: what words mean is what a ranker has to learn, and exchanged words mean nothing.
    sources = weighed_sources(options.weights, options.spider, options.sets, options.leave_out, as_said=True)
    reader = load_reader()
    if options.layers:
        reader = Reader(Network(minilm() | load_weights([options.layers])), wordpiece())
    write_choices(options.choices, choices(sources, reader, Random(options.seed)), options.number)


def _learn(options: Any) -> None:
    torch.manual_seed(options.seed)
    random = Random(options.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    kind = number_type(device)
    tokenizer = wordpiece()
    network = Ranker()
    load_minilm(network, options.minilm)
    if options.start:
        network.load_state_dict(weights_of(options.start), strict=False)
    network.to(device)
    rates = [(network.encoder, 6e-5), (network.wide, 3e-4), (network.score, 3e-4)]
    optimiser = torch.optim.AdamW([{"params": part.parameters(), "lr": r, "first": r} for part, r in rates])
    known = [c for path in options.choices for c in read_choices(path)]
    print(f"{len(known)} questions with {sum(len(c.readings) for c in known)} readings")
    step, total, first, asked = 0, 0.0, 0, 0
    while step < options.steps:
        for batch in batches(known, random):
            pace = min(1, (step + 1) / 100) * max(0.02, 1 - step / options.steps)
            for group in optimiser.param_groups:
                group["lr"] = group["first"] * pace
            ids, mask = (t.to(device) for t in tokens(batch, tokenizer))
            with torch.autocast(device.type, kind, enabled=kind != torch.float32):
                scores = network(ids, mask)
            lost, right, number = loss(scores.float(), batch)
            optimiser.zero_grad()
            lost.backward()
            torch.nn.utils.clip_grad_norm_([p for part, _ in rates for p in part.parameters()], 1.0)
            optimiser.step()
            step, total, first, asked = step + 1, total + float(lost.detach()), first + right, asked + number
            if step % 50 == 0:
                print(
                    f"step {step} loss {total / 50:.3f}, right one first {first / max(1, asked):.3f}",
                    flush=True,
                )
                total, first, asked = 0.0, 0, 0
                torch.save(network.state_dict(), options.run)
            if step >= options.steps:
                break
    torch.save(network.state_dict(), options.run)


def _export(options: Any) -> None:
    state = torch.load(options.run, map_location="cpu", weights_only=True)
    learnt = {
        (f"ranker.{n.removeprefix('encoder.')}" if n.startswith("encoder.") else f"ranked.{n}"): w.numpy()
        for n, w in state.items()
        if n.split(".")[0] in ("encoder", "wide", "score")
    }
    np.savez(options.out, **quantised(learnt))  # type: ignore[arg-type]
    print(f"{options.out}: {options.out.stat().st_size / 1e6:.1f} MB")


def _options() -> Any:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("make")
    make.add_argument("choices", type=Path)
    make.add_argument("--number", type=int, required=True)
    make.add_argument("--spider", type=Path)
    make.add_argument("--sets", type=Path)
    make.add_argument("--weights", default="made=1", help="share of each source: made=0.5,text2cypher=0.5")
    make.add_argument("--leave-out", default="", help="schemas of text2cypher that are not seen, with commas")
    make.add_argument("--seed", type=int, default=0)
    make.add_argument("--layers", type=Path, help="weights whose beam gives the readings")
    learn = commands.add_parser("learn")
    learn.add_argument("run", type=Path)
    learn.add_argument("choices", type=Path, nargs="+")
    learn.add_argument("--minilm", type=Path, required=True)
    learn.add_argument("--start", type=Path)
    learn.add_argument("--steps", type=int, default=3000)
    learn.add_argument("--seed", type=int, default=0)
    export = commands.add_parser("export")
    export.add_argument("run", type=Path)
    export.add_argument("--out", type=Path, default=WEIGHTS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
