// A call that can be changed and run again, in any spelling: its result as a table, its evidence in the drawing.

import * as api from "./api";
import { button, duration, fill, h, some } from "./dom";
import type { GraphPanel } from "./panel";
import type { CallResult, Json } from "./types";

const MOST_ROWS = 200;

export function editor(graph: string, call: string, panel: GraphPanel): HTMLElement {
  const text = h("textarea", { rows: Math.min(12, call.split("\n").length + 2), spellcheck: "false", maxlength: 20_000, "aria-label": "A call, or Cypher" });
  text.value = call;
  const result = h("div", { class: "rows", "aria-live": "polite" });
  const run = button("Run", () => void again());
  const again = async (): Promise<void> => {
    run.disabled = true;
    try {
      const found = await api.call(graph, text.value);
      fill(result, ...shown(found));
      await panel.light(found.evidence);
    } catch (error) {
      fill(result, h("p", { class: "problem", role: "alert" }, error instanceof Error ? error.message : String(error)));
    }
    run.disabled = false;
  };
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void again();
  });
  return h("div", { class: "editor" }, text, h("div", { class: "actions" }, run, h("span", { class: "quiet" }, "Ctrl+Enter runs it too")), result);
}

function shown(found: CallResult): HTMLElement[] {
  const rows = Array.isArray(found.result) ? found.result : [found.result];
  const objects = rows.length > 0 && rows.every((row) => row !== null && typeof row === "object" && !Array.isArray(row));
  const columns = objects ? Object.keys(rows[0] as object) : ["result"];
  const cell = (row: Json, column: string): string => plain(objects ? (row as { [name: string]: Json })[column] ?? null : row);
  const head = h("tr", {}, ...columns.map((column) => h("th", { scope: "col" }, column)));
  const body = rows.slice(0, MOST_ROWS).map((row) => h("tr", {}, ...columns.map((column) => h("td", {}, cell(row, column)))));
  const left = rows.length > MOST_ROWS ? `, the first ${MOST_ROWS} are shown` : "";
  const note = h("p", { class: "quiet" }, [`${some(rows.length, "row")}${left}, ${duration(found.seconds)}`, ...found.remarks].join("; "));
  return [h("table", {}, h("thead", {}, head), h("tbody", {}, ...body)), note];
}

function plain(value: Json): string {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
