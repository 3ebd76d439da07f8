"""How long updates of a store take, against writing it anew, on this machine.

python scripts/bench_update.py [NODES] [EDGES]    # 200,000 and 1,000,000 if not given
"""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import graphtalk as gt
from bench_export import made


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Print how long something took."""
    started = time.perf_counter()
    yield
    print(f"{what:45s} {time.perf_counter() - started:6.2f} s")


def main() -> None:
    """Write a store with its indexes, then change it."""
    nodes, edges = (int(word) for word in (sys.argv[1:] + ["200000", "1000000"][len(sys.argv) - 1 :])[:2])
    with TemporaryDirectory() as folder:
        place = Path(folder) / "random.gt"
        graph = made(nodes, edges)
        with timed("written anew, with its indexes"):
            gt.save(graph, place)
        with timed("one value changed"), gt.edit(place) as edit:
            edit.set("n5", age=3)
        with timed("one edge added"), gt.edit(place) as edit:
            edit.add_edge("n5", "knows", "n7", since=2000)
        with timed("one node and its edge added"), gt.edit(place) as edit:
            edit.add_node("new", "person", name="Brand new")
            edit.add_edge("new", "knows", "n7", since=2000)
        with timed("one node deleted"), gt.edit(place) as edit:
            edit.delete_node("n9")
        with timed("1,000 nodes and 5,000 edges added"), gt.edit(place) as edit:
            for i in range(1000):
                edit.add_node(f"more{i}", "person", name=f"More {i}", age=i)
            for i in range(5000):
                edit.add_edge(f"more{i % 1000}", "knows", f"n{i + 100}")


if __name__ == "__main__":
    main()
