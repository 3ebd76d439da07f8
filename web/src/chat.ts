// The left side: what the graph is, the conversation, and where questions are typed.

import * as api from "./api";
import { button, fill, h, some, told } from "./dom";
import type { GraphPanel } from "./panel";
import { schemaPicture } from "./schema";
import { suggest, type Suggestion } from "./suggest";
import { Turn } from "./turn";
import type { Answer, Example, GraphPage } from "./types";

export interface Chosen { graph: string; reasoner: string; lm: string }

const LEAST_LETTERS = 3; // of a word before names are looked up
const MOST_SUGGESTED = 6;

export class Chat {
  private conversation = "";
  private page: GraphPage | null = null;
  private ready: Promise<unknown> = Promise.resolve(); // when the graph is there
  private running: AbortController | null = null;
  private last: Turn | null = null;
  private examples: Example[] = []; // questions that the graph is known to answer
  private readonly turns = h("div", { class: "turns" });
  private readonly welcome = h("div", { class: "welcome" });
  private readonly log = h("div", { class: "log" }, this.welcome, this.turns);
  private readonly question = h("textarea", { id: "question", rows: 1, maxlength: 10000, placeholder: "Ask about the graph…", "aria-label": "Question" });

  /** `onTalk` hears which conversation is open, and `onAnswer` each answer. */
  constructor(
    root: HTMLElement,
    private readonly panel: GraphPanel,
    private readonly chosen: () => Chosen,
    private readonly onTalk: (id: string) => void,
    private readonly onAnswer: (answer: Answer) => void,
  ) {
    const completions = suggest(this.question, (text) => this.completions(text));
    this.question.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("keydown", (event) => this.digit(event));
    const form = h("form", { class: "composer", onsubmit: (event) => this.submit(event) }, completions, this.question, h("button", { type: "submit" }, "Ask"));
    root.append(this.log, form);
  }

  /** Talk about a graph, from the beginning. What is asked while it is still coming waits for it. */
  async use(coming: Promise<GraphPage>): Promise<void> {
    this.reset();
    this.examples = [];
    fill(this.welcome);
    this.ready = coming.catch(() => undefined);
    const page = (this.page = await coming);
    const picture = schemaPicture(page, (filter) => void this.shown(() => this.panel.overview(filter)));
    const examples = h("ul", { class: "examples", "aria-label": "Questions to begin with", "aria-busy": "true" });
    fill(
      this.welcome,
      h("h2", { class: "title" }, page.name),
      h("p", { class: "lead" }, `${some(page.nodes, "node")}, ${some(page.edges, "edge")}. Ask in plain words; each answer has its evidence.`),
      picture,
      h("h3", {}, "Try"),
      examples,
      h("details", { class: "schema" }, h("summary", {}, "What the graph has, in words"), h("p", {}, page.description)),
    );
    void this.offer(page.name, examples);
    if (this.last === null) await this.panel.overview();
  }

  private async shown(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      document.dispatchEvent(new Event("graph-changed"));
    } catch (error) {
      this.warn(told(error));
    }
  }

  /** Say above all else what is wrong. */
  warn(text: string): void {
    this.welcome.prepend(h("p", { class: "problem", role: "alert" }, text));
  }

  /** Questions that this graph is known to answer. They take the server a moment the first time. */
  private async offer(graph: string, place: HTMLElement): Promise<void> {
    for (let n = 0; n < 6; n += 1) place.append(h("li", { class: "coming" }));
    const found = await api.examples(graph).catch((): Example[] => []);
    if (this.page?.name !== graph) return;
    this.examples = found;
    fill(place, ...found.map((example) => h("li", {}, this.example(example))));
    place.removeAttribute("aria-busy");
  }

  private example({ kind, question }: Example): HTMLElement {
    const press = button("", () => void this.ask(question), { class: "example" });
    press.append(h("span", { class: "kind" }, kind), h("span", {}, question));
    return press;
  }

  /** Begin a new conversation. */
  begin(): void {
    this.reset();
    void this.shown(() => this.panel.overview());
  }

  focus(): void {
    this.question.focus();
  }

  private reset(): void {
    this.running?.abort();
    this.conversation = "";
    this.last = null;
    this.turns.replaceChildren();
    this.welcome.hidden = false;
  }

  /** Show a conversation that was kept; one that is gone is a new one. */
  async open(id: string): Promise<void> {
    if (id === this.conversation) return;
    this.reset();
    try {
      const kept = await api.conversation(id);
      if (kept.graph !== this.page?.name) return;
      let answer: Answer | null = null;
      for (const turn of kept.turns) {
        this.turn(turn.asked, () => undefined).answered(turn.answer);
        answer = turn.answer;
      }
      this.conversation = id;
      if (answer) await this.last?.draw(answer);
      this.last?.element.scrollIntoView({ block: "start" });
    } catch (error) {
      if (!(error instanceof api.Problem && error.status === 404)) throw error;
      this.onTalk("");
    }
  }

  /** Ask; `choose` answers by the alternative of this number that an earlier answer offered. */
  async ask(text: string, choose = 0): Promise<void> {
    if (this.running) return;
    const running = (this.running = new AbortController());
    const turn = this.turn(text, () => running.abort());
    this.question.value = "";
    try {
      await this.ready;
      const { graph, reasoner, lm } = this.chosen();
      const answer = await api.ask({ graph, question: text, reasoner, lm, conversation: this.conversation, choose }, (step) => turn.step(step), running.signal);
      if (answer.conversation) this.onTalk((this.conversation = answer.conversation));
      turn.answered(answer);
      if (isLost(answer)) turn.offer(this.examples.map((example) => this.example(example)));
      turn.element.scrollIntoView({ block: "start" });
      this.onAnswer(answer);
      this.running = null; // the next question need not wait for the drawing
      await turn.draw(answer);
    } catch (error) {
      if (running.signal.aborted) turn.stopped();
      else turn.failed(told(error), () => this.again(turn, text, choose));
      if (error instanceof api.Problem && error.status === 401) document.dispatchEvent(new Event("token-needed"));
      turn.element.scrollIntoView({ block: "start" });
    } finally {
      if (this.running === running) this.running = null;
    }
  }

  private again(turn: Turn, text: string, choose: number): void {
    turn.element.remove();
    void this.ask(text, choose);
  }

  private turn(text: string, onStop: () => void): Turn {
    const turn = new Turn(text, this.panel, onStop, (number, question) => void this.ask(question, number));
    this.welcome.hidden = true;
    this.turns.append(turn.element);
    this.last = turn;
    turn.element.scrollIntoView({ block: "start" });
    return turn;
  }

  private submit(event: Event): void {
    event.preventDefault();
    const text = this.question.value.trim();
    if (text) void this.ask(text);
  }

  /** Enter asks; with Shift it begins a new line. */
  private key(event: KeyboardEvent): void {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) this.submit(event);
  }

  /** A digit takes the alternative of that number, where nothing else is being written. */
  private digit(event: KeyboardEvent): void {
    const writing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement || (event.target instanceof HTMLTextAreaElement && event.target.value !== "");
    if (writing || event.ctrlKey || event.metaKey || event.altKey || !/^[1-9]$/.test(event.key)) return;
    if (this.last?.choose(Number(event.key))) event.preventDefault();
  }

  /** What the word that is being written may become: a type, a relation, or a name. */
  private async completions(text: string): Promise<Suggestion[]> {
    const word = /[\p{L}\p{N}'’-]+$/u.exec(text.slice(0, this.question.selectionStart))?.[0] ?? "";
    if (word.length < LEAST_LETTERS || !this.page) return [];
    const begins = (name: string): boolean => name.toLowerCase().split(/[\s_-]+/).some((part) => part.startsWith(word.toLowerCase()) && part !== word.toLowerCase());
    const { node_types: types, relations } = this.page;
    const schema = [...types.map((type): [string, string] => [type.name, "type"]), ...relations.map((relation): [string, string] => [relation.name, "relation"])];
    const names = (await api.search(this.page.name, word)).map((node): [string, string] => [node.label, node.type]);
    const found = new Map([...schema, ...names].filter(([name]) => begins(name)));
    return [...found].slice(0, MOST_SUGGESTED).map(([name, kind]) => ({ text: name, kind, take: () => this.complete(word, name) }));
  }

  private complete(word: string, name: string): void {
    const at = this.question.selectionStart;
    this.question.setRangeText(`${name} `, at - word.length, at, "end");
  }
}

/** Whether there is neither an answer nor a way on. */
const isLost = (answer: Answer): boolean => !answer.answered && answer.near.length === 0 && !answer.alternatives?.length;
