"""The tasks by name. Listing their names imports none; a task's module is imported when it is used.

A plugin registers as the built-in tasks do: it has a function `register(add)`, calls `add(name, place)` for each
task with a place `package.module:attribute`, and names it under the entry point group `graphtalk.benchmarks`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import TypeAlias

from graphtalk.benchmarks.task import Task
from graphtalk.core import UsageError, choices
from graphtalk.core.plugins import registered

GROUP = "graphtalk.benchmarks"
Add: TypeAlias = Callable[[str, str], None]

_PLACES = {
    **{
        f"grbench-academic-{field}": f"grbench.tasks:academic_{field}"
        for field in ("cs", "biology", "chemistry", "materials", "medicine", "physics")
    },
    **{
        f"grbench-{domain}": f"grbench.tasks:{domain}"
        for domain in ("ecommerce", "literature", "healthcare", "legal")
    },
    **{f"graphqa-{data}": f"graphqa.tasks:{data}" for data in ("explagraphs", "scenegraphs", "webqsp")},
    **{
        f"graphinstruct-{task}": f"graph_problems.tasks:{task}"
        for task in (
            "cycle connectivity bipartite topology shortest triangle flow hamilton substructure neighbours importance"
        ).split()
    },
    **{
        f"nlgraph-{task}": f"graph_problems.tasks:nl_{task}"
        for task in "connectivity cycle topology shortest_path flow matching hamilton GNN".split()
    },
    **{
        f"graphforge-{task}": f"graph_problems.tasks:forge_{task}"
        for task in (
            "cycle_Di cycle_Un degree_Di degree_Un edge_c_Di edge_c_Un edge_Di edge_Un flow_Di flow_Un node_c_Di "
            "node_c_Un node_e_Di node_e_Un path_Di path_Un shortest_Di shortest_Un topo triangle"
        ).split()
    },
    **{
        f"toolformer-{data}": f"toolformer.tasks:{data.replace('-', '_')}"
        for data in (
            "graph-loading graph-properties gpr cora citeseer pubmed proteins ptc nci1 mutag movielens last-fm amazon "
            "foursquare twitter freebase wordnet unknown plain"
        ).split()
    },
    "metaqa-1hop": "graphqa.metaqa:one_hop",
    "metaqa-2hop": "graphqa.metaqa:two_hops",
    "metaqa-3hop": "graphqa.metaqa:three_hops",
}


def register(add: Add) -> None:
    """Register the built-in tasks."""
    for name, place in _PLACES.items():
        add(name, f"graphtalk.benchmarks.{place}")


@dataclass
class Tasks(Mapping[str, Task]):
    """Tasks by name, in the order of their registration."""

    places: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, place: str) -> None:
        """Register the task `name`. Raises UsageError where a task of that name stands somewhere else."""
        if self.places.get(name, place) != place:
            raise UsageError(f"Two tasks are called {name!r}: {self.places[name]} and {place}.")
        self.places[name] = place

    def __getitem__(self, name: str) -> Task:
        """The task of that name, imported when first asked for."""
        module, _, attribute = self.places[name].partition(":")
        task: Task = getattr(import_module(module), attribute)
        return task

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)


@cache
def tasks() -> Tasks:
    """The built-in tasks and those of installed plugins."""
    found = Tasks()
    register(found.add)
    registered(GROUP, found.add)
    return found


def find_task(name: str) -> Task:
    """The task of that name. Raises UsageError with the valid names."""
    if name not in tasks():
        raise UsageError(f"No task {name!r}. {choices(name, tasks(), most=len(tasks()))}")
    return tasks()[name]
