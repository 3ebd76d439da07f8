"""Making the offline annotator: from the grammar of paraphrases and the prompts of Graph-ToolFormer."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from graphtalk.reasoners.toolformer.offline.catalogue import Catalogue
from graphtalk.reasoners.toolformer.offline.features import word_hashes
from graphtalk.reasoners.toolformer.offline.model import OTHER, Classifier
from graphtalk.reasoners.toolformer.offline.rewriting import Rewriter
from graphtalk.training.annotator.examples import Example
from graphtalk.training.annotator.fit import Design, FitSettings, Shape, design, fit
from graphtalk.training.annotator.grammar import sentences
from graphtalk.training.annotator.rewritings import learn_rewriter


@dataclass(frozen=True)
class Lessons:
    """All that the annotator learns functions from. `from_prompts`: which examples are shapes of prompts."""

    shapes: tuple[Shape, ...]
    names: tuple[str, ...]
    from_prompts: tuple[bool, ...]
    numbers: Design


def lessons(prompts: Sequence[Example], settings: FitSettings) -> Lessons:
    """The sentences of the grammar, and the different shapes of the prompts."""
    drawn = list(sentences(settings.each, settings.seed))
    shapes = sorted({target for example in prompts for target in example.targets()})
    both = [*drawn, *shapes]
    names = tuple(name for _, name in both)
    given = tuple(at >= len(drawn) for at in range(len(both)))
    return Lessons(
        tuple(shape for shape, _ in both), names, given, design([shape for shape, _ in both], names)
    )


def learn(
    prompts: Sequence[Example],
    learnt: Lessons,
    catalogue: Catalogue,
    settings: FitSettings,
    held_out: Collection[Shape] = (),
) -> tuple[Classifier, Rewriter]:
    """The classifier and the rewriter, learnt without the templates whose shapes are held out.

    A held-out shape is kept from both, also where the grammar makes it by chance.
    """
    hidden = {
        part for example in prompts if example.reading.shape in held_out for part, _ in example.targets()
    }
    weights = np.where(learnt.from_prompts, settings.prompts, 1.0)
    weights[np.array(learnt.names) == OTHER] *= settings.none
    weights[[shape in hidden for shape in learnt.shapes]] = 0.0
    seen = [example for example in prompts if example.reading.shape not in held_out]
    classifier = replace(fit(learnt.numbers, weights, settings), known=_known(learnt, weights))
    return classifier, learn_rewriter(seen, catalogue)


def _known(learnt: Lessons, weights: NDArray[np.float64]) -> NDArray[np.uint32]:
    """The words of the examples that are seen and ask for a function, as hashes."""
    words = {
        mask
        for shape, name, weight in zip(learnt.shapes, learnt.names, weights, strict=True)
        if weight and name != OTHER
        for mask in shape
        if mask.isalpha()
    }
    return np.unique(word_hashes(sorted(words)))
