// The page: a bar, the conversation, the graph; and its address, which says where all of them are.

import * as api from "./api";
import { Chat } from "./chat";
import { Past } from "./past";
import { button, fill, h, menu, select, told } from "./dom";
import { GraphPanel } from "./panel";
import { go, place, type Place } from "./route";
import { theme, turn } from "./theme";
import { takeFiles } from "./upload";
import type { Graphs } from "./types";

const GRAPH = "graphtalk-graph"; // the graph that was open last

const bar = document.querySelector<HTMLElement>("#bar")!;
const graphs = h("select", { "aria-label": "Graph" });
const how = h("div", {});
const files = h("div", {});
const cost = h("output", { class: "cost", "aria-label": "Cost so far" });
const tabs = ["chat", "graph"].map((name) => button(name === "chat" ? "Chat" : "Graph", () => view(name), { class: "tab", "data-view": name }));

let offered: Graphs;
let chosen = { reasoner: "", lm: "" };
let here: Place = { graph: "" };
let spent = 0;
let tokens = 0;

const panel = new GraphPanel(document.querySelector("#graph")!, (node) => move({ ...here, node }));
const chat = new Chat(
  document.querySelector("#chat")!,
  panel,
  () => ({ graph: graphs.value, ...chosen }),
  (talk) => move({ graph: here.graph, talk }, here.talk === undefined && here.ask !== undefined),
  (answer) => {
    spent += answer.usage["usd"] ?? 0;
    tokens += (answer.usage["input_tokens"] ?? 0) + (answer.usage["output_tokens"] ?? 0);
    cost.value = tokens > 0 ? `$${spent.toFixed(4)}, ${tokens.toLocaleString("en")} tokens` : "$0: no model asked";
  },
);
const past = new Past(
  (id) => void arrive({ graph: here.graph, talk: id }, true),
  (id) => id === here.talk && void arrive({ graph: here.graph }, true),
  () => here.graph,
);

/** Note where we are now. */
function move(to: Place, instead = false): void {
  here = to;
  go(to, instead);
}

/** Be where the address says: open what differs from what is open. What is said of a graph that is not served is asked of no other. */
async function arrive(to: Place, noted = false): Promise<void> {
  const before = here;
  const served = offered.graphs.some((each) => each.name === to.graph);
  const missing = to.graph !== "" && !served;
  const { talk, ask, node } = (here = { ...(missing ? {} : to), graph: served ? to.graph : graphs.value });
  if (noted || missing) go(here, missing);
  await guarded(async () => {
    if (here.graph !== before.graph) await use(here.graph);
    else if (before.talk && !talk) chat.begin();
    if (missing) chat.warn(`This server has no graph called “${to.graph}”.`);
    if (talk) await chat.open(talk);
    else if (ask) await chat.ask(ask);
    if (node && node !== before.node) await panel.open(node);
  });
}

async function use(name: string): Promise<void> {
  graphs.value = name;
  localStorage.setItem(GRAPH, name);
  document.title = `${name} · graphtalk`;
  await chat.use(api.graph(name).then((page) => (panel.use(page), page)));
}

/** Talk about a graph that has just come. */
async function begin(name: string): Promise<void> {
  go({ graph: name });
  await start();
}

function view(name: string): void {
  document.body.dataset["view"] = name;
  for (const tab of tabs) tab.setAttribute("aria-pressed", String(tab.dataset["view"] === name));
  if (name === "graph") panel.fit();
}

/** Who answers: shown where there is a choice to make. */
function offerAnswerers(): void {
  const valid = offered.reasoners[chosen.lm] ?? [];
  const own = chosen.lm === offered.default.lm ? offered.default.reasoner : "auto";
  if (!valid.includes(chosen.reasoner)) chosen.reasoner = own;
  const pairs = (names: string[]): [string, string][] => names.map((name) => [name, name]);
  fill(
    how,
    select("Model", pairs(offered.lms), chosen.lm, (lm) => {
      chosen = { lm, reasoner: "" };
      offerAnswerers();
    }),
    select("Reasoner", pairs(valid), chosen.reasoner, (reasoner) => (chosen = { ...chosen, reasoner })),
  );
}

/** Do something that may fail, and say so where it does. */
async function guarded(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof api.Problem && error.status === 401) return askToken();
    const place = document.querySelector(".welcome")!;
    place.removeAttribute("hidden");
    fill(place, h("p", { class: "problem", role: "alert" }, told(error)), button("Try again", () => void start()));
  }
}

/** Ask for the token; a wrong one is said to be so. */
function askToken(): void {
  const field = h("input", { type: "password", autocomplete: "current-password", "aria-label": "Token", required: true });
  const enter = (event: Event): void => {
    event.preventDefault();
    api.setToken(field.value.trim());
    void start();
  };
  const form = h("form", { class: "token", onsubmit: enter }, h("p", { role: "status" }, api.hasToken() ? "That token is not right." : "This server needs a token."), field, h("button", { type: "submit" }, "Enter"));
  const place = document.querySelector(".welcome")!;
  place.removeAttribute("hidden");
  fill(place, form);
  field.focus();
}

async function start(): Promise<void> {
  await guarded(async () => {
    offered = await api.graphs();
    const names = offered.graphs.map((graph) => graph.name);
    fill(graphs, ...names.map((name) => h("option", { value: name }, name)));
    const kept = localStorage.getItem(GRAPH) ?? "";
    graphs.value = names.includes(kept) ? kept : (names[0] ?? "");
    chosen = { lm: offered.default.lm, reasoner: offered.default.reasoner };
    offerAnswerers();
    if (offered.upload > 0 && !files.hasChildNodes()) files.append(takeFiles(offered.upload, (name) => void begin(name)));
    here = { graph: "" };
    await arrive(place());
  });
}

graphs.addEventListener("change", () => void arrive({ graph: graphs.value }, true));
window.addEventListener("popstate", () => void arrive(place()));
document.addEventListener("token-needed", askToken);
document.addEventListener("graph-changed", () => matchMedia("(max-width: 760px)").matches && view("graph"));
bar.append(
  h("h1", { class: "brand" }, h("a", { href: "./" }, h("img", { src: "./icon.svg", alt: "" }), "graphtalk")),
  graphs,
  h("div", { class: "tabs" }, ...tabs),
  h("span", { class: "space" }),
  past.element,
  button("New", () => void arrive({ graph: here.graph }, true).then(() => (chat.begin(), chat.focus())), { title: "Begin a new conversation", "data-short": "+" }),
  menu("More", { "data-short": "⋯" }, how, cost, files, button("Light or dark", turn), h("a", { href: "api.html" }, "API")),
);
theme(() => panel.restyle());
view("chat");
void start();
