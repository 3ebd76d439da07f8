"""What a text mentions of a graph of one's own: names that prompts had, texts in quotes, ids behind `#`, and numbers."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from graphtalk.reasoners.toolformer.offline.mentions import WORDS
from graphtalk.reasoners.toolformer.statement import SLOT
from graphtalk.reasoners.toolformer.taught.forms import DATA, NODE, NUMBER

SLOT_MASK = "<slot>"
_OWN = (SLOT_MASK, f"<{DATA}>", f"<{NUMBER}>")  # masks that are never mistaken for another
_QUOTED = re.compile(r"[\"“”]([^\"“”]+)[\"“”]")
_HASHED = re.compile(r"#(?=\S)(?!\[)")
_WORDS_OF_ID = re.compile(r"\S+(?:(?<![.,;:?!)]) [^\W\d_a-z]\S*)*")  # one word, or several with capitals
_TRAILING = ".,;:?!)"
_POSSESSIVE = re.compile(r"['’]s$")


@dataclass(frozen=True)
class Mention:
    """`text[start:end]`. `kinds`: what it may be; none for a place to be filled.

    marked: by quotes or `#`, or because it names a graph; known: whether it is a name that prompts had
    """

    start: int
    end: int
    value: str
    kinds: frozenset[str] = frozenset()
    marked: bool = False
    known: bool = True

    @property
    def mask(self) -> str:
        """What stands for it in a shape."""
        return f"<{'|'.join(sorted(self.kinds))}>" if self.kinds else SLOT_MASK

    def may_be(self, kind: str) -> bool:
        """Whether it is of a kind, as far as is known: what is in quotes may be a name that no prompt had."""
        return kind in self.kinds or not self.known


@dataclass(frozen=True)
class MaskedText:
    """A text, its mentions in order, and its words with the mentions masked."""

    text: str
    mentions: tuple[Mention, ...]
    shape: tuple[str, ...]

    def surface(self, place: int) -> str:
        """A mention as the text has it."""
        mention = self.mentions[place]
        return self.text[mention.start : mention.end]

    @property
    def key(self) -> str:
        """What texts of the same words have in common, whatever they mention."""
        return " ".join(mask if mask in _OWN or mask[0] != "<" else "<>" for mask in self.shape)


@dataclass(frozen=True)
class Lexicon:
    """Names by their kind, as calls spell them."""

    names: Mapping[str, tuple[str, ...]]

    def read(self, text: str) -> MaskedText:
        """A text with its mentions, the surest first: places to be filled, marked ones, names; the longest of each."""
        taken: list[Mention] = [Mention(m.start(), m.end(), "") for m in re.finditer(re.escape(SLOT), text)]
        for found in (self._marked(text), self._named(text), self._numbers(text)):
            for mention in found:
                if all(mention.end <= each.start or each.end <= mention.start for each in taken):
                    taken.append(mention)
        taken.sort(key=lambda mention: mention.start)
        return MaskedText(text, tuple(taken), tuple(_shape(text, taken)))

    def masked(self, word: str) -> str:
        """A word of a shape, masked where it is a name."""
        known = self._known.get(word.casefold())
        return Mention(0, 0, word, known[1]).mask if known else word

    @cached_property
    def _known(self) -> dict[str, tuple[str, frozenset[str]]]:
        """Names in lower case, each with its spelling and the kinds that it may be of."""
        found: dict[str, tuple[str, frozenset[str]]] = {}
        for kind, names in self.names.items():
            for name in names:
                _, kinds = found.get(name.casefold(), ("", frozenset[str]()))
                found[name.casefold()] = (name, kinds | {kind})
        return found

    @cached_property
    def _longest(self) -> int:
        """Words of the longest name."""
        return max((len(WORDS.findall(name)) for name in self._known), default=0)

    def _mention(self, start: int, end: int, name: str, marked: bool) -> Mention:
        known = self._known.get(name.casefold())
        spelled, kinds = known or (name, frozenset((NODE,)))
        return Mention(start, end, spelled, kinds, marked or DATA in kinds, known is not None)

    def _marked(self, text: str) -> Iterator[Mention]:
        for match in _QUOTED.finditer(text):
            yield self._mention(match.start(), match.end(), match[1], marked=True)
        for match in _HASHED.finditer(text):
            end = self._end_of_name(text, match.end())
            if end is None:
                words = _WORDS_OF_ID.match(text, match.end())
                end = match.end() + len(_POSSESSIVE.sub("", words[0].rstrip(_TRAILING) if words else ""))
            yield self._mention(match.start(), end, text[match.end() : end], marked=True)

    def _named(self, text: str) -> Iterator[Mention]:
        for word in WORDS.finditer(text):
            if (end := self._end_of_name(text, word.start())) is not None:
                yield self._mention(word.start(), end, text[word.start() : end], marked=False)

    def _end_of_name(self, text: str, start: int) -> int | None:
        """Where the longest name that begins here ends."""
        ends = [
            word.end() for word, _ in zip(WORDS.finditer(text, start), range(self._longest), strict=False)
        ]
        return next((end for end in reversed(ends) if text[start:end].casefold() in self._known), None)

    @staticmethod
    def _numbers(text: str) -> Iterator[Mention]:
        for match in re.finditer(r"(?<![\w#.])\d+(?![\w.]*\w)", text):
            yield Mention(match.start(), match.end(), match[0], frozenset((NUMBER,)))


def _shape(text: str, mentions: list[Mention]) -> Iterator[str]:
    at = 0
    for mention in mentions:
        yield from (word[0].lower() for word in WORDS.finditer(text, at, mention.start))
        yield mention.mask
        at = mention.end
    yield from (word[0].lower() for word in WORDS.finditer(text, at))
