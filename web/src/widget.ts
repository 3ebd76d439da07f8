// The drawing and the table in a notebook, as an anywidget: what Python gives is drawn, a node that is pressed is told to Python.

import { takeThemeFrom } from "./colours";
import { h, select } from "./dom";
import { Drawing } from "./drawing";
import { LAYOUTS } from "./layouts";
import { table } from "./table";
import type { Drawn, Edge, Json } from "./types";

interface Model {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  on(event: string, heard: () => void): void;
}

function render({ model, el }: { model: Model; el: HTMLElement }): void {
  el.classList.add("graphtalk");
  takeThemeFrom(el);
  const rows = model.get("rows") as Json[][];
  if (rows.length > 0) el.append(table({ columns: model.get("columns") as string[], rows, name: "answer" }, { is: () => false, id: (text) => text, open: () => undefined, bothWays: () => false }));
  if ((model.get("nodes") as Drawn[]).length === 0) return;
  const canvas = h("div", { class: "canvas" });
  const drawing = new Drawing(canvas, (id) => {
    model.set("pressed", id);
    model.save_changes();
  }, () => undefined);
  const layout = select("Layout", LAYOUTS, "forces", (name) => drawing.arrange((drawing.layout = name)));
  el.append(h("div", { class: "actions" }, layout), h("div", { class: "stage" }, canvas));
  const show = (): void => {
    const nodes = model.get("nodes") as Drawn[];
    drawing.know([...new Set(nodes.map((node) => node.type))]);
    drawing.undirected = new Set(model.get("undirected") as string[]);
    drawing.add(nodes, model.get("edges") as Edge[]);
    drawing.mark(new Map((model.get("marked") as string[]).map((id) => [id, "--text"])));
  };
  requestAnimationFrame(show); // when the element has a size
  model.on("change:nodes", show);
}

export default { render };
