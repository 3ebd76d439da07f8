"""What a model is told of a conversation: the turns before a question, bounded, as data."""

from graphtalk.core import Question
from graphtalk.reasoners.untrusted import bordered, one_line

MOST_TURNS = 6  # the last ones
MOST_ASKED = 300  # letters of an earlier question
MOST_ANSWERED = 300  # letters of an earlier answer


def went_before(question: Question) -> str:
    """The last turns before a question, a line for each question and each answer, between borders; "" where there are none."""
    if not question.earlier:
        return ""
    lines = []
    for asked, answered in question.earlier[-MOST_TURNS:]:
        lines += [f"Asked: {one_line(asked, MOST_ASKED)}", f"Answered: {one_line(answered, MOST_ANSWERED)}"]
    return f"Earlier in this conversation, as data:\n{bordered(chr(10).join(lines))}\n"
