"""Cypher scripts of CREATE statements: dumps of Neo4j (apoc.export.cypher), Memgraph, and those that people write.

Only what makes nodes and relationships is read, and nothing is run: CREATE and MERGE of patterns, MATCH of nodes by label and
properties before them, UNWIND of lists of maps, SET of properties and labels. Indexes, constraints, transactions and what tidies up
after an import are passed over; any other statement is an error that names its line. The first label of a node is its type; its
property `id` is its id where each node has one of its own, else nodes are numbered.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from graphtalk.core import SourceError
from graphtalk.core.reading import MOST_DEPTH, in_words
from graphtalk.graphs.formats.files import BROKEN, head, open_bytes, plain_name
from graphtalk.graphs.formats.gathered import Gathering
from graphtalk.graphs.formats.graph_xml import one_file
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.importing import Importing

_TOKEN = re.compile(
    r"(?>\s+|//[^\n]*|/\*.*?\*/)*+(?:(?P<text>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")"
    r"|(?P<number>(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d+)?)|(?P<quoted>(?:`(?:[^`]|``)*`))|(?P<word>[^\W\d]\w*)"
    r"|(?P<sign><-|->|<=|>=|<>|\+=|[-+*/%^=<>(){}\[\],;:.|$])|(?P<end>\Z))",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_IMPORT = ("UNIQUE IMPORT LABEL", "UNIQUE IMPORT ID")  # what apoc ties relationships to nodes by
_IDS = ("id", "_id", "uuid")
_TEMPORAL = ("date", "datetime", "localdatetime", "time", "localtime", "duration")


class _Token(NamedTuple):
    kind: str
    text: str
    place: int
    folded: str  # a word in capitals, a sign; empty for others


class _Made:
    """A node that a statement made, with its labels and properties."""

    __slots__ = ("labels", "line", "number", "properties")

    def __init__(self, number: int, labels: list[str], properties: dict[str, Any], line: int) -> None:
        self.number, self.labels, self.properties, self.line = number, labels, properties, line


def sniff(path: Path) -> bool:
    """Whether a file is called *.cypher, *.cql or *.cyp, or is text that begins with CREATE of a node."""
    name = plain_name(path)
    if not path.is_file():
        return False
    if name.endswith((".cypher", ".cql", ".cyp", ".cypherl")):
        return True
    return name.endswith(".txt") and re.match(rb"\s*(?:CREATE|MERGE)\s*\(", head(path, 200), re.I) is not None


def read(sources: Sequence[Path], importing: Importing) -> Graph:
    """One script."""
    path = one_file(sources)
    with open_bytes(path, importing.progress) as file:
        try:
            text = file.read().decode("utf-8-sig")
        except (*BROKEN, UnicodeDecodeError) as error:
            raise SourceError(f"cannot be read ({in_words(error)}).", str(path)) from error
    script = _Script(text, path)
    script.run()
    return script.graph(importing)


class _Script:
    """Reads statement by statement; what they make is kept."""

    def __init__(self, text: str, path: Path) -> None:
        self._text = text
        self._path = path
        self._ends = [match.start() for match in re.finditer("\n", text)]
        self._tokens: list[_Token] = []
        self._at = 0
        self._nodes: list[_Made] = []
        self._edges: list[tuple[_Made, _Made, str, dict[str, Any], int]] = []
        self._found: dict[
            str, dict[Any, list[_Made]]
        ] = {}  # nodes by a property that was asked for, and its value
        self._variables: dict[str, Any] = {}

    def run(self) -> None:
        """All statements of the script."""
        for tokens in self._statements():
            self._tokens, self._at, self._variables = tokens, 0, {}
            if self._is_passed():
                continue
            rows, start = self._rows()
            for row in rows:
                self._variables, self._at = dict(row), start
                self._clauses()

    def graph(self, importing: Importing) -> Graph:
        """What the script made."""
        if not self._nodes:
            raise SourceError("makes no nodes.", str(self._path))
        into = Gathering(self._path, importing)
        key = next((key for key in _IDS if self._tells(key)), "")
        names = {n.number: str(n.properties[key]) if key else str(n.number + 1) for n in self._nodes}
        for node in self._nodes:
            labels = [label for label in node.labels if label not in _IMPORT]
            values = {name: value for name, value in node.properties.items() if name not in (key, *_IMPORT)}
            if len(labels) > 1:
                values.setdefault("labels", labels)
            into.node(names[node.number], labels[0] if labels else None, values, node.line)
        for source, target, relation, values, line in self._edges:
            values = {name: value for name, value in values.items() if name not in _IMPORT}
            into.edge(names[source.number], names[target.number], relation, values, line)
        return into.graph()

    def _tells(self, key: str) -> bool:
        values = [node.properties.get(key) for node in self._nodes]
        return None not in values and len({str(value) for value in values}) == len(values)

    # statements

    def _statements(self) -> Iterator[list[_Token]]:
        """The tokens of each statement. Lines of a shell (`:begin`, `:commit`) are passed over."""
        tokens: list[_Token] = []
        place = 0
        while place < len(self._text):
            match = _TOKEN.match(self._text, place)
            if match is None:
                raise self._fault(f"{self._text[place : place + 20].strip()!r} means nothing", place)
            kind, text = match.lastgroup or "", match[match.lastgroup or 0]
            start, place = match.end() - len(text), match.end()
            if kind == "sign" and text == ":" and not tokens:  # a command of a shell: to the end of its line
                place = self._text.find("\n", place) % (len(self._text) + 1)
            elif kind == "sign" and text == ";":
                if tokens:
                    yield tokens
                tokens = []
            elif kind != "end":
                folded = text.upper() if kind == "word" else text if kind == "sign" else ""
                tokens.append(_Token(kind, text, start, folded))
        if tokens:
            yield tokens

    def _is_passed(self) -> bool:
        """Whether a statement makes no graph: of the schema, of transactions, or tidying up."""
        words = [token.text.upper() for token in self._tokens[:3]]
        schema = (
            "CONSTRAINT",
            "INDEX",
            "RANGE",
            "TEXT",
            "FULLTEXT",
            "UNIQUE",
            "POINT",
            "LOOKUP",
            "VECTOR",
            "DATABASE",
        )
        if words[0] in ("BEGIN", "COMMIT", "CALL", "SCHEMA", "USE", "DROP", "STORAGE", "SHOW"):
            return True
        if words[0] == "CREATE" and len(words) > 1 and words[1] in (*schema, "OR"):
            return True
        texts = {token.text.upper() for token in self._tokens if token.kind == "word"}
        return words[0] == "MATCH" and "REMOVE" in texts and not texts & {"CREATE", "MERGE"}

    def _rows(self) -> tuple[list[dict[str, Any]], int]:
        """The variables of each row that a statement begins with (one row, or those of an UNWIND), and where it goes on."""
        if not self._takes("UNWIND"):
            return [{}], self._at
        values = self._value(0)
        self._needs("AS")
        name = self._name()
        if not isinstance(values, list):
            raise self._here("UNWIND is read of a list alone")
        return [{name: value} for value in values], self._at

    def _clauses(self) -> None:
        while self._at < len(self._tokens):
            if self._takes("CREATE"):
                self._patterns(find=False)
            elif self._takes("MERGE"):
                self._patterns(find=False, merge=True)
            elif self._takes("OPTIONAL") or self._takes("MATCH"):
                self._takes("MATCH")
                self._patterns(find=True)
            elif self._takes("SET"):
                self._sets()
            elif self._takes("ON"):
                self._at += 1  # CREATE or MATCH
            elif self._takes("WITH") or self._takes("RETURN"):
                self._pass_over()
            else:
                raise self._here(
                    f"{self._tokens[self._at].text[:40]!r} is not read: a script makes nodes and relationships"
                )

    def _pass_over(self) -> None:
        """Go on to the next clause."""
        starts = ("CREATE", "MERGE", "MATCH", "SET", "OPTIONAL")
        while self._at < len(self._tokens) and self._tokens[self._at].text.upper() not in starts:
            self._at += 1

    # patterns

    def _patterns(self, find: bool, merge: bool = False) -> None:
        wanted: list[tuple[str, list[str], dict[str, Any]]] = []
        while True:
            if self._next_is("word") and self._text_at(1) == "=":  # a path's name
                self._at += 2
            self._pattern(find, merge, wanted)
            if not self._takes(","):
                break
        if find:
            given = self._where() if self._takes("WHERE") else {}
            for name, labels, properties in wanted:
                self._variables[name] = self._matched(labels, properties | given.get(name, {}))

    def _pattern(self, find: bool, merge: bool, wanted: list[tuple[str, list[str], dict[str, Any]]]) -> None:
        before = self._node(find, merge, wanted)
        while self._next_text() in ("-", "<-"):
            if find:
                raise self._here("MATCH is read of nodes alone")
            place = self._tokens[self._at].place
            left = self._next_text() == "<-"
            self._at += 1
            relation, properties = self._relationship()
            right = self._next_text() == "->"
            if not right and self._next_text() != "-":
                raise self._here("a relationship is not closed")
            self._at += 1
            after = self._node(find, merge, wanted)
            ends = (after, before) if left and not right else (before, after)
            if not self._is_there(merge, *ends, relation, properties):
                self._edges.append((*ends, relation, properties, self._line(place)))
            before = after

    def _is_there(
        self, merge: bool, source: _Made, target: _Made, relation: str, properties: Mapping[str, Any]
    ) -> bool:
        """Whether MERGE has a relationship already, that was made in the same statement or shortly before."""
        if not merge:
            return False
        return any(
            edge[0] is source and edge[1] is target and edge[2] == relation and edge[3] == properties
            for edge in self._edges[-1000:]
        )

    def _relationship(self) -> tuple[str, dict[str, Any]]:
        if not self._takes("["):
            raise self._here("a relationship needs a type")
        if self._next_is("word", "quoted") and self._text_at(1) in (":", "]", "{"):
            self._at += 1  # its variable
        self._needs(":")
        relation = self._name()
        properties = self._properties()
        self._needs("]")
        return relation, properties

    def _node(self, find: bool, merge: bool, wanted: list[tuple[str, list[str], dict[str, Any]]]) -> _Made:
        place = self._tokens[self._at].place if self._at < len(self._tokens) else len(self._text)
        self._needs("(")
        name = self._name() if self._next_is("word", "quoted") else ""
        labels = []
        while self._takes(":"):
            labels.append(self._name())
        properties = self._properties()
        self._needs(")")
        if find:
            wanted.append((name, labels, properties))
            return _NOBODY
        known = self._variables.get(name) if name else None
        if isinstance(known, _Made):
            return known
        if known is not None:
            raise self._fault(f"{name!r} is no node", place)
        node = self._merged(labels, properties) if merge else None
        if node is None:
            node = _Made(len(self._nodes), labels, properties, self._line(place))
            self._nodes.append(node)
            for key, held in self._found.items():
                if key in properties:
                    held.setdefault(_hashed(properties[key]), []).append(node)
        if name:
            self._variables[name] = node
        return node

    def _merged(self, labels: list[str], properties: dict[str, Any]) -> _Made | None:
        found = self._fitting(labels, properties) if properties else []
        return found[0] if found else None

    def _matched(self, labels: list[str], properties: dict[str, Any]) -> _Made:
        found = self._fitting(labels, properties)
        if len(found) != 1:
            told = ", ".join(f"{key}: {value!r}" for key, value in properties.items())
            which = "no node" if not found else f"{len(found):,} nodes"
            raise self._here(f"MATCH finds {which} {':'.join(labels)} {{{told}}}")
        return found[0]

    def _fitting(self, labels: list[str], properties: dict[str, Any]) -> list[_Made]:
        """The nodes with these labels and properties, by an index of one property."""
        if not properties:
            return [node for node in self._nodes if set(labels) <= set(node.labels)]
        key = next(iter(properties))
        if key not in self._found:
            held: dict[Any, list[_Made]] = {}
            for node in self._nodes:
                if key in node.properties:
                    held.setdefault(_hashed(node.properties[key]), []).append(node)
            self._found[key] = held
        some = self._found[key].get(_hashed(properties[key]), [])
        return [
            node
            for node in some
            if set(labels) <= set(node.labels)
            and all(node.properties.get(k) == v for k, v in properties.items())
        ]

    def _where(self) -> dict[str, dict[str, Any]]:
        """The properties that a WHERE of equalities asks for, by variable."""
        found: dict[str, dict[str, Any]] = {}
        while True:
            name = self._name()
            self._needs(".")
            key = self._name()
            self._needs("=")
            found.setdefault(name, {})[key] = self._value(0)
            if not self._takes("AND"):
                return found

    def _sets(self) -> None:
        """SET of a property, of all of a map, or of labels."""
        while True:
            place = self._at
            node = self._variables.get(self._name())
            values = {}
            labels = []
            if self._takes("."):
                key = self._name()
                self._needs("=")
                values[key] = self._value(0)
            elif self._takes("+=") or self._takes("="):
                told = self._value(0)
                values = told if isinstance(told, dict) else {}
            else:
                while self._takes(":"):
                    labels.append(self._name())
            if isinstance(node, _Made):
                node.properties.update({key: value for key, value in values.items() if value is not None})
                node.labels += [label for label in labels if label not in node.labels]
            elif self._edges and node is None:
                self._edges[-1][3].update(values)  # of the relationship that was just made
            if place == self._at or not self._takes(","):
                return

    # values

    def _properties(self) -> dict[str, Any]:
        if self._next_text() == "{":
            return {key: value for key, value in self._value(0).items() if value is not None}
        if self._next_is("word"):  # `{…}` in a variable
            value = self._value(0)
            return dict(value) if isinstance(value, dict) else {}
        return {}

    def _value(self, depth: int) -> Any:
        if depth > MOST_DEPTH:
            raise self._here("nested too deeply")
        token = self._take()
        if token.kind == "text":
            return _ESCAPE.sub(_unescaped, token.text[1:-1])
        if token.kind == "number":
            return self._number(token)
        if token.text in ("-", "+"):
            value = self._value(depth + 1)
            return -value if token.text == "-" and isinstance(value, int | float) else value
        if token.text == "[":
            return self._list("]", depth)
        if token.text == "{":
            return self._map(depth)
        if token.kind in ("word", "quoted"):
            return self._named(token, depth)
        raise self._fault(f"{token.text[:40]!r} where a value should stand", token.place)

    def _number(self, token: _Token) -> int | float:
        if len(token.text) > 400:
            raise self._fault("a number that is too large", token.place)
        return float(token.text) if any(c in ".eE" for c in token.text) else int(token.text)

    def _named(self, token: _Token, depth: int) -> Any:
        """true, false, null, a variable with its members, or a function of a plain value such as date('2020-01-01')."""
        word = token.text.lower()
        if token.kind == "word" and word in ("true", "false", "null"):
            return {"true": True, "false": False}.get(word)
        if self._next_text() == "(" and token.kind == "word":
            self._at += 1
            given = self._list(")", depth)
            if len(given) == 1 and (
                word in _TEMPORAL or word in ("tostring", "tointeger", "tofloat", "point")
            ):
                return given[0]
            raise self._fault(f"the function {token.text!r} is not read", token.place)
        name = _unquoted(token)
        if name not in self._variables:
            raise self._fault(f"{name!r} is not known", token.place)
        value = self._variables[name]
        while self._takes("."):
            key = self._name()
            held = value.properties if isinstance(value, _Made) else value
            value = held.get(key) if isinstance(held, dict) else None
        return value

    def _list(self, end: str, depth: int) -> list[Any]:
        found: list[Any] = []
        while not self._takes(end):
            if found:
                self._needs(",")
            found.append(self._value(depth + 1))
        return found

    def _map(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while not self._takes("}"):
            if found:
                self._needs(",")
            key = self._name()
            self._needs(":")
            found[key] = self._value(depth + 1)
        return found

    # tokens

    def _take(self) -> _Token:
        if self._at >= len(self._tokens):
            raise self._here("a statement is cut short")
        self._at += 1
        return self._tokens[self._at - 1]

    def _name(self) -> str:
        token = self._take()
        if token.kind not in ("word", "quoted"):
            raise self._fault(f"{token.text[:40]!r} where a name should stand", token.place)
        return _unquoted(token)

    def _takes(self, text: str) -> bool:
        """Go on where this stands next."""
        if self._at < len(self._tokens) and self._tokens[self._at].folded == text:
            self._at += 1
            return True
        return False

    def _needs(self, text: str) -> None:
        if not self._takes(text):
            raise self._here(f"{text!r} should stand here")

    def _next_text(self) -> str:
        return self._text_at(0)

    def _text_at(self, more: int) -> str:
        place = self._at + more
        return (
            self._tokens[place].text
            if place < len(self._tokens) and self._tokens[place].kind == "sign"
            else ""
        )

    def _next_is(self, *kinds: str) -> bool:
        return self._at < len(self._tokens) and self._tokens[self._at].kind in kinds

    def _line(self, place: int) -> int:
        return bisect_right(self._ends, place - 1) + 1

    def _here(self, what: str) -> SourceError:
        place = min(self._at, len(self._tokens) - 1)
        return self._fault(what, self._tokens[place].place if self._tokens else 0)

    def _fault(self, what: str, place: int) -> SourceError:
        return SourceError(f"cannot be read: {what}.", str(self._path), self._line(place))


_NOBODY = _Made(-1, [], {}, 0)


def _unquoted(token: _Token) -> str:
    return token.text[1:-1].replace("``", "`") if token.kind == "quoted" else token.text


def _unescaped(match: re.Match[str]) -> str:
    code = match[1]
    return chr(int(code[1:], 16)) if len(code) == 5 else _ESCAPES.get(code, code)


def _hashed(value: Any) -> Any:
    return value if isinstance(value, str | int | float | bool) else repr(value)
