"""Language models by name, and the layers that each is put into.

A plugin registers as the built-in providers do: it has a function `register(add)`, calls
`add(Provider(…))` for each kind of name, and names it under the entry point group `graphtalk.lms`. A provider's
function makes a model: (what follows the prefix, LmOptions) -> LanguageModel.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import TypeAlias

from graphtalk.core import UsageError
from graphtalk.core.plugins import registered
from graphtalk.lms.budget import Budgeted, Ledger
from graphtalk.lms.concurrency import Limited
from graphtalk.lms.options import LmOptions
from graphtalk.lms.prices import FREE, Price, Priced, Prices
from graphtalk.lms.protocol import LanguageModel
from graphtalk.lms.retry import Patience, Retry
from graphtalk.lms.thinking import Thoughtless
from graphtalk.lms.tracing import traced

GROUP = "graphtalk.lms"
OFFLINE = "offline"  # no language model at all; what needs one is done by exact parts instead
Open: TypeAlias = Callable[[str, LmOptions], LanguageModel]


@dataclass(frozen=True)
class Provider:
    """Where models of one kind of name come from.

    form: what such names look like
    place: the function that opens one, as `package.module:function`
    extra: the extra of graphtalk that the module needs, where it is not always installed
    local: whether models cost no money
    """

    form: str
    place: str
    extra: str = ""
    local: bool = False

    @property
    def prefix(self) -> str:
        """What names of this kind begin with, without the colon."""
        return self.form.partition(":")[0]

    def open(self, model: str, options: LmOptions) -> LanguageModel:
        """The model of that name, without layers. Raises UsageError where the provider is not installed."""
        module, _, function = self.place.partition(":")
        try:
            open_it: Open = getattr(import_module(module), function)
        except ModuleNotFoundError as error:
            if not self.extra:
                raise
            command = f'python -m pip install "graphtalk[{self.extra}]"'
            raise UsageError(f"{self.form} needs {error.name}, which is not installed: {command}.") from error
        return open_it(model, options)


@dataclass
class Providers:
    """Providers by prefix, in the order of their registration. Listing them imports none."""

    known: dict[str, Provider] = field(default_factory=dict)

    def add(self, provider: Provider) -> None:
        """Register a provider. Raises UsageError where another has the prefix."""
        other = self.known.setdefault(provider.prefix, provider)
        if other != provider:
            raise UsageError(
                f"Two providers are called {provider.prefix!r}: {other.place}, {provider.place}."
            )

    def find(self, name: str) -> tuple[Provider, str]:
        """The provider of a name, and what follows the prefix. Raises UsageError with the valid forms."""
        prefix, colon, rest = name.partition(":")
        if prefix not in self.known or not rest.strip():
            valid = ", ".join([OFFLINE, *(provider.form for provider in self.known.values())])
            problem = "names no model after the colon" if colon and prefix in self.known else "is none"
            raise UsageError(f"No language model {name!r}: it {problem}. Valid: {valid}.")
        return self.known[prefix], rest


def register(add: Callable[[Provider], None]) -> None:
    """Register the built-in providers."""
    add(Provider("openai:MODEL", "graphtalk.lms.openai:open_openai", extra="openai"))
    add(Provider("anthropic:MODEL", "graphtalk.lms.anthropic:open_anthropic", extra="anthropic"))
    add(Provider("hf:PATH_OR_NAME", "graphtalk.lms.builtin:open_hf", extra="hf", local=True))
    add(Provider("trained:DIR", "graphtalk.training.trained_lm:open_trained", extra="train", local=True))
    add(Provider("scripted:FILE", "graphtalk.lms.builtin:open_scripted", local=True))


@cache
def providers() -> Providers:
    """The built-in providers and those of installed plugins."""
    found = Providers()
    register(found.add)
    registered(GROUP, found.add)
    return found


def check_name(name: str) -> None:
    """Raise UsageError where a name is not that of a model, nor `offline`. Imports no provider."""
    if name != OFFLINE:
        providers().find(name)


def open_lm(name: str, options: LmOptions | None = None, ledger: Ledger | None = None) -> LanguageModel:
    """The model of that name with all layers around it.

    Inside out: provider, thinking left out, spans, retries (these where requests are sent: here, or spread over processes), limit
    of concurrency, price, budget, cache, recording.
    `ledger` makes several models share one budget, in place of that of the options. Raises UsageError.
    """
    options = options or LmOptions()
    if name == OFFLINE:
        raise UsageError(f"{OFFLINE!r} is no language model: what needs one is done without.")
    provider, _ = providers().find(name)
    if options.replay is not None:
        from graphtalk.lms.tape import Replayed, Tape

        return Replayed(name, Tape.read(options.replay))
    price = price_of(name, provider, options)
    lm = spread_lm(name, options) if options.spread else bare(name, options)
    if options.concurrency:
        lm = Limited(lm, threading.BoundedSemaphore(options.concurrency))
    lm = Budgeted(Priced(lm, price), ledger or Ledger(options.budget), price)
    return _taped(lm, provider, options)


def bare(name: str, options: LmOptions) -> LanguageModel:
    """A model as requests are sent to it: its provider, thinking left out, spans and retries."""
    provider, model = providers().find(name)
    lm = traced(Thoughtless(provider.open(model, options)))
    return Retry(lm, Patience(retries=options.retries, slow=min(1, options.retries)))


def spread_lm(name: str, options: LmOptions) -> LanguageModel:
    """A model that other processes ask. Raises UsageError where there are none."""
    from graphtalk.lms.spread import Spread

    return Spread(name, options, bare)


def price_of(name: str, provider: Provider, options: LmOptions) -> Price:
    """What a model costs.

    One without a price counts as free, but where money is limited as the dearest of all, so that the limit holds.
    """
    prices = Prices.open(options.prices)
    if (known := prices.find(name)) is not None:
        return known
    return prices.dearest if options.budget.usd and not provider.local else FREE


def _taped(lm: LanguageModel, provider: Provider, options: LmOptions) -> LanguageModel:
    if options.cache is None and options.record is None:
        return lm
    from graphtalk.lms.tape import Tape, Taped

    if options.cache is not None:
        lm = Taped(lm, Tape.open(options.cache), "cache", options.url(provider.prefix))
    if options.record is not None:
        lm = Taped(lm, Tape.open(options.record), "record")
    return lm
