// A call that can be changed and run again, in any spelling: its result as a table, its evidence in the drawing.

import * as api from "./api";
import { button, duration, fill, h, told } from "./dom";
import type { GraphPanel } from "./panel";
import { table } from "./table";
import type { CallResult } from "./types";
import { asTable } from "./value";

export function editor(graph: string, call: string, panel: GraphPanel): HTMLElement {
  const text = h("textarea", { rows: Math.min(12, call.split("\n").length + 2), spellcheck: "false", maxlength: 20_000, "aria-label": "A call, or Cypher" });
  text.value = call;
  const result = h("div", { "aria-live": "polite" });
  const run = button("Run", () => void again());
  const again = async (): Promise<void> => {
    run.disabled = true;
    try {
      const found = await api.call(graph, text.value);
      await panel.light(found.evidence);
      fill(result, ...shown(found, panel));
    } catch (error) {
      fill(result, h("p", { class: "problem", role: "alert" }, told(error)));
    }
    run.disabled = false;
  };
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void again();
  });
  return h("div", { class: "editor" }, text, h("div", { class: "actions" }, run, h("span", { class: "quiet" }, "Ctrl+Enter runs it too")), result);
}

function shown(found: CallResult, panel: GraphPanel): (HTMLElement | null)[] {
  const note = found.remarks.length > 0 ? h("p", { class: "remark" }, found.remarks.join("; ")) : null;
  const rows = table(asTable(found.result, "result"), panel.named);
  return [h("p", { class: "quiet" }, duration(found.seconds)), note, rows];
}
