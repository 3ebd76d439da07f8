"""Text that any file and any server takes, and any terminal."""

import re

NUMBER_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty"
).split()
"""The words of the numbers from 0 to 20, each at its place."""
SCALE = {"thousand": 1e3, "k": 1e3, "million": 1e6, "m": 1e6, "billion": 1e9, "bn": 1e9, "trillion": 1e12}
"""What stands behind a number and multiplies it."""
ORDINAL_WORDS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()

_HALVES = re.compile("[\ud800-\udfff]")


def whole(text: str) -> str:
    """The text with half characters (lone surrogates), which no encoding has, replaced by the mark for what is unknown."""
    return _HALVES.sub("\ufffd", text)


_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    r"""The text without what moves the cursor, orders a terminal about or turns the direction of writing.

    These are the control characters C0 (but for line breaks and tabs) and C1, and the bidirectional controls of
    Unicode. Whoever could put them into a name would else decide what people see beside it.

    >>> visible("Zinc\x1b]0;owned\x07 \u202etxt.exe")
    'Zinc]0;owned txt.exe'
    """
    return _CONTROLS.sub("", whole(text))


def of_things(count: int, noun: str) -> str:
    """`1 message`, `1,200 messages`: a count with its noun, whose plural has an s."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def escaped(json: str) -> str:
    r"""JSON in which those characters stand as `\u001b`, so that it says the same and can be shown."""
    return _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", json)
