// The right side: the drawing with its legend, the same as a list for keyboard and screen reader, and the chosen node.

import * as api from "./api";
import { Drawing, MOST_DRAWN } from "./drawing";
import { button, count, fill, h, visible } from "./dom";
import type { Edge, Evidence, GraphPage, Json, NodeName } from "./types";

const PAGE = 25;

export class GraphPanel {
  private graph = "";
  private readonly canvas = h("div", { class: "canvas", "aria-hidden": "true" });
  private readonly empty = h("p", { class: "hint" }, "The evidence of an answer is drawn here. Click a node to read it.");
  private readonly note = h("p", { class: "note", role: "status" });
  private readonly legend = h("ul", { class: "legend", "aria-label": "Node types" });
  private readonly list = h("ul", { class: "names" });
  private readonly listing = h("details", { class: "listing" }, h("summary", {}, "What is drawn, as a list"), this.list);
  private readonly details = h("aside", { class: "details", "aria-label": "Node", hidden: true });
  private readonly finder = h("input", { type: "search", placeholder: "Find a node…", "aria-label": "Find a node", maxlength: 200 });
  private readonly hits = h("ul", { class: "hits", "aria-label": "Nodes found" });
  private readonly drawing: Drawing;
  private shown = 0;

  constructor(root: HTMLElement) {
    const tools = h(
      "div",
      { class: "tools", role: "toolbar", "aria-label": "Drawing" },
      button("+", () => this.drawing.zoom(1.3), { "aria-label": "Zoom in" }),
      button("−", () => this.drawing.zoom(1 / 1.3), { "aria-label": "Zoom out" }),
      button("Fit", () => this.drawing.fit()),
      button("Clear", () => this.clear()),
    );
    const search = h("form", { class: "finder", role: "search", onsubmit: (event) => void this.find(event) }, this.finder, this.hits);
    root.append(h("div", { class: "top" }, search, tools), this.empty, this.canvas, this.note, this.legend, this.listing, this.details);
    this.drawing = new Drawing(this.canvas, (id) => void this.open(id), () => this.changed());
    new ResizeObserver(() => this.drawing.fit()).observe(this.canvas);
  }

  use(graph: string): void {
    this.graph = graph;
    this.clear();
  }

  /** Draw the edges of relations that both ends see alike without an arrow. */
  know(page: GraphPage): void {
    const both = page.relations.filter((relation) => relation.inverse === relation.name && relation.source === relation.target);
    this.drawing.undirected = new Set(both.map((relation) => relation.name));
  }

  clear(): void {
    this.shown += 1;
    this.drawing.clear();
    this.details.hidden = true;
    fill(this.note);
  }

  restyle(): void {
    this.drawing.restyle();
  }

  fit(): void {
    this.drawing.fit();
  }

  /** Draw the evidence of an answer in the place of what there was. `named` are the nodes that the answer gives. */
  async show(evidence: Evidence, named: Set<string>, everything = false): Promise<void> {
    this.clear();
    const turn = this.shown;
    const ids = inOrder(evidence, named);
    const chosen = everything ? ids : ids.slice(0, MOST_DRAWN);
    const nodes = await api.names(this.graph, chosen);
    if (turn !== this.shown) return;
    this.drawing.add(nodes, evidence.edges);
    const given = nodes.filter((node) => named.has(node.label) || named.has(node.id));
    this.drawing.highlight(given.map((node) => node.id), [], false);
    const left = ids.length - chosen.length;
    if (left > 0) {
      const all = button("Draw all", () => void this.show(evidence, named, true));
      fill(this.note, `${count(chosen.length)} of ${count(ids.length)} nodes are drawn, those of the answer first. `, all);
    } else if (!evidence.complete) fill(this.note, "There is more evidence than is sent.");
  }

  /** Let what a call touched stand out, drawing what is missing. */
  async light(evidence: Evidence): Promise<void> {
    const ids = inOrder(evidence, new Set()).slice(0, MOST_DRAWN);
    this.drawing.add(await api.names(this.graph, ids), evidence.edges);
    this.drawing.highlight(ids, evidence.edges);
  }

  /** Show a node's text and its relations. */
  async open(id: string): Promise<void> {
    this.details.hidden = false;
    fill(this.details, h("p", { class: "hint" }, "Reading…"));
    try {
      const node = await api.node(this.graph, id);
      this.drawing.add([node], []);
      this.drawing.select(id);
      const features = Object.entries(node.features).map(([name, value]) => [h("dt", {}, name), h("dd", {}, words(value))]);
      const relations = Object.entries(node.relations).filter(([, number]) => number > 0);
      fill(
        this.details,
        button("×", () => (this.details.hidden = true), { class: "close", "aria-label": "Close the node" }),
        h("h2", { tabindex: -1 }, node.label),
        h("p", { class: "quiet" }, node.label === node.id ? node.type : `${node.type}, ${node.id}`),
        h("dl", {}, ...features.flat()),
        h("h3", {}, "Neighbours"),
        relations.length === 0 ? h("p", { class: "quiet" }, "None.") : h("ul", { class: "relations" }, ...relations.map(([name, number]) => this.relation(id, name, number))),
      );
    } catch (error) {
      fill(this.details, h("p", { class: "problem", role: "alert" }, error instanceof Error ? error.message : String(error)));
    }
  }

  /** One relation of a node: pressed, its neighbours are drawn, a page at a time. */
  private relation(id: string, name: string, total: number): HTMLLIElement {
    let next = 0;
    const press = button(`${name} (${count(total)})`, () => void more(), { title: "Draw these neighbours" });
    const more = async (): Promise<void> => {
      press.disabled = true;
      try {
        const page = await api.neighbours(this.graph, id, name, next, PAGE);
        next += page.neighbours.length;
        const edges = page.neighbours.map((neighbour): Edge => neighbour.edge);
        this.drawing.add(page.neighbours, edges);
        this.drawing.highlight([id, ...page.neighbours.map((neighbour) => neighbour.id)], edges);
        this.drawing.select(id);
        press.textContent = visible(next < total ? `${name}: ${count(next)} of ${count(total)} drawn, more` : `${name} (${count(total)}), drawn`);
        press.disabled = next >= total;
      } catch (error) {
        press.textContent = visible(`${name}: ${error instanceof Error ? error.message : String(error)}`);
        press.disabled = false;
      }
    };
    return h("li", {}, press);
  }

  private async find(event: Event): Promise<void> {
    event.preventDefault();
    const words = this.finder.value.trim();
    if (!words) return fill(this.hits);
    try {
      const found = await api.search(this.graph, words);
      const open = (id: string): void => {
        fill(this.hits);
        void this.open(id);
      };
      const rows = found.map((node) => h("li", {}, button(`${node.label} · ${node.type}`, () => open(node.id))));
      fill(this.hits, ...(rows.length > 0 ? rows : [h("li", {}, "Nothing is called so.")]));
    } catch (error) {
      fill(this.hits, h("li", {}, error instanceof Error ? error.message : String(error)));
    }
  }

  private changed(): void {
    const nodes = this.drawing.nodes;
    this.empty.hidden = nodes.length > 0;
    this.listing.hidden = nodes.length === 0;
    fill(this.legend, ...this.drawing.legend.map(([type, colour]) => swatch(type, colour)));
    fill(this.list, ...nodes.slice(0, 1000).map((node) => this.row(node)));
  }

  private row(node: NodeName): HTMLLIElement {
    return h("li", {}, button(`${node.label} · ${node.type}`, () => void this.open(node.id)));
  }
}

function swatch(type: string, colour: string): HTMLLIElement {
  const dot = h("span", { class: "dot" });
  dot.style.backgroundColor = colour;
  return h("li", {}, dot, type);
}

/** The nodes of the evidence: those that the answer gives, each with what it is joined to, then the rest. */
function inOrder(evidence: Evidence, named: Set<string>): string[] {
  const ids = new Set<string>();
  const edges = evidence.edges.filter(([source, , target]) => named.has(source) || named.has(target));
  for (const [source, , target] of [...edges, ...evidence.edges]) ids.add(source).add(target);
  for (const id of evidence.nodes) ids.add(id);
  return [...ids];
}

function words(value: Json): string {
  if (Array.isArray(value)) return value.map(words).join(", ");
  return typeof value === "number" ? count(value) : typeof value === "string" ? value : JSON.stringify(value);
}
