"""`scripts/fuzz`: every target runs, and a case that may not be is counted and ends in exit code 1."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"


def fuzz(*words: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, SCRIPTS / "fuzz.py", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.parametrize("target", ["importers", "calls", "stores", "server"])
def test_a_target_gives_right_results_or_errors_of_ours(target: str) -> None:
    done = fuzz("--seconds", 2, "--only", target, "--seed", 1)
    assert done.returncode == 0, done.stdout
    assert done.stdout.startswith(f"{target}: ") and len(done.stdout.splitlines()) > 1


def test_an_unknown_target_is_named() -> None:
    assert "no target 'x'" in fuzz("--only", "x").stderr


def test_what_may_not_be_is_counted(tmp_path: Path) -> None:
    (tmp_path / "fuzz.py").write_text((SCRIPTS / "fuzz.py").read_text())
    (tmp_path / "fuzz_targets.py").write_text(
        "import os, signal\n"
        "def bad(folder):\n"
        "    def attempt(random):\n"
        "        n = random.randrange(3)\n"
        "        if n == 0: return 'fine'\n"
        "        if n == 1: raise KeyError('x')\n"
        "        os.kill(os.getpid(), signal.SIGSEGV)\n"
        "    return attempt\n"
        "TARGETS = {'bad': bad}\n"
    )
    words = [sys.executable, str(tmp_path / "fuzz.py"), "--seconds", "2"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 1
    assert "ended by signal 11" in done.stdout and "KeyError: 'x'" in done.stdout and "  fine" in done.stdout
