"""No name of a graph and no word of a model gives a terminal or a page orders."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import graphtalk as gt
from command_line import CommandLine
from graphtalk.app import console, render
from graphtalk.core.text import escaped, visible

ROOT = Path(__file__).parents[1]
ORDERS = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\u2066\u200f\x85\r\x08\x7f"
EVIL, PLAIN = f"Evil{ORDERS}Town", "Evil]0;owned[2J31mTown"
NEAR = f"near{ORDERS}by"
ASKED = f'What is {NEAR} "{EVIL}"?'
CALL = f'NeighbourCheck["{EVIL}", "{NEAR}"]'
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("shown") / "evil.gt"
    graph = gt.from_triples([(EVIL, NEAR, f"Other{ORDERS}Town"), (EVIL, NEAR, "Third")])
    gt.graphs.write(graph, place)
    return place


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def test_what_is_obeyed_is_left_out_and_what_is_read_stays() -> None:
    assert visible(EVIL) == PLAIN
    kept = "Joël\tO’Neil\nمی\u200cخواهم 東京 half \ufffd 👩\u200d🔬"
    assert visible(kept) == kept and visible("half \ud83d") == "half \ufffd"
    assert json.loads(escaped(json.dumps([EVIL, kept], ensure_ascii=False))) == [EVIL, kept]


COMMANDS = (
    ("info", "STORE"),
    ("info", "STORE", "--json"),
    ("ask", "STORE", ASKED),
    ("ask", "STORE", ASKED, "--json"),
    ("ask", "STORE", f"What is {ORDERS}?", "--trace"),
    ("call", "STORE", CALL),
    ("call", "STORE", CALL, "--json"),
    ("call", "STORE", f'NeighbourCheck["{EVIL}", "nope{ORDERS}"]'),
    ("call", "STORE", "Degree[]"),
    ("call", "STORE", f"Nothing{ORDERS}["),
    ("retrieve", "STORE", f"near {EVIL}"),
    ("retrieve", "STORE", f"near {EVIL}", "--json"),
    ("annotate", f"What is the diameter of the {EVIL} graph?", "--graph", "STORE"),
    ("complete", f"The diameter of the {EVIL} graph is", "--graph", "STORE"),
    ("solve", f"An undirected graph has edges ({EVIL}, b). Is it connected?"),
    ("vertex", "run", "components", "STORE"),
    ("info", f"no/such{ORDERS}store"),
    ("ask", "STORE", "?", "--lm", f"nope{ORDERS}"),
    ("tools", f"nope{ORDERS}"),
    ("verify", f"nope{ORDERS}.json", "STORE"),
    ("hub", "info", f"nope{ORDERS}"),
)


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words[:2])[:20])
def test_no_command_shows_what_a_terminal_obeys(
    cli: CommandLine, store: Path, words: tuple[str, ...]
) -> None:
    done = cli(*(str(store) if word == "STORE" else word for word in words))
    assert done.out or done.err
    assert done.code != 0 or "--json" in words or words[0] == "solve" or "owned" in done.out
    assert not OBEYED.search(done.out), repr(done.out)
    assert not OBEYED.search(done.err), repr(done.err)


def test_a_conversation_shows_no_orders(cli: CommandLine, store: Path) -> None:
    said = cli("chat", str(store), stdin=f"{ASKED}\n/why\n/evidence\n/schema\n/no{ORDERS}\n")
    assert PLAIN in said.out and not OBEYED.search(said.out + said.err)


def test_json_says_the_name_itself(cli: CommandLine, store: Path) -> None:
    found = cli("call", str(store), CALL, "--json")
    assert f"Other{ORDERS}Town" in found.json["result"]


def test_consoles_read_no_markup_and_tables_show_no_orders(capsys: pytest.CaptureFixture[str]) -> None:
    console.stdout().print(f"[/] [red]{EVIL}[/red] :smile:")
    render.print_table(console.stdout(), ["name"], [[EVIL]])
    console.say(EVIL)
    shown = capsys.readouterr()
    assert shown.out.startswith(f"[/] [red]{PLAIN}[/red] :smile:")
    assert not OBEYED.search(shown.out + shown.err)


def test_colours_of_our_own_still_reach_a_terminal() -> None:
    code = (
        "import sys; sys.stdout.isatty = lambda: True\n"
        "from graphtalk.app import console\n"
        "from rich.text import Text\n"
        f"console.stdout().print(Text({EVIL!r}, style='bold'))"
    )
    environment = {"TERM": "xterm", "PYTHONPATH": str(ROOT / "src"), "PATH": "/usr/bin:/bin"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert f"\x1b[1m{PLAIN}\x1b[0m" in done.stdout, done


def test_notebooks_show_no_orders(store: Path) -> None:
    answer = gt.ask(store, ASKED)
    assert not OBEYED.search(answer._repr_html_()) and not OBEYED.search(
        answer._repr_mimebundle_()["text/plain"]
    )
    chat = gt.chat(store)
    chat(ASKED)
    assert not OBEYED.search(chat._repr_html_() + repr(chat))


@pytest.mark.skipif(shutil.which("node") is None, reason="no Node on this machine")
def test_the_page_shows_no_orders(tmp_path: Path) -> None:
    source = (ROOT / "web" / "src" / "dom.ts").read_text(encoding="utf-8")
    pattern = re.search(r"text\.replace\((/.+/g), \"\"\)", source)
    assert pattern is not None
    code = f"process.stdout.write({json.dumps(EVIL)}.replace({pattern[1]}, ''))"
    done = subprocess.run(["node", "-e", code], capture_output=True, text=True, check=True)
    assert done.stdout == PLAIN
