// Files that are dropped on the page become a graph, where the server takes any.

import * as api from "./api";
import { button, fill, h, told } from "./dom";

const MOST_ALIKE = 20; // graphs of one name
const BLOCK = 512; // bytes of a block of a tar archive

/** Take files; `most` bytes of them. `onGraph` hears the name of the graph that was made. */
export function takeFiles(most: number, onGraph: (name: string) => void): HTMLElement {
  const status = h("p", { role: "status" });
  const note = h("div", { class: "drop", hidden: true }, status, button("Close", () => (note.hidden = true)));
  const field = h("input", { type: "file", multiple: true, hidden: true, "aria-label": "Files", onchange: () => {
    const files = [...(field.files ?? [])];
    field.value = ""; // so that the same files can be chosen again
    void take(files);
  } });
  const opener = button("Import files…", () => field.click(), { title: "Or drop them on the page" });
  const take = async (files: File[]): Promise<void> => {
    if (files.length === 0) return;
    note.hidden = false;
    opener.closest("details")?.removeAttribute("open"); // the menu that it stands in
    const size = files.reduce((sum, file) => sum + file.size, 0);
    if (size > most) return fill(status, `At most ${Math.round(most / 2 ** 20)} MB are taken here; these are ${Math.round(size / 2 ** 20)} MB.`);
    fill(status, `Importing ${files.map((file) => file.name).join(", ")}…`);
    const name = files[0]!.name.replace(/\.[^.]*$/, "").replace(/[^\w.-]+/g, "-").replace(/^\.+/, "") || "graph";
    try {
      const [file, body]: [string, Blob] = files.length === 1 ? [files[0]!.name, files[0]!] : [`${name}.tar`, await tar(files)];
      const graph = await unlikeOthers(name, (name) => api.upload(name, file, body));
      note.hidden = true;
      onGraph(graph);
    } catch (error) {
      fill(status, told(error));
    }
  };
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    void take([...(event.dataTransfer?.files ?? [])]);
  });
  document.body.append(note, field);
  return opener;
}

/** Do something under a name, or where that is taken, under that with a number; gives the name. */
async function unlikeOthers(name: string, work: (name: string) => Promise<void>): Promise<string> {
  for (let number = 1; ; number += 1) {
    const tried = number === 1 ? name : `${name}-${number}`;
    try {
      await work(tried);
      return tried;
    } catch (error) {
      if (!(error instanceof api.Problem && error.status === 409) || number === MOST_ALIKE) throw error;
    }
  }
}

/** An archive of files, as POSIX has it (ustar). */
async function tar(files: File[]): Promise<Blob> {
  const parts: BlobPart[] = [];
  for (const file of files) {
    parts.push(header(file.name, file.size), file, new Uint8Array((BLOCK - (file.size % BLOCK)) % BLOCK));
  }
  return new Blob([...parts, new Uint8Array(2 * BLOCK)]);
}

function header(name: string, size: number): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(BLOCK);
  const write = (at: number, text: string): void => block.set(new TextEncoder().encode(text), at);
  write(0, name.slice(-90));
  write(100, "0000644\0" + "0000000\0" + "0000000\0" + size.toString(8).padStart(11, "0") + "\0" + "00000000000\0");
  write(148, "        0"); // the sum of the block counts its own field as spaces
  write(257, "ustar\0" + "00");
  const sum = block.reduce((all, byte) => all + byte, 0);
  write(148, sum.toString(8).padStart(6, "0") + "\0 ");
  return block;
}
