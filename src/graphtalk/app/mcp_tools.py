"""The tools of the MCP server: six by default, which do all that a model needs, and the calls where they are asked for.

Each has a schema of what it takes and of what it gives, reads only, and gives as much as a model reads: of long lists a
page, how many there are, and how the next page is had.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import mcp_types as types
from anyio.to_thread import run_sync
from pydantic import BaseModel, Field

from graphtalk.app.reasoners import AUTO, OFFLINE
from graphtalk.app.server import looking, problems, schemas
from graphtalk.app.server.answering import Answering
from graphtalk.app.server.jobs import Asking, AskingClient, Given, Querying, Using, Verifying
from graphtalk.app.server.problems import ProblemError
from graphtalk.app.server.workers import CrashError
from graphtalk.app.shelf import Choice, Shelf
from graphtalk.core import JSON, GraphtalkError, UsageError, choices
from graphtalk.core.text import escaped, visible
from graphtalk.lms import LanguageModel
from graphtalk.reasoners.offline import OFFERED
from graphtalk.tools.describe import json_schema
from graphtalk.tools.registry import Tool, default_registry

MOST = 50  # entries of a result, and nodes and edges of its evidence
MOST_TEXT = 4_000  # characters of an answer's text
ALL = "all"  # every call of the registry as a tool
_READS = {
    "read_only_hint": True,
    "destructive_hint": False,
    "idempotent_hint": True,
    "open_world_hint": False,
}
_REST = "These are {first:,} to {last:,} of {count:,}. With `offset`: {last} the next ones come."


class Answered(schemas.Answer):
    """An answer as a model is given it: of a long value a page."""

    cut: bool = Field(False, description="whether value and answer are a page of more")
    count: int = Field(0, description="entries of the whole value, where it is cut")
    offset: int = 0
    choose: int = 0


class Called(BaseModel):
    """What a call gave."""

    call: str
    result: schemas.Anything
    evidence: schemas.Evidence
    remarks: list[str]


@dataclass(frozen=True)
class Toolbox:
    """What an MCP client can do with the graphs of a shelf. `more` names calls that are tools too, or is "all"."""

    shelf: Shelf
    answering: Answering
    more: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        known = [tool.name for tool in self._able()]
        for name in self.more:
            if name != ALL and name not in known:
                raise UsageError(
                    f"--tools {name}: no call of these graphs is called so. {choices(name, [ALL, *known])}"
                )

    def tools(self) -> list[types.Tool]:
        """All tools, the calls last: those that can run on a graph of the shelf."""
        return [
            *(tool.shown(self._graph()) for tool in TOOLS.values()),
            *map(self._of_registry, self._wanted()),
        ]

    def names(self) -> list[str]:
        """The names of all tools."""
        return [*TOOLS, *(tool.name for tool in self._wanted())]

    def has(self, name: str) -> bool:
        """Whether a tool is called so. A call that is none of the tools is not."""
        return name in TOOLS or name in self.names()

    async def call(
        self, client: str, name: str, given: Mapping[str, JSON], model: LanguageModel | None = None
    ) -> types.CallToolResult:
        """Do what a tool that there is does. What is wrong with the arguments comes back as a result that says so.

        `model` is the client's own: where the server has none, it plans what the reader is not sure of.
        """
        arguments = dict(given)
        graph = str(arguments.pop("graph", "") or self.shelf.names()[0])
        try:
            self.shelf.graph(graph)
            asked = Arguments(self, client, graph, arguments, model)
            tool = TOOLS.get(name)
            text, shown = await (_run_call(asked, name) if tool is None else tool.run(asked))
        except (GraphtalkError, ProblemError, CrashError) as error:
            said = str(problems.of_error(error).detail)
            return types.CallToolResult(content=[_text(said)], is_error=True)
        written = escaped(json.dumps(shown, ensure_ascii=False))
        return types.CallToolResult(content=[_text(text), _text(written)], structured_content=shown)

    def _wanted(self) -> list[Tool]:
        return [tool for tool in self._able() if ALL in self.more or tool.name in self.more]

    def _able(self) -> list[Tool]:
        graphs = [self.shelf.graph(name) for name in self.shelf.names()]
        return [tool for tool in default_registry().values() if not all(map(tool.missing, graphs))]

    def _of_registry(self, tool: Tool) -> types.Tool:
        names = self.shelf.names()
        schema = self.shelf.union(names[0]).schema if len(names) == 1 else None
        made: Any = json_schema(tool, schema, other_graphs=False)["function"]
        made["parameters"]["properties"] |= self._graph()
        return types.Tool(
            name=tool.name,
            description=made["description"],
            input_schema=made["parameters"],
            output_schema=Called.model_json_schema(),
            annotations=types.ToolAnnotations(title=tool.name, **_READS),
        )

    def _graph(self) -> dict[str, Any]:
        names = list(self.shelf.names())
        if len(names) == 1:
            return {}
        about = f"which graph; {names[0]} if none is named"
        return {"graph": {"type": "string", "enum": names, "description": about}}


@dataclass(frozen=True)
class Arguments:
    """What a tool was given, and by whom. Each is read as its kind, or ProblemError says what is wrong."""

    box: Toolbox
    client: str
    graph: str
    given: Mapping[str, JSON]
    model: LanguageModel | None = None

    def check(self, known: Sequence[str]) -> None:
        """Raise ProblemError for arguments that the tool does not have."""
        for name in self.given:
            if name not in known:
                raise ProblemError(422, f"No argument {name!r}. {choices(name, known)}")

    def text(self, name: str, needed: bool = True) -> str:
        """A text."""
        found = self.given.get(name, "")
        if not isinstance(found, str) or (needed and name not in self.given):
            raise ProblemError(422, f"{name} is a text.")
        return found

    def number(self, name: str, default: int, least: int, most: int) -> int:
        """A whole number."""
        found = self.given.get(name, default)
        if not isinstance(found, int) or isinstance(found, bool) or not least <= found <= most:
            raise ProblemError(422, f"{name} is a whole number from {least:,} to {most:,}.")
        return found

    def object(self, name: str) -> dict[str, JSON]:
        """An object."""
        found = self.given.get(name, {})
        if not isinstance(found, dict):
            raise ProblemError(422, f"{name} is an object.")
        return found

    @property
    def offset(self) -> int:
        """From which entry on."""
        return self.number("offset", 0, 0, 1 << 40)


_Made = tuple[str, Given]


@dataclass(frozen=True)
class BoxTool:
    """A tool that is none of the registry's. `takes` are its arguments as JSON schemas."""

    name: str
    title: str
    about: str
    takes: Mapping[str, dict[str, Any]]
    needs: tuple[str, ...]
    gives: type[BaseModel]
    work: Callable[[Arguments], Any]  # gives an awaitable _Made

    async def run(self, asked: Arguments) -> _Made:
        """What the tool gives: a text for a model, and the object."""
        asked.check([*self.takes, "graph"])
        made: _Made = await self.work(asked)
        return made

    def shown(self, graph: Mapping[str, Any]) -> types.Tool:
        """The tool as clients see it."""
        properties = {**self.takes, **graph}
        return types.Tool(
            name=self.name,
            title=self.title,
            description=self.about,
            input_schema={"type": "object", "properties": properties, "required": list(self.needs)},
            output_schema=self.gives.model_json_schema(),
            annotations=types.ToolAnnotations(title=self.title, **_READS),
        )


async def _ask(asked: Arguments) -> _Made:
    choose = asked.number("choose", 0, 0, OFFERED)
    question, reasoner = asked.text("question"), asked.text("reasoner", False)
    job = Asking(graph=asked.graph, question=question, reasoner=reasoner, choose=choose, most=MOST)
    shown = {**page(await _answer(asked, job), asked.offset), "choose": choose}
    unsaid = (near for near in shown["near"] if near not in shown["answer"])
    text = shown["answer"] + "".join(f"\n- {near}" for near in unsaid)
    return text, Answered.model_validate(shown).model_dump()


async def _answer(asked: Arguments, job: Asking) -> Given:
    answering, shelf = asked.box.answering, asked.box.shelf
    with_lm = shelf.chosen(Choice(job.reasoner, job.lm)).lm != OFFLINE
    if asked.model is not None and not with_lm and job.reasoner in ("", AUTO):
        lent = AskingClient(**job.model_dump(), model=asked.model)
        shown = await answering.run(asked.client, lent, with_lm=True)
    else:
        shown = await answering.run(asked.client, job, with_lm)
    answering.clients.spent(asked.client, shown["usage"].get("usd", 0))
    problems.check(shown)
    return shown


async def _verify(asked: Arguments) -> _Made:
    given = asked.object("answer")
    if given.get("cut") is True:  # the whole is what was asked for, and the page has to be a page of it
        question, reasoner = (str(given.get(name, "")) for name in ("question", "reasoner"))
        offset, choose = (
            n if isinstance(n := given.get(name), int) and n > 0 else 0 for name in ("offset", "choose")
        )
        whole = await _answer(
            asked, Asking(graph=asked.graph, question=question, reasoner=reasoner, choose=choose, most=MOST)
        )
        here = page(whole, offset)
        if any(here[name] != given.get(name) for name in ("answer", "value", "count")):
            differs = schemas.Verification(
                same=False,
                verdict="differs",
                differences=["This is not what the question gives."],
                checked=["answer", "value"],
                unchecked=[],
            )
            return "differs: this is not what the question gives.", differs.model_dump()
        given = whole
    shown = await asked.box.answering.run(asked.client, Verifying(graph=asked.graph, answer=given))
    text = shown.pop("text")
    return text, schemas.Verification.model_validate(shown).model_dump()


async def _query(asked: Arguments) -> _Made:
    job = Querying(
        graph=asked.graph, cypher=asked.text("cypher"), parameters=asked.object("parameters"), most=MOST
    )
    shown = await asked.box.answering.run(asked.client, job)
    rows = schemas.QueryRows.model_validate(shown)
    lines = [" | ".join(rows.columns), *(" | ".join(_plain(cell) for cell in row) for row in rows.rows)]
    if rows.count > len(rows.rows):
        lines.append(f"These are {len(rows.rows):,} of {rows.count:,} rows: the others with SKIP and LIMIT.")
    return _short("\n".join([*lines, *rows.remarks])), rows.model_dump(mode="json")


async def _search(asked: Arguments) -> _Made:
    text, limit = asked.text("text"), asked.number("limit", 10, 1, MOST)
    hits = await run_sync(looking.search, asked.box.shelf, asked.graph, text, limit)
    lines = [f"{hit.label} ({hit.type}, id {hit.id})" for hit in hits.hits]
    return "\n".join(lines) or "Nothing is like it.", hits.model_dump()


async def _node(asked: Arguments) -> _Made:
    shelf, name = asked.box.shelf, asked.text("node")
    node = await run_sync(looking.called, shelf, asked.graph, name)
    shown = looking.node(shelf.union(asked.graph), node)
    features = [f"{key}: {_plain(value)}" for key, value in shown.features.items()]
    degrees = [f"{relation}: {count:,} neighbours" for relation, count in shown.relations.items() if count]
    lines = [f"{shown.label} ({shown.type}, id {shown.id})", *features, *degrees]
    return _short("\n".join(lines)), shown.model_dump()


async def _neighbours(asked: Arguments) -> _Made:
    shelf, name, relation = asked.box.shelf, asked.text("node"), asked.text("relation", False)
    node = await run_sync(looking.called, shelf, asked.graph, name)
    shown = looking.neighbours(shelf.union(asked.graph), node, relation, MOST, asked.offset)
    lines = [f"{one.label} ({one.type}, {one.relation}, id {one.id})" for one in shown.neighbours]
    last = shown.offset + len(shown.neighbours)
    if lines and last < shown.total:
        lines.append(_REST.format(first=shown.offset + 1, last=last, count=shown.total))
    return "\n".join(lines) or "It has none.", shown.model_dump(mode="json")


async def _run_call(asked: Arguments, name: str) -> _Made:
    call = {"name": name, "arguments": dict(asked.given)}
    shown = await asked.box.answering.run(
        asked.client, Using(graph=asked.graph, call=json.dumps(call), most=MOST)
    )
    return shown.pop("text"), shown


_OFFSET = {"type": "integer", "minimum": 0, "description": "from which entry on, of more than fit"}
_NODE = {"type": "string", "description": "its id, or a name that it alone has"}
TOOLS: Mapping[str, BoxTool] = {
    tool.name: tool
    for tool in (
        BoxTool(
            "ask",
            "Ask a question",
            "Answer a question about the graph in plain language, with the calls and the evidence that show it.",
            {
                "question": {"type": "string"},
                "choose": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": OFFERED,
                    "description": "of the readings that were offered, the one to answer by",
                },
                "offset": _OFFSET,
                "reasoner": {"type": "string", "description": "who answers; best left out"},
            },
            ("question",),
            Answered,
            _ask,
        ),
        BoxTool(
            "query",
            "Run a Cypher query",
            "Run a read-only Cypher query. Node types are labels, relations are relationship types, features are "
            "properties; the schema is the resource graphtalk://GRAPH/schema.",
            {
                "cypher": {"type": "string"},
                "parameters": {"type": "object", "description": "values of $names"},
            },
            ("cypher",),
            schemas.QueryRows,
            _query,
        ),
        BoxTool(
            "search",
            "Find nodes",
            "The nodes whose name, id or text is most like a text, best first.",
            {"text": {"type": "string"}, "limit": {"type": "integer", "minimum": 1, "maximum": MOST}},
            ("text",),
            schemas.Hits,
            _search,
        ),
        BoxTool(
            "node",
            "Look at a node",
            "A node's features, and how many neighbours it has by each relation.",
            {"node": _NODE},
            ("node",),
            schemas.Node,
            _node,
        ),
        BoxTool(
            "neighbours",
            "List a node's neighbours",
            f"The neighbours of a node by one relation, or by all, {MOST} at a time.",
            {"node": _NODE, "relation": {"type": "string"}, "offset": _OFFSET},
            ("node",),
            schemas.Neighbours,
            _neighbours,
        ),
        BoxTool(
            "verify",
            "Verify an answer",
            "Run an answer's calls again, with no model, and compare.",
            {"answer": {"type": "object", "description": "the object that `ask` gave"}},
            ("answer",),
            schemas.Verification,
            _verify,
        ),
    )
}


def page(shown: Given, offset: int) -> Given:
    """An answer's object as a model is given it: `MOST` entries of its value from `offset` on, and a text of that size."""
    value = shown["value"]
    count = len(value) if isinstance(value, list | dict) else 0
    offset = offset if count else 0
    found: Given = {**shown, "cut": False, "count": 0, "offset": 0}
    if count > MOST or offset:
        entries = list(value.items()) if isinstance(value, dict) else list(value)
        here = entries[offset : offset + MOST]
        found |= {"cut": True, "count": count, "offset": offset}
        found["value"] = dict(here) if isinstance(value, dict) else here
        rest = _REST.format(first=offset + 1, last=offset + len(here), count=count)
        shown_as = (
            f"{entry[0]}: {_plain(entry[1])}" if isinstance(value, dict) else _plain(entry) for entry in here
        )
        found["answer"] = (
            _short(", ".join(shown_as)) + ". " + (rest if offset + len(here) < count else "That is all.")
        )
    found["answer"] = _short(str(found["answer"]))
    found["calls"] = [{**call, "result": _first(call["result"])} for call in shown["calls"]]
    found["parts"] = [page(part, 0) for part in shown["parts"]] if "parts" in shown else []
    return found


def _first(value: Any) -> Any:
    if isinstance(value, list) and len(value) > MOST:
        return {"count": len(value), "first": value[:MOST]}
    if isinstance(value, dict) and len(value) > MOST:
        return {"count": len(value), "first": dict(list(value.items())[:MOST])}
    return value


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _short(text: str) -> str:
    return text if len(text) <= MOST_TEXT else text[:MOST_TEXT] + "…"


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=visible(text))
