"""How well BPR tells what each user chose last: Hit@10, NDCG@10 and AUC on MovieLens 100K and Last.fm.

    OMP_NUM_THREADS=1 python scripts/measure_bpr.py [--only movielens] [--epochs N …] [--seeds 0 1 2]

The data sets are those of the hub (`graphtalk hub fetch movielens`). Each user's last choice is held out (Last.fm has no
times: there a random one, as in the paper's loader), and ranked among all items that the user had not chosen before.
Beside ours: how popular an item is, and `implicit`'s BPR (pip install implicit), one thread, the same factors.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict

import numpy as np

from graphtalk.graphs import Graph
from graphtalk.hub import Hub, hub_folder
from graphtalk.models import bpr

NAMES = ("movielens", "last-fm")
METRICS = ("Hit@10", "NDCG@10", "AUC")
ROUNDS = (100, 300)  # of implicit: its default, and three times as many


def popularity(pairs: bpr.Interactions, seed: int) -> bpr.Floats:
    """An item's score is how many chose it. Shape (users, items)."""
    counts = np.bincount(pairs.items, minlength=pairs.num_items).astype(np.float32)
    return np.broadcast_to(counts, (pairs.num_users, pairs.num_items))


def ours(config: bpr.BprConfig) -> Callable[[bpr.Interactions, int], bpr.Floats]:
    """Scores by our BPR."""
    return lambda pairs, seed: bpr.learn(pairs, config, seed).predict(np.arange(pairs.num_users))


def theirs(rounds: int, factors: int) -> Callable[[bpr.Interactions, int], bpr.Floats]:
    """Scores by implicit's BPR, with its default rate and regularisation."""
    from implicit.bpr import BayesianPersonalizedRanking
    from scipy.sparse import csr_matrix

    def scores(pairs: bpr.Interactions, seed: int) -> bpr.Floats:
        model = BayesianPersonalizedRanking(
            factors=factors, iterations=rounds, num_threads=1, random_state=seed
        )
        model.fit(csr_matrix(pairs.matrix()), show_progress=False)
        return model.user_factors @ model.item_factors.T

    return scores


def measure(name: str, config: bpr.BprConfig, seeds: list[int]) -> None:
    """Print a row for each way to rank: means over seeds."""
    graph = Hub(hub_folder()).graph(name)
    if not isinstance(graph, Graph):
        raise SystemExit(f"{name} is a set of graphs: it has no users.")
    pairs, _, _ = bpr.interactions(graph, config.relation)
    ways = {"popularity": popularity, "graphtalk BPR": ours(config)}
    ways |= {f"implicit BPR, {rounds} rounds": theirs(rounds, config.factors) for rounds in ROUNDS}
    for title, way in ways.items():
        rows, seconds = [], []
        for seed in seeds:
            earlier, held = bpr.hold_out_last(pairs, seed)
            started = time.process_time()
            scores = way(earlier, seed)
            seconds.append(time.process_time() - started)
            rows.append(bpr.ranking_scores(scores[held.users], earlier.matrix(), held))
        means = [f"{statistics.mean(row[metric] for row in rows):.3f}" for metric in METRICS]
        print(f"| {name} | {title} | {' | '.join(means)} | {statistics.mean(seconds):.0f} s |", flush=True)


def main() -> None:
    """Read the options, and measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", choices=NAMES)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    standard = asdict(bpr.BprConfig())
    for key, value in standard.items():
        parser.add_argument(f"--{key}", type=type(value), default=value)
    options = parser.parse_args()
    config = bpr.BprConfig(**{key: getattr(options, key) for key in standard})
    print(
        f"{config}; seeds {options.seeds}\n| data set | ranked by | {' | '.join(METRICS)} | CPU |", flush=True
    )
    for name in [options.only] if options.only else NAMES:
        measure(name, config, options.seeds)


if __name__ == "__main__":
    main()
