"""An annotator that was taught by prompts: `graphtalk train annotator --base offline`.

forms      calls with places for what a text mentions
lexicon    names of graphs, types, features, relations and nodes, and where a text mentions them
annotator  which call a text asks for, and how the text is written with it
"""

from dataclasses import replace
from pathlib import Path

from graphtalk.core import UsageError
from graphtalk.reasoners.toolformer.annotator import Annotator
from graphtalk.reasoners.toolformer.offline import open_offline_annotator
from graphtalk.reasoners.toolformer.offline.loading import load_loader
from graphtalk.reasoners.toolformer.offline.model import load_classifier
from graphtalk.reasoners.toolformer.offline.rewriting import load_rewriter
from graphtalk.reasoners.toolformer.stored import FirstOf
from graphtalk.reasoners.toolformer.taught.annotator import FILE, load_taught


def open_taught(folder: Path) -> Annotator:
    """What a training left in a folder: what it taught of graphs of one's own, then the offline annotator.

    The weights that the folder lacks are those that ship. Raises UsageError where its files are damaged.
    """
    offline, taught = open_offline_annotator(), (folder / FILE).exists()
    if not (taught or (folder / "functions.npz").exists() or (folder / "loading.npz").exists()):
        raise UsageError(f"{folder} holds no annotator: its training was cut off. Train it again.")
    try:
        if (functions := folder / "functions.npz").exists():
            rules = (folder / "rewritings.json").read_text(encoding="utf-8")
            offline = replace(offline, classifier=load_classifier(functions), rewriter=load_rewriter(rules))
        if (loading := folder / "loading.npz").exists():
            offline = replace(offline, loader=load_loader(loading))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(f"{folder} holds no annotator that can be read ({error!r}).") from error
    return FirstOf((load_taught(folder), offline)) if taught else offline
