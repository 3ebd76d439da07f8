"""Other wordings of a template, by a language model (Jin et al. 2024, section 3.4 and appendix C).

Templates are paraphrased before their slots are filled, so a model is asked once for each template, never sees a
node of the graph, and can garble no name. A paraphrase in which a slot is lost, doubled or made up is thrown away.
"""

import random
import re
from collections import Counter
from functools import cache
from importlib.resources import files

from graphtalk.benchmarks.grbench.templates import Template, Templates, wording_slots
from graphtalk.lms.protocol import LanguageModel, Request, user

MORE = 4
"""Paraphrases that are asked for: with the template itself they are five expressions, as in the paper."""

_TRIES = 3  # requests for one template, each with another seed
_SLOT = re.compile(r"\{\w+\}")
_QUOTED_SLOT = re.compile(r"['\"‘“]+(\{\w+\})['\"’”]+")
_LISTED = re.compile(r"\s*(?:[-*•]|\(?\d{1,2}[.):])\s*")  # a bullet or a number before a line


@cache
def prompt() -> str:
    """The prompt, with places for `count` and `template`."""
    return (files(__package__) / "paraphrase.txt").read_text(encoding="utf-8")


def paraphrases(lm: LanguageModel, templates: Templates, seed: int = 0) -> dict[str, tuple[str, ...]]:
    """Wordings by template id: one of the template's own, and up to four of a model's.

    Where a model gives fewer that keep every slot, the template's own fill up. Raises LmError where it cannot be
    asked.
    """
    return {
        template.id: paraphrase(lm, template, random.Random(f"{seed} {template.id}"))
        for template in templates
        if template.ask
    }


def paraphrase(lm: LanguageModel, template: Template, rng: random.Random) -> tuple[str, ...]:
    """Five wordings of one template."""
    original = rng.choice(template.ask)
    found: list[str] = []
    for _ in range(_TRIES):
        request = Request(user(_asked(original)), temperature=0.7, seed=rng.randrange(2**31))
        for line in lm.complete(request).text.splitlines():
            wording = read_wording(line)
            if keeps_slots(wording, original) and wording not in (original, *found):
                found.append(wording)
        if len(found) >= MORE:
            break
    own = [wording for wording in template.ask if wording != original]
    return (original, *(found + own)[:MORE])


def _asked(wording: str) -> str:
    quoted = _SLOT.sub(lambda slot: f"'{slot[0]}'", wording)
    return prompt().format(count=MORE, template=quoted)


def read_wording(line: str) -> str:
    """The wording in a line of a reply: without a bullet, and with its slots out of their quotes.

    >>> read_wording("2. Who wrote '{book}'?")
    'Who wrote {book}?'
    """
    bare = _QUOTED_SLOT.sub(r"\1", _LISTED.sub("", line, count=1) if _LISTED.match(line) else line)
    return " ".join(bare.split())


def keeps_slots(wording: str, original: str) -> bool:
    """Whether a wording has the same slots as the original, each as often, no other braces, and words beside.

    >>> keeps_slots("By whom is {book}?", "Who wrote {book}?"), keeps_slots("Who wrote it?", "Who wrote {book}?")
    (True, False)
    """
    rest = _SLOT.sub("", wording)
    same = Counter(wording_slots(wording)) == Counter(wording_slots(original))
    return same and not set("{}") & set(rest) and len(rest.split()) >= 2
