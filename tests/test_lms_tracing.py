"""Spans of what a model is asked, as OpenTelemetry's own exporter sees them."""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode, get_current_span

from graphtalk.core import LmBusyError, UsageError
from graphtalk.lms import Reply, Request, Usage, user
from graphtalk.lms.tracing import Traced, traced

SECRET = "my-secret"
ASK = Request(user(f"Which gene? {SECRET}"), (SECRET,), temperature=0.5, seed=3, max_tokens=7)


@dataclass
class SayingLM:
    """Says one thing, or fails, and quotes what it was asked in either."""

    name: str = "openai:gpt-x"
    fails: bool = False
    span: str = ""

    def complete(self, request: Request) -> Reply:
        self.span = getattr(get_current_span(), "name", "")
        if self.fails:
            raise LmBusyError(f"overloaded by {request.messages}")
        return Reply(f"You said {SECRET}", (), Usage(1, 11, 5), "length")

    def stream(self, request: Request) -> Iterator[str | Reply]:
        yield "You "
        reply = self.complete(request)
        yield reply.text[4:]
        yield reply


@pytest.fixture
def exporter() -> InMemorySpanExporter:
    return InMemorySpanExporter()


def around(lm: SayingLM, exporter: InMemorySpanExporter) -> Traced:
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return Traced(lm, provider.get_tracer("test"))


def the_span(exporter: InMemorySpanExporter) -> ReadableSpan:
    (span,) = exporter.get_finished_spans()
    assert SECRET not in json.dumps(json.loads(span.to_json()))
    return span


def test_a_span_says_who_was_asked_and_what_it_took(exporter: InMemorySpanExporter) -> None:
    lm = SayingLM()
    reply = around(lm, exporter).complete(ASK)
    assert reply.text == f"You said {SECRET}" and lm.span == "chat gpt-x"  # the current one meanwhile
    span = the_span(exporter)
    assert (span.name, span.kind, span.status.status_code) == (
        "chat gpt-x",
        SpanKind.CLIENT,
        StatusCode.UNSET,
    )
    assert dict(span.attributes or {}) == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.system": "openai",
        "gen_ai.request.model": "gpt-x",
        "gen_ai.request.max_tokens": 7,
        "gen_ai.request.temperature": 0.5,
        "gen_ai.request.seed": 3,
        "gen_ai.output.type": "text",
        "gen_ai.response.finish_reasons": ("length",),
        "gen_ai.usage.input_tokens": 11,
        "gen_ai.usage.output_tokens": 5,
    }


def test_names_are_those_of_the_conventions(exporter: InMemorySpanExporter) -> None:
    names = pytest.importorskip("opentelemetry.semconv._incubating.attributes.gen_ai_attributes")
    around(SayingLM(), exporter).complete(ASK)
    known = {value for name, value in vars(names).items() if name.startswith("GEN_AI_")}
    assert set(the_span(exporter).attributes or {}) <= known


@pytest.mark.parametrize("name", ["hf:/models/tiny", "scripted"])
def test_local_models_have_a_provider_and_a_model_too(exporter: InMemorySpanExporter, name: str) -> None:
    around(SayingLM(name), exporter).complete(replace(ASK, schema={}))
    attributes = the_span(exporter).attributes or {}
    shown = attributes["gen_ai.provider.name"], attributes["gen_ai.request.model"]
    assert shown == (("huggingface", "/models/tiny") if name.startswith("hf") else ("scripted", "scripted"))
    assert attributes["gen_ai.output.type"] == "json"


@pytest.mark.parametrize("way", ["complete", "stream"])
def test_an_error_is_named_by_its_kind_alone(exporter: InMemorySpanExporter, way: str) -> None:
    lm = around(SayingLM(fails=True), exporter)
    with pytest.raises(LmBusyError, match="overloaded"):
        lm.complete(ASK) if way == "complete" else list(lm.stream(ASK))
    span = the_span(exporter)
    assert (span.attributes or {})["error.type"] == "LmBusyError"
    assert span.status.status_code == StatusCode.ERROR and not span.status.description and not span.events


def test_a_span_lasts_as_long_as_the_stream(exporter: InMemorySpanExporter) -> None:
    pieces = around(SayingLM(), exporter).stream(ASK)
    assert next(pieces) == "You "
    assert not exporter.get_finished_spans()
    assert len(list(pieces)) == 2
    assert (the_span(exporter).attributes or {})["gen_ai.usage.output_tokens"] == 5


def test_a_stream_left_half_read_ends_its_span(exporter: InMemorySpanExporter) -> None:
    pieces = around(SayingLM(), exporter).stream(ASK)
    next(pieces)
    pieces.close()
    span = the_span(exporter)
    assert "gen_ai.usage.output_tokens" not in (span.attributes or {})
    assert span.status.status_code == StatusCode.UNSET


def test_spans_are_made_where_they_are_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    lm = SayingLM()
    for off in ("", "0"):
        monkeypatch.setenv("GRAPHTALK_OTEL", off)
        assert traced(lm) is lm
    monkeypatch.setenv("GRAPHTALK_OTEL", "1")
    layer = traced(lm)
    assert isinstance(layer, Traced) and layer.complete(ASK).usage == Usage(1, 11, 5)
    monkeypatch.setenv("GRAPHTALK_OTEL", "yes")
    with pytest.raises(UsageError, match="GRAPHTALK_OTEL is 1 or 0, not 'yes'"):
        traced(lm)


def test_without_the_library_the_command_to_install_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHTALK_OTEL", "1")
    monkeypatch.setitem(sys.modules, "opentelemetry.trace", None)
    with pytest.raises(UsageError, match=r'pip install "graphtalk\[otel\]"'):
        traced(SayingLM())
