"""The error tree. Every error of graphtalk is one of these.

GraphtalkError
├── UsageError            a person's mistake: wrong option, missing file; the command line exits with 2
│   ├── StoreError        a folder is not a graph store, or was replaced by another
│   │   └── DamagedError  its files are not what was written
│   └── SourceError       a source file cannot be imported; names the file and the line
├── LmError               a language model could not be asked, or its reply cannot be used
│   ├── LmBusyError       it may be asked again: overloaded, a cut connection; says after how long
│   │   └── LmSlowError   it timed out
│   └── BudgetError       tokens, money or seconds are spent
├── StoppedError          the whole of what was asked for was ended: its seconds are spent, or nobody waits for it
└── CallError             what a call (or the model that wrote it) caused; shown back so that it can be mended
    ├── ParseError        the text is not a call; names the position
    ├── CheckError        a name or a type that the graph or the tools do not have; names the valid choices
    ├── ToolError         a tool could not do what was asked of it
    └── LimitError        steps, seconds, rows or bytes ran out; says what was found so far
"""

import difflib
from collections.abc import Iterable

_LONGEST = 1000  # letters of a message that may hold what a file says


class GraphtalkError(Exception):
    """Base of all errors that graphtalk raises on purpose."""


class UsageError(GraphtalkError):
    """A person's mistake; the message says what was wrong and what would be right."""


class StoreError(UsageError):
    """A folder is not a graph store, or not the one that was opened any more."""


class DamagedError(StoreError):
    """What a store's files hold is not what was written, or cannot have been."""


class SourceError(UsageError):
    """A source file cannot be imported. `file` and `line` say where; of a long message the middle is left out.

    `row`: it is one row that cannot be read, and the others can.
    """

    def __init__(self, message: str, file: str = "", line: int | None = None, row: bool = False) -> None:
        place = f"{file}, line {line}: " if line is not None else f"{file}: " if file else ""
        shown = (
            message
            if len(message) <= _LONGEST
            else f"{message[: _LONGEST // 2]} … {message[-_LONGEST // 2 :]}"
        )
        super().__init__(place + shown)
        self.file = file
        self.line = line
        self.row = row


class LmError(GraphtalkError):
    """A language model could not be asked, or its reply cannot be used. Never holds a key."""


class LmBusyError(LmError):
    """The same request may succeed later. `after` is how many seconds the server asks to wait, if it said."""

    def __init__(self, message: str, after: float | None = None) -> None:
        super().__init__(message)
        self.after = after


class LmSlowError(LmBusyError):
    """No reply came in time: asking again costs as long, and seldom helps."""


class BudgetError(LmError):
    """Tokens, money or seconds that were allowed are spent."""


class StoppedError(GraphtalkError):
    """All that was asked for was ended from outside. No CallError: whoever mends calls must not go on."""


class CallError(GraphtalkError):
    """What a call caused; its message can be shown to the model that wrote the call."""


class ParseError(CallError):
    """The text is not a call. `position` is the offset in the text where reading stopped."""

    def __init__(self, message: str, position: int = 0) -> None:
        super().__init__(message)
        self.position = position


class CheckError(CallError):
    """A call names something that does not exist, or gives a value of the wrong type."""


class ToolError(CallError):
    """A tool could not do what was asked of it."""


class LimitError(CallError):
    """A limit ran out. `found` is the text of what had been found by then."""

    def __init__(self, message: str, found: str = "") -> None:
        super().__init__(message + (f" Found so far: {found}" if found else ""))
        self.found = found


def choices(bad: str, valid: Iterable[str], most: int = 5) -> str:
    """The end of an error message: the valid names nearest to `bad` first, `most` of them.

    >>> choices("Compond", ["Compound", "Gene"])
    'Did you mean Compound? Valid: Compound, Gene.'
    """
    names = list(dict.fromkeys(valid))
    if not names:
        return "There are none to choose from."
    folded = {name.casefold(): name for name in names}
    near = [folded[m] for m in difflib.get_close_matches(bad.casefold(), list(folded), n=2, cutoff=0.6)]
    rest = [name for name in names if name not in near]
    shown = near + rest[: max(0, most - len(near))]
    more = f" and {len(names) - len(shown)} more" if len(names) > len(shown) else ""
    hint = f"Did you mean {' or '.join(near)}? " if near else ""
    return f"{hint}Valid: {', '.join(shown)}{more}."
