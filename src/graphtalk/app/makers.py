"""How each reasoner is made for a session: the functions that `app/reasoners.py` names."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from graphtalk.app.reasoners import OFFLINE, TRAINED, asks_model, beam_width, taught_folder
from graphtalk.app.session import Session
from graphtalk.app.settings import Settings
from graphtalk.graphs import Graph

if TYPE_CHECKING:
    from graphtalk.lms.meter import Meter
    from graphtalk.reasoners.g_retriever.settings import Setting
    from graphtalk.reasoners.graph_cot.loop import GraphCot
    from graphtalk.reasoners.graph_cot.observations import Observer
    from graphtalk.reasoners.graph_cot.text import TextMethod
    from graphtalk.reasoners.graph_cot.turns import Method
    from graphtalk.reasoners.reasoner import Reasoner
    from graphtalk.reasoners.toolformer.annotator import Annotator
    from graphtalk.reasoners.toolformer.reasoner import Toolformer

Maker: TypeAlias = "Callable[[Session], Reasoner]"


def offline(session: Session) -> "Reasoner":
    """The reader without a model."""
    return session.planner


def graph_cot(session: Session) -> "Reasoner":
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


def _text_method(session: Session) -> "TextMethod":
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


def graph_cot_tools(session: Session) -> "Reasoner":
    return _loop(session, "graph-cot-tools", _native_method(session))


def _native_method(session: Session) -> "Method":
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


def graph_cot_plan(session: Session) -> "Reasoner":
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


def together(session: Session) -> "Reasoner":
    from graphtalk.reasoners.together import Together

    return Together(session.planner, graph_cot_plan(session), session.settings.prefer)


def _loop(session: Session, name: str, method: "Method", observer: "Observer | None" = None) -> "GraphCot":
    from graphtalk.reasoners.graph_cot.loop import GraphCot, LoopLimits
    from graphtalk.reasoners.graph_cot.observations import Observer

    settings = session.settings
    limits = LoopLimits(steps=settings.max_steps)
    return GraphCot(session.executor, method, name, observer or Observer(), limits, settings.strict)


def graph_agents(session: Session) -> "Reasoner":
    from graphtalk.reasoners.graph_agents.master import Master
    from graphtalk.reasoners.graph_agents.stored import GraphAgents

    settings = session.settings
    master = None if settings.lm == OFFLINE else Master(session.model, most_turns=settings.max_steps)
    return GraphAgents(session.executor, master)


def _baseline(hops: int | None) -> Maker:
    def make_baseline(session: Session) -> "Reasoner":
        from graphtalk.reasoners.baselines import Baseline

        depth = session.settings.depth
        return Baseline(
            session.executor, session.index, session.model, hops if hops is None or depth is None else depth
        )

    return make_baseline


def _g_retriever(name: str) -> Maker:
    def make_g_retriever(session: Session) -> "Reasoner":
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
    """How the model of a training's folder was trained. What retrieves tells it the whole graph where that was so."""
    from graphtalk.benchmarks import tasks
    from graphtalk.benchmarks.graphqa.prompts import as_question
    from graphtalk.benchmarks.graphqa.tasks import GraphQATask
    from graphtalk.reasoners.g_retriever import SETTINGS
    from graphtalk.training.facts import Taught

    taught = Taught.of(Path(lm.removeprefix(TRAINED)).expanduser())
    task, setting = tasks().get(taught.task), SETTINGS[name]
    if setting.knowledge == "subgraph" and not taught.retrieved:
        setting = replace(setting, knowledge="whole")
    return _Trained(setting, task.form if isinstance(task, GraphQATask) else as_question)


def toolformer(session: Session, stored: bool = True) -> "Toolformer":
    """The reasoner of a session's graph and model. `stored`: texts may be about that graph without naming it."""
    from graphtalk.lms.meter import Meter
    from graphtalk.reasoners.toolformer.reasoner import Toolformer

    meter = Meter(session.model) if asks_model(session.settings) else None
    return Toolformer(session.executor, annotator(session, meter, stored), meter)


def annotator(session: Session, meter: "Meter | None", stored: bool) -> "Annotator":
    """What writes calls: a model, or without one the offline annotator and then, for the graph at hand, the planner."""
    from graphtalk.reasoners.toolformer.stored import FirstOf, PlannedAnnotator

    if meter is not None:
        from graphtalk.reasoners.toolformer.lm import LmAnnotator

        executor, settings = session.executor, session.settings
        graphs = executor.loader.names() if executor.loader else ()
        if settings.lm.startswith(TRAINED):
            from graphtalk.reasoners.toolformer.constrained.asking import TunedAnnotator

            return TunedAnnotator(meter, executor.registry, graphs)
        home = None
        if stored and isinstance(session.graph, Graph):
            from graphtalk.reasoners.outline import Outline

            home = Outline(session.graph, session.index)
        return LmAnnotator(meter, executor.registry, graphs, settings.temperature, settings.seed, home)
    trained = _without_lm(session.settings)
    return FirstOf((trained, PlannedAnnotator(session.planner))) if stored else trained


def _without_lm(settings: Settings) -> "Annotator":
    """The offline annotator that ships with the package, or the one that was taught."""
    folder = taught_folder(settings)
    if folder is not None:
        from graphtalk.reasoners.toolformer.taught import open_taught

        return open_taught(folder)
    from graphtalk.reasoners.toolformer.offline import open_offline_annotator

    return open_offline_annotator()


base, text_rag, graph_rag, graph_rag_2hop = (_baseline(hops) for hops in (None, 0, 1, 2))
g_retriever, g_retriever_list, zero_shot, zero_cot, cot_bag, kaping, question_only = (
    _g_retriever(name)
    for name in (
        "g-retriever", "g-retriever-list", "zero-shot", "zero-cot", "cot-bag", "kaping", "question-only",
    )
)  # fmt: skip
