"""Which tokens may come next, and a model of `transformers` held to them, with beams (section 5.4.1 of the paper)."""

from collections.abc import Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphtalk.core import LmError
from graphtalk.lms.options import Decoding
from graphtalk.reasoners.toolformer.constrained.network import Automaton, State
from graphtalk.reasoners.toolformer.constrained.tokens import Branch, Ids, Tokens

DECODING = Decoding()
_CALLS = (
    2 * b'[GR(GL("some_graph"), "domain:some_function")-->r]'
)  # what one step may put before a text's end


class Guide:
    """The tokens that may follow what was written of one text; what each state allows is worked out once.

    ends: the tokens that end a text; most: how many tokens it may have. When it comes near that it is brought to its
    shortest end. Raises LmError where there is not even room for that.
    """

    def __init__(self, tokens: Tokens, automaton: Automaton, ends: Sequence[int], most: int) -> None:
        self._tokens = tokens
        self._automaton = automaton
        self._ends = list(ends)
        self._most = most
        self._states: dict[tuple[int, ...], State | None] = {(): automaton.start}
        self._allowed: dict[State, Ids] = {}
        self._needed: dict[State, int] = {}
        self._margin = len(_CALLS)
        with suppress(ValueError):  # a tokenizer without some of these letters
            self._margin = tokens.count(_CALLS)
        if (needed := self._to_end(automaton.start)) > most:
            raise LmError(f"The text needs {needed} tokens to be annotated, and there is room for {most}.")

    def allowed(self, written: tuple[int, ...]) -> Ids:
        """The tokens that may follow. Raises LmError where the tokenizer has none."""
        state = self._state(written)
        if state is None:
            return np.array(self._ends, np.int64)
        left = self._most - len(written)
        # A token writes at least a byte, so that the tokens to the end need not be counted while bytes are few.
        near = left <= self._automaton.bytes_left(state) + self._margin
        if near and left <= self._to_end(state) + self._margin:
            return self._towards_end(state)
        if state not in self._allowed:
            self._allowed[state] = self._fitting(state)
        found = self._allowed[state]
        if not len(found):
            raise LmError("The model's tokenizer cannot write what the text asks for.")
        return found

    def text(self, written: Sequence[int]) -> str:
        """What was written, up to its end."""
        pieces = [self._tokens.written[id] for id in written if id not in self._ends]
        return b"".join(piece for piece in pieces if piece).decode(errors="replace").strip()

    def _state(self, written: tuple[int, ...]) -> State | None:
        """The state after these tokens; None after the end."""
        if written not in self._states:
            before, piece = self._state(written[:-1]), self._tokens.written[written[-1]]
            ended = before is None or piece is None
            self._states[written] = None if ended else self._automaton.walk(before, piece)  # type: ignore[arg-type]
        return self._states[written]

    def _fitting(self, state: State) -> Ids:
        """All tokens from which the text can go on. Plain text takes its many tokens as one array."""
        found = list(self._ends) if state.accepts else []
        left: list[tuple[State, Branch]] = [(state, self._tokens.rest if state.free else self._tokens.whole)]
        while left:
            at, branch = left.pop()
            found += branch.ids
            for byte in branch.children.keys() & at.bytes:
                after = self._automaton.step(at, byte)
                if after is not None:
                    left.append((after, branch.children[byte]))
        some = np.array(found, np.int64)
        return np.concatenate([self._tokens.plain, some]) if state.free else some

    def _towards_end(self, state: State) -> Ids:
        if state.accepts:
            return np.array(self._ends, np.int64)
        token = self._tokens.longest(self._automaton.shortest(state))
        if token is None:
            raise LmError("The model's tokenizer cannot write what the text asks for.")
        return np.array([token], np.int64)

    def _to_end(self, state: State) -> int:
        """How many tokens the shortest end takes."""
        if state not in self._needed:
            try:
                self._needed[state] = self._tokens.count(self._automaton.shortest(state)) + 1
            except ValueError as error:
                raise LmError(f"The model's tokenizer cannot write the text: {error}.") from error
        return self._needed[state]


@dataclass(frozen=True)
class GrammarMask:
    """A logits processor of `transformers`: tokens that may not come next cannot be chosen. `prompt` is its length."""

    guide: Guide
    prompt: int

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """The scores, shape (beams, vocabulary), those of other tokens minus infinity."""
        import torch

        masked = torch.full_like(scores, float("-inf"))
        for row, ids in enumerate(input_ids[:, self.prompt :].tolist()):
            allowed = torch.from_numpy(self.guide.allowed(tuple(ids))).to(scores.device)
            masked[row, allowed] = scores[row, allowed]
        return masked


def generate(
    model: Any,
    prompt: Sequence[int],
    most: int,
    decoding: Decoding = DECODING,
    guide: Guide | None = None,
    seed: int = 0,
) -> list[int]:
    """The tokens behind a prompt, by beam search or drawn with a seed; under a guide only such as it allows.

    Raises LmError where memory runs out.
    """
    import torch

    settings = deepcopy(model.generation_config)
    drawn = decoding.temperature > 0
    settings.do_sample, settings.num_beams = drawn, decoding.beams
    settings.temperature = decoding.temperature if drawn else None
    settings.top_p = decoding.top_p if drawn else None
    settings.top_k = decoding.top_k if drawn else None
    settings.early_stopping = decoding.early_stop
    settings.max_new_tokens, settings.max_length = most, None
    ends = ends_of(model)
    if settings.pad_token_id is None:
        settings.pad_token_id = ends[0] if ends else 0
    ids = torch.tensor([list(prompt)], device=model.device)
    try:
        if drawn:
            torch.manual_seed(seed)
        with torch.no_grad():
            written = model.generate(
                input_ids=ids,
                attention_mask=torch.ones_like(ids),
                generation_config=settings,
                logits_processor=[GrammarMask(guide, len(prompt))] if guide else [],
            )
    except (RuntimeError, IndexError, ValueError) as error:
        raise LmError(f"The model failed: {str(error).partition(chr(10))[0]}") from error
    return [int(token) for token in written[0][len(prompt) :]]


def ends_of(model: Any) -> list[int]:
    """The tokens that end a text."""
    ends = model.generation_config.eos_token_id
    return ends if isinstance(ends, list) else [] if ends is None else [ends]
