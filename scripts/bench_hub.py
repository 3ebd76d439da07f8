"""How long fetching each data set of the hub from a folder takes, how large its store is, how fast it opens.

python scripts/bench_hub.py --data FOLDER     # the folder that `graphtalk hub fetch --from` takes
"""

import argparse
import tempfile
import time
from pathlib import Path

from graphtalk.core import SourceError
from graphtalk.hub import Hub


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    data = parser.parse_args().data
    print("| Data set | fetched in (s) | store (MB) | opened in (ms) |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as root:
        for name in Hub(Path(root)).names():
            try:
                print(row(Path(root), name, data), flush=True)
            except SourceError:
                print(f"| {name} | not there | | |")


def row(root: Path, name: str, data: Path) -> str:
    """The line of one data set."""
    started = time.perf_counter()
    Hub(root).fetch(name, data)
    fetched = time.perf_counter() - started
    fresh = Hub(root)
    size = sum(path.stat().st_size for path in fresh.place(name).rglob("*") if path.is_file())
    started = time.perf_counter()
    fresh.graph(name)
    return f"| {name} | {fetched:.1f} | {size / 1e6:.1f} | {1000 * (time.perf_counter() - started):.0f} |"


if __name__ == "__main__":
    main()
