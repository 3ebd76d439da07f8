"""How well weights of the reader's network read questions, each word of a reading given those before it: needs torch.

    .venv/bin/python scripts/measure_weights.py QUESTIONS.jsonl.xz --minilm FOLDER --each 12 WEIGHTS ...

QUESTIONS: groups as `scripts/written.py` writes them; WEIGHTS: runs of `scripts/train_reader.py` or `layers.npz`. Of each schema so
many questions are drawn. Prints the mean loss of questions that can be answered, which part of their readings is right as a whole,
and how many of those that nothing answers are seen as such.
"""

import argparse
from pathlib import Path
from random import Random

import torch

from graphtalk.language.wordpiece import wordpiece
from graphtalk.training.reader.learning import load_minilm, weights_of
from graphtalk.training.reader.network import ReaderNetwork, batched, losses
from graphtalk.training.reader.sources import encoded, read_groups
from graphtalk.training.reader.variation import Group

SHORT = 2  # actions of a reading that says that nothing answers


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("questions", type=Path)
    parser.add_argument("weights", type=Path, nargs="+")
    parser.add_argument("--minilm", type=Path, required=True)
    parser.add_argument("--each", type=int, default=12)
    parser.add_argument("--last", type=int, default=0, help="schemas of the end of the file alone")
    options = parser.parse_args()
    random, tokenizer = Random(5), wordpiece()
    groups = []
    for group in read_groups(options.questions):
        drawn = tuple(random.sample(group.examples, min(options.each, len(group.examples))))
        groups.append(encoded(Group(group.shape, drawn, group.name), tokenizer, None))
    asked = [rows for rows in groups[-options.last :] if rows]
    for path in options.weights:
        network = ReaderNetwork(0.0, 4)
        load_minilm(network, options.minilm)
        network.load_state_dict(weights_of(path), strict=False)
        network.eval()
        told: list[tuple[float, bool]] = []
        none: list[tuple[float, bool]] = []
        for rows in asked:
            batch = batched([a for a, _ in rows], [t for _, t in rows])
            with torch.no_grad():
                scores = network(batch)
            best = scores.masked_fill(~batch.allowed, -1e9).argmax(-1)
            whole = ((best == batch.right) | (batch.right < 0)).all(-1)
            for lost, right, steps in zip(
                losses(scores, batch), whole, (batch.right >= 0).sum(1), strict=True
            ):
                (none if int(steps) <= SHORT else told).append((float(lost), bool(right)))
        loss = sum(lost for lost, _ in told) / len(told)
        print(
            f"{path}: loss {loss:.3f}, {sum(right for _, right in told)} of {len(told)} whole, "
            f"{sum(right for _, right in none)} of {len(none)} seen as unanswerable",
            flush=True,
        )


if __name__ == "__main__":
    main()
