"""Which files and addresses calls may load graphs from: `GL("./graphs/lollipop")` (Graph-ToolFormer, section 3.2).

A text may name any file. Only what lies in a place that the user allowed is opened: a file, a folder with all that is in
it, or an address with all that is below it.
"""

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

from graphtalk.core import UsageError

_WEB = ("http", "https")


def allowed_place(asked: str, allowed: Sequence[str]) -> str:
    """The file or the address that `asked` means. A file may be named without its ending. Raises UsageError.

    Files are looked for from the current folder, and in the folders that are allowed.
    """
    if urlsplit(asked).scheme in _WEB:
        if any(_below(asked, place) for place in allowed):
            return asked
        raise _refused(asked, allowed)
    if "://" in asked:
        raise _refused(asked, allowed)
    roots = [Path(place).expanduser().resolve() for place in allowed if "://" not in place]
    for beginning in (Path.cwd(), *(root for root in roots if root.is_dir())):
        found = _found((beginning / Path(asked).expanduser()).resolve())
        inside = [each for each in found if any(each.resolve().is_relative_to(root) for root in roots)]
        if len(inside) > 1:
            names = ", ".join(each.name for each in inside)
            raise UsageError(f"Several files are called {asked!r}: {names}. Give the ending too.")
        if inside:
            return str(inside[0])
    if any(Path(asked).expanduser().resolve().is_relative_to(root) for root in roots):
        raise UsageError(f"There is no file {asked!r}.")
    raise _refused(asked, allowed)


def _found(path: Path) -> list[Path]:
    """The path itself, else the files that are called so but for their ending."""
    if path.exists():
        return [path]
    folder = path.parent
    return sorted(each for each in folder.iterdir() if each.stem == path.name) if folder.is_dir() else []


def _below(address: str, place: str) -> bool:
    """Whether an address is the one allowed, or below it: of the same host, with a path that begins so."""
    asked, root = urlsplit(address), urlsplit(place)
    if (asked.scheme, asked.netloc.lower()) != (root.scheme, root.netloc.lower()):
        return False
    parts, begins = unquote(asked.path).split("/"), unquote(root.path).rstrip("/").split("/")
    return ".." not in parts and "." not in parts and parts[: len(begins)] == begins


def _refused(asked: str, allowed: Sequence[str]) -> UsageError:
    known = f"Allowed: {', '.join(allowed)}." if allowed else "Nothing is allowed."
    return UsageError(
        f"No graph may be loaded from {asked!r}. {known} Allow a file, a folder or an address: --allow PLACE."
    )
