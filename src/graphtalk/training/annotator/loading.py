"""Learning graph loading calls: rankers of names, node sets and link sets, from the prompts `graph_data_loading`."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_array

from graphtalk.reasoners.toolformer.offline.candidates import (
    Candidate,
    Sentence,
    links,
    names,
    nodes,
    sentence_of,
)
from graphtalk.reasoners.toolformer.offline.loading import GraphLoader
from graphtalk.reasoners.toolformer.offline.ranking import BUCKETS, Context, Ranker, rows
from graphtalk.training.annotator.examples import Prompt

_CALL = re.compile(r'\[GL\((?P<name>"[^"]*"), (?P<nodes>"[^"]*"|\{.*?\}), (?P<links>"[^"]*"|\{.*\})\)\]')
_OFTEN = 2  # prompts that must say a set for it to be common


@dataclass(frozen=True)
class Loading:
    """A text and the parts of its graph loading call, as they are written."""

    sentence: Sentence
    name: str
    nodes: str
    links: str


def loading_examples(prompts: Sequence[Prompt]) -> list[Loading]:
    """The prompts with a whole graph loading call of three parts."""
    found = ((prompt, _CALL.search(prompt.output)) for prompt in prompts if "[GL(" in prompt.output)
    return [Loading(sentence_of(p.input), m["name"], m["nodes"], m["links"]) for p, m in found if m]


def learn_loader(examples: Sequence[Loading]) -> GraphLoader:
    """The rankers that best tell the right part from the other candidates."""
    common_nodes = _common(example.nodes for example in examples)
    common_links = _common(example.links for example in examples)
    name_cases, node_cases, link_cases = [], [], []
    for each in examples:
        sentence = each.sentence
        named, node_sets = list(names(sentence)), list(nodes(sentence, common_nodes))
        name_cases.append(_Case.of(sentence, named, each.name))
        node_cases.append(_Case.of(sentence, node_sets, each.nodes, (_how(named, each.name),)))
        before = (_how(node_sets, each.nodes), each.nodes)
        link_cases.append(_Case.of(sentence, list(links(sentence, common_links)), each.links, before))
    learnt = (_learn(name_cases), _learn(node_cases), _learn(link_cases))
    return GraphLoader(learnt[0], learnt[1], learnt[2], common_nodes, common_links)


@dataclass(frozen=True)
class _Case:
    """Candidates' features, and which of them are right."""

    rows: list[NDArray[np.int64]]
    right: NDArray[np.bool_]

    @classmethod
    def of(
        cls, sentence: Sentence, candidates: list[Candidate], truth: str, context: Context = ()
    ) -> "_Case":
        right = np.array([_same(candidate.text, truth) for candidate in candidates], dtype=bool)
        return cls(rows(candidates, sentence, context) if right.any() else [], right)


def _how(candidates: Sequence[Candidate], truth: str) -> str:
    return next((each.how for each in candidates if _same(each.text, truth)), "none")


def _same(first: str, second: str) -> bool:
    return first.replace(" ", "").lower() == second.replace(" ", "").lower()


def _common(sets: Iterable[str]) -> tuple[str, ...]:
    counted = Counter(each.strip('"') for each in sets if each.startswith('"'))
    return tuple(sorted(each for each, count in counted.items() if count >= _OFTEN))


def _learn(cases: Sequence[_Case], penalty: float = 1e-4, steps: int = 60) -> Ranker:
    """Softmax over the candidates of each case, by L-BFGS; cases without a right candidate teach nothing."""
    cases = [case for case in cases if case.rows]
    places = [row for case in cases for row in case.rows]
    starts = np.cumsum([0, *map(len, places)])
    matrix = csr_array((np.ones(starts[-1]), np.concatenate(places), starts), shape=(len(places), BUCKETS))
    matrix.sum_duplicates()
    sizes = np.array([len(case.rows) for case in cases])
    group = np.repeat(np.arange(len(cases)), sizes)
    first = np.cumsum(sizes) - sizes
    right = np.concatenate([case.right for case in cases]).astype(float)

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        scores = matrix @ weights
        scores -= np.maximum.reduceat(scores, first)[group]
        p = np.exp(scores)
        p /= np.add.reduceat(p, first)[group]
        hit = np.add.reduceat(p * right, first) + 1e-12
        slope = p - p * right / hit[group]
        value = -np.log(hit).mean() + penalty * (weights**2).sum() / 2
        return value, matrix.T @ slope / len(cases) + penalty * weights

    found = minimize(loss, np.zeros(BUCKETS), jac=True, method="L-BFGS-B", options={"maxiter": steps})
    return Ranker(found.x.astype(np.float32))
