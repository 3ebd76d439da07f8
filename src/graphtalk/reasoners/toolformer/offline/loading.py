"""Graph loading calls (paper, section 4.3.1): a text that speaks of a graph gets `[GL(name, nodes, links)]` before it.

What the call says is open: the published prompts were annotated by a chat model. So name, node set and link set are
chosen among what can be made from the words of the text and what prompts often say, by rankers learnt from prompts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graphtalk.reasoners.toolformer.offline.candidates import (
    Candidate,
    Sentence,
    links,
    names,
    nodes,
    sentence_of,
)
from graphtalk.reasoners.toolformer.offline.gate import Gate, is_statement
from graphtalk.reasoners.toolformer.offline.memory import Memory
from graphtalk.reasoners.toolformer.offline.placing import place_of
from graphtalk.reasoners.toolformer.offline.ranking import About, Ranker
from graphtalk.search import load_embedder


@dataclass(frozen=True)
class GraphLoader:
    """Writes graph loading calls into texts that its gate takes to speak of a graph.

    The rankers choose name, nodes, links and the place of the call; common sets are what prompts often say.
    """

    gate: Gate
    names: Ranker
    nodes: Ranker
    links: Ranker
    places: Ranker
    common_nodes: tuple[str, ...]
    common_links: tuple[str, ...]
    memory: Memory

    def annotate(self, text: str) -> str:
        """`text` with a call before the graph that it speaks of; as it is where it speaks of none."""
        if not is_statement(text):
            return text
        vector = load_embedder("minilm").embed([text])[0]
        if not self.gate.opens(text, vector):
            return text
        sentence = sentence_of(text)
        found = list(names(sentence))
        if not found:
            return text
        name, node_set, link_set = self.choose(vector, sentence, found)
        start = sentence.starts[place_of(sentence, name, self.places)]
        return f"{text[:start]}[GL({name.text}, {node_set.text}, {link_set.text})] {text[start:]}"

    def choose(
        self, vector: NDArray[np.float32], sentence: Sentence, found: Sequence[Candidate]
    ) -> tuple[Candidate, Candidate, Candidate]:
        """The most probable name of those found, node set and link set, each by itself. `vector` is the embedding of the text."""
        about = About(sentence, self.memory.votes(vector))
        return (
            self.names.choose(about, found),
            self.nodes.choose(about, list(nodes(sentence, self.common_nodes))),
            self.links.choose(about, list(links(sentence, self.common_links))),
        )

    def save(self, path: Path) -> None:
        """Writes the weights as one compressed file."""
        np.savez_compressed(
            path,
            gate=self.gate.weights,
            least=np.float32(self.gate.least),
            names=self.names.weights.astype(np.float16),
            nodes=self.nodes.weights.astype(np.float16),
            links=self.links.weights.astype(np.float16),
            places=self.places.weights.astype(np.float16),
            common_nodes=np.array(self.common_nodes),
            common_links=np.array(self.common_links),
            vectors=self.memory.vectors,
            parts=self.memory.parts,
        )


def load_loader(path: Path) -> GraphLoader:
    """The loader that `save` wrote."""
    with np.load(path, allow_pickle=False) as stored:
        return GraphLoader(
            gate=Gate(stored["gate"], float(stored["least"])),
            names=Ranker(stored["names"].astype(np.float32)),
            nodes=Ranker(stored["nodes"].astype(np.float32)),
            links=Ranker(stored["links"].astype(np.float32)),
            places=Ranker(stored["places"].astype(np.float32)),
            common_nodes=tuple(stored["common_nodes"].tolist()),
            common_links=tuple(stored["common_links"].tolist()),
            memory=Memory(stored["vectors"], stored["parts"]),
        )


@cache
def shipped_loader() -> GraphLoader:
    """The loader that ships with the package."""
    with as_file(files(__package__) / "loading.npz") as path:
        return load_loader(path)
