"""Taking single files out of archives and compressed files, without trusting what these say of themselves.

Refused, by name: absolute names, names that climb out (`..`), links, encrypted members, and files larger than they
may be, whatever size the archive states. Only what was asked for is ever written.
"""

import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO

from graphtalk.core import SourceError, choices
from graphtalk.graphs.formats.files import BROKEN, COMPRESSIONS, most_unpacked, open_bytes

MOST_BYTES = 4 << 30  # of a file whose size its card does not know
_MOST_MEMBERS = 100_000
_BROKEN_ZIP = (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError, struct.error, zlib.error)
_CHUNK = 1 << 20
PICKLES = (".pkl", ".pickle", ".pt", ".pth", ".joblib")


def unpack_member(archive: Path, member: str, place: Path, most: int = MOST_BYTES) -> None:
    """Write one file of a zip archive to `place`. Raises SourceError where the archive or the file is refused."""
    try:
        with zipfile.ZipFile(archive) as opened:
            found = _members(archive, opened.infolist())
            if member not in found:
                raise SourceError(f"has no file {member!r}. {choices(member, found)}", str(archive))
            with opened.open(found[member]) as inside:
                copy_bounded(inside, place, most, f"{archive}: {member}")
    except (*_BROKEN_ZIP, *BROKEN) as error:
        raise SourceError(f"cannot be read as a zip file ({error}).", str(archive)) from error


def unpack_texts(archive: Path, folder: Path) -> None:
    """Write all `*.txt` of a zip archive into one folder, whatever folders the archive has.

    Raises SourceError as `unpack_member`, where two have one name, and where they are far larger than the archive.
    """
    left = most_unpacked(archive.stat().st_size)
    try:
        with zipfile.ZipFile(archive) as opened:
            for name, info in _members(archive, opened.infolist()).items():
                place = folder / PurePosixPath(name).name
                if not name.endswith(".txt") or place.name.startswith("."):
                    continue
                if place.exists():
                    raise SourceError(f"has two files {place.name!r}.", str(archive))
                with opened.open(info) as inside:
                    copy_bounded(inside, place, left, f"{archive}: {name}")
                left -= place.stat().st_size
    except (*_BROKEN_ZIP, *BROKEN) as error:
        raise SourceError(f"cannot be read as a zip file ({error}).", str(archive)) from error


def unpack_all(archive: Path, folder: Path) -> None:
    """Write all files of a zip or tar archive into a folder, in the folders that they have there.

    Raises SourceError as `unpack_member`, and where the files are far larger than the archive. Links are refused.
    """
    left = most_unpacked(archive.stat().st_size)
    try:
        if archive.name.lower().endswith(".zip"):
            with zipfile.ZipFile(archive) as opened:
                for name, info in _members(archive, opened.infolist()).items():
                    if not info.is_dir():
                        with opened.open(info) as inside:
                            left -= _written(inside, folder / name, left, f"{archive}: {name}")
            return
        with tarfile.open(archive) as packed:
            for count, entry in enumerate(packed):
                _check_entry(archive, entry, count)
                opened_entry = packed.extractfile(entry) if entry.isfile() else None
                if opened_entry is not None:
                    with opened_entry as inside:
                        left -= _written(inside, folder / entry.name, left, f"{archive}: {entry.name}")
    except (*_BROKEN_ZIP, tarfile.TarError, *BROKEN) as error:
        raise SourceError(f"cannot be unpacked ({error}).", str(archive)) from error


def _written(file: IO[bytes], place: Path, most: int, name: str) -> int:
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.exists():
        raise SourceError("stands twice in the archive.", name)
    copy_bounded(file, place, most, name)
    return place.stat().st_size


def names_in(archive: Path) -> list[str]:
    """The names of the files in a zip archive. Raises SourceError where it cannot be read."""
    try:
        with zipfile.ZipFile(archive) as opened:
            return opened.namelist()
    except (*_BROKEN_ZIP, *BROKEN) as error:
        raise SourceError(f"cannot be read as a zip file ({error}).", str(archive)) from error


def decompress(source: Path, place: Path, most: int = MOST_BYTES) -> None:
    """Write the content of a file, which may be compressed, to `place`. Raises SourceError where it is damaged."""
    if not source.name.endswith(COMPRESSIONS):
        with source.open("rb") as file:
            copy_bounded(file, place, most, str(source))
        return
    try:
        with open_bytes(source) as file:
            copy_bounded(file, place, most, str(source))
    except BROKEN as error:
        raise SourceError(f"is cut short or damaged ({error}).", str(source)) from error


def copy_bounded(file: IO[bytes], place: Path, most: int, name: str) -> None:
    """Copy a file to `place`, at most so many bytes. Raises SourceError, and leaves nothing, where there are more."""
    written = 0
    with place.open("wb") as out:
        while chunk := file.read(_CHUNK):
            written += len(chunk)
            if written > most:
                break
            out.write(chunk)
    if written > most:
        place.unlink()
        raise SourceError(f"is larger than it may be ({most:,} bytes).", name)


def refuse_pickle(path: Path) -> None:
    """Raise SourceError where a file is a pickle or a zip of one: loading such a file may run code."""
    with path.open("rb") as file:
        head = file.read(2)
    binary = head[:1] == b"\x80" and head[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05")
    if binary or path.suffix.lower() in PICKLES:
        raise SourceError("is a pickle, which can run code when it is loaded; it is not read.", str(path))


def _members(archive: Path, members: Iterable[zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
    """The entries by name. All names are checked: an archive that tries one trick is not trusted at all."""
    known: dict[str, zipfile.ZipInfo] = {}
    for info in members:
        _check_name(archive, info)
        known[info.filename] = info
        if len(known) > _MOST_MEMBERS:
            raise SourceError(f"has more than {_MOST_MEMBERS:,} files.", str(archive))
    return known


def _check_entry(archive: Path, entry: tarfile.TarInfo, count: int) -> None:
    if count >= _MOST_MEMBERS:
        raise SourceError(f"has more than {_MOST_MEMBERS:,} files.", str(archive))
    _check_path(archive, entry.name)
    if not (entry.isfile() or entry.isdir()):
        raise SourceError(f"{entry.name!r} is a link or a device; nothing more is unpacked.", str(archive))


def _check_path(archive: Path, name: str) -> None:
    parts = PurePosixPath(name.replace("\\", "/")).parts
    outside = (
        ".." in parts or name.startswith(("/", "\\")) or bool(PureWindowsPath(name).drive) or "\0" in name
    )
    if outside:
        raise SourceError(
            f"the file name {name!r} leads out of the archive; nothing is unpacked.", str(archive)
        )


def _check_name(archive: Path, info: zipfile.ZipInfo) -> None:
    name = info.orig_filename
    _check_path(archive, name)
    if stat.S_ISLNK(info.external_attr >> 16):
        raise SourceError(f"{name!r} is a symbolic link; nothing is unpacked.", str(archive))
    if info.flag_bits & 1:
        raise SourceError(f"{name!r} is encrypted.", str(archive))
