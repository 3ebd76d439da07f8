"""A local model of the `transformers` library: a folder, or a name on the Hugging Face hub.

One reply at a time is generated in a process: the machine is busy with one, and the random numbers are torch's own.
Code that a model's author put beside the weights is never run.
"""

import json
import re
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphtalk.core import JSON, LmError, UsageError
from graphtalk.core.reading import read_json
from graphtalk.lms.pieces import Stops, without_thinking
from graphtalk.lms.protocol import Finish, Message, Reply, Request, ToolCall, Usage, in_one_piece
from graphtalk.lms.scripted import cut_at
from graphtalk.lms.structured import objects_in

GENERATING = threading.Lock()
ENDLESS = 10**9  # tokenizers that know no limit name a larger one
TAGGED = re.compile(r"<tool_call>(.*?)(?:</tool_call>|\Z)", re.DOTALL)
NEXT_TURN = (
    "\nuser:",
    "\nsystem:",
    "\ntool:",
)  # where a model without a chat template begins to speak for others


@dataclass(frozen=True)
class Prompt:
    """A request as the model reads it: token ids, where to stop, and how many tokens the reply may have."""

    ids: list[int]
    stops: tuple[str, ...]
    most: int


@dataclass(frozen=True)
class HfLM:
    """A model and its tokenizer. It is not held to a schema: `complete_json` puts that into the prompt."""

    name: str
    model: Any
    tokenizer: Any

    @classmethod
    def open(cls, source: str, devices: Any = "auto") -> "HfLM":
        """Load a model from a folder, or by its name on the hub: on a GPU where there is one, in its own precision.

        `devices` is the `device_map` of transformers.
        Raises UsageError where the libraries are missing, or where the model cannot be loaded.
        """
        try:
            from safetensors import SafetensorError
            from transformers import AutoModelForCausalLM, AutoTokenizer
            from transformers.utils.logging import disable_progress_bar
        except ImportError as error:
            raise UsageError(
                f'hf:{source} needs torch and transformers: python -m pip install "graphtalk[hf]".'
            ) from error
        disable_progress_bar()
        place = _place(source)
        try:
            tokenizer = AutoTokenizer.from_pretrained(place, trust_remote_code=False)
            model = AutoModelForCausalLM.from_pretrained(
                place, dtype="auto", device_map=devices, trust_remote_code=False
            )
        except (OSError, ValueError, KeyError, RuntimeError, ImportError, SafetensorError) as error:
            raise UsageError(
                f"Cannot load the model {source}: {_first_line(error)} "
                "Name a folder with a model in the Hugging Face format, or a model of its hub."
            ) from error
        return cls(f"hf:{source}", model.eval(), tokenizer)

    def complete(self, request: Request) -> Reply:
        """The whole reply: the likeliest tokens at temperature 0, else drawn with the request's seed.

        Raises LmError where the prompt is longer than the model reads, or memory runs out.
        """
        prompt = self._prompt(request)
        return self._reply(request, prompt, self._generate(request, prompt, threading.Event()))

    def stream(self, request: Request) -> Iterator[str | Reply]:
        """The pieces as they come; in one piece where calls or thoughts may have to be taken out of the text."""
        if request.tools or self._parses:
            yield from in_one_piece(self.complete(request))
            return
        from transformers import TextIteratorStreamer

        prompt, left = self._prompt(request), threading.Event()
        cut = Stops(prompt.stops)
        pieces = TextIteratorStreamer(
            self.tokenizer, skip_prompt=True, skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        with ThreadPoolExecutor(1) as pool:
            work = pool.submit(self._generate, request, prompt, left, pieces)
            work.add_done_callback(lambda _: pieces.end())  # so that a failure ends the pieces too
            try:
                for piece in pieces:
                    if fresh := cut.feed(piece):
                        yield fresh
                if rest := cut.finish():
                    yield rest
                yield self._reply(request, prompt, work.result())
            finally:
                left.set()

    @property
    def _parses(self) -> bool:
        """Whether the tokenizer says how to tell calls and thoughts from text."""
        return getattr(self.tokenizer, "response_template", None) is not None

    def _prompt(self, request: Request) -> Prompt:
        stops = tuple(stop for stop in request.stop if stop)
        if self.tokenizer.chat_template:
            ids = self._templated(request)
        else:
            ids = self.tokenizer(_plain(request))["input_ids"]
            stops += NEXT_TURN
        room = self.context() - len(ids)
        if room < 1:
            raise LmError(
                f"{self.name} reads at most {self.context()} tokens, and the prompt has {len(ids)}. "
                "Ask for fewer steps or a shorter graph description, or take a model that reads more."
            )
        return Prompt(ids, stops, min(request.max_tokens, room))

    def _templated(self, request: Request) -> list[int]:
        from jinja2 import TemplateError

        names = {call.id: call.name for message in request.messages for call in message.tool_calls}
        try:
            ids: list[int] = self.tokenizer.apply_chat_template(
                [_shown(message, names) for message in request.messages],
                tools=[dict(tool) for tool in request.tools] or None,
                add_generation_prompt=True,
                return_dict=True,
            )["input_ids"]
        except (TemplateError, TypeError, ValueError) as error:
            raise LmError(
                f"The chat template of {self.name} does not take these messages: {_first_line(error)}"
            ) from error
        return ids

    def context(self) -> int:
        """How many tokens the model reads and writes together."""
        known = getattr(self.model.config.get_text_config(), "max_position_embeddings", None)
        return int(known or min(self.tokenizer.model_max_length, ENDLESS))

    def _generate(
        self, request: Request, prompt: Prompt, left: threading.Event, streamer: Any = None
    ) -> list[int]:
        """The tokens of the reply. `left` is set when nobody waits for it any more."""
        import torch

        ids = torch.tensor([prompt.ids], device=self.model.device)
        gpus = [self.model.device] if self.model.device.type == "cuda" else []
        try:
            with GENERATING, torch.random.fork_rng(gpus):
                torch.manual_seed(request.seed)
                written = self.model.generate(
                    input_ids=ids,
                    attention_mask=torch.ones_like(ids),
                    generation_config=self._settings(request, prompt),
                    stopping_criteria=[self._halt(prompt, left)],
                    streamer=streamer,
                )
        except (RuntimeError, ValueError, IndexError) as error:
            raise LmError(f"{self.name} failed: {_first_line(error)}") from error
        return [int(token) for token in written[0][len(prompt.ids) :]]

    def _settings(self, request: Request, prompt: Prompt) -> Any:
        """The model's own settings, with the request's."""
        settings = deepcopy(self.model.generation_config)
        settings.max_new_tokens, settings.max_length = prompt.most, None
        settings.do_sample = request.temperature > 0
        if settings.do_sample:
            settings.temperature = request.temperature
        else:
            settings.temperature = settings.top_p = settings.top_k = None
        if settings.pad_token_id is None:
            settings.pad_token_id = self._ends()[0] if self._ends() else 0
        return settings

    def _halt(self, prompt: Prompt, left: threading.Event) -> Callable[[Any, Any], Any]:
        """What generation asks after each token: whether to stop here."""
        import torch

        window = max((len(stop.encode()) for stop in prompt.stops), default=0) + 4

        def halt(ids: Any, scores: Any) -> Any:
            tail = ids[0][max(len(prompt.ids), ids.shape[1] - window) :] if prompt.stops else []
            text = self._text(tail)
            over = left.is_set() or any(stop in text for stop in prompt.stops)
            return torch.full((ids.shape[0],), over, device=ids.device)

        return halt

    def _reply(self, request: Request, prompt: Prompt, written: list[int]) -> Reply:
        raw = self._text(written)
        text = cut_at(raw, prompt.stops)
        text_ended = text != raw
        calls: tuple[ToolCall, ...] = ()
        if self._parses and not text_ended:
            text, calls = self._parsed(request, prompt, written, text)
        if request.tools and not calls:
            said, calls = split_calls(without_thinking(text).visible, request.tools)
            text = said if calls else text
        ended = text_ended or len(written) < prompt.most or written[-1] in self._ends()
        finish: Finish = "tool_calls" if calls else "stop" if ended else "length"
        return Reply(text, calls, Usage(1, len(prompt.ids), len(written)), finish)

    def _parsed(
        self, request: Request, prompt: Prompt, written: list[int], text: str
    ) -> tuple[str, tuple[ToolCall, ...]]:
        """Text and calls as the tokenizer tells them apart; the text as it is where it cannot."""
        tools = [dict(tool) for tool in request.tools] or None
        try:
            parsed = self.tokenizer.parse_response(written, prefix=prompt.ids, tools=tools)
            found = [call["function"] for call in parsed.get("tool_calls") or []]
            calls = [(str(call["name"]), call["arguments"]) for call in found]
        except (ValueError, RuntimeError, KeyError, TypeError):
            return text, ()
        if calls and not tools:  # nobody offered any: then it is text
            return text, ()
        return str(parsed.get("content") or ""), _numbered(calls)

    def _ends(self) -> list[int]:
        """The tokens that end a reply."""
        ends = self.model.generation_config.eos_token_id
        return ends if isinstance(ends, list) else [] if ends is None else [ends]

    def _text(self, tokens: Any) -> str:
        return str(
            self.tokenizer.decode(tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        )


def _place(source: str) -> str:
    """The folder, or the name on the hub. Raises UsageError where it can only be a folder, and there is none."""
    folder = Path(source).expanduser()
    if folder.is_dir():
        return str(folder)
    if source.startswith(("/", ".", "~")) or source.count("/") > 1:
        raise UsageError(f"Cannot load the model {source}: there is no such folder.")
    return source


def split_calls(text: str, tools: Iterable[Any]) -> tuple[str, tuple[ToolCall, ...]]:
    """Take the calls of tools out of a text: `<tool_call>{…}</tool_call>`, or objects that name a tool of `tools`.

    What looks like a call but cannot be read stays in the text, for whoever asked to see.

    >>> split_calls('I look. <tool_call>{"name": "Find", "arguments": {"x": 1}}</tool_call>', [])
    ('I look.', (ToolCall(id='call-1', name='Find', arguments='{"x": 1}'),))
    """
    tagged = [_call(inside) for inside in TAGGED.findall(text)]
    if tagged:
        calls = [call for call in tagged if call]
        rest = TAGGED.sub(lambda found: "" if _call(found[1]) else found[0], text)
        return rest.strip() if calls else text, _numbered(calls)
    names = {tool["function"]["name"] for tool in tools}
    begin = min((at for at in (text.find("{"), text.find("["), text.find("```")) if at >= 0), default=-1)
    values = list(objects_in(text)) if begin >= 0 else []
    bare = [_named(call) for value in values for call in (value if isinstance(value, list) else [value])]
    if not bare or not all(call and call[0] in names for call in bare):
        return text, ()
    return text[:begin].strip(), _numbered([call for call in bare if call])


def _call(text: str) -> tuple[str, JSON] | None:
    return _named(next(objects_in(text), None))


def _named(value: JSON) -> tuple[str, JSON] | None:
    """Name and arguments of a call, which some models call parameters."""
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        return None
    return str(value["name"]), value.get("arguments", value.get("parameters", {}))


def _numbered(calls: Iterable[tuple[str, JSON]]) -> tuple[ToolCall, ...]:
    return tuple(
        ToolCall(
            f"call-{n}", name, given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
        )
        for n, (name, given) in enumerate(calls, 1)
    )


def _shown(message: Message, names: dict[str, str]) -> dict[str, object]:
    """A message as chat templates read it. `names` are the tools' names by the ids of their calls."""
    shown: dict[str, object] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        shown["tool_calls"] = [
            {"type": "function", "id": call.id, "function": {"name": call.name, "arguments": _read(call)}}
            for call in message.tool_calls
        ]
    if message.role == "tool":
        shown |= {"tool_call_id": message.tool_call_id, "name": names.get(message.tool_call_id, "")}
    return shown


def _read(call: ToolCall) -> JSON:
    """Arguments as templates want them: an object, or the text where it is none."""
    try:
        value: JSON = read_json(call.arguments)
    except ValueError:
        return call.arguments
    return value


def _plain(request: Request) -> str:
    """The messages for a model without a chat template."""
    tools = [f"tool: {json.dumps(dict(tool), ensure_ascii=False)}" for tool in request.tools]
    lines = [f"{message.role}: {_with_calls(message)}" for message in request.messages]
    return "\n".join([*tools, *lines, "assistant:"])


def _with_calls(message: Message) -> str:
    calls = [f'{{"name": "{call.name}", "arguments": {call.arguments}}}' for call in message.tool_calls]
    return "\n".join([message.content, *(f"<tool_call>{call}</tool_call>" for call in calls)]).strip()


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
