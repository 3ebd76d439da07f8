"""Texts that ask for what a model predicts, whatever the graph records."""

import re
from dataclasses import replace

from graphtalk.calls.ast import Boolean, Call
from graphtalk.reasoners.toolformer.statement import Statement

_PREDICTED = re.compile(
    r"\b(?:predict\w*|forecast\w*|guess|(?:graph|seg)[-_ ]?bert|bpr|transe|k-?means)\b", re.I
)
_TOLD_TO_PREDICT = frozenset(("Topic", "MoleculeFunction", "Rating"))


def asks_for_prediction(text: str) -> bool:
    """Whether a text says that a model is to predict, or names one."""
    return _PREDICTED.search(text) is not None


def of_the_model(call: Call) -> Call:
    """The call that asks the model even where the graph records what it would say."""
    if call.function not in _TOLD_TO_PREDICT or any(name == "predicted" for name, _ in call.keywords):
        return call
    return replace(call, keywords=(*call.keywords, ("predicted", Boolean(True))))


def of_the_models(statement: Statement) -> Statement:
    """A text whose calls ask the models; its words, and the spelling of its calls, stay as they are."""
    places = tuple(
        replace(place, calls=tuple(replace(each, call=of_the_model(each.call)) for each in place.calls))
        for place in statement.places
    )
    return replace(statement, places=places)
