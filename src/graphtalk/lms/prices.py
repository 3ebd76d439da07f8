"""What models cost. A table is shipped (`prices.toml`, which ages); a file of one's own goes over it."""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

from graphtalk.core import UsageError
from graphtalk.core.reading import read_toml
from graphtalk.lms.protocol import Layer, Reply, Request, Usage

MILLION = 1_000_000
FIELDS = ("input", "output")
DATED = re.compile(r"-(\d{4}-\d{2}-\d{2}|\d{8}|latest)$")  # how providers name a version of a model


@dataclass(frozen=True)
class Price:
    """US dollars for a million tokens in, and for a million out."""

    input: float = 0.0
    output: float = 0.0

    def usd(self, input_tokens: int, output_tokens: int) -> float:
        """What so many tokens cost."""
        return (input_tokens * self.input + output_tokens * self.output) / MILLION


FREE = Price()


@dataclass(frozen=True)
class Prices:
    """Prices by the names of models: `openai:gpt-4o-mini`."""

    table: Mapping[str, Price]

    @classmethod
    def open(cls, path: str | Path | None = None) -> "Prices":
        """The shipped prices, with those of a file over them. Raises UsageError that names file and key."""
        shipped = files("graphtalk.lms").joinpath("prices.toml").read_text(encoding="utf-8")
        table = _table(shipped, "prices.toml")
        if path is not None:
            try:
                text = Path(path).read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise UsageError(f"Cannot read the prices {path}: {error}.") from error
            table |= _table(text, str(path))
        return cls(table)

    def find(self, name: str) -> Price | None:
        """The price of a model, or of the model that it is a dated version of; None where there is none."""
        return self.table.get(name) or self.table.get(DATED.sub("", name))

    @property
    def dearest(self) -> Price:
        """A price that no model of the table exceeds."""
        prices = list(self.table.values())
        return Price(max(p.input for p in prices), max(p.output for p in prices))


@dataclass(frozen=True)
class Priced(Layer):
    """A model whose usage says what it cost."""

    price: Price

    def complete(self, request: Request) -> Reply:
        """The whole reply."""
        return self._priced(self.inner.complete(request))

    def stream(self, request: Request) -> Iterator[str | Reply]:
        """The reply as it comes."""
        for piece in self.inner.stream(request):
            yield self._priced(piece) if isinstance(piece, Reply) else piece

    def _priced(self, reply: Reply) -> Reply:
        usage: Usage = reply.usage
        return replace(
            reply, usage=replace(usage, usd=self.price.usd(usage.input_tokens, usage.output_tokens))
        )


def _table(text: str, place: str) -> dict[str, Price]:
    try:
        tables = read_toml(text)
    except ValueError as error:
        raise UsageError(f"{place}: not a TOML file ({error}).") from error
    return {name: _price(row, f'{place}: ["{name}"]') for name, row in tables.items()}


def _price(row: object, place: str) -> Price:
    if not isinstance(row, dict) or set(row) != set(FIELDS):
        raise UsageError(f"{place}: a price has the keys input and output, in US dollars per million tokens.")
    for key in FIELDS:
        value = row[key]
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not math.isfinite(value) or value < 0:
            raise UsageError(f"{place}: {key} is {value!r}; it must be a number of US dollars, 0 or more.")
    return Price(float(row["input"]), float(row["output"]))
