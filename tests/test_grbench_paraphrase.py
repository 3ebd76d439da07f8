"""Paraphrases by a language model: what keeps every slot is used, the rest is not."""

import random

import pytest

from graphtalk.benchmarks import find_task
from graphtalk.benchmarks.grbench.paraphrase import keeps_slots, paraphrase, paraphrases, prompt, read_wording
from graphtalk.benchmarks.grbench.templates import read, wording_slots
from graphtalk.core import LmError
from graphtalk.lms.scripted import Line, ScriptedLM
from graphtalk.tools.executor import Executor
from grbench_graphs import small

TOGETHER = read("academic-mag").by_number[6]
GOOD = [f"Wording {n} of how often '{{author}}' met '{{other}}'?" for n in range(1, 5)]
PLAIN = tuple(line.replace("'", "") for line in GOOD)


def model(*replies: str, repeat: bool = False) -> ScriptedLM:
    return ScriptedLM([Line(reply, repeat=repeat) for reply in replies])


def test_four_good_paraphrases_follow_one_wording_of_the_template():
    found = paraphrase(model("\n".join(GOOD)), TOGETHER, random.Random(0))
    assert found[0] in TOGETHER.ask and found[1:] == PLAIN


def test_what_loses_doubles_or_makes_up_slots_is_thrown_away_and_asked_for_again():
    bad = (
        "Sure, here are four paraphrases:",
        "How often did '{author}' publish?",
        "Did '{author}' meet '{author}' and '{other}'?",
        "When in '{year}' did '{author}' meet '{other}'?",
        "'{author}' {other",
        "{author} {other}",
    )
    first = "\n".join((*bad, f"1. {GOOD[0]}", f"- {GOOD[1]}", GOOD[1]))
    found = paraphrase(model(first, "\n".join(GOOD)), TOGETHER, random.Random(0))
    assert found[1:] == PLAIN


def test_the_templates_own_wordings_fill_up():
    lm = model("nothing of use", repeat=True)
    assert set(paraphrase(lm, TOGETHER, random.Random(0))) == set(TOGETHER.ask)


def test_the_prompt_shows_slots_in_quotes_and_asks_for_four():
    class Listening(ScriptedLM):
        heard: str = ""

        def complete(self, request):
            self.heard = request.messages[0].content
            return super().complete(request)

    lm = Listening([Line("", repeat=True)])
    paraphrase(lm, TOGETHER, random.Random(0))
    assert "in 4 different ways" in lm.heard and "'{author}'" in lm.heard and "'{name}'" in lm.heard
    assert "{count}" in prompt() and "Template: {template}" in prompt()


def test_a_model_that_cannot_be_asked_is_an_error():
    with pytest.raises(LmError):
        paraphrases(model(), read("academic-mag"))


@pytest.mark.parametrize(
    ("line", "wording"),
    [
        ("3) Who wrote '{book}'?", "Who wrote {book}?"),
        ("(2) Who wrote “{book}”?", "Who wrote {book}?"),
        ('* Who wrote  "{book}"?', "Who wrote {book}?"),
        ("Who wrote {book} of '{author}'?", "Who wrote {book} of {author}?"),
        ("1984 is {book}?", "1984 is {book}?"),
    ],
)
def test_bullets_and_quotes_go(line, wording):
    assert read_wording(line) == wording


def test_braces_beside_slots_are_refused():
    assert not keeps_slots("What } is {book} here?", "Who wrote {book}?")
    assert not keeps_slots("{book}", "Who wrote {book}?")


def test_questions_are_made_with_the_models_wordings():
    task = find_task("grbench-academic-biology")
    executor = Executor(small("academic")[1])
    lm = model("\n".join(GOOD), repeat=True)  # fits the templates with these two slots alone
    rows = {m["qid"]: m for m in task.generate(executor, 5, 0, lm).rows}
    assert str(rows["academic-biology-06-1"]["question"]).startswith("Wording 1 of how often ")
    assert set(wording_slots(TOGETHER.ask[0])) == {"author", "other"}
    plain = {m["qid"]: m for m in task.generate(executor, 5, 0).rows}
    assert rows.keys() == plain.keys()
    assert all(rows[qid]["answer"] == plain[qid]["answer"] for qid in rows)
