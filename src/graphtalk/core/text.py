"""Text that any file and any server takes."""

import re

_HALVES = re.compile("[\ud800-\udfff]")


def whole(text: str) -> str:
    """The text with half characters (lone surrogates), which no encoding has, replaced by the mark for what is unknown."""
    return _HALVES.sub("\ufffd", text)
