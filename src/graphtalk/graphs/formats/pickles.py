"""Pickles of arrays, read as data: by a reader of our own, for a pickle tells Python's what to call.

The standard library tells the instructions apart (`pickletools.genops`, which runs none); they are followed here.
Known are plain values, lists, dictionaries, numpy's arrays and numbers, and scipy's CSR matrices; the few names that
stand for these are answered by functions of this module, never looked up. All else is refused by name. A list, a
dictionary or an array stands in one place only, so that what is read is never much larger than the file, and nothing
contains itself.
"""

import math
import pickletools
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from graphtalk.core import SourceError
from graphtalk.graphs.importing import Importing

_KINDS = re.compile("b1|[iu][1248]|f[248]")  # numbers of fixed width: no objects, no texts, no fields
_ORDERS = ("<", ">", "=", "|")
_NO_MORE = (None, None, None, -1, -1, 0)  # what follows the byte order in the state of such a type
_MOST_REPEATED = 1 << 30  # letters of texts that stand in several places
_SCALAR = (type(None), bool, int, float, str, bytes)


class _Refused(Exception):
    """What the pickle wants is not admitted; the message goes on from the file's name."""


def load_pickle(path: Path, importing: Importing) -> Any:
    """What a pickle holds: plain values, lists, dictionaries, `ndarray` and `csr_array`.

    Raises SourceError where it is damaged or wants anything else.
    """
    data = read_bytes(path, importing)
    try:
        return _Reader().read(data)
    except _Refused as error:
        raise SourceError(f"{error}", str(path)) from None
    except (ValueError, TypeError, LookupError, OverflowError) as error:  # of what is not there, or too much
        raise SourceError(f"cannot be read as a pickle ({error}).", str(path)) from error


def read_bytes(path: Path, importing: Importing) -> bytes:
    """The bytes of a file. Raises SourceError where it is missing."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise SourceError("is missing, and the graph cannot be read without it.", str(path)) from None
    importing.progress.advance(bytes=len(data))
    return data


@dataclass(frozen=True)
class _Name:
    """A type or a function that the file names."""

    module: str
    name: str


@dataclass
class _Dtype:
    """A numpy type of numbers; its byte order comes after it was made."""

    kind: str
    order: Literal["<", ">", "=", "|"] = "="

    @property
    def numpy(self) -> "np.dtype[Any]":
        return np.dtype(self.kind).newbyteorder(self.order)


@dataclass(frozen=True)
class _Unfilled:
    """An array or a matrix before its content comes, of which `fill` makes it."""

    fill: Callable[[Any], Any]


_PARTS = (_Name, _Dtype, _Unfilled)  # what only makes values, and is none


class _Reader:
    """The stack machine of a pickle: a stack, the marks in it, and what was put by for later."""

    def __init__(self) -> None:
        self._stack: list[Any] = []
        self._marks: list[int] = []
        self._kept: dict[int, Any] = {}
        self._repeated = 0

    def read(self, data: bytes) -> Any:
        """The value that the instructions leave."""
        stack = self._stack
        argument: Any
        for opcode, argument, _ in pickletools.genops(data):
            match opcode.name:
                case "BININT2" | "BININT1" | "BININT" | "INT" | "LONG" | "LONG1" | "LONG4":
                    if abs(argument) >= 2**64:
                        raise _Refused("has a number beyond 64 bits.")
                    stack.append(argument)
                case "BINPUT" | "LONG_BINPUT" | "PUT" | "MEMOIZE":
                    self._kept[len(self._kept) if argument is None else argument] = stack[-1]
                case "BINGET" | "LONG_BINGET" | "GET":
                    stack.append(self._again(self._kept[argument]))
                case "MARK":
                    self._marks.append(len(stack))
                case "APPEND" | "APPENDS":
                    values = self._taken(1) if opcode.name == "APPEND" else self._marked()
                    _of(list, stack[-1]).extend(_values(values))
                case "EMPTY_LIST" | "LIST":
                    stack.append([] if opcode.name == "EMPTY_LIST" else _values(self._marked()))
                case "EMPTY_DICT" | "DICT":
                    stack.append(_set({}, [] if opcode.name == "EMPTY_DICT" else self._marked()))
                case "SETITEM" | "SETITEMS":
                    values = self._taken(2) if opcode.name == "SETITEM" else self._marked()
                    _set(_of(dict, stack[-1]), values)
                case "EMPTY_TUPLE" | "TUPLE1" | "TUPLE2" | "TUPLE3":
                    stack.append(_tuple(self._taken(_WIDTHS[opcode.name])))
                case "TUPLE":
                    stack.append(_tuple(self._marked()))
                case "NONE" | "NEWTRUE" | "NEWFALSE":
                    stack.append(_CONSTANTS[opcode.name])
                case (
                    "BINSTRING"
                    | "SHORT_BINSTRING"
                    | "STRING"
                    | "UNICODE"
                    | "BINUNICODE"
                    | "FLOAT"
                    | "BINFLOAT"
                ):
                    stack.append(argument)
                case "SHORT_BINUNICODE" | "BINUNICODE8" | "BINBYTES" | "SHORT_BINBYTES" | "BINBYTES8":
                    stack.append(argument)
                case "GLOBAL":
                    stack.append(_named(*argument.split(" ", 1)))
                case "STACK_GLOBAL":
                    stack.append(_named(*self._taken(2)))
                case "REDUCE" | "NEWOBJ":
                    called, arguments = self._taken(2)
                    stack.append(_MAKERS[_of(_Name, called)](*_of(tuple, arguments)))
                case "BUILD":
                    made, content = self._taken(2)
                    stack.append(_filled(made, content))
                case "PROTO" | "FRAME" | "STOP":
                    pass
                case other:
                    raise _Refused(f"has the instruction {other}, which no file of arrays needs.")
        if len(stack) != 1 or self._marks:
            raise _Refused("does not end in one value.")
        return _values(stack)[0]

    def _taken(self, count: int) -> list[Any]:
        """The last values, taken from the stack; none from below the last mark."""
        start = len(self._stack) - count
        if start < (self._marks[-1] if self._marks else 0):
            raise _Refused("takes more values than it has.")
        found = self._stack[start:]
        del self._stack[start:]
        return found

    def _marked(self) -> list[Any]:
        """All since the last mark, taken from the stack."""
        return self._taken(len(self._stack) - self._marks.pop())

    def _again(self, value: Any) -> Any:
        """A value that was put by, now in one more place."""
        if not isinstance(value, _Name | _Dtype) and not _is_flat(value):
            raise _Refused("has one list, dictionary or array in several places, which is not admitted.")
        self._repeated += sum(len(v) for v in _parts(value) if isinstance(v, str | bytes))
        if self._repeated > _MOST_REPEATED:
            raise _Refused(f"repeats texts of more than {_MOST_REPEATED:,} letters.")
        return value


def _of(kind: type[Any], value: Any) -> Any:
    if not isinstance(value, kind):
        raise _Refused(f"has a {type(value).__name__.strip('_')} where it cannot be used.")
    return value


def _parts(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _is_flat(value: Any) -> bool:
    """Whether a value is a scalar or a tuple of such, which are hashed in one step and hold nothing twice."""
    return all(isinstance(part, _SCALAR) for part in _parts(value))


def _values(values: list[Any]) -> list[Any]:
    """The same, where nothing among them only makes values."""
    for value in values:
        if isinstance(value, _PARTS) or (
            isinstance(value, tuple) and any(isinstance(v, _PARTS) for v in value)
        ):
            raise _Refused("has a type or an unfinished array among its values.")
    return values


def _tuple(values: list[Any]) -> tuple[Any, ...]:
    """A tuple. Types may stand in it, as arguments, but not deeper."""
    _values([value for value in values if isinstance(value, tuple)])
    return tuple(values)


def _set(found: dict[Any, Any], values: list[Any]) -> dict[Any, Any]:
    """The dictionary with more keys and values, which come in turn."""
    keys = values[::2]
    if len(values) % 2 or not all(map(_is_flat, keys)):
        raise _Refused("has a key without a value, or a key that is no number, text, or tuple of such.")
    found.update(zip(keys, _values(values[1::2]), strict=True))
    return found


def _named(module: Any, name: Any) -> _Name:
    old = str(module).replace("numpy._core", "numpy.core").replace("scipy.sparse._csr", "scipy.sparse.csr")
    found = _Name(old.replace("__builtin__", "builtins"), str(name))
    if found not in _MAKERS:
        raise _Refused(
            f"wants {str(module)[:80]}.{str(name)[:80]}, but only arrays, lists and dictionaries are admitted."
        )
    return found


# what the names make


def _new_dtype(kind: Any = None, align: Any = False, copy: Any = True) -> _Dtype:
    if not isinstance(kind, str) or not _KINDS.fullmatch(kind):
        raise _Refused(f"has an array of {str(kind)[:40]!r}, but only numbers of 1 to 8 bytes are admitted.")
    return _Dtype(kind)


def _new_array(kind: Any = None, shape: Any = None, code: Any = None) -> _Unfilled:
    if kind != _Name("numpy", "ndarray") or shape != (0,):
        raise _Refused("makes an array in a way that is not admitted.")
    return _Unfilled(_array)


def _new_scalar(dtype: Any = None, content: Any = None) -> Any:
    kind, data = _of(_Dtype, dtype).numpy, _bytes(content)
    if len(data) != kind.itemsize:
        raise _Refused("has a number of another size than it says.")
    return np.frombuffer(data, kind)[0].item()


def _new_lists(factory: Any = None) -> dict[Any, Any]:
    if factory != _Name("builtins", "list"):
        raise _Refused("has a defaultdict of something else than lists.")
    return {}


def _encoded(text: Any = None, encoding: Any = None) -> bytes:
    """How Python 3 writes bytes, such as those of an array, in old pickles."""
    if encoding != "latin1":
        raise _Refused(f"wants the encoding {str(encoding)[:40]!r}, but only latin1 is admitted.")
    return _bytes(_of(str, text))


def _no_bytes(*content: Any) -> bytes:
    """How Python 3 writes no bytes, such as those of an empty array, in old pickles."""
    if content:
        raise _Refused("makes bytes in a way that is not admitted.")
    return b""


def _only_named(*_: Any) -> Any:
    raise _Refused("calls a type that it may only name.")


_MAKERS: dict[_Name, Callable[..., Any]] = {
    _Name("numpy", "ndarray"): _only_named,
    _Name("numpy", "dtype"): _new_dtype,
    _Name("numpy.core.multiarray", "_reconstruct"): _new_array,
    _Name("numpy.core.multiarray", "scalar"): _new_scalar,
    _Name("scipy.sparse.csr", "csr_matrix"): lambda *_: _Unfilled(_matrix),
    _Name("collections", "defaultdict"): _new_lists,
    _Name("builtins", "list"): _only_named,
    _Name("builtins", "bytes"): _no_bytes,
    _Name("_codecs", "encode"): _encoded,
}
_WIDTHS = {"EMPTY_TUPLE": 0, "TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}


# what content makes of them


def _filled(made: Any, content: Any) -> Any:
    if isinstance(made, _Dtype):
        if not isinstance(content, tuple) or content[:1] != (3,) or content[2:] != _NO_MORE:
            raise _Refused("has an array of records or objects, but only numbers are admitted.")
        if content[1] not in _ORDERS:
            raise _Refused(f"has the byte order {str(content[1])[:40]!r}, which there is not.")
        made.order = content[1]
        return made
    return _of(_Unfilled, made).fill(content)


def _array(content: Any) -> Any:
    """An array of one or two dimensions of (version, shape, dtype, whether columns come first, bytes)."""
    if not isinstance(content, tuple) or len(content) != 5:
        raise _Refused("has an array without content.")
    sizes, kind, data = _shape(content[1]), _of(_Dtype, content[2]).numpy, _bytes(content[4])
    if math.prod(sizes) * kind.itemsize != len(data):
        raise _Refused(f"has an array of {len(data):,} bytes, which are not those of its shape {sizes}.")
    found = np.frombuffer(data, kind).reshape(sizes, order="F" if content[3] is True else "C")
    return found.astype(kind.newbyteorder("="))


def _matrix(content: Any) -> Any:
    """A CSR matrix. Every index is checked before anything uses it."""
    from scipy import sparse  # slow to import, and every import of a graph asks this format whether it fits

    parts = _of(dict, content)
    arrays = [parts.get(name) for name in ("data", "indices", "indptr")]
    if not all(isinstance(array, np.ndarray) and array.ndim == 1 for array in arrays):
        raise _Refused("has a matrix without its arrays.")
    try:
        rows, columns = _shape(parts.get("_shape"))
        matrix = sparse.csr_array(tuple(arrays), shape=(rows, columns))
        matrix.check_format(full_check=True)
    except (ValueError, TypeError, IndexError, OverflowError) as error:
        raise _Refused(f"has a matrix whose parts do not fit each other ({error}).") from error
    return matrix


def _shape(shape: Any) -> tuple[int, ...]:
    sizes = shape if isinstance(shape, tuple) else ()
    if len(sizes) not in (1, 2) or not all(type(size) is int and 0 <= size < 2**31 for size in sizes):
        raise _Refused("has an array that has neither one nor two dimensions.")
    return sizes


def _bytes(content: Any) -> bytes:
    """Content as bytes; Python 2 wrote it as text."""
    return content.encode("latin1") if isinstance(content, str) else bytes(_of(bytes, content))
