// The conversations that were had: by title and date, to open, search, rename and delete.

import * as api from "./api";
import { button, fill, h, menu, told } from "./dom";
import type { ConversationAbout } from "./types";

const DAY = 86_400; // seconds

export class Past {
  private readonly rows = h("ul", { class: "past" });
  private readonly filter = h("input", { type: "search", placeholder: "Search…", "aria-label": "Search the conversations", oninput: () => this.draw() });
  readonly element = menu("Conversations", { "data-short": "☰" }, this.filter, this.rows);
  private kept: ConversationAbout[] = [];

  constructor(private readonly onOpen: (id: string) => void, private readonly onForget: (id: string) => void, private readonly graph: () => string) {
    this.element.classList.add("history");
    this.element.addEventListener("toggle", () => void this.read());
  }

  private async read(): Promise<void> {
    if (!this.element.open) return;
    try {
      this.kept = (await api.conversations()).filter((about) => about.graph === this.graph());
      this.draw();
      if (document.activeElement === document.body) this.filter.focus(); // what was pressed is gone
    } catch (error) {
      fill(this.rows, h("li", { class: "problem" }, told(error)));
    }
  }

  private draw(): void {
    const words = this.filter.value.toLowerCase();
    const found = this.kept.filter((about) => about.title.toLowerCase().includes(words));
    fill(this.rows, ...(found.length > 0 ? found.map((about) => this.row(about)) : [h("li", { class: "quiet" }, words ? "None is called so." : "None yet.")]));
  }

  private row(about: ConversationAbout): HTMLElement {
    const open = button("", () => {
      this.element.open = false;
      this.onOpen(about.id);
    });
    open.append(h("span", {}, about.title), h("time", { class: "quiet", datetime: new Date(about.changed * 1000).toISOString() }, when(about.changed)));
    const rename = button("✎", () => this.rename(row, about), { "aria-label": `Rename the conversation ${about.title}` });
    const forget = button("×", () => this.forget(row, about), { "aria-label": `Delete the conversation ${about.title}` });
    const row = h("li", {}, open, rename, forget);
    return row;
  }

  /** Do what changes what is kept, and show that, or what went wrong. */
  private async change(work: Promise<unknown>): Promise<void> {
    try {
      await work;
      await this.read();
    } catch (error) {
      this.rows.prepend(h("li", { class: "problem", role: "alert" }, told(error)));
    }
  }

  /** Delete a conversation once that is confirmed, for it cannot be taken back. */
  private forget(row: HTMLElement, about: ConversationAbout): void {
    const sure = button("Delete", () => void this.change(api.forget(about.id).then(() => this.onForget(about.id))));
    fill(row, h("span", {}, `Delete “${about.title}”?`), sure, button("Keep", () => this.draw()));
    sure.focus();
  }

  private rename(row: HTMLElement, about: ConversationAbout): void {
    const field = h("input", { value: about.title, maxlength: 200, "aria-label": "Title", required: true });
    const done = (event: Event): void => {
      event.preventDefault();
      void this.change(api.rename(about.id, field.value.trim()));
    };
    fill(row, h("form", { onsubmit: done }, field, h("button", { type: "submit" }, "Save")));
    field.select();
  }
}

/** When something was, as people say it: the time of today, else the day. */
function when(seconds: number): string {
  const date = new Date(seconds * 1000);
  const today = Date.now() / 1000 - seconds < DAY && date.getDate() === new Date().getDate();
  return today ? date.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }) : date.toLocaleDateString([], { day: "numeric", month: "short", year: "numeric" });
}
