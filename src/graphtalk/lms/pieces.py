"""Text that comes in pieces: cut at a stop, and freed of thinking, even where a mark is split over pieces."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from graphtalk.lms.scripted import cut_at

TAGS = ("<think>", "<thinking>", "</think>", "</thinking>")
ANY = re.compile(r"</?think(?:ing)?>", re.IGNORECASE | re.ASCII)
LONGEST = max(map(len, TAGS))
CLOSED = re.compile(r"</think(?:ing)?>", re.IGNORECASE | re.ASCII)


@dataclass
class Stops:
    """Passes text on up to the first stop. What may be the beginning of a stop is held back."""

    stops: tuple[str, ...]
    met: bool = False
    _held: str = ""

    def feed(self, piece: str) -> str:
        """What of the text so far is new and surely before a stop."""
        if self.met:
            return ""
        text = self._held + piece
        before = cut_at(text, self.stops)
        begun = len(text) - longest_beginning(text, self.stops)
        self.met = len(before) < len(text) and len(before) <= begun  # else a longer stop may begin before it
        self._held = "" if self.met else text[begun:]
        return before if self.met else text[:begun]

    def finish(self) -> str:
        """What was held back and stands before a stop, once the text has ended."""
        before = cut_at(self._held, self.stops)
        self.met |= len(before) < len(self._held)
        self._held = ""
        return before


@dataclass
class Thinking:
    """Frees text of `<think>…</think>`. Text that is never closed is all thinking.

    A closing tag without an opening one says that all before it was thinking: some servers put the opening tag into
    the prompt (`headless`). `visible` is what remains; white space before it goes too.
    """

    inside: bool = False
    visible: str = ""
    headless: bool = False
    seen: bool = False
    _held: str = ""
    _blank: str = ""

    def feed(self, piece: str) -> str:
        """What of the text so far is new and visible."""
        text = self._held + piece
        fresh = ""
        while mark := (CLOSED if self.inside else ANY).search(text):
            fresh += self._show(text[: mark.start()])
            closes = mark[0].startswith("</")
            if closes and not self.inside:
                self.headless, self.visible, fresh = True, "", ""
            self.inside, self.seen, self._blank = not closes, True, ""
            text = text[mark.end() :]
        keep = longest_beginning(text[-LONGEST:].lower(), TAGS)
        self._held = text[len(text) - keep :]
        return fresh + self._show(text[: len(text) - keep])

    def finish(self) -> str:
        """What was held back, once the text has ended."""
        rest = self._show(self._held)
        if not self.visible:
            rest = self.visible = self._blank
        self._held = self._blank = ""
        return rest

    def _show(self, fresh: str) -> str:
        """Note text outside of tags. White space at the beginning waits: it goes if thinking follows or went before."""
        if self.inside:
            return ""
        if not self.visible:
            fresh = self._blank + fresh
            fresh = fresh.lstrip() if self.seen else fresh
            if not fresh.strip():
                self._blank = fresh
                return ""
        self.visible += fresh
        return fresh


def without_thinking(text: str) -> Thinking:
    """A whole text that was freed of thinking.

    >>> without_thinking("<think>Zinc, surely.</think> Iron").visible
    'Iron'
    """
    thinking = Thinking()
    thinking.feed(text)
    thinking.finish()
    return thinking


def longest_beginning(text: str, marks: Iterable[str]) -> int:
    """How many letters at the end of the text may be the beginning of a mark."""
    longest = max((len(mark) for mark in marks), default=1) - 1
    for size in range(min(longest, len(text)), 0, -1):
        if any(mark.startswith(text[-size:]) and len(mark) > size for mark in marks):
            return size
    return 0
