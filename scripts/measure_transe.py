"""How well TransE tells facts that it did not learn: filtered ranks on WN18, WN18RR and FB15k-237.

    OMP_NUM_THREADS=1 python scripts/measure_transe.py --data KG --out RUNS [--only NAME] [--epochs N …] [--part valid]

KG has a folder for each of them with train, valid and test: `train.txt` (head, relation, tail by name) or `train2id.txt`
(a count, then head, tail, relation by number), either may be .xz. RUNS gets the model and its card; one that is there
already is measured and not learnt again. `--part valid` measures the validation facts, by which settings are chosen.
"""

import argparse
import lzma
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from graphtalk.models import transe
from graphtalk.models.saved import ModelCard, is_saved, load

NAMES = ("WN18", "WN18RR", "FB15k-237")
PARTS = ("train", "valid", "test")
PUBLISHED = {"WN18": (None, 0.892), "WN18RR": (0.226, 0.501), "FB15k-237": (0.294, 0.465)}
# WN18: Hits@10 of Bordes et al. 2013, table 3. The others: Nguyen, Nguyen, Nguyen and Phung 2018, table 2.


def lines(folder: Path, name: str) -> Iterator[str]:
    """The lines of a file that may be compressed."""
    plain, packed = folder / name, folder / f"{name}.xz"
    with (
        plain.open(encoding="utf-8") if plain.exists() else lzma.open(packed, "rt", encoding="utf-8") as file
    ):
        yield from file


def by_number(folder: Path) -> tuple[list[np.ndarray], int, tuple[str, ...]]:
    """The facts of each part, how many entities there are, and the names of relations."""
    parts = []
    for part in PARTS:
        rows = np.array([line.split() for line in lines(folder, f"{part}2id.txt")][1:], dtype=object)
        parts.append(np.array([[int(x) for x in row] for row in rows])[:, [0, 2, 1]])
    entities = int(next(lines(folder, "entity2id.txt")))
    return parts, entities, tuple(str(i) for i in range(int(next(lines(folder, "relation2id.txt")))))


def by_name(folder: Path) -> tuple[list[np.ndarray], int, tuple[str, ...]]:
    """As `by_number`."""
    named = [[line.rstrip("\n").split("\t") for line in lines(folder, f"{part}.txt")] for part in PARTS]
    entities = {
        name: i for i, name in enumerate(sorted({n for rows in named for h, _, t in rows for n in (h, t)}))
    }
    relations = {name: i for i, name in enumerate(sorted({r for rows in named for _, r, _ in rows}))}
    parts = [np.array([(entities[h], relations[r], entities[t]) for h, r, t in rows]) for rows in named]
    return parts, len(entities), tuple(relations)


def measure(name: str, data: Path, out: Path, config: transe.TransEConfig, part: str, seed: int) -> None:
    """Learn one data set, unless that was done, and print how well it is told."""
    folder = data / name
    numbered = any((folder / f"train2id.txt{end}").exists() for end in ("", ".xz"))
    (train, valid, test), entities, relations = by_number(folder) if numbered else by_name(folder)
    place = out / name
    if not is_saved(place):
        known = transe.Triples(train, entities, relations)
        started, cpu = time.perf_counter(), time.process_time()

        def progress(done: int, total: int) -> None:
            print(f"{name}: epoch {done} of {total}, {time.process_time() - cpu:.0f} s", flush=True)

        model = transe.learn(known, config, seed, progress)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - started
        scores = {"cpu seconds": round(cpu, 1)}
        card = ModelCard(transe.NAME, name, "", asdict(config), seed, scores, round(wall, 1))
        replace(model, card=card).save(place)
    model = transe.TransEModel.of(load(place, transe.NAME))
    card = model.card
    found = transe.link_scores(model, test if part == "test" else valid, np.concatenate([train, valid, test]))
    card = replace(card, scores={**card.scores, f"{part} MRR": found.mrr, f"{part} Hits@10": found.hits_10})
    replace(model, card=card).save(place)
    paper = " / ".join("–" if score is None else f"{score:.3f}" for score in PUBLISHED[name])
    print(
        f"| {name} | {len(train):,} | {found.mrr:.3f} | {found.hits_1:.3f} | {found.hits_10:.3f} | {paper} "
        f"| {card.scores['cpu seconds']:.0f} s | {card.config}",
        flush=True,
    )


def main() -> None:
    """Read the options, and measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", choices=NAMES)
    parser.add_argument("--part", choices=("valid", "test"), default="test")
    parser.add_argument("--seed", type=int, default=0)
    standard = asdict(transe.TransEConfig())
    for key, value in standard.items():
        parser.add_argument(f"--{key}", type=type(value), default=value)
    options = parser.parse_args()
    config = transe.TransEConfig(**{key: getattr(options, key) for key in standard})
    for name in [options.only] if options.only else NAMES:
        measure(name, options.data, options.out, config, options.part, options.seed)


if __name__ == "__main__":
    main()
