"""The MCP server, through the command line of the MCP Inspector (Node), in the newest protocol and in the one before.

`tests/inspector` pins it; `scripts/test` installs it where there is npm. Each check starts the Inspector once, which costs
half a second of the processor; over standard input and output it starts a server as well, which costs three more.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import graphtalk as gt
from graphtalk import __version__
from graphtalk.app import mcp
from graphtalk.app.server.config import Bounds, ServerSettings
from graphtalk.app.settings import Settings
from graphtalk.app.shelf import Shelf
from site_server import running

FOLDER = Path(__file__).with_name("inspector")
PACKAGE = "@modelcontextprotocol/inspector"
SECRET = "a-secret-of-enough-letters"
SIX = ["ask", "query", "search", "node", "neighbours", "verify"]
NODE = 20  # the oldest that its command line was seen to run with
TOOL_ERROR, NO_TOKEN = 5, 3  # exit codes of the Inspector

Json = dict[str, Any]


@dataclass(frozen=True)
class Said:
    """What a run of the Inspector gave: its exit code, the server's result, and the Inspector's own complaint."""

    code: int
    result: Json
    error: Json
    findings: list[Json]


@dataclass(frozen=True)
class Inspector:
    """The Inspector's command line before a server, which `target` names, in a protocol: "legacy" or "modern"."""

    program: Path
    target: tuple[str, ...]
    era: str
    environment: Mapping[str, str]

    def __call__(self, method: str, *more: str) -> Said:
        """Connect, do one thing, and leave."""
        how = ("--protocol-era", self.era, "--connect-timeout", "300000", "--format", "json", "--quiet")
        command = [str(self.program), "--cli", *how, "--method", method, *more, *self.target]
        ran = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=600,
            stdin=subprocess.DEVNULL,
            env=dict(self.environment),
        )
        told = json.loads(ran.stdout) if ran.stdout else {}
        complaints = [line for line in ran.stderr.splitlines() if line.startswith('{"error":')]
        assert ran.returncode == 0 or complaints, ran.stderr
        error = json.loads(complaints[-1])["error"] if complaints else {}
        return Said(ran.returncode, told.get("result", {}), error, told.get("schemaFindings", []))

    def call(self, tool: str, arguments: Json) -> Said:
        """Call a tool."""
        return self("tools/call", "--tool-name", tool, "--tool-args-json", json.dumps(arguments))


@pytest.fixture(scope="module")
def program() -> Path:
    """The Inspector. Skips where it is not installed, but fails in CI, where there is node to run it."""
    node = shutil.which("node")
    version = (
        "" if node is None else subprocess.run([node, "--version"], capture_output=True, text=True).stdout
    )
    if not version or int(version.strip("v\n").split(".")[0]) < NODE:
        pytest.skip(f"the MCP Inspector needs node {NODE} or newer; here is {version.strip() or 'none'}")
    wanted = json.loads((FOLDER / "package.json").read_text())["devDependencies"][PACKAGE]
    installed = FOLDER / "node_modules" / PACKAGE / "package.json"
    if not installed.is_file() or json.loads(installed.read_text())["version"] != wanted:
        said = f"{PACKAGE} {wanted} is not installed: run scripts/test, which needs npm and its registry"
        if "CI" in os.environ:
            pytest.fail(said)
        pytest.skip(said)
    return FOLDER / "node_modules" / ".bin" / "mcp-inspector"


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """Nothing of the person whose machine this is is read or kept by the Inspector."""
    kept = tmp_path_factory.mktemp("inspector")
    own = {"MCP_STORAGE_DIR": str(kept), "MCP_CATALOG_PATH": str(kept / "mcp.json")}
    more = {"MCP_CLIENT_CONFIG_PATH": str(kept / "client.json"), "MCP_INSPECTOR_SECRET_STORE": "memory"}
    return {**os.environ, **own, **more}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """One server over HTTP for all tests, which wants a token."""
    shelf = Shelf.of([gt.open("atlas")], Settings())
    settings = ServerSettings(tokens=((SECRET, "me"),), bounds=Bounds(workers=1))
    with running(mcp.site(shelf, settings), settings.bounds) as url:
        yield f"{url}/mcp"


@pytest.fixture(scope="module")
def over_http(program: Path, environment: Mapping[str, str], url: str) -> Inspector:
    target = ("--transport", "http", "--server-url", url, "--header", f"Authorization: Bearer {SECRET}")
    return Inspector(program, target, "modern", environment)


@pytest.fixture(scope="module")
def listed(over_http: Inspector) -> Said:
    return over_http("tools/list", "--strict")


@pytest.fixture(scope="module")
def tools(listed: Said) -> dict[str, Json]:
    return {tool["name"]: tool for tool in listed.result["tools"]}


@pytest.fixture(scope="module")
def answer(over_http: Inspector) -> Json:
    """What `ask` gave, as `verify` takes it."""
    found: Json = over_http.call("ask", {"question": "What is the capital of Japan?"}).result[
        "structuredContent"
    ]
    return found


@pytest.mark.parametrize(("era", "protocol"), [("modern", "2026-07-28"), ("legacy", "2025-11-25")])
def test_it_is_greeted(over_http: Inspector, era: str, protocol: str) -> None:
    met = replace(over_http, era=era)("initialize").result
    assert met["serverInfo"] == {"name": "graphtalk", "version": __version__}
    assert met["protocolVersion"] == protocol and set(met["capabilities"]) == {
        "tools",
        "resources",
        "prompts",
    }
    assert "atlas" in met["instructions"]


def test_it_finds_nothing_wrong_with_the_schemas_of_six_tools_that_only_read(
    listed: Said, tools: dict[str, Json]
) -> None:
    assert (listed.code, listed.findings) == (0, []) and list(tools) == SIX
    for tool in tools.values():
        for schema in (tool["inputSchema"], tool["outputSchema"]):
            Draft202012Validator.check_schema(schema)
            assert schema["type"] == "object"
        hints = {
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        }
        assert tool["annotations"] == {"title": tool["title"], **hints}


@pytest.mark.parametrize(
    ("tool", "arguments", "gives"),
    [
        (
            "query",
            {"cypher": "MATCH (c:country {name: $n}) RETURN c.area", "parameters": {"n": "Peru"}},
            "rows",
        ),
        ("search", {"text": "germny", "limit": 2}, "hits"),
        ("node", {"node": "Japan"}, "features"),
        ("neighbours", {"node": "Germany", "relation": "borders", "offset": 3}, "neighbours"),
    ],
)
def test_what_a_tool_gives_is_what_its_schema_says(
    over_http: Inspector, tools: dict[str, Json], tool: str, arguments: Json, gives: str
) -> None:
    called = over_http.call(tool, arguments)
    assert called.code == 0 and not called.result["isError"]
    shown = called.result["structuredContent"]
    Draft202012Validator(tools[tool]["outputSchema"]).validate(shown)
    assert shown[gives] and json.loads(called.result["content"][1]["text"]) == shown


def test_what_it_asks_it_can_verify(over_http: Inspector, tools: dict[str, Json], answer: Json) -> None:
    Draft202012Validator(tools["ask"]["outputSchema"]).validate(answer)
    assert answer["value"] == ["Tokyo"] and ["Japan", "capital", "Tokyo"] in answer["evidence"]["edges"]
    verified = over_http.call("verify", {"answer": answer})
    Draft202012Validator(tools["verify"]["outputSchema"]).validate(verified.result["structuredContent"])
    assert (verified.code, verified.result["structuredContent"]["same"]) == (0, True)


def test_it_asks_over_standard_input_and_output_too(over_http: Inspector, answer: Json) -> None:
    command = Path(sys.executable).with_name("graphtalk")
    over_stdio = replace(over_http, target=(str(command), "mcp", "atlas"), era="legacy")
    asked = over_stdio.call("ask", {"question": "What is the capital of Japan?"})
    shown = asked.result["structuredContent"]
    assert asked.code == 0 and {**shown, "seconds": 0, "calls": []} == {**answer, "seconds": 0, "calls": []}


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("ask", {}, "question is a text"),
        ("query", {"cypher": "MATCH (n) DELETE n"}, "DELETE"),
        ("search", {"text": "x", "limit": 1_000}, "limit is a whole number"),
        ("node", {"node": "Gondor"}, "No node is called 'Gondor'"),
        ("neighbours", {"node": "Germany", "relaton": "borders"}, "Did you mean relation"),
        ("verify", {"answer": {"answered": True}}, "not an answer"),
    ],
)
def test_what_is_wrong_is_an_error_of_the_tool_and_not_of_the_protocol(
    over_http: Inspector, tool: str, arguments: Json, says: str
) -> None:
    wrong = over_http.call(tool, arguments)
    assert (wrong.code, wrong.error["code"]) == (TOOL_ERROR, "tool_is_error")
    assert wrong.result["isError"] and "structuredContent" not in wrong.result
    assert says in wrong.result["content"][0]["text"]
    # The Inspector shows failures of the protocol as such a result too, but without what the server says of itself.
    assert wrong.result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "graphtalk"


def test_a_tool_that_there_is_not_is_not_found(over_http: Inspector) -> None:
    assert over_http.call("PageRank", {"node_type": "country"}).error["code"] == "tool_not_found"


def test_it_reads_resources_as_what_they_are_listed(over_http: Inspector) -> None:
    resources = over_http("resources/list").result["resources"]
    assert [resource["uri"] for resource in resources] == ["graphtalk://atlas/schema"]
    (template,) = over_http("resources/templates/list").result["resourceTemplates"]
    assert template["uriTemplate"] == "graphtalk://{graph}/nodes/{id}"
    uri = template["uriTemplate"].format(graph="atlas", id="Costa%20Rica")
    (node,) = over_http("resources/read", "--uri", uri).result["contents"]
    assert (node["uri"], node["mimeType"]) == (uri, template["mimeType"])
    assert json.loads(node["text"])["features"]["iso code"] == "CR"
    (schema,) = over_http("resources/read", "--uri", resources[0]["uri"]).result["contents"]
    assert schema["mimeType"] == resources[0]["mimeType"] and "country" in schema["text"]
    missing = over_http("resources/read", "--uri", "graphtalk://atlas/nodes/Gondor")
    assert missing.code == 1 and "No node 'Gondor'" in missing.error["message"]


def test_it_gets_prompts_with_what_they_need(over_http: Inspector) -> None:
    prompts = over_http("prompts/list").result["prompts"]
    assert {prompt["name"] for prompt in prompts} == set(mcp.PROMPTS)
    plan = ("prompts/get", "--prompt-name", "plan")
    made = over_http(*plan, "--prompt-args", "question=Where is Peru?").result["messages"]
    assert made[0]["role"] == "user" and "Where is Peru?" in made[0]["content"]["text"]
    without = over_http(*plan)
    assert without.code == 1 and "needs a question" in without.error["message"]


def test_it_is_told_that_it_needs_a_token(program: Path, environment: Mapping[str, str], url: str) -> None:
    stranger = Inspector(program, ("--stored-auth-only", "--server-url", url), "modern", environment)
    refused = stranger("tools/list")
    assert (refused.code, refused.error["code"]) == (NO_TOKEN, "auth_required")
