"""The engine on Spark: a cluster, or all cores of one machine. Needs Java and `pip install graphtalk[spark]`."""

import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphtalk.core import UsageError
from graphtalk.vertex.binding import Bound
from graphtalk.vertex.edge_files import write_edges, write_nodes
from graphtalk.vertex.engine import Execution
from graphtalk.vertex.engines.relational import RelationalExecution
from graphtalk.vertex.language.sql import Dialect

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class SparkDialect(Dialect):
    """Named structs, functions of arrays."""

    def pair(self, key: str, value: str) -> str:
        """A struct with the fields k and v, ordered by k, then v."""
        return f"named_struct('k', {key}, 'v', {value})"

    def mode(self, value: str, condition: str) -> str:
        """The most frequent value, of several the least."""
        return f"mode({value}, true){condition}"

    def least_missing(self, value: str, condition: str) -> str:
        """The least whole number from 0 that is not among the values."""
        taken = f"collect_list({value}){condition}"
        numbers = f"transform(sequence(0, size({taken})), i -> CAST(i AS DOUBLE))"
        return f"array_min(filter({numbers}, i -> NOT array_contains({taken}, i)))"


@dataclass(frozen=True)
class SparkEngine:
    """`session` is a session of one's own, as on a cluster; without, one on this machine is made and kept.

    `folder` is where tables are written down: on a cluster, a place that all its machines see.
    """

    session: "SparkSession | None" = None
    folder: Path | None = None
    name: str = "spark"

    def start(self, bound: Bound) -> Execution:
        """Make ready to run. Raises UsageError where PySpark or Java is missing."""
        return SparkExecution(bound, self.session or local_session(), self.folder)


def local_session(cores: int | None = None, settings: Mapping[str, str] | None = None) -> "SparkSession":
    """A session on this machine, with `cores` processor cores (None: all) and further settings of Spark.

    Raises UsageError where PySpark or Java is missing.
    """
    try:
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession
    except ImportError:
        raise UsageError("The engine spark is not installed: pip install 'graphtalk[spark]'.") from None
    if not os.environ.get("JAVA_HOME") and shutil.which("java") is None:
        raise UsageError("The engine spark needs Java 17 or later: install it, or set JAVA_HOME.")
    chosen = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.adaptive.enabled": "false",  # it splits small rounds into many jobs
        "spark.sql.shuffle.partitions": str(os.cpu_count() or 1),
        "spark.log.level": "ERROR",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        **(settings or {}),
    }
    builder = SparkSession.builder.master(f"local[{cores or '*'}]").appName("graphtalk")
    for key, value in chosen.items():
        builder = builder.config(key, value)
    try:
        return builder.getOrCreate()
    except PySparkException as error:
        raise UsageError(f"Spark did not start: {error}") from error


class SparkExecution(RelationalExecution):
    """A run whose tables are views over kept data frames."""

    def __init__(self, bound: Bound, session: "SparkSession", folder: Path | None) -> None:
        super().__init__(bound, SparkDialect())
        self._session = session
        self._folder = Path(tempfile.mkdtemp(prefix="graphtalk-vertex-", dir=folder))
        self._kept: dict[str, DataFrame] = {}
        self._written = 0

    def initialise(self) -> None:
        """Write the graph down, and give every node and edge its first state."""
        for name, write in (("edges", write_edges), ("nodes", write_nodes)):
            path = self._folder / f"{name}.parquet"
            write(self._bound, path)
            self._session.read.parquet(str(path)).createOrReplaceTempView(name)
        super().initialise()

    def close(self) -> None:
        """Let go of the tables; the session stays, since it takes seconds to start."""
        for table in (*self._kept, "edges", "nodes"):
            self._session.catalog.dropTempView(table)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _replace(self, table: str, query: str) -> None:
        # A table that kept its past would bring it into every plan that reads it twice: plans would double.
        self._keep(table, self._session.sql(query).localCheckpoint())

    def _keep(self, table: str, frame: "DataFrame") -> None:
        frame.createOrReplaceTempView(table)
        self._kept[table] = frame

    def _row(self, query: str) -> Sequence[Any]:
        rows: Sequence[Sequence[Any]] = self._session.sql(query).collect()
        return rows[0]

    def _column(self, query: str) -> Sequence[Sequence[Any]]:
        return list(zip(*self._session.sql(query).collect(), strict=True))

    def _checkpoint(self, tables: Sequence[str]) -> None:
        """To Parquet: what executors hold by themselves is lost with them."""
        for table in tables:
            self._written += 1
            place = str(self._folder / f"{table}-{self._written}.parquet")
            self._kept[table].write.parquet(place)
            self._keep(table, self._session.read.parquet(place))
