"""The reasoners by name, and how each is made for a graph."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from graphtalk.app.settings import Settings
from graphtalk.core import UsageError, choices

if TYPE_CHECKING:
    from graphtalk.app.ask import Session
    from graphtalk.reasoners.g_retriever.settings import Setting
    from graphtalk.reasoners.graph_cot.loop import GraphCot
    from graphtalk.reasoners.graph_cot.observations import Observer
    from graphtalk.reasoners.graph_cot.text import TextMethod
    from graphtalk.reasoners.graph_cot.turns import Method
    from graphtalk.reasoners.reasoner import Reasoner
    from graphtalk.reasoners.toolformer.annotator import Annotator
    from graphtalk.reasoners.toolformer.modelled import ModelReader

OFFLINE = "offline"
AUTO = "auto"
TOGETHER = "together"
TRAINED = "trained:"  # what names of models begin with that `graphtalk train` made

Maker: TypeAlias = "Callable[[Session], Reasoner]"


def resolved(settings: Settings) -> str:
    """The reasoner that is meant.

    `auto` is `offline` without a language model, with one that was trained what it was trained for (`g-retriever` or
    `toolformer`), and else `together`: the offline reader where it is sure, and `graph-cot-plan`.

    Raises UsageError for an unknown one, where a reasoner and a language model do not go together, and where a trained
    one is not there.
    """
    name = settings.reasoner
    beam_width(settings)
    if name != AUTO and name not in MAKERS:
        raise UsageError(f"No reasoner {name!r}. {choices(name, names(), len(names()))}")
    offline, trained = settings.lm == OFFLINE, settings.lm.startswith(TRAINED)
    fitting = _for_trained(settings.lm) if trained else FOR_TRAINED
    if name == AUTO:
        taught = "g-retriever" if "g-retriever" in fitting else "toolformer"
        return OFFLINE if offline else taught if trained else TOGETHER
    if offline and name not in WITHOUT_LM:
        raise UsageError(f"The reasoner {name!r} needs a language model, such as --lm openai:MODEL.")
    if name == OFFLINE and not offline:
        raise UsageError(f"The reasoner 'offline' asks no language model; leave out --lm {settings.lm}.")
    if trained and name not in fitting:
        taught = "answer from a graph" if fitting is FOR_TRAINED else "annotate texts"
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
    return settings.lm != OFFLINE and resolved(settings) in HEARING


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
    return frozenset({"toolformer"}) if is_annotator(place) else FOR_TRAINED


def names() -> tuple[str, ...]:
    """The names of all reasoners."""
    return (AUTO, *MAKERS)


def make(session: "Session") -> "Reasoner":
    """The reasoner of a session."""
    return MAKERS[resolved(session.settings)](session)


def _offline(session: "Session") -> "Reasoner":
    return session.planner


def model_reader(session: "Session") -> "ModelReader | None":
    """Who reads questions that models answer, for the data sets that the offline annotator has learnt; nothing is opened."""
    from graphtalk.hub import card_names

    if session.graph.name not in card_names():
        return None
    from graphtalk.reasoners.toolformer.modelled import ModelReader

    return ModelReader(session.graph, _offline_annotator, session.executor.registry.vocabulary)


def _offline_annotator() -> "Annotator":
    from graphtalk.reasoners.toolformer.offline import open_offline_annotator

    return open_offline_annotator()


def _text(session: "Session") -> "Reasoner":
    from graphtalk.reasoners.graph_cot.observations import Observer

    if session.settings.lm == OFFLINE:
        from graphtalk.reasoners.graph_cot.planned import PlannedMethod

        return _loop(session, "graph-cot", PlannedMethod(session.planner))
    method = _text_method(session)
    loop = _loop(session, "graph-cot", method, Observer(by_id=True))
    if width := beam_width(session.settings):
        from graphtalk.reasoners.graph_cot.beam import BeamSearch

        return BeamSearch(loop, method, width)
    return loop


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


def _text_method(session: "Session") -> "TextMethod":
    from graphtalk.reasoners.graph_cot.demos import demonstrations
    from graphtalk.reasoners.graph_cot.text import TextMethod

    settings = session.settings
    return TextMethod(
        session.model,
        session.executor.registry.vocabulary,
        session.describe(),
        demonstrations(session.executor, settings.demos, settings.demo_count),
        settings.temperature,
        settings.seed,
    )


def _native(session: "Session") -> "Reasoner":
    return _loop(session, "graph-cot-tools", _native_method(session))


def _native_method(session: "Session") -> "Method":
    from graphtalk.reasoners.graph_cot.native import NativeMethod
    from graphtalk.reasoners.outline import Outline

    settings, outline = session.settings, Outline(session.union, session.index)
    return NativeMethod(
        session.model,
        session.executor.registry,
        outline.whole if outline.fits else session.describe(),
        settings.temperature,
        settings.seed,
        graph=session.executor.graph,
    )


def _plan(session: "Session") -> "Reasoner":
    from graphtalk.reasoners.graph_cot.briefing import Briefing
    from graphtalk.reasoners.graph_cot.plan import PlanMethod
    from graphtalk.reasoners.outline import Outline

    settings = session.settings
    method = PlanMethod(
        session.model,
        session.executor.registry,
        Briefing(session.executor, Outline(session.union, session.index)),
        _text_method(session),
        settings.temperature,
        settings.seed,
    )
    return _loop(session, "graph-cot-plan", method)


def _together(session: "Session") -> "Reasoner":
    from graphtalk.reasoners.together import Together

    return Together(session.planner, _plan(session), session.settings.prefer)


def _loop(session: "Session", name: str, method: "Method", observer: "Observer | None" = None) -> "GraphCot":
    from graphtalk.reasoners.graph_cot.loop import GraphCot, LoopLimits
    from graphtalk.reasoners.graph_cot.observations import Observer

    settings = session.settings
    limits = LoopLimits(steps=settings.max_steps)
    return GraphCot(session.executor, method, name, observer or Observer(), limits, settings.strict)


def _agents(session: "Session") -> "Reasoner":
    from graphtalk.reasoners.graph_agents.master import Master
    from graphtalk.reasoners.graph_agents.stored import GraphAgents

    settings = session.settings
    master = None if settings.lm == OFFLINE else Master(session.model, most_turns=settings.max_steps)
    return GraphAgents(session.executor, master)


def _toolformer(session: "Session") -> "Reasoner":
    from graphtalk.app.toolformer import toolformer

    return toolformer(session)


def _baseline(hops: int | None) -> Maker:
    def make_baseline(session: "Session") -> "Reasoner":
        from graphtalk.reasoners.baselines import Baseline

        depth = session.settings.depth
        return Baseline(
            session.executor, session.index, session.model, hops if hops is None or depth is None else depth
        )

    return make_baseline


def _g_retriever(name: str) -> Maker:
    def make_g_retriever(session: "Session") -> "Reasoner":
        from graphtalk.reasoners.g_retriever import SETTINGS, Extractor, GRetriever
        from graphtalk.search.subgraph import Options

        settings = session.settings
        options = settings.retrieval or Options()
        if settings.lm == OFFLINE:
            return Extractor(session.executor, session.planner.planner, options)
        trained = _trained(settings.lm, name) if settings.lm.startswith(TRAINED) else None
        return GRetriever(
            session.executor,
            session.model,
            trained.reads if trained else SETTINGS[name],
            options,
            strict=settings.strict,
            temperature=settings.temperature,
            seed=settings.seed,
            form=trained.form if trained else None,
        )

    return make_g_retriever


@dataclass(frozen=True)
class _Trained:
    """What a trained model is told of a graph, and in which form it is asked."""

    reads: "Setting"
    form: Callable[[str], str]


def _trained(lm: str, name: str) -> _Trained:
    """How the model of a training's folder was trained. `g-retriever` tells it the whole graph where that was so."""
    from graphtalk.benchmarks import tasks
    from graphtalk.benchmarks.graphqa.prompts import as_question
    from graphtalk.benchmarks.graphqa.tasks import GraphQATask
    from graphtalk.reasoners.g_retriever import SETTINGS
    from graphtalk.training.facts import Taught

    taught = Taught.of(Path(lm.removeprefix(TRAINED)).expanduser())
    task, setting = tasks().get(taught.task), SETTINGS[name]
    if name == "g-retriever" and not taught.retrieved:
        setting = replace(setting, knowledge="whole")
    return _Trained(setting, task.form if isinstance(task, GraphQATask) else as_question)


MAKERS: dict[str, Maker] = {
    OFFLINE: _offline,
    "graph-cot": _text,
    "graph-cot-tools": _native,
    "graph-cot-plan": _plan,
    TOGETHER: _together,
    "base": _baseline(None),
    "text-rag": _baseline(0),
    "graph-rag": _baseline(1),
    "graph-rag-2hop": _baseline(2),
    "graph-agents": _agents,
    "g-retriever": _g_retriever("g-retriever"),
    "zero-shot": _g_retriever("zero-shot"),
    "zero-cot": _g_retriever("zero-cot"),
    "cot-bag": _g_retriever("cot-bag"),
    "kaping": _g_retriever("kaping"),
    "question-only": _g_retriever("question-only"),
    "toolformer": _toolformer,
}
HEARING = frozenset({"graph-cot", "graph-cot-tools", "graph-cot-plan", TOGETHER})
FOR_TRAINED = frozenset({"g-retriever", "kaping", "zero-shot"})
WITHOUT_LM = frozenset({OFFLINE, "graph-agents", "graph-cot", "g-retriever", "toolformer"})
