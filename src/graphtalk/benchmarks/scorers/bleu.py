"""BLEU with 13a tokenisation, n-grams up to four, and no smoothing: sacrebleu's, and Hugging Face evaluate's.

Source: Papineni et al., BLEU: a method for automatic evaluation of machine translation (2002), section 2.3; the
tokenisation is that of NIST's mteval-v13a.
"""

import math
import re
import string
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import reduce

from graphtalk.benchmarks.scorers.given import Given

MOST = 4  # words in an n-gram
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_RULES = (
    (re.compile(f"([{re.escape(''.join(set(string.punctuation) - set(chr(39) + ',-.')))}])"), r" \1 "),
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),  # commas and points stay inside numbers
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])(-)"), r"\1 \2 "),
)


def bleu(given: Given) -> Mapping[str, float]:
    """BLEU of one answer. An answer shorter than four words is judged by the n-grams that it has."""
    return {"bleu": _bleu(((given.text, given.gold.text),), shorter=True)}


def corpus_bleu(pairs: Iterable[tuple[str, str]]) -> float:
    """BLEU of many answers, each beside the right one, from 0 to 1. This is the figure that papers report."""
    return _bleu(pairs, shorter=False)


def _bleu(pairs: Iterable[tuple[str, str]], shorter: bool) -> float:
    shared, total = [0] * MOST, [0] * MOST
    ours_long = gold_long = 0
    for ours, gold in ((tokens(a), tokens(b)) for a, b in pairs):
        ours_long, gold_long = ours_long + len(ours), gold_long + len(gold)
        for n in range(MOST):
            counts, gold_counts = _grams(ours, n + 1), _grams(gold, n + 1)
            shared[n] += (counts & gold_counts).total()
            total[n] += counts.total()
    orders = sum(map(bool, total)) if shorter else MOST
    if not orders or not all(shared[:orders]):
        return 0.0
    mean = sum(math.log(shared[n] / total[n]) for n in range(orders)) / orders
    return math.exp(mean + min(0.0, 1 - gold_long / ours_long))


def _grams(words: list[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(words[start:] for start in range(n)), strict=False))


def tokens(text: str) -> list[str]:
    """The words and signs of a text: `'3,000 (mg).'` has `3,000`, `(`, `mg`, `)` and `.`."""
    text = text.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    plain = reduce(lambda t, entity: t.replace(*entity), _ENTITIES, text)
    return reduce(lambda t, rule: rule[0].sub(rule[1], t), _RULES, f" {plain} ").split()
