"""Which engine spreads waiting best: 10,048 waits of 100 ms in tasks of 64, by Dask and by Spark, on this machine.

python scripts/bench_spread.py
"""

import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from distributed import Client, LocalCluster
from pyspark.sql import SparkSession

from tables import machine, show

TASKS, WAITS, SECONDS = 157, 64, 0.1


def wait(_: int) -> int:
    """A task: so many waits at once."""
    with ThreadPoolExecutor(WAITS) as pool:
        return len(list(pool.map(time.sleep, [SECONDS] * WAITS)))


def row(engine: str, start: Callable[[], Callable[[], object]]) -> tuple[str, str, str]:
    """How long an engine takes to start, and how many waits a second it does."""
    begun = time.perf_counter()
    run = start()
    started = time.perf_counter()
    run()
    took = time.perf_counter() - started
    return engine, f"{started - begun:.1f}", f"{TASKS * WAITS / took:,.0f}"


def dask() -> Callable[[], object]:
    """Two processes with eight tasks each."""
    cluster = LocalCluster(n_workers=2, threads_per_worker=8, dashboard_address=None, silence_logs=50)
    client = Client(cluster)
    client.submit(wait, 0).result()
    return lambda: client.gather(client.map(wait, range(TASKS)))


def spark() -> Callable[[], object]:
    """Sixteen tasks at once."""
    session = SparkSession.builder.master("local[16]").config("spark.ui.enabled", "false").getOrCreate()
    session.sparkContext.parallelize([0], 1).map(wait).count()
    return lambda: session.sparkContext.parallelize(range(TASKS), TASKS).map(wait).count()


def main() -> None:
    """Time both."""
    show(
        machine(), ("engine", "seconds to start", "waits a second"), [row("Dask", dask), row("Spark", spark)]
    )


if __name__ == "__main__":
    main()
