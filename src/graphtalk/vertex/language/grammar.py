"""The grammar of expressions, read by recursive descent. Nothing is ever evaluated by Python itself.

expr       = "if" expr "then" expr "else" expr | or
or         = and { "or" and }
and        = not { "and" not }
not        = "not" not | comparison
comparison = sum [ ("==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in") sum ]
sum        = product { ("+" | "-") product }
product    = minus { ("*" | "/" | "%") minus }
minus      = "-" minus | atom
atom       = NUMBER | "true" | "false" | "infinity" | "none" | NAME [ "." NAME ] | "(" expr ")"
           | "[" [ expr { "," expr } ] "]"
           | NAME "(" [ expr { "," expr } [ "for" NAME "in" or [ "if" expr ] ] ] ")"
"""

import math
import re
from dataclasses import dataclass

from graphtalk.core import ParseError
from graphtalk.vertex.language.ast import (
    Aggregate,
    Apply,
    Binary,
    Constant,
    Expr,
    Field,
    If,
    Listing,
    Name,
    Unary,
)
from graphtalk.vertex.language.types import BOOL, NODE, NONE, NUMBER, Type

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<word>[A-Za-z_]\w*)|(?P<sign>==|!=|<=|>=|[-+*/%<>().,\[\]]))"
)
_CONSTANTS: dict[str, tuple[float | bool, Type]] = {
    "true": (True, BOOL),
    "false": (False, BOOL),
    "infinity": (math.inf, NUMBER),
    "none": (NONE, NODE),
}
KEYWORDS = frozenset({"if", "then", "else", "and", "or", "not", "in", "for", *_CONSTANTS})
_COMPARISONS = ("==", "!=", "<=", ">=", "<", ">", "in")
_DEEPEST = 30
_LONGEST = 400  # words: deep trees must not run out of Python's stack


@dataclass(frozen=True)
class _Token:
    text: str
    kind: str
    place: int


def parse(text: str) -> Expr:
    """The tree of an expression. Raises ParseError that quotes the place where reading stopped."""
    return _Parser(text).whole()


def pointed(text: str, place: int) -> str:
    """The text and a place in it, for error messages.

    >>> pointed("a + (b", 4)
    "'a + (b', at '(b'"
    """
    rest = " ".join(text[place:].split())
    return f"{text.strip()!r}, at " + (repr(rest[:20] + "…" * (len(rest) > 20)) if rest else "its end")


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    place = 0
    while text[place:].strip():
        match = _TOKEN.match(text, place)
        if match is None:
            bad = len(text) - len(text[place:].lstrip())
            raise ParseError(f"Unexpected {text[bad]!r} in {pointed(text, bad)}.", bad)
        kind = match.lastgroup or ""
        found.append(_Token(match[kind], kind, match.start(kind)))
        place = match.end()
        if len(found) > _LONGEST:
            raise ParseError(f"The expression {text[:40]!r}… is too long: {_LONGEST} words at most.", place)
    found.append(_Token("", "end", len(text)))
    return found


class _Parser:
    def __init__(self, text: str) -> None:
        self._text, self._tokens, self._next, self._depth = text, _tokens(text), 0, 0

    def whole(self) -> Expr:
        expr = self._expr()
        if self._now.kind != "end":
            raise self._unexpected("an operator or the end")
        return expr

    @property
    def _now(self) -> _Token:
        return self._tokens[self._next]

    def _take(self, *texts: str) -> _Token | None:
        """The next token where it is one of `texts`."""
        token = self._now
        if token.kind == "end" or token.text not in texts:
            return None
        self._next += 1
        return token

    def _need(self, text: str) -> _Token:
        token = self._take(text)
        if token is None:
            raise self._unexpected(repr(text))
        return token

    def _word(self, what: str) -> _Token:
        token = self._now
        if token.kind != "word" or token.text in KEYWORDS:
            raise self._unexpected(what)
        self._next += 1
        return token

    def _unexpected(self, wanted: str) -> ParseError:
        token = self._now
        return ParseError(f"Expected {wanted} in {pointed(self._text, token.place)}.", token.place)

    def _expr(self) -> Expr:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise ParseError(f"The expression {self._text[:40]!r}… is nested too deeply.", self._now.place)
        start = self._take("if")
        if start is None:
            found = self._left(("or",), 0)
        else:
            condition = self._expr()
            self._need("then")
            then = self._expr()
            self._need("else")
            found = If(condition, then, self._expr(), place=start.place)
        self._depth -= 1
        return found

    def _left(self, operators: tuple[str, ...], level: int) -> Expr:
        """Operators of one level, from the left."""
        deeper = (
            lambda: self._left(("and",), 1),
            self._not,
            lambda: self._left(("*", "/", "%"), 3),
            self._minus,
        )
        found = deeper[level]()
        while (token := self._take(*operators)) is not None:
            found = Binary(token.text, found, deeper[level](), place=token.place)
        return found

    def _not(self) -> Expr:
        token = self._take("not")
        return Unary("not", self._not(), place=token.place) if token else self._comparison()

    def _comparison(self) -> Expr:
        left = self._left(("+", "-"), 2)
        negated = self._take("not")
        token = self._need("in") if negated else self._take(*_COMPARISONS)
        if token is None:
            return left
        found = Binary(token.text, left, self._left(("+", "-"), 2), place=token.place)
        return Unary("not", found, place=token.place) if negated else found

    def _minus(self) -> Expr:
        token = self._take("-")
        return Unary("-", self._minus(), place=token.place) if token else self._atom()

    def _atom(self) -> Expr:
        token = self._now
        if token.kind == "number":
            self._next += 1
            number = float(token.text)
            return Constant(int(number) if number.is_integer() else number, type=NUMBER, place=token.place)
        if self._take("("):
            inside = self._expr()
            self._need(")")
            return inside
        if self._take("["):
            items = self._list("]")
            self._need("]")
            return Listing(tuple(items), place=token.place)
        if token.text in _CONSTANTS:
            self._next += 1
            value, type = _CONSTANTS[token.text]
            return Constant(value, type=type, place=token.place)
        word = self._word("a value")
        if self._take("("):
            return self._call(word)
        if self._take("."):
            return Field(word.text, self._word("the name of a field").text, place=word.place)
        return Name(word.text, place=word.place)

    def _list(self, end: str) -> list[Expr]:
        found: list[Expr] = []
        if self._now.text != end:
            found.append(self._expr())
            while self._take(","):
                found.append(self._expr())
        return found

    def _call(self, word: _Token) -> Expr:
        values = tuple(self._list(")"))
        if not self._take("for"):
            self._need(")")
            return Apply(word.text, values, place=word.place)
        variable = self._word("a name").text
        self._need("in")
        collection = self._left(("or",), 0)
        condition = self._expr() if self._take("if") else None
        self._need(")")
        return Aggregate(word.text, values, variable, collection, condition, place=word.place)
