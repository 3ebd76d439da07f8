"""A plan in plain English: what people are shown as the meaning, and what is compared with the question."""

from graphtalk.graphs import View
from graphtalk.reasoners.planner.english import split_name
from graphtalk.reasoners.planner.plans import Chain, Plan


def name_in_words(name: str) -> str:
    """`release_year` → `release year`."""
    return " ".join(split_name(name)) or name


def plural(noun: str) -> str:
    """The plural of an English noun, as far as a schema's names need it."""
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun if noun.endswith("s") and not noun.endswith("ss") else f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}s"


def hop_in_words(view: View, inner: str) -> str:
    """One hop: the view's target as seen from what `inner` describes."""
    target = name_in_words(view.target)
    own = {*split_name(view.source), *split_name(view.target)}
    words = [w for w in split_name(view.name.removeprefix("^")) if w not in own]
    relation = " ".join(words)
    if not relation:
        return f"{target} of {inner}"
    if view.name.startswith("^") or view.direction == "in":
        return f"{target} {relation} {inner}"
    return f"{target} ({relation}) of {inner}"


def chain_in_words(chain: Chain, masked: bool = False) -> str:
    """A chain, outermost hop first; with `masked`, the anchor's name is left out."""
    words = name_in_words(chain.start)
    if chain.anchor is not None and not masked:
        words = f"{words} {chain.anchor.text}"
    elif chain.anchor is None:
        words = plural(words)
    for view in chain.hops:
        words = hop_in_words(view, words)
    return words


def plan_in_words(plan: Plan, masked: bool = False) -> str:
    """The plan as a phrase, such as `number of disease (presents) of symptom Cough`."""
    joined = (" but not " if plan.apart else " and ").join(chain_in_words(c, masked) for c in plan.chains)
    for view in plan.then:
        joined = hop_in_words(view, joined)
    target = chain_in_words(plan.target, masked) if plan.target else ""
    first = chain_in_words(plan.chains[0], masked)
    comparison = f"{plan.comparison.operator} {plan.comparison.number:g}" if plan.comparison else ""
    match plan.operation:
        case "count":
            return f"number of {joined}"
        case "most":
            return f"most frequent {joined}"
        case "most neighbours":
            return f"{name_in_words(plan.chains[0].start)} with the most {joined}"
        case "feature":
            return f"{name_in_words(plan.feature)} of {joined}"
        case "average" | "total":
            return f"{plan.operation} {name_in_words(plan.feature)} of {joined}"
        case "largest" | "smallest":
            return f"{joined} with the {plan.operation} {name_in_words(plan.feature)}"
        case "filter":
            return f"{joined} with {name_in_words(plan.feature)} {comparison}"
        case "count filter":
            return f"number of {joined} with {name_in_words(plan.feature)} {comparison}"
        case "same" | "count same":
            number = "number of " if plan.operation == "count same" else ""
            return f"{number}{plural(name_in_words(plan.chains[0].start))} with all the {first}"
        case "contains":
            return f"whether {target} is among the {joined}"
        case "connected":
            return f"whether {name_in_words(plan.chains[0].start)} and {target} are connected"
        case "path":
            return f"shortest path from {name_in_words(plan.chains[0].start)} to {target}"
        case "distance":
            return f"distance from {name_in_words(plan.chains[0].start)} to {target}"
        case "list":
            return joined
