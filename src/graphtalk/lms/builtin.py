"""Opening of those built-in models that have a class of their own."""

from graphtalk.lms.options import LmOptions
from graphtalk.lms.protocol import LanguageModel


def open_hf(source: str, options: LmOptions) -> LanguageModel:
    """A local model of the `transformers` library."""
    from graphtalk.lms.hf import HfLM

    return HfLM.open(source)


def open_scripted(path: str, options: LmOptions) -> LanguageModel:
    """The script of a file."""
    from graphtalk.lms.scripted import ScriptedLM

    return ScriptedLM.open(path)
