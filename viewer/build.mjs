// Bundles the viewer: one script and one style sheet, into the folder named by the first argument.
import { build } from "esbuild";

const out = process.argv[2] ?? "dist";
await build({
  entryPoints: { viewer: "src/main.ts" },
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "ascii",
  legalComments: "inline",
  outdir: out,
  loader: { ".css": "css" },
});
