"""How well an annotator that prompts about a graph of one's own teach does on texts that it has not seen.

python scripts/measure_taught.py KEPT.jsonl             # what `graphtalk prompts filter` wrote

Twice: on the test part of `prompts split`, whose wordings are those of the train part; and in folds, each with all
prompts of a fifth of the wordings held out, so that no text of theirs was learnt. `calls` are right where all calls of a
text are the prompt's, in order; `text` where the whole annotated text is. Of the wordings held out 400 texts are asked.
"""

import argparse
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from graphtalk.reasoners.toolformer.annotator import DeclinedError
from graphtalk.reasoners.toolformer.statement import read_statement
from graphtalk.reasoners.toolformer.taught.annotator import TaughtAnnotator
from graphtalk.tools.registry import default_registry
from graphtalk.training.annotator_lm.prompts import Pair
from graphtalk.training.prompt_sets import stages
from graphtalk.training.prompt_sets.files import read_prompts
from graphtalk.training.prompt_sets.generate import Prompt
from graphtalk.training.taught import teach

FOLDS = 5
ASKED = 400


def learnt(prompts: Sequence[Prompt]) -> TaughtAnnotator:
    """The annotator that some prompts teach."""
    return teach([Pair(prompt.input, prompt.output) for prompt in prompts], default_registry())


def measure(name: str, annotator: TaughtAnnotator, asked: Sequence[Prompt]) -> None:
    """Print shares of texts, in percent."""
    vocabulary = default_registry().vocabulary
    calls = text = declined = 0
    started = time.process_time()
    for prompt in asked:
        try:
            said = annotator.annotate(prompt.input)
        except DeclinedError:
            declined += 1
            continue
        text += said == prompt.output
        wanted = [(p.call, p.inserts) for p in read_statement(prompt.output, vocabulary).calls]
        calls += [(p.call, p.inserts) for p in read_statement(said, vocabulary).calls] == wanted
    seconds = (time.process_time() - started) / len(asked)
    shares = "\t".join(f"{100 * count / len(asked):.1f}" for count in (calls, text, declined))
    print(f"{name}\t{len(asked)}\t{shares}\t{1000 * seconds:.1f}", flush=True)


def main() -> int:
    """Learns and measures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("prompts", type=Path, help="JSON lines of prompts")
    options = parser.parse_args()
    unique = {prompt.input: prompt for prompt in read_prompts(options.prompts)}
    by_id = {prompt.id: prompt for prompt in unique.values()}
    train, test = stages.split(by_id, 0)
    print("learnt without\ttexts\tcalls\ttext\tdeclined\tms")
    measure("these texts", learnt([by_id[id] for id in train]), [by_id[id] for id in test])
    draw = random.Random(0)
    wordings = sorted({(p.family, p.task, p.wording) for p in by_id.values()})
    draw.shuffle(wordings)
    for fold in range(FOLDS):
        hidden = {*wordings[fold::FOLDS]}
        parts: tuple[list[Prompt], list[Prompt]] = ([], [])
        for prompt in by_id.values():
            parts[(prompt.family, prompt.task, prompt.wording) in hidden].append(prompt)
        asked = draw.sample(parts[1], min(ASKED // FOLDS, len(parts[1])))
        measure(
            f"wordings of fold {fold + 1}", learnt(draw.sample(parts[0], min(1600, len(parts[0])))), asked
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
