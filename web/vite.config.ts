import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";

import { defineConfig, type Plugin } from "vite";

// A test compares this with the sources, so that nobody forgets to build.
const builtFrom: Plugin = {
  name: "built-from",
  generateBundle() {
    const hash = createHash("sha256");
    const files = ["public", "src"].flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`));
    for (const file of ["api.html", "index.html", ...files.sort()]) hash.update(readFileSync(file));
    this.emitFile({ type: "asset", fileName: "built-from.txt", source: `${hash.digest("hex")}\n` });
  },
};

// Who has the page has the licences of what it is made of: of each package that a module of it comes from.
const licences: Plugin = {
  name: "licences",
  generateBundle() {
    const names = [...this.getModuleIds()].flatMap((id) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? []);
    const known = [...new Set(names)].sort().map((name) => {
      const folder = `node_modules/${name}`;
      const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as { version: string; license: string };
      const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
      return `${name} ${version} (${license})\n\n${file ? readFileSync(`${folder}/${file}`, "utf8").trim() : ""}`;
    });
    this.emitFile({ type: "asset", fileName: "licences.txt", source: `${known.join(`\n\n${"-".repeat(80)}\n\n`)}\n` });
  },
};

// The built page is part of the Python package: whoever installs it needs no Node.
export default defineConfig({
  base: "./",
  plugins: [builtFrom, licences],
  build: {
    outDir: "../src/graphtalk/app/web",
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0, // the content security policy allows no inline data but images
    rollupOptions: { input: ["index.html", "api.html"] },
  },
  server: { proxy: { "/v1": "http://127.0.0.1:8000", "/openapi.json": "http://127.0.0.1:8000" } },
});
