// The left side: the conversation, and where questions are typed.

import * as api from "./api";
import { button, fill, h, some } from "./dom";
import type { GraphPanel } from "./panel";
import { Turn } from "./turn";
import type { Answer, GraphPage } from "./types";

export interface Chosen { graph: string; reasoner: string; lm: string }

const KEPT = "graphtalk-conversation"; // of each graph: the conversation that a reload goes on with

export class Chat {
  private conversation = "";
  private running: AbortController | null = null;
  private readonly turns = h("div", { class: "turns" });
  private readonly welcome = h("div", { class: "welcome" });
  private readonly question = h("textarea", {
    id: "question", rows: 2, maxlength: 10000, placeholder: "Ask about the graph…", "aria-label": "Question",
    onkeydown: (event) => this.key(event as KeyboardEvent),
  });

  constructor(
    root: HTMLElement,
    private readonly panel: GraphPanel,
    private readonly chosen: () => Chosen,
    private readonly onAnswer: (answer: Answer) => void,
  ) {
    const form = h("form", { class: "composer", onsubmit: (event) => this.submit(event) }, this.question, h("button", { type: "submit" }, "Ask"));
    root.append(h("div", { class: "log" }, this.welcome, this.turns), form);
  }

  /** Talk about a graph, going on with the conversation about it that was open last. */
  async use(page: GraphPage): Promise<void> {
    this.reset();
    this.panel.know(page);
    const questions = page.questions.map((text) => h("li", {}, button(text, () => void this.ask(text), { class: "example" })));
    fill(
      this.welcome,
      h("h1", {}, page.name),
      h("p", {}, `${some(page.nodes, "node")}, ${some(page.edges, "edge")}. Ask in plain words; every answer shows what it rests on.`),
      questions.length > 0 ? h("h2", {}, "Try") : null,
      h("ul", { class: "examples" }, ...questions),
      h("details", { class: "schema" }, h("summary", {}, "What the graph has"), h("p", {}, page.description)),
    );
    const kept = localStorage.getItem(`${KEPT} ${page.name}`);
    if (kept) await this.open(kept, page.name);
  }

  /** Begin a new conversation. */
  begin(): void {
    localStorage.removeItem(`${KEPT} ${this.chosen().graph}`);
    this.reset();
  }

  private reset(): void {
    this.running?.abort();
    this.conversation = "";
    this.turns.replaceChildren();
    this.welcome.hidden = false;
    this.panel.clear();
  }

  /** Show a conversation that was kept. */
  async open(id: string, graph: string): Promise<void> {
    try {
      const kept = await api.conversation(id);
      if (kept.graph !== graph) return;
      this.turns.replaceChildren();
      let last: [Turn, Answer] | null = null;
      for (const { asked, answer } of kept.turns) {
        const turn = this.turn(asked, () => undefined);
        turn.answered(answer);
        last = [turn, answer];
      }
      this.remember(id);
      last?.[0].element.scrollIntoView({ block: "end" });
      if (last) await last[0].draw(last[1]);
    } catch (error) {
      localStorage.removeItem(`${KEPT} ${graph}`);
      if (!(error instanceof api.Problem && error.status === 404)) throw error;
    }
  }

  /** Ask; `choose` answers by the alternative of this number that an earlier answer offered. */
  async ask(text: string, choose = 0): Promise<void> {
    if (this.running) return;
    const running = (this.running = new AbortController());
    const { graph, reasoner, lm } = this.chosen();
    const turn = this.turn(text, () => running.abort());
    this.question.value = "";
    try {
      const answer = await api.ask({ graph, question: text, reasoner, lm, conversation: this.conversation, choose }, (step) => turn.step(step), running.signal);
      if (answer.conversation) this.remember(answer.conversation);
      turn.answered(answer);
      this.onAnswer(answer);
      await turn.draw(answer);
    } catch (error) {
      if (running.signal.aborted) turn.stopped();
      else turn.failed(error instanceof Error ? error.message : String(error), () => this.again(turn, text, choose));
      if (error instanceof api.Problem && error.status === 401) document.dispatchEvent(new Event("token-needed"));
    } finally {
      if (this.running === running) this.running = null;
      turn.element.scrollIntoView({ block: "end" });
    }
  }

  private again(turn: Turn, text: string, choose: number): void {
    turn.element.remove();
    void this.ask(text, choose);
  }

  private remember(id: string): void {
    this.conversation = id;
    localStorage.setItem(`${KEPT} ${this.chosen().graph}`, id);
  }

  private turn(text: string, onStop: () => void): Turn {
    const turn = new Turn(text, this.panel, onStop, (number, question) => void this.ask(question, number));
    this.welcome.hidden = true;
    this.turns.append(turn.element);
    turn.element.scrollIntoView({ block: "end" });
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
}
