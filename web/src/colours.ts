// Colours: one for each node type, the same in the schema, the drawing and the legend.

// After Paul Tol's bright and muted schemes, which people who see few colours can tell apart.
const COLOURS = ["#4477dd", "#ee7733", "#2aa876", "#aa3377", "#d6a419", "#3bb3c3", "#cc3b4b", "#7a63d1", "#7d8f3b", "#9a6a4a", "#d777ab", "#6f7f95"];
const LOW = [60, 110, 220];
const HIGH = [235, 110, 40];

/** A colour for each name, in order; the last for all that are too many. */
export function palette(names: string[]): Map<string, string> {
  return new Map(names.map((name, at) => [name, COLOURS[Math.min(at, COLOURS.length - 1)]!]));
}

/** A colour between cold and warm for a share from 0 to 1. */
export function shade(share: number): string {
  return `rgb(${LOW.map((low, at) => Math.round(low + (HIGH[at]! - low) * share)).join(",")})`;
}

const known = new Map<string, string>();
let themedBy: Element = document.documentElement;

/** Take the colours of the theme from another element: that of a widget. */
export function takeThemeFrom(element: Element): void {
  themedBy = element;
  known.clear();
}

/** The value of a colour of the theme. Asked for each node, so it is read once. */
export function themed(name: string): string {
  const key = `${document.documentElement.dataset["theme"]} ${name}`;
  const found = known.get(key) ?? getComputedStyle(themedBy).getPropertyValue(name).trim();
  known.set(key, found);
  return found;
}
