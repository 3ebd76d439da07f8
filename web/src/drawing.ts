// The drawing: nodes and edges with their places, colours and sizes. WebGL draws them, so that 100,000 are no trouble.

import { createNodeBorderProgram } from "@sigma/node-border";
import { MultiDirectedGraph } from "graphology";
import Sigma from "sigma";
import { createEdgeArrowProgram, EdgeLineProgram, EdgeRectangleProgram, NodeCircleProgram } from "sigma/rendering";
import type { NodeDisplayData, PartialButFor } from "sigma/types";
import type { Settings } from "sigma/settings";

import { palette, shade, themed } from "./colours";
import { inWords, visible } from "./dom";
import { forces, place, type Plain } from "./layouts";
import type { Places } from "./simulation";
import type { Drawn, Edge, Json } from "./types";

const FEW = 120; // nodes of which all are named
const MOST_CLEAR = 500; // nodes that names keep clear of
const PLAIN = 3000; // edges beyond which they are thin lines without arrows
const MOST_LABELLED = 25; // edges whose relation is written; of those that stand out among more edges twice as many
const MOST_LETTERS = 28; // of a name in the drawing
const SMALL = 700 * 600; // pixels of a drawing below which nodes get smaller with it
const MOST_UNDONE = 30;
const FORCED = 5_000; // nodes beyond which forces are only worked out where somebody asks for them

const BOLD = "700"; // weight of the names of what is marked

interface Place { x: number; y: number }
/** Nodes that stand out, with the colour of their rings: what was asked about, and what answers. */
export type Marks = Map<string, "--accent" | "--text">;

interface Shown { nodes: Map<string, Drawn>; edges: Map<string, Edge>; marked: Marks }
export type Meaning = { name: string; count: number; colour: string }[] | { low: number; high: number };
export type By = "type" | "degree" | "rank" | `=${string}`; // what colours or sizes say; "=" and the name of a feature

export class Drawing {
  private readonly graph = new MultiDirectedGraph();
  private readonly labels = new Labels(() => this.discs(), () => this.ringed());
  private readonly sigma: Sigma | null;
  private shown: Shown = { nodes: new Map(), edges: new Map(), marked: new Map() };
  private readonly places = new Map<string, Place>();
  private readonly past: Shown[] = [];
  private lit: Set<string> | null = null;
  private hovered = "";
  private selected = "";
  private stop: () => void = () => undefined;
  private colours = new Map<string, string>();
  /** What the colours say: values with how many nodes have each, or numbers from cold to warm. */
  meaning: Meaning = [];
  layout = "forces";
  colour: By = "type";
  size: By = "degree";
  /** Types and relations that are not shown. */
  readonly hidden = { types: new Set<string>(), relations: new Set<string>() };
  /** Relations without a direction: their edges have no arrow. */
  undirected: ReadonlySet<string> = new Set();

  constructor(private readonly root: HTMLElement, onNode: (id: string) => void, private readonly onChange: () => void) {
    this.sigma = this.made();
    this.sigma?.on("beforeRender", () => this.labels.clear());
    this.sigma?.on("afterRender", () => this.writeRelations());
    this.sigma?.on("clickNode", ({ node }) => onNode(node));
    this.sigma?.on("enterNode", ({ node }) => this.hover(node));
    this.sigma?.on("leaveNode", () => this.hover(""));
    this.sigma?.on("clickStage", () => this.highlight([], []));
  }

  /** Whether this browser can draw. */
  get works(): boolean {
    return this.sigma !== null;
  }

  get nodes(): Drawn[] {
    return [...this.shown.nodes.values()];
  }

  get edges(): Edge[] {
    return [...this.shown.edges.values()];
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  /** Types by their colours, those of the schema first. */
  know(types: string[]): void {
    this.colours = palette(types);
  }

  colourOf(type: string): string {
    return this.colours.get(type) ?? "#888888";
  }

  /** Draw these in the place of what there was. */
  replace(nodes: Drawn[], edges: Edge[], marked: Marks = new Map()): void {
    this.change({ nodes: byId(nodes), edges: joined(edges), marked });
    this.places.clear();
    this.lit = null;
    this.draw();
    this.arrange();
  }

  /** Draw these beside what there is; what was there stays about where it is. */
  add(nodes: Drawn[], edges: Edge[]): void {
    const fresh = nodes.filter((node) => !this.shown.nodes.has(node.id));
    const { nodes: known, edges: drawn, marked } = this.shown;
    const all = new Map([...drawn, ...joined(edges)]);
    if (fresh.length === 0 && all.size === drawn.size) return;
    this.change({ nodes: new Map([...known, ...byId(fresh)]), edges: all, marked });
    this.draw();
    if (fresh.length > 0) this.arrange();
  }

  clear(): void {
    this.replace([], []);
  }

  /** Forget what was drawn: it was of another graph. */
  forget(): void {
    this.replace([], []);
    this.past.length = 0;
    this.onChange();
  }

  undo(): void {
    const before = this.past.pop();
    if (!before) return;
    this.shown = before;
    this.lit = null;
    this.draw();
    this.arrange();
  }

  private change(next: Shown): void {
    if (this.shown.nodes.size > 0) this.past.push(this.shown);
    if (this.past.length > MOST_UNDONE) this.past.shift();
    this.shown = next;
  }

  /** What was asked about and what answers: these have a ring, and are always named. */
  mark(marked: Marks): void {
    this.shown.marked = marked;
    this.sigma?.refresh({ skipIndexation: true });
  }

  /** Let these stand out, and the rest step back. */
  highlight(nodes: Iterable<string>, edges: Iterable<Edge>): void {
    const ids = new Set<string>([...nodes, ...[...edges].map(edgeId)]);
    this.lit = ids.size > 0 ? ids : null;
    this.sigma?.refresh({ skipIndexation: true });
  }

  private hover(id: string): void {
    this.hovered = id;
    this.root.style.cursor = id ? "pointer" : "";
    this.sigma?.refresh({ skipIndexation: true });
  }

  /** Mark a node and bring it to the middle of what is seen, where so many pixels on the right and below are covered. */
  select(id: string, right = 0, below = 0): void {
    this.selected = id;
    const at = this.sigma?.getNodeDisplayData(id);
    if (at && this.sigma) {
      const [corner, aside] = [this.sigma.viewportToFramedGraph({ x: 0, y: 0 }), this.sigma.viewportToFramedGraph({ x: right / 2, y: below / 2 })];
      void this.sigma.getCamera().animate({ x: at.x + aside.x - corner.x, y: at.y + aside.y - corner.y }, { duration: calm() ? 0 : 250 });
    }
    this.sigma?.refresh({ skipIndexation: true });
  }

  fit(): void {
    this.sigma?.resize();
    this.bound();
    void this.sigma?.getCamera().animate({ x: 0.5, y: 0.5, ratio: 1.08, angle: 0 }, { duration: calm() ? 0 : 150 });
  }

  zoom(factor: number): void {
    const camera = this.sigma?.getCamera();
    if (camera) void camera.animate({ ratio: camera.ratio / factor }, { duration: calm() ? 0 : 150 });
  }

  /** Read the colours of the theme again, and all that was chosen. */
  restyle(): void {
    if (!this.sigma) return;
    this.sigma.setSetting("labelColor", { color: themed("--text") });
    this.sigma.setSetting("edgeLabelColor", { color: themed("--quiet") });
    this.draw();
  }

  /** Numbers of a feature that the nodes were given as `value`, or of what the drawing itself says. */
  private measure(by: By): Map<string, Json> {
    if (by === "rank") return this.ranks();
    return new Map(this.nodes.map((node) => [node.id, by === "type" ? node.type : by === "degree" ? node.degree : (node.values?.[by.slice(1)] ?? null)]));
  }

  /** PageRank in what is drawn. Source: Page and others, The PageRank citation ranking (1999). */
  private ranks(): Map<string, Json> {
    const { source, target } = this.plain();
    const ids = [...this.shown.nodes.keys()];
    const out = new Float64Array(ids.length);
    source.forEach((from) => (out[from]! += 1));
    let rank = new Float64Array(ids.length).fill(1 / ids.length);
    for (let round = 0; round < 30; round += 1) {
      const lost = rank.reduce((sum, share, n) => sum + (out[n] === 0 ? share : 0), 0);
      const next = new Float64Array(ids.length).fill((0.15 + 0.85 * lost) / ids.length);
      source.forEach((from, at) => (next[target[at]!]! += (0.85 * rank[from]!) / out[from]!));
      rank = next;
    }
    return new Map(ids.map((id, n) => [id, rank[n]!]));
  }

  private sizes(): (id: string) => number {
    const least = this.shown.nodes.size > 20_000 ? 0.8 : this.shown.nodes.size > 5000 ? 1.5 : this.shown.nodes.size > FEW ? 3 : 6;
    if (this.size === "type") return () => least + 2;
    const measured = numbers(this.measure(this.size));
    const most = Math.max(...measured.values(), 1e-9);
    return (id) => least + (this.shown.nodes.size > FEW ? 8 : 11) * Math.sqrt(Math.max(0, measured.get(id) ?? 0) / most);
  }

  private shades(): (node: Drawn) => string {
    const found = this.measure(this.colour);
    const measured = numbers(found);
    if (measured.size > 0) {
      const ordered = Float64Array.from(measured.values()).sort(); // by place in the order: one very large number would leave all others alike
      this.meaning = { low: ordered[0]!, high: ordered.at(-1)! };
      return (node) => (measured.has(node.id) ? shade(below(ordered, measured.get(node.id)!) / Math.max(1, ordered.length - 1)) : themed("--edge"));
    }
    const counted = new Map<string, number>();
    for (const value of found.values()) if (value !== null) counted.set(String(value), (counted.get(String(value)) ?? 0) + 1);
    const named = this.colour === "type" ? this.colours : palette([...counted.keys()].sort((one, other) => counted.get(other)! - counted.get(one)!));
    const colour = (value: Json): string => named.get(String(value)) ?? themed("--edge");
    this.meaning = [...counted].map(([name, count]) => ({ name, count, colour: colour(name) }));
    return (node) => colour(found.get(node.id) ?? null);
  }

  /** Bring what is to be shown into what is drawn. */
  private draw(): void {
    const size = this.sizes();
    const shaded = this.shades();
    this.graph.clear();
    for (const node of this.shown.nodes.values()) {
      const { x, y } = this.places.get(node.id) ?? { x: 0, y: 0 };
      this.graph.addNode(node.id, { x, y, size: size(node.id), color: shaded(node), label: shortened(visible(node.label)), kind: node.type });
    }
    const line = themed("--edge");
    const many = this.shown.edges.size > PLAIN;
    const labels = this.edgeLabels();
    for (const [id, [source, relation, target]] of this.shown.edges) {
      if (!this.graph.hasNode(source) || !this.graph.hasNode(target)) continue;
      const type = many ? "thin" : this.undirected.has(relation) ? "line" : "arrow";
      this.graph.addDirectedEdgeWithKey(id, source, target, { type, size: many ? 0.5 : 2, color: many ? themed("--edge-thin") : line, label: labels.get(id) ?? "", relation });
    }
    if (this.sigma) {
      const few = this.shown.nodes.size <= FEW;
      this.sigma.setSetting("labelDensity", few ? 2 : 1);
      this.sigma.setSetting("labelGridCellSize", few ? 70 : 120);
      this.sigma.setSetting("hideEdgesOnMove", this.shown.edges.size > 30_000);
    }
    this.sigma?.refresh();
    this.onChange();
  }

  /** What stands at edges: where several join the same two nodes, all their relations at the first, for they lie on one line. */
  private edgeLabels(): Map<string, string> {
    if (this.shown.edges.size > MOST_LABELLED * 10) return new Map([...this.shown.edges].map(([id, [, relation]]) => [id, visible(inWords(relation))]));
    const pairs = new Map<string, [string, Set<string>]>();
    for (const [id, [source, relation, target]] of this.shown.edges) {
      if (this.hidden.relations.has(relation)) continue;
      const pair = JSON.stringify([source, target].sort());
      if (!pairs.has(pair)) pairs.set(pair, [id, new Set()]);
      pairs.get(pair)![1].add(inWords(relation));
    }
    return new Map([...pairs.values()].map(([id, relations]) => [id, visible([...relations].join(", "))]));
  }

  /** Put all nodes where the layout says. */
  arrange(name = this.shown.nodes.size > FORCED && this.layout === "forces" ? "rings" : this.layout): void {
    this.stop();
    if (this.shown.nodes.size === 0) return;
    const plain = this.plain();
    if (name !== "forces") return this.put(place(name, plain), true);
    const nodes = [...this.shown.nodes.keys()];
    const start = { x: Float32Array.from(nodes, (id) => this.places.get(id)?.x ?? NaN), y: Float32Array.from(nodes, (id) => this.places.get(id)?.y ?? NaN) };
    this.stop = forces(plain, start, (places, done) => this.put(places, done));
    if (nodes.length > FEW) this.put(start, false); // the first better places take a moment
  }

  private put({ x, y }: Places, done: boolean): void {
    let at = 0;
    for (const id of this.shown.nodes.keys()) {
      this.places.set(id, { x: x[at]!, y: y[at]! });
      at += 1;
    }
    this.graph.updateEachNodeAttributes((id, old) => ({ ...old, ...this.places.get(id) }), { attributes: ["x", "y"] });
    this.bound();
    if (done) this.fit();
    this.root.dataset["settled"] = String(done);
  }

  /** Keep few nodes from being drawn far apart: a unit of a layout is at most two pixels and a half. */
  private bound(): void {
    if (!this.sigma || this.places.size === 0) return;
    const there = [...this.shown.nodes.keys()].map((id) => this.places.get(id)).filter((at) => at !== undefined);
    const extent = (of: (at: Place) => number, room: number): [number, number] => {
      let [low, high] = [Infinity, -Infinity];
      for (const at of there) [low, high] = [Math.min(low, of(at)), Math.max(high, of(at))];
      const more = Math.max(0, room / 2.5 - (high - low)) / 2;
      return [low - more, high + more];
    };
    this.sigma.setCustomBBox({ x: extent((at) => at.x, this.root.clientWidth), y: extent((at) => at.y, this.root.clientHeight) });
    this.sigma.refresh();
  }

  private plain(): Plain {
    const number = new Map([...this.shown.nodes.keys()].map((id, at) => [id, at]));
    const edges = this.edges.filter(([source, , target]) => number.has(source) && number.has(target));
    const weight = Float64Array.from(this.shown.nodes.values(), (node) => node.degree);
    const first = [...this.shown.marked.keys()].map((id) => number.get(id)).find((at) => at !== undefined);
    const heaviest = weight.reduce((best, one, at) => (one > weight[best]! ? at : best), 0);
    return {
      source: Uint32Array.from(edges, ([source]) => number.get(source)!),
      target: Uint32Array.from(edges, ([, , target]) => number.get(target)!),
      kinds: this.nodes.map((node) => node.type),
      weight,
      middle: first ?? heaviest,
    };
  }

  /** What is seen now, with places in pixels, for a file. */
  picture(): { width: number; height: number; nodes: (Drawn & Place & { size: number; colour: string; named: boolean })[]; edges: [Edge, Place, Place][] } {
    const sigma = this.sigma!;
    const places = new Map<string, Place & { size: number; colour: string }>();
    this.graph.forEachNode((id, node) => {
      if (!sigma.getNodeDisplayData(id)?.hidden) places.set(id, { ...sigma.graphToViewport({ x: node["x"], y: node["y"] }), size: sigma.scaleSize(node["size"]), colour: node["color"] });
    });
    const labels = sigma.getNodeDisplayedLabels();
    const nodes = [...places].map(([id, at]) => ({ ...this.shown.nodes.get(id)!, ...at, named: labels.has(id) || this.shown.marked.has(id) }));
    const seen = this.edges.filter((edge) => places.has(edge[0]) && places.has(edge[2]) && !this.hidden.relations.has(edge[1]));
    return { ...sigma.getDimensions(), nodes, edges: seen.map((edge) => [edge, places.get(edge[0])!, places.get(edge[2])!]) };
  }

  private made(): Sigma | null {
    const font = getComputedStyle(document.body).fontFamily;
    const settings: Partial<Settings> = {
      allowInvalidContainer: true,
      edgeProgramClasses: { arrow: ARROW, line: EdgeRectangleProgram, thin: EdgeLineProgram },
      nodeProgramClasses: { circle: NodeCircleProgram, ringed: RINGED },
      zoomToSizeRatioFunction: (ratio) => Math.sqrt(ratio) / this.room(),
      labelFont: font, labelSize: 12, labelWeight: "500", edgeLabelFont: font, edgeLabelSize: 10.5,
      labelColor: { color: themed("--text") }, edgeLabelColor: { color: themed("--quiet") },
      labelGridCellSize: 70, labelRenderedSizeThreshold: 0, zIndex: true, minCameraRatio: 0.01, maxCameraRatio: 4, stagePadding: 36,
      defaultDrawNodeLabel: (context, data, drawn) => this.labels.draw(context, data, drawn),
      defaultDrawNodeHover: (context, data, drawn) => this.labels.draw(context, data, { ...drawn, labelWeight: BOLD }),
      nodeReducer: (id, node) => this.node(id, node), edgeReducer: (id, edge) => this.edge(id, edge),
    };
    try {
      return new Sigma(this.graph, this.root, settings);
    } catch {
      return null; // there is no WebGL; the list below the drawing has all of it
    }
  }

  /** What nodes are scaled by, so that they leave room between each other in a small drawing. */
  private room(): number {
    return Math.min(1, Math.max(0.5, Math.sqrt((this.root.clientWidth * this.root.clientHeight) / SMALL)));
  }

  /** The relations at edges, after all names: those of few edges, else of what stands out. */
  private writeRelations(): void {
    const sigma = this.sigma!;
    const context = sigma.getCanvases()["edgeLabels"]!.getContext("2d")!;
    context.clearRect(0, 0, context.canvas.width, context.canvas.height);
    const all = this.graph.size <= MOST_LABELLED;
    const found = (all ? this.graph.edges() : this.graph.filterEdges((id) => sigma.getEdgeDisplayData(id)?.forceLabel === true)).slice(0, 2 * MOST_LABELLED);
    for (const id of found) {
      const [edge, ...ends] = [sigma.getEdgeDisplayData(id), ...this.graph.extremities(id).map((end) => sigma.getNodeDisplayData(end))];
      if (!edge?.label || edge.hidden || !ends[0] || !ends[1] || ends.some((end) => end!.hidden)) continue;
      const [from, to] = ends.map((end) => ({ ...sigma.framedGraphToViewport(end!), size: sigma.scaleSize(end!.size) }));
      this.labels.along(context, edge.label, from!, to!, sigma.getSettings());
    }
  }

  /** Where nodes are on the screen, as long as they are few enough for names to keep clear of them. */
  private discs(): Box[] {
    const sigma = this.sigma!;
    if (this.graph.order > MOST_CLEAR) return [];
    return this.graph.nodes().flatMap((id): Box[] => {
      const data = sigma.getNodeDisplayData(id);
      if (!data || data.hidden) return [];
      const { x, y } = sigma.framedGraphToViewport(data);
      const size = sigma.scaleSize(data.size);
      return [[x - size, y - size, x + size, y + size]];
    });
  }

  /** What is marked, as names are written at it. */
  private ringed(): Named[] {
    const sigma = this.sigma!;
    return [...new Set([...this.shown.marked.keys(), this.selected, this.hovered])].flatMap((id): Named[] => {
      const data = sigma.getNodeDisplayData(id);
      return data && !data.hidden ? [{ ...data, ...sigma.framedGraphToViewport(data), size: sigma.scaleSize(data.size), key: id }] : [];
    });
  }

  private node(id: string, node: Record<string, unknown>): Partial<NodeDisplayData> {
    if (this.hidden.types.has(node["kind"] as string)) return { ...node, hidden: true };
    const colour = this.shown.marked.get(id) ?? (id === this.selected || id === this.hovered ? "--text" : "");
    if (colour) {
      const label = id === this.hovered ? visible(this.shown.nodes.get(id)?.label ?? id) : node["label"];
      return { ...node, label, type: "ringed", size: (node["size"] as number) + RING / 2, highlighted: true, forceLabel: true, zIndex: 2, ring: themed(colour), gap: themed("--canvas") } as Partial<NodeDisplayData>;
    }
    const near = this.hovered ? this.graph.areNeighbors(this.hovered, id) : (this.lit?.has(id) ?? true);
    if (near) return { ...node, zIndex: 1, forceLabel: this.lit !== null && this.lit.size < FEW };
    return { ...node, color: themed("--faded"), label: "", zIndex: 0 };
  }

  private edge(id: string, edge: Record<string, unknown>): Record<string, unknown> {
    if (this.hidden.relations.has(edge["relation"] as string)) return { ...edge, hidden: true };
    const on = this.hovered ? this.graph.hasExtremity(id, this.hovered) : this.lit?.has(id);
    if (on === undefined) return edge;
    return on ? { ...edge, color: themed("--accent"), size: 2.4, forceLabel: true, zIndex: 1 } : { ...edge, color: themed("--faded"), label: "", zIndex: 0 };
  }
}

const byId = (nodes: Drawn[]): Map<string, Drawn> => new Map(nodes.map((node) => [node.id, node]));
const joined = (edges: Edge[]): Map<string, Edge> => new Map(edges.map((edge) => [edgeId(edge), edge]));
const edgeId = (edge: Edge): string => `edge ${JSON.stringify(edge)}`;
const calm = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

function numbers(found: Map<string, Json>): Map<string, number> {
  return new Map([...found].filter((pair): pair is [string, number] => typeof pair[1] === "number"));
}

/** How many of the ordered numbers are smaller. */
function below(ordered: Float64Array, number: number): number {
  let [low, high] = [0, ordered.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ordered[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

type Box = [left: number, top: number, right: number, bottom: number];
type Disc = { x: number; y: number; size: number };
type Named = PartialButFor<NodeDisplayData, "x" | "y" | "size" | "label" | "color"> & { key?: string };

const ARROW = createEdgeArrowProgram({ lengthToThicknessRatio: 4.5, widenessToThicknessRatio: 3.5 });
const RING = 9; // pixels of a ring and its gap, both sides of the disc together
/** Nodes that are marked: a ring around the disc, with a gap between. Edges end at the ring. */
const RINGED = createNodeBorderProgram({
  borders: [
    { size: { value: 0.6 * RING, mode: "pixels" }, color: { attribute: "ring" } },
    { size: { value: 0.4 * RING, mode: "pixels" }, color: { attribute: "gap" } },
    { size: { fill: true }, color: { attribute: "color" } },
  ],
});

const shortened = (name: string): string => (name.length <= MOST_LETTERS ? name : `${name.slice(0, MOST_LETTERS - 1).trimEnd()}…`);

/** Names where there is room for them, each with an edge in the colour of the page, so that it can be read over lines. */
class Labels {
  private taken = new Map<string, Box>(); // by node: names of what is marked are written again without the rest
  private relations: Box[] = []; // where relations are written
  private discs: Box[] | null = null; // looked up when the first name is written: only then their places are known

  /** `nodes` gives where nodes are, `ringed` those whose names have their places before all others. */
  constructor(private readonly nodes: () => Box[], private readonly ringed: () => Named[]) {}

  /** Nothing is written yet. */
  clear(): void {
    this.taken.clear();
    this.relations = [];
    this.discs = null;
  }

  /**
   * Beside the node, else below or above it: where it covers no other name and no node. Where there is no room a name is left
   * out, but not that of what is marked.
   */
  draw(context: CanvasRenderingContext2D, data: Named, settings: Settings): void {
    const marked = settings.labelWeight === BOLD;
    if (!data.label || (data.highlighted && !marked)) return; // what is marked gets its name with its ring
    if (this.discs === null) {
      this.discs = this.nodes();
      for (const each of this.ringed()) this.place(context, each, { ...settings, labelWeight: BOLD }, true);
    }
    const box = this.taken.get(data.key ?? data.label) ?? this.place(context, data, settings, marked);
    context.font = `${settings.labelWeight} ${settings.labelSize}px ${settings.labelFont}`;
    if (box) write(context, data.label, box[0], box[1] + 0.83 * settings.labelSize, themed("--text"));
  }

  /** Take the place of a name. */
  private place(context: CanvasRenderingContext2D, data: Named, settings: Settings, marked: boolean): Box | null {
    if (!data.label) return null;
    context.font = `${settings.labelWeight} ${settings.labelSize}px ${settings.labelFont}`;
    const [width, height, off] = [context.measureText(data.label).width, settings.labelSize, data.size + 3];
    const middle = data.y - height / 2;
    const corners: [number, number][] = [
      [data.x + off, middle],
      [data.x - off - width, middle],
      [data.x - width / 2, data.y + off],
      [data.x - width / 2, data.y - off - height],
    ];
    const [right, bottom] = [context.canvas.clientWidth, context.canvas.clientHeight];
    const inside = corners.filter(([x, y]) => x >= 0 && y >= 0 && x + width <= right && y + height <= bottom);
    const clear = (boxes: Box[]) => ([x, y]: [number, number]) => isClear([x, y, x + width, y + height], boxes);
    const others = [...this.taken.values()];
    const free = inside.find(clear([...others, ...(this.discs ?? [])])) ?? (marked ? (inside.find(clear(others)) ?? inside[0] ?? corners[0]!) : null);
    if (!free) return null;
    const box: Box = [free[0], free[1], free[0] + width, free[1] + height];
    this.taken.set(data.key ?? data.label, box);
    return box;
  }

  /** A relation along its edge: in the middle, else nearer to an end, where it covers nothing; else it is left out. */
  along(context: CanvasRenderingContext2D, text: string, from: Disc, to: Disc, settings: Settings): void {
    const [one, other] = from.x <= to.x ? [from, to] : [to, from]; // never upside down
    const [across, down] = [other.x - one.x, other.y - one.y];
    const length = Math.hypot(across, down);
    const size = settings.edgeLabelSize;
    context.font = `${settings.edgeLabelWeight} ${size}px ${settings.edgeLabelFont}`;
    const width = context.measureText(text).width;
    const room = length - one.size - other.size - width - 2 * size;
    if (room < 0) return;
    this.discs ??= this.nodes();
    const others = [...this.taken.values(), ...this.relations, ...this.discs];
    for (const share of [0.5, 0.25, 0.75, 0, 1]) {
      const begin = one.size + size + share * room;
      const boxes = Array.from({ length: Math.ceil(width / size) }, (_, n): Box => {
        const far = (begin + Math.min(width, (n + 0.5) * size)) / length;
        const [x, y] = [one.x + far * across, one.y + far * down];
        return [x - size, y - size / 2, x + size, y + size / 2]; // with room between it and a name
      });
      if (!boxes.every((box) => isClear(box, others))) continue;
      this.relations.push(...boxes);
      context.save();
      context.translate(one.x, one.y);
      context.rotate(Math.atan2(down, across));
      write(context, text, begin, 0.33 * size, themed("--quiet"));
      context.restore();
      return;
    }
  }
}

function isClear([left, top, right, bottom]: Box, others: Box[]): boolean {
  return others.every(([l, t, r, b]) => left >= r || right <= l || top >= b || bottom <= t);
}

/** Text with an edge in the colour of the page, so that it can be read over lines. */
function write(context: CanvasRenderingContext2D, text: string, x: number, y: number, colour: string): void {
  context.lineWidth = 3;
  context.lineJoin = "round";
  context.strokeStyle = themed("--canvas");
  context.fillStyle = colour;
  context.strokeText(text, x, y);
  context.fillText(text, x, y);
}
