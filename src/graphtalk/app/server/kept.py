"""Answers that were given before, for whoever asks the same of the same graph again."""

import hashlib
import json
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from graphtalk.app.server.jobs import Asking, AskingClient, Given, Job, dumps
from graphtalk.core import Step

MOST_SHARE = 8  # one answer takes at most this part of the room


@dataclass
class KeptAnswers:
    """Answers with their steps, `most` bytes of them; those not asked for longest go first.

    An answer is known by its graph's checksum, the question with what was said before, the reasoner and the model, and by
    the day, for a question may speak of today.
    """

    most: int
    size: int = 0
    _known: "OrderedDict[bytes, bytes]" = field(default_factory=OrderedDict)

    def key(self, job: Job, checksum: str) -> bytes | None:
        """What an answer is known by; None for jobs that are always done anew."""
        if not isinstance(job, Asking) or isinstance(job, AskingClient):
            return None
        return hashlib.blake2b(dumps(job) + f"\0{checksum}\0{date.today()}".encode(), digest_size=16).digest()

    def get(self, key: bytes) -> tuple[list[Step], Given] | None:
        """The steps and the answer's object, which has cost nothing this time."""
        if key not in self._known:
            return None
        self._known.move_to_end(key)
        steps, given = json.loads(self._known[key])
        free: Given = {**given, "usage": dict.fromkeys(given["usage"], 0), "seconds": 0.0}
        return [Step(*step) for step in steps], free

    def put(self, key: bytes, steps: Sequence[Step], given: Given) -> None:
        """Keep an answer that was finished."""
        if given["stopped"]:
            return
        written = json.dumps([[(step.kind, step.text) for step in steps], given]).encode()
        if len(written) * MOST_SHARE > self.most:
            return
        self.size += len(written) - len(self._known.pop(key, b""))
        self._known[key] = written
        while self.size > self.most:
            self.size -= len(self._known.popitem(last=False)[1])
