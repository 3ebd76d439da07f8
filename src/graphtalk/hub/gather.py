"""Bringing the files of a data set together, from the web or from a folder: unpacked, checked, in UTF-8."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from graphtalk.core import SourceError
from graphtalk.graphs.formats.files import COMPRESSIONS
from graphtalk.hub.card import Card, DataFile
from graphtalk.hub.download import Bar, download, no_bar
from graphtalk.hub.unpack import MOST_BYTES, decompress, refuse_pickle, unpack_member

PICKLED = ("planetoid", "graph-toolformer")  # formats of pickles; their readers run no code
_PACKING = 1 << 20  # bytes that an archive may have beyond what its files have


@dataclass(frozen=True)
class Gathered:
    """A file that was brought: from where, its checksum, and whether there was one to compare it with."""

    name: str
    origin: str
    sha256: str
    checked: bool


def gather(card: Card, into: Path, source: Path | None, downloads: Path, bar: Bar = no_bar) -> list[Gathered]:
    """Bring the files of a data set into a folder: from the folder `source`, or else from the web.

    Downloads are kept in `downloads` until `forget`, so that a broken one goes on. Raises SourceError, naming the
    file, where one is missing, cut short, altered or refused.
    """
    if source is not None and not source.is_dir():
        raise SourceError("no such folder.", str(source))
    found = []
    for wanted in card.files:
        place = into / wanted.name
        origin = _from_folder(wanted, source, place) if source else _from_web(wanted, downloads, place, bar)
        if origin:
            found.append(_checked(card, wanted, place, origin, source is not None))
        elif not wanted.optional:
            raise SourceError(_not_found(card, wanted, source), str(source or card.name))
    return found


def forget(downloads: Path) -> None:
    """Remove downloads that are no longer needed."""
    for path in downloads.glob("*"):
        path.unlink()
    if downloads.exists():
        downloads.rmdir()


def _from_web(wanted: DataFile, downloads: Path, place: Path, bar: Bar) -> str:
    if not wanted.url:
        return ""
    downloads.mkdir(parents=True, exist_ok=True)
    base = Path(urlsplit(wanted.url).path).name or wanted.name
    kept = downloads / f"{hashlib.sha256(wanted.url.encode()).hexdigest()[:12]}-{base}"
    if not kept.exists():
        limit = MOST_BYTES if wanted.member or wanted.bytes is None else wanted.bytes + _PACKING
        download(wanted.url, kept, limit, bar)
    try:
        _lay_out(wanted, kept, place)
    except SourceError:
        kept.unlink(missing_ok=True)  # the next try downloads it again
        raise
    return wanted.url


def _from_folder(wanted: DataFile, source: Path, place: Path) -> str:
    """Lay the file out from the folder; where it was found, or "" where it was not."""
    for path in _candidates(wanted, source):
        if path.is_file():
            _lay_out(wanted, path, place)
            return str(path)
    return ""


def _candidates(wanted: DataFile, source: Path) -> Iterator[Path]:
    names = (wanted.folder, wanted.name, Path(wanted.folder).name, wanted.member)
    for name in dict.fromkeys(name for name in names if name):
        yield from (source / f"{name}{suffix}" for suffix in ("", *COMPRESSIONS))
    if wanted.member:
        yield source / Path(urlsplit(wanted.url).path).name


def _lay_out(wanted: DataFile, found: Path, place: Path) -> None:
    most = wanted.bytes + _PACKING if wanted.bytes is not None else MOST_BYTES
    if wanted.member and found.suffix.lower() == ".zip":
        unpack_member(found, wanted.member, place, most)
    else:
        decompress(found, place, most)


def _checked(card: Card, wanted: DataFile, place: Path, origin: str, in_folder: bool) -> Gathered:
    """The file, compared with its checksum, then written again in UTF-8 where it is not."""
    if card.format not in PICKLED:
        refuse_pickle(place)
    expected = (in_folder and wanted.folder_sha256) or wanted.sha256
    with place.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if expected and digest != expected:
        size = place.stat().st_size
        cut = wanted.bytes is not None and size < wanted.bytes
        what = f"is cut short ({size:,} of {wanted.bytes:,} bytes)" if cut else "was altered"
        raise SourceError(
            f"{what}: the SHA-256 of {wanted.name} is {digest}, and the card of {card.name} says {expected}.",
            origin,
        )
    if wanted.encoding != "utf-8":
        _to_utf8(place, wanted.encoding, origin)
    return Gathered(wanted.name, origin, digest, bool(expected))


def _to_utf8(place: Path, encoding: str, origin: str) -> None:
    try:
        text = place.read_text(encoding=encoding)
    except UnicodeDecodeError as error:
        raise SourceError(f"is not {encoding} ({error}).", origin) from None
    place.write_text(text, encoding="utf-8")


def _not_found(card: Card, wanted: DataFile, source: Path | None) -> str:
    if source is None:
        return f"{wanted.name} has no address from which it can be downloaded. Give a folder that has it: --from DIR"
    return f"has no file {wanted.folder or wanted.name!r}, which {card.name} needs (.gz, .xz or .bz2 may follow)."
