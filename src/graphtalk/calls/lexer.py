"""What the two bracket spellings read and write alike: quoted text, bare words, numbers, node references."""

import math
import re
from collections.abc import Callable, Iterable

from graphtalk.calls.ast import Boolean, Call, Expression, Items, NodeRef, Number, Text
from graphtalk.calls.vocabulary import Vocabulary
from graphtalk.core.errors import ParseError

MAX_DEPTH = 200
"""Calls and lists may nest this deep: far beyond any question, well within Python's own stack."""

IDENTIFIER = re.compile(r"[^\W\d][\w-]*")
_NUMBER = re.compile(r"-?(?:(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|inf)", re.ASCII)
_MOST_DIGITS = 4000
_REFERENCE = re.compile(r"([^\W\d][\w-]*) ?#(\S+)")
_PLAIN_ID = re.compile(r"[\w./:@+-][\w./:@+'-]*")
_QUOTED_ID = re.compile(r"([^\W\d][\w-]*)#(?=[\"'“”„‘’])")
_BLANKS = re.compile(r"\s*")
_CLOSERS = {
    **dict.fromkeys('"', re.compile(r'\\.|(")', re.DOTALL)),
    **dict.fromkeys("'", re.compile(r"\\.|(')", re.DOTALL)),
    **dict.fromkeys("“”„", re.compile(r'\\.|(["“”])', re.DOTALL)),
    **dict.fromkeys("‘’", re.compile(r"\\.|(['‘’])", re.DOTALL)),
}
_AFTER_QUOTE = re.compile(r"[\[#=]|\s*(?:[,)\]}]|$)")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}
_WRITTEN = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_TO_ESCAPE = re.compile(r'[\\"\x00-\x1f\x7f]')
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_BRACKET_OR_COMMA = re.compile(r"[,()\[\]{}]")


def quote(value: str) -> str:
    """`value` as a text literal in straight double quotes."""
    return '"' + _TO_ESCAPE.sub(lambda m: _WRITTEN.get(m[0]) or f"\\u{ord(m[0]):04x}", value) + '"'


def unescape(raw: str) -> str:
    """What the inside of a literal stands for. An escape that means nothing else is the character itself."""
    return _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else _ESCAPES.get(m[2], m[2]), raw)


def show_number(value: int | float) -> str:
    """A number as both bracket spellings write it."""
    if isinstance(value, float) and math.isnan(value):
        raise ValueError("not-a-number has no spelling")
    return repr(value)


def show_reference(reference: NodeRef) -> str:
    """`kind#id`, either part in quotes where it needs them."""
    kind = reference.kind if IDENTIFIER.fullmatch(reference.kind) else quote(reference.kind)
    return f"{kind}#{reference.id if _PLAIN_ID.fullmatch(reference.id) else quote(reference.id)}"


def as_number(word: str) -> Number | None:
    """The number that `word` writes; a leading zero makes it an id (`0077613252`), not a number."""
    if len(word) > _MOST_DIGITS or not _NUMBER.fullmatch(word):
        return None
    return Number(int(word) if word.lstrip("-").isdigit() else float(word))


def as_reference(word: str) -> NodeRef | None:
    """The node reference that a word writes (`paper#83826`, `node #4`), or None."""
    match = _REFERENCE.fullmatch(word)
    return NodeRef(match[1], match[2]) if match else None


def atom(word: str) -> Expression:
    """What a word without quotes means: true or false, a number, a node reference, or text."""
    if word.casefold() in ("true", "false"):
        return Boolean(word.casefold() == "true")
    return as_number(word) or as_reference(word) or Text(word)


def make_call(
    function: str,
    arguments: Iterable[Expression],
    keywords: Iterable[tuple[str, Expression]],
    graph: Expression | None,
    at: int,
) -> Call:
    """A call that was read at position `at`; the argument named `graph` is its graph."""
    named = dict[str, Expression]()
    for name, value in (*keywords, *([] if graph is None else [("graph", graph)])):
        if name in named:
            raise ParseError(f"The call of {function} at position {at} is given `{name}` twice.", at)
        named[name] = value
    graph = named.pop("graph", None)
    return Call(function, tuple(arguments), tuple(named.items()), graph)


class Reader:
    """A position in a text, `at`, which after an error is where reading stopped.

    What was found to have no end is remembered, so that reading on from there stays linear in the text.
    """

    def __init__(self, text: str, vocabulary: Vocabulary, at: int = 0) -> None:
        self.text = text
        self.vocabulary = vocabulary
        self.at = at
        self.depth = 0
        self._unclosed: set[int] = set()
        self._unquoted: dict[str, int] = {}

    def error(self, expected: str, at: int | None = None) -> ParseError:
        """The error for position `at` (default: here)."""
        at = self.at if at is None else at
        here = repr(self.text[at : at + 20]) if at < len(self.text) else "the end of the text"
        return ParseError(f"Not a call at position {at}: expected {expected}, found {here}.", at)

    def enter(self, bracket: int) -> None:
        """Begin the call or list whose opening bracket is at `bracket`, and go behind that."""
        if bracket in self._unclosed:
            raise self.error("a closing bracket", len(self.text))
        if self.depth == MAX_DEPTH:
            raise self.error(f"at most {MAX_DEPTH} calls and lists in one another", bracket)
        self.depth += 1
        self.at = bracket + 1

    def leave(self) -> None:
        """End the call or list that was begun last."""
        self.depth -= 1

    def items(self, closing: str, value: Callable[[str], Expression]) -> Items:
        """A list that ends with `closing`; `value` reads an entry and is given that sign."""
        self.enter(self.at)
        values: list[Expression] = []
        self.blanks()
        while self.peek() != closing:
            if values:
                self.take(",", f"`,` or `{closing}`")
                self.blanks()
                if self.peek() == closing:
                    break
            values.append(value(closing))
            self.blanks()
        self.at += 1
        self.leave()
        return Items(tuple(values))

    def blanks(self) -> None:
        """Skip white space."""
        match = _BLANKS.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def peek(self) -> str:
        """The next character, or an empty text at the end."""
        return self.text[self.at : self.at + 1]

    def take(self, characters: str, expected: str) -> str:
        """Skip white space and one of `characters`, and return it."""
        self.blanks()
        if (found := self.peek()) and found in characters:
            self.at += 1
            return found
        raise self.error(expected)

    def end(self) -> None:
        """Check that nothing follows but a full stop."""
        self.blanks()
        if self.text[self.at :].rstrip() not in ("", "."):
            raise self.error("nothing after the call")

    def ends_here(self) -> bool:
        """Whether a value may end here: before a comma, a closing bracket or the end."""
        match = _BLANKS.match(self.text, self.at)
        at = match.end() if match else self.at
        return at == len(self.text) or self.text[at] in ",)]}"

    def quoted(self) -> str | None:
        """The raw inside of the literal that begins here, or None where none does; escapes are kept.

        The literal ends at the first quote that something can follow, so that `'Schindler's List'` is one.
        """
        pattern = _CLOSERS.get(self.peek())
        if pattern is None or self.at >= self._unquoted.get(pattern.pattern, len(self.text)):
            return None
        for match in pattern.finditer(self.text, self.at + 1):
            if match[1] and _AFTER_QUOTE.match(self.text, match.end()):
                raw = self.text[self.at + 1 : match.start()]
                self.at = match.end()
                return raw
        # What closes no literal here closes none further on: without this, each apostrophe is a search to the end.
        self._unquoted[pattern.pattern] = self.at
        return None

    def quoted_keyword(self) -> str | None:
        """The name in quotes that `=` follows, as in `"node"=...`, or None where none begins here."""
        start = self.at
        raw = self.quoted()
        if raw is not None and self.peek() == "=":
            self.at += 1
            return unescape(raw)
        self.at = start
        return None

    def reference(self) -> NodeRef | None:
        """A node reference whose id is in quotes, `entity#"a b"`, or None where none begins here."""
        start = self.at
        match = _QUOTED_ID.match(self.text, start)
        if match:
            self.at = match.end()
            raw = self.quoted()
            if raw is not None:
                return NodeRef(match[1], unescape(raw))
        self.at = start
        return None

    def reference_id(self, stops: str) -> str:
        """What follows the `#` of a reference whose kind was in quotes."""
        raw = self.quoted()
        return unescape(raw) if raw is not None else self.bare(stops)

    def bare(self, stops: str) -> str:
        """The words up to a comma or an unmatched bracket of `stops`; matched brackets belong to them."""
        start = self.at
        wanted = ""
        opened: list[int] = []
        for match in _BRACKET_OR_COMMA.finditer(self.text, start):
            character = match[0]
            if character in _PAIRS:
                wanted += _PAIRS[character]
                opened.append(match.start())
                if len(opened) > MAX_DEPTH:
                    break
            elif character in wanted and (character in stops or character == wanted[-1]):
                wanted = wanted[: wanted.rindex(character)]
                del opened[len(wanted) :]
            elif character in stops or (character == "," and not wanted):
                self.at = match.start()
                return self.text[start : self.at].strip()
        self._unclosed.update(opened)
        raise self.error(" or ".join(f"`{stop}`" for stop in stops), len(self.text))
