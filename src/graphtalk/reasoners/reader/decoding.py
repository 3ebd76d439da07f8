"""The likeliest readings of a question: a beam over the actions that the grammar allows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphtalk.reasoners.reader.encoding import FIXED_PLACES, Asked, encode_target, outputs, step_of
from graphtalk.reasoners.reader.grammar import FIXED, Grammar, State
from graphtalk.reasoners.reader.network import Memory, Network, kept

MOST_STEPS = 60


@dataclass(frozen=True)
class Guess:
    """A reading's actions, the logarithm of its probability, and its least sure step's."""

    actions: tuple[str, ...]
    log: float
    least: float


def decode(network: Network, memory: Memory, asked: Asked, grammar: Grammar, beams: int = 8) -> list[Guess]:
    """The best readings first. `memory`: `Network.memory` of the question; `grammar`: over its schema and values."""
    numbers = outputs(asked)
    names = [""] * (len(FIXED) + asked.positions)
    for action, number in numbers.items():
        names[number] = action
    live: list[tuple[float, float, State, tuple[str, ...]]] = [(0.0, 0.0, State(), ())]
    cache = network.begin()
    done: list[Guess] = []
    for at in range(MOST_STEPS):
        last = np.array([numbers[a[-1]] if a else FIXED_PLACES["START"] for _, _, _, a in live])
        rules, where = zip(*(step_of(state, numbers) for _, _, state, _ in live), strict=True)
        scores, cache = network.step(memory, cache, at, last, np.array(rules), np.array(where))
        found: list[tuple[float, float, int, int]] = []
        for i, (log, least, state, _) in enumerate(live):
            allowed = np.array(sorted(numbers[a] for a in grammar.allowed(state)), np.int64)
            if not len(allowed):  # an aggregate of what has no number
                continue
            own = scores[i, allowed]
            logs = own - own.max()
            logs -= np.log(np.exp(logs).sum())
            for j in np.argsort(-logs)[:beams]:
                found.append((log + float(logs[j]), min(least, float(logs[j])), i, int(allowed[j])))
        found.sort(key=lambda f: -f[0])
        more: list[tuple[float, float, State, tuple[str, ...]]] = []
        rows: list[int] = []
        for log, least, i, number in found:
            if len(more) >= beams:
                break
            _, _, state, actions = live[i]
            after = grammar.advance(state, names[number])
            if after.done:
                done.append(Guess((*actions, names[number]), log, least))
            else:
                more.append((log, least, after, (*actions, names[number])))
                rows.append(i)
        done = sorted(done, key=lambda g: -g.log)[:beams]
        if not more or (len(done) >= beams and more[0][0] < done[-1].log):
            break
        live, cache = more, kept(cache, np.array(rows))
    return done


def likelihood(
    network: Network, memory: Memory, asked: Asked, grammar: Grammar, actions: Sequence[str]
) -> Guess:
    """The probability of a reading that another wrote. Raises ValueError where the grammar does not allow it."""
    target = encode_target(actions, asked, grammar)
    scores = network.forced(memory, target.last, target.rule, target.where)
    scores = np.where(target.allowed, scores, -np.inf)
    most = scores.max(1)
    right = scores[np.arange(len(actions)), target.right]
    logs = right - most - np.log(np.exp(scores - most[:, None]).sum(1))
    return Guess(tuple(actions), float(logs.sum()), float(logs.min()))
