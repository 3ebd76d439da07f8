// Where nodes are put: by forces (in a worker), on a circle, in rings around one node, in levels along the arrows, by type.

import { settle, type LayoutRequest, type Places } from "./simulation";

export const LAYOUTS: [string, string][] = [["forces", "Forces"], ["rings", "Rings"], ["levels", "Levels"], ["types", "By type"], ["circle", "Circle"]];

/** A graph as numbers: nodes have the numbers 0 to `kinds.length`. */
export interface Plain { source: Uint32Array; target: Uint32Array; kinds: string[]; weight: Float64Array; middle: number }

const GOLDEN = Math.PI * (3 - Math.sqrt(5)); // the golden angle: no two nodes come to lie close together
const STEP = 90; // between rings and levels
const ROOM = 22; // that a node takes

/** A layout that takes no long computation. */
export function place(name: string, graph: Plain): Places {
  if (name === "circle") return circle(graph);
  if (name === "rings") return rings(graph);
  if (name === "levels") return levels(graph);
  if (name === "types") return byType(graph);
  return sunflower(graph.kinds.length);
}

/** Places by forces, better and better; gives what stops it. Nodes without a place (NaN) begin near a neighbour. */
export function forces(graph: Plain, start: Places, onPlaces: (places: Places, done: boolean) => void): () => void {
  const kept = begin(graph, start);
  const request: LayoutRequest = { ...start, source: graph.source, target: graph.target, kept };
  if (import.meta.env.MODE === "widget") return atOnce(request, onPlaces);
  const worker = new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }: MessageEvent<Places & { done: boolean }>) => {
    if (data.done) worker.terminate();
    onPlaces(data, data.done);
  };
  worker.postMessage(request);
  return () => worker.terminate();
}

/** The same without a worker, a piece at a time. */
function atOnce(request: LayoutRequest, onPlaces: (places: Places, done: boolean) => void): () => void {
  const pieces = settle(request);
  let stopped = false;
  const next = (): void => {
    const { value, done } = pieces.next();
    if (stopped || done) return;
    onPlaces(value, false);
    setTimeout(next);
  };
  next();
  return () => (stopped = true);
}

function begin(graph: Plain, { x, y }: Places): boolean {
  const kept = x.some((at) => !Number.isNaN(at));
  const fresh = rings(graph);
  if (kept) for (let round = 0; round < 2; round += 1) graph.source.forEach((from, at) => beside(from, graph.target[at]!, x, y));
  x.forEach((at, n) => {
    if (!Number.isNaN(at)) return;
    x[n] = fresh.x[n]!;
    y[n] = fresh.y[n]!;
  });
  return kept;
}

/** Put the end of an edge that has no place near the one that has. */
function beside(one: number, other: number, x: Float32Array, y: Float32Array): void {
  const [from, to] = Number.isNaN(x[one]!) ? [other, one] : [one, other];
  if (Number.isNaN(x[from]!) || !Number.isNaN(x[to]!)) return;
  x[to] = x[from]! + 30 * Math.cos(to * GOLDEN);
  y[to] = y[from]! + 30 * Math.sin(to * GOLDEN);
}

function sunflower(count: number): Places {
  const x = new Float32Array(count);
  const y = new Float32Array(count);
  for (let n = 0; n < count; n += 1) {
    x[n] = 22 * Math.sqrt(n) * Math.cos(n * GOLDEN);
    y[n] = 22 * Math.sqrt(n) * Math.sin(n * GOLDEN);
  }
  return { x, y };
}

function circle({ kinds, weight }: Plain): Places {
  const order = [...kinds.keys()].sort((one, other) => kinds[one]!.localeCompare(kinds[other]!) || weight[other]! - weight[one]!);
  const radius = Math.max(150, (kinds.length * 24) / (2 * Math.PI));
  const x = new Float32Array(kinds.length);
  const y = new Float32Array(kinds.length);
  order.forEach((node, at) => {
    x[node] = radius * Math.cos((2 * Math.PI * at) / order.length);
    y[node] = radius * Math.sin((2 * Math.PI * at) / order.length);
  });
  return { x, y };
}

/** Rings around the node in the middle: as far out as it is away; each node beside those that it is joined to. */
function rings(graph: Plain): Places {
  const count = graph.kinds.length;
  const { depth, order } = walk(graph, [graph.middle], true);
  const x = new Float32Array(count);
  const y = new Float32Array(count);
  const found: number[][] = [];
  for (const node of order) (found[depth[node]!] ??= []).push(node);
  let radius = 0;
  for (const [level, ring] of found.entries()) {
    if (level === 0 && ring.length === 1) continue; // it is in the middle
    radius += STEP;
    // What has no room on a ring lies in a band, so that many nodes are a disc and not a line.
    const band = Math.max(0, Math.sqrt(radius * radius + (ring.length * ROOM * ROOM) / Math.PI) - radius - ROOM);
    ring.forEach((node, at) => {
      const far = radius + band * Math.sqrt((at * 0.618034) % 1);
      x[node] = far * Math.cos((2 * Math.PI * at) / ring.length);
      y[node] = far * Math.sin((2 * Math.PI * at) / ring.length);
    });
    radius += band;
  }
  return { x, y };
}

/** Levels from the top down, along the arrows, from those that no arrow leads to. */
function levels(graph: Plain): Places {
  const count = graph.kinds.length;
  const reached = new Uint8Array(count);
  graph.target.forEach((to, at) => {
    if (graph.source[at] !== to) reached[to] = 1;
  });
  const roots = [...reached.keys()].filter((node) => reached[node] === 0);
  const { depth, order } = walk(graph, roots.length > 0 ? roots : [graph.middle], false);
  const rows: number[][] = [];
  for (const node of order) (rows[depth[node]!] ??= []).push(node);
  return inRows(rows, count, STEP);
}

function inRows(rows: number[][], count: number, step: number): Places {
  const x = new Float32Array(count);
  const y = new Float32Array(count);
  rows.forEach((row, level) => row.forEach((node, at) => {
    x[node] = (at - (row.length - 1) / 2) * 60;
    y[node] = -level * step;
  }));
  return { x, y };
}

/** A bunch of nodes for each type, the bunches on a circle. */
function byType({ kinds, weight }: Plain): Places {
  const bunches = new Map<string, number[]>();
  kinds.forEach((kind, node) => {
    if (!bunches.get(kind)?.push(node)) bunches.set(kind, [node]);
  });
  const x = new Float32Array(kinds.length);
  const y = new Float32Array(kinds.length);
  const widest = 26 * Math.sqrt(Math.max(...[...bunches.values()].map((bunch) => bunch.length)));
  const radius = bunches.size === 1 ? 0 : (widest * 1.2) / Math.sin(Math.PI / Math.max(2, bunches.size));
  [...bunches.values()].forEach((bunch, at) => {
    bunch.sort((one, other) => weight[other]! - weight[one]!);
    const angle = (2 * Math.PI * at) / bunches.size;
    bunch.forEach((node, n) => {
      x[node] = radius * Math.cos(angle) + 26 * Math.sqrt(n) * Math.cos(n * GOLDEN);
      y[node] = radius * Math.sin(angle) + 26 * Math.sqrt(n) * Math.sin(n * GOLDEN);
    });
  });
  return { x, y };
}

/** How many steps each node is from the roots, and the order in which they are met; what is not met follows one step behind. */
function walk({ source, target, kinds, weight }: Plain, roots: number[], eitherWay: boolean): { depth: Int32Array; order: number[] } {
  const count = kinds.length;
  const neighbours: number[][] = Array.from({ length: count }, () => []);
  source.forEach((from, at) => {
    neighbours[from]!.push(target[at]!);
    if (eitherWay) neighbours[target[at]!]!.push(from);
  });
  const depth = new Int32Array(count).fill(-1);
  const order: number[] = [];
  const visit = (node: number, at: number): void => {
    if (depth[node] !== -1) return;
    depth[node] = at;
    order.push(node);
  };
  const sweep = (from: number): void => {
    for (let at = from; at < order.length; at += 1) for (const next of neighbours[order[at]!]!) visit(next, depth[order[at]!]! + 1);
  };
  for (const root of roots) if (count > 0) visit(root, 0);
  sweep(0);
  const left = [...depth.keys()].filter((node) => depth[node] === -1).sort((one, other) => weight[other]! - weight[one]!);
  for (const node of left) {
    const from = order.length;
    visit(node, 1);
    sweep(from);
  }
  return { depth, order };
}
