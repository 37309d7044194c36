// Makes one script of all the code a cell loads, and V8's code cache for it: a cell starts in a third
// of the time it takes module by module. Names of functions stay, for stack traces in the log.
// Run on the pinned Node by ensure-dist.mjs: `bundle-cell.mjs <dist>`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const dist = process.argv[2];
if (dist === undefined) throw new Error("usage: bundle-cell.mjs <dist>");
const directory = join(dist, "vm", "cell");
const file = join(directory, "cell.cjs");
const bundle = await rolldown({ input: join(directory, "start-cell.js"), platform: "node" });
const { output } = await bundle.generate({
  format: "cjs",
  codeSplitting: false,
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
});
await bundle.close();
// A script in Latin-1 takes half the memory of one that is not.
const escaped = output[0].code.replace(
  /[^\0-\xff]/g,
  (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
);
writeFileSync(file, escaped);

// What a first command runs is compiled by then, and goes into the cache.
const { makeScript, runScript } = await import(pathToFileURL(join(directory, "load-cell.js")).href);
const script = makeScript(file);
await runScript(file, script).exports.warmImage();
writeFileSync(`${file}.cache`, script.createCachedData());
