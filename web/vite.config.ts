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

// The built page is part of the Python package: whoever installs it needs no Node.
export default defineConfig({
  base: "./",
  plugins: [builtFrom],
  build: {
    outDir: "../src/graphtalk/app/web",
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0, // the content security policy allows no inline data but images
    rollupOptions: { input: ["index.html", "api.html"] },
  },
  server: { proxy: { "/v1": "http://127.0.0.1:8000", "/openapi.json": "http://127.0.0.1:8000" } },
});
