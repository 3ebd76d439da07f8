"""What a server counts, in the form that Prometheus reads."""

from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from graphtalk.core import Answer

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


class Metrics:
    """Counters of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter(
            "graphtalk_requests", "Requests served.", ("method", "route", "status"), registry=self.registry
        )
        self._seconds = Histogram(
            "graphtalk_request_seconds",
            "Time to serve a request.",
            ("route",),
            buckets=SECONDS,
            registry=self.registry,
        )
        self._open = Gauge("graphtalk_requests_open", "Requests under way.", registry=self.registry)
        self._answers = Counter(
            "graphtalk_answers",
            "Questions answered or declined.",
            ("graph", "reasoner", "answered"),
            registry=self.registry,
        )
        self._tokens = Counter(
            "graphtalk_lm_tokens", "Tokens of language models.", ("lm", "side"), registry=self.registry
        )
        self._usd = Counter(
            "graphtalk_lm_usd", "US dollars for language models.", ("lm",), registry=self.registry
        )

    @contextmanager
    def open(self) -> Iterator[None]:
        """Count a request as under way."""
        with self._open.track_inprogress():
            yield

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request that was served."""
        self._requests.labels(method, route, status).inc()
        self._seconds.labels(route).observe(seconds)

    def answer(self, graph: str, answer: Answer) -> None:
        """Count an answer and what it cost."""
        self._answers.labels(graph, answer.reasoner, str(answer.answered).lower()).inc()
        for side in ("input", "output"):
            self._tokens.labels(answer.lm, side).inc(answer.usage.get(f"{side}_tokens", 0))
        self._usd.labels(answer.lm).inc(answer.usage.get("usd", 0))

    def text(self) -> bytes:
        """Everything, as Prometheus reads it."""
        return generate_latest(self.registry)
