// Makes scripts of all the code a cell loads, and V8's code cache for each: a cell starts in a third of the
// time it takes module by module. cell-core.cjs is what every VM needs for its first command; all other programs, and
// families of them, are scripts of their own, read when one of them first runs: a cell that does not know awk starts sooner
// and takes less memory. main.cjs is what Node is started with. Names of functions stay, for stack traces in the log.
// Run on the pinned Node by ensure-dist.mjs: `bundle-cell.mjs <dist>`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { ModuleImports } from "./module-closure.mjs";

const dist = process.argv[2];
if (dist === undefined) throw new Error("usage: bundle-cell.mjs <dist>");
const directory = join(dist, "vm", "cell");

/** In the core: a first command is a shell, and likely one of these. */
const firstPrograms = [
  "shell/main",
  "programs/cat",
  "programs/echo",
  "programs/ls/ls",
  "programs/wc",
];
const coreRoots = [
  join(directory, "start-cell.js"),
  ...firstPrograms.map((name) => join(dist, "vm", `${name}.js`)),
];

/** Programs that have code in common are one script. A module that the core needs, too, is in the core. */
const families = {
  archive: /\/programs\/(?:archive|tar|zip)\//,
  awk: /\/programs\/awk\//,
  diff: /\/programs\/(?:diff|patch)\//,
  isolates: /\/executors\/isolate\/(?!load-natives|node-magic)|\/vm\/node\//,
  json: /\/programs\/(?:jq|yq|file)\/|\/node_modules\/yaml\//,
  npm: /\/programs\/npm\//,
  numbers: /\/programs\/(?:bc|digest|base-encoding|numfmt|od|xxd|hexdump|iconv)\//,
  screen: /\/node_modules\/@xterm\//,
  toolkits: /\/toolkit-cli\/(?!device-protocol|tool-event|json-schema)/,
  pages: /\/programs\/(?:less|pr|fmt|column|tree|stty|terminal|split|csplit|join)\//,
};
const imports = new ModuleImports();
/** @type {Set<string> | undefined} */
let core;
/** @param {string} id */
function isCore(id) {
  core ??= imports.closureOf(coreRoots);
  return core.has(id) && !id.endsWith("start-cell.js");
}

/**
 * A script in Latin-1 takes half the memory of one that is not.
 *
 * @param {string} code
 */
const escapeCode = (code) =>
  code.replace(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

const minify = { compress: false, mangle: false, codegen: { removeWhitespace: true } };

const bundle = await rolldown({
  input: join(directory, "start-cell.js"),
  platform: "node",
  preserveEntrySignatures: "allow-extension",
  plugins: [imports],
});
const { output } = await bundle.generate({
  format: "cjs",
  entryFileNames: "cell.cjs",
  chunkFileNames: "cell-[name].cjs",
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [
      { name: "core", test: isCore, priority: 3 },
      ...Object.entries(families).map(([name, test]) => ({ name, test, priority: 2 })),
    ],
  },
  minify,
});
await bundle.close();
const chunks = output.filter((one) => one.type === "chunk");
for (const { fileName, code } of chunks)
  writeFileSync(join(directory, fileName), escapeCode(code), "latin1");

const main = await rolldown({
  input: join(directory, "main.js"),
  platform: "node",
  // Loaded only where there is no build.
  external: (id) => id.endsWith("start-cell.js"),
});
await main.write({ file: join(directory, "main.cjs"), format: "cjs", minify });
await main.close();

// What a first command runs is compiled by then, and goes into the cache.
const { CellScripts } = await import(pathToFileURL(join(directory, "load-cell.js")).href);
const scripts = new CellScripts(directory);
await scripts.run("cell.cjs").warmCell();
for (const { fileName } of chunks)
  writeFileSync(join(directory, `${fileName}.cache`), scripts.find(fileName).createCachedData());
