"""Measure search: recall under noise, latency, build, size, embedders; against brute force in the same run.

    .venv/bin/python scripts/bench_search.py [--titles 1000000] [--queries 500] [--data ../shared/data]

Titles are synthetic: 5 to 14 words (7 on average) drawn by Zipf's law from the words of real names
(Hetionet, WordNet, MetaQA). A query is a title without two of its words and with one letter added, dropped,
changed or swapped. Prints a table in Markdown.
"""

import argparse
import gzip
import lzma
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np
import pyarrow as pa

from graphtalk.graphs import Graph, NodeTable, build
from graphtalk.graphs.store import open_graph, write
from graphtalk.search import Index, load_embedder, normalise

BRUTE_QUERIES = 10
T = TypeVar("T")


@dataclass(frozen=True)
class Row:
    """A line of the table: what was measured, by us, by brute force (if it was), and in what unit."""

    what: str
    ours: float
    unit: str
    brute: float | None = None

    def __str__(self) -> str:
        brute = "" if self.brute is None else f"{self.brute:,.4g}"
        ratio = "" if self.brute is None else f"{self.brute / self.ours:,.4g}"
        return f"| {self.what} | {self.ours:,.4g} | {self.unit} | {brute} | {ratio} |"


def main() -> None:
    """Parse options, measure, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--titles", type=int, default=1_000_000)
    parser.add_argument("--queries", type=int, default=500)
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[2] / "shared" / "data")
    options = parser.parse_args()
    if not options.data.is_dir():
        sys.exit(f"No folder {options.data}: the words of titles come from the benchmark data.")
    names = real_names(options.data)
    titles = synthetic_titles(names, options.titles)
    print("| what | graphtalk | unit | brute force | brute / ours |\n|---|---|---|---|---|")
    for row in measure_embedders(names):
        print(row, flush=True)
    for row in measure_titles(titles, options.queries):
        print(row, flush=True)


def real_names(data: Path) -> list[str]:
    """Names of Hetionet, glosses of WordNet, entities of MetaQA."""
    with gzip.open(data / "hetionet" / "nodes.tsv.gz", "rt", encoding="utf-8") as file:
        names = [line.split("\t")[1] for line in file][1:]
    for folder in ("kg/WN18", "metaqa/kg"):
        with lzma.open(data / folder / "entity2text.txt.xz", "rt", encoding="utf-8") as file:
            names += [line.rstrip("\n").split("\t", 1)[1] for line in file if "\t" in line]
    return names


def synthetic_titles(names: Sequence[str], count: int) -> list[str]:
    """Titles of words drawn with a probability of 1 / rank^0.9."""
    counts = Counter(word for name in names for word in re.findall(r"[a-z0-9]{2,}", name.lower()))
    words = np.array([word for word, _ in counts.most_common()], dtype=object)
    weights = 1 / np.arange(1, len(words) + 1) ** 0.9
    draw = np.random.default_rng(0)
    lengths = np.clip(draw.poisson(7, count), 5, 14)
    drawn = words[draw.choice(len(words), size=int(lengths.sum()), p=weights / weights.sum())]
    ends = np.cumsum(lengths)
    return [" ".join(drawn[end - length : end]) for end, length in zip(ends, lengths, strict=True)]


def noisy(title: str, chance: random.Random) -> str:
    """The title without two words and with one slip of the pen."""
    words = title.split()
    for _ in range(2):
        words.pop(chance.randrange(len(words)))
    which = chance.randrange(len(words))
    word, letter = words[which], chance.choice("abcdefghijklmnopqrstuvwxyz")
    at = chance.randrange(len(word))
    head, tail = word[:at], word[at:]
    words[which] = chance.choice(
        [
            head + tail[1:],
            head + letter + tail,
            head + letter + tail[1:],
            head + tail[1:2] + tail[:1] + tail[2:],
        ]
    )
    return " ".join(words)


def measure_titles(titles: list[str], queries: int) -> list[Row]:
    """Build, size, opening, recall and latency over synthetic titles."""
    table = pa.table({"id": [f"T{i}" for i in range(len(titles))], "name": titles})
    graph = build([NodeTable("Title", table, "name")], [])
    with tempfile.TemporaryDirectory() as folder:
        bare = seconds(lambda: write(graph, Path(folder) / "bare"))
        built = (
            seconds(lambda: write(graph, Path(folder) / "full", [partial(Index.build, vectors="now")])) - bare
        )
        files = [p for p in (Path(folder) / "full" / "index").rglob("*") if p.is_file()]
        stored = open_graph(Path(folder) / "full")
        if not isinstance(stored, Graph):
            raise TypeError("a store of one graph was opened as a set")
        Index.open(stored)
        opened = seconds(lambda: Index.open(stored))
        index = Index.open(stored)
        index.retrieve("warm up")
        rows = [
            Row(f"build the index of {len(titles):,} titles", built, "s"),
            Row("size of the index", sum(p.stat().st_size for p in files) / 1e6, "MB"),
            Row("open the index", opened * 1e3, "ms"),
        ]
        return rows + measure_queries(index, titles, queries)


def measure_queries(index: Index, titles: list[str], queries: int) -> list[Row]:
    """Recall and latency of noisy, exact, meaningless and long queries."""
    chance = random.Random(1)
    wanted = chance.sample(range(len(titles)), queries)
    asked = [noisy(titles[i], chance) for i in wanted]
    found, times = zip(*(timed(lambda q=q: index.retrieve(q)) for q in asked), strict=True)
    right = [titles[hits[0].node] == titles[i] for hits, i in zip(found, wanted, strict=True)]
    few = list(zip(asked, wanted, strict=True))[:BRUTE_QUERIES]
    brute, brute_times = zip(*(timed(lambda q=q: scan(q, titles)) for q, _ in few), strict=True)
    brute_right = [titles[best] == titles[i] for best, (_, i) in zip(brute, few, strict=True)]
    exact = [timed(lambda i=i: index.exact(titles[i]))[1] for i in wanted]
    scan_exact = [timed(lambda i=i: titles.index(titles[i]))[1] for i in wanted[:BRUTE_QUERIES]]
    questions = [f"Which papers cite {titles[i]} and who wrote them?" for i in wanted]
    mentions = [timed(lambda q=q: index.mentions(q))[1] for q in questions]
    odd = [timed(lambda i=i: index.retrieve(f"qqzx{i}"))[1] for i in wanted[:50]]
    ms = 1e3
    return [
        Row("recall@1, two words lost and one typo", float(np.mean(right)), "", float(np.mean(brute_right))),
        Row("  its latency, median", float(np.median(times)) * ms, "ms", float(np.median(brute_times)) * ms),
        Row("  its latency, p99", float(np.quantile(times, 0.99)) * ms, "ms"),
        Row("exact name, median", float(np.median(exact)) * ms, "ms", float(np.median(scan_exact)) * ms),
        Row("mentions in a question, median", float(np.median(mentions)) * ms, "ms"),
        Row("a word that no title has (dense), median", float(np.median(odd)) * ms, "ms"),
    ]


def scan(query: str, titles: Sequence[str]) -> int:
    """Brute force: the shortest of the titles that contain most trigrams of the query."""
    form = normalise(query)
    trigrams = {form[i : i + 3] for i in range(len(form) - 2)}
    return max(
        range(len(titles)), key=lambda i: (sum(part in titles[i] for part in trigrams), -len(titles[i]))
    )


def measure_embedders(names: Sequence[str]) -> list[Row]:
    """Sentences a second, one sentence, and loading, of both shipped embedders."""
    rows = []
    sample = random.Random(0).sample(list(names), min(len(names), 40_000))
    for name, count in (("static", 40_000), ("minilm", 1_000)):
        embedder = load_embedder(name)
        first = seconds(lambda e=embedder: e.embed(["load"]))
        many = seconds(lambda e=embedder, n=count: e.embed(sample[:n]))
        one = [timed(lambda e=embedder, t=t: e.embed([t]))[1] for t in sample[:100]]
        rows += [
            Row(f"{name}: load and first sentence", first * 1e3, "ms"),
            Row(f"{name}: one sentence, median", float(np.median(one)) * 1e3, "ms"),
            Row(f"{name}: sentences a second", min(count, len(sample)) / many, ""),
        ]
    return rows


def timed(run: Callable[[], T]) -> tuple[T, float]:
    """What `run` returns, and how many seconds it took."""
    start = time.perf_counter()
    result = run()
    return result, time.perf_counter() - start


def seconds(run: Callable[[], object]) -> float:
    """How many seconds `run` takes."""
    return timed(run)[1]


if __name__ == "__main__":
    main()
