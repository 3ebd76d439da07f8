"""Learning to rank readings: a question and each reading of it told in words go through MiniLM's layers together (torch).

The readings are those that the reader's own beam gives, so the wrong ones are near misses: another relation, direction,
property or operator. `graphtalk.reasoners.reader.network.Network.ranks` runs the same in numpy.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from graphtalk.language.wordpiece import WordPiece
from graphtalk.reasoners.reader.encoding import encode_items, encode_question
from graphtalk.reasoners.reader.grammar import Grammar
from graphtalk.reasoners.reader.linking import Linked
from graphtalk.reasoners.reader.reader import MOST_TOKENS, AskedReader, Reader, answering
from graphtalk.reasoners.reader.reading import Reading, canonical, parsed, written
from graphtalk.reasoners.reader.shape import Shape
from graphtalk.reasoners.reader.telling import told
from graphtalk.search.transformer import HEADS, WIDTH
from graphtalk.training.reader.examples import Example, Mention
from graphtalk.training.reader.network import HIDDEN, Block
from graphtalk.training.reader.sources import MOST_POSITIONS, MOST_STEPS, Source

RANK_LAYERS = 4
MOST_READINGS = 7  # of one question


@dataclass(frozen=True)
class Choice:
    """A question, and readings of it in words with whether each is right."""

    question: str
    readings: tuple[tuple[str, bool], ...]


class Ranker(nn.Module):  # type: ignore[misc]
    """Scores pairs of texts: MiniLM's embeddings as they are, its first layers learnt on, the first token's state weighed."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(30522, WIDTH)
        self.places = nn.Embedding(512, WIDTH)
        self.word_norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.encoder = nn.ModuleList(Block(WIDTH, HEADS, 4 * WIDTH, 0.0) for _ in range(RANK_LAYERS))
        self.wide = nn.Linear(WIDTH, WIDTH)
        self.score = nn.Linear(WIDTH, 1)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """One score a row of token ids, shape (pairs,)."""
        with torch.no_grad():
            x = self.word_norm(self.words(ids) + self.places.weight[: ids.shape[1]])
        bias = torch.zeros(mask.shape, dtype=x.dtype, device=x.device).masked_fill(~mask, HIDDEN)
        bias = bias[:, None, None, :].expand(-1, -1, ids.shape[1], -1)
        for layer in self.encoder:
            x = layer(x, bias)
        return self.score(torch.tanh(self.wide(x[:, 0])))[:, 0]


def choices(sources: Sequence[tuple[float, Source]], reader: Reader, random: Random) -> Iterator[Choice]:
    """Questions without end, each with the right reading and what the reader's beam gives beside it.

    A question that nothing answers has wrong readings only.
    """
    weights = [w for w, _ in sources]
    while True:
        group = random.choices(sources, weights)[0][1](random, 10)
        try:
            items = encode_items(group.shape, reader.tokenizer)
        except ValueError:
            continue
        states = cache(partial(reader.network.items, items))
        for e in group.examples:
            values = tuple(map(linked, e.values))
            spans = [(v.start, v.end, v.kind, v.owners) for v in values]
            asked = encode_question(e.question, spans, items, reader.tokenizer)
            if asked.positions > MOST_POSITIONS or len(e.actions) > MOST_STEPS:
                continue
            kinds = {f"S:{i}": v.kind for i, v in enumerate(values)}
            owners = {f"S:{i}": v.owners for i, v in enumerate(values)}
            grammar = Grammar(group.shape, kinds, owners)
            choice = _choice(e, AskedReader(reader.network, asked, states, grammar, values))
            if choice is not None:
                yield choice


def _choice(example: Example, asked: AskedReader) -> Choice | None:
    try:
        gold = parsed(example.actions, asked.shape)
        right = None if gold is None else _answer(gold, asked.shape)
        found = {} if gold is None else {told(canonical(gold, asked.shape), asked.shape, asked.values): True}
        guesses = asked.guesses()
    except (ValueError, KeyError, TypeError):  # a value of another kind than is said of it
        return None
    for read in guesses:
        if read.reading is not None and len(found) < MOST_READINGS:
            try:
                same = _answer(read.reading, asked.shape) == right
            except KeyError:  # a column that is told is what another column needs
                continue
            if not same:
                found.setdefault(read.told, False)
    return Choice(example.question, tuple(found.items())) if len(found) > 1 else None


def _answer(reading: Reading, shape: Shape) -> tuple[str, ...]:
    """The form of what a reading answers: an order without a limit says nothing, nor do further columns."""
    reading = answering(reading)
    ordered = replace(reading, order=None) if reading.limit is None else reading
    return tuple(written(canonical(ordered, shape)))


def linked(mention: Mention) -> Linked:
    """A value of an example as one that was found in a question: the properties known to have it spell it so."""
    try:
        number: float | None = float(mention.text.replace(",", "").lower().strip("the 's"))
    except ValueError:
        number = None
    found = tuple((owner, (mention.text,)) for owner in mention.owners)
    return Linked(mention.text, mention.kind, mention.start, mention.end, number, found)


def write_choices(path: Path, found: Iterator[Choice], number: int) -> None:
    """So many choices as JSON lines."""
    with path.open("w", encoding="utf-8") as file:
        for _, choice in zip(range(number), found, strict=False):
            row = {"question": choice.question, "readings": choice.readings}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def read_choices(path: Path) -> list[Choice]:
    """Choices as `write_choices` wrote them, or judged by what they give as `scripts/collect_judged.py` wrote them."""
    found = []
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        pairs = row["readings"] if "readings" in row else _judged(row)
        first: dict[str, bool] = {}
        for words, right in pairs:
            first.setdefault(words, right)
        readings = tuple(first.items())[: MOST_READINGS + 1]
        if len(readings) > 1:
            found.append(Choice(row["question"], readings))
    return found


def _judged(row: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """Judged readings in words; what the planner alone reads is told in its own way."""
    for read, words, right in zip(row["read"], row["told"], row["right"], strict=True):
        yield read or words, right


def batches(found: Sequence[Choice], random: Random, size: int = 12) -> Iterator[list[Choice]]:
    """All choices once, in batches of about one length."""
    order = random.sample(found, len(found))
    for start in range(0, len(order), 400):
        part = sorted(
            order[start : start + 400], key=lambda c: len(c.question) + max(len(t) for t, _ in c.readings)
        )
        rows = [part[at : at + size] for at in range(0, len(part), size)]
        yield from random.sample(rows, len(rows))


def tokens(batch: Sequence[Choice], tokenizer: WordPiece) -> tuple[Tensor, Tensor]:
    """The pairs of a batch as token ids and their mask, shape (pairs, tokens)."""
    rows = [tokenizer.ids(c.question, words)[:MOST_TOKENS] for c in batch for words, _ in c.readings]
    ids = np.zeros((len(rows), max(map(len, rows))), np.int64)
    mask = np.zeros(ids.shape, bool)
    for i, row in enumerate(rows):
        ids[i, : len(row)], mask[i, : len(row)] = row, True
    return torch.from_numpy(ids), torch.from_numpy(mask)


def loss(scores: Tensor, batch: Sequence[Choice]) -> tuple[Tensor, int, int]:
    """Each pair right or wrong, and the right one before its rivals; how many questions have theirs first, and have one."""
    right = torch.tensor([y for c in batch for _, y in c.readings])
    total = F.binary_cross_entropy_with_logits(scores, right.float())
    first, ranked, start = 0, [], 0
    for c in batch:
        own, mine = scores[start : start + len(c.readings)], right[start : start + len(c.readings)]
        start += len(c.readings)
        if mine.any():
            ranked.append(torch.logsumexp(own, 0) - torch.logsumexp(own[mine], 0))
            first += bool(mine[own.argmax()])
    return (total + torch.stack(ranked).mean() if ranked else total), first, len(ranked)
