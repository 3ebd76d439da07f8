// The schema as a picture: a disc for each node type, a line for relations between two, with counts. A click filters.

import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY, type SimulationNodeDatum } from "d3-force";

import { palette } from "./colours";
import { count, inWords, svg } from "./dom";
import type { GraphPage, RelationAbout, TypeAbout } from "./types";

const MOST = 16; // types that are drawn, those with most nodes
const WIDTH = 560;
const height = (types: number): number => Math.min(340, 110 + 25 * types); // few types leave room for the questions below
const [SIDE, ABOVE, BELOW] = [52, 62, 48]; // room at the edges for discs, loops and names
const MOST_LETTERS = 20;
const STARTS = 30; // orders of the types that are tried
const ALONG = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74]; // parts of a line where its name may stand

type Spot = TypeAbout & SimulationNodeDatum & { x: number; y: number; radius: number };
interface Filter { types?: string[]; relations?: string[] }

/** The picture; `onChoose` hears which types and relations were pressed. */
export function schemaPicture(page: GraphPage, onChoose: (filter: Filter) => void): SVGElement {
  const colours = palette(page.node_types.map((type) => type.name));
  const shown = [...page.node_types].sort((one, other) => other.count - one.count).slice(0, MOST);
  const most = Math.max(1, ...shown.map((type) => type.count));
  const spots = shown.map((type): Spot => ({ ...type, x: 0, y: 0, radius: 10 + 22 * Math.sqrt(Math.log1p(type.count) / Math.log1p(most)) }));
  const at = new Map(spots.map((spot) => [spot.name, spot]));
  const pairs = between(page.relations.filter((relation) => at.has(relation.source) && at.has(relation.target)));
  const high = height(shown.length);
  settle(spots, high, pairs.map(([first]) => [at.get(first!.source)!, at.get(first!.target)!]));
  const taken = spots.flatMap((spot) => [around(spot.x, spot.y, spot.radius, 2 * spot.radius), around(spot.x, spot.y + spot.radius + 9, 3.2 * short(spot.name).length, 12)]);
  const lines = pairs.map((relations) => line(relations, at, taken, onChoose));
  const discs = spots.map((spot) => disc(spot, colours.get(spot.name)!, onChoose));
  const left = page.node_types.length - shown.length;
  const more = left > 0 && svg("text", { x: WIDTH - 8, y: high - 8, class: "count", "text-anchor": "end" }, `and ${count(left)} more types`);
  return svg("svg", { class: "schema-picture", viewBox: `0 0 ${WIDTH} ${high}`, role: "group", "aria-label": "Types and relations of the graph" }, ...lines, ...discs, more);
}

/** Relations that join the same two types, together. */
function between(relations: RelationAbout[]): RelationAbout[][] {
  const found = new Map<string, RelationAbout[]>();
  for (const relation of relations) {
    const pair = JSON.stringify([relation.source, relation.target].sort());
    found.set(pair, [...(found.get(pair) ?? []), relation]);
  }
  return [...found.values()];
}

/** Put types so that few lines cross or run through discs: the best of some orders to begin with. */
function settle(spots: Spot[], high: number, joined: [Spot, Spot][]): void {
  const lines = joined.filter(([one, other]) => one !== other);
  const order = spots.map((_, at) => at);
  let seed = 1;
  const below = (most: number): number => (seed = (seed * 16807) % 2147483647) % most; // Park and Miller 1988: the same picture each time
  let best = { faults: Infinity, places: spots.map(({ x, y }) => ({ x, y })) };
  for (let start = 0; start < STARTS && best.faults > 0; start += 1) {
    order.forEach((slot, at) => {
      const angle = (2 * Math.PI * slot) / spots.length;
      Object.assign(spots[at]!, { x: 150 * Math.cos(angle), y: 80 * Math.sin(angle), vx: 0, vy: 0 });
    });
    balance(spots, high, lines);
    const faults = faultsOf(spots, lines);
    if (faults < best.faults) best = { faults, places: spots.map(({ x, y }) => ({ x, y })) };
    for (let at = order.length - 1; at > 0; at -= 1) {
      const other = below(at + 1);
      [order[at], order[other]] = [order[other]!, order[at]!];
    }
  }
  spots.forEach((spot, at) => Object.assign(spot, best.places[at]));
}

/** How many lines cross, and how many run through the disc or the name of a type that they do not join, which is worse. */
function faultsOf(spots: Spot[], lines: [Spot, Spot][]): number {
  const side = (one: Spot, other: Spot, third: Spot): number => Math.sign((other.x - one.x) * (third.y - one.y) - (other.y - one.y) * (third.x - one.x));
  const cross = ([a, b]: [Spot, Spot], [c, d]: [Spot, Spot]): boolean => new Set([a, b, c, d]).size === 4 && side(a, b, c) !== side(a, b, d) && side(c, d, a) !== side(c, d, b);
  const through = ([from, to]: [Spot, Spot], spot: Spot): boolean => {
    const [across, down] = [to.x - from.x, to.y - from.y];
    const part = Math.max(0, Math.min(1, ((spot.x - from.x) * across + (spot.y + 6 - from.y) * down) / (across * across + down * down)));
    return Math.hypot(from.x + part * across - spot.x, from.y + part * down - spot.y - 6) < spot.radius + 12;
  };
  const crossings = lines.reduce((sum, line, at) => sum + lines.slice(0, at).filter((other) => cross(line, other)).length, 0);
  const covered = lines.reduce((sum, line) => sum + spots.filter((spot) => !line.includes(spot) && through(line, spot)).length, 0);
  return crossings + 3 * covered;
}

/** Put types so that lines are short and discs do not meet, and stretch that to the picture. */
function balance(spots: Spot[], high: number, joined: [Spot, Spot][]): void {
  const links = joined.map(([source, target]) => ({ source, target }));
  forceSimulation(spots)
    .force("links", forceLink<Spot, { source: Spot; target: Spot }>(links).distance(120).strength(0.25))
    .force("apart", forceManyBody().strength(-500))
    .force("room", forceCollide<Spot>((spot) => spot.radius + 24))
    .force("x", forceX(0).strength(0.05))
    .force("y", forceY(0).strength(0.12))
    .stop()
    .tick(150);
  stretch(spots, "x", SIDE, WIDTH - SIDE);
  stretch(spots, "y", ABOVE, high - BELOW);
}

function stretch(spots: Spot[], along: "x" | "y", from: number, to: number): void {
  const places = spots.map((spot) => spot[along]);
  const [low, high] = [Math.min(...places), Math.max(...places)];
  for (const spot of spots) spot[along] = high === low ? (from + to) / 2 : from + ((spot[along] - low) / (high - low)) * (to - from);
}

function pressed(act: () => void, label: string): Record<string, string | number | ((event: Event) => void)> {
  const key = (event: Event): void => {
    if (!["Enter", " "].includes((event as KeyboardEvent).key)) return;
    event.preventDefault();
    act();
  };
  return { role: "button", tabindex: 0, "aria-label": label, onclick: act, onkeydown: key };
}

function disc(spot: Spot, colour: string, onChoose: (filter: Filter) => void): SVGElement {
  const act = (): void => onChoose({ types: [spot.name] });
  const attributes = { class: "type", ...pressed(act, `${spot.name}: ${count(spot.count)} nodes`) };
  const label = svg("text", { x: spot.x, y: spot.y + spot.radius + 13, "text-anchor": "middle" }, short(spot.name));
  const number = svg("text", { x: spot.x, y: spot.y + 4, "text-anchor": "middle", class: "number" }, compact(spot.count));
  return svg("g", attributes, svg("circle", { cx: spot.x, cy: spot.y, r: spot.radius, fill: colour }), number, label, svg("title", {}, `${spot.name}: ${count(spot.count)} nodes. Click to draw them.`));
}

type Box = [left: number, top: number, right: number, bottom: number];
const around = (x: number, y: number, half: number, height: number): Box => [x - half, y - height / 2, x + half, y + height / 2];
const meet = (one: Box, other: Box): boolean => one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];

/** A line with its name where that covers nothing else; where there is no room the name is told on hovering. `taken` are the places of all names until then. */
function line(relations: RelationAbout[], at: Map<string, Spot>, taken: Box[], onChoose: (filter: Filter) => void): SVGElement {
  const one = at.get(relations[0]!.source)!;
  const other = at.get(relations[0]!.target)!;
  const names = relations.map((relation) => relation.name);
  const told = relations.map((relation) => `${relation.name}: ${count(relation.count)} edges`).join(", ");
  const label = relations.length === 1 ? short(names[0]!) : `${relations.length} relations`;
  const attributes = { class: "relation", ...pressed(() => onChoose({ relations: names, types: [one.name, other.name] }), told) };
  const loop = one === other;
  const along = (part: number): Box => around(one.x + part * (other.x - one.x), one.y + part * (other.y - one.y), 2.7 * label.length, 11);
  const beside = (right: number): Box => around(one.x + right, one.y - one.radius - (right === 0 ? 30 : 18), 2.7 * label.length, 11);
  const places = loop ? [0, -20 - 2.7 * label.length, 20 + 2.7 * label.length].map(beside) : ALONG.map(along);
  const box = places.find((each) => taken.every((other) => !meet(each, other))) ;
  if (box) taken.push(box);
  const name = box && svg("text", { x: (box[0] + box[2]) / 2, y: box[3] - 2, "text-anchor": "middle" }, label);
  const path = loop ? `M${one.x - 8} ${one.y - one.radius + 2}c-26 -32 42 -32 16 0` : `M${one.x} ${one.y}L${other.x} ${other.y}`;
  return svg("g", attributes, svg("path", { d: path, class: "hit" }), svg("path", { d: path }), name, svg("title", {}, `${told}. Click to draw them.`));
}

const short = (name: string): string => {
  const words = inWords(name);
  return words.length <= MOST_LETTERS ? words : `${words.slice(0, MOST_LETTERS - 1)}…`;
};
const compact = (number: number): string => number.toLocaleString("en", { notation: "compact" });
