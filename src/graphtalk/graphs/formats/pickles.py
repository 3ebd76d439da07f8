"""Pickles, without running code: only numpy and scipy arrays, lists, dictionaries and plain values are admitted."""

import collections
import io
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from graphtalk.core import SourceError
from graphtalk.graphs.importing import Importing


def load_pickle(path: Path, importing: Importing) -> Any:
    """What a pickle holds. Raises SourceError where it is damaged or wants more than arrays."""
    data = read_bytes(path, importing)
    try:
        return _ArrayUnpickler(io.BytesIO(data), encoding="latin1").load()
    except SourceError as error:
        raise SourceError(str(error), str(path)) from None
    except (pickle.UnpicklingError, EOFError, ValueError, TypeError, KeyError, IndexError) as error:
        raise SourceError(f"cannot be read as a pickle ({error}).", str(path)) from error
    except (AttributeError, ImportError, MemoryError, OverflowError, SystemError) as error:  # numpy's own
        raise SourceError(f"cannot be read as a pickle ({error}).", str(path)) from error


def read_bytes(path: Path, importing: Importing) -> bytes:
    """The bytes of a file. Raises SourceError where it is missing."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise SourceError("is missing, and the graph cannot be read without it.", str(path)) from None
    importing.progress.advance(bytes=len(data))
    return data


def _numpy(name: str) -> Callable[..., Any]:
    core = getattr(np, "_core", None) or np.core
    found: Callable[..., Any] = getattr(core.multiarray, name)
    return found


def _latin1(text: str, encoding: str) -> bytes:
    """How Python 3 writes bytes, such as those of an array, in old pickles."""
    if encoding != "latin1":
        raise SourceError(f"wants the encoding {encoding!r}, but only latin1 is admitted.")
    return text.encode(encoding)


class _ArrayUnpickler(pickle.Unpickler):
    """Loads numpy and scipy arrays, lists and dictionaries, and refuses everything else."""

    def find_class(self, module: str, name: str) -> Any:
        """The class or function of this name, if it is one of the few admitted."""
        old = module.replace("numpy._core", "numpy.core").replace("scipy.sparse._csr", "scipy.sparse.csr")
        admitted: dict[tuple[str, str], Any] = {
            ("numpy", "ndarray"): np.ndarray,
            ("numpy", "dtype"): np.dtype,
            ("numpy.core.multiarray", "_reconstruct"): _numpy("_reconstruct"),
            ("numpy.core.multiarray", "scalar"): _numpy("scalar"),
            ("scipy.sparse.csr", "csr_matrix"): sparse.csr_matrix,
            ("collections", "defaultdict"): collections.defaultdict,
            ("__builtin__", "list"): list,
            ("builtins", "list"): list,
            ("_codecs", "encode"): _latin1,
        }
        if (old, name) not in admitted:
            raise SourceError(f"wants {module}.{name}, but only arrays, lists and dictionaries are admitted.")
        return admitted[old, name]
