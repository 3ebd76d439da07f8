"""PostgreSQL, a server of this machine: the same questions give the same answers, and nothing can be written."""

from pathlib import Path

import pytest

import elsewhere_graphs as made
from graphtalk.core import GraphtalkError
from graphtalk.core.limits import within
from graphtalk.engines.elsewhere.addresses import open_address
from graphtalk.engines.elsewhere.protocol import EngineError
from graphtalk.tools.executor import Executor
from postgres_server import fill, postgres_server
from test_elsewhere import QUESTIONS, differing


def test_postgres(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("adbc_driver_postgresql")
    monkeypatch.setenv("GRAPHTALK_CACHE", str(tmp_path / "cache"))
    with postgres_server() as host:
        graph = open_address(fill(host))
        assert not differing(Executor(made.stored()), Executor(graph), QUESTIONS[::2])
        backend = graph.backend
        with pytest.raises(Exception, match="read-only transaction"):
            backend._run("CREATE TABLE x(id int)")  # type: ignore[union-attr]
        with within(0.3), pytest.raises(GraphtalkError, match=r"Not finished within 0.3 seconds"):
            from graphtalk.core.limits import interrupting

            with interrupting(backend.stop):  # type: ignore[union-attr]
                backend._fetched("SELECT pg_sleep(20)")  # type: ignore[union-attr]
        backend.close()  # type: ignore[union-attr]
    with pytest.raises(EngineError, match=f"postgresql://{host}/postgres"):
        open_address(f"postgresql://films@{host}/postgres")
