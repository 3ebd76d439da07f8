"""What an annotated text must be, whoever wrote it (section 4.5): it parses, calls what exists, and copies its arguments."""

import re
from collections.abc import Collection

from graphtalk.calls import FINISH
from graphtalk.calls.ast import Call, Expression, Items, NodeRef, Number, Text, walk
from graphtalk.calls.vocabulary import Vocabulary, fold
from graphtalk.core import CheckError, choices
from graphtalk.reasoners.toolformer.statement import SLOT, Statement, read_statement

LOAD = "GL"
_ONE = re.compile(r"\b(?:a|an|one|single|next|most|best|top|first|which|who|what)\b", re.IGNORECASE)


def check_annotation(text: str, annotated: str, vocabulary: Vocabulary, graphs: Collection[str]) -> Statement:
    """The parts of an annotated text.

    Raises ParseError where it does not parse, and CheckError where a slot is left, a function does not exist, a
    graph is neither one of `graphs` nor named in the text, or a node or a number is not copied from the text.
    """
    statement = read_statement(annotated, vocabulary)
    if statement.places and SLOT in annotated:
        raise CheckError(f"A slot {SLOT} is left; every slot becomes a call, or the text stays as it is.")
    if not statement.places and annotated.strip() != text.strip():
        raise CheckError("A text without calls must come back word for word.")
    words = _loose(text)
    for placed in statement.calls:
        for part in walk(placed.call):
            if isinstance(part, Call):
                _check_call(part, words, text, vocabulary, graphs)
    return statement


def _check_call(call: Call, words: str, text: str, vocabulary: Vocabulary, graphs: Collection[str]) -> None:
    known = vocabulary.find(call.function)
    if known is None or known == FINISH:
        valid = [f.toolformer for f in vocabulary.functions if f.toolformer]
        raise CheckError(f"No function {call.function!r}. {choices(call.function, valid)}")
    arguments = [*call.arguments, *(each for _, each in call.keywords)]
    if call.function == LOAD:
        name = arguments[0] if arguments else None
        if not isinstance(name, Text):
            raise CheckError("GL needs the name of a graph.")
        if fold(name.value) not in {fold(graph) for graph in graphs} and _loose(name.value) not in words:
            raise CheckError(
                f"No graph {name.value!r}, and the text names none so. {choices(name.value, graphs)}"
            )
        return
    for argument in arguments:
        _check_copied(argument, words, text)


def _check_copied(argument: Expression, words: str, text: str) -> None:
    if isinstance(argument, Items):
        for each in argument.values:
            _check_copied(each, words, text)
    if isinstance(argument, NodeRef) and _loose(argument.id) not in words:
        raise CheckError(f"{argument.kind}#{argument.id} is not copied from the text.")
    if (
        isinstance(argument, Number)
        and _loose(str(argument.value)) not in words
        and not _meant(argument, text)
    ):
        raise CheckError(f"The number {argument.value} is not copied from the text.")


def _meant(number: Number, text: str) -> bool:
    return number.value == 1 and says_one(text)


def says_one(text: str) -> bool:
    """Whether a text says 1 without writing it: "the movie that she watches next"."""
    return _ONE.search(text) is not None


def _loose(text: str) -> str:
    """A text as copies of its parts are looked for in it: case, blanks and signs between words do not matter."""
    return re.sub(r"[\s_-]+", "", text).casefold()
