"""The tokens of a text as BERT's uncased models have them: WordPiece (Schuster and Nakajima, 2012; Devlin et al., 2019).

Letters are folded (no accents, lower case), signs and CJK characters stand alone, and each word is cut into the longest
pieces that the vocabulary has, from its beginning on; pieces that go on are written `##so`. The same tokens as those of
the library `tokenizers` (tests/test_search_wordpiece.py), which brings 40 MB with what it needs.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from unicodedata import category, normalize

UNKNOWN, BEGIN, END = 100, 101, 102  # [UNK], [CLS], [SEP]
_MOST_LETTERS = 100  # of a word; a longer one is unknown
_MORE = "##"
_WORD = re.compile("[^ ]+")
_IDEOGRAPHS = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F), (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip


class _Folded(dict[int, str]):
    """What each character becomes, as `str.translate` wants it: found when first asked for."""

    def __missing__(self, code: int) -> str:
        self[code] = found = _fold(chr(code))
        return found


def _fold(character: str) -> str:
    """Nothing, a space, letters without accents in lower case, or a sign or an ideograph between spaces."""
    if character in "\t\n\r":
        return " "
    if character in "\0\ufffd" or category(character) in ("Cc", "Cf", "Cs", "Co"):
        return ""
    if character.isspace():
        return " "
    plain = [part.lower() for part in normalize("NFD", character) if category(part) != "Mn"]
    apart = any(first <= ord(character) <= last for first, last in _IDEOGRAPHS)
    return "".join(f" {part} " if apart or _is_sign(part) else part for part in plain)


def _is_sign(letter: str) -> bool:
    ascii_sign = letter.isascii() and letter.isprintable() and not letter.isalnum() and letter != " "
    return ascii_sign or category(letter[0]).startswith("P")


_FOLDED = _Folded()


@dataclass(frozen=True)
class Encoded:
    """The tokens of a text. `offsets`: where each stands in the text, first letter and the one after its last; (0, 0) for
    those that begin and end it."""

    ids: list[int]
    offsets: list[tuple[int, int]]


class WordPiece:
    """A tokenizer over a vocabulary in the order of its ids."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._ids = {word: i for i, word in enumerate(vocabulary)}
        self._lengths = [len(word.removeprefix(_MORE)) for word in vocabulary]
        self._longest = max(map(len, vocabulary))

    def __len__(self) -> int:
        return len(self._ids)

    def id_of(self, token: str) -> int | None:
        """The id of a token; None where the vocabulary has none such."""
        return self._ids.get(token)

    def words(self, most: int) -> list[str]:
        """The first tokens of the vocabulary that words begin with, the commonest first."""
        return [token for token, i in self._ids.items() if i < most and not token.startswith(_MORE)]

    def tokens(self, text: str) -> list[int]:
        """The ids of a text's tokens, without those that begin and end it."""
        return [i for word in text.translate(_FOLDED).split() for i in self._pieces(word)]

    def ids(self, *texts: str) -> list[int]:
        """The ids of a text, or of several as one row: begun, and each of them ended."""
        return [BEGIN, *(i for text in texts for i in (*self.tokens(text), END))]

    def encode(self, text: str) -> Encoded:
        """The ids of a text with where they stand."""
        folded = [_FOLDED[ord(c)] for c in text]
        places = [i for i, part in enumerate(folded) for _ in part]
        ids, offsets = [BEGIN], [(0, 0)]
        for word in _WORD.finditer("".join(folded)):
            at = word.start()
            for piece in self._pieces(word.group()):
                end = word.end() if piece == UNKNOWN else at + self._lengths[piece]
                ids.append(piece)
                offsets.append((places[at], places[end - 1] + 1))
                at = end
        return Encoded([*ids, END], [*offsets, (0, 0)])

    def _pieces(self, word: str) -> Iterable[int]:
        """The pieces of a folded word: the longest first piece that there is, then the longest that go on."""
        ids = self._ids
        whole = ids.get(word)
        if whole is not None:
            return (whole,)
        if len(word) > _MOST_LETTERS:
            return (UNKNOWN,)
        found: list[int] = []
        start, more = 0, ""
        while start < len(word):
            for end in range(min(len(word), start + self._longest), start, -1):
                piece = ids.get(more + word[start:end])
                if piece is not None:
                    break
            else:
                return (UNKNOWN,)
            found.append(piece)
            start, more = end, _MORE
        return found


@cache
def wordpiece() -> WordPiece:
    """The tokenizer of the networks that ship with the package: its vocabulary is ordered by how common words are."""
    words = (files("graphtalk.language") / "vocabulary.txt").read_text(encoding="utf-8")
    return WordPiece(words.removesuffix("\n").split("\n"))


def word_rank(word: str) -> int:
    """How common an English word is: its place in the tokeniser's vocabulary, which is ordered by frequency.

    A word that is not in the vocabulary gets the vocabulary's size.
    """
    place = wordpiece().id_of(word)
    return place if place is not None else len(wordpiece())


def is_word(word: str) -> bool:
    """Whether a word is in the tokeniser's vocabulary: of a name or a slip of spelling the vector says little."""
    return wordpiece().id_of(word) is not None
