"""What other installed packages add: tools, formats, data sets, cards, models, reasoners, and more.

Such a package has a function `register(add)` and names it under an entry point group; the built-in things of a group
are registered by a function of the same form. What `add` takes is said where the group is.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TypeAlias, TypeVar

from graphtalk.core.errors import UsageError

T = TypeVar("T")
Register: TypeAlias = Callable[[Callable[[T], None]], None]


def registered(group: str, add: Callable[..., object]) -> None:
    """Have every installed package that names a function in `group` register with `add` what it has.

    Raises UsageError, naming the package, where its function cannot be imported.
    """
    for _, register in _others(group):
        register(add)


def known(
    what: str, group: str, ours: Register[T], name: Callable[[T], str], ours_last: bool = False
) -> dict[str, T]:
    """The things of a kind by name, in the order of registration: `ours`, and those of installed packages.

    `what` is what they are called together. Raises UsageError where two of different packages have one name.
    """
    found: dict[str, T] = {}
    owners: dict[str, str] = {}
    others = list(_others(group))
    mine: list[tuple[str, Register[T]]] = [("graphtalk", ours)]
    for package, register in (*others, *mine) if ours_last else (*mine, *others):

        def add(entry: T, package: str = package) -> None:
            other = owners.setdefault(name(entry), package)
            if found.setdefault(name(entry), entry) != entry:
                raise UsageError(
                    f"Two {what} are called {name(entry)!r}: one of {other}, one of {package}. "
                    "Rename one, or uninstall its package."
                )

        register(add)
    return found


def _others(group: str) -> Iterator[tuple[str, Callable[..., None]]]:
    """The functions that installed packages name in a group, with the packages' names."""
    for entry_point in _installed(group):
        package = entry_point.dist.name if entry_point.dist else entry_point.module
        try:
            register = entry_point.load()
        except (ImportError, AttributeError) as error:
            raise UsageError(
                f"The package {package} registers {entry_point.value!r} under {group}, which cannot be imported: "
                f"{error}. Mend it, or: python -m pip uninstall {package}"
            ) from error
        yield package, register


def _installed(group: str) -> tuple[EntryPoint, ...]:
    return _by_group(tuple(sys.path)).get(group, ())


@cache
def _by_group(path: tuple[str, ...]) -> Mapping[str, tuple[EntryPoint, ...]]:
    """What packages name in our groups: all packages are looked through once."""
    found = entry_points()
    return {
        group: tuple(found.select(group=group)) for group in found.groups if group.startswith("graphtalk")
    }
