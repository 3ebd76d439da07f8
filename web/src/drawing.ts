// The drawing: nodes and edges of the evidence, and what was expanded beside it.

import cytoscape, { type Core, type ElementDefinition } from "cytoscape";

import { visible } from "./dom";
import type { Edge, NodeName } from "./types";

export const MOST_DRAWN = 300; // nodes that a layout takes a moment for
const MOST_LABELLED = 60; // edges whose relation is written
const NEAREST = 1.5; // zoom of a drawing of few nodes
const COLOURS = ["#2f6fde", "#e08a1e", "#2f9e6e", "#a45bc4", "#d9534f", "#3aa6b9", "#8d6e4f", "#c2a21a"];

export class Drawing {
  private readonly cy: Core;
  private readonly colours = new Map<string, string>();
  /** Relations without a direction: their edges have no arrow. */
  undirected: ReadonlySet<string> = new Set();

  constructor(place: HTMLElement, private readonly onNode: (id: string) => void, private readonly onChange: () => void) {
    this.cy = cytoscape({
      container: place,
      style: style(),
      minZoom: 0.1,
      maxZoom: 3,
      boxSelectionEnabled: false,
    });
    this.cy.on("tap", "node", (event) => this.onNode(event.target.id()));
  }

  /** The types that are drawn, each with its colour. */
  get legend(): [string, string][] {
    const drawn = new Set(this.cy.nodes().map((node) => node.data("type") as string));
    return [...this.colours].filter(([type]) => drawn.has(type));
  }

  get size(): number {
    return this.cy.nodes().length;
  }

  /** The names of what is drawn. */
  get nodes(): NodeName[] {
    return this.cy.nodes().map((node) => ({ id: node.id(), label: node.data("label"), type: node.data("type") }));
  }

  clear(): void {
    this.cy.elements().remove();
    this.onChange();
  }

  /** Draw these beside what there is; what was there stays where it is. */
  add(nodes: NodeName[], edges: Edge[]): void {
    const known = new Set(this.cy.nodes().map((node) => node.id()));
    const fresh = nodes.filter((node) => !known.has(node.id));
    this.cy.add(fresh.map((node) => this.element(node)));
    const drawable = edges.filter((edge) => this.has(edge[0]) && this.has(edge[2]) && !this.has(edgeId(edge)));
    this.cy.add(unique(drawable).map((edge) => arrow(edge, this.undirected)));
    this.cy.batch(() => this.cy.edges().toggleClass("named", this.cy.edges().length <= MOST_LABELLED));
    if (fresh.length > 0) this.arrange(known.size > 0);
    this.onChange();
  }

  /** Let these stand out, and the rest step back where `alone`. */
  highlight(nodes: Iterable<string>, edges: Iterable<Edge>, alone = true): void {
    const ids = new Set<string>([...nodes, ...[...edges].map(edgeId)]);
    this.cy.batch(() => {
      this.cy.elements().removeClass("lit dim");
      if (ids.size === 0) return;
      this.cy.elements().forEach((element) => {
        if (ids.has(element.id())) element.addClass("lit");
        else if (alone) element.addClass("dim");
      });
    });
  }

  select(id: string): void {
    this.cy.elements().unselect();
    const node = this.cy.getElementById(id);
    if (node.empty()) return;
    node.select();
    this.cy.animate({ center: { eles: node }, duration: calm() ? 0 : 200 });
  }

  fit(): void {
    this.cy.resize();
    this.cy.fit(undefined, 40);
    if (this.cy.zoom() > NEAREST) {
      this.cy.zoom(NEAREST);
      this.cy.center();
    }
  }

  restyle(): void {
    this.cy.style(style());
  }

  zoom(factor: number): void {
    this.cy.zoom({ level: this.cy.zoom() * factor, renderedPosition: { x: this.cy.width() / 2, y: this.cy.height() / 2 } });
  }

  private has(id: string): boolean {
    return this.cy.getElementById(id).nonempty();
  }

  private element(node: NodeName): ElementDefinition {
    if (!this.colours.has(node.type)) this.colours.set(node.type, COLOURS[this.colours.size % COLOURS.length]!);
    return { group: "nodes", data: { ...node, shown: visible(node.label), colour: this.colours.get(node.type) } };
  }

  private arrange(grown: boolean): void {
    const large = this.size > MOST_DRAWN;
    this.cy.batch(() => this.cy.elements().toggleClass("plain", large));
    const layout: cytoscape.LayoutOptions = large
      ? { name: "preset", positions: sunflower(this.cy.nodes()), animate: false }
      : { name: "cose", animate: false, randomize: !grown, padding: 40, nodeRepulsion: () => 250_000, idealEdgeLength: () => 130, nodeOverlap: 30 };
    this.cy.layout(layout).run();
    this.fit();
  }
}

/** Places for thousands of nodes without a long computation: those with most edges in the middle. */
function sunflower(nodes: cytoscape.NodeCollection): Record<string, cytoscape.Position> {
  const degrees = nodes.map((node): [string, number] => [node.id(), node.degree(false)]);
  degrees.sort(([, one], [, other]) => other - one);
  const turn = Math.PI * (3 - Math.sqrt(5)); // the golden angle: no two nodes come to lie close together
  return Object.fromEntries(
    degrees.map(([id], at) => {
      const radius = 26 * Math.sqrt(at);
      return [id, { x: radius * Math.cos(at * turn), y: radius * Math.sin(at * turn) }];
    }),
  );
}

function unique(edges: Edge[]): Edge[] {
  return [...new Map(edges.map((edge) => [edgeId(edge), edge])).values()];
}

function edgeId(edge: Edge): string {
  return `edge ${JSON.stringify(edge)}`;
}

function arrow(edge: Edge, undirected: ReadonlySet<string>): ElementDefinition {
  const [source, relation, target] = edge;
  const classes = undirected.has(relation) ? "undirected" : "";
  return { group: "edges", data: { id: edgeId(edge), source, target, relation, shown: visible(relation) }, classes };
}

function calm(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function style(): cytoscape.StylesheetJson {
  const of = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const text = of("--text");
  return [
    {
      selector: "node",
      style: {
        "background-color": "data(colour)", label: "data(shown)", color: text, "font-size": 11, width: 22, height: 22,
        "text-valign": "bottom", "text-margin-y": 4, "text-max-width": "120px", "text-wrap": "ellipsis",
        "text-outline-color": of("--surface"), "text-outline-width": 2, "min-zoomed-font-size": 7,
      },
    },
    {
      selector: "edge",
      style: {
        width: 1.5, "line-color": of("--line-strong"), "target-arrow-color": of("--line-strong"),
        "target-arrow-shape": "triangle", "curve-style": "bezier", "arrow-scale": 0.8,
      },
    },
    {
      selector: "edge.named",
      style: {
        label: "data(shown)", "font-size": 9, color: of("--quiet"), "text-rotation": "autorotate",
        "text-outline-color": of("--surface"), "text-outline-width": 2, "min-zoomed-font-size": 7,
      },
    },
    { selector: "edge.undirected", style: { "target-arrow-shape": "none" } },
    { selector: "node.plain", style: { label: "", width: 14, height: 14 } },
    { selector: "edge.plain", style: { "curve-style": "haystack", "target-arrow-shape": "none", width: 0.5, label: "" } },
    { selector: ".dim", style: { opacity: 0.25 } },
    { selector: "node.lit", style: { "border-width": 3, "border-color": text, "font-weight": "bold" } },
    { selector: "edge.lit", style: { width: 3, "line-color": of("--accent"), "target-arrow-color": of("--accent") } },
    { selector: "node:selected", style: { "border-width": 4, "border-color": of("--accent") } },
  ];
}
