"""The pictures of the docs: the page as it is now, and six graphs, each with a question and its answer.

python scripts/gallery.py    # writes docs/images/page.png, phone.png, gallery-*.png and docs/gallery.md; needs Chromium
"""

import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import networkx as nx
from playwright.sync_api import Browser, Page, sync_playwright

import graphtalk as gt

DOCS = Path(__file__).resolve().parents[1] / "docs"
FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]


@dataclass(frozen=True)
class Shown:
    """A graph of the gallery: its name, what it is, where it is from, the question, and how it is made here."""

    name: str
    what: str
    question: str
    made: str


GALLERY = (
    Shown(
        "atlas",
        "Countries with their capitals, neighbours, rivers and languages; built in.",
        "Which countries border both France and Germany?",
        'gt.open("atlas")',
    ),
    Shown(
        "miserables",
        "Who appears together in Hugo's novel (Knuth, The Stanford GraphBase).",
        "How are Valjean and Gavroche connected?",
        "gt.from_networkx(nx.les_miserables_graph())",
    ),
    Shown(
        "karate",
        "Who met outside a karate club that fell apart (Zachary, 1977).",
        "Which communities are there?",
        "gt.from_networkx(nx.karate_club_graph())",
    ),
    Shown(
        "families",
        "Marriages between families of Florence in the fifteenth century (Padgett and Ansell).",
        "Which node is the most important?",
        "gt.from_networkx(nx.florentine_families_graph())",
    ),
    Shown(
        "women",
        "Which women came to which events in the American South (Davis and others, 1941).",
        "What do Evelyn Jefferson and Laura Mandeville have in common?",
        "gt.from_networkx(nx.davis_southern_women_graph())",
    ),
    Shown(
        "festival",
        "Bands, festivals and cities: three tables with keys, as in the tutorial.",
        "How many bands does each festival have?",
        'gt.open({"band": bands, "festival": festivals, "plays": plays})',
    ),
)


def main() -> None:
    """Make the graphs, serve them, and take the pictures."""
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        stores = [graph_of(shown, Path(scratch)) for shown in GALLERY]
        chromium = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        with served(stores, Path(scratch)) as url:
            for shown in GALLERY:
                with opened(browser, f"{url}/#graph={shown.name}") as page:
                    ask(page, shown.question)
                    page.screenshot(path=DOCS / "images" / f"gallery-{shown.name}.png")
            with opened(browser, f"{url}/#graph=atlas") as page:
                page.locator(".canvas[data-settled=true]").wait_for()
                page.wait_for_timeout(1000)
                page.screenshot(path=DOCS / "images" / "page.png")
            with opened(browser, f"{url}/#graph=atlas", width=390, height=780) as page:
                ask(page, "How are China and Spain connected?")
                page.screenshot(path=DOCS / "images" / "phone.png")
        browser.close()
    write_page()


def graph_of(shown: Shown, folder: Path) -> str:
    """A graph as `graphtalk serve` takes it: a name that is built in, or NAME=STORE."""
    makers = {
        "miserables": nx.les_miserables_graph,
        "karate": nx.karate_club_graph,
        "families": nx.florentine_families_graph,
        "women": nx.davis_southern_women_graph,
    }
    if shown.name == "atlas":
        return "atlas"
    store = folder / f"{shown.name}.gt"
    if shown.name in makers:
        gt.save(gt.from_networkx(makers[shown.name]()), store)
    else:
        gt.import_graph([DOCS / "tutorial" / f"{name}.csv" for name in ("band", "festival", "plays")], store)
    return f"{shown.name}={store}"


@contextmanager
def served(stores: list[str], folder: Path) -> Iterator[str]:
    """The address of a server of these graphs."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "graphtalk", "serve", *stores, "--port", str(port)]
    process = subprocess.Popen([*command, "--keep", str(folder / "kept")], stderr=subprocess.DEVNULL)
    try:
        url = f"http://127.0.0.1:{port}"
        while True:
            try:
                urllib.request.urlopen(f"{url}/readyz").close()
                break
            except OSError:
                time.sleep(0.2)
        yield url
    finally:
        process.terminate()
        process.wait()


@contextmanager
def opened(browser: Browser, address: str, width: int = 1280, height: int = 800) -> Iterator[Page]:
    """A page with its examples there."""
    with browser.new_context(viewport={"width": width, "height": height}) as context:
        page = context.new_page()
        page.set_default_timeout(120_000)
        page.goto(address)
        page.wait_for_selector(".examples .example")
        yield page


def ask(page: Page, question: str) -> None:
    """Ask, take the first reading where there are several, and wait for the drawing."""
    page.fill("#question", question)
    page.keyboard.press("Enter")
    page.locator(".result > *").first.wait_for()
    if page.locator(".choices").count():
        page.locator(".choices button").first.click()
        page.locator(".turn").nth(1).locator(".result > *").first.wait_for()
    page.wait_for_timeout(3000)


def write_page() -> None:
    """The page of the gallery."""
    parts = [
        "# Gallery",
        "",
        "Six graphs, each with a question. `python scripts/gallery.py` makes this page and its pictures.",
        "",
    ]
    for shown in GALLERY:
        parts += [f"## {shown.question}", "", shown.what, "", f"```python\n{shown.made}\n```", ""]
        parts += [f"![{shown.question}](images/gallery-{shown.name}.png)", ""]
    (DOCS / "gallery.md").write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
