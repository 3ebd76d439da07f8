"""What people and models are told about tools; all of it is derived from signatures and docstrings."""

from collections.abc import Iterable
from typing import get_args

from graphtalk.calls import Spelling
from graphtalk.core import JSON
from graphtalk.graphs import Graph, GraphSet, Schema
from graphtalk.tools.registry import Parameter, Registry, Tool
from graphtalk.tools.types import Comparison

_JSON_TYPES: dict[str, JSON] = {
    "number": "number",
    "whole number": "integer",
    "boolean": "boolean",
    "scalar": ["number", "string", "boolean"],
    "names": ["string", "array"],
    "links": ["string", "array"],
    "text": "string",
    "relation": "string",
    "feature": "string",
    "edge feature": "string",
    "node type": "string",
    "comparison": "string",
}
_TAKES: dict[str, str] = {
    "nodes": "a node's name, a list of names, or a call that gives nodes",
    "node": "a node's name, or a call that gives one node",
    "table": "a call that gives a number for each node, such as Degree",
    "numbers": "a list of numbers, or a call that gives numbers",
    "ordered": "a list of numbers, or a call that gives numbers or dates",
    "bag or list": "a list of names, or a call that gives a bag or a list",
    "entries": "a call that gives a bag, a list or a table",
}


def signature(tool: Tool) -> str:
    """`RetrieveNode[keyword, node_type?]`."""
    return f"{tool.name}[{', '.join(_mark(p) for p in tool.parameters)}]"


def prompt_line(tool: Tool) -> str:
    """A line about a tool for the prompt of Graph-CoT."""
    return f"{signature(tool)}: {tool.summary}"


def toolformer_example(tool: Tool, graph: str = "graph") -> str:
    """The shape of a call as Graph-ToolFormer writes it."""
    if tool.name == "GL":
        return f"[GL({', '.join(_mark(p) for p in tool.parameters)})]"
    parts = [f'GL("{graph}")', f'"{tool.toolformer}"', *(_mark(p) for p in tool.parameters)]
    return f"[GR({', '.join(parts)})-->r]"


def _example(tool: Tool, spelling: Spelling) -> str:
    """The shape of a call in a spelling; that of JSON is `json_schema`."""
    if spelling == "toolformer":
        return toolformer_example(tool)
    if spelling == "cypher":
        return f"gt.{tool.name}({', '.join(_mark(p) for p in tool.parameters)})"
    return signature(tool)


def line(tool: Tool, spelling: Spelling) -> str:
    """How a tool is called in a spelling, and what it gives."""
    return f"{_example(tool, spelling)}: {tool.summary}"


def help_text(tool: Tool, spelling: Spelling = "graph-cot") -> str:
    """All about a tool, for people."""
    rows = [_example(tool, spelling), "", tool.summary]
    rows += [f"  {_mark(p)}: {p.description} ({p.kind})" for p in tool.parameters]
    rows += ["", f"Also called: {', '.join((tool.toolformer, *tool.aliases))}"]
    missing = tool.missing(None)
    return "\n".join([*rows, f"It cannot run here: {missing}"] if missing else rows)


def json_schema(tool: Tool, schema: Schema | None = None, other_graphs: bool = True) -> dict[str, JSON]:
    """The tool as models with tool calls take it. With a graph's schema the names that it has are listed.

    Without `other_graphs` it can only be called on the graph at hand, which takes fewer words.
    """
    properties: dict[str, JSON] = {p.name: _property(p, schema) for p in tool.parameters}
    if tool.name != "GL" and other_graphs:
        properties["graph"] = {
            "type": ["string", "object"],
            "description": 'another graph than the one at hand: a call of "GL"',
        }
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.summary,
            "parameters": {
                "type": "object",
                "properties": properties,
                "required": [p.name for p in tool.parameters if p.required],
                "additionalProperties": False,
            },
        },
    }


def json_schemas(registry: Registry, graph: Graph | GraphSet | None = None) -> list[dict[str, JSON]]:
    """The tools that can run on a graph (None: on some graph), as the parameter `tools` of OpenAI's interface takes them."""
    union = graph.union if isinstance(graph, GraphSet) else graph
    return [json_schema(tool, union.schema if union else None) for tool in registry.offered(graph)]


def _mark(parameter: Parameter) -> str:
    return parameter.name if parameter.required else f"{parameter.name}?"


def _property(parameter: Parameter, schema: Schema | None) -> JSON:
    takes = _TAKES.get(parameter.kind)
    description = f"{parameter.description}: {takes}" if takes else parameter.description
    kind = _JSON_TYPES.get(parameter.kind, ["string", "array", "object"])
    found: dict[str, JSON] = {"type": kind, "description": description}
    if isinstance(kind, list) and "array" in kind:
        found["items"] = {}
    names = _names(parameter, schema)
    if names:
        found["enum"] = list(names)
    return found


def _names(parameter: Parameter, schema: Schema | None) -> Iterable[str]:
    if parameter.kind == "comparison":
        return get_args(Comparison)
    if schema is None:
        return ()
    if parameter.kind == "relation":
        return schema.relation_names
    if parameter.kind == "node type":
        return tuple(t.name for t in schema.node_types)
    if parameter.kind == "edge feature":
        return tuple(dict.fromkeys(f.name for r in schema.relations for f in r.features))
    if parameter.kind == "feature":
        return tuple(dict.fromkeys(f.name for t in schema.node_types for f in t.features))
    return ()
