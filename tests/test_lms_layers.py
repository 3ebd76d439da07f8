"""The layers around a model: thinking, retries, concurrency, prices, budget; and models by name."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from email.utils import formatdate
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fault_server import FaultServer, gathers
from graphtalk.core import BudgetError, LmBusyError, LmError, UsageError
from graphtalk.lms import Reply, Request, Usage, user
from graphtalk.lms.budget import Budget, Budgeted, Ledger
from graphtalk.lms.concurrency import Limited
from graphtalk.lms.http import seconds_to_wait
from graphtalk.lms.options import LmOptions
from graphtalk.lms.pieces import Stops, Thinking, without_thinking
from graphtalk.lms.prices import FREE, Price, Priced, Prices
from graphtalk.lms.registry import Provider, Providers, check_name, open_lm
from graphtalk.lms.retry import Patience, Retry
from graphtalk.lms.scripted import cut_at
from graphtalk.lms.thinking import Thoughtless

ASK = Request(user("x"))


@dataclass
class Says:
    """A model that does what each of its steps says in turn: a text, a whole reply, or an error to raise."""

    steps: list[str | Reply | LmError]
    obeys_stops: bool = True
    pieces: int = 2
    name: str = "says"
    asked: list[Request] = field(default_factory=list)

    def complete(self, request: Request) -> Reply:
        self.asked.append(request)
        step = self.steps.pop(0)
        if isinstance(step, LmError):
            raise step
        if isinstance(step, Reply):
            return step
        text = cut_at(step, request.stop) if self.obeys_stops else step
        return Reply(text, usage=Usage(1, 10, 5))

    def stream(self, request: Request) -> Iterator[str | Reply]:
        reply = self.complete(request)
        for at in range(0, len(reply.text), self.pieces):
            yield reply.text[at : at + self.pieces]
        yield reply


def streamed(lm: Thoughtless, request: Request) -> Reply:
    """The reply by streaming; the pieces must make up its text."""
    *pieces, reply = list(lm.stream(request))
    assert isinstance(reply, Reply)
    assert "".join(str(piece) for piece in pieces) == reply.text
    return reply


both_ways = pytest.mark.parametrize("ask", [Thoughtless.complete, streamed], ids=["complete", "stream"])
Ask = Callable[[Thoughtless, Request], Reply]

# Thinking


@both_ways
@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Zinc", "Zinc"),
        ("<think>Is it?</think>\n\nZinc", "Zinc"),
        ("<THINKING>Is it?</Thinking> Zinc", "Zinc"),
        ("<think>It never ends", ""),
        ("<think></think>Zinc", "Zinc"),
        ("Zinc <think>or iron</think>and iron", "Zinc and iron"),
        ("<think>a</think>A<think>b</think>B<think>c", "AB"),
        ("<think>a <think>b</think> Zinc", "Zinc"),
        ("3 < 4 and <thin> air <", "3 < 4 and <thin> air <"),
        ("İ<think>İİ</think>Zinc", "İZinc"),
    ],
)
def test_thinking_is_left_out(text: str, left: str, ask: Ask) -> None:
    assert ask(Thoughtless(Says([text])), ASK).text == left


def test_thinking_whose_opening_tag_stands_in_the_prompt() -> None:
    lm = Thoughtless(Says(["So it is\nzinc.</think>\nZinc"] * 3))
    assert lm.complete(ASK).text == "Zinc"
    assert streamed(lm, ASK).text == "Zinc"
    assert lm.complete(replace(ASK, stop=("\n",))).text == "Zinc"


TAGS = ["<think>", "</think>", "<thinking>", "</thinking>"]


@given(st.lists(st.sampled_from([*TAGS, "<", "</", "think", ">", "Zinc", " ", "\n"])), st.data())
def test_thinking_split_over_pieces_is_as_in_one(parts: list[str], data: st.DataObject) -> None:
    text = "".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)))))
    bounds = [0, *cuts, len(text)]
    thinking = Thinking()
    for begin, end in pairwise(bounds):
        thinking.feed(text[begin:end])
    thinking.finish()
    assert thinking.visible == without_thinking(text).visible


@example("aa\na", ["\n", "a\na"], [3])
@given(
    st.text("ab\n", max_size=12),
    st.lists(st.text("ab\n", min_size=1, max_size=3), max_size=3),
    st.lists(st.integers(0, 12)),
)
def test_stops_over_pieces_cut_as_in_one(text: str, stops: list[str], cuts: list[int]) -> None:
    bounds = [0, *sorted(cuts), len(text)]
    cut = Stops(tuple(stops))
    out = "".join(cut.feed(text[a:b]) for a, b in pairwise(bounds)) + cut.finish()
    assert out == cut_at(text, tuple(stops))


@both_ways
@pytest.mark.parametrize("thought", ["one\ntwo", "one"])
def test_a_stop_that_ends_the_thinking_is_taken_away_and_remembered(thought: str, ask: Ask) -> None:
    request = replace(ASK, stop=("\n",))
    inner = Says([f"<think>{thought}</think>\n\nAction: X\nObservation: made up"] * 3)
    lm = Thoughtless(inner)
    first = ask(lm, request)
    assert (first.text, first.finish, first.usage.calls) == ("Action: X", "stop", 2)
    assert ask(lm, request).text == "Action: X"
    assert [asked.stop for asked in inner.asked] == [("\n",), (), ()]


@both_ways
def test_thinking_that_says_nothing_after_all_is_asked_for_twice_only(ask: Ask) -> None:
    inner = Says(["<think>hm</think>"] * 3)
    lm = Thoughtless(inner)
    assert [ask(lm, replace(ASK, stop=("\n",))).text for _ in range(2)] == ["", ""]
    assert not inner.steps


@both_ways
def test_a_model_that_thinks_until_its_tokens_are_used_up_gets_more(ask: Ask) -> None:
    inner = Says([Reply("<think>on and on", finish="length"), "<think>on and on</think>Zinc", "Iron"])
    lm = Thoughtless(inner)
    assert [ask(lm, ASK).text for _ in range(2)] == ["Zinc", "Iron"]
    assert [asked.max_tokens for asked in inner.asked] == [512, 4096, 4096]


@both_ways
def test_thinking_without_end_is_asked_for_twice_only(ask: Ask) -> None:
    inner = Says([Reply("<think>on and on", finish="length")] * 2)
    reply = ask(Thoughtless(inner), replace(ASK, stop=("\n",)))
    assert (reply.text, reply.finish) == ("", "length") and not inner.steps


# Retries


@dataclass
class Clock:
    """A clock that moves only when someone sleeps."""

    now: float = 100.0
    slept: list[float] = field(default_factory=list)

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def retry(inner: Says, clock: Clock, chance: float = 1.0, patience: Patience | None = None) -> Retry:
    return Retry(inner, patience or Patience(), clock.sleep, clock, lambda: chance)


def test_waits_double_and_are_drawn_by_chance() -> None:
    clock = Clock()
    assert retry(Says([LmBusyError("no")] * 4 + ["ok"]), clock).complete(ASK).text == "ok"
    assert clock.slept == [0.5, 1.0, 2.0, 4.0]
    clock = Clock()
    retry(Says([LmBusyError("no")] * 4 + ["ok"]), clock, 0.25).complete(ASK)
    assert clock.slept == [0.125, 0.25, 0.5, 1.0]


def test_what_the_server_asks_for_is_waited_up_to_a_cap() -> None:
    clock = Clock()
    busy = [LmBusyError("no", after) for after in (3.0, 0.0, 5000.0)]
    retry(Says([*busy, "ok"]), clock, 0.0, Patience(longest=60)).complete(ASK)
    assert clock.slept == [3.0, 0.0, 60.0]


def test_tries_and_time_are_bounded() -> None:
    clock, inner = Clock(), Says([LmBusyError("It is busy.")] * 99)
    with pytest.raises(LmBusyError, match=r"It is busy\. Asked 6 times in 16 s\."):
        retry(inner, clock).complete(ASK)
    assert len(inner.asked) == 6
    clock, inner = Clock(), Says([LmBusyError("no", 50.0)] * 99)
    with pytest.raises(LmBusyError):
        retry(inner, clock, patience=Patience(99, total=120)).complete(ASK)
    assert clock.now - 100 <= 120


def test_no_retries_means_none() -> None:
    clock = Clock()
    with pytest.raises(LmBusyError, match=r"^no$"):
        retry(Says([LmBusyError("no")]), clock, patience=Patience(0)).complete(ASK)
    assert clock.slept == []


@pytest.mark.parametrize("error", [LmError("no"), BudgetError("no")])
def test_only_what_may_pass_is_asked_again(error: LmError) -> None:
    clock, inner = Clock(), Says([error, "ok"])
    with pytest.raises(LmError):
        retry(inner, clock).complete(ASK)
    assert len(inner.asked) == 1


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({}, None),
    ],
)
def test_retry_after(header: dict[str, str], seconds: float | None) -> None:
    assert seconds_to_wait(header) == (seconds if seconds is None else pytest.approx(seconds, abs=2))


@pytest.mark.parametrize(("ahead", "seconds"), [(30, 30.0), (-30, 0.0)])
def test_retry_after_as_a_date(ahead: int, seconds: float) -> None:
    date = formatdate(time.time() + ahead, usegmt=True)
    assert seconds_to_wait({"retry-after": date}) == pytest.approx(seconds, abs=2)


# Concurrency


def test_no_more_than_so_many_at_once() -> None:
    with FaultServer(gathers(3), delay=0.05) as server, ThreadPoolExecutor(12) as pool:
        lm = open_lm("openai:m", LmOptions(base_url=server.base_url, concurrency=3))
        list(pool.map(lambda _: lm.complete(ASK), range(12)))
    assert server.most_in_flight == 3


def test_a_stream_that_is_dropped_frees_its_slot() -> None:
    lm = Limited(Says(["abcdef", "ok"]), threading.BoundedSemaphore(1))
    pieces = lm.stream(ASK)
    next(pieces)
    del pieces
    assert lm.complete(ASK).text == "ok"


# Prices


def test_the_shipped_prices_can_be_read_and_are_of_our_providers() -> None:
    table = Prices.open().table
    assert table
    for name, price in table.items():
        check_name(name)
        assert 0 < price.input <= price.output


def test_a_file_goes_over_the_shipped_prices(tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    file.write_text(
        '["openai:gpt-4o-mini"]\ninput = 100\noutput = 200.5\n["openai:mine"]\ninput = 0\noutput = 0\n'
    )
    prices = Prices.open(file)
    assert prices.find("openai:gpt-4o-mini") == Price(100, 200.5)
    assert prices.find("openai:mine") == FREE
    assert prices.find("openai:gpt-4o") == Prices.open().find("openai:gpt-4o")
    assert prices.dearest == Price(100, 200.5)


def test_a_dated_model_costs_what_the_model_costs() -> None:
    prices = Prices.open()
    assert prices.find("openai:gpt-4o-mini-2024-07-18") == prices.find("openai:gpt-4o-mini")
    assert prices.find("anthropic:claude-sonnet-4-5-20250929") == prices.find("anthropic:claude-sonnet-4-5")
    assert prices.find("openai:gpt-4o-audio") is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = [", "not a TOML file"),
        ("[m]\ninput = 1\n", r'\["m"\]: a price has the keys input and output'),
        ("[m]\ninput = 1\noutput = 2\ncached = 1\n", r'\["m"\]: a price has the keys'),
        ("m = 3\n", r'\["m"\]: a price has the keys'),
        ("[m]\ninput = -1\noutput = 2\n", r'\["m"\]: input is -1'),
        ('[m]\ninput = 1\noutput = "2"\n', r"output is '2'"),
        ("[m]\ninput = 1\noutput = nan\n", "output is nan"),
        ("[m]\ninput = true\noutput = 1\n", "input is True"),
    ],
)
def test_a_bad_price_file_is_named_with_its_key(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    file.write_text(text)
    with pytest.raises(UsageError, match=message) as caught:
        Prices.open(file)
    assert "prices.toml" in str(caught.value)


def test_a_missing_price_file() -> None:
    with pytest.raises(UsageError, match=r"Cannot read the prices /no/such\.toml"):
        Prices.open("/no/such.toml")


def test_usage_says_what_it_cost() -> None:
    lm = Priced(Says(["ok"] * 2), Price(1.0, 10.0))
    assert lm.complete(ASK).usage.usd == pytest.approx(60e-6)
    *_, reply = lm.stream(ASK)
    assert isinstance(reply, Reply) and reply.usage.usd == pytest.approx(60e-6)


def test_a_model_without_a_price(tmp_path: Path) -> None:
    script = tmp_path / "script.jsonl"
    script.write_text('{"text": "ok", "repeat": true}\n')
    limited = Budget(usd=1.0)
    with FaultServer() as server:
        at = LmOptions(base_url=server.base_url)
        free = open_lm("openai:unheard-of", at).complete(ASK)
        dear = open_lm("openai:unheard-of", replace(at, budget=limited)).complete(ASK)
    local = open_lm(f"scripted:{script}", LmOptions(budget=limited)).complete(ASK)
    assert free.usage.usd == local.usage.usd == 0
    assert dear.usage.usd == pytest.approx(Prices.open().dearest.usd(11, 7))


# Budget


def budgeted(budget: Budget, inner: Says, price: Price = FREE, clock: Clock | None = None) -> Budgeted:
    return Budgeted(Priced(inner, price), Ledger(budget, clock=clock or Clock()), price)


SHORT = replace(ASK, max_tokens=5)  # costs 1 + 5 tokens at most by estimate, 10 + 5 in the replies of Says


def test_tokens_run_out() -> None:
    lm = budgeted(Budget(tokens=31), Says(["ok"] * 9))
    lm.complete(SHORT)
    lm.complete(SHORT)
    with pytest.raises(
        BudgetError, match=r"The budget of 31 tokens is spent: 30 in 2 calls\. The next may cost 6 tokens\."
    ):
        lm.complete(SHORT)


def test_what_is_streamed_is_spent_too() -> None:
    tokens = budgeted(Budget(tokens=31), Says(["ok"] * 9))
    for _ in range(2):
        assert isinstance(list(tokens.stream(SHORT))[-1], Reply)
    with pytest.raises(BudgetError, match=r"is spent: 30 in 2 calls"):
        list(tokens.stream(SHORT))
    dollars = budgeted(Budget(usd=0.05), Says(["ok"] * 99), Price(1000.0, 1000.0))
    with pytest.raises(BudgetError, match=r"is spent: \$0\.045 in 3 calls"):
        for _ in range(99):
            list(dollars.stream(SHORT))


def test_dollars_run_out() -> None:
    lm = budgeted(Budget(usd=0.05), Says(["ok"] * 99), Price(1000.0, 1000.0))
    lm.complete(SHORT)
    with pytest.raises(BudgetError, match=r"The budget of \$0\.05 is spent: \$0\.045 in 3 calls"):
        for _ in range(99):
            lm.complete(SHORT)


def test_a_budget_too_small_for_one_call() -> None:
    inner = Says([])
    with pytest.raises(BudgetError, match=r"The budget of \$0\.001 is too small: one call may cost \$0\.00"):
        budgeted(Budget(usd=0.001), inner, Price(1000.0, 1000.0)).complete(SHORT)
    assert not inner.asked


def test_seconds_run_out() -> None:
    clock = Clock()
    lm = budgeted(Budget(seconds=10), Says(["ok"] * 9), clock=clock)
    lm.complete(ASK)
    clock.now += 11
    with pytest.raises(BudgetError, match=r"The budget of 10 seconds is spent, in 1 call\."):
        list(lm.stream(ASK))


def test_a_call_that_failed_frees_what_it_held() -> None:
    lm = budgeted(Budget(tokens=16), Says([LmError("no"), "ok"]))
    with pytest.raises(LmError, match=r"^no$"):
        lm.complete(SHORT)
    assert lm.complete(SHORT).text == "ok"


def test_a_thread_does_not_wait_for_its_own_stream() -> None:
    lm = budgeted(Budget(tokens=8), Says(["abcdef", "ok"]))
    pieces = lm.stream(SHORT)
    next(pieces)
    with pytest.raises(BudgetError):
        lm.complete(SHORT)


def test_many_workers_cannot_overshoot() -> None:
    usage = {"prompt_tokens": 20, "completion_tokens": 40}
    request = replace(ASK, messages=user("x" * 60), max_tokens=40)
    with FaultServer(gathers(2, usage), delay=0.01, usage=usage) as server, ThreadPoolExecutor(64) as pool:
        ledger = Ledger(Budget(tokens=1000))
        lm = open_lm("openai:m", LmOptions(base_url=server.base_url), ledger)

        def one(_: int) -> bool:
            try:
                lm.complete(request)
            except BudgetError:
                return False
            return True

        done = list(pool.map(one, range(200)))
    assert ledger.spent.input_tokens + ledger.spent.output_tokens == 60 * sum(done)
    assert sum(done) == 16  # 16 * 60 = 960, and a seventeenth might cost 60 more


def test_what_is_held_is_waited_for_while_it_may_be_freed() -> None:
    usage = {"prompt_tokens": 1, "completion_tokens": 1}
    with FaultServer(gathers(2, usage), delay=0.01, usage=usage) as server, ThreadPoolExecutor(8) as pool:
        # Each call holds 101 tokens and costs 2: only two fit at a time, and yet all 30 can be paid.
        lm = open_lm("openai:m", LmOptions(base_url=server.base_url, budget=Budget(tokens=250)))
        replies = list(pool.map(lambda _: lm.complete(replace(ASK, max_tokens=100)).text, range(30)))
    assert replies == ["ok"] * 30
    assert server.most_in_flight == 2


def test_one_ledger_for_two_models() -> None:
    ledger = Ledger(Budget(tokens=31))
    first, second = (Budgeted(Says(["ok"] * 9), ledger, FREE) for _ in range(2))
    first.complete(SHORT)
    second.complete(SHORT)
    with pytest.raises(BudgetError, match="in 2 calls"):
        second.complete(SHORT)


# Names


FORMS = r"Valid: offline, openai:MODEL, anthropic:MODEL, hf:PATH_OR_NAME, trained:DIR, scripted:FILE"


@pytest.mark.parametrize("name", ["", "gpt-4o", "openai", "openai:", "openai: ", "Openai:x", ":x", "llama:x"])
def test_a_name_that_is_none(name: str) -> None:
    with pytest.raises(UsageError, match=FORMS):
        check_name(name)
    with pytest.raises(UsageError, match=FORMS):
        open_lm(name)


@pytest.mark.parametrize(
    "name", ["offline", "openai:a:b/c", "anthropic:x", "hf:/a/b", "trained:/no", "scripted:/no/such/file"]
)
def test_a_name_is_checked_without_opening_it(name: str) -> None:
    check_name(name)


def test_offline_is_no_model() -> None:
    with pytest.raises(UsageError, match="'offline' is no language model"):
        open_lm("offline")


def test_checking_names_imports_no_provider() -> None:
    heavy = "{'openai', 'anthropic', 'torch', 'transformers', 'httpx2', 'jsonschema', 'opentelemetry'}"
    code = (
        "import sys; from graphtalk.lms.registry import check_name; check_name('openai:x');"
        f"print({heavy} & {{name.partition('.')[0] for name in sys.modules}})"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"


def test_two_providers_of_one_name() -> None:
    known = Providers()
    known.add(Provider("a:X", "one:open"))
    known.add(Provider("a:X", "one:open"))
    with pytest.raises(UsageError, match="Two providers are called 'a': one:open, two:open"):
        known.add(Provider("a:Y", "two:open"))


def test_a_recorded_run_is_resumed_and_replayed_without_a_server(tmp_path: Path) -> None:
    record = tmp_path / "run.db"
    with FaultServer(text="Zinc") as server:
        options = LmOptions(base_url=server.base_url, record=record, budget=Budget(usd=1.0))
        first = open_lm("openai:m", options).complete(ASK)
        again = open_lm("openai:m", options).complete(ASK)
    assert len(server.requests) == 1
    replayed = open_lm("openai:m", LmOptions(replay=record)).complete(ASK)
    assert first == again == replayed
    assert first.usage.usd > 0


def test_a_cache_is_shared_by_models_of_one_name_at_one_server_only(tmp_path: Path) -> None:
    with FaultServer(text="here") as here, FaultServer(text="there") as there:
        replies = [
            open_lm("openai:m", LmOptions(base_url=at.base_url, cache=tmp_path / "cache.db")).complete(ASK)
            for at in (here, there, here)
        ]
    assert [reply.text for reply in replies] == ["here", "there", "here"]
    assert [reply.usage.cached_calls for reply in replies] == [0, 0, 1]
