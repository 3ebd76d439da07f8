// Elements. Texts only ever become text nodes, so that nothing from a graph or a model is read as markup, and are shown
// without what would turn or hide other texts.

type Child = Node | string | null | undefined | false;
type Listener = (event: Event) => void;

/** An element with attributes, listeners (`onclick`) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number | boolean | Listener> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, /^(title|aria-.*)$/.test(name) ? visible(String(value)) : String(value));
  }
  element.append(...children.filter(isThere).map(shown));
  return element;
}

/** Put children in the place of those that there are. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(...children.filter(isThere).map(shown));
}

/** The text without control characters (C0 but for line breaks and tabs, C1) and those that turn the direction of writing. */
export function visible(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
}

function isThere(child: Child): child is Node | string {
  return Boolean(child);
}

function shown(child: Node | string): Node | string {
  return typeof child === "string" ? visible(child) : child;
}

export function button(label: string, onclick: Listener, attributes: Record<string, string | boolean> = {}): HTMLButtonElement {
  return h("button", { type: "button", ...attributes, onclick }, label);
}

/** So many of something: "1 node", "2 nodes". */
export function some(number: number, one: string): string {
  return `${count(number)} ${one}${number === 1 ? "" : "s"}`;
}

const SVG = "http://www.w3.org/2000/svg";

/** An element of a picture. */
export function svg(tag: string, attributes: Record<string, string | number | Listener>, ...children: Child[]): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, visible(String(value)));
  }
  element.append(...children.filter(isThere).map(shown));
  return element;
}

/** The name of a type or relation as people write it; one that is seen from its other end has an arrow. */
export function inWords(name: string): string {
  const back = name.startsWith("^");
  const words = (back ? name.slice(1) : name).replaceAll("_", " ").trim() || name;
  return back ? `← ${words}` : words;
}

/** A number for people. */
export function count(number: number): string {
  return number.toLocaleString("en");
}

export function duration(seconds: number): string {
  return seconds < 1 ? `${Math.max(1, Math.round(seconds * 1000))} ms` : `${seconds.toFixed(1)} s`;
}

/** What opens under a button; Esc and a click elsewhere close it. */
export function menu(label: string, attributes: Record<string, string>, ...children: Child[]): HTMLDetailsElement {
  const opener = h("summary", attributes, label);
  const made = h("details", { class: "menu" }, opener, h("div", { class: "sheet" }, ...children));
  const close = (): void => {
    made.open = false;
  };
  made.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !made.open) return;
    event.stopPropagation();
    close();
    opener.focus();
  });
  document.addEventListener("pointerdown", (event) => {
    if (made.open && !made.contains(event.target as Node)) close();
  });
  return made;
}

/** A choice of one of several, each a value and what it is called. */
export function select(label: string, options: [value: string, shown: string][], chosen: string, onChange: (value: string) => void): HTMLLabelElement {
  const made = h("select", { "aria-label": label, onchange: () => onChange(made.value) }, ...options.map(([value, shown]) => h("option", { value, selected: value === chosen }, shown)));
  return h("label", { class: "field" }, h("span", { "aria-hidden": "true" }, label), made);
}

/** Save a text or a picture as a file. */
export function save(name: string, content: string | Blob, type = "text/plain"): void {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** What went wrong, in words. */
export const told = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Copy a text, and say so in the button that was pressed. */
export async function copy(text: string, pressed: HTMLButtonElement): Promise<void> {
  const label = pressed.textContent;
  try {
    await navigator.clipboard.writeText(text);
    pressed.textContent = "Copied";
  } catch {
    pressed.textContent = "Not allowed";
  }
  setTimeout(() => (pressed.textContent = label), 1500);
}
