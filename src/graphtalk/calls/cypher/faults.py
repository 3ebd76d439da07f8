"""What to say where Cypher cannot be read: the place, what stood there, what was expected, and what to do."""

import re

from lark import Lark
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from graphtalk.calls.cypher.scan import fault
from graphtalk.core.errors import ParseError, choices

_READING = "Only reading is possible: MATCH, OPTIONAL MATCH, WHERE, WITH, UNWIND, RETURN."
_WRITES = frozenset("CREATE MERGE SET DELETE DETACH REMOVE FOREACH DROP INSERT ALTER".split())
_OTHERS = frozenset(
    "CALL LOAD USE SHOW START GRANT REVOKE DENY TERMINATE COPY IMPORT EXPORT BEGIN COMMIT".split()
)
_CLAUSES = (
    "MATCH",
    "OPTIONAL MATCH",
    "WHERE",
    "WITH",
    "UNWIND",
    "RETURN",
    "ORDER BY",
    "SKIP",
    "LIMIT",
    "UNION",
)
_SLIPS = {
    "SELECT": "that is SQL: a query here is MATCH … RETURN ….",
    "FROM": "that is SQL: a query here is MATCH … RETURN ….",
    "GROUP": "Cypher has no GROUP BY: what stands beside an aggregate in RETURN or WITH is grouped by.",
    "HAVING": "Cypher has no HAVING: WITH …, count(*) AS n WHERE n > 1.",
    "LIKE": "Cypher has no LIKE: CONTAINS, STARTS WITH, ENDS WITH, or =~ with a regular expression.",
    "BETWEEN": "Cypher has no BETWEEN: 1 <= x <= 3.",
    "EXPLAIN": "plans are not shown: leave EXPLAIN out.",
    "PROFILE": "plans are not shown: leave PROFILE out.",
    "NOT": "NOT stands before a condition: NOT x IN list, NOT name CONTAINS 'a'.",
    "!": "write <> for what differs, and NOT before a condition.",
    "&": "write AND.",
}
_WORD = re.compile(r"\w+|==|&&?|\|\|?|[^\w\s]")
_VALUES = frozenset(
    "NAME NUMBER TEXT FUNCTION PARAMETER EVERY SHORTEST _REDUCE _EXISTS _COUNT _COLLECT CASE NOT NULL TRUE FALSE"
    " ( [ { + - \ue000 \ue001".split()
)
_OPERATORS = frozenset("AND OR XOR IN IS STARTS ENDS CONTAINS + - * / % ^ = <> < <= > >= =~ . [ { :".split())
_SHOWN = {
    "NAME": "a name",
    "SHORTEST": "shortestPath(",
    "SELECTOR": "SHORTEST 3",
    "INTEGER": "a whole number",
    "$END": "the end",
    "\ue000": "`(`",
    "\ue002": "`|`",
}


def explained(text: str, error: UnexpectedInput, parser: Lark) -> ParseError:
    """The error for a person."""
    at = error.pos_in_stream if error.pos_in_stream is not None and error.pos_in_stream >= 0 else len(text)
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        at = len(text.rstrip())
    accepted = _accepted(error)
    match = _WORD.match(text, at)
    found = match[0] if match else ""
    word = found.upper()
    if word in _WRITES:
        return fault(text, at, f"{word} writes. {_READING}")
    if word in _OTHERS:
        return fault(text, at, f"{word} is not supported. {_READING}")
    if text.startswith("=", at) and text[:at].endswith("="):
        return fault(text, at, "write one = for what is equal.")
    if not found and "RETURN" in accepted:
        return fault(text, at, "the query ends without RETURN, which says what to give: … RETURN n.name.")
    if text[:at].rstrip().endswith(";") and found:
        return fault(text, at, "one query at a time: something follows the `;`.")
    if word in _SLIPS:
        return fault(text, at, f"found {found}; {_SLIPS[word]}")
    if word.startswith("|"):
        return fault(text, at, "found |; write OR between conditions, and + to join texts.")
    if "=>" in (text[at : at + 2], text[at - 1 : at + 1]):
        return fault(text, at, "found =>; write >= for at least, and -[:RELATION]-> for an edge.")
    if found and "MINUS" in accepted and accepted <= {"MINUS", "LSQB"}:
        return fault(text, at, "an edge has two dashes: (a)-->(b), (a)-[:RELATION]->(b).")
    if accepted == {"EQUAL"}:
        return fault(
            text, at, f"found {found or 'the end'}; a node stands in brackets: MATCH (n), MATCH (n:type)."
        )
    expected = _in_words(accepted, parser)
    shown = f"`{found}`" if found else "the end of the text"
    near = ""
    if word.isalpha() and "RETURN" in accepted and (hint := choices(word, _CLAUSES)).startswith("Did"):
        near = " " + hint.partition(" Valid")[0]
    return fault(text, at, f"found {shown}, expected {expected}.{near}")


def _accepted(error: UnexpectedInput) -> set[str]:
    """Names of the tokens that could stand there."""
    if isinstance(error, UnexpectedToken):
        return set(error.accepts or error.expected)
    return set(error.allowed or ()) if isinstance(error, UnexpectedCharacters) else set()


def _in_words(accepted: set[str], parser: Lark) -> str:
    """What could stand there, for people: "a value" and "an operator" for all that begins one or is one."""
    written = {
        each.name: each.pattern.value.upper() for each in parser.terminals if each.pattern.type == "str"
    }
    names = {written.get(name, name) for name in accepted}
    said = []
    if "TEXT" in names:
        said.append("a value")
        names -= _VALUES
    if "AND" in names:
        said.append("an operator")
        names -= _OPERATORS
    if "-" in names:
        said.append("an edge, -[:RELATION]->")
        names -= {"-", "<"}
    said += [_SHOWN.get(name, name if name.isalpha() else f"`{name}`") for name in sorted(names)]
    *first, last = dict.fromkeys(said) or ["something else"]
    return f"{', '.join(first)} or {last}" if first else last
