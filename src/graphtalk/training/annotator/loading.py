"""Learning graph loading calls: rankers of names, node sets and link sets, from the prompts `graph_data_loading`."""

import random
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
from graphtalk.reasoners.toolformer.offline.memory import memory_of
from graphtalk.reasoners.toolformer.offline.placing import place_features, places
from graphtalk.reasoners.toolformer.offline.ranking import BUCKETS, About, Ranker, hashed, rows
from graphtalk.search import load_embedder
from graphtalk.training.annotator.examples import Prompt
from graphtalk.training.annotator.gate import learn_gate

_CALL = re.compile(r'\[GL\((?P<name>"[^"]*"), (?P<nodes>"[^"]*"|\{.*?\}), (?P<links>"[^"]*"|\{.*\})\)\]')
_PENALTY, _PENALTY_OF_PLACES = 1e-3, 3e-4
_OTHERS = 200  # wrong candidates of a text that are learnt from, at most
_NAMELESS = Candidate("", "none")
_OFTEN = 2  # prompts that must say a set for it to be common


@dataclass(frozen=True)
class Loading:
    """A text and the parts of its graph loading call, as they are written.

    place: the number of the word before which the call stands; -1 where the text was changed besides
    """

    text: str
    sentence: Sentence
    name: str
    nodes: str
    links: str
    place: int


def loading_examples(prompts: Sequence[Prompt]) -> list[Loading]:
    """The prompts with a whole graph loading call of three parts."""
    found = ((prompt, _CALL.search(prompt.output)) for prompt in prompts if "[GL(" in prompt.output)
    return [_loading(prompt, call) for prompt, call in found if call]


def _loading(prompt: Prompt, call: re.Match[str]) -> Loading:
    sentence = sentence_of(prompt.input)
    before, behind = prompt.output[: call.start()], prompt.output[call.end() :]
    unchanged = before.split() + behind.split() == prompt.input.split()
    start = len(sentence_of(before).words)
    place = start if unchanged and start < len(sentence.words) else -1
    return Loading(prompt.input, sentence, call["name"], call["nodes"], call["links"], place)


def learn_loader(
    examples: Sequence[Loading], vectors: NDArray[np.float32] | None = None, seed: int = 0
) -> GraphLoader:
    """The gate, and the rankers that best tell the right part from the other candidates.

    `vectors`: the texts' embeddings, if made before, shape (examples, dimensions).
    """
    common_nodes = _common(example.nodes for example in examples)
    common_links = _common(example.links for example in examples)
    texts = [each.text for each in examples]
    if vectors is None:
        vectors = load_embedder("minilm").embed(texts)
    made = [
        _Made(each, list(names(s)), list(nodes(s, common_nodes)), list(links(s, common_links)))
        for each in examples
        for s in (each.sentence,)
    ]
    memory = memory_of(vectors, (each.parts() for each in made))
    draw = random.Random(seed)
    name_cases, node_cases, link_cases = [], [], []
    abouts = [About(m.example.sentence, memory.votes(vectors[row], but=row)) for row, m in enumerate(made)]
    for about, each in zip(abouts, made, strict=True):
        truth = each.example
        name_cases.append(_Case.of(about, each.names, truth.name, draw))
        node_cases.append(_Case.of(about, each.nodes, truth.nodes, draw))
        link_cases.append(_Case.of(about, each.links, truth.links, draw))
    named = _names_chosen(made, abouts, name_cases)
    place_cases = [_placed(each, name) for each, name in zip(made, named, strict=True)]
    return GraphLoader(
        gate=learn_gate(texts, vectors, seed),
        names=_learn(name_cases),
        nodes=_learn(node_cases),
        links=_learn(link_cases),
        places=_learn(place_cases, _PENALTY_OF_PLACES),
        common_nodes=common_nodes,
        common_links=common_links,
        memory=memory,
    )


@dataclass(frozen=True)
class _Made:
    """An example and the candidates that its text has."""

    example: Loading
    names: list[Candidate]
    nodes: list[Candidate]
    links: list[Candidate]

    def hows(self) -> tuple[str, str, str]:
        """How the right name, node set and link set are made."""
        e = self.example
        return _how(self.names, e.name), _how(self.nodes, e.nodes), _how(self.links, e.links)

    def parts(self) -> tuple[str, ...]:
        """What this example votes for."""
        e = self.example
        return (e.name, e.nodes, e.links, *self.hows())


@dataclass(frozen=True)
class _Case:
    """Candidates' features, and which of them are right."""

    rows: list[NDArray[np.int64]]
    right: NDArray[np.bool_]

    @classmethod
    def of(
        cls,
        about: About,
        candidates: Sequence[Candidate],
        truth: str,
        draw: random.Random,
    ) -> "_Case":
        """All right candidates and some of the others; none where none is right."""
        right = [each for each in candidates if same(each.text, truth)]
        others = [each for each in candidates if not same(each.text, truth)]
        if not right:
            return cls([], np.zeros(0, dtype=bool))
        kept = [*right, *draw.sample(others, min(_OTHERS, len(others)))]
        return cls(rows(kept, about), np.arange(len(kept)) < len(right))


def _names_chosen(made: Sequence[_Made], abouts: Sequence[About], cases: Sequence[_Case]) -> list[Candidate]:
    """The name that is chosen for each example by a ranker that learnt from the other half of them."""
    rankers = [_learn(cases[1 - half :: 2]) for half in range(2)]
    return [
        rankers[row % 2].choose(about, each.names) if each.names else _NAMELESS
        for row, (about, each) in enumerate(zip(abouts, made, strict=True))
    ]


def _placed(made: _Made, name: Candidate) -> _Case:
    """The words before which the call could stand, beside a name as it is chosen for texts that were not learnt from."""
    sentence, at = made.example.sentence, made.example.place
    tried = places(sentence)
    if at not in tried:
        return _Case([], np.zeros(0, dtype=bool))
    return _Case([hashed(place_features(sentence, each, name)) for each in tried], np.array(tried) == at)


def _how(candidates: Sequence[Candidate], truth: str) -> str:
    return next((each.how for each in candidates if same(each.text, truth)), "none")


def same(first: str, second: str) -> bool:
    """Whether two parts of calls are equal but for case and blanks."""
    return first.replace(" ", "").lower() == second.replace(" ", "").lower()


def _common(sets: Iterable[str]) -> tuple[str, ...]:
    counted = Counter(each.strip('"') for each in sets if each.startswith('"'))
    return tuple(sorted(each for each, count in counted.items() if count >= _OFTEN))


def _learn(cases: Sequence[_Case], penalty: float = _PENALTY, steps: int = 60) -> Ranker:
    """Softmax over the candidates of each case, by L-BFGS; cases without a right candidate teach nothing."""
    cases = [case for case in cases if case.rows]
    if not cases:
        return Ranker(np.zeros(BUCKETS, dtype=np.float32))
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
