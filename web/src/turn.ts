// One question with its answer: steps as they come, the answer, and what can be done with it.

import * as api from "./api";
import { button, copy, duration, fill, h, some, told } from "./dom";
import { editor } from "./editor";
import { texts, type GraphPanel } from "./panel";
import { address } from "./route";
import { link } from "./table";
import type { Alternative, Answer, CallMade, Json, Step } from "./types";
import { isList, joinLegs, readAs, shownAnswer } from "./value";

const MARKS = { thought: "·", call: "→", observation: "=", answer: "" };
const SLOW = 2000; // milliseconds after which waiting is explained
const MOST_LETTERS = 400; // of a call's result
const MOST_SAID = 1500; // letters of an answer that are shown at once

export class Turn {
  readonly element: HTMLElement;
  private readonly steps = h("ol", { class: "steps" });
  private readonly folded = h("details", { class: "trace", open: true }, h("summary", {}, "Thinking…"), this.steps);
  private readonly result = h("div", { class: "result", "aria-live": "polite" });
  private readonly judged = h("span", { class: "judge" });
  private readonly stop: HTMLButtonElement;
  private readonly clock: ReturnType<typeof setInterval>;
  private offered: (() => void)[] = [];

  constructor(
    private readonly asked: string,
    private readonly panel: GraphPanel,
    onStop: () => void,
    private readonly onChoose: (number: number, question: string) => void,
  ) {
    this.stop = button("Stop", onStop, { class: "stop" });
    this.element = h("article", { class: "turn" }, h("h2", { class: "asked" }, asked), this.result, h("div", { class: "foot" }, this.folded, this.judged), this.stop);
    const started = Date.now();
    this.clock = setInterval(() => {
      const waited = Date.now() - started;
      if (waited > SLOW) this.summary(`Still at work: ${duration(waited / 1000)}`);
    }, 500);
  }

  step(step: Step): void {
    this.steps.append(h("li", { class: step.kind }, `${MARKS[step.kind]} ${step.text}`));
  }

  /** Nothing more will come. */
  private end(summary: string): void {
    clearInterval(this.clock);
    this.stop.remove();
    this.folded.open = false;
    this.folded.hidden = this.steps.childElementCount === 0;
    this.summary(summary);
  }

  private summary(text: string): void {
    fill(this.folded.querySelector("summary")!, text);
  }

  stopped(): void {
    this.end("Stopped");
    fill(this.result, h("p", { class: "quiet" }, "You stopped this answer."));
  }

  failed(detail: string, again: () => void): void {
    this.end("What was done");
    fill(this.result, h("p", { class: "problem", role: "alert" }, detail), button("Try again", again));
  }

  answered(answer: Answer): void {
    if (this.steps.childElementCount === 0) for (const step of answer.trace ?? []) if (step.kind !== "answer") this.step(step);
    this.end(`${some(this.steps.childElementCount, "step")}, ${duration(answer.seconds)}, ${cost(answer)}`);
    const how = answer.parts.length > 0 ? "Asked of each: " : "Understood as: ";
    const understood = answer.question && answer.question !== this.asked ? h("p", { class: "quiet" }, how, answer.question) : null;
    const unsupported = answer.unsupported.length > 0 ? h("p", { class: "problem" }, `Nothing that was seen in the graph supports: ${answer.unsupported.join(", ")}`) : null;
    const remarks = answer.remarks?.length ? h("p", { class: "remark" }, `${answer.remarks.map((each) => each.replace(/\.$/, "")).join("; ")}.`) : null;
    const offered = answer.alternatives ?? [];
    this.offered = offered.map((_, at) => () => this.onChoose(at + 1, answer.question || this.asked));
    const choices = offered.length > 0 && h("ol", { class: "choices", "aria-label": "It may ask for" }, ...offered.map((each, at) => this.choice(each, at + 1)));
    const near = offered.length === 0 && answer.near.length > 0 ? h("ul", { class: "near", "aria-label": "Nearest that can be asked" }, ...answer.near.map((text) => h("li", {}, text))) : null;
    fill(this.result, understood, ...this.said(answer), remarks, unsupported, choices || near, this.actions(answer));
  }

  /** Questions to go on with, where there is no answer. */
  offer(examples: HTMLElement[]): void {
    if (examples.length === 0) return;
    const list = h("ul", { class: "examples", "aria-label": "Questions that can be answered" }, ...examples.map((each) => h("li", {}, each)));
    this.result.lastElementChild?.before(h("p", { class: "quiet" }, "This graph is known to answer:"), list);
  }

  /** The answer in the form that fits it, below what the question was read as; else its text. */
  private said(answer: Answer): (HTMLElement | null)[] {
    const form = shownAnswer(answer, this.panel.named);
    if (form === null) return [answer.reason ? h("p", { class: "declined" }, offers(answer)) : said(answer)];
    const length = isList(answer) ? `${(answer.value as Json[]).length.toLocaleString("en")}: ` : "";
    form.classList.add("form");
    const [reading, unused] = readAs(answer);
    return [reading ? h("p", { class: "reading" }, `${length}${reading}`) : said(answer), unused ? h("p", { class: "remark" }, `Not used: ${unused}`) : null, form];
  }

  /** A reading that was not sure enough: pressed, it is the one that is meant. */
  private choice(each: Alternative, number: number): HTMLElement {
    const take = button("", this.offered[number - 1]!, { class: "example", title: each.call });
    take.append(h("kbd", {}, String(number)), h("span", {}, each.reading), h("span", { class: "quiet" }, `${Math.round(100 * each.confidence)} %`));
    return h("li", {}, take);
  }

  /** Take the alternative of this number; whether there is one. */
  choose(number: number): boolean {
    this.offered[number - 1]?.();
    return number <= this.offered.length;
  }

  private actions(answer: Answer): HTMLElement {
    const more = h("div", { class: "more" });
    const evidence = answer.evidence.nodes.length + answer.evidence.edges.length;
    const draw = evidence > 0 && button(`Evidence (${some(answer.evidence.nodes.length, "node")}, ${some(answer.evidence.edges.length, "edge")})`, () => void this.draw(answer));
    const why = answer.calls.length > 0 && button("Why this answer", () => toggle(more, () => this.why(answer)));
    const verify = answer.calls.length > 0 && button("Verify", (event) => void check(answer, event.currentTarget as HTMLButtonElement, more));
    const rounds = (answer.usage["rounds"] ?? 0) > 0 && button("Rounds", (event) => void showRounds(answer, this.asked, event.currentTarget as HTMLButtonElement, more), { title: "The messages and states of each round" });
    const copies = button("Copy as…", () => toggle(more, () => copying(answer)));
    const link = answer.answered && button("Link", (event) => void copy(address({ graph: answer.graph, ask: answer.question || this.asked }), event.currentTarget as HTMLButtonElement), { title: "Copy a link to this question" });
    const judged = (right: boolean) => (event: Event) => void this.judge(answer, right, event.currentTarget as HTMLButtonElement, more);
    const right = answer.answered && button("Right", judged(true), { title: "Keep this answer as a test case" });
    const wrong = button("Wrong", judged(false), { title: "Keep this question as a test case, and say what would be right" });
    fill(this.judged, right, wrong);
    return h("div", {}, h("div", { class: "actions" }, draw, why, rounds, verify, copies, link), more);
  }

  /** Keep whether the answer is right; of a wrong one with what would be. */
  private async judge(answer: Answer, right: boolean, pressed: HTMLButtonElement, place: HTMLElement): Promise<void> {
    const keep = async (note: string): Promise<void> => {
      try {
        await api.feedback(answer, this.asked, right, note);
        pressed.disabled = true;
        fill(place, h("p", { class: "quiet", role: "status" }, "Thank you. It is kept on the server as a test case."));
      } catch (error) {
        fill(place, h("p", { class: "problem", role: "alert" }, told(error)));
      }
    };
    if (right) return keep("");
    const note = h("input", { maxlength: 10_000, "aria-label": "What would be right?", placeholder: "What would be right?" });
    const send = (event: Event): void => {
      event.preventDefault();
      void keep(note.value);
    };
    fill(place, h("form", { class: "token", onsubmit: send }, note, h("button", { type: "submit" }, "Keep")));
    note.focus();
  }

  /** Draw the evidence, those that the answer gives marked; names in the answer then lead to them. */
  async draw(answer: Answer): Promise<void> {
    try {
      const asked = answer.calls.filter((made) => made.spelling.startsWith("RetrieveNode")).flatMap((made) => texts(made.result));
      const given = Array.isArray(answer.value) || typeof answer.value === "string" ? texts(answer.value) : [];
      const groups = Array.isArray(answer.value) && answer.value.length > 1 && answer.value.every(Array.isArray) ? answer.value.map(texts) : [];
      await this.panel.show(answer.evidence, new Set(asked), new Set(given), groups);
      link(this.result, this.panel.named);
      joinLegs(this.result, answer.evidence.edges, this.panel.named);
    } catch (error) {
      this.result.append(h("p", { class: "problem", role: "alert" }, told(error)));
    }
  }

  /** The calls that gave the answer; each shows in the drawing what it touched. */
  private why(answer: Answer): HTMLElement {
    const rows = answer.calls.map((made) => h("li", {}, this.call(answer, made)));
    return h("div", { class: "why" }, h("p", {}, "These calls gave the answer. Follow one to see what it touched."), h("ol", { class: "calls" }, ...rows));
  }

  private call(answer: Answer, made: CallMade): HTMLElement {
    const follow = button(made.spelling, () => void touched(), { class: "code", title: "Show what this call touched" });
    const other = made.cypher && made.cypher !== made.spelling ? made.cypher : "";
    const spell = other !== "" && button("As Cypher", () => {
      const cypher = follow.textContent !== other;
      fill(follow, cypher ? other : made.spelling);
      fill(spell as HTMLElement, cypher ? "As a call" : "As Cypher");
    });
    const place = h("div", {});
    const edit = button("Edit and run", () => toggle(place, () => editor(answer.graph, follow.textContent ?? made.spelling, this.panel)));
    const status = h("span", { class: "quiet", role: "status" });
    const touched = async (): Promise<void> => {
      try {
        const found = await api.call(answer.graph, made.spelling);
        await this.panel.light(found.evidence);
        fill(status, ` ${some(found.evidence.nodes.length, "node")}, ${some(found.evidence.edges.length, "edge")}`);
      } catch (error) {
        fill(status, ` ${told(error)}`);
      }
    };
    const shown = h("span", { class: "gave" }, `= ${short(made.result)}`);
    return h("div", {}, follow, shown, status, h("div", { class: "actions" }, spell, edit), place);
  }
}

/** Why there is no answer, above what there may be instead. */
function offers(answer: Answer): string {
  if (answer.alternatives?.length) return `${answer.reason} Did you mean:`;
  return answer.near.length > 0 ? `${answer.reason} What could be answered:` : answer.reason!;
}

/** The text of an answer; of a very long one the beginning, and the rest when asked for. */
function said(answer: Answer): HTMLElement {
  const text = answer.answer;
  const place = h("p", { class: answer.answered ? "answer" : "declined" }, text);
  if (text.length <= MOST_SAID) return place;
  const all = button("Show all", () => fill(place, text));
  fill(place, `${text.slice(0, MOST_SAID)}… `, all);
  return place;
}

function toggle(place: HTMLElement, make: () => HTMLElement): void {
  const made = make();
  const same = place.firstElementChild?.className === made.className;
  fill(place, same ? null : made);
}

async function check(answer: Answer, pressed: HTMLButtonElement, place: HTMLElement): Promise<void> {
  pressed.disabled = true;
  const parts = answer.parts.length > 0 ? answer.parts : [answer];
  try {
    const found = await Promise.all(parts.map((part) => api.verify(answer.graph, { ...part, parts: [] })));
    const differences = found.flatMap((verification) => verification.differences);
    const concluded = found.some((verification) => verification.verdict === "concluded");
    const calls = parts.reduce((sum, part) => sum + part.calls.length, 0);
    const good = found.every((verification) => verification.same);
    const same = `Verified: run again, the calls give the same (${some(calls, "call")}).`;
    const text = good ? same : concluded && differences.length === 0 ? "Concluded by a model, not checked." : differences.join(" ");
    fill(place, h("p", { class: good ? "good" : "problem", role: "status" }, text));
  } catch (error) {
    fill(place, h("p", { class: "problem", role: "alert" }, told(error)));
  }
  pressed.disabled = false;
}

/** The rounds of a distributed algorithm: a picture where the graph is small, and lines. */
async function showRounds(answer: Answer, asked: string, pressed: HTMLButtonElement, place: HTMLElement): Promise<void> {
  pressed.disabled = true;
  try {
    const found = await api.rounds(answer.graph, answer.question || asked);
    const drawn = found.picture && h("img", { class: "rounds", alt: "The states of all nodes after each round", src: `data:image/svg+xml,${encodeURIComponent(found.picture)}` });
    fill(place, h("div", { class: "retold" }, drawn, h("details", { open: !drawn }, h("summary", {}, some(found.lines.length, "line")), h("pre", { tabindex: 0 }, found.lines.join("\n")))));
  } catch (error) {
    fill(place, h("p", { class: "problem", role: "alert" }, told(error)));
  }
  pressed.disabled = false;
}

function copying(answer: Answer): HTMLElement {
  const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const python = `import graphtalk as gt\n\nanswer = gt.ask(${JSON.stringify(answer.graph)}, ${JSON.stringify(answer.question)})\nprint(answer.text, answer.value, answer.evidence)\n`;
  const forms: [string, string][] = [
    ["Command line", `graphtalk ask ${quoted(answer.graph)} ${quoted(answer.question)}`],
    ["Python", python],
    ["JSON", JSON.stringify(answer, null, 2)],
  ];
  const rows = forms.map(([name, text]) => button(name, (event) => void copy(text, event.currentTarget as HTMLButtonElement)));
  return h("div", { class: "copying actions" }, ...rows);
}

function cost(answer: Answer): string {
  const usd = answer.usage["usd"];
  const sure = answer.answered && answer.confidence != null ? `, ${Math.round(100 * answer.confidence)} % sure` : "";
  return (usd ? `$${usd.toFixed(4)}` : answer.reasoner) + sure;
}

function short(value: Json): string {
  const text = JSON.stringify(value);
  return text.length <= MOST_LETTERS ? text : `${text.slice(0, MOST_LETTERS)}…`;
}
