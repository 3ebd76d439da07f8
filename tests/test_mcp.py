"""The MCP server, through the SDK's own client over both transports."""

import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import httpx2
import mcp_types as types
import pytest
from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

import graphtalk as gt
from graphtalk.app import mcp
from graphtalk.app.server.answering import Answering
from graphtalk.app.server.clients import Clients
from graphtalk.app.server.config import Bounds, ServerSettings
from graphtalk.app.settings import Settings
from graphtalk.app.shelf import Shelf
from graphtalk.core import UsageError
from graphtalk.tools.registry import default_registry
from site_server import running

SECRET = "a-secret-of-enough-letters"
SIX = ("ask", "query", "search", "node", "neighbours", "verify")


@asynccontextmanager
async def over_stdio() -> AsyncIterator[Client]:
    command = Path(sys.executable).with_name("graphtalk")
    started = StdioServerParameters(
        command=str(command), args=["mcp", "atlas", "gpr", "--tools", "all"], env=dict(os.environ)
    )
    async with Client(stdio_client(started)) as client:
        yield client


@asynccontextmanager
async def over_http() -> AsyncIterator[Client]:
    shelf = Shelf.of([gt.open("atlas"), gt.open("gpr")], Settings())
    site = mcp.site(shelf, ServerSettings(tokens=((SECRET, "me"),)), ["all"])
    with running(site) as url:
        assert httpx2.post(f"{url}/mcp", json={}, timeout=300).status_code == 401
        key = {"Authorization": f"Bearer {SECRET}"}
        async with (
            httpx2.AsyncClient(headers=key, timeout=300) as http,
            Client(streamable_http_client(f"{url}/mcp", http_client=http)) as client,
        ):
            yield client


@pytest.mark.parametrize("connect", [over_stdio, over_http], ids=["stdio", "http"])
def test_a_client_finds_asks_calls_reads_and_verifies(connect) -> None:  # type: ignore[no-untyped-def]
    async def use() -> None:
        async with connect() as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            graphs = [gt.open("atlas"), gt.open("gpr")]
            able = {t.name for graph in graphs for t in default_registry().offered(graph)}
            assert set(tools) == {*SIX, *able}
            assert all(tool.annotations.read_only_hint and tool.output_schema for tool in tools.values())
            assert "KMeansCommunity" in tools and "Topic" not in tools  # no graph here has papers with topics
            assert tools["NeighbourCheck"].input_schema["properties"]["graph"]["enum"] == ["atlas", "gpr"]

            asked = await client.call_tool(
                "ask", {"question": "What is the capital of Japan?", "graph": "atlas"}
            )
            answer = asked.structured_content
            assert (
                answer["value"] == ["Tokyo"] and ["Japan", "capital", "Tokyo"] in answer["evidence"]["edges"]
            )
            assert json.loads(asked.content[1].text) == answer
            same = await client.call_tool("verify", {"answer": answer})
            assert (same.structured_content["same"], same.structured_content["differences"]) == (True, [])
            other = await client.call_tool("verify", {"answer": {**answer, "value": ["Osaka"]}})
            assert other.structured_content["same"] is False

            nested = {"name": "NeighbourCheck", "arguments": {"node": "France", "neighbor_type": "borders"}}
            counted = await client.call_tool("Count", {"entries": nested})
            assert counted.structured_content["result"] == 10
            everywhere = {"name": "Nodes", "arguments": {"node_type": "country"}}
            many = await client.call_tool("NeighbourCheck", {"node": everywhere, "neighbor_type": "borders"})
            assert many.structured_content["result"]["count"] > 500
            assert len(json.dumps(many.structured_content)) < 20_000

            schema = await client.read_resource("graphtalk://atlas/schema")
            assert "country" in schema.contents[0].text and schema.contents[0].mime_type == "text/plain"
            node = json.loads((await client.read_resource("graphtalk://atlas/nodes/France")).contents[0].text)
            assert node["features"]["population"] == 68_400_000
            listed = [str(resource.uri) for resource in (await client.list_resources()).resources]
            assert listed == ["graphtalk://atlas/schema", "graphtalk://gpr/schema"]

            names = [prompt.name for prompt in (await client.list_prompts()).prompts]
            for name in names:
                made = await client.get_prompt(name, {"question": "Where is Peru?", "graph": "atlas"})
                assert "Where is Peru?" in made.messages[0].content.text

    anyio.run(use)


def test_what_is_wrong_comes_back_in_words() -> None:
    async def use() -> None:
        async with over_http() as client:
            for name, given, says in (
                ("NeighbourCheck", {"node": "France", "neighbor_type": "bordrs"}, "Did you mean borders?"),
                ("NeighbourCheck", {"node": "France", "neighbor": "borders"}, "neighbor"),
                ("NeighbourCheck", {"graph": "../etc", "node": "France"}, "No graph '../etc'"),
                ("ask", {"question": "?", "reasoner": "magic"}, "No reasoner 'magic'"),
                ("verify", {"answer": "no"}, "answer is an object"),
                ("verify", {"answer": {"answered": True}}, "not an answer"),
            ):
                found = await client.call_tool(name, given)
                assert found.is_error and says in found.content[0].text, (name, given, found)
            for question, says in (("", "empty"), ("How do I boil an egg?", "")):
                declined = await client.call_tool("ask", {"question": question})
                assert declined.structured_content["answered"] is False and says in declined.content[0].text
            unclear = {"question": "What is the capital of Atlantis?"}
            back = (await client.call_tool("ask", unclear)).content[0].text
            assert back.count("Atlanta") == 1  # each reading is said once
            chosen = (await client.call_tool("ask", {**unclear, "choose": 1})).structured_content
            assert chosen["answered"] and chosen["choose"] == 1
            same = await client.call_tool("verify", {"answer": chosen})
            assert same.structured_content["verdict"] == "same"
            none = await client.call_tool("ask", {**unclear, "choose": 4})
            assert none.is_error and "3 readings" in none.content[0].text
            for uri in ("graphtalk://nope/schema", "graphtalk://atlas/nodes/nobody", "file:///etc/passwd"):
                with pytest.raises(MCPError):
                    await client.read_resource(uri)
            for name, given, says in (
                ("pln", {"question": "?"}, "Did you mean plan"),
                ("plan", {"graph": "atlas"}, "needs a question"),
            ):
                with pytest.raises(MCPError, match=says):
                    await client.get_prompt(name, given)

    anyio.run(use)


@asynccontextmanager
async def six_tools(graph: gt.Graph) -> AsyncIterator[Client]:
    site = mcp.site(Shelf.of([graph], Settings()), ServerSettings())
    with running(site) as url:
        async with Client(streamable_http_client(f"{url}/mcp")) as client:
            yield client


def test_six_tools_do_what_a_model_needs() -> None:
    async def use() -> None:
        async with six_tools(gt.open("atlas")) as client:
            tools = (await client.list_tools()).tools
            assert tuple(tool.name for tool in tools) == SIX
            seen = [
                {"name": t.name, "description": t.description, "input_schema": t.input_schema} for t in tools
            ]
            assert len(json.dumps(seen)) < 4_000  # characters, of which a token has some four
            rows = await client.call_tool(
                "query",
                {
                    "cypher": "MATCH (c:country) WHERE c.population > $p RETURN c.name AS n",
                    "parameters": {"p": 10**9},
                },
            )
            assert sorted(rows.structured_content["rows"]) == [["China"], ["India"]]
            assert "China" in rows.content[0].text
            hits = (await client.call_tool("search", {"text": "germny", "limit": 3})).structured_content[
                "hits"
            ]
            assert hits[0]["label"] == "Germany" and len(hits) <= 3
            node = (await client.call_tool("node", {"node": hits[0]["id"]})).structured_content
            near = await client.call_tool("neighbours", {"node": "Germany", "relation": "borders"})
            assert near.structured_content["total"] == node["relations"]["borders"]
            for name, given, says in (
                ("node", {"node": "Gondor"}, "Search finds"),
                ("node", {"nod": "Germany"}, "Did you mean node"),
                ("neighbours", {"node": "Germany", "relation": "bordrs"}, "Did you mean borders"),
                ("neighbours", {"node": "Germany", "offset": -1}, "offset is a whole number"),
                ("search", {"text": 5}, "text is a text"),
                ("query", {"cypher": "MATCH (n) DELETE n"}, "DELETE"),
                ("query", {"cypher": "MATCH (n"}, ""),
            ):
                wrong = await client.call_tool(name, given)
                assert wrong.is_error and says in wrong.content[0].text, (name, given, wrong)
            for name, says in (("nod", "Did you mean node"), ("PageRank", "No tool 'PageRank'")):
                with pytest.raises(MCPError, match=says) as refused:
                    await client.call_tool(name, {})
                assert refused.value.error.code == types.INVALID_PARAMS

    anyio.run(use)


def test_long_answers_come_in_pages_that_verify() -> None:
    async def use() -> None:
        async with six_tools(gt.open("atlas")) as client:
            question = "List all countries"
            seen: list[str] = []
            while True:
                found = await client.call_tool("ask", {"question": question, "offset": len(seen)})
                shown = found.structured_content
                assert shown["cut"] and shown["count"] == 197 and shown["offset"] == len(seen)
                assert sum(len(content.text) for content in found.content) < 30_000
                seen += shown["value"]
                if len(seen) >= 150:
                    break
            assert len(set(seen)) == 150 and "With `offset`: 150" in found.content[0].text
            assert (await client.call_tool("verify", {"answer": shown})).structured_content["same"] is True
            forged = {**shown, "value": ["Atlantis", *shown["value"][1:]]}
            assert (await client.call_tool("verify", {"answer": forged})).structured_content["same"] is False
            last = (await client.call_tool("ask", {"question": question, "offset": 187})).structured_content
            assert len(last["value"]) == 10 and last["answer"].endswith("That is all.")

    anyio.run(use)


def test_a_tool_that_there_is_not_is_named_at_the_start() -> None:
    with pytest.raises(UsageError, match="Did you mean PageRank"):
        mcp.site(Shelf.of([gt.open("atlas")], Settings()), ServerSettings(), ["PageRnk"])


async def sampled(
    graph: gt.Graph, replies: list[str], asked: list[types.CreateMessageRequestParams]
) -> AsyncIterator[Client]:
    """A client that lends its own model, which says these replies."""

    async def sample(context: object, params: types.CreateMessageRequestParams) -> object:
        asked.append(params)
        if not replies:
            return types.ErrorData(code=-1, message="The person refused.")
        content = types.TextContent(type="text", text=replies.pop(0))
        return types.CreateMessageResult(role="assistant", content=content, model="theirs")

    bounds = Bounds()
    answering = Answering(Shelf.of([graph], Settings()), bounds, Clients(bounds))
    # A request of the server's own needs a session that stays: that of the protocol before 2026.
    async with (
        answering.open(),
        Client(mcp.server(answering), sampling_callback=sample, mode="legacy") as client,
    ):
        yield client


def test_the_model_of_the_assistant_plans_what_the_reader_is_not_sure_of() -> None:
    replies = [
        "MATCH (c:country) RETURN c.landlocked AS landlocked, count(*) AS n",
        "Unanswerable[no weather]",
    ]
    asked: list[types.CreateMessageRequestParams] = []

    async def use() -> None:
        async with asynccontextmanager(sampled)(gt.open("atlas"), replies, asked) as client:
            grouped = await client.call_tool(
                "ask", {"question": "Count countries, grouped by whether they are landlocked."}
            )
            assert grouped.structured_content["lm"] == "client", grouped.structured_content
            assert {row["landlocked"] for row in grouped.structured_content["value"]} == {True, False}
            weather = await client.call_tool("ask", {"question": "What is the weather in Gotham?"})
            assert not weather.structured_content["answered"]
            refused = await client.call_tool("ask", {"question": "What is the weather in Metropolis?"})
            assert refused.is_error and "cannot be asked" in str(refused.content)

    anyio.run(use)
    assert "Cypher" in str(asked[0].system_prompt) and asked[0].include_context == "none"
