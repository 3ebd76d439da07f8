// The drawing as a file: a picture (SVG, PNG), a graph (GraphML), tables (CSV).

import { themed } from "./colours";
import { h, save, svg } from "./dom";
import type { Drawing } from "./drawing";

const SHARP = 2; // pixels of a PNG for one of the page

export function asSvg(drawing: Drawing): string {
  const { width, height, nodes, edges } = drawing.picture();
  const lines = edges.map(([[, relation], from, to]) => {
    const arrow: Record<string, string> = drawing.undirected.has(relation) ? {} : { "marker-end": "url(#arrow)" };
    return svg("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y, stroke: themed("--edge"), "stroke-width": 1.2, ...arrow }, svg("title", {}, relation));
  });
  const discs = nodes.map((node) => svg("circle", { cx: node.x, cy: node.y, r: node.size, fill: node.colour }, svg("title", {}, `${node.label} · ${node.type}`)));
  const names = nodes.filter((node) => node.named).map((node) => svg("text", { x: node.x + node.size + 3, y: node.y + 4, fill: themed("--text"), stroke: themed("--canvas"), "stroke-width": 3, "paint-order": "stroke" }, node.label));
  const head = svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 14, refY: 4, markerWidth: 6, markerHeight: 6, orient: "auto" }, svg("path", { d: "M0 0 8 4 0 8z", fill: themed("--edge") }));
  const ground = svg("rect", { width, height, fill: themed("--canvas") });
  const whole = svg("svg", { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}`, "font-family": "sans-serif", "font-size": 12 }, svg("defs", {}, head), ground, ...lines, ...discs, ...names);
  return new XMLSerializer().serializeToString(whole);
}

export async function savePng(drawing: Drawing, name: string): Promise<void> {
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(asSvg(drawing))}`;
  await picture.decode();
  const canvas = h("canvas", { width: picture.width * SHARP, height: picture.height * SHARP });
  canvas.getContext("2d")!.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const made = await new Promise<Blob | null>((done) => canvas.toBlob(done));
  if (made) save(`${name}.png`, made);
}

export function asGraphml(drawing: Drawing): string {
  const made = document.implementation.createDocument("http://graphml.graphdrawing.org/xmlns", "graphml");
  const add = (to: Element, tag: string, attributes: Record<string, string>, text = ""): Element => {
    const element = made.createElementNS("http://graphml.graphdrawing.org/xmlns", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, xml(value));
    element.textContent = xml(text);
    to.append(element);
    return element;
  };
  const keys: [string, string][] = [["label", "node"], ["type", "node"], ["relation", "edge"]];
  for (const [id, of] of keys) add(made.documentElement, "key", { id, for: of, "attr.name": id, "attr.type": "string" });
  const graph = add(made.documentElement, "graph", { edgedefault: "directed" });
  for (const node of drawing.nodes) {
    const element = add(graph, "node", { id: node.id });
    add(element, "data", { key: "label" }, node.label);
    add(element, "data", { key: "type" }, node.type);
  }
  for (const [source, relation, target] of drawing.edges) add(add(graph, "edge", { source, target }), "data", { key: "relation" }, relation);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(made)}`;
}

/** A text with what XML may hold. */
const xml = (text: string): string => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "");

export function nodesAsCsv(drawing: Drawing): string {
  return csv([["id", "label", "type", "degree"], ...drawing.nodes.map((node) => [node.id, node.label, node.type, String(node.degree)])]);
}

export function edgesAsCsv(drawing: Drawing): string {
  return csv([["source", "relation", "target"], ...drawing.edges]);
}

/** Rows as RFC 4180 has them. What a spreadsheet would run as a formula gets an apostrophe before it. */
export function csv(rows: string[][]): string {
  const cell = (text: string): string => {
    const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return rows.map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}
