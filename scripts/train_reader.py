"""Trains the reader's network. CPU or GPU; a stopped run goes on with --resume.

    .venv/bin/python scripts/train_reader.py RUN.pt --minilm FOLDER [--spider tables.json] [--sets DIR] [--leave-out NAMES]
        [--start OTHER] [--resume] [--steps N] [--minutes M]

FOLDER holds all-MiniLM-L6-v2 (model.safetensors; Apache-2.0). DIR holds what
`scripts/make_reader_data.py` wrote; what is learnt from each set is in docs/reading.md.
"""

import argparse
import multiprocessing
from collections.abc import Iterator
from pathlib import Path
from queue import Empty
from typing import Any

import torch

from graphtalk.language.wordpiece import wordpiece
from graphtalk.training.reader.learning import Learner, Schedule, load_minilm, train
from graphtalk.training.reader.network import Batch, ReaderNetwork
from graphtalk.training.reader.sources import batches, weighed_sources


def main() -> None:
    """See the module."""
    options = _options()
    if options.processes > 1:
        torch.multiprocessing.spawn(_learn, (options,), options.processes)
    else:
        _learn(0, options)


def _learn(rank: int, options: Any) -> None:
    """One process of several, or the only one."""
    if options.processes > 1:
        torch.set_num_threads(1)
        torch.distributed.init_process_group(
            "gloo", f"tcp://127.0.0.1:{options.port}", rank=rank, world_size=options.processes
        )
    torch.manual_seed(options.seed)
    network = ReaderNetwork(options.drop, options.frozen)
    load_minilm(network, options.minilm)
    schedule = Schedule(options.steps, options.rate, options.encoder_rate, seconds=60 * options.minutes)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    learner = Learner(network, schedule, device)
    if options.resume and options.run.exists():
        learner.load(options.run, resume=True)
    elif options.start:
        learner.load(options.start, resume=False)
    feed = _feed(options, options.seed + learner.step + 1_000_003 * rank)
    train(learner, feed, options.run, lambda text: print(text, flush=True))


def _options() -> Any:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("run", type=Path)
    parser.add_argument("--minilm", type=Path, required=True)
    parser.add_argument("--spider", type=Path)
    parser.add_argument("--sets", type=Path)
    parser.add_argument(
        "--weights", default="made=1", help="share of each source: made=0.4,paraphrases=0.3,text2cypher=0.3"
    )
    parser.add_argument(
        "--leave-out", default="", help="schemas of text2cypher that are not seen, with commas"
    )
    parser.add_argument(
        "--start", type=Path, help="weights to start from: of a run, or layers.npz of the package"
    )
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=1e6)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--encoder-rate", type=float, default=1e-4)
    parser.add_argument("--drop", type=float, default=0.0)
    parser.add_argument("--frozen", type=int, default=4)
    parser.add_argument("--questions", type=int, default=6, help="about each schema that is drawn")
    parser.add_argument("--pairs", type=int, default=500_000, help="of positions in a batch, about: its cost")
    parser.add_argument("--processes", type=int, default=1, help="that share the work, each on one core")
    parser.add_argument("--port", type=int, default=29531)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def _feed(options: Any, seed: int) -> Iterator[Batch]:
    """Batches, made beside the training by another process."""
    queue: Any = multiprocessing.get_context("spawn").Queue(6)
    process = multiprocessing.get_context("spawn").Process(
        target=_fill, args=(queue, options, seed), daemon=True
    )
    process.start()
    while True:
        try:
            arrays = queue.get(timeout=30)
        except Empty:
            if not process.is_alive():
                raise SystemExit("The process that makes the questions ended.") from None
            continue
        yield Batch(*map(torch.from_numpy, arrays))


def _fill(queue: Any, options: Any, seed: int) -> None:
    torch.set_num_threads(1)
    tokenizer = wordpiece()
    sources = weighed_sources(options.weights, options.spider, options.sets, options.leave_out)
    for batch in batches(sources, seed, tokenizer, options.questions, options.pairs):
        queue.put([t.numpy() for t in batch.__dict__.values()])


if __name__ == "__main__":
    main()
