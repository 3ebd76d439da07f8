// What an answer gives, in the form that fits it: a number, a sentence, a path, bars, or a table.

import { count, fill, h, inWords } from "./dom";
import { linked, plain, shownValue, table, type Named, type Table } from "./table";
import type { Answer, Edge, Json } from "./types";

const MOST_SAID = 6; // names that are a sentence, not a table
const MOST_HEADED = 40; // letters of a reading that is the name of a column
const MOST_BARS = 24;
const MOST_STEPS = 12; // of a path that is drawn in a line

/** The value of an answer; null where its text alone says what there is. */
export function shownAnswer(answer: Answer, named: Named): HTMLElement | null {
  if (!answer.answered || answer.parts.length > 0) return null;
  const { value } = answer;
  if (typeof value === "number") return h("p", { class: "answer big" }, shownValue(value));
  if (typeof value === "boolean") return h("p", { class: "answer big" }, value ? "Yes" : "No");
  if (value === null || typeof value === "string") return null;
  const name = answer.question.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60) || "answer";
  if (!Array.isArray(value)) return h("div", {}, record(value, named));
  if (value.length === 0) return null;
  if (isPath(answer)) return path(value as string[], answer.evidence.edges, named);
  const made = asTable(value, name, heading(answer));
  if (made.columns.length === 1 && made.rows.length <= MOST_SAID && value.every((each) => typeof each !== "object")) return sentence(value, named);
  if (!grouped(made)) return h("div", {}, table(made, named));
  const rows = h("details", { class: "folded", open: made.rows.length > MOST_BARS }, h("summary", {}, "As a table"), table(made, named));
  return h("div", {}, barChart(made, named), rows);
}

/** Rows of a value, whether each is a name, an object or a list. */
export function asTable(value: Json, name: string, heading = "result"): Table {
  const entries = Array.isArray(value) ? value : [value];
  const isObject = (entry: Json): entry is { [name: string]: Json } => entry !== null && typeof entry === "object" && !Array.isArray(entry);
  if (entries.every(isObject)) {
    const columns = [...new Set(entries.flatMap((entry) => Object.keys(entry)))];
    return { columns, rows: entries.map((entry) => columns.map((column) => entry[column] ?? null)), name };
  }
  if (entries.every(Array.isArray)) return { columns: ["", "size", "members"], rows: entries.map((entry, at) => [at + 1, (entry as Json[]).length, entry]), name };
  return { columns: [heading], rows: entries.map((entry) => [entry]), name };
}

/** What a question was read as, and the words of it that were not used. */
export function readAs(answer: Answer): string[] {
  return (answer.reading ?? "").split("; not used: ");
}

/** What a list is of: the words of its reading where they are few, else what its query calls the column. */
function heading(answer: Answer): string {
  const [reading = ""] = readAs(answer);
  if (reading && reading.length <= MOST_HEADED) return reading;
  return /\bAS (?:`([^`]+)`|(\w+))\s*$/.exec(answer.calls.at(-1)?.cypher || answer.calls.at(-1)?.spelling || "")?.slice(1).find(Boolean) ?? "result";
}

/** Whether an answer is a list to be counted above it: names that are no path. */
export function isList(answer: Answer): boolean {
  return Array.isArray(answer.value) && answer.value.length > MOST_SAID && typeof answer.value[0] === "string" && !isPath(answer);
}

function isPath(answer: Answer): boolean {
  const last = answer.calls.at(-1)?.spelling ?? "";
  const value = answer.value as Json[];
  return /^\w*Path\[/.test(last) && value.length <= MOST_STEPS && value.every((each) => typeof each === "string") && answer.evidence.edges.length >= value.length - 1;
}

/** A path as stations, with the relation between each and the next. */
function path(stations: string[], edges: Edge[], named: Named): HTMLElement {
  const parts = stations.flatMap((station, at) => {
    const stop = h("li", { class: "stop" }, linked(station, named));
    return at === 0 ? [stop] : [h("li", { class: "leg", "data-from": stations[at - 1]!, "data-to": station }), stop];
  });
  const made = h("ol", { class: "path", "aria-label": "Path" }, ...parts);
  joinLegs(made, edges, named);
  return made;
}

/** Write the relations between the stations of a path, as far as it is known by now which nodes these are. */
export function joinLegs(place: Element, edges: Edge[], named: Named): void {
  for (const leg of place.querySelectorAll<HTMLElement>(".leg:empty")) {
    const ends = [leg.dataset["from"]!, leg.dataset["to"]!].map(named.id);
    const edge = edges.find(([from, , to]) => from !== to && ends.includes(from) && ends.includes(to));
    if (edge) fill(leg, inWords(edge[1]));
    if (edge && !named.bothWays(edge[1])) leg.dataset["way"] = edge[0] === ends[0] ? "on" : "back";
  }
}

function sentence(value: Json[], named: Named): HTMLElement {
  const place = h("p", { class: "answer" });
  const parts = value.flatMap((each, at) => {
    const between = at === 0 ? "" : at === value.length - 1 ? " and " : ", ";
    return [between, typeof each === "string" ? linked(each, named) : shownValue(each)];
  });
  fill(place, ...parts);
  return place;
}

function record(value: { [name: string]: Json }, named: Named): HTMLElement {
  const rows = Object.entries(value).map(([key, each]) => {
    const texts = Array.isArray(each) ? each : [each];
    const shown = texts.flatMap((one, at) => [at === 0 ? "" : ", ", typeof one === "string" ? linked(one, named) : shownValue(one)]);
    return [h("dt", {}, key), h("dd", {}, ...shown)];
  });
  return h("dl", { class: "record" }, ...rows.flat());
}

/** Whether the rows are groups: each a name and a number, and not so many that bars are only a part of them. */
function grouped({ columns, rows }: Table): boolean {
  return columns.length === 2 && rows.length > 1 && rows.length <= 2 * MOST_BARS && rows.every((row) => typeof row[0] !== "number" && typeof row[1] === "number");
}

function barChart({ columns, rows }: Table, named: Named): HTMLElement {
  const ordered = [...rows].sort((one, other) => (other[1] as number) - (one[1] as number)).slice(0, MOST_BARS);
  const most = Math.max(...ordered.map((row) => Math.abs(row[1] as number)), 1e-12);
  const bars = ordered.map((row) => {
    const bar = h("span", { class: "bar" });
    bar.style.width = `${(100 * Math.abs(row[1] as number)) / most}%`;
    return h("li", {}, h("span", { class: "of" }, linked(plain(row[0] ?? null), named)), h("span", { class: "track" }, bar), h("span", { class: "number" }, shownValue(row[1] ?? null)));
  });
  const left = rows.length - ordered.length;
  return h("figure", { class: "chart", "aria-label": `${columns[1]} by ${columns[0]}` }, left > 0 && h("figcaption", {}, `The largest ${MOST_BARS} of ${count(rows.length)}`), h("ul", {}, ...bars));
}
