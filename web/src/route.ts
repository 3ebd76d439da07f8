// Where the page is, in its address: a graph, a conversation or a question, an open node. Back, forward, reload and links work.

export interface Place { graph: string; talk?: string; ask?: string; node?: string }

const KEYS = ["graph", "talk", "ask", "node"] as const;

/** The place that the address says; an empty graph where it says none. */
export function place(): Place {
  const asked = new URLSearchParams(location.hash.slice(1));
  const found = KEYS.map((key) => [key, asked.get(key) ?? ""] as const).filter(([, value]) => value);
  return { graph: "", ...Object.fromEntries(found) };
}

/** The address of a place, to share. */
export function address(to: Place): string {
  return `${location.origin}${location.pathname}${hash(to)}`;
}

/** Go to a place, or where `instead` is set, be there in the place of where we were. */
export function go(to: Place, instead = false): void {
  if (hash(to) === location.hash) return;
  if (instead) history.replaceState(null, "", hash(to));
  else history.pushState(null, "", hash(to));
}

function hash(to: Place): string {
  const pairs = KEYS.filter((key) => to[key]).map((key): [string, string] => [key, to[key]!]);
  return `#${new URLSearchParams(pairs)}`;
}
