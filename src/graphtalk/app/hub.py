"""What the commands `graphtalk hub …` do, each a function that prints."""

import time
from dataclasses import asdict
from pathlib import Path

from graphtalk.app import about, console, render
from graphtalk.core import JSON
from graphtalk.graphs import Graph, GraphSet
from graphtalk.hub import DataCard, DataFile, Hub, hub_folder
from graphtalk.hub.card import Statistics
from graphtalk.hub.fetch import Fetched, provenance


def datasets(as_json: bool) -> None:
    """Print all data sets, and which are here."""
    hub = Hub(hub_folder())
    cards = [hub.card(name) for name in hub.names()]
    if as_json:
        rows = [{**_plain(card), "here": hub.fetched(card.name)} for card in cards]
        console.write(render.dumps({"hub": str(hub.root), "datasets": rows}))
        return
    lines = [
        (
            card.name,
            card.task,
            *_row(card.paper or card.counted)[:3],
            (hub.edition(card.name) or "yes") if hub.fetched(card.name) else "",
        )
        for card in cards
    ]
    render.print_table(console.stdout(), ("data set", "task", "nodes", "edges", "graphs", "here"), lines)
    console.say("fetch one with: graphtalk hub fetch NAME")


def show(name: str, as_json: bool) -> None:
    """Print a card, and where the data set lies."""
    hub = Hub(hub_folder())
    card, here = hub.card(name), provenance(hub.place(name))
    if as_json:
        place = str(hub.place(name)) if here else None
        console.write(
            render.dumps({**_plain(card), "store": place, "made_from": asdict(here) if here else None})
        )
        return
    out = console.stdout()
    out.print(f"{card.name}: {card.title}", style="bold", markup=False)
    out.print(f"{card.description}\n", markup=False)
    for what in ("task", "homepage", "licence", "citation", "missing"):
        if getattr(card, what):
            out.print(f"{what}: {getattr(card, what)}", markup=False)
    out.print()
    known = (("paper", card.paper), ("counted", card.counted))
    render.print_table(out, ("", *_SIZES), [(what, *_row(sizes)) for what, sizes in known if sizes])
    if card.files:
        out.print()
        files = [(f.name, _checksum(f), f.url or "only from a folder") for f in card.files]
        render.print_table(out, ("file", "sha256", "from"), files)
    absent = "comes with the package" if hub.fetched(name) else f"not here yet: graphtalk hub fetch {name}"
    edition = f" ({hub.edition(name)})" if hub.edition(name) else ""
    state = f"here{edition}: {hub.place(name)}" if here else absent
    out.print(f"\n{state}", markup=False)
    if here:
        _complain(here)


def fetch(name: str, source: Path | None, as_json: bool) -> None:
    """Fetch a data set, and say what came."""
    hub = Hub(hub_folder())
    started = time.perf_counter()
    with console.ImportBar() as bar:
        fetched = hub.fetch(name, source, console.progress, bar)
    graph, seconds = hub.graph(name), time.perf_counter() - started
    if as_json:
        extra = {"store": str(hub.place(name)), "made_from": asdict(fetched), "seconds": seconds}
        console.write(render.dumps({**about.to_json(graph), **extra}))
        return
    about.print_counts(console.stdout(), graph)
    console.write(f"{hub.called(name)}: {_counts(graph)}; {render.duration(seconds)}: {hub.place(name)}")
    _complain(fetched)


def _checksum(file: DataFile) -> str:
    if file.folder_sha256:
        return f"{file.folder_sha256[:12]} in a folder, else not known"
    return file.sha256[:12] or "not known"


def _complain(fetched: Fetched) -> None:
    """Say what cannot be checked, and what is missing."""
    if fetched.unchecked:
        console.say(f"the card knows no checksum of {', '.join(fetched.unchecked)}: taken unchecked.")
    if fetched.absent:
        console.say(f"not there, and left out: {', '.join(fetched.absent)}.")


def _counts(graph: Graph | GraphSet) -> str:
    union = graph.union if isinstance(graph, GraphSet) else graph
    return f"{union.num_nodes:,} nodes, {union.num_edges:,} edges"


_SIZES = ("nodes", "edges", "graphs", "features", "classes", "prompts")


def _row(sizes: Statistics | None) -> tuple[str, ...]:
    return tuple(_number(getattr(sizes, what, None)) for what in _SIZES)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,}"


def _plain(card: DataCard) -> dict[str, JSON]:
    """A card as JSON values, without what only its reader needs."""
    return {key: value for key, value in asdict(card).items() if key != "read"}
