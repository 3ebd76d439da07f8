"""Graph-ToolFormer's spelling, `GR(GL("gpr", {"lollipop_graph"}), "toolx:order")` (paper, sections 3.2 and 4.7.2).

    query     = "[" call [arrow output] "]" | call [arrow variable]
    call      = "GL(" arguments ")"
              | "GR(" [graph ","] function ["," arguments] ")"
    graph     = call | list | name                      a quoted first argument is the function, not a graph
    argument  = [parameter ("=" | ":")] value
    value     = text | number | truth | kind "#" id | list | call | words
    list      = "{" values "}" | "(" values ")" | "[" values "]"

Read as models and the paper write it: any quotes or none, hyphen or underscore, with or without a domain.
"""

import re

from graphtalk.calls.ast import Boolean, Call, Expression, Items, NodeRef, Number, Text
from graphtalk.calls.lexer import (
    IDENTIFIER,
    Reader,
    as_reference,
    atom,
    make_call,
    quote,
    show_number,
    show_reference,
    unescape,
)
from graphtalk.calls.vocabulary import NOTHING_KNOWN, Vocabulary

_API = re.compile(r"(GR|GL)\s*\(", re.IGNORECASE)
_NAMED = re.compile(r"([^\W\d][\w.:-]*)\(")
_KEYWORD = re.compile(r"([^\W\d][\w-]*)\s*(?:(=)(?!=)|:)\s*")
_PLAIN_VALUE = re.compile(r"(?:true|false|-?\d+(?:\.\d+)?)\s*[,)]", re.IGNORECASE)
_ARROW = re.compile(r"\s*(?:[-–—]+\s*[>¿]|→|\\to\b)\s*")
_OUTPUT = re.compile(r"(?:[^\[\]]|\[[^\[\]]*\])*")
_VARIABLE = re.compile(r"\w*")
_LOADS = "GL"
_COLON_KINDS = ("entity", "relation")
_CLOSING = {"{": "}", "(": ")", "[": "]"}
_STOPS = ")]}"


def parse(text: str, vocabulary: Vocabulary = NOTHING_KNOWN) -> Call:
    """The call that `text` spells, with or without `[` and `-->r]`.

    Raises ParseError, with the position, where it is not one call.
    """
    reader = ToolformerReader(text, vocabulary)
    reader.blanks()
    call, _ = reader.query()
    reader.end()
    return call


def show(call: Call, vocabulary: Vocabulary = NOTHING_KNOWN) -> str:
    """`call` in this spelling, without the brackets of a query; `parse` reads it back exactly."""
    arguments = [_show_value(value, vocabulary) for value in call.arguments]
    arguments += [_show_keyword(name, value, vocabulary) for name, value in call.keywords]
    graph = call.graph
    if graph is not None and not _stands_first(graph, vocabulary):
        arguments.append(_show_keyword("graph", graph, vocabulary))
        graph = None
    if graph is None and call.function == "GL":
        return f"GL({', '.join(arguments)})"
    head = [quote(_spelled(call.function, vocabulary))]
    if graph is not None:
        head.insert(0, graph.value if isinstance(graph, Text) else _show_value(graph, vocabulary))
    return f"GR({', '.join(head + arguments)})"


def _spelled(function: str, vocabulary: Vocabulary) -> str:
    known = vocabulary.find(function)
    if known and known.toolformer and vocabulary.canonical(known.toolformer) == function:
        return known.toolformer
    return function


_BOND = re.compile(r"[A-Za-z]\w*[=≡][A-Za-z]\w*")  # stands bare in a link, (C=O)


def _stands_first(graph: Expression, vocabulary: Vocabulary) -> bool:
    """Whether `graph` is known for a graph as the first argument of GR; else it is named, `graph=`."""
    if isinstance(graph, Text):
        return bool(IDENTIFIER.fullmatch(graph.value)) and not vocabulary.find(graph.value)
    return isinstance(graph, Call)


def _show_keyword(name: str, value: Expression, vocabulary: Vocabulary) -> str:
    written = name if IDENTIFIER.fullmatch(name) else quote(name)
    return f"{written}={_show_value(value, vocabulary)}"


def _show_value(value: Expression, vocabulary: Vocabulary, brackets: str = "{}") -> str:
    if isinstance(value, Text):
        written = quote(value.value)
        return written.replace("#", "\\#") if as_reference(written[1:-1]) else written
    if isinstance(value, NodeRef):
        written = show_reference(value)
        # The official prompts quote the nodes of a graph (`"node#25"`) and no other reference.
        return f'"{written}"' if value.kind == "node" and '"' not in written else written
    if isinstance(value, Items):
        inner = [_show_value(each, vocabulary, "()") for each in value.values]
        (only,) = value.values if len(value.values) == 1 else (None,)
        if brackets == "()" and isinstance(only, Text) and _BOND.fullmatch(only.value):
            inner = [only.value]
        return brackets[0] + ", ".join(inner) + brackets[1]
    if isinstance(value, Boolean):
        return str(value.value)
    if isinstance(value, Number):
        return show_number(value.value)
    return show(value, vocabulary)


class ToolformerReader(Reader):
    """Reads one query by recursive descent."""

    def query(self) -> tuple[Call, bool]:
        """A call, in brackets or not, and whether its result is to be inserted (`-->r`)."""
        bracketed = self.peek() == "["
        if bracketed:
            self.at += 1
            self.blanks()
        call = self.call()
        arrow = _ARROW.match(self.text, self.at)
        if arrow:
            output = (_OUTPUT if bracketed else _VARIABLE).match(self.text, arrow.end())
            self.at = output.end() if output else arrow.end()
        if bracketed:
            self.take("]", "`]` or `-->r]` after the call")
        return call, arrow is not None

    def call(self) -> Call:
        """`GL(…)`, `GR(…)`, or a function that is called by its own name."""
        start = self.at
        match = _API.match(self.text, start) or _NAMED.match(self.text, start)
        if match is None:
            raise self.error("`GR(` or `GL(`")
        self.enter(match.end() - 1)
        name = match[1].upper() if match.re is _API else match[1]
        graph, function = self.head() if name == "GR" else (None, name)
        function = self.vocabulary.canonical(function)
        arguments, keywords = self.arguments(function, first=name != "GR")
        made = make_call(function, arguments, keywords, graph, start)
        self.leave()
        return made

    def head(self) -> tuple[Expression | None, str]:
        """What opens a GR: the graph, where there is one, and the function."""
        self.blanks()
        raw = self.quoted()
        if raw is not None:
            return None, unescape(raw)
        graph: Expression
        if _API.match(self.text, self.at):
            graph = self.call()
        elif self.peek() in _CLOSING:
            graph = self.items(_CLOSING[self.peek()], lambda closing: self.value())
        else:
            word = self.name()
            known = self.vocabulary.find(word)
            if self.peek() != "," or ":" in word or (known and known.name != _LOADS):
                return None, word  # but `Gl`, as the paper calls a graph that was loaded, is no function here
            graph = Text(word)
        self.take(",", "`,` and the function's name")
        return graph, self.name()

    def name(self) -> str:
        """A function's name, in quotes or not."""
        self.blanks()
        raw = self.quoted()
        name = unescape(raw) if raw is not None else self.bare(_STOPS)
        if raw is None and not name:
            raise self.error("a function's name")
        return name

    def arguments(self, function: str, first: bool) -> tuple[list[Expression], list[tuple[str, Expression]]]:
        """What stands before the closing parenthesis; `first` where no comma comes before it."""
        arguments: list[Expression] = []
        keywords: list[tuple[str, Expression]] = []
        while True:
            self.blanks()
            if not first and self.take(",)", "`,` or `)`") == ")":
                return arguments, keywords
            self.blanks()
            if self.peek() == ")":
                self.at += 1
                return arguments, keywords
            first = False
            name = self.keyword(function)
            value = self.value()
            if name is None:
                arguments.append(value)
            else:
                keywords.append((self.vocabulary.parameter(function, name), value))

    def keyword(self, function: str) -> str | None:
        """The name that begins an argument given by name, or None."""
        name = self.quoted_keyword()
        if name is not None:
            return name
        match = _KEYWORD.match(self.text, self.at)
        if match is None or not (match[2] or self.colon_names(function, match[1], match.end())):
            return None
        self.at = match.end()
        return match[1]

    def colon_names(self, function: str, name: str, at: int) -> bool:
        """Whether `name:` names an argument; `entity:/m/027rn` and a path without quotes have colons too."""
        known = self.vocabulary.find(function)
        if known and self.vocabulary.parameter(function, name) in known.parameters:
            return True
        if self.text[at : at + 1] in _CLOSING or self.text[at : at + 1] in "\"'“”„‘’":
            return True
        return _PLAIN_VALUE.match(self.text, at) is not None

    def value(self) -> Expression:
        """One value, which ends before a comma or a closing bracket."""
        self.blanks()
        start = self.at
        if self.peek() in _CLOSING:
            items = self.items(_CLOSING[self.peek()], lambda closing: self.value())
            if self.ends_here():
                return items
            self.at = start
        raw = self.quoted()
        if raw is not None:
            if self.peek() == "#":
                self.at += 1
                return NodeRef(unescape(raw), self.reference_id(_STOPS))
            reference = as_reference(raw)
            return NodeRef(reference.kind, unescape(reference.id)) if reference else Text(unescape(raw))
        named = _NAMED.match(self.text, start)
        if _API.match(self.text, start) or (named and self.vocabulary.find(named[1])):
            return self.call()
        return self.reference() or self.word()

    def word(self) -> Expression:
        """A value without quotes."""
        start = self.at
        word = self.bare(_STOPS)
        if not word:
            raise self.error("a value", start)
        kind, colon, id = word.partition(":")
        return NodeRef(kind, id) if colon and id and kind in _COLON_KINDS else atom(word)
