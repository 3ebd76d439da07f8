import { defineConfig } from "vite";

// The drawing and the table for notebooks, in one file: a notebook has no address to load others from.
export default defineConfig({
  mode: "widget",
  publicDir: false,
  build: {
    outDir: "../src/graphtalk/app/web/widget",
    emptyOutDir: true,
    rollupOptions: { output: { minify: true } }, // else a library keeps its white space
    lib: { entry: { widget: "src/widget.ts" }, formats: ["es"], fileName: "widget" },
  },
});
