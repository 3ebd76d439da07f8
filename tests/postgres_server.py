"""A PostgreSQL server of this machine for tests, in a folder of its own, on the loopback. Skips where there is none."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from glob import glob
from pathlib import Path

import pyarrow as pa
import pytest

import elsewhere_graphs as made


@contextmanager
def postgres_server() -> Iterator[str]:
    """Host and port of a server without data, gone afterwards. It trusts everybody on this machine."""
    initdb = shutil.which("initdb") or next(iter(sorted(glob("/usr/lib/postgresql/*/bin/initdb"))), None)
    if initdb is None:
        pytest.skip("no PostgreSQL server is installed")
    who = None
    if os.getuid() == 0:  # it refuses to run as root
        try:
            who = pwd.getpwnam("postgres")
        except KeyError:
            pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
    # straight in the folder for such things: others may not look into the folders of pytest
    folder = Path(tempfile.mkdtemp(prefix="postgres-"))
    if who:
        os.chown(folder, who.pw_uid, who.pw_gid)
    try:
        yield from _served(folder, initdb, who.pw_uid if who else None)
    finally:
        shutil.rmtree(folder)


def _served(folder: Path, initdb: str, user: int | None) -> Iterator[str]:
    data = folder / "data"
    subprocess.run(
        [initdb, "-D", data, "-A", "trust", "-U", "films", "-E", "UTF8", "--no-sync"],
        check=True, capture_output=True, user=user, cwd=folder,
    )  # fmt: skip
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = Path(initdb).with_name("postgres")
    options = ["-h", "127.0.0.1", "-p", str(port), "-k", str(folder), "-F"]
    process = subprocess.Popen(
        [server, "-D", data, *options],
        user=user,
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        time.sleep(0.5)
        yield f"127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(30)


def fill(host: str) -> str:
    """The films in tables with keys, in the database `postgres`; their address."""
    import adbc_driver_postgresql.dbapi as driver

    kinds = {
        pa.string(): "text",
        pa.int64(): "bigint",
        pa.float64(): "numeric",
        pa.bool_(): "boolean",
        pa.date32(): "date",
    }
    with driver.connect(f"postgresql://films@{host}/postgres", autocommit=True) as connection:
        cursor = connection.cursor()
        for name, table in made.tables()[0].items():
            columns = ", ".join([f'"{f.name}" {kinds.get(f.type, "text[]")}' for f in table.schema])
            cursor.execute(f'CREATE TABLE "{name}"({columns}, PRIMARY KEY(id))')
            rows = ", ".join([f"({', '.join(map(_literal, row.values()))})" for row in table.to_pylist()])
            cursor.execute(f'INSERT INTO "{name}" VALUES {rows}')
        for name, (source, target) in made.RELATIONS.items():
            ends = f'"from" text REFERENCES "{source}"(id), "to" text REFERENCES "{target}"(id)'
            cursor.execute(f'CREATE TABLE "{name}"({ends})')
            pairs = ", ".join(
                [f"({', '.join(map(_literal, row.values()))})" for row in made._pairs(name).to_pylist()]
            )
            cursor.execute(f'INSERT INTO "{name}" VALUES {pairs}')
        cursor.close()
    return f"postgresql://films@{host}/postgres"


def _literal(value: object) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, list):
        return f"ARRAY[{', '.join(map(_literal, value))}]::text[]"
    if isinstance(value, str | date):
        return "'" + str(value).replace("'", "''") + "'"
    return str(value)
