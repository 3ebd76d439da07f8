"""How good the communities are that k-means and Leiden find: modularity, and agreement with the topics of papers.

    OMP_NUM_THREADS=1 python scripts/measure_communities.py [--only cora] [--seed S]

The data sets are those of the hub (`graphtalk hub fetch cora`). NMI is the normalised mutual information (arithmetic mean)
of communities and topics; a partition into fewer or more parts than there are topics cannot reach 1.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np

from graphtalk.algorithms import communities
from graphtalk.graphs import Graph
from graphtalk.hub import Hub, hub_folder
from graphtalk.models import kmeans, leiden
from graphtalk.models.communities import CommunityModel

NAMES = ("cora", "citeseer", "pubmed", "wordnet")


def louvain(graph: Graph, seed: int) -> CommunityModel:
    """The communities of `graphtalk.algorithms`."""
    found = communities(graph, seed=seed)
    return CommunityModel.of(found.labels, found.modularity)


WAYS: dict[str, Callable[[Graph, int], CommunityModel]] = {
    "k-means, shares": lambda graph, seed: kmeans.fit(graph, seed=seed),
    "k-means, counts": lambda graph, seed: kmeans.fit(graph, kmeans.KMeansConfig(affinity="counts"), seed),
    "Leiden": lambda graph, seed: leiden.fit(graph, seed=seed),
    "Louvain (algorithms)": louvain,
}


def mutual_information(first: np.ndarray, second: np.ndarray) -> float:
    """Normalised by the mean of the two entropies; 1 where one labelling is the other renamed."""
    joint = np.zeros((first.max() + 1, second.max() + 1))
    np.add.at(joint, (first, second), 1 / len(first))
    rows, columns = joint.sum(axis=1), joint.sum(axis=0)
    there = joint > 0
    shared = (joint[there] * np.log((joint / np.outer(rows, columns))[there])).sum()
    whole = -sum((part[part > 0] * np.log(part[part > 0])).sum() for part in (rows, columns)) / 2
    return float(shared / whole) if whole else 1.0


def measure(name: str, seed: int) -> None:
    """Print a row for each way."""
    graph = Hub(hub_folder()).graph(name)
    if not isinstance(graph, Graph):
        raise SystemExit(f"{name} is a set of graphs: it has no communities.")
    topics = None
    if any(f.name == "topic" for f in graph.schema.node_types[0].features):
        texts = graph.columns[graph.schema.node_types[0].name].column("topic").to_pylist()
        topics = np.unique([str(text) for text in texts], return_inverse=True)[1]
    for title, way in WAYS.items():
        started = time.process_time()
        model = way(graph, seed)
        seconds = time.process_time() - started
        likeness = "–" if topics is None else f"{mutual_information(model.labels, topics):.3f}"
        print(
            f"| {name} | {title} | {model.community_count()} | {model.community_max_size():,} "
            f"| {model.modularity:.3f} | {likeness} | {seconds:.1f} s |",
            flush=True,
        )


def main() -> None:
    """Read the options, and measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", choices=NAMES)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print("| data set | by | communities | largest | modularity | NMI with topics | CPU |", flush=True)
    for name in [options.only] if options.only else NAMES:
        measure(name, options.seed)


if __name__ == "__main__":
    main()
