"""A question over a schema as the network sees it: token ids, items, values, how each two of them are related.

Positions are the question's tokens, then its values, then the schema's items. `relations` says for each pair of
positions what they are to each other; the network learns a bias for each (after RAT-SQL: Wang et al., 2020).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graphtalk.language.wordpiece import WordPiece
from graphtalk.reasoners.reader.grammar import FIXED, Grammar, State
from graphtalk.reasoners.reader.shape import Shape, Step, spoken
from graphtalk.reasoners.reader.words import stem, stems

MOST_TOKENS = 96
RULES = (
    "form", "items", "item", "body", "path", "view", "reference", "test", "value", "number", "than", "also",
    "comparison", "limit", "measure", "of", "number of", "aggregated", "tail", "column", "columns", "own", "order",
    "end", "done",
)  # fmt: skip
KINDS = (
    "token", "number", "date", "quoted", "name", "type", "out", "in", "text", "boolean", "list", "numeric", "when",
    "edge text", "edge number", "edge other", "naming",
)  # fmt: skip
NEAR, MATCH, MATCHED, SPAN, SPANNED, VALUES, OWNS, OWNED, ITEMS = 1, 6, 9, 12, 14, 16, 18, 21, 24
PAIRS = 40
MARKS = 8

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Items:
    """The items of a schema, ready for the network.

    `tokens`: the token ids of each different text; `text`: which text an item has; `pairs`: how items are related,
    shape (items, items).
    """

    shape: Shape
    actions: tuple[str, ...]
    tokens: tuple[tuple[int, ...], ...]
    text: NDArray[np.int64]
    kinds: NDArray[np.int64]
    pairs: NDArray[np.int8]
    stems: tuple[frozenset[str], ...]

    @property
    def places(self) -> dict[str, int]:
        """Where each action stands among the items."""
        return {a: i for i, a in enumerate(self.actions)}


def encode_items(shape: Shape, tokenizer: WordPiece) -> Items:
    """What does not change from question to question."""
    texts: list[str] = []
    named: list[str] = []
    kinds: list[str] = []
    for t in shape.types:
        texts.append(spoken(t))
        named.append(spoken(t))
        kinds.append("type")
    for step in shape.steps.values():
        texts.append(_view_text(step))
        named.append(spoken(step.link.name))
        kinds.append("out" if step.out else "in")
    for held in shape.held:
        owner = spoken(held.owner.split("-")[1] if held.edge else held.owner)
        shown = f" : {', '.join(held.examples[:2])}"[:40] if held.examples else ""
        texts.append(f"{owner} {spoken(held.name)}{shown}")
        named.append(spoken(held.name))
        kinds.append(_kind(held.kind, held.edge, held.naming))
    different = {text: i for i, text in enumerate(dict.fromkeys(texts))}
    tokens = [tuple(tokenizer.ids(text)[:24]) for text in different]
    return Items(
        shape,
        shape.items,
        tuple(tokens),
        np.array([different[t] for t in texts], np.int64),
        np.array([KINDS.index(k) for k in kinds], np.int64),
        _item_pairs(shape),
        tuple(map(stems, named)),
    )


def _view_text(step: Step) -> str:
    """A view in words: from the link's source on, or, where its name says what the ends are to each other, from its own end."""
    source, target = spoken(step.link.source), spoken(step.link.target)
    name = spoken(step.link.name)
    words = name.split()
    if not step.out and len(words) > 1:
        if words[0] == "has":
            return f"{target} {' '.join(words[1:])} of {source}"
        if words[-1] == "of":
            return f"{target} has {' '.join(words[:-1])} {source}"
    return f"{source} {name} {target}"


def _kind(kind: str, edge: bool, naming: bool) -> str:
    if edge:
        return {"text": "edge text", "number": "edge number"}.get(kind, "edge other")
    return "naming" if naming else {"number": "numeric", "date": "when"}.get(kind, kind)


def _item_pairs(shape: Shape) -> NDArray[np.int8]:
    """What two items are to each other."""
    place = {a: i for i, a in enumerate(shape.items)}
    pairs = np.full((len(place), len(place)), ITEMS, np.int8)
    np.fill_diagonal(pairs, ITEMS + 1)
    held_by = {o: [place[a] for a in actions] for o, actions in shape.held_by.items()}
    for own in held_by.values():
        for i in own:
            pairs[i, [j for j in own if j != i]] = ITEMS + 11
    steps = {a: place[a] for a in shape.steps}
    for t in shape.types:
        i = place[f"T:{t}"]
        for j in held_by.get(t, ()):
            pairs[i, j], pairs[j, i] = ITEMS + 2, ITEMS + 3
    for action, step in shape.steps.items():
        j = steps[action]
        for other, more in shape.steps.items():
            if other != action and more.link.name == step.link.name:
                pairs[j, steps[other]] = ITEMS + 8 if more.link == step.link else ITEMS + 14
        source, target = place[f"T:{step.source}"], place[f"T:{step.target}"]
        pairs[target, j], pairs[j, target] = ITEMS + 6, ITEMS + 7
        pairs[source, j], pairs[j, source] = ITEMS + 4, ITEMS + 5
        for k in held_by.get(step.link.key, ()):
            pairs[j, k], pairs[k, j] = ITEMS + 9, ITEMS + 10
        for k in held_by.get(step.target, ()):
            pairs[j, k], pairs[k, j] = ITEMS + 12, ITEMS + 13
    return pairs


@dataclass(frozen=True)
class Asked:
    """A question ready for the network. `pairs`: shape (positions, positions); `spans`: tokens of each value.

    `marks`: for each position what the words of the question say for it (see `_marks`).
    """

    tokens: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    value_kinds: tuple[int, ...]
    pairs: NDArray[np.int8]
    marks: NDArray[np.int64]
    items: Items

    @property
    def positions(self) -> int:
        """How many tokens, values and items."""
        return len(self.pairs)


def encode_question(
    question: str, values: Sequence[tuple[int, int, str, Sequence[str]]], items: Items, tokenizer: WordPiece
) -> Asked:
    """`values`: start, end, kind and the owners (actions of properties) of each value of the question."""
    encoded = tokenizer.encode(question)
    ids = encoded.ids[:MOST_TOKENS]
    offsets = encoded.offsets[:MOST_TOKENS]
    spans = [_tokens_of(offsets, start, end) for start, end, _, _ in values]
    kinds = [KINDS.index(kind) for _, _, kind, _ in values]
    matched = _matches(question, offsets, [(start, end) for start, end, _, _ in values], items)
    marks = np.concatenate([np.zeros(len(ids) + len(spans), np.int64), _marks(matched, values, items)])
    pairs = _pairs(offsets, spans, values, items, matched)
    return Asked(tuple(ids), tuple(spans), tuple(kinds), pairs, marks, items)


def _marks(
    matched: NDArray[np.int8], values: Sequence[tuple[int, int, str, Sequence[str]]], items: Items
) -> NDArray[np.int64]:
    """For each item 1 + how well it is named (0 to 2), and 3 more where a value of the question is its own.

    A value is a property's that has it, its type's, and a view's that reaches the type.
    """
    shape = items.shape
    held = {owner for _, _, _, owners in values for owner in owners}
    types = {shape.properties[a].owner for a in held if a in shape.properties}
    owned = [
        a in held
        or a[2:] in types
        or (a in shape.steps and bool({shape.steps[a].target, shape.steps[a].link.key} & types))
        for a in items.actions
    ]
    return np.asarray(1 + matched.max(0, initial=0).astype(np.int64) + 3 * np.array(owned, np.int64))


def _tokens_of(offsets: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    inside = [i for i, (a, b) in enumerate(offsets) if a < end and b > start and b > a]
    return (inside[0], inside[-1] + 1) if inside else (0, 1)


def _pairs(
    offsets: Sequence[tuple[int, int]],
    spans: Sequence[tuple[int, int]],
    values: Sequence[tuple[int, int, str, Sequence[str]]],
    items: Items,
    matched: NDArray[np.int8],
) -> NDArray[np.int8]:
    n, v, m = len(offsets), len(spans), len(items.actions)
    pairs = np.zeros((n + v + m, n + v + m), np.int8)
    at = np.arange(n)
    pairs[:n, :n] = NEAR + 2 + np.clip(at[None, :] - at[:, None], -2, 2)
    pairs[:n, n + v :] = MATCH + matched
    pairs[n + v :, :n] = MATCHED + matched.T
    pairs[:n, n : n + v] = SPAN
    pairs[n : n + v, :n] = SPANNED
    pairs[n : n + v, n : n + v] = VALUES + 1
    pairs[n : n + v, n + v :] = OWNS
    pairs[n + v :, n : n + v] = OWNED
    places = items.places
    for i, ((a, b), (_, _, _, owners)) in enumerate(zip(spans, values, strict=True)):
        pairs[a:b, n + i] = SPAN + 1
        pairs[n + i, a:b] = SPANNED + 1
        pairs[n + i, n + i] = VALUES
        for owner in owners:
            j = places.get(owner)
            if j is None:
                continue
            held = items.shape.properties[owner]
            pairs[n + i, n + v + j], pairs[n + v + j, n + i] = OWNS + 1, OWNED + 1
            k = places.get(f"T:{held.owner}")
            if k is not None:
                pairs[n + i, n + v + k], pairs[n + v + k, n + i] = OWNS + 2, OWNED + 2
    pairs[n + v :, n + v :] = items.pairs
    return pairs


def _matches(
    question: str, offsets: Sequence[tuple[int, int]], values: Sequence[tuple[int, int]], items: Items
) -> NDArray[np.int8]:
    """For each token and item: 0, 1 where the token's word is in the item's name, 2 where all its words are asked.

    Words in values say nothing of the schema.
    """
    matched = np.zeros((len(offsets), len(items.actions)), np.int8)
    words = [
        (m.start(), m.end(), stem(m.group().lower()))
        for m in _WORD.finditer(question)
        if all(m.end() <= start or m.start() >= end for start, end in values)
    ]
    asked = {w for _, _, w in words}
    by_stem: dict[str, list[int]] = {}
    for j, own in enumerate(items.stems):
        for each in own & asked:
            by_stem.setdefault(each, []).append(j)
    whole = np.array([2 if own <= asked and own else 1 for own in items.stems], np.int8)
    at = 0
    for i, (a, b) in enumerate(offsets):
        if b <= a:
            continue
        while at < len(words) - 1 and words[at][1] <= a:
            at += 1
        if words and words[at][0] < b and words[at][1] > a:
            found = by_stem.get(words[at][2], [])
            matched[i, found] = whole[found]
    return matched


@dataclass(frozen=True)
class Target:
    """A reading's actions as the decoder learns them, one row a step: what was done last, what is expected, what is right.

    Outputs are numbered: the fixed actions, then positions. `rule`: the rule on top of the stack; `where`: the
    position of the type that the rule is about, or -1; `allowed`: shape (steps, outputs).
    """

    last: NDArray[np.int64]
    rule: NDArray[np.int64]
    where: NDArray[np.int64]
    right: NDArray[np.int64]
    allowed: NDArray[np.bool_]


FIXED_PLACES = {a: i for i, a in enumerate(FIXED)}


def outputs(asked: Asked) -> dict[str, int]:
    """The number of each action that a question over a schema can use."""
    n, v = len(asked.tokens), len(asked.spans)
    found = dict(FIXED_PLACES)
    found.update({f"S:{i}": len(FIXED) + n + i for i in range(v)})
    found.update({a: len(FIXED) + n + v + i for i, a in enumerate(asked.items.actions)})
    return found


def step_of(state: State, numbers: dict[str, int]) -> tuple[int, int]:
    """The rule on top and the position of its type."""
    if not state.stack:
        return RULES.index("done"), -1
    top = state.stack[-1]
    where = numbers.get(f"T:{top.type}", len(FIXED) - 1) - len(FIXED)
    return RULES.index(top.kind), where


def encode_target(actions: Sequence[str], asked: Asked, grammar: Grammar) -> Target:
    """The steps of a reading. Raises ValueError where the grammar does not allow one."""
    numbers = outputs(asked)
    state = State()
    last, rules, where, right, allowed = [FIXED_PLACES["START"]], [], [], [], []
    for action in actions:
        mask = np.zeros(len(FIXED) + asked.positions, np.bool_)
        mask[[numbers[a] for a in grammar.allowed(state)]] = True
        rule, place = step_of(state, numbers)
        state = grammar.advance(state, action)
        rules.append(rule)
        where.append(place)
        right.append(numbers[action])
        allowed.append(mask)
        last.append(numbers[action])
    if not state.done:
        raise ValueError("The reading is not whole.")
    return Target(np.array(last[:-1]), np.array(rules), np.array(where), np.array(right), np.stack(allowed))
