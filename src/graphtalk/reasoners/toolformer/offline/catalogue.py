"""The data sets that the offline annotator knows, and what may be asked of them (`catalogue.toml`)."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from graphtalk.core import UsageError, choices

PROPERTY, MOLECULAR = "property", "molecular"
_OF_ANY = ("toolx:", "kmeans:")


@dataclass(frozen=True)
class DataSet:
    """A data set: its name in calls, how texts spell it, its family, and what its users choose among.

    `rated` is the function that gives their ratings, where it has ratings. `relations` are those of which a text may speak by
    their nouns: "the hypernym of", of `_hypernym`.
    """

    name: str
    aliases: tuple[str, ...]
    family: str
    item: str = "item"
    rated: str = ""
    relations: tuple[str, ...] = ()


@dataclass(frozen=True)
class Catalogue:
    """All that calls may name.

    functions: family → what it offers beside what may be asked of any graph
    nodes: family → what its nodes are called, where they are of one kind
    kinds: family → kind of a mention → the words that may stand before its id
    takes: function → the kinds of its arguments
    members: the names of the graphs of the set `gpr`
    """

    data: tuple[DataSet, ...]
    functions: Mapping[str, frozenset[str]]
    nodes: Mapping[str, str]
    kinds: Mapping[str, Mapping[str, frozenset[str]]]
    takes: Mapping[str, tuple[str, ...]]
    members: tuple[str, ...]

    def offers(self, family: str) -> frozenset[str]:
        """The functions that may be asked of a data set of this family; those of any graph, of any."""
        if family == MOLECULAR:  # a set of graphs has no diameter, but each of them has
            return self.functions[family] | {
                name for name in self.takes if self.of_one_molecule(name, family)
            }
        return self.functions[family] | {name for name in self.takes if name.startswith(_OF_ANY)}

    def of_one_molecule(self, function: str, family: str) -> bool:
        """Whether a function is of one graph of a set of molecules, which is named beside it."""
        return family == MOLECULAR and function.startswith("toolx:")

    def needs(self, function: str, family: str) -> tuple[str, ...]:
        """The kinds of what a function takes in a family: its nodes are papers, users, entities…"""
        own = self.nodes.get(family, "node")
        of = ("instance",) if self.of_one_molecule(function, family) else ()
        return (*of, *(re.sub("^node", own, kind) for kind in self.takes[function]))

    def with_data(self, more: Iterable[DataSet]) -> "Catalogue":
        """This catalogue and further data sets. Raises UsageError for a family that does not exist."""
        more = tuple(more)
        for each in more:
            if each.family not in self.functions:
                raise UsageError(
                    f"No family of data sets {each.family!r}. {choices(each.family, sorted(self.functions))}"
                )
        return replace(self, data=self.data + more)


@cache
def shipped_catalogue() -> Catalogue:
    """The data sets of the paper (section 5.1)."""
    read = tomllib.loads(files(__package__).joinpath("catalogue.toml").read_text(encoding="utf-8"))
    data = (
        DataSet(
            name,
            tuple(card["aliases"]),
            card["family"],
            card.get("item", "item"),
            card.get("rated", ""),
            tuple(card.get("relations", "").split()),
        )
        for name, card in read["data"].items()
    )
    kinds = {
        family: {kind: frozenset(words.split()) for kind, words in named.items()}
        for family, named in read["kinds"].items()
    }
    return Catalogue(
        tuple(data),
        {family: frozenset(card["functions"]) for family, card in read["family"].items()},
        {family: card["node"] for family, card in read["family"].items() if "node" in card},
        kinds,
        {function: tuple(kinds) for function, kinds in read["takes"].items()},
        tuple(read["members"]["gpr"]),
    )


def spelled(name: str) -> str:
    """A regular expression for the ways to spell `name`: any blanks, hyphens or underscores, or none, between its parts."""
    return r"[\s_.–-]?".join(map(re.escape, re.split(r"[\s_.-]+", name)))
