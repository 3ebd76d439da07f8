"""OpenTelemetry spans of what a model is asked, by the conventions for generative AI. Opt-in: GRAPHTALK_OTEL=1.

Spans say who was asked, with which settings, what it took and how it ended; never the text of a message, a reply or
an error. Where they go is for the process to set up, as `opentelemetry-instrument graphtalk …` does.
Conventions: https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphtalk.core import LmError, UsageError
from graphtalk.lms.protocol import LanguageModel, Layer, Reply, Request

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

SWITCH = "GRAPHTALK_OTEL"
PROVIDERS = {"hf": "huggingface"}  # what our names are called elsewhere; the others are called the same


def traced(lm: LanguageModel) -> LanguageModel:
    """The model with spans around it where GRAPHTALK_OTEL=1, else the model itself.

    Raises UsageError where OpenTelemetry is wanted but not installed.
    """
    wanted = os.environ.get(SWITCH, "")
    if wanted in ("", "0"):
        return lm
    if wanted != "1":
        raise UsageError(f"{SWITCH} is 1 or 0, not {wanted!r}.")
    try:
        from opentelemetry.trace import get_tracer
    except ImportError as error:
        raise UsageError(
            f'{SWITCH}=1 needs OpenTelemetry: python -m pip install "graphtalk[otel]", or unset it.'
        ) from error
    return Traced(lm, get_tracer("graphtalk"))


@dataclass(frozen=True)
class Traced(Layer):
    """A model each of whose replies is a span."""

    tracer: "Tracer"

    def complete(self, request: Request) -> Reply:
        """The whole reply. The span is the current one meanwhile, so that those of a connection lie inside it."""
        from opentelemetry.trace import use_span

        with use_span(
            self._span(request), True, record_exception=False, set_status_on_exception=False
        ) as span:
            try:
                reply = self.inner.complete(request)
            except LmError as error:
                _failed(span, error)
                raise
            _ended(span, reply)
            return reply

    def stream(self, request: Request) -> Iterator[str | Reply]:
        """The pieces as they come. The span lasts as long as the stream; one left half read tells no usage."""
        span = self._span(request)
        try:
            for piece in self.inner.stream(request):
                if isinstance(piece, Reply):
                    _ended(span, piece)
                yield piece
        except LmError as error:
            _failed(span, error)
            raise
        finally:
            span.end()

    def _span(self, request: Request) -> "Span":
        from opentelemetry.trace import SpanKind

        provider, _, model = self.name.partition(":")
        provider, model = PROVIDERS.get(provider, provider), model or provider
        attributes: dict[str, str | int | float] = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": provider,
            "gen_ai.system": provider,  # its name before 2025, which many readers of spans still look for
            "gen_ai.request.model": model,
            "gen_ai.request.max_tokens": request.max_tokens,
            "gen_ai.request.temperature": request.temperature,
            "gen_ai.request.seed": request.seed,
            "gen_ai.output.type": "text" if request.schema is None else "json",
        }
        return self.tracer.start_span(f"chat {model}", kind=SpanKind.CLIENT, attributes=attributes)


def _ended(span: "Span", reply: Reply) -> None:
    span.set_attributes(
        {
            "gen_ai.response.finish_reasons": (reply.finish,),
            "gen_ai.usage.input_tokens": reply.usage.input_tokens,
            "gen_ai.usage.output_tokens": reply.usage.output_tokens,
        }
    )


def _failed(span: "Span", error: LmError) -> None:
    """The kind of the error alone: its message may quote what was sent."""
    from opentelemetry.trace import StatusCode

    span.set_attribute("error.type", type(error).__qualname__)
    span.set_status(StatusCode.ERROR)
