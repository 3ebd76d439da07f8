"""A tokenizer's vocabulary as bytes, in a trie: what each token writes, whatever kind of tokenizer it is."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphtalk.core import UsageError

Ids = NDArray[np.int64]
_PROBES = (' Mia asked: [GR(GL("x"), "a:b", n#1)-->r].', " é ü")
_SIGN = re.compile(r"[\[(#0-9]")
_BYTE = re.compile(r"<0x([0-9A-F]{2})>")


@dataclass(eq=False)
class Branch:
    """A node of the trie: the tokens that end here, and where further bytes lead."""

    ids: list[int] = field(default_factory=list)
    children: "dict[int, Branch]" = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Tokens:
    """What each token writes, None for those that write nothing (end, padding, …).

    plain: the tokens of which any can follow any in plain text (see `plain_text`): whole characters, no signs, no digits
    rest: the trie of the others; whole: the trie of all
    """

    written: Sequence[bytes | None]
    whole: Branch
    rest: Branch
    plain: Ids

    @classmethod
    def of(cls, tokenizer: Any) -> "Tokens":
        """The vocabulary of a tokenizer of `transformers`. Raises UsageError where it does not write texts back."""
        written = _written(tokenizer)
        for probe in _PROBES:
            ids = tokenizer(probe, add_special_tokens=False)["input_ids"]
            back = b"".join(written[id] or b"" for id in ids).decode(errors="replace")
            if back.split() != probe.split() and tokenizer.unk_token_id not in ids:
                raise UsageError(
                    f"The tokenizer {tokenizer.name_or_path or type(tokenizer).__name__} writes {back!r} for {probe!r}: what its tokens write is "
                    "not known, so that no text can be held to a grammar. Take one of bytes, of sentencepiece, or of "
                    "characters."
                )
        plain = [id for id, text in enumerate(written) if text and _is_plain(text)]
        left = set(range(len(written))) - set(plain)
        return cls(
            written, _trie(written, range(len(written))), _trie(written, left), np.array(plain, np.int64)
        )

    def longest(self, text: bytes) -> int | None:
        """The token that writes most of the beginning of `text`, or None."""
        branch, found = self.whole, None
        for byte in text:
            if byte not in branch.children:
                break
            branch = branch.children[byte]
            found = branch.ids[0] if branch.ids else found
        return found

    def count(self, text: bytes) -> int:
        """How many tokens `text` takes when each is the longest. Raises ValueError where it cannot be written."""
        at = count = 0
        while at < len(text):
            token = self.longest(text[at : at + 64])
            if token is None:
                raise ValueError(f"no token writes {text[at : at + 8]!r}")
            at += len(self.written[token] or b"")
            count += 1
        return count


def _written(tokenizer: Any) -> list[bytes | None]:
    names: list[str | None] = tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))
    probe = "".join(tokenizer.tokenize(" a b é"))
    added = tokenizer.get_added_vocab()
    special = set(tokenizer.all_special_ids)
    letters = _byte_letters()
    found: list[bytes | None] = []
    for id, name in enumerate(names):
        if name is None or id in special:
            found.append(None)
        elif "▁" in probe and (byte := _BYTE.fullmatch(name)):
            found.append(bytes([int(byte[1], 16)]))
        elif name in added:
            found.append(name.encode())
        elif "Ġ" in probe:
            found.append(bytes(letters[sign] for sign in name) if all(s in letters for s in name) else None)
        else:
            found.append((name.replace("▁", " ") if "▁" in probe else name).encode())
    return found


def _byte_letters() -> dict[str, int]:
    """The letters by which byte-level tokenizers show bytes, as GPT-2's does: printable ones stand for themselves."""
    shown = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    hidden = [byte for byte in range(256) if byte not in shown]
    return {chr(byte): byte for byte in shown} | {chr(256 + n): byte for n, byte in enumerate(hidden)}


def _is_plain(text: bytes) -> bool:
    try:
        read = text.decode()
    except UnicodeDecodeError:
        return False
    return read.isprintable() and not _SIGN.search(read)


def _trie(written: Sequence[bytes | None], ids: Iterable[int]) -> Branch:
    first = Branch()
    for id in ids:
        if text := written[id]:
            branch = first
            for byte in text:
                branch = branch.children.setdefault(byte, Branch())
            branch.ids.append(id)
    return first
