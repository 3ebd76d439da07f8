// Light or dark: as the person chose, else as the system is.

const KEPT = "graphtalk-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

/** Show the theme; `changed` is called whenever it changes. */
export function theme(changed: () => void = () => undefined): void {
  const show = (): void => {
    document.documentElement.dataset["theme"] = localStorage.getItem(KEPT) ?? (system.matches ? "dark" : "light");
    changed();
  };
  system.addEventListener("change", show);
  document.addEventListener("theme-chosen", show);
  show();
}

/** Choose the other theme, and keep to it. */
export function turn(): void {
  localStorage.setItem(KEPT, document.documentElement.dataset["theme"] === "dark" ? "light" : "dark");
  document.dispatchEvent(new Event("theme-chosen"));
}
