"""/openapi.json says what happens: requests made from it, by a tool that we did not write."""

from collections.abc import Iterator
from contextlib import suppress

import httpx2
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable

import graphtalk as gt
from graphtalk.app.server.config import Bounds, ServerSettings
from graphtalk.app.settings import Settings
from graphtalk.app.shelf import Shelf
from site_server import serving

FEW = settings(
    max_examples=4,
    derandomize=True,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
BOUNDS = Bounds(
    client_rate=1_000_000, body=8 << 20
)  # a body that is too large is refused before it is looked at


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(Shelf.of([gt.open("gpr")], Settings()), ServerSettings(bounds=BOUNDS)) as url:
        yield url


def test_what_the_description_says_happens(url: str) -> None:
    import schemathesis  # slow to import, and every worker collects this file

    described = schemathesis.openapi.from_url(f"{url}/openapi.json")
    operations = [found.ok() for found in described.get_all_operations()]
    assert len(operations) > 20
    modes = list(schemathesis.GenerationMode)
    for operation in operations:
        for mode in modes:

            @given(case=operation.as_strategy(generation_mode=mode))
            @FEW
            def holds(case: schemathesis.Case) -> None:
                case.call_and_validate(timeout=300)

            with suppress(Unsatisfiable):  # an operation that takes nothing cannot be asked wrongly
                holds()


def test_methods_that_a_path_has_are_named(url: str) -> None:
    for method, path, allowed in (
        ("POST", "/v1/graphs", "GET"),
        ("PUT", "/v1/ask", "POST"),
        ("PUT", "/v1/conversations/x", "DELETE, GET, PATCH"),
        ("OPTIONS", "/v1/responses/x", "DELETE, GET"),
    ):
        reply = httpx2.request(method, url + path, timeout=300)
        assert (reply.status_code, reply.headers["allow"]) == (405, allowed)
        assert reply.headers["content-type"] == "application/problem+json"
    assert httpx2.get(f"{url}/v1/nothing", timeout=300).status_code == 404


def test_operations_have_short_names_of_their_own(url: str) -> None:
    paths = httpx2.get(f"{url}/openapi.json", timeout=300).json()["paths"].values()
    names = [operation["operationId"] for path in paths for operation in path.values()]
    assert len(set(names)) == len(names) and {"ask", "chat", "complete", "respond", "forget"} <= set(names)
    assert all(name.isidentifier() and "v1" not in name for name in names)


def test_a_locked_server_says_that_it_takes_tokens() -> None:
    locked = ServerSettings(tokens=(("a-secret-of-enough", "me"),))
    with serving(Shelf.of([gt.open("gpr")], Settings()), locked) as url:
        shown = httpx2.get(f"{url}/openapi.json", timeout=300).json()
    assert shown["components"]["securitySchemes"] == {"token": {"type": "http", "scheme": "bearer"}}
    assert shown["paths"]["/v1/ask"]["post"]["security"] == [{"token": []}]
    assert "security" not in shown["paths"]["/healthz"]["get"]
    refusals = shown["paths"]["/v1/ask"]["post"]["responses"]["4XX"]["content"]
    assert list(refusals) == ["application/problem+json"]
