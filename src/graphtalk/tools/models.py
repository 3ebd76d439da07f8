"""What fitted models say, under Graph-ToolFormer's names: `kmeans:community`, `bpr:recommendation`, `transe:relation`…

Each call asks a model of the hub. One that was not fitted on the graph at hand is fitted first, once; the seconds of
that are not the call's. Facts that a knowledge graph records come before what TransE predicts.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from graphtalk.core import CheckError, ToolError, UsageError, choices
from graphtalk.graphs import Graph, GraphSet
from graphtalk.graphs.adjacency import Ints
from graphtalk.tools import grounds
from graphtalk.tools.context import Context, Note
from graphtalk.tools.names import same_name
from graphtalk.tools.nodes import follow
from graphtalk.tools.registry import Missing, Tool, tool
from graphtalk.tools.types import NUMBER, Node, Site, Type, any_nodes
from graphtalk.tools.values import Bag, Table, Value
from graphtalk.tools.walks import steps_between

if TYPE_CHECKING:
    from graphtalk.hub.models import ModelHub
    from graphtalk.models.predictions import Prediction

_NO_SHARES = ("modularity", "RMSE")
FACT = "recorded in the graph"
NO_FACT = ", not recorded in the graph"


@cache
def model_hub() -> "ModelHub":
    """The fitted models beside the data sets."""
    from graphtalk.hub import hub_folder  # no question that asks no model needs the hub
    from graphtalk.hub.models import ModelHub

    return ModelHub(hub_folder())


def _needs(name: str) -> Missing:
    """Why the model cannot be asked about a graph."""
    return lambda graph: model_hub().obstacle(name, graph)


def fitted(at: Context, name: str, graph: Graph | GraphSet | None = None) -> Any:
    """The model called `name`, fitted on the graph at hand or on another. Raises ToolError where it cannot be."""
    try:
        with at.budget.paused():
            return model_hub().model(name, at.graph if graph is None else graph)
    except UsageError as error:
        raise ToolError(str(error)) from None


def _by(name: str, model: Any) -> str:
    """A model by its name, with the score that tells how far to trust it: "bpr (Hit@10 13.3%)".

    Of a data set whose copy is another than the paper's, it is said which: "transe (Hits@10 51.0% on FB15k-237)".
    """
    from graphtalk.hub import Hub, hub_folder
    from graphtalk.hub.models import model_entry

    score = model_entry(name).score
    value = model.card.scores.get(score)
    if value is None:
        return name
    edition = Hub(hub_folder()).edition(model.card.dataset)
    told = f"{value:.2f}" if score in _NO_SHARES else f"{value:.1%}"
    return f"{name} ({score} {told}{f' on {edition}' if edition else ''})"


def _predicted(name: str, model: Any) -> str:
    return f"predicted by {_by(name, model)}"


def _number_or_table(site: Site) -> Type:
    return NUMBER if "user" in site.types else Type("table", any_nodes(site).node_types)


def _one_node(site: Site) -> Type:
    return replace(any_nodes(site), one=True)


# classes


@tool("Topic", toolformer="graph_bert:topic", missing=_needs("graph_bert"))
def topic(at: Context, paper: Node, predicted: bool = False) -> str:
    """What a paper is about: as the graph records it, else by Graph-Bert.

    paper: the node
    predicted: whether to ask the model even where the topic is recorded
    """
    from graphtalk.models.graph_bert import GraphBertConfig

    label = GraphBertConfig.label
    columns = at.graph.columns[at.graph.node_type(paper).name].column_names
    recorded = at.graph.feature(paper, label) if label in columns and not predicted else None
    if recorded is not None:
        at.rests_on("paper", np.array([paper]))
        at.remark(FACT)
        return str(recorded)
    model = fitted(at, "graph_bert")
    said = model.predict([paper])[0]
    told = _told(at, _predicted("graph_bert", model), said)
    if label in columns:
        grounds.like_neighbours(at, paper, label, said.label)
        if GraphBertConfig.features in columns:
            grounds.like_vectors(at, paper, label, GraphBertConfig.features, said.label)
    return told


@tool("MoleculeFunction", toolformer="seg_bert:molecule_function", on_sets=True, missing=_needs("seg_bert"))
def molecule_function(at: Context, instance: str, predicted: bool = False) -> str:
    """The function of a molecule of a set of them: as the set records it, else by SEG-Bert.

    instance: its number, as in instance#63
    predicted: whether to ask the model even where the function is recorded
    """
    if at.graphs is None:
        raise ToolError(f"{at.graph.name} is one graph: a molecule is one of a set of graphs, such as mutag.")
    number = instance.rpartition("#")[2].strip()
    if number not in at.graphs.names:
        raise ToolError(f"No instance {instance!r} in {at.graphs.name}. {choices(number, at.graphs.names)}")
    from graphtalk.models.seg_bert import SegBertConfig

    recorded = None if predicted else at.graphs.features(number).get(SegBertConfig.label)
    if recorded is not None:
        at.remark(FACT)
        return str(recorded)
    position = at.graphs.names.index(number)
    model = fitted(at, "seg_bert", at.graphs)
    said = model.predict([position])[0]
    told = _told(at, _predicted("seg_bert", model), said)
    if SegBertConfig.label in at.graphs.table.column_names:
        like = grounds.like_graphs(
            at.graphs, position, SegBertConfig.label, SegBertConfig.node_label, said.label
        )
        at.remark(like)
    return told


def _told(at: Context, predicted: str, said: "Prediction") -> str:
    at.remark(f"{predicted}, with probability {said.probability:.2f}")
    return str(said.label)


# communities


def community_tools(name: str, prefix: str, short: bool) -> tuple[Tool, ...]:
    """The six functions of a model of communities. Where `short`, they may be called without their domain too."""

    def named(function: str, *also: str) -> Callable[[Callable[..., Value]], Tool]:
        title = prefix + "".join(part.capitalize() for part in function.split("_"))
        aliases = (function, *also) if short else ()
        gives = _number_or_table if function == "community" else None
        names = aliases or tuple(f"{name}:{other}" for other in also)
        return tool(title, f"{name}:{function}", names, gives, missing=_needs(name))

    def model_of(at: Context) -> Any:
        model = fitted(at, name)
        at.remark(f"found by {_by(name, model)}")
        return model

    @named("community")
    def community(at: Context, user: Node | None = None) -> Value:
        """The number of the community that a node is in, the largest being 0; or a table for all nodes.

        user: the node; without it all
        """
        model = model_of(at)
        if user is not None:
            number = int(model.community(user))
            grounds.in_one_community(at, user, model.labels)
            return number
        at.budget.take(at.graph.num_nodes)
        return Table(np.arange(at.graph.num_nodes), model.labels)

    @named("community_count")
    def community_count(at: Context) -> int:
        """The number of communities."""
        return int(model_of(at).community_count())

    @named("community_avg_size", "avg_community_size")
    def community_avg_size(at: Context) -> float:
        """The average number of nodes in a community."""
        return float(model_of(at).community_avg_size())

    @named("community_max_size", "max_community_size")
    def community_max_size(at: Context) -> int:
        """The number of nodes in the largest community."""
        return int(model_of(at).community_max_size())

    @named("community_size")
    def community_size(at: Context, user: Node) -> int:
        """The number of nodes in the community that a node is in.

        user: the node
        """
        return int(model_of(at).community_size(user))

    @named("common_community_check")
    def common_community_check(at: Context, user1: Node, user2: Node) -> bool:
        """Whether two nodes are in the same community.

        user1: one node
        user2: the other
        """
        return bool(model_of(at).common_community_check(user1, user2))

    return (
        community,
        community_count,
        community_avg_size,
        community_max_size,
        community_size,
        common_community_check,
    )


(
    kmeans_community,
    kmeans_community_count,
    kmeans_community_avg_size,
    kmeans_community_max_size,
    kmeans_community_size,
    kmeans_common_community_check,
) = community_tools("kmeans", "KMeans", short=True)
(
    leiden_community,
    leiden_community_count,
    leiden_community_avg_size,
    leiden_community_max_size,
    leiden_community_size,
    leiden_common_community_check,
) = community_tools("leiden", "Leiden", short=False)


# recommendation


@tool("Recommendation", toolformer="bpr:recommendation", missing=_needs("bpr"))
def recommendation(at: Context, user: Node, item: Node) -> float:
    """How likely a user is to prefer an item to another that is drawn at random, 0 to 1, by BPR.

    user: who would choose
    item: what would be chosen
    """
    model = fitted(at, "bpr")
    at.remark(f"a score of preference, {_predicted('bpr', model)}")
    score = float(model.recommendation(user, item))
    grounds.chosen_alike(at, user, item)
    return score


@tool("TopRecommendations", toolformer="bpr:topk_recommendation", gives=any_nodes, missing=_needs("bpr"))
def topk_recommendation(at: Context, user: Node, k: int = 10) -> Bag:
    """The items that a user would most likely choose next, best first, by BPR.

    user: who would choose
    k: how many
    """
    model = fitted(at, "bpr")
    at.rests_on("user", np.array([user]))
    at.remark(_predicted("bpr", model))
    best = model.topk_recommendation(user, k)
    if len(best):
        grounds.chosen_alike(at, user, int(best[0]))
    return Bag.of(best)


@tool("Rating", toolformer="mf:rating", missing=_needs("mf"))
def rating(at: Context, user: Node, item: Node, predicted: bool = False) -> float:
    """What a user rates an item: as the graph records it, else by matrix factorisation.

    user: who rates
    item: what is rated
    predicted: whether to ask the model even where the rating is recorded
    """
    from graphtalk.models.mf import FEATURE, relation_of

    try:
        position = relation_of(at.graph)
    except UsageError as error:
        raise ToolError(str(error)) from None
    name = at.graph.schema.relations[position].name
    rated = steps_between(at, np.array([user]), np.array([item]), [name]) if not predicted else None
    recorded = (
        at.graph.edge_features(position, int(rated.edge[0])).get(FEATURE)
        if rated and len(rated.edge)
        else None
    )
    if rated and isinstance(recorded, int | float):
        at.followed(rated)
        at.remark(FACT)
        return recorded
    model = fitted(at, "mf")
    at.remark(_predicted("mf", model) + NO_FACT)
    at.remark(grounds.usual_ratings(at.graph, position, FEATURE, user, item))
    return float(model.rating(user, item))


# knowledge graphs


@tool(
    "TailEntity",
    toolformer="transe:tail_entity",
    aliases=("search_tail_entity",),
    gives=_one_node,
    missing=_needs("transe"),
)
def tail_entity(at: Context, head: Node, relation: str) -> Bag:
    """The entity that a relation leads to: one that the graph records, else the one that TransE finds likeliest.

    head: where the relation starts
    relation: its name
    """
    at.rests_on("head", np.array([head]))
    name = _relation(at, relation)
    views = at.graph.schema.views_from(at.graph.node_type(head).name)
    known = follow(at, np.array([head]), name) if name in views else None
    return _entity(at, known, lambda model, among: model.tails(head, name, among), head, name)


@tool(
    "HeadEntity",
    toolformer="transe:head_entity",
    aliases=("search_head_entity",),
    gives=_one_node,
    missing=_needs("transe"),
)
def head_entity(at: Context, relation: str, tail: Node) -> Bag:
    """The entity that a relation comes from: one that the graph records, else the one that TransE finds likeliest.

    relation: its name
    tail: where the relation ends
    """
    at.rests_on("tail", np.array([tail]))
    name, node_type = _relation(at, relation), at.graph.node_type(tail).name
    back = {r.back for r in at.graph.schema.relations if r.name == name and r.target == node_type}
    known = follow(at, np.array([tail]), back.pop()) if back else None
    return _entity(at, known, lambda model, among: model.heads(name, tail, among), tail, name, back=False)


@tool(
    "RelationBetween",
    toolformer="transe:relation",
    aliases=("search_relation",),
    missing=_needs("transe"),
)
def relation_between(at: Context, head: Node, tail: Node) -> str:
    """The relation from one entity to another: one that the graph records, else the one that TransE finds likeliest.

    head: where it starts
    tail: where it ends
    """
    model_names = [r.name for r in at.graph.schema.relations]
    known = list(dict.fromkeys(_forward(at, head, tail)))
    if known:
        at.followed(steps_between(at, np.array([head]), np.array([tail]), known))
    if len(known) == 1:
        at.remark(FACT)
        return known[0]
    model = fitted(at, "transe")
    fit = dict(zip(model.names, model.between(head, tail).tolist(), strict=True))
    more = f"{len(known)} relations are {FACT}: {', '.join(known)}"
    at.remark(more if known else _predicted("transe", model) + NO_FACT)
    best = max(known or model_names, key=lambda name: fit.get(name, -np.inf))
    if not known:
        _recorded_of_like(at, model, head, tail, best)
    return best


def _forward(at: Context, head: int, tail: int) -> list[str]:
    """The names of the relations that the graph records from head to tail."""
    found = []
    for position, r in enumerate(at.graph.schema.relations):
        a, first = at.graph.adjacencies[position], at.graph.schema.node_type(r.source).first
        row = head - first
        if 0 <= row < len(a.indptr) - 1 and (a.indices[a.indptr[row] : a.indptr[row + 1]] == tail).any():
            found.append(r.name)
    return found


def _relation(at: Context, name: str) -> str:
    """The relation of the graph that is meant; a full stop after it is the sentence's."""
    valid = list(dict.fromkeys(r.name for r in at.graph.schema.relations))
    known = same_name(name, valid) or same_name(name.rstrip(". "), valid)
    if known is None:
        raise CheckError(f"{at.graph.name} has no relation {name!r}. {choices(name, valid)}")
    return known


def _entity(
    at: Context,
    known: Note | None,
    scores: Callable[[Any, Ints], Any],
    asked: int,
    relation: str,
    back: bool = True,
) -> Bag:
    """The recorded entity; the likeliest of several; the likeliest of all where none is recorded.

    `back`: the relation leads from the node that was asked about, so that it is seen from the entity by its other name.
    """
    recorded: Ints = np.unique(known.reached) if known is not None else np.empty(0, np.int64)
    if known is not None and len(recorded):
        at.followed(known)
    if len(recorded) == 1:
        at.remark(FACT)
        return Bag(recorded)
    model = fitted(at, "transe")
    by = _by("transe", model)
    several = f"one of {len(recorded)}, the likeliest by {by}, {FACT}"
    at.remark(several if len(recorded) else f"predicted by {by}{NO_FACT}")
    among = recorded if len(recorded) else np.setdiff1d(np.arange(at.graph.num_nodes), [asked])
    best = int(among[scores(model, among).argmax()])
    if not len(recorded):
        _recorded_of_like(at, model, asked, best, relation, back)
    return Bag.of([best])


def _recorded_of_like(
    at: Context, model: Any, asked: int, best: int, relation: str, back: bool = True
) -> None:
    """Say of which others the graph records what TransE predicts of a node."""
    kind, relations = at.graph.node_type(best).name, at.graph.schema.relations
    names = {r.back for r in relations if r.name == relation and r.target == kind} if back else {relation}
    views = [name for name in names if name in at.graph.schema.views_from(kind)]
    told = f"{relation} with {at.graph.label(best)}"
    if views:
        grounds.recorded_of_like(at, model.entities, asked, follow(at, np.array([best]), views[0]), told)
    else:
        at.remark(f"no {told} is recorded")
