// The right side: the drawing and what is chosen of it, the same as a list for keyboard and screen reader, and the open node.

import * as api from "./api";
import { button, count, fill, h, inWords, menu, save, select, some, told, visible } from "./dom";
import { Drawing, type By, type Marks } from "./drawing";
import { asGraphml, asSvg, edgesAsCsv, nodesAsCsv, savePng } from "./files";
import { LAYOUTS } from "./layouts";
import { suggest, type Suggestion } from "./suggest";
import { shownValue, type Named } from "./table";
import type { Drawn, Edge, Evidence, GraphPage, Json, NodeName, NodePage } from "./types";

const PAGE = 25; // neighbours at a time
export const MOST_DRAWN = 300; // nodes of an answer that are drawn at once
const MOST_MARKED = 40; // nodes of an answer that stand out: more would be all alike
const WHOLE = 100; // nodes of a graph that is drawn whole at once
const OVERVIEWS = [60, 300, 2_000, 20_000, 100_000]; // nodes of a whole graph
const MOST_LONE = 4; // nodes without edges that are drawn with some of their neighbours, and relations of which
const FEW_BESIDE = 6;
const MOST_LISTED = 1000;
const MOST_COLOURS = 11; // that are told apart; all others have the last
const MEASURES = { degree: "Edges in the graph", rank: "PageRank here" };

export class GraphPanel {
  private page: GraphPage | null = null;
  private readonly canvas = h("div", { class: "canvas", "aria-hidden": "true" });
  private readonly note = h("p", { class: "note", role: "status" });
  private readonly legend = h("ul", { class: "legend", "aria-label": "Node types: press one to hide it" });
  private readonly key = h("ul", { class: "legend key", "aria-label": "Key to the drawing" });
  private readonly list = h("ul", { class: "names" });
  private readonly listing = h("details", { class: "listing" }, h("summary", {}, "What is drawn, as a list"), this.list);
  private readonly details = h("aside", { class: "details", "aria-label": "Node", hidden: true });
  private readonly finder = h("input", { type: "search", placeholder: "Find a node…", "aria-label": "Find a node", maxlength: 200 });
  private readonly view = h("div", { class: "choices-of-view" });
  private readonly back = button("Undo", () => this.drawing.undo(), { disabled: true, title: "Take back what was drawn last" });
  private readonly drawing: Drawing;
  private turn = 0;
  private from: NodeName | null = null; // where a path is to begin
  private names = new Map<string, string>(); // of what was drawn: ids by what nodes are called

  /** `onOpen` hears which node is open; "" for none. */
  constructor(root: HTMLElement, private readonly onOpen: (id: string) => void) {
    const zoom = h(
      "div",
      { class: "zoom", role: "toolbar", "aria-label": "Drawing" },
      button("+", () => this.drawing.zoom(1.4), { "aria-label": "Zoom in" }),
      button("−", () => this.drawing.zoom(1 / 1.4), { "aria-label": "Zoom out" }),
      button("Fit", () => this.drawing.fit()),
    );
    const hits = suggest(this.finder, (words) => this.found(words), true);
    const finder = h("form", { class: "finder", role: "search", onsubmit: (event) => void this.find(event) }, this.finder, hits);
    const files = ["PNG", "SVG", "GraphML", "CSV: nodes", "CSV: edges"].map((kind) => button(kind, () => void this.file(kind)));
    const top = h("div", { class: "top" }, finder, menu("View", { title: "Layout, colours, sizes, relations" }, this.view), menu("Export", {}, ...files), this.back);
    root.append(top, h("div", { class: "stage" }, this.canvas, zoom), this.note, this.legend, this.key, this.listing, this.details);
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !this.details.hidden) this.close();
    });
    this.drawing = new Drawing(this.canvas, (id) => void this.picked(id), () => this.changed());
    if (!this.drawing.works) this.canvas.append(h("p", { class: "hint" }, "This browser has no WebGL, which draws the graph. The list below has what would be drawn."));
    new ResizeObserver(() => this.drawing.fit()).observe(this.canvas);
  }

  /** Show a graph from now on: some of its nodes at first. */
  use(page: GraphPage): void {
    this.page = page;
    this.from = null;
    this.finder.value = "";
    const both = page.relations.filter((relation) => relation.inverse === relation.name && relation.source === relation.target);
    this.drawing.undirected = new Set(both.map((relation) => relation.name));
    this.drawing.know(page.node_types.map((type) => type.name));
    this.drawing.hidden.types.clear();
    this.drawing.hidden.relations.clear();
    this.drawing.colour = "type";
    this.drawing.size = "degree";
    this.hide();
    this.drawing.forget();
    fill(this.note);
    this.choices(page);
  }

  /** How many nodes are drawn at first. */
  private first(): number {
    const total = this.page!.node_types.reduce((sum, type) => sum + type.count, 0);
    return total <= WHOLE ? WHOLE : OVERVIEWS[0]!;
  }

  /** Draw some of the graph, of these types and relations. */
  async overview(filter: { types?: string[]; relations?: string[] } = {}, limit = this.first()): Promise<void> {
    const turn = (this.turn += 1);
    const { nodes, edges, total } = await api.sample(this.page!.name, limit, filter.types, filter.relations);
    if (turn !== this.turn) return;
    this.drawing.replace(nodes, edges);
    const next = OVERVIEWS.find((size) => size > limit && limit < total);
    if (next === undefined) return fill(this.note);
    const more = button(`Draw ${count(Math.min(next, total))}`, () => void this.guarded(() => this.overview(filter, next)));
    const what = filter.relations ? `joined by ${filter.relations.map(inWords).join(", ")}` : filter.types ? `of type ${filter.types.join(", ")}` : "of the graph";
    fill(this.note, `${count(nodes.length)} of ${count(total)} nodes ${what}, those with most edges. `, more);
  }

  restyle(): void {
    this.drawing.restyle();
  }

  fit(): void {
    this.drawing.fit();
  }

  /** What is drawn, by what it is called. */
  readonly named: Named = {
    is: (text) => this.names.has(text),
    id: (text) => this.names.get(text) ?? text,
    open: (text) => void this.picked(this.named.id(text)),
    bothWays: (relation) => this.drawing.undirected.has(relation),
  };

  /** Draw the evidence of an answer in the place of what there was. `given` are the nodes that the answer gives, by name. */
  async show(evidence: Evidence, asked: Set<string>, given: Set<string>, groups: string[][] = [], everything = false): Promise<void> {
    const turn = (this.turn += 1);
    const ids = inOrder(evidence, given.size > 0 ? await this.ids(evidence, given) : given);
    if (turn !== this.turn || ids.length === 0) return;
    const chosen = everything ? ids : ids.slice(0, MOST_DRAWN);
    // Nodes alone say little: the edges among them are drawn too, though the answer does not rest on these.
    const alone = evidence.edges.length === 0 && chosen.length > 1 && chosen.length <= MOST_DRAWN;
    const { nodes, edges } = alone ? await api.among(this.page!.name, chosen) : { nodes: await api.names(this.page!.name, chosen), edges: evidence.edges };
    if (turn !== this.turn) return;
    this.hide();
    this.drawing.colour = groups.length > 0 ? "=group" : "type";
    const group = new Map(groups.flatMap((names, at) => names.map((name) => [name, `group ${at + 1}`] as const)));
    if (groups.length > 0) for (const node of nodes) node.values = { group: group.get(node.label) ?? null };
    const called = (names: Set<string>) => nodes.filter((node) => names.has(node.label) || names.has(node.id));
    const marks: Marks = new Map(called(asked).map((node) => [node.id, "--accent"]));
    if (given.size <= MOST_MARKED && groups.length === 0) for (const node of called(given)) marks.set(node.id, "--text");
    this.drawing.replace(nodes, edges, marks);
    const lone = edges.length === 0 && nodes.length <= MOST_LONE;
    if (lone) await this.surround(nodes, turn);
    if (turn !== this.turn) return;
    const left = ids.length - chosen.length;
    if (left > 0) {
      const all = button("Draw all", () => void this.guarded(() => this.show(evidence, asked, given, groups, true)));
      fill(this.note, `${count(chosen.length)} of ${count(ids.length)} nodes are drawn, those of the answer first. `, all);
    } else fill(this.note, !evidence.complete ? "There is more evidence than is sent." : lone ? "Some of what is beside it is drawn too." : alone && edges.length > 0 ? "The edges between these nodes are drawn too." : "");
  }

  /** The nodes of the evidence that are called so: looked up where not all of it is drawn. */
  private async ids(evidence: Evidence, named: Set<string>): Promise<Set<string>> {
    if (evidence.nodes.length <= MOST_DRAWN) return named;
    const nodes = await api.names(this.page!.name, evidence.nodes);
    return new Set(nodes.filter((node) => named.has(node.label) || named.has(node.id)).map((node) => node.id));
  }

  /** Draw some neighbours of nodes that would be alone in the drawing. */
  private async surround(nodes: Drawn[], turn: number): Promise<void> {
    const pages = await Promise.all(nodes.map((node) => api.node(this.page!.name, node.id)));
    const asked = pages.flatMap((node) => Object.entries(node.relations).filter(([, number]) => number > 0).slice(0, MOST_LONE).map(([name]) => api.neighbours(this.page!.name, node.id, name, 0, FEW_BESIDE)));
    const found = (await Promise.all(asked)).flatMap((page) => page.neighbours);
    if (turn === this.turn) this.drawing.add(found, found.map((neighbour) => neighbour.edge));
  }

  /** Let what a call touched stand out, drawing what is missing. */
  async light(evidence: Evidence): Promise<void> {
    const ids = inOrder(evidence, new Set()).slice(0, MOST_DRAWN);
    this.drawing.add(await api.names(this.page!.name, ids), evidence.edges);
    this.drawing.highlight(ids, evidence.edges);
  }

  /** A node was pressed in the drawing: it is opened, or a path leads to it. */
  private async picked(id: string): Promise<void> {
    const from = this.from;
    this.from = null;
    if (from === null || from.id === id) return this.open(id);
    await this.guarded(async () => this.path(from, await api.node(this.page!.name, id)));
  }

  private async path(from: NodeName, to: NodeName): Promise<void> {
    const end = (node: NodeName): string => `RetrieveNode[${JSON.stringify(node.id)}, ${JSON.stringify(node.type)}]`;
    const found = await api.call(this.page!.name, `Path[${end(from)}, ${end(to)}]`);
    const stations = Array.isArray(found.result) ? found.result.length : 0;
    if (stations === 0) return fill(this.note, `No path leads from ${from.label} to ${to.label}.`);
    this.hide(); // what it covers may be the path
    this.onOpen("");
    await this.light(found.evidence);
    this.drawing.fit();
    this.drawing.mark(new Map([[from.id, "--accent"], [to.id, "--accent"]]));
    fill(this.note, `A shortest path from ${from.label} to ${to.label}: ${some(stations - 1, "edge")}.`);
  }

  /** Show a node's text and its relations. */
  async open(id: string): Promise<void> {
    this.details.hidden = false;
    fill(this.details, h("p", { class: "hint" }, "Reading…"));
    try {
      const node = await api.node(this.page!.name, id);
      const relations = Object.entries(node.relations).filter(([, number]) => number > 0);
      this.drawing.add([{ ...node, degree: relations.reduce((sum, [, number]) => sum + number, 0) }], []);
      fill(this.details, ...this.about(node, relations));
      const { offsetWidth: wide, offsetHeight: high } = this.details;
      if (wide < this.canvas.offsetWidth / 2) this.drawing.select(id, wide);
      else this.drawing.select(id, 0, high); // a sheet from below, on a phone
      this.onOpen(id);
    } catch (error) {
      fill(this.details, this.closer(), h("p", { class: "problem", role: "alert" }, told(error)));
    }
  }

  private closer(): HTMLElement {
    return button("×", () => this.close(), { class: "close", "aria-label": "Close the node" });
  }

  private about(node: NodePage, relations: [string, number][]): HTMLElement[] {
    const features = Object.entries(node.features).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, shownValue(value))]);
    const dot = dotOf(this.drawing.colourOf(node.type));
    const begin = (): void => {
      this.from = node;
      fill(this.note, `Press or find the node that the path from ${node.label} shall lead to.`);
      this.finder.value = "";
      this.finder.focus({ preventScroll: true });
    };
    const title = h("h2", { tabindex: -1 }, node.label);
    const neighbours = relations.map(([name, number]) => this.relation(node.id, name, number));
    return [
      this.closer(),
      title,
      h("p", { class: "quiet" }, dot, node.label === node.id ? node.type : `${node.type}, ${node.id}`),
      h("dl", {}, ...features),
      h("h3", {}, "Neighbours"),
      neighbours.length === 0 ? h("p", { class: "quiet" }, "None.") : h("ul", { class: "relations" }, ...neighbours),
      h("div", { class: "actions" }, button("Path to…", begin, { title: "Press another node to see a shortest path" })),
    ];
  }

  private close(): void {
    this.hide();
    this.onOpen("");
    this.finder.focus({ preventScroll: true });
  }

  private hide(): void {
    this.details.hidden = true;
    this.drawing?.select("");
  }

  /** One relation of a node: pressed, its neighbours are drawn, a page at a time. */
  private relation(id: string, name: string, total: number): HTMLLIElement {
    let next = 0;
    const said = inWords(name);
    const press = button(`${said} (${count(total)})`, () => void more(), { title: "Draw these neighbours" });
    const more = async (): Promise<void> => {
      press.disabled = true;
      try {
        const page = await api.neighbours(this.page!.name, id, name, next, PAGE);
        next += page.neighbours.length;
        const edges = page.neighbours.map((neighbour): Edge => neighbour.edge);
        this.drawing.add(page.neighbours, edges);
        this.drawing.highlight([id, ...page.neighbours.map((neighbour) => neighbour.id)], edges);
        press.textContent = visible(next < total ? `${said}: ${count(next)} of ${count(total)} drawn, more` : `${said} (${count(total)}), drawn`);
        press.disabled = next >= total;
      } catch (error) {
        press.textContent = visible(`${said}: ${told(error)}`);
        press.disabled = false;
      }
    };
    return h("li", {}, press);
  }

  private async found(words: string): Promise<Suggestion[]> {
    if (!words.trim()) return [];
    const hits = await api.search(this.page!.name, words.trim());
    return hits.map((node) => ({ text: node.label, kind: node.type, take: () => void this.picked(node.id) }));
  }

  private async find(event: Event): Promise<void> {
    event.preventDefault();
    await this.guarded(async () => {
      const [best] = await this.found(this.finder.value);
      if (best) best.take();
      else fill(this.note, "Nothing is called so.");
    });
  }

  /** What the drawing can be made to show of this graph. */
  private choices(page: GraphPage): void {
    const features = [...new Set(page.node_types.flatMap((type) => type.features).filter((f) => f.kind !== "vector").map((f) => f.name))];
    const numeric = new Set(page.node_types.flatMap((type) => type.features).filter((f) => f.kind === "number").map((f) => f.name));
    const by = (names: string[]): [string, string][] => names.map((name) => [`=${name}`, name]);
    const measures = Object.entries(MEASURES);
    const relation = (name: string): HTMLElement => h("label", {}, h("input", { type: "checkbox", checked: true, onchange: () => this.toggle(this.drawing.hidden.relations, name) }), name);
    const names = [...new Set(page.relations.map((each) => each.name))];
    fill(
      this.view,
      select("Layout", LAYOUTS, this.drawing.layout, (chosen) => this.drawing.arrange((this.drawing.layout = chosen))),
      select("Colour", [["type", "Type"], ...measures, ...by(features)], "type", (chosen) => void this.style("colour", chosen as By)),
      select("Size", [...measures, ["type", "All the same"], ...by(features.filter((name) => numeric.has(name)))], "degree", (chosen) => void this.style("size", chosen as By)),
      select("Overview", [["", "Choose…"], ...OVERVIEWS.map((size): [string, string] => [String(size), `${count(size)} nodes`])], "", (chosen) => {
        if (chosen) void this.guarded(() => this.overview({}, Number(chosen)));
      }),
      h("fieldset", {}, h("legend", {}, "Relations"), ...names.map(relation)),
      button("Clear the drawing", () => this.drawing.clear()),
    );
  }

  private async style(which: "colour" | "size", by: By): Promise<void> {
    await this.guarded(async () => {
      const feature = by.startsWith("=") ? by.slice(1) : "";
      const nodes = this.drawing.nodes;
      if (feature) {
        const found = new Map((await api.names(this.page!.name, nodes.map((node) => node.id), feature)).map((node) => [node.id, node.values!]));
        for (const node of nodes) node.values = { ...node.values, ...found.get(node.id) };
      }
      this.drawing[which] = by;
      this.drawing.restyle();
    });
  }

  private toggle(hidden: Set<string>, name: string): void {
    if (!hidden.delete(name)) hidden.add(name);
    this.drawing.restyle();
  }

  private async file(kind: string): Promise<void> {
    const name = this.page?.name ?? "graph";
    await this.guarded(async () => {
      if (kind === "PNG") await savePng(this.drawing, name);
      else if (kind === "SVG") save(`${name}.svg`, asSvg(this.drawing), "image/svg+xml");
      else if (kind === "GraphML") save(`${name}.graphml`, asGraphml(this.drawing), "application/xml");
      else if (kind === "CSV: nodes") save(`${name}-nodes.csv`, nodesAsCsv(this.drawing), "text/csv");
      else save(`${name}-edges.csv`, edgesAsCsv(this.drawing), "text/csv");
    });
  }

  private async guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      fill(this.note, told(error));
    }
  }

  private changed(): void {
    const nodes = this.drawing.nodes;
    this.names = new Map(nodes.map((node) => [node.label, node.id]));
    this.back.disabled = !this.drawing.canUndo;
    this.listing.hidden = nodes.length === 0;
    const drawn = new Map<string, number>();
    for (const node of nodes) drawn.set(node.type, (drawn.get(node.type) ?? 0) + 1);
    fill(this.legend, ...[...drawn].map(([type, number]) => this.swatch(type, number)));
    fill(this.key, ...(this.drawing.colour === "type" ? [] : this.colours()));
    fill(this.list, ...nodes.slice(0, MOST_LISTED).map((node) => h("li", {}, button(`${node.label} · ${node.type}`, () => void this.picked(node.id)))));
  }

  /** What the colours say, where they do not say types. */
  private colours(): HTMLLIElement[] {
    const { meaning, colour } = this.drawing;
    const what = colour === "degree" || colour === "rank" ? MEASURES[colour] : inWords(colour.slice(1));
    const said = h("li", { class: "quiet" }, what);
    if (!Array.isArray(meaning)) return [said, h("li", {}, shownValue(meaning.low), h("span", { class: "scale" }), shownValue(meaning.high))];
    const rows = meaning.slice(0, MOST_COLOURS).map(({ name, count: number, colour: shown }) => h("li", {}, dotOf(shown), visible(name), h("span", { class: "quiet" }, ` ${count(number)}`)));
    const left = meaning.length - rows.length;
    return [said, ...rows, ...(left > 0 ? [h("li", { class: "quiet" }, `and ${count(left)} more`)] : [])];
  }

  private swatch(type: string, number: number): HTMLLIElement {
    const dot = this.drawing.colour === "type" && dotOf(this.drawing.colourOf(type));
    const seen = !this.drawing.hidden.types.has(type);
    const press = button("", () => this.toggle(this.drawing.hidden.types, type), { "aria-pressed": String(seen), title: seen ? `Hide ${type}` : `Show ${type}` });
    press.append(...(dot ? [dot] : []), visible(type), h("span", { class: "quiet" }, ` ${count(number)}`));
    return h("li", {}, press);
  }
}

/** The nodes of the evidence: those that the answer gives, with what they are joined to by turns, so that each has some; then the rest. */
function inOrder(evidence: Evidence, given: Set<string>): string[] {
  const bunches = new Map(evidence.nodes.filter((id) => given.has(id)).map((id) => [id, [id]]));
  for (const [source, , target] of evidence.edges) {
    bunches.get(source)?.push(target);
    bunches.get(target)?.push(source);
  }
  const longest = Math.max(0, ...[...bunches.values()].map((bunch) => bunch.length));
  const ids = new Set<string>();
  for (let at = 0; at < longest; at += 1) for (const bunch of bunches.values()) if (at < bunch.length) ids.add(bunch[at]!);
  for (const [source, , target] of evidence.edges) ids.add(source).add(target);
  for (const id of evidence.nodes) ids.add(id);
  return [...ids];
}

function dotOf(colour: string): HTMLElement {
  const dot = h("span", { class: "dot" });
  dot.style.backgroundColor = colour;
  return dot;
}

/** All texts of a value: what it may name. */
export function texts(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(texts);
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(texts) : [];
}
