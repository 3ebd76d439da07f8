"""Widgets of notebooks: what Python gives them, what they draw in a browser, and what pressing a node does."""

import json
import os
import shutil
import sys

import pytest

import graphtalk as gt
from graphtalk.app.server.config import ServerSettings
from graphtalk.app.settings import Settings
from graphtalk.app.shelf import Shelf
from site_server import serving

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
NAMES = ("nodes", "edges", "marked", "columns", "rows", "undirected")
_SHOW = """async (fields) => {
  const { default: widget } = await import("/widget/widget.js");
  const model = { get: (name) => fields[name], set: (name, value) => (fields[name] = value), save_changes() {}, on() {} };
  const el = document.createElement("div");
  document.body.replaceChildren(el);
  widget.render({ model, el });
  await new Promise((done) => setTimeout(done, 300));
  return [el.querySelectorAll("canvas").length, [...el.querySelectorAll("tbody tr")].map((row) => row.textContent)];
}"""


def test_an_answer_is_a_table_and_a_drawing_that_grows() -> None:
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    shown = gt.widget(gt.ask("atlas", "Which countries border both France and Germany?"))
    assert sorted(row[0] for row in shown.rows) == ["Belgium", "Luxembourg", "Switzerland"]
    assert {node["id"] for node in shown.nodes} >= {"France", "Germany", "Belgium"}
    assert sorted(shown.marked) == ["Belgium", "Luxembourg", "Switzerland"]
    before = len(shown.nodes)
    shown.pressed = "France"
    assert len(shown.nodes) > before and "Paris" in [node["label"] for node in shown.nodes]
    assert ["France", "capital", "Paris"] in shown.edges
    assert len({node["id"] for node in shown.nodes}) == len(shown.nodes)


def test_a_graph_is_drawn_in_part() -> None:
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    shown = gt.widget(gt.open("atlas"), most=40)
    assert len(shown.nodes) == 40 and shown.rows == []
    ids = {node["id"] for node in shown.nodes}
    assert shown.edges and all(source in ids and target in ids for source, _, target in shown.edges)


def test_without_anywidget_the_command_that_installs_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    from graphtalk.app import widget

    monkeypatch.setitem(sys.modules, "anywidget", None)
    widget._kind.cache_clear()
    with pytest.raises(gt.UsageError, match=r"graphtalk\[widget\]"):
        gt.widget(gt.open("atlas"))


@pytest.mark.skipif(CHROMIUM is None and "CI" not in os.environ, reason="no Chromium on this machine")
def test_it_is_drawn_in_a_browser() -> None:
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    shown = gt.widget(gt.ask("atlas", "Which countries border both France and Germany?"))
    fields = json.loads(json.dumps({name: getattr(shown, name) for name in NAMES}))
    flags = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-gpu"]
    with (
        serving(Shelf.of([gt.open("gpr")], Settings()), ServerSettings()) as url,
        sync_api.sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        page = browser.new_page()
        page.set_default_timeout(200_000)
        page.goto(f"{url}/api.html")
        canvases, rows = page.evaluate(_SHOW, fields)
        browser.close()
    assert canvases > 0 and sorted(rows) == ["Belgium", "Luxembourg", "Switzerland"]
