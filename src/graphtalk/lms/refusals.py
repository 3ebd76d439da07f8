"""What a server refuses: left out or renamed, once, and remembered for the model.

Chat servers differ in the parameters they take, and say so with a 400 that names the parameter. Reasoning models
want `max_completion_tokens` for `max_tokens`, and no temperature; small servers know neither seeds nor JSON schemas (which `structured` puts into the
prompt in any case).
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from graphtalk.core import JSON
from graphtalk.lms.http import RefusedError

T = TypeVar("T")
Body: TypeAlias = dict[str, JSON]
Mend: TypeAlias = Callable[[Body], Body]

# Not a refusal of a parameter but of its size: to leave it out would lift a bound that the caller set.
TOO_MUCH = re.compile(
    r"too (large|long|many|big)|at most|maximum|exceed|context (length|window)", re.IGNORECASE
)


@dataclass
class Refusals:
    """How to do without each parameter that can be done without, and which of them the model is known to refuse."""

    mends: Mapping[str, Mend]
    known: set[str] = field(default_factory=set)

    def ask(self, body: Body, send: Callable[[Body], T]) -> T:
        """What `send` gives for a body that the server takes. Raises LmError.

        A parameter counts as refused only once the request without it went through.
        """
        refused = [name for name in self.mends if name in self.known]
        while True:
            sent = self._without(body, refused)
            try:
                taken = send(sent)
            except RefusedError as error:
                blamed = self._blamed(error, sent)
                if blamed is None or blamed in refused:
                    raise
                refused.append(blamed)
            else:
                self.known.update(refused)
                return taken

    def _without(self, body: Body, refused: list[str]) -> Body:
        for name in refused:
            if name in body:
                body = self.mends[name](body)
        return body

    def _blamed(self, error: RefusedError, sent: Body) -> str | None:
        if TOO_MUCH.search(error.detail):
            return None
        if (root := re.split(r"[.\[]", error.parameter)[0]) in sent and root in self.mends:
            return root
        names = (name for name in self.mends if name in sent)
        return next((n for n in names if re.search(rf"(?<![\w/.-]){n}(?![\w/-])", error.detail)), None)


def leave_out(name: str) -> Mend:
    """A body without that parameter."""
    return lambda body: {key: value for key, value in body.items() if key != name}


def rename(name: str, other: str) -> Mend:
    """A body with that parameter under another name."""
    return lambda body: {other if key == name else key: value for key, value in body.items()}
