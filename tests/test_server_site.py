"""What proxies, caches, browsers and operators expect of the server, over a real socket."""

import io
import logging
import time
from collections.abc import Iterator

import httpx2
import pytest

import graphtalk as gt
from graphtalk.app import mcp
from graphtalk.app.serve import log_as_json, shelf_of
from graphtalk.app.server.config import Bounds, ServerSettings
from graphtalk.app.server.jobs import Asking, Calling
from graphtalk.app.server.kept import KeptAnswers
from graphtalk.app.settings import Settings
from graphtalk.app.shelf import Shelf
from graphtalk.core import Step, UsageError
from site_server import running, serving

ASK = {"graph": "atlas", "question": "What is the capital of Japan?"}
PAGE = "https://notes.example.org"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    settings = ServerSettings(origins=(PAGE,), names=("graphs.example.org",), proxies=("127.0.0.0/8",))
    with serving(Shelf.of([gt.open("atlas")], Settings()), settings) as url:
        yield url


@pytest.fixture(scope="module")
def client(url: str) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=url, timeout=300) as client:
        yield client


def test_head_gives_the_head_of_get(client: httpx2.Client) -> None:
    for path in (
        "/healthz",
        "/v1/graphs",
        "/",
        "/v1/graphs/atlas/nodes/Japan",
        "/v1/graphs/atlas/nodes/nobody",
    ):
        got, head = client.get(path), client.head(path)
        assert (head.status_code, head.content) == (got.status_code, b"")
        assert head.headers["content-type"] == got.headers["content-type"]


def test_a_server_is_ready_when_it_can_answer(client: httpx2.Client) -> None:
    until = time.monotonic() + 300
    while (reply := client.get("/readyz")).status_code == 503 and time.monotonic() < until:
        assert reply.headers["retry-after"] == "1"
        time.sleep(0.05)
    assert reply.json() == {"status": "ready"}


def test_the_mcp_server_has_health_and_counters_too() -> None:
    site = mcp.site(
        Shelf.of([gt.open("atlas")], Settings()), ServerSettings(tokens=(("a-secret-of-enough", "me"),))
    )
    with running(site) as url:
        assert httpx2.get(f"{url}/healthz", timeout=300).json() == {"status": "ok"}
        assert httpx2.get(f"{url}/metrics", timeout=300).status_code == 401
        key = {"Authorization": "Bearer a-secret-of-enough"}
        assert "graphtalk_requests_total" in httpx2.get(f"{url}/metrics", headers=key, timeout=300).text
        assert httpx2.get(f"{url}/nothing", timeout=300).status_code == 404


def test_assets_are_kept_for_ever_pages_are_asked_for_anew_and_answers_are_not_kept(
    client: httpx2.Client,
) -> None:
    page = client.get("/")
    assert page.headers["cache-control"] == "no-cache"
    asset = page.text.split('src="./')[1].split('"')[0]
    assert "immutable" in client.get(f"/{asset}").headers["cache-control"]
    assert (
        client.get("/assets/nothing.js").headers.get("cache-control") != "public, max-age=31536000, immutable"
    )
    assert client.post("/v1/ask", json=ASK).headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["", "/search?q=japan", "/nodes/Japan", "/nodes/Japan/neighbours"])
def test_what_is_said_of_a_graph_is_sent_once(client: httpx2.Client, path: str) -> None:
    first = client.get(f"/v1/graphs/atlas{path}")
    again = client.get(f"/v1/graphs/atlas{path}", headers={"If-None-Match": first.headers["etag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
    other = client.get(f"/v1/graphs/atlas{path}", headers={"If-None-Match": 'W/"another"'})
    assert other.status_code == 200


def test_large_answers_are_compressed_and_streams_are_not(client: httpx2.Client) -> None:
    assert client.get("/v1/graphs/atlas").headers["content-encoding"] == "gzip"
    with client.stream("POST", "/v1/ask", json=ASK, headers={"Accept": "text/event-stream"}) as reply:
        assert "content-encoding" not in reply.headers


def test_the_second_asking_is_free_and_the_same(client: httpx2.Client) -> None:
    asked = {"graph": "atlas", "question": "Which countries border both France and Germany?", "trace": True}
    first, second = (client.post("/v1/ask", json=asked).json() for _ in range(2))
    assert (first["seconds"] > 0, second["seconds"]) == (True, 0.0)
    assert {**first, "seconds": 0.0} == second
    assert client.post("/v1/ask", json=asked, headers={"Cache-Control": "no-cache"}).json()["seconds"] > 0
    with client.stream("POST", "/v1/ask", json=asked, headers={"Accept": "text/event-stream"}) as reply:
        kinds = [line for line in reply.iter_lines() if line.startswith("event")]
    assert kinds.count("event: step") == len([step for step in first["trace"] if step["kind"] != "answer"])


def test_kept_answers_have_bounded_room_and_unfinished_ones_are_not_kept() -> None:
    kept = KeptAnswers(4_000)
    given = {"usage": {"usd": 0.5}, "stopped": "", "answer": "x" * 200}
    keys = [kept.key(Asking(graph="g", question=str(n), most=1), "sum") for n in range(30)]
    for key in keys:
        kept.put(key, [Step("thought", "so")], given)
    assert kept.size <= 4_000 and kept.get(keys[0]) is None
    steps, last = kept.get(keys[-1])
    assert steps == [Step("thought", "so")] and last["usage"] == {"usd": 0}
    kept.put(keys[0], [], {**given, "answer": "x" * 1_000})
    assert kept.get(keys[0]) is None  # too large
    kept.put(keys[0], [], {**given, "stopped": "lm"})
    assert kept.get(keys[0]) is None
    assert kept.key(Calling(graph="g", call="x", most=1), "sum") is None
    assert kept.key(Asking(graph="g", question="0", most=1), "other") != keys[0]


def test_a_proxys_host_prefix_scheme_and_client_are_what_citations_show(client: httpx2.Client) -> None:
    said = {"model": "atlas", "messages": [{"role": "user", "content": ASK["question"]}]}
    shown = {
        "X-Forwarded-Host": "graphs.example.org",
        "X-Forwarded-Prefix": "/kg",
        "X-Forwarded-Proto": "https",
    }
    reply = client.post("/v1/chat/completions", json=said, headers=shown).json()
    cited = reply["choices"][0]["message"]["annotations"][0]["url_citation"]["url"]
    assert cited.startswith("https://graphs.example.org/kg/v1/graphs/atlas/nodes/")
    refused = client.get("/v1/graphs", headers={"X-Forwarded-Host": "evil.example.org"})
    assert refused.status_code == 403


def test_nobody_but_a_proxy_is_believed_and_a_prefix_opens_nothing() -> None:
    settings = ServerSettings(root_path="/kg", tokens=(("a-secret-of-enough", "me"),))
    with (
        serving(Shelf.of([gt.open("atlas")], Settings()), settings) as url,
        httpx2.Client(base_url=url, timeout=300) as client,
    ):
        for path in ("/v1/graphs", "/kg/v1/graphs", "/kg/metrics", "/metrics"):
            assert client.get(path).status_code == 401
            assert client.get(path, headers={"X-Forwarded-Prefix": "/v1"}).status_code == 401
        key = {"Authorization": "Bearer a-secret-of-enough"}
        assert client.get("/kg/v1/graphs", headers=key).status_code == 200
        assert client.get("/openapi.json").json()["servers"] == [{"url": "/kg"}]
        shown = {**key, "X-Forwarded-Host": "evil.example.org"}
        assert client.get("/v1/graphs", headers=shown).status_code == 200  # the connection's own host counts


@pytest.mark.parametrize("wrong", [{"root_path": "kg"}, {"root_path": "/k g"}, {"proxies": ("nginx",)}])
def test_wrong_proxy_settings_are_named(wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError, match=r"--root-path|--trust-proxy"):
        ServerSettings(**wrong)


def test_a_browsers_openai_client_may_ask_from_a_page_that_is_let_in(client: httpx2.Client) -> None:
    headers = "authorization,content-type,x-stainless-arch,x-stainless-lang,x-stainless-retry-count"
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": headers}
    reply = client.options("/v1/chat/completions", headers={"Origin": PAGE, **asked})
    assert reply.headers["access-control-allow-headers"] == headers
    assert reply.headers["access-control-allow-origin"] == PAGE
    assert (
        client.options("/v1/chat/completions", headers={"Origin": "https://evil.org", **asked}).status_code
        == 403
    )


def test_graphs_are_served_under_the_names_that_they_are_given() -> None:
    shelf = shelf_of(["one=atlas", "two=atlas", "atlas"], Settings(), [])
    assert shelf.names() == ("one", "two", "atlas")
    with pytest.raises(UsageError, match="NAME=STORE"):
        shelf_of(["atlas", "atlas"], Settings(), [])
    with serving(Shelf(shelf.graphs, Settings()), ServerSettings(bounds=Bounds())) as url:
        reply = httpx2.post(f"{url}/v1/ask", json={**ASK, "graph": "two"}, timeout=300).json()
        assert (reply["graph"], reply["value"]) == ("two", ["Tokyo"])


def test_the_log_goes_where_standard_error_is_now(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    logs = [logging.getLogger(name) for name in ("graphtalk.server", "uvicorn.error")]
    for log in logs:
        monkeypatch.setattr(log, "handlers", [])
        monkeypatch.setattr(log, "propagate", log.propagate)
        monkeypatch.setattr(log, "level", log.level)
    with io.StringIO() as before, monkeypatch.context() as then:
        then.setattr("sys.stderr", before)
        log_as_json()
        logs[0].info("first")
        assert "first" in before.getvalue()
    logs[0].info("second")
    assert '"message": "second"' in (said := capsys.readouterr().err) and "Logging error" not in said
