"""How a model ends a run, in any protocol: `Finish[…]` with names, words, a call or an earlier result; `Unanswerable[…]`."""

import re
from collections.abc import Iterator, Sequence

from graphtalk.calls import FINISH, UNANSWERABLE, Vocabulary, find_calls
from graphtalk.calls.ast import Boolean, Call, Expression, Items, NodeRef, Text
from graphtalk.core.reading import read_json
from graphtalk.reasoners.graph_cot.turns import Action, Ending, Round, Seen, Turn
from graphtalk.reasoners.untrusted import one_line

ENDS = frozenset({FINISH.name, UNANSWERABLE.name})
"""The functions that end a run."""

_EARLIER = re.compile(
    r"(?:(?:the )?(?:results?|values?|output|answers?|(?:all )?(?:names|nodes)|list|entries|all) (?:of|from|in) )?"
    r"(?:the )?(?P<what>observation|obs\.?|execution|action|step|result)\s*#?(?P<n>\d{1,4})",
    re.IGNORECASE,
)
_MANY_CALLS = f"{FINISH.name} takes names, words, or one call; join several calls into one."


def ending_turn(thought: str, actions: tuple[Action, ...], call: Call, rounds: Sequence[Round]) -> Turn:
    """The turn that a call of `Finish` or `Unanswerable` makes, after the actions that stand with it."""
    values = tuple(_flat((*call.arguments, *(value for _, value in call.keywords))))
    inner = [value for value in values if isinstance(value, Call)]
    if call.function == UNANSWERABLE.name:
        return Turn(thought, actions, Ending(", ".join(_words(values)), declined=True))
    if inner and inner[0].function in ENDS:
        return ending_turn(thought, actions, inner[0], rounds)
    if len(inner) == len(values) == 1:
        return _of_action(thought, actions, Action(f"{FINISH.name}[…]", inner[0]))
    if inner:
        return Turn(thought, (*actions, Action(FINISH.name, None, _MANY_CALLS)))
    words = _words(values)
    if len(words) == 1 and (named := _EARLIER.fullmatch(words[0].strip())):
        return _of_action(thought, actions, _earlier(named["what"].casefold(), int(named["n"]), rounds))
    return Turn(thought, actions, Ending(", ".join(words), words if len(words) > 1 else ()))


def ending_of_words(text: str, vocabulary: Vocabulary, rounds: Sequence[Round]) -> Turn:
    """The turn that a text ends a run with: names as a JSON list, a call, the name of an earlier result, or words."""
    said = text.strip()
    found = find_calls(said, vocabulary)
    if len(found) == 1 and (found[0].start, found[0].end) == (0, len(said.rstrip(". "))):
        call = found[0].call
        return ending_turn("", (), call if call.function in ENDS else Call(FINISH.name, (call,)), rounds)
    try:
        listed = read_json(said) if said.startswith("[") else said
    except ValueError:
        listed = said
    values = listed if isinstance(listed, list) else [said]
    return ending_turn("", (), Call(FINISH.name, tuple(Text(str(value)) for value in values)), rounds)


def _of_action(thought: str, actions: tuple[Action, ...], last: Action) -> Turn:
    return Turn(thought, (*actions, last), Ending(of_action=True))


def _earlier(what: str, n: int, rounds: Sequence[Round]) -> Action:
    """The call again that gave an earlier result; all of a step's calls together, where it had several.

    An observation is that of a step of the text protocol; a result is counted through all steps.
    """
    steps = [round_.seen for round_ in rounds] if what != "result" else [(s,) for r in rounds for s in r.seen]
    seen: Sequence[Seen] = steps[n - 1] if 0 < n <= len(steps) else ()
    calls = [s.action.call for s in seen if s.result is not None and s.action.call is not None]
    text = f"{FINISH.name}[{what.capitalize()} {n}]"
    if not calls or len(calls) < len(seen):
        return Action(text, None, f"There is no {what} {n} that a call gave.")
    whole = calls[0]
    for call in calls[1:]:
        whole = Call("Union", (whole, call))
    return Action(text, whole)


def _flat(values: Sequence[Expression]) -> Iterator[Expression]:
    for value in values:
        if isinstance(value, Items):
            yield from _flat(value.values)
        else:
            yield value


def _words(values: Sequence[Expression]) -> tuple[str, ...]:
    found = []
    for value in values:
        if isinstance(value, Boolean):
            found.append(str(value.value))
        elif isinstance(value, NodeRef):
            found.append(value.id)
        elif not isinstance(value, Call):
            found.append(str(value.value) if not isinstance(value, Items) else "")
    return tuple(found)


def declined_because(why: str) -> str:
    """What an answer says where a model declines."""
    said = one_line(why, 300)
    return (
        f"The graph does not tell, says the model: {said}"
        if said
        else "The model found no answer in the graph."
    )
