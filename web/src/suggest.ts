// Suggestions under a field as one writes: a list that arrow keys walk through (the combobox of WAI-ARIA).

import { button, fill, h } from "./dom";

const PAUSE = 120; // milliseconds without a key before anything is looked up

export interface Suggestion { text: string; kind: string; take: () => void }

let lists = 0;

/** Suggest below (or above) a field what `find` gives for its content; an empty list closes it.
 * `first`: Enter takes the first one, of what the field holds then, however fast it came. */
export function suggest(field: HTMLInputElement | HTMLTextAreaElement, find: (text: string) => Promise<Suggestion[]>, first = false): HTMLUListElement {
  const id = `suggestions-${(lists += 1)}`;
  const list = h("ul", { class: "suggestions", id, role: "listbox", "aria-label": "Suggestions", hidden: true });
  let found: Suggestion[] = [];
  let at = -1;
  let asked = 0;
  let late = false; // what is shown was found for what the field held before
  const combobox = field instanceof HTMLInputElement; // a field of several lines has no such role
  if (combobox) field.setAttribute("role", "combobox");

  const mark = (next: number): void => {
    at = next;
    [...list.children].forEach((row, n) => row.setAttribute("aria-selected", String(n === at)));
    if (at >= 0) field.setAttribute("aria-activedescendant", `${id}-${at}`);
    else field.removeAttribute("aria-activedescendant");
  };
  const show = (next: Suggestion[]): void => {
    found = next;
    list.hidden = found.length === 0;
    if (combobox) field.setAttribute("aria-expanded", String(found.length > 0));
    fill(list, ...found.map((each, n) => {
      const press = button(each.text, () => take(n), { tabindex: "-1" });
      press.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
      press.append(h("span", { class: "quiet" }, each.kind));
      return h("li", { role: "option", id: `${id}-${n}`, "aria-selected": "false", "aria-label": `${each.text}, ${each.kind}` }, press);
    }));
    mark(first && found.length > 0 ? 0 : -1);
  };
  const lookUp = (turn: number): Promise<void> => find(field.value).catch((): Suggestion[] => []).then((next) => {
    if (turn !== asked) return;
    late = false;
    show(next);
  });
  const take = (n: number): void => {
    const chosen = found[n];
    asked += 1;
    late = false;
    show([]);
    chosen?.take();
  };

  field.setAttribute("aria-autocomplete", "list");
  field.setAttribute("aria-controls", id);
  field.setAttribute("autocomplete", "off");
  field.addEventListener("input", () => {
    const turn = (asked += 1);
    late = true;
    setTimeout(() => turn === asked && void lookUp(turn), PAUSE);
  });
  field.addEventListener("keydown", (event) => {
    const { key } = event as KeyboardEvent;
    const turn = key === "Enter" ? (asked += 1) : asked; // what is on its way comes too late
    if (key === "Enter" && first && late) {
      void lookUp(turn).then(() => turn === asked && take(0));
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    if (found.length === 0) return;
    if (key === "ArrowDown") mark((at + 1) % found.length);
    else if (key === "ArrowUp") mark((at - 1 + found.length) % found.length);
    else if (key === "Escape") show([]);
    else if (key === "Tab" && !(event as KeyboardEvent).shiftKey) take(Math.max(0, at));
    else if (key === "Enter" && at >= 0) take(at);
    else {
      if (key === "Enter") show([]);
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  field.addEventListener("blur", () => show([]));
  show([]);
  return list;
}
