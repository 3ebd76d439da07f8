"""Making the weights of the offline annotator, from files of prompts to files of weights."""

from collections.abc import Sequence
from pathlib import Path

from graphtalk.core import UsageError
from graphtalk.reasoners.toolformer.offline.catalogue import shipped_catalogue
from graphtalk.training.annotator.examples import Prompt, examples, read_prompts
from graphtalk.training.annotator.fit import FitSettings
from graphtalk.training.annotator.loading import learn_loader, loading_examples
from graphtalk.training.annotator.train import learn, lessons


def make_loader(files: Sequence[Path], out: Path) -> list[Path]:
    """Learns graph loading alone from prompt files and writes its weights into the folder `out`; errors as `make_annotator`."""
    if not files:
        raise UsageError("No files of prompts to learn from.")
    prompts = [prompt for file in files for prompt in read_prompts(file)]
    out.mkdir(parents=True, exist_ok=True)
    learn_loader(loading_examples(prompts)).save(out / "loading.npz")
    return [out / "loading.npz"]


def make_annotator(files: Sequence[Path], out: Path, settings: FitSettings | None = None) -> list[Path]:
    """Learns from prompt files and writes the weights into the folder `out`; returns the files written.

    Raises UsageError where there is no file, SourceError where a line of one is not a prompt.
    """
    if not files:
        raise UsageError("No files of prompts to learn from.")
    prompts = [prompt for file in files for prompt in read_prompts(file)]
    return [*make_functions(prompts, out, settings or FitSettings()), *make_loader(files, out)]


def make_functions(prompts: Sequence[Prompt], out: Path, settings: FitSettings) -> list[Path]:
    """Learns what texts ask for, and how those of known shapes are written; returns the files written."""
    catalogue = shipped_catalogue()
    asking = examples(prompts, catalogue)
    classifier, rewriter = learn(asking, lessons(asking, settings), catalogue, settings)
    out.mkdir(parents=True, exist_ok=True)
    classifier.save(out / "functions.npz")
    (out / "rewritings.json").write_text(rewriter.dump() + "\n", encoding="utf-8")
    return [out / "functions.npz", out / "rewritings.json"]
