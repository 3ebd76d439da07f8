"""The reasoners by name: the built-in ones and those of installed packages. Listing them makes and imports none.

A package registers its own as the built-in ones are: a function `register(add)` under the entry point group
`graphtalk.reasoners` calls `add(ReasonerEntry(…))` for each.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from graphtalk.app.settings import Settings
from graphtalk.core import UsageError, choices
from graphtalk.core.plugins import known

if TYPE_CHECKING:
    from graphtalk.app.session import Session
    from graphtalk.reasoners.reasoner import Reasoner

GROUP = "graphtalk.reasoners"
OFFLINE = "offline"
AUTO = "auto"
TOGETHER = "together"
TRAINED = "trained:"  # what names of models begin with that `graphtalk train` made


@dataclass(frozen=True)
class ReasonerEntry:
    """What is known of a reasoner before it is made.

    `place` is `package.module:function`, a function of a Session that makes it. It `needs_model` where there is no way
    to answer without one. It `hears` a conversation where its model is told what was said before a question. It is
    `trainable` where it can ask a model that `graphtalk train` made to answer from a graph.
    """

    name: str
    place: str
    needs_model: bool = True
    hears: bool = False
    trainable: bool = False


def register(add: Callable[[ReasonerEntry], None]) -> None:
    """Register the built-in reasoners."""
    at = "graphtalk.app.makers:"
    add(ReasonerEntry(OFFLINE, f"{at}offline", needs_model=False))
    add(ReasonerEntry("graph-cot", f"{at}graph_cot", needs_model=False, hears=True))
    add(ReasonerEntry("graph-cot-tools", f"{at}graph_cot_tools", hears=True))
    add(ReasonerEntry("graph-cot-plan", f"{at}graph_cot_plan", hears=True))
    add(ReasonerEntry(TOGETHER, f"{at}together", hears=True))
    for name in ("base", "text-rag", "graph-rag", "graph-rag-2hop"):
        add(ReasonerEntry(name, at + name.replace("-", "_")))
    add(ReasonerEntry("graph-agents", f"{at}graph_agents", needs_model=False))
    add(ReasonerEntry("g-retriever", f"{at}g_retriever", needs_model=False, trainable=True))
    for name in ("g-retriever-list", "zero-shot", "kaping"):
        add(ReasonerEntry(name, at + name.replace("-", "_"), trainable=True))
    for name in ("zero-cot", "cot-bag", "question-only"):
        add(ReasonerEntry(name, at + name.replace("-", "_")))
    add(ReasonerEntry("toolformer", f"{at}toolformer", needs_model=False))


@cache
def entries() -> dict[str, ReasonerEntry]:
    """All reasoners by name. Raises UsageError where two are called the same."""
    return known("reasoners", GROUP, register, lambda entry: entry.name)


def make(session: "Session") -> "Reasoner":
    """The reasoner of a session."""
    module, _, function = entries()[resolved(session.settings)].place.partition(":")
    made: Reasoner = getattr(import_module(module), function)(session)
    return made


def resolved(settings: Settings) -> str:
    """The reasoner that is meant.

    `auto` is `offline` without a language model, with one that was trained what it was trained for (`g-retriever` or
    `toolformer`), and else `together`: the offline reader where it is sure, and `graph-cot-plan`.

    Raises UsageError for an unknown one, where a reasoner and a language model do not go together, and where a trained
    one is not there.
    """
    name = settings.reasoner
    beam_width(settings)
    if name != AUTO and name not in entries():
        raise UsageError(f"No reasoner {name!r}. {choices(name, names(), len(names()))}")
    offline, trained = settings.lm == OFFLINE, settings.lm.startswith(TRAINED)
    fitting = _for_trained(settings.lm) if trained else _trainable()
    if name == AUTO:
        taught = "g-retriever" if "g-retriever" in fitting else "toolformer"
        return OFFLINE if offline else taught if trained else TOGETHER
    if offline and entries()[name].needs_model:
        raise UsageError(f"The reasoner {name!r} needs a language model, such as --lm openai:MODEL.")
    if name == OFFLINE and not offline:
        raise UsageError(f"The reasoner 'offline' asks no language model; leave out --lm {settings.lm}.")
    if trained and name not in fitting:
        taught = "annotate texts" if "toolformer" in fitting else "answer from a graph"
        raise UsageError(
            f"{settings.lm} was trained to {taught}, not as the reasoner {name!r} asks. "
            f"Valid: {', '.join(sorted(fitting))}."
        )
    return name


def asks_model(settings: Settings) -> bool:
    """Whether a language model is asked: not where the offline annotator is, the one that ships or one that was taught."""
    return settings.lm != OFFLINE and taught_folder(settings) is None


def hears_conversation(settings: Settings) -> bool:
    """Whether a model is told what was said before a question, so that it reads a follow-up itself."""
    return settings.lm != OFFLINE and entries()[resolved(settings)].hears


def taught_folder(settings: Settings) -> Path | None:
    """The folder of the offline annotator that `trained:DIR` names, or None where it names something else."""
    if not settings.lm.startswith(TRAINED):
        return None
    from graphtalk.training.facts import is_offline_annotator

    place = Path(settings.lm.removeprefix(TRAINED)).expanduser()
    return place if is_offline_annotator(place) else None


def _for_trained(lm: str) -> frozenset[str]:
    """The reasoners that may ask what `graphtalk train` made."""
    from graphtalk.training.facts import is_annotator

    place = Path(lm.removeprefix(TRAINED)).expanduser()
    if not place.is_dir():
        raise UsageError(f"Cannot load the model {place}: there is no such folder.")
    return frozenset({"toolformer"}) if is_annotator(place) else _trainable()


def _trainable() -> frozenset[str]:
    return frozenset(entry.name for entry in entries().values() if entry.trainable)


def names() -> tuple[str, ...]:
    """The names of all reasoners."""
    return (AUTO, *entries())


def beam_width(settings: "Settings") -> int:
    """How many branches `--search` keeps; 0 where it is not given. Raises UsageError for what is no such search."""
    if not settings.search:
        return 0
    kind, _, width = settings.search.partition(":")
    if kind != "beam" or not width.isdigit() or not 1 <= int(width) <= 8:
        raise UsageError(f"--search {settings.search}: give beam:N with N from 1 to 8.")
    if settings.reasoner != "graph-cot" or settings.lm == OFFLINE:
        raise UsageError("--search beam:N goes with --reasoner graph-cot and a language model (--lm).")
    return int(width)
