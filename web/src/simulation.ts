// Places for nodes by forces. `settle` is a generator, so that who has no worker can do it a piece at a time.

import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY, type SimulationNodeDatum } from "d3-force";

export interface Places { x: Float32Array; y: Float32Array }
export interface LayoutRequest extends Places { source: Uint32Array; target: Uint32Array; kept: boolean }

const PAUSE = 300; // milliseconds between two answers

/** Places as they get better, about every PAUSE; the last are the best. */
export function* settle({ x, y, source, target, kept }: LayoutRequest): Generator<Places> {
  const nodes: SimulationNodeDatum[] = Array.from(x, (at, n) => ({ x: at, y: y[n]! }));
  const links = Array.from(source, (from, n) => ({ source: from, target: target[n]! }));
  const many = nodes.length;
  const simulation = forceSimulation(nodes)
    .force("links", forceLink(links).distance(many < 200 ? 90 : 40))
    .force("apart", forceManyBody().strength(many < 200 ? -420 : -90).theta(many < 2000 ? 0.9 : 1.4).distanceMax(many < 200 ? 450 : many < 2000 ? 300 : 900))
    .force("x", forceX(0).strength(0.05))
    .force("y", forceY(0).strength(0.06))
    .stop();
  if (many < 2000) simulation.force("room", forceCollide(many < 200 ? 26 : 10));
  if (kept) simulation.alpha(0.4);
  const rounds = many <= 500 ? 300 : many <= 5000 ? 160 : many <= 20_000 ? 90 : 45;
  simulation.alphaDecay(1 - Math.pow(0.001, 1 / rounds));
  let told = performance.now();
  for (let round = 0; round < rounds; round += 1) {
    simulation.tick();
    if (performance.now() - told > PAUSE) {
      yield placesOf(nodes);
      told = performance.now();
    }
  }
  yield placesOf(nodes);
}

function placesOf(nodes: SimulationNodeDatum[]): Places {
  return { x: Float32Array.from(nodes, (node) => node.x ?? 0), y: Float32Array.from(nodes, (node) => node.y ?? 0) };
}
