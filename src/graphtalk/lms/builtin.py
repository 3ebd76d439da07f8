"""Where the built-in language models are: one line each."""

from collections.abc import Callable

from graphtalk.lms.options import LmOptions
from graphtalk.lms.protocol import LanguageModel
from graphtalk.lms.registry import Provider


def register(add: Callable[[Provider], None]) -> None:
    """Register the built-in providers."""
    add(Provider("openai:MODEL", "graphtalk.lms.openai:open_openai"))
    add(Provider("anthropic:MODEL", "graphtalk.lms.anthropic:open_anthropic", extra="anthropic"))
    add(Provider("hf:PATH_OR_NAME", "graphtalk.lms.builtin:open_hf", extra="hf", local=True))
    add(Provider("trained:DIR", "graphtalk.training.trained_lm:open_trained", extra="train", local=True))
    add(Provider("scripted:FILE", "graphtalk.lms.builtin:open_scripted", local=True))


def open_hf(source: str, options: LmOptions) -> LanguageModel:
    """A local model of the `transformers` library."""
    from graphtalk.lms.hf import HfLM

    return HfLM.open(source)


def open_scripted(path: str, options: LmOptions) -> LanguageModel:
    """The script of a file."""
    from graphtalk.lms.scripted import ScriptedLM

    return ScriptedLM.open(path)
