"""What is told of a Cypher text before it is parsed: its brackets and quotes, and what a bracket begins.

One pass, linear in the text. It bounds how deep brackets nest, so that nothing after it can run out of stack.
"""

import re
from dataclasses import dataclass

from graphtalk.calls.lexer import MAX_DEPTH
from graphtalk.core.errors import ParseError

PATTERN, COMPREHENSION, BAR = "\ue000", "\ue001", "\ue002"
"""What stands for the "(" of a pattern in an expression, for the "[" of a comprehension, and for its "|" (grammar.lark)."""

_TOKEN = re.compile(
    r"(?P<blank>\s+|//[^\n]*|/\*.*?\*/)"
    r"|(?P<text>'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\")"
    r"|(?P<name>[^\W\d]\w*+|`(?:[^`]|``)*+`)"
    r"|(?P<number>\d\w*+)"
    r"|(?P<sign>.)",
    re.DOTALL,
)
_SELECTORS = frozenset("ANY ALL SHORTEST WALK TRAIL ACYCLIC SIMPLE".split())
_CLOSES = {")": "(", "]": "[", "}": "{"}
_UNCLOSED = {
    "'": "this quote is not closed. Inside of a text, write a quote as \\'.",
    '"': 'this quote is not closed. Inside of a text, write a quote as \\".',
    "`": "this backtick is not closed.",
    "“": "this quote is not one of Cypher's: write \" or '.",
    "”": "this quote is not one of Cypher's: write \" or '.",
    "‘": "this quote is not one of Cypher's: write \" or '.",
    "’": "this quote is not one of Cypher's: write \" or '.",
}


def place(text: str, at: int) -> str:
    """Line and column of a position, for people."""
    return f"line {text.count(chr(10), 0, at) + 1}, column {at - text.rfind(chr(10), 0, at)}"


def fault(text: str, at: int, message: str) -> ParseError:
    """The error for a place in a text."""
    return ParseError(f"Not Cypher that can be read, {place(text, at)}: {message}", at)


@dataclass(frozen=True)
class _Tokens:
    """The tokens of a text without blanks: what each is, where it begins, and for a bracket where its partner stands.

    `inside`: the innermost bracket that is open at the token (-1: none).
    """

    kinds: list[str]
    words: list[str]
    starts: list[int]
    partner: dict[int, int]
    inside: list[int]

    def is_name(self, i: int) -> bool:
        """Whether a name stands there, or a keyword that may be one."""
        return i < len(self.kinds) and self.kinds[i] == "name"

    def word(self, i: int) -> str:
        """What stands there, in upper case; an empty text behind the end."""
        return self.words[i].upper() if i < len(self.words) else ""


def marked(text: str) -> str:
    """`text` with the three signs of the grammar in their places; all positions stay as they were.

    Raises ParseError where a quote or a bracket is not closed, or brackets nest too deep.
    """
    tokens = _tokens(text)
    signs = list(text)
    patterns = {i for i, word in enumerate(tokens.words) if word == "(" and _begins_pattern(tokens, i)}
    with_bar = set()
    for i, word in enumerate(tokens.words):
        if i in patterns:
            signs[tokens.starts[i]] = PATTERN
        elif word == "[" and _begins_comprehension(tokens, i, patterns):
            signs[tokens.starts[i]] = COMPREHENSION
            with_bar.add(i)
        elif (word == "[" and i + 1 in patterns) or (word == "(" and i and tokens.word(i - 1) == "REDUCE"):
            with_bar.add(i)
        elif word == "|" and tokens.inside[i] in with_bar:
            signs[tokens.starts[i]] = BAR
    return "".join(signs)


def _tokens(text: str) -> _Tokens:
    tokens = _Tokens([], [], [], {}, [])
    opened: list[int] = []
    for match in _TOKEN.finditer(text):
        kind, word, at = str(match.lastgroup), match[0], match.start()
        if kind == "blank":
            continue
        here = len(tokens.words)
        if kind == "sign":
            if word in _UNCLOSED:
                raise fault(text, at, _UNCLOSED[word])
            if word == "/" and text.startswith("/*", at):
                raise fault(text, at, "this comment is not closed: write */ where it ends.")
            if word in (PATTERN, COMPREHENSION, BAR):
                raise fault(text, at, f"{word!r} cannot stand there.")
            if word in _CLOSES:
                if not opened:
                    raise fault(text, at, f"`{word}` closes nothing: no `{_CLOSES[word]}` is open.")
                begun = opened.pop()
                if tokens.words[begun] != _CLOSES[word]:
                    where = place(text, tokens.starts[begun])
                    raise fault(text, at, f"`{word}` cannot close the `{tokens.words[begun]}` of {where}.")
                tokens.partner[begun] = here
        tokens.kinds.append(kind)
        tokens.words.append(word)
        tokens.starts.append(at)
        tokens.inside.append(opened[-1] if opened else -1)
        if kind == "sign" and word in _CLOSES.values():
            opened.append(here)
            braces = sum(tokens.words[each] == "{" for each in opened) if len(opened) > MAX_DEPTH else 0
            if max(braces, len(opened) - braces) > MAX_DEPTH:
                raise fault(text, at, f"more than {MAX_DEPTH} brackets in one another.")
    if opened:
        begun = opened[-1]
        raise fault(text, tokens.starts[begun], f"this `{tokens.words[begun]}` is not closed.")
    return tokens


def _begins_comprehension(tokens: _Tokens, opening: int, patterns: set[int]) -> bool:
    """Whether a "[" begins `[x IN …`, `[p = (a)-->…` or `[SHORTEST 2 (a)-->…`."""
    if not tokens.is_name(opening + 1):
        return False
    if tokens.word(opening + 2) == "IN":
        return True
    named = tokens.word(opening + 2) == "="
    at = first = opening + 3 if named else opening + 1
    if tokens.word(at) in _SELECTORS:
        while at < len(tokens.kinds) and tokens.kinds[at] in ("name", "number"):
            at += 1
    shortest = named and tokens.word(at) in ("SHORTESTPATH", "ALLSHORTESTPATHS")
    return (at in patterns and (named or at > first)) or shortest


def _begins_pattern(tokens: _Tokens, opening: int) -> bool:
    """Whether a "(" begins `(a)-[…]->(b)`: what it holds may be a node, and an edge and a "(" follow.

    `(a)--(b)` is a pattern, as in every engine, and not a less what is less than nothing.
    """
    closing = tokens.partner[opening]
    inside = opening + 1 + tokens.is_name(opening + 1)
    if inside < closing and tokens.word(inside) not in (":", "{", "$", "WHERE"):
        return False
    at = closing + 1
    at += tokens.word(at) == "<"
    if tokens.word(at) != "-":
        return False
    at += 1
    if tokens.word(at) == "[":
        at = tokens.partner[at] + 1
    if tokens.word(at) != "-":
        return False
    at += 1
    at += tokens.word(at) == ">"
    if tokens.word(at) in ("+", "*"):
        at += 1
    elif tokens.word(at) == "{":
        at = tokens.partner[at] + 1
    return tokens.word(at) == "("
