"""A plan in plain English: what people are shown as the meaning."""

import re

from graphtalk.graphs import View
from graphtalk.language.identifiers import split_name
from graphtalk.language.nouns import plural
from graphtalk.language.relating import described
from graphtalk.reasoners.planner.plans import Chain, Plan

_UNIT = re.compile(r"\s*(?:\([^)]*\)|\[[^\]]*\])\s*$")
_JOINED = {"and": " and ", "or": " or ", "not": " but not "}


def name_in_words(name: str) -> str:
    """`release_year` → `release year`."""
    return " ".join(split_name(name)) or name


def feature_in_words(name: str) -> str:
    """`Salary (EUR)` → `salary`: without the unit that a name may have in brackets."""
    return name_in_words(_UNIT.sub("", name) or name)


def hop_in_words(view: View, inner: str) -> str:
    """One hop: the view's target as seen from what `inner` describes."""
    target = plural(name_in_words(view.target))
    own = {*split_name(view.source), *split_name(view.target)}
    relation = " ".join(w for w in split_name(view.name.removeprefix("^")) if w not in own)
    if not relation:
        return f"{target} of {inner}"
    led_to = view.name.startswith("^") or view.direction == "in"
    return described(target, relation, led_to, inner)


def chain_in_words(chain: Chain) -> str:
    """A chain, outermost hop first."""
    words = name_in_words(chain.start)
    words = f"{words} {chain.anchor.text}" if chain.anchor is not None else plural(words)
    for view in chain.hops:
        words = hop_in_words(view, words)
    return words


def plan_in_words(plan: Plan) -> str:
    """The plan as a phrase, such as `number of disease (presents) of symptom Cough`."""
    nodes = _JOINED[plan.joined].join(chain_in_words(c) for c in plan.chains)
    nodes += "".join(
        f" with {name_in_words(c.feature)} {c.operator} {_value(c.value)}" for c in plan.conditions
    )
    for view in plan.then:
        nodes = hop_in_words(view, nodes)
    words = _operation_in_words(plan, nodes)
    for view in plan.after:
        words = hop_in_words(view, words)
    return words


def _value(value: str | float | bool) -> str:
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def _operation_in_words(plan: Plan, nodes: str) -> str:
    target = chain_in_words(plan.target) if plan.target else ""
    first = chain_in_words(plan.chains[0])
    feature = name_in_words(plan.feature)
    match plan.operation:
        case "list":
            return nodes
        case "count":
            return f"number of {nodes}"
        case "most":
            return f"most frequent {nodes}"
        case "most neighbours" | "fewest neighbours":
            most = "most" if plan.operation == "most neighbours" else "fewest"
            return f"{name_in_words(plan.last_hops[0].source)} with the {most} of: {nodes}"
        case "average degree":
            return f"average number of {nodes}"
        case "feature":
            return f"{feature} of {nodes}"
        case "average" | "total" | "most common value":
            return f"{plan.operation} {feature} of {nodes}"
        case "largest" | "smallest":
            return f"{nodes} with the {plan.operation} {feature}"
        case "larger" | "smaller":
            return f"{first} or {target}, whichever has the {plan.operation} {feature}"
        case "is larger" | "is smaller":
            return f"whether {first} has a {plan.operation.removeprefix('is ')} {feature} than {target}"
        case "by degree" | "frequent":
            assert plan.number is not None
            times = f"{plan.number.operator} {plan.number.number:g}"
            if plan.operation == "frequent":
                return f"{nodes}, reached {times} times"
            return f"{name_in_words(plan.last_hops[0].source)} with {times} of: {nodes}"
        case "holds":
            return f"whether {first} is so: {nodes.removeprefix(first).strip()}"
        case "same value":
            return f"whether {nodes} are the same"
        case "same" | "count same":
            number = "number of " if plan.operation == "count same" else ""
            which = "just" if plan.exactly else "all"
            return f"{number}{plural(name_in_words(plan.chains[0].start))} with {which} the {first}"
        case "contains":
            return f"whether {target} is among the {nodes}"
        case "connected":
            return f"whether {name_in_words(plan.chains[0].start)} and {target} are connected"
        case "path":
            return f"shortest path from {first} to {target}"
        case "distance":
            return f"number of steps from {first} to {target}"
