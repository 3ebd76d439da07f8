"""What a reply cost in tokens: what the server says where that can be true, else an estimate."""

import json

from graphtalk.lms.protocol import Request, ToolCall, Usage, about_tokens

MOST_A_LETTER = 4  # tokens: a letter has at most four bytes, and a token at least one
HIDDEN_INPUT = 10_000  # tokens of templates and tool descriptions that servers add to a prompt
HIDDEN_OUTPUT = 200_000  # tokens of thinking that servers count and do not show


def usage_of(
    request: Request, text: str, calls: tuple[ToolCall, ...], said: tuple[object, object, object]
) -> Usage:
    """The usage of one call. `said` is what the server says of tokens in, out and kept, which may be anything."""
    reply = text + "".join(call.name + call.arguments for call in calls)
    read = _believed(said[0], prompt_text(request), HIDDEN_INPUT)
    kept = said[2] if isinstance(said[2], int) and not isinstance(said[2], bool) else 0
    written = _believed(said[1], reply, HIDDEN_OUTPUT)
    return Usage(1, read, written, cached_tokens=min(max(kept, 0), read))


def prompt_text(request: Request) -> str:
    """All text of a request that costs tokens."""
    parts = [message.content for message in request.messages]
    parts += [call.name + call.arguments for message in request.messages for call in message.tool_calls]
    parts += [json.dumps(tool, default=dict) for tool in request.tools]
    if request.schema is not None:
        parts.append(json.dumps(request.schema, default=dict))
    return "\n".join(parts)


def _believed(said: object, text: str, hidden: int) -> int:
    """The count where it is a whole number that a text of this length can have, else an estimate."""
    most = len(text) * MOST_A_LETTER + hidden
    if not isinstance(said, int) or isinstance(said, bool) or said < 0 or said > most or (text and said == 0):
        return about_tokens(text)
    return said
