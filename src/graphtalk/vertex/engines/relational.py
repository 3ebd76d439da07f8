"""Programs as SQL: what the engines on DuckDB and Spark share. One round is a few joins and groupings.

Tables: `state` has a row a node (id, c_…, f_…, changed, received), `arcs_out`, `arcs_in`, `arcs_both` a row an arc (src,
dst, a_…); programs with fields of edges keep them in `own` (as arcs, with x_…).
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from graphtalk.core import CheckError
from graphtalk.vertex.arcs import layers
from graphtalk.vertex.binding import Bound
from graphtalk.vertex.engine import Columns, Report
from graphtalk.vertex.language.arrays import depends, dtype_of
from graphtalk.vertex.language.ast import Aggregate, Expr, Name, walk
from graphtalk.vertex.language.functions import REDUCERS
from graphtalk.vertex.language.single import SingleBackend, Surroundings
from graphtalk.vertex.language.sql import (
    Dialect,
    Surface,
    aggregate,
    literal,
    over,
    sql_type,
    stages,
    write,
)
from graphtalk.vertex.language.types import NUMBER, Value, default
from graphtalk.vertex.program import Along, Phase

CHECKPOINT = 5  # rounds


@dataclass(frozen=True)
class _Worked:
    """A query by parts: common tables, the last of them, and the columns of aggregates in it."""

    tables: tuple[str, ...]
    last: str
    known: Mapping[Aggregate, str]

    def select(self, columns: str) -> str:
        """The whole query, with the last table called `r`."""
        return f"WITH {', '.join(self.tables)} SELECT {columns} FROM {self.last} r"


class RelationalExecution(ABC):
    """A run whose states are a table."""

    def __init__(self, bound: Bound, dialect: Dialect) -> None:
        if not bound.program.scalar:
            raise CheckError(
                f"{bound.program.name} has sets or lists, which SQL does not run. Valid engine: memory."
            )
        self._bound, self._program, self._dialect = bound, bound.program, dialect
        self._chosen: dict[str, Value] = {}
        self._totals: dict[str, Value] = {}
        self._moment: Mapping[str, Value] = {"round": 0}
        self._rounds = 0
        for phase in self._program.phases:
            sent = [*phase.send.fields.values(), *([phase.send.when] if phase.send.when is not None else [])]
            if over(sent, "edges"):
                raise CheckError(f"{self._program.name}: send aggregates over edges, which SQL does not run.")

    # what an engine gives

    @abstractmethod
    def _replace(self, table: str, query: str) -> None:
        """Put the rows of a query in the place of a table, which the query may read."""

    @abstractmethod
    def _row(self, query: str) -> Sequence[Any]:
        """The only row of a query."""

    @abstractmethod
    def _column(self, query: str) -> Sequence[Sequence[Any]]:
        """The columns of a query."""

    @abstractmethod
    def _checkpoint(self, tables: Sequence[str]) -> None:
        """Write the tables down, so that nothing before is needed any more."""

    # the run

    def choose(self, name: str, node: int) -> None:
        """From now on the name of `repeat.each` stands for this node."""
        self._chosen[name] = node

    def initialise(self) -> None:
        """Make the arcs and give every node and edge its first state."""
        program = self._program
        for along in dict.fromkeys(phase.send.along for phase in program.phases):
            self._make_arcs(along)
        self._make_nodes()
        if program.edge_state:
            fields = [
                f"CAST({literal(default(t))} AS {sql_type(t)}) AS x_{n}"
                for n, t in program.edge_state.items()
            ]
            own = program.phases[0].send.along
            self._replace("own", f"SELECT e.*, {', '.join(fields)} FROM arcs_{own} e")
        self._begin({"round": 0})
        self._assign(program.initialization, program.edge_initialization)

    def enter(self, phase: int) -> None:
        """Assign what the phase assigns before its first round."""
        self._begin({"round": 0})
        self._assign(self._program.phases[phase].enter, self._program.phases[phase].edge_enter)

    def step(self, phase: int, round: int) -> Report:
        """Run one round."""
        self._begin({"round": round})
        for name in self._program.totals:
            self._total(name)
        steps = self._program.phases[phase]
        messages = self._messages(steps)
        if steps.edge_update:
            self._replace("own_new", self._edge_update(steps, messages))
        edges = "own_new" if steps.edge_update else self._own
        exprs = [*steps.update.values(), *([steps.when] if steps.when is not None else [])]
        self._replace("state", self._updated(steps, self._work(exprs, edges, messages)))
        if steps.edge_update:
            self._replace("own", "SELECT * FROM own_new")
        self._rounds += 1
        if self._rounds % CHECKPOINT == 0:
            self._checkpoint(["state", *(["own"] if self._program.edge_state else [])])
        return self._report()

    def _report(self) -> Report:
        numbers = [name for name, type in self._program.state.items() if type == NUMBER]
        bad = " OR ".join(f"isnan(f_{name})" for name in numbers) or "FALSE"
        query = (
            f"SELECT count(*) FILTER (WHERE changed), sum(received), count(*) FILTER (WHERE {bad}) FROM state"
        )
        changes, sent, broken = self._row(query)
        if broken:
            raise CheckError(f"{self._program.name}: infinity less infinity at {broken} nodes.")
        return Report(int(changes), int(sent))

    def whole(self, expr: Expr, moment: Mapping[str, Value]) -> Value:
        """The value of an expression about all nodes."""
        self._begin(moment)
        return self._evaluate(expr)

    def states(self) -> Columns:
        """Every field of the state, as one array over the nodes."""
        names = ", ".join(f"f_{name}" for name in self._program.state)
        columns = self._column(f"SELECT {names} FROM state ORDER BY id")
        types = self._program.state
        return {n: np.asarray(c, dtype_of(types[n])) for n, c in zip(types, columns, strict=True)}

    # tables of the graph

    def _make_arcs(self, along: Along) -> None:
        program = self._program
        parts = []
        for i, layer in enumerate(layers(along, program.edges)):
            ends = "dst AS src, src AS dst" if layer.turned else "src, dst"
            values = [
                f"a_{a.name}" if a.stands(layer.forward) else f"CAST(0 AS DOUBLE) AS a_{a.name}"
                for a in program.edges.attributes
            ]
            kind = {"all": "TRUE", "undirected": "undirected", "directed": "NOT undirected"}[layer.which]
            apart = "src <> dst" if i or program.edges.loops == "drop" else "TRUE"
            parts.append(f"SELECT {', '.join([ends, *values])} FROM edges WHERE {kind} AND {apart}")
        query = " UNION ALL ".join(parts)
        if program.edges.parallel == "merge":
            merged = [f"{a.merge}(a_{a.name}) AS a_{a.name}" for a in program.edges.attributes]
            query = f"SELECT {', '.join(['src', 'dst', *merged])} FROM ({query}) q GROUP BY src, dst"
        self._replace(f"arcs_{along}", query)

    def _make_nodes(self) -> None:
        """The first state: what nodes have from the start, and every field empty."""
        used = set(self._bound.used_columns)
        if used & {"out_degree", "in_degree", "loops"}:
            self._need_arcs("out")
        if "degree" in used:
            self._need_arcs("both")
        counts = {
            "out_degree": "SELECT src AS id, count(*) AS k FROM arcs_out GROUP BY src",
            "in_degree": "SELECT dst AS id, count(*) AS k FROM arcs_out GROUP BY dst",
            "degree": "SELECT src AS id, count(*) AS k FROM arcs_both GROUP BY src",
            "loops": "SELECT src AS id, count(*) AS k FROM arcs_out WHERE src = dst GROUP BY src",
        }
        columns, joins = ["v.*"], []
        for name, query in counts.items():
            if name in used:
                joins.append(f"LEFT JOIN ({query}) {name}_k ON {name}_k.id = v.id")
                columns.append(f"CAST(coalesce({name}_k.k, 0) AS DOUBLE) AS c_{name}")
        for name, type in self._program.state.items():
            columns.append(f"CAST({literal(default(type))} AS {sql_type(type)}) AS f_{name}")
        columns += ["TRUE AS changed", "CAST(0 AS BIGINT) AS received"]
        self._replace("state", f"SELECT {', '.join(columns)} FROM nodes v {' '.join(joins)}")

    def _need_arcs(self, along: Along) -> None:
        if along not in {phase.send.along for phase in self._program.phases}:
            self._make_arcs(along)

    @property
    def _own(self) -> str:
        return "own" if self._program.edge_state else f"arcs_{self._program.phases[0].send.along}"

    # queries

    def _messages(self, steps: Phase) -> str:
        """A row a message: src, dst, m_…"""
        on = self._surface("s", flags={"changed": "s.changed"})
        fields = [f"{write(expr, on)} AS m_{name}" for name, expr in steps.send.fields.items()]
        when = write(steps.send.when, on) if steps.send.when is not None else "TRUE"
        along = steps.send.along
        table = self._own if along == self._program.phases[0].send.along else f"arcs_{along}"
        columns = ", ".join(["e.src AS src", "e.dst AS dst", *fields])
        return f"SELECT {columns} FROM {table} e JOIN state s ON s.id = e.src WHERE {when}"

    def _edge_update(self, steps: Phase, messages: str) -> str:
        """The edges with their new fields: the message along the way back is joined to each."""
        types = self._program.message
        nothing = [f"coalesce(m.m_{n}, {literal(default(types[n]))}) AS m_{n}" for n in steps.send.fields]
        joined = ", ".join(["e.*", "(m.src IS NOT NULL) AS arrived", *nothing])
        inner = f"SELECT {joined} FROM own e LEFT JOIN ({messages}) m ON m.src = e.dst AND m.dst = e.src"
        on = self._surface("r", flags={"arrived": "e.arrived"})
        columns = self._edge_columns(steps.edge_update, on)
        return f"SELECT {columns} FROM ({inner}) e JOIN state r ON r.id = e.src"

    def _edge_columns(self, update: Mapping[str, Expr], on: Surface) -> str:
        columns = [
            "e.src AS src",
            "e.dst AS dst",
            *(f"e.a_{a.name} AS a_{a.name}" for a in self._program.edges.attributes),
        ]
        for name, type in self._program.edge_state.items():
            value = (
                f"CAST({write(update[name], on)} AS {sql_type(type)})" if name in update else f"e.x_{name}"
            )
            columns.append(f"{value} AS x_{name}")
        return ", ".join(columns)

    def _work(self, exprs: Sequence[Expr], edges: str, messages: str | None) -> _Worked:
        """Work out the aggregates that the expressions need, stage after stage, beside the state."""
        tables, last = [f"w AS (SELECT {', '.join(self._columns_of_state)} FROM state)"], "w"
        known: dict[Aggregate, str] = {}
        plan = stages(exprs)
        if messages is not None:
            tables.append(f"q AS ({messages})")
            if not plan or not _over_messages(plan[0]):
                plan.insert(0, [])  # messages are counted whether or not they are combined
        for number, stage in enumerate(plan):
            counted = messages is not None and number == 0
            rows, end = ("q", "dst") if counted or _over_messages(stage) else (edges, "src")
            names = {a: f"g{len(known) + i}" for i, a in enumerate(stage)}
            on = self._surface("r", known=known, flags={"received": "(r.received > 0)"})
            values = [f"{aggregate(a, on)} AS {name}" for a, name in names.items()]
            filled = [
                f"coalesce(g.{name}, {literal(REDUCERS[a.function].empty)}) AS {name}"
                for a, name in names.items()
            ]
            if counted:
                values.append("count(*) AS k")
                filled.append("coalesce(g.k, 0) AS received")
            own = f" JOIN {last} r ON r.id = e.{end}" if any(map(_uses_own, stage)) else ""
            groups = f"SELECT {', '.join([f'e.{end} AS id', *values])} FROM {rows} e{own} GROUP BY e.{end}"
            columns = ", ".join(["p.*", *filled])
            tables.append(
                f"w{number} AS (SELECT {columns} FROM {last} p LEFT JOIN ({groups}) g ON g.id = p.id)"
            )
            last = f"w{number}"
            known |= {a: f"r.{name}" for a, name in names.items()}
        return _Worked(tuple(tables), last, known)

    @cached_property
    def _columns_of_state(self) -> list[str]:
        return [
            "id",
            *(f"c_{n}" for n in self._bound.used_columns),
            *(f"f_{n}" for n in self._program.state),
            "changed",
        ]

    def _updated(self, steps: Phase, work: _Worked) -> str:
        on = self._surface("r", known=work.known, flags={"received": "(r.received > 0)"})
        when = write(steps.when, on) if steps.when is not None else "TRUE"
        columns, differs = self._unchanged(), []
        for name, type in self._program.state.items():
            if name not in steps.update:
                columns.append(f"r.f_{name} AS f_{name}")
                continue
            new = f"CAST({write(steps.update[name], on)} AS {sql_type(type)})"
            columns.append(f"(CASE WHEN {when} THEN {new} ELSE r.f_{name} END) AS f_{name}")
            differs.append(f"{new} <> r.f_{name}")
        changed = f"({when}) AND ({' OR '.join(differs) or 'FALSE'})"
        return work.select(
            ", ".join([*columns, f"({changed}) AS changed", "CAST(r.received AS BIGINT) AS received"])
        )

    def _assign(self, fields: Mapping[str, Expr], edges: Mapping[str, Expr]) -> None:
        """Edges first, as in a round."""
        if edges:
            on = self._surface("r")
            self._replace(
                "own", f"SELECT {self._edge_columns(edges, on)} FROM own e JOIN state r ON r.id = e.src"
            )
        work = self._work(list(fields.values()), self._own, None)
        on = self._surface("r", known=work.known)
        columns = self._unchanged()
        for name, type in self._program.state.items():
            value = write(fields[name], on) if name in fields else f"r.f_{name}"
            columns.append(f"CAST({value} AS {sql_type(type)}) AS f_{name}")
        columns += ["TRUE AS changed", "CAST(0 AS BIGINT) AS received"]
        self._replace("state", work.select(", ".join(columns)))

    def _unchanged(self) -> list[str]:
        return ["r.id AS id", *(f"r.c_{name} AS c_{name}" for name in self._bound.used_columns)]

    # values

    def _surface(
        self,
        own: str,
        edge: str = "e",
        flags: Mapping[str, str] | None = None,
        known: Mapping[Aggregate, str] | None = None,
    ) -> Surface:
        program = self._program
        return Surface(
            self._dialect,
            own,
            self._world,
            self._total,
            self._moment,
            program.state,
            program.edge_state,
            edge,
            flags or {},
            known or {},
        )

    def _world(self, name: str) -> Value:
        return self._chosen[name] if name in self._chosen else self._bound.constant(name)

    def _begin(self, moment: Mapping[str, Value]) -> None:
        self._moment = moment
        self._totals.clear()

    def _total(self, name: str) -> Value:
        if name not in self._totals:
            self._totals[name] = self._evaluate(self._program.totals[name])
        return self._totals[name]

    def _evaluate(self, expr: Expr) -> Value:
        """An expression about all nodes: by SQL where it goes over the nodes."""
        if any(isinstance(part, Aggregate) for part in walk(expr)):
            on = self._surface("r")
            return self._row(f"SELECT {write(expr, on)} FROM state r")[0]
        world = {name: self._world(name) for name in ("n", "directed", *self._bound.values, *self._chosen)}
        return SingleBackend().make(expr)(Surroundings({}, world, self._total, self._moment))


def _over_messages(stage: Sequence[Aggregate]) -> bool:
    return bool(stage) and isinstance(stage[0].collection, Name) and stage[0].collection.text == "messages"


def _uses_own(a: Aggregate) -> bool:
    """Whether an aggregate asks for what the node at which it is made has."""
    return any(depends(part)[0] for part in (*a.values, *([a.condition] if a.condition is not None else [])))
