"""ROUGE-LSum: the longest common subsequence line by line, as the package rouge-score does, without stemming.

Source: Lin, ROUGE: a package for automatic evaluation of summaries (2004), section 3.2. A text of one line has the
score of ROUGE-L.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from graphtalk.benchmarks.scorers.given import Given

_WORD = re.compile(r"[a-z0-9]+")


def rouge_lsum(given: Given) -> Mapping[str, float]:
    """`rougeLsum`, an F measure."""
    ours, gold = _lines(given.text), _lines(given.gold.text)
    ours_left, gold_left = (Counter(word for line in lines for word in line) for lines in (ours, gold))
    many = ours_left.total() + gold_left.total()
    shared = 0
    for line in gold:
        for word in _united(line, ours):
            if ours_left[word] > 0 and gold_left[word] > 0:
                ours_left[word] -= 1
                gold_left[word] -= 1
                shared += 1
    return {"rougeLsum": 2 * shared / many if shared else 0.0}


def _lines(text: str) -> list[list[str]]:
    return [words for line in text.split("\n") if (words := _WORD.findall(line.lower()))]


def _united(line: Sequence[str], others: Sequence[Sequence[str]]) -> list[str]:
    """The words of a line that stand in a longest common subsequence with any of the others."""
    places = {place for other in others for place in _common(line, other)}
    return [line[place] for place in sorted(places)]


def _common(first: Sequence[str], second: Sequence[str]) -> list[int]:
    """The places in `first` of one longest common subsequence."""
    table = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, a in enumerate(first, 1):
        for j, b in enumerate(second, 1):
            table[i][j] = table[i - 1][j - 1] + 1 if a == b else max(table[i - 1][j], table[i][j - 1])
    places, i, j = [], len(first), len(second)
    while i and j:
        if first[i - 1] == second[j - 1]:
            places.append(i - 1)
            i, j = i - 1, j - 1
        elif table[i - 1][j] >= table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return places
