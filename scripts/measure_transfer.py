"""What SEG-Bert's weights of one set of molecules are worth on another, where few of its molecules are known.

    OMP_NUM_THREADS=1 python scripts/measure_transfer.py --data DIR [--from PTC_FM] [--to PTC_MR] [--known 20 50 100] [--seeds 3] [--apart]

DIR has TUDataset's archives. PTC's sets say which compounds are carcinogenic, each of another animal, and share nine compounds of
ten: what is known of mice is used for rats. With --apart molecules that both sets have are left out of the first. Kinds of atoms
are numbered alike first. Printed: accuracy on the molecules that are not learnt from, mean and standard deviation over seeds, from the
beginning and begun from the first set; and the first set's model as it is.
"""

import argparse
import re
import statistics
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

import numpy as np

from graphtalk.graphs import GraphSet
from graphtalk.graphs.read import read_graph
from graphtalk.models.folds import stratified
from graphtalk.models.seg_bert import SegBertConfig, SegBertModel, classes_of_graphs, fit, learn
from graphtalk.models.seg_bert_segments import describe


def molecules(data: Path, name: str, folder: Path, atoms: dict[str, int]) -> GraphSet:
    """A set of TUDataset, kinds of atoms numbered as `atoms` says; new kinds are added to it."""
    with ZipFile(data / f"{name}.zip") as archive:
        for member in archive.namelist():
            if member.endswith(".txt"):
                (folder / Path(member).name).write_bytes(archive.read(member))
    readme = (folder / "README.txt").read_text(encoding="latin-1").replace("\r", "")
    told = readme[readme.rindex("Node labels:") : readme.rindex("Edge labels:")]
    kinds = {int(number): atom for number, atom in re.findall(r"(\d+)\s+([A-Z][a-z]?)\b", told)}
    path = folder / f"{name}_node_labels.txt"
    numbers = [atoms.setdefault(kinds[int(line)], len(atoms)) for line in path.read_text().split()]
    path.write_text("\n".join(map(str, numbers)) + "\n")
    (folder / "README.txt").unlink()
    found = read_graph([folder])
    assert isinstance(found, GraphSet)
    return found


def forms(graphs: GraphSet) -> list[bytes]:
    """What a molecule is made of: its atoms in their surroundings, in any order."""
    nodes = describe(graphs, "label", 2, 4)
    return [np.sort(nodes.keys[-1][nodes.graph_of == graph]).tobytes() for graph in range(len(graphs))]


def main() -> None:
    """Learn and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--from", dest="first", default="PTC_FM")
    parser.add_argument("--to", default="PTC_MR")
    parser.add_argument("--known", type=int, nargs="+", default=[20, 50, 100])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument(
        "--apart", action="store_true", help="leave molecules that both sets have out of the first"
    )
    given = parser.parse_args()
    atoms: dict[str, int] = {}
    sets = []
    for name in (given.first, given.to):
        with TemporaryDirectory() as folder:
            sets.append(molecules(given.data, name, Path(folder), atoms))
    first, second = sets
    there = set(forms(second))
    new = [n for n, form in enumerate(forms(first)) if form not in there]
    own = new if given.apart else list(range(len(first)))
    table = first.table
    hidden = [value if n in set(own) else None for n, value in enumerate(table.column("label").to_pylist())]
    apart = GraphSet(
        first.union, table.set_column(table.column_names.index("label"), "label", [hidden]), first.offsets
    )
    config = SegBertConfig(epochs=given.epochs)
    starts = [fit(apart, config, seed) for seed in range(given.seeds)]
    _, classes = classes_of_graphs(second, "label")
    print(
        f"{len(new)} of {len(first)} molecules of {given.first} are none of {given.to}; {len(own)} are learnt from."
    )
    print("| molecules known | from the beginning, % | begun from the other set, % |\n|---|---|---|")
    as_it_is = [100 * start.classify(second).accuracy(classes, np.arange(len(second))) for start in starts]
    print(
        f"| none | {100 * np.bincount(classes).max() / len(classes):.1f} (the commoner class) | {told(as_it_is)} |"
    )
    for known in given.known:
        rows: list[list[float]] = [[], []]
        for seed, begun in enumerate(starts):
            fold = stratified(classes, max(2, len(classes) // known), seed)
            train, test = np.flatnonzero(fold == 0)[:known], np.flatnonzero(fold != 0)
            for row, start in zip(rows, (None, begun), strict=True):
                row.append(100 * accuracy(second, config, seed, train, test, classes, start))
        print(f"| {known} | {told(rows[0])} | {told(rows[1])} |", flush=True)


def accuracy(
    graphs: GraphSet, config: SegBertConfig, seed: int, train: np.ndarray, test: np.ndarray, classes: np.ndarray,
    start: SegBertModel | None,
) -> float:  # fmt: skip
    """The share of test molecules that are told rightly at the last epoch."""
    found: list[float] = []

    def after(epoch: int, predict: object) -> None:
        if epoch == config.epochs and callable(predict):
            found.append(float(np.mean(predict(test).argmax(axis=1) == classes[test])))

    learn(graphs, config, seed, train, after, start=start)
    return found[0]


def told(values: list[float]) -> str:
    """Mean and standard deviation."""
    return (
        f"{statistics.fmean(values):.1f} ± {statistics.stdev(values):.1f}"
        if len(values) > 1
        else f"{values[0]:.1f}"
    )


if __name__ == "__main__":
    main()
