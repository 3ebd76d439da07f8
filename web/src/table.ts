// A table: rows to sort, filter and page through, columns to leave out, and all of it to copy or to save as CSV.

import { button, copy, count, fill, h, menu, save, some } from "./dom";
import { csv } from "./files";
import type { Json } from "./types";

const PAGE = 50; // rows at a time
const MOST_UNFILTERED = 8; // rows that need no filter

export interface Table { columns: string[]; rows: Json[][]; name: string }
/** What is known of names: whether one is a node's, its id (else the name itself), how to open it; whether a relation has no direction. */
export interface Named { is: (text: string) => boolean; id: (text: string) => string; open: (text: string) => void; bothWays: (relation: string) => boolean }

/** A text that leads to the node of that name, where one is known; one that is not yet is marked for `link`. */
export function linked(text: string, named: Named, shown = text): HTMLElement {
  return named.is(text) ? button(shown, () => named.open(text), { class: "link" }) : h("span", { "data-name": text }, shown);
}

/** Make links of the texts within a place that are known as names by now; all else of it stays as it is. */
export function link(place: Element, named: Named): void {
  for (const text of place.querySelectorAll<HTMLElement>("[data-name]")) {
    if (named.is(text.dataset["name"]!)) text.replaceWith(linked(text.dataset["name"]!, named, text.textContent ?? ""));
  }
}

/** The table; names in it lead to their nodes. */
export function table({ columns, rows, name }: Table, named: Named): HTMLElement {
  const hidden = new Set<number>();
  let [sorted, down, words, most] = [-1, false, "", PAGE];
  const place = h("div", { class: "rows", tabindex: 0, role: "region", "aria-label": "Table" });
  const note = h("span", { class: "quiet", role: "status" });

  const chosen = (): Json[][] => {
    const found = words ? rows.filter((row) => row.some((value) => plain(value).toLowerCase().includes(words))) : rows;
    return sorted < 0 ? found : [...found].sort((one, other) => (down ? -1 : 1) * compare(one[sorted] ?? null, other[sorted] ?? null));
  };
  const shown = (): number[] => [...columns.keys()].filter((at) => !hidden.has(at));
  const cells = (): string[][] => [shown().map((at) => columns[at]!), ...chosen().map((row) => shown().map((at) => plain(row[at] ?? null)))];
  const isNumber = (at: number): boolean => typeof rows.find((row) => row[at] !== null)?.[at] === "number";
  const sort = (at: number): void => {
    [sorted, down] = sorted === at ? (down ? [-1, false] : [at, true]) : [at, isNumber(at)];
    draw();
  };
  const cell = (value: Json): HTMLTableCellElement => {
    const text = shownValue(value);
    return h("td", typeof value === "number" ? { class: "number" } : {}, typeof value === "string" ? linked(value, named, text) : text);
  };
  const draw = (): void => {
    const found = chosen();
    const order = (at: number): string => (sorted !== at ? "none" : down ? "descending" : "ascending");
    const head = shown().map((at) => h("th", { scope: "col", "aria-sort": order(at), class: isNumber(at) ? "number" : "" }, button(columns[at]!, () => sort(at), { class: "sort" })));
    const body = found.slice(0, most).map((row) => h("tr", {}, ...shown().map((at) => cell(row[at] ?? null))));
    const left = found.length - most;
    const more = left > 0 && button(`Show ${count(Math.min(left, PAGE * 10))} more`, () => {
      most += PAGE * 10;
      draw();
    });
    fill(place, h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...body)), more);
    note.textContent = found.length === rows.length ? some(rows.length, "row") : `${count(found.length)} of ${some(rows.length, "row")}`;
  };

  const filter = h("input", { type: "search", class: "filter", placeholder: "Filter…", "aria-label": "Filter the rows", oninput: () => {
    words = filter.value.toLowerCase();
    draw();
  } });
  const choose = (at: number): HTMLElement => h("label", {}, h("input", { type: "checkbox", checked: true, onchange: () => {
    if (!hidden.delete(at)) hidden.add(at);
    draw();
  } }), columns[at]!);
  draw();
  const tools = h(
    "div",
    { class: "actions" },
    note,
    rows.length > MOST_UNFILTERED && filter,
    columns.length > 2 && menu("Columns", {}, ...columns.map((_, at) => choose(at))),
    button("Copy", (event) => void copy(cells().map((row) => row.join("\t")).join("\n"), event.currentTarget as HTMLButtonElement)),
    button("CSV", () => save(`${name}.csv`, csv(cells()), "text/csv")),
  );
  return h("div", { class: "table" }, tools, place);
}

/** A value as files and filters have it. */
export function plain(value: Json): string {
  if (value === null) return "";
  if (Array.isArray(value)) return value.map(plain).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** A value as people read it. */
export function shownValue(value: Json): string {
  if (typeof value === "number") return value.toLocaleString("en", { useGrouping: "min2", maximumFractionDigits: Math.abs(value) < 1000 ? 6 : 2 }); // 1987 may be a year
  if (typeof value === "boolean") return value ? "yes" : "no";
  return Array.isArray(value) ? value.map(shownValue).join(", ") : plain(value);
}

function compare(one: Json, other: Json): number {
  if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1;
  if (typeof one === "number" && typeof other === "number") return one - other;
  return plain(one).localeCompare(plain(other), undefined, { numeric: true });
}
