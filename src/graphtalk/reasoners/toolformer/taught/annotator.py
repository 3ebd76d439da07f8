"""Which call a text about a known graph asks for, and how the text is written with it."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path
from typing import Any, TypeAlias

from graphtalk.core import UsageError
from graphtalk.core.reading import read_json
from graphtalk.reasoners.toolformer.annotator import DeclinedError
from graphtalk.reasoners.toolformer.offline.declarative import asks, compares
from graphtalk.reasoners.toolformer.offline.model import Classifier, load_classifier
from graphtalk.reasoners.toolformer.statement import SLOT
from graphtalk.reasoners.toolformer.taught.forms import DATA, Form
from graphtalk.reasoners.toolformer.taught.lexicon import Lexicon, MaskedText

FILE, WEIGHTS = "taught.json", "taught.npz"
_SURE = 0.5  # how probable a call must be, among all and none
_MOST = 12  # mentions that are tried as arguments


@dataclass(frozen=True)
class Insert:
    """A call to be written: the number of its form, and of the mentions that are its arguments."""

    form: int
    arguments: tuple[int, ...]
    inserts: bool = True


Piece: TypeAlias = str | int | Insert
"""Words, the number of a mention, or a call."""


@dataclass(frozen=True)
class TaughtAnnotator:
    """Annotates texts about the graphs that its prompts were about (protocol `Annotator`).

    rules: how texts of known shapes are written; classifier: which form a text of another shape asks for, by number
    """

    lexicon: Lexicon
    forms: tuple[Form, ...]
    rules: Mapping[str, tuple[Piece, ...]]
    classifier: Classifier

    def annotate(self, text: str) -> str:
        """`text` with its calls; as it is where it is about no known graph. Raises DeclinedError where no call fits."""
        reading = self.lexicon.read(text)
        if not any(DATA in mention.kinds for mention in reading.mentions):
            return text
        pieces = self.rules.get(reading.key)
        if pieces is not None and self._fits(pieces, reading):
            return self.written(pieces, reading)
        if text.count(SLOT) > 1 or not (SLOT in text or asks(reading.shape)):
            return text
        call = self._call(reading)
        if call is None:
            functions = ", ".join(sorted({form.function for form in self.forms}))
            raise DeclinedError(f"No call that was learnt gives what is asked. Learnt: {functions}.")
        spelled = self.written([call], reading)
        return text.replace(SLOT, spelled) if SLOT in text else f"{text.rstrip()} {spelled}"

    def _fits(self, pieces: Sequence[Piece], reading: MaskedText) -> bool:
        """Whether the arguments of all calls may be of their kinds."""
        return all(
            reading.mentions[place].may_be(kind)
            for piece in pieces
            if isinstance(piece, Insert)
            for place, kind in zip(piece.arguments, self.forms[piece.form].kinds, strict=True)
        )

    def written(self, pieces: Sequence[Piece], reading: MaskedText) -> str:
        """The text of pieces."""
        return "".join(self._piece(piece, reading) for piece in pieces)

    def _piece(self, piece: Piece, reading: MaskedText) -> str:
        if isinstance(piece, str):
            return piece
        if isinstance(piece, int):
            return reading.surface(piece)
        values = [reading.mentions[place].value for place in piece.arguments]
        return f"[{self.forms[piece.form].filled(values)}{'-->r' if piece.inserts else ''}]"

    def _call(self, reading: MaskedText) -> Insert | None:
        fitting = {
            str(number): Insert(number, found[0])
            for number, form in enumerate(self.forms)
            if (found := list(arguments(form, reading)))
        }
        scores = self.classifier.scores(reading.shape)
        best = max(scores, key=lambda name: scores[name])
        total = sum(math.exp(score - scores[best]) for score in scores.values())
        return fitting.get(best) if 1 / total >= _SURE and not compares(reading.shape) else None

    def save(self, folder: Path) -> list[Path]:
        """Write it into a folder; returns the files."""
        told = {
            "names": {kind: list(names) for kind, names in self.lexicon.names.items()},
            "forms": [[form.spelling, *form.kinds] for form in self.forms],
            "rules": {key: [_dumped(piece) for piece in rule] for key, rule in sorted(self.rules.items())},
        }
        (folder / FILE).write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        self.classifier.save(folder / WEIGHTS)
        return [folder / FILE, folder / WEIGHTS]


def arguments(form: Form, reading: MaskedText) -> Iterator[tuple[int, ...]]:
    """The mentions that may be the arguments of a form: all marked ones among them, those of a kind in their order."""
    mentions = reading.mentions[:_MOST]
    marked = {place for place, mention in enumerate(mentions) if mention.marked}
    choices = [[p for p, mention in enumerate(mentions) if kind in mention.kinds] for kind in form.kinds]
    alike = [pair for pair in combinations(range(len(choices)), 2) if len({form.kinds[p] for p in pair}) == 1]
    for chosen in product(*choices):
        once = len(set(chosen)) == len(chosen)
        if once and marked <= {*chosen} and all(chosen[a] < chosen[b] for a, b in alike):
            yield chosen


def load_taught(folder: Path) -> TaughtAnnotator:
    """The annotator that `save` wrote. Raises UsageError where its files are damaged."""
    try:
        told: dict[str, Any] = read_json((folder / FILE).read_text(encoding="utf-8"))
        return TaughtAnnotator(
            Lexicon({kind: tuple(names) for kind, names in told["names"].items()}),
            tuple(Form(spelling, tuple(kinds)) for spelling, *kinds in told["forms"]),
            {key: tuple(map(_loaded, rule)) for key, rule in told["rules"].items()},
            load_classifier(folder / WEIGHTS),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"{folder} holds no annotator that can be read ({error!r}).") from error


def _dumped(piece: Piece) -> object:
    return [piece.form, piece.inserts, *piece.arguments] if isinstance(piece, Insert) else piece


def _loaded(piece: Any) -> Piece:
    if not isinstance(piece, list):
        return piece if isinstance(piece, int) else str(piece)
    form, inserts, *places = piece
    return Insert(int(form), tuple(map(int, places)), bool(inserts))
