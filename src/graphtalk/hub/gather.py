"""Bringing the files of a data set together, from the web or from a folder: unpacked, checked, in UTF-8."""

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from graphtalk.core import SourceError
from graphtalk.graphs.formats.archives import MOST_BYTES, decompress, refuse_pickle, unpack_member
from graphtalk.graphs.formats.files import COMPRESSIONS
from graphtalk.hub.card import DataCard, DataFile
from graphtalk.hub.download import Bar, download, no_bar

PICKLED = ("planetoid", "graph-toolformer")  # formats of pickles; their readers run no code
_MARK = "[0-9a-f]" * 12  # what names of downloads begin with: a part of the checksum of their address
_SPARE = 1 << 20  # bytes that a file may have beyond those of its card: an altered one is still named as such


@dataclass(frozen=True)
class Gathered:
    """A file that was brought: from where, its checksum, and whether there was one to compare it with."""

    name: str
    origin: str
    sha256: str
    checked: bool


def gather(
    card: DataCard, into: Path, source: Path | None, downloads: Path, bar: Bar = no_bar
) -> list[Gathered]:
    """Bring the files of a data set into a folder: from the folder `source`, or else from the web.

    Downloads are kept in `downloads` until `forget`, so that a broken one goes on. Raises SourceError, naming the
    file, where one is missing, cut short, altered or refused.
    """
    if source is not None and not source.is_dir():
        raise SourceError("no such folder.", str(source))
    found = []
    for wanted in card.files:
        path = _in_folder(wanted, source) if source else _from_web(wanted, downloads, bar)
        if path is not None:
            try:
                found.append(_taken(card, wanted, path, into / wanted.name, source is not None))
            except SourceError:
                if source is None:
                    path.unlink()  # the next try downloads it again
                raise
        elif not wanted.optional:
            raise SourceError(_not_found(card, wanted, source), str(source or card.name))
    return found


def forget(downloads: Path) -> None:
    """Remove downloads that are no longer needed, and their folder where nothing else is in it."""
    for path in downloads.glob(f"{_MARK}-*"):
        path.unlink()
    with suppress(OSError):
        downloads.rmdir()


def _from_web(wanted: DataFile, downloads: Path, bar: Bar) -> Path | None:
    """The download, which may have been there already; None where the card knows no address."""
    if not wanted.url:
        return None
    downloads.mkdir(parents=True, exist_ok=True)
    base = Path(urlsplit(wanted.url).path).name or wanted.name
    kept = downloads / f"{hashlib.sha256(wanted.url.encode()).hexdigest()[:12]}-{base}"
    if not kept.exists():
        download(wanted.url, kept, MOST_BYTES if wanted.member else _limit(wanted), bar)
    return kept


def _in_folder(wanted: DataFile, source: Path) -> Path | None:
    return next((path for path in _candidates(wanted, source) if path.is_file()), None)


def _candidates(wanted: DataFile, source: Path) -> Iterator[Path]:
    parts = Path(wanted.folder).parts
    ends = ("/".join(parts[at:]) for at in range(len(parts)))  # the folder may be given from any level on
    for name in dict.fromkeys(name for name in (*ends, wanted.name, wanted.member) if name):
        yield from (source / f"{name}{suffix}" for suffix in ("", *COMPRESSIONS))
    if wanted.member:
        yield source / Path(urlsplit(wanted.url).path).name


def _limit(wanted: DataFile) -> int:
    return MOST_BYTES if wanted.bytes is None else wanted.bytes + _SPARE


def _taken(card: DataCard, wanted: DataFile, found: Path, place: Path, in_folder: bool) -> Gathered:
    """The file laid out at `place`, compared with its checksum, and written again in UTF-8 where it is not."""
    origin = str(found) if in_folder else wanted.url
    if wanted.member and found.suffix.lower() == ".zip":
        unpack_member(found, wanted.member, place, _limit(wanted))
    else:
        decompress(found, place, _limit(wanted))
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


def _not_found(card: DataCard, wanted: DataFile, source: Path | None) -> str:
    if source is None:
        return f"{wanted.name} has no address from which it can be downloaded. Give a folder that has it: --from DIR"
    return f"has no file {wanted.folder or wanted.name!r}, which {card.name} needs (.gz, .xz or .bz2 may follow)."
