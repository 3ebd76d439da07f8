"""Pickles of arrays: what is read, and what a crafted one may not do."""

import collections
import pickle
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from graphtalk.core import SourceError
from graphtalk.graphs.formats.pickles import load_pickle
from graphtalk.graphs.importing import Importing


def read(folder: Path, data: bytes) -> Any:
    (folder / "data").write_bytes(data)
    return load_pickle(folder / "data", Importing())


@pytest.mark.parametrize("protocol", [2, 3, 4])
def test_values_come_back_as_they_were(tmp_path: Path, protocol: int) -> None:
    plain = {"a": [1, -1, 2**63, 0.5, True, None, "é", "é"], ("a", 1): [], 3: {}, 4: [(0, "x"), ()], "b": []}
    arrays = [
        np.eye(3),
        np.asfortranarray(np.ones((2, 3), ">i2")),
        np.zeros((0, 4), np.float32),
        np.arange(3),
    ]
    lists = collections.defaultdict(list, {0: [1], 1: [0, 2]})
    assert read(tmp_path, pickle.dumps(plain, protocol)) == plain
    assert read(tmp_path, pickle.dumps([lists, np.int64(3), np.float32(0.5)], protocol)) == [lists, 3, 0.5]
    for found, array in zip(read(tmp_path, pickle.dumps(arrays, protocol)), arrays, strict=True):
        assert found.shape == array.shape and found.dtype == array.dtype.newbyteorder("=")
        assert (found == array).all()
    matrix = sparse.csr_matrix(np.array([[0, 1.5], [2, 0]]))
    assert (read(tmp_path, pickle.dumps(matrix, protocol)).toarray() == matrix.toarray()).all()


NAMES = b"cnumpy\ndtype\n\x8c\x02O8\x89\x88\x87R"
ORDER = b"(K\x03\x8c\x01|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK?tb"
FIELDS = b"(K\x03\x8c\x01|N\x8c\x01f\x85}\x8c\x01fcnumpy\ndtype\n\x8c\x02i4\x89\x88\x87RK\x00\x86sK\x08K\x01K\x00tb"
EIGHT = b"C\x08AAAAAAAA"
SCALAR = b"cnumpy.core.multiarray\nscalar\n"
CRAFTED = {
    "bytes as an object": b"\x80\x04" + SCALAR + NAMES + EIGHT + b"\x86R.",
    "bytes as an object of a type with flags": b"\x80\x04" + SCALAR + NAMES + ORDER + EIGHT + b"\x86R.",
    "a type turned into one of objects": b"\x80\x04" + SCALAR + NAMES.replace(b"O8", b"i8") + ORDER + EIGHT + b"\x86R.",
    "a type with fields": b"\x80\x04" + SCALAR + NAMES.replace(b"O8", b"V8") + FIELDS + EIGHT + b"\x86R.",
    "a type of numbers with fields": b"\x80\x04" + SCALAR + NAMES.replace(b"O8", b"i8") + FIELDS + EIGHT + b"\x86R.",
    "a type by its fields": b"\x80\x04cnumpy\ndtype\n]\x8c\x01f\x8c\x01O\x86a\x85R.",
    "an array of objects": pickle.dumps(np.array([print], dtype=object), 4),
    "a function": b"cos\nsystem\n(S'true'\ntR.",
    "a function by two texts": b"\x80\x04\x8c\x02os\x8c\x06system\x93\x8c\x04true\x85R.",
    "an object of a class": b"\x80\x02c__builtin__\nlist\n)\x81}b.",
    "a class left over": b"\x80\x02cnumpy\nndarray\n.",
    "a class among values": b"\x80\x02](cnumpy\nndarray\n]e.",
    "an extension": b"\x80\x02\x82\x01.",
    "a persistent id": b"\x80\x02X\x01\x00\x00\x00aQ.",
    "an old object": b"(i__main__\nx\n.",
    "an array without content": b"\x80\x04]cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85C\x01b\x87Ra.",
    "itself": b"\x80\x02]q\x00h\x00a.",
    "doubling": b"\x80\x02]q\x00" + b"".join(b"](h%ch%cel" % (i, i) for i in range(3)),
    "tuples of tuples": b"\x80\x02}K\x01\x85q\x00" + b"h\x00h\x00\x86q\x00" * 60 + b"K\x01s.",
    "long texts again": b"\x80\x02]q\x01X\x00\x00\x10\x00" + b"a" * (1 << 20) + b"q\x00" + b"h\x00" * 2000 + b"e.",
    "a long number": b"\x80\x02\x8b\x00\x00\x01\x00" + b"\x7f" * 65536 + b".",
    "a number in 5,000 digits": b"I" + b"9" * 5000 + b"\n.",
    "nothing": b"",
    "no end": b"\x80\x02]",
    "no mark": b"\x80\x02e.",
    "another's mark": b"\x80\x02](a.",
    "junk": b"junk",
}  # fmt: skip


@pytest.mark.parametrize("data", CRAFTED.values(), ids=CRAFTED)
def test_crafted_pickles_are_refused(tmp_path: Path, data: bytes) -> None:
    started = time.monotonic()
    with pytest.raises(
        SourceError, match=r"data: (has|wants|calls|makes|takes|does not|alters|repeats|cannot)"
    ):
        read(tmp_path, data)
    assert time.monotonic() - started < 60


def matrix(**parts: Any) -> bytes:
    """A pickled matrix with other parts than fit."""
    made = sparse.csr_matrix(np.eye(2))
    for name, value in parts.items():
        setattr(made, name, value)
    return pickle.dumps(made, 2)


@pytest.mark.parametrize(
    "data",
    [
        matrix(indices=np.array([0, 7], np.int32)),
        matrix(indptr=np.array([0, 2**30, 2], np.int32)),
        matrix(indices=np.array([0, -1], np.int32)),
        matrix(data=np.array(["a", "b"])),
        matrix(_shape=(2, 2**40)),
        matrix(_shape=(-1, 2)),
        pickle.dumps(np.eye(2), 2).replace(b"K\x02K\x02", b"K\x02K\x09"),
        pickle.dumps(np.zeros((1, 1, 1)), 2),
    ],
)  # fmt: skip
def test_arrays_that_do_not_fit_their_shapes_are_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(SourceError, match="data: has a"):
        read(tmp_path, data)
