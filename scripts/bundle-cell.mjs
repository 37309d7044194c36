// Makes one file of all the code a cell loads, in place of its compiled entry: a cell starts in a
// third of the time. Names and line structure of functions stay, for stack traces in the log.
// Run on the pinned Node by ensure-dist.mjs: `bundle-cell.mjs <dist>`.
import { join } from "node:path";
import { rolldown } from "rolldown";

const dist = process.argv[2];
if (dist === undefined) throw new Error("usage: bundle-cell.mjs <dist>");
const directory = join(dist, "vm", "cell");
const bundle = await rolldown({ input: join(directory, "main.js"), platform: "node" });
await bundle.write({
  file: join(directory, "main.js"),
  format: "esm",
  codeSplitting: false,
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
});
await bundle.close();
