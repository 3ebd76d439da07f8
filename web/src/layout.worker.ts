// Places for nodes by forces, computed beside the page so that it never stands still. Answers with places as they get better.

import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY, type SimulationNodeDatum } from "d3-force";

export interface Places { x: Float32Array; y: Float32Array }
export interface LayoutRequest extends Places { source: Uint32Array; target: Uint32Array; kept: boolean }

const PAUSE = 300; // milliseconds between two answers

self.onmessage = ({ data }: MessageEvent<LayoutRequest>) => {
  const { x, y, source, target, kept } = data;
  const nodes: SimulationNodeDatum[] = Array.from(x, (at, n) => ({ x: at, y: y[n]! }));
  const links = Array.from(source, (from, n) => ({ source: from, target: target[n]! }));
  const many = nodes.length;
  const simulation = forceSimulation(nodes)
    .force("links", forceLink(links).distance(many < 200 ? 90 : 40))
    .force("apart", forceManyBody().strength(many < 200 ? -420 : -90).theta(many < 2000 ? 0.9 : 1.4).distanceMax(many < 2000 ? 2000 : 900))
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
      tell(nodes, false);
      told = performance.now();
    }
  }
  tell(nodes, true);
};

function tell(nodes: SimulationNodeDatum[], done: boolean): void {
  const x = Float32Array.from(nodes, (node) => node.x ?? 0);
  const y = Float32Array.from(nodes, (node) => node.y ?? 0);
  self.postMessage({ x, y, done }, { transfer: [x.buffer, y.buffer] });
}
