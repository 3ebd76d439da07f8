// The page: a bar of choices, the conversation, the graph.

import * as api from "./api";
import { Chat } from "./chat";
import { button, fill, h } from "./dom";
import { GraphPanel } from "./panel";
import { theme, turn } from "./theme";
import type { Graphs } from "./types";

const GRAPH = "graphtalk-graph";

const bar = document.querySelector<HTMLElement>("#bar")!;
const graphs = h("select", { "aria-label": "Graph" });
const reasoners = h("select", { "aria-label": "Reasoner" });
const lms = h("select", { "aria-label": "Language model" });
const cost = h("output", { class: "cost", "aria-label": "Cost so far" });
const past = h("ul", { class: "past" });
const history = h("details", { class: "history", ontoggle: () => void list() }, h("summary", {}, "Conversations"), past);
const tabs = ["chat", "graph"].map((name) => button(name === "chat" ? "Chat" : "Graph", () => view(name), { class: "tab", "data-view": name }));

let offered: Graphs;
let spent = 0;
let tokens = 0;

const panel = new GraphPanel(document.querySelector("#graph")!);
const chat = new Chat(
  document.querySelector("#chat")!,
  panel,
  () => ({ graph: graphs.value, reasoner: reasoners.value, lm: lms.value }),
  (answer) => {
    spent += answer.usage["usd"] ?? 0;
    tokens += (answer.usage["input_tokens"] ?? 0) + (answer.usage["output_tokens"] ?? 0);
    cost.value = tokens > 0 ? `$${spent.toFixed(4)}, ${tokens.toLocaleString("en")} tokens` : "$0: no model asked";
  },
);

function view(name: string): void {
  document.body.dataset["view"] = name;
  for (const tab of tabs) tab.setAttribute("aria-pressed", String(tab.dataset["view"] === name));
  if (name === "graph") panel.fit();
}

function offer(select: HTMLSelectElement, names: string[], chosen: string): void {
  fill(select, ...names.map((name) => h("option", { value: name, selected: name === chosen }, name)));
}

function offerReasoners(): void {
  const valid = offered.reasoners[lms.value] ?? [];
  const own = lms.value === offered.default.lm ? offered.default.reasoner : "auto";
  offer(reasoners, valid, valid.includes(reasoners.value) ? reasoners.value : own);
}

async function use(name: string): Promise<void> {
  localStorage.setItem(GRAPH, name);
  panel.use(name);
  await guarded(async () => chat.use(await api.graph(name)));
}

async function list(): Promise<void> {
  if (!history.open) return;
  await guarded(async () => {
    const kept = (await api.conversations()).filter((about) => about.graph === graphs.value);
    const rows = kept.map((about) => {
      const open = button(about.title, () => {
        history.open = false;
        void guarded(() => chat.open(about.id, about.graph));
      });
      const forget = button("×", () => void guarded(() => api.forget(about.id)).then(list), { "aria-label": `Delete the conversation ${about.title}` });
      return h("li", {}, open, forget);
    });
    fill(past, ...(rows.length > 0 ? rows : [h("li", {}, "None yet.")]));
  });
}

/** Do something that may fail, and say so where it does. */
async function guarded(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof api.Problem && error.status === 401) return askToken();
    const place = document.querySelector(".welcome")!;
    const said = error instanceof Error ? error.message : String(error);
    place.removeAttribute("hidden");
    fill(place, h("p", { class: "problem", role: "alert" }, said), button("Try again", () => void start()));
  }
}

/** Ask for the token; a wrong one is said to be so. */
function askToken(): void {
  const field = h("input", { type: "password", autocomplete: "current-password", "aria-label": "Token", required: true });
  const use = (event: Event): void => {
    event.preventDefault();
    api.setToken(field.value.trim());
    void start();
  };
  const form = h("form", { class: "token", onsubmit: use }, h("p", { role: "status" }, api.hasToken() ? "That token is not right." : "This server needs a token."), field, h("button", { type: "submit" }, "Enter"));
  const place = document.querySelector(".welcome")!;
  place.removeAttribute("hidden");
  fill(place, form);
  field.focus();
}

async function start(): Promise<void> {
  await guarded(async () => {
    offered = await api.graphs();
    const names = offered.graphs.map((graph) => graph.name);
    const kept = localStorage.getItem(GRAPH) ?? "";
    offer(graphs, names, names.includes(kept) ? kept : (names[0] ?? ""));
    offer(lms, offered.lms, offered.default.lm);
    offerReasoners();
    await use(graphs.value);
  });
}

graphs.addEventListener("change", () => void use(graphs.value));
lms.addEventListener("change", offerReasoners);
document.addEventListener("token-needed", askToken);
bar.append(
  h("strong", { class: "brand" }, "graphtalk"),
  h("div", { class: "tabs" }, ...tabs),
  h("label", {}, "Graph ", graphs),
  h("label", {}, "Reasoner ", reasoners),
  h("label", {}, "Model ", lms),
  cost,
  h("span", { class: "space" }),
  history,
  button("New", () => chat.begin(), { title: "Begin a new conversation" }),
  button("◐", turn, { "aria-label": "Light or dark" }),
  h("a", { href: "api.html" }, "API"),
);
theme(() => panel.restyle());
view("chat");
void start();
