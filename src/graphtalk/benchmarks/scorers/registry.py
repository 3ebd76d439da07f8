"""The scorers by name. Listing their names imports none; a scorer's module is imported when it is used.

A plugin registers as the built-in scorers do: it has a function `register(add)`, calls `add(name, place)` with a place
`package.module:attribute`, and names it under the entry point group `graphtalk.scorers`. The judge is not among
them: it needs a model, and whoever has one makes it (`judge.Judge`).
"""

from collections.abc import Iterable
from functools import cache
from importlib import import_module

from graphtalk.benchmarks.registry import Add
from graphtalk.benchmarks.scorers.given import Scorer
from graphtalk.core import UsageError, choices
from graphtalk.core.plugins import registered

GROUP = "graphtalk.scorers"
JUDGE = "judge"

_PLACES = {
    "set": "sets:set_scores",
    "exact_match": "exact_match:exact_match",
    "rouge": "rouge:rouge",
    "bleu": "bleu:bleu",
    "stance": "stance:stance",
    "contains": "contains:contains",
    "hit": "hit:hit",
    "whole_answer": "whole_answer:whole_answer",
    "graph_problem": "graph_problem:graph_problem",
    "api_calls": "api_calls:api_calls",
    "results": "results:results",
    "rouge_lsum": "rouge_lsum:rouge_lsum",
    "brevity": "brevity:brevity",
    "loading": "loading:loading",
    "left": "left:left",
}


def register(add: Add) -> None:
    """Register the built-in scorers."""
    for name, place in _PLACES.items():
        add(name, f"graphtalk.benchmarks.scorers.{place}")


@cache
def _places() -> dict[str, str]:
    """Where the scorers are: the built-in ones and those of installed plugins."""
    places: dict[str, str] = {}
    register(places.__setitem__)
    registered(GROUP, places.__setitem__)
    return places


def scorer_names() -> tuple[str, ...]:
    """The names of all scorers that need no model."""
    return tuple(_places())


def find_scorers(names: Iterable[str]) -> tuple[Scorer, ...]:
    """The scorers of these names; the judge's name is passed over. Raises UsageError for an unknown name."""
    return tuple(_find(name) for name in names if name != JUDGE)


def _find(name: str) -> Scorer:
    if name not in _places():
        raise UsageError(f"No scorer {name!r}. {choices(name, [*_places(), JUDGE])}")
    module, _, attribute = _places()[name].partition(":")
    scorer: Scorer = getattr(import_module(module), attribute)
    return scorer
