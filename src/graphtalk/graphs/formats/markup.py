"""XML of strangers, element by element: no entity is declared, nothing outside is looked at, depth and texts are bounded."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, NoReturn
from xml.parsers import expat

from graphtalk.core import SourceError
from graphtalk.core.reading import MOST_DEPTH, in_words
from graphtalk.graphs.formats.files import BROKEN, open_bytes
from graphtalk.graphs.importing import Progress

_CHUNK = 1 << 18
_MOST_TAG = 16 << 20  # bytes
_MOST_NAMES = 10_000  # of elements and attributes that are remembered
_NONE: Mapping[str, str] = {}
_LONGEST_ENTITY = 1000  # letters
_MOST_TEXT = 64 << 20  # bytes of one text


class Tag(NamedTuple):
    """The start or the end of an element: its name without the namespace; at the end its own text."""

    is_start: bool
    name: str
    attributes: Mapping[str, str]
    text: str
    line: int


def tags(path: Path, progress: Progress) -> Iterator[Tag]:
    """The elements of an XML file, in their order. Raises SourceError with the line where it is none, or is refused."""
    reader = _Reader(path)
    with open_bytes(path, progress) as file:
        try:
            while chunk := file.read(_CHUNK):
                reader.parser.Parse(chunk, False)
                reader.waited += len(chunk)
                if reader.waited > _MOST_TAG:  # what is not whole yet is looked at again with each piece
                    raise SourceError(
                        f"cannot be read: one tag has more than {_MOST_TAG:,} bytes.", str(path)
                    )
                yield from reader.taken()
            reader.parser.Parse(b"", True)
            yield from reader.taken()
        except expat.ExpatError as error:
            raise SourceError(
                f"cannot be read as XML ({expat.ErrorString(error.code)}).", str(path), error.lineno
            ) from error
        except (*BROKEN, ValueError, LookupError) as error:  # LookupError: an encoding of no such name
            raise SourceError(f"cannot be read ({in_words(error)}).", str(path)) from error


def check_entities(path: Path) -> None:
    """Raise SourceError where an XML file declares entities that are more than short names for plain texts.

    For parsers of others that expand them: ontologies abbreviate addresses so, and nobody needs one within another.
    """
    parser = expat.ParserCreate()
    begun: list[str] = []

    def declared(name: str, is_parameter: bool, value: str | None, *_: object) -> None:
        if is_parameter or value is None or "&" in value or len(value) > _LONGEST_ENTITY:
            raise SourceError(
                f"cannot be read: its entity {name!r} names another file, others or a long text.",
                str(path),
                parser.CurrentLineNumber,
            )

    parser.EntityDeclHandler = declared
    parser.StartElementHandler = lambda name, _: begun.append(name)
    with open_bytes(path) as file:
        try:
            while not begun and (chunk := file.read(_CHUNK)):
                parser.Parse(chunk, False)
        except (expat.ExpatError, *BROKEN, ValueError):
            return  # whoever reads the file says what is wrong with it


class _Reader:
    """Turns what the parser calls into tags."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._found: list[Tag] = []
        self._texts: list[list[str]] = []
        self._size = 0
        self._names: dict[str, str] = {}
        self.waited = 0  # bytes since the last thing that was whole
        self.parser = expat.ParserCreate(namespace_separator="}")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._data
        self.parser.EntityDeclHandler = self._entity
        self.parser.ExternalEntityRefHandler = self._entity

    def taken(self) -> list[Tag]:
        """The tags since the last time."""
        found, self._found = self._found, []
        return found

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if len(self._texts) >= MOST_DEPTH:
            self._refuse("its elements nest too deeply")
        self._texts.append([])
        self._size = self.waited = 0
        told = {self._local(key): value for key, value in attributes.items()} if attributes else attributes
        self._found.append(Tag(True, self._local(name), told, "", self.parser.CurrentLineNumber))

    def _end(self, name: str) -> None:
        text = "".join(self._texts.pop())
        self.waited = 0
        self._found.append(Tag(False, self._local(name), _NONE, text, self.parser.CurrentLineNumber))

    def _local(self, name: str) -> str:
        """A name without its namespace."""
        local = self._names.get(name)
        if local is None:
            local = name.rpartition("}")[2]
            if len(self._names) < _MOST_NAMES:
                self._names[name] = local
        return local

    def _data(self, text: str) -> None:
        self._size += len(text)
        self.waited = 0
        if self._size > _MOST_TEXT:
            self._refuse(f"one text has more than {_MOST_TEXT:,} letters")
        self._texts[-1].append(text)

    def _entity(self, *_: object) -> NoReturn:
        self._refuse("it declares entities, which can name other files or grow without end")

    def _refuse(self, why: str) -> NoReturn:
        raise SourceError(f"cannot be read: {why}.", str(self._path), self.parser.CurrentLineNumber)
