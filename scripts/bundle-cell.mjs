// Makes a few scripts of all the code a cell loads, and V8's code cache for each: a cell starts in a
// third of the time it takes module by module. cell-core.cjs is what every VM needs; families of large
// programs are scripts of their own, read when one of them first runs, so that a VM which never runs
// awk does not hold it. Names of functions stay, for stack traces in the log.
// Run on the pinned Node by ensure-dist.mjs: `bundle-cell.mjs <dist>`.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const dist = process.argv[2];
if (dist === undefined) throw new Error("usage: bundle-cell.mjs <dist>");
const directory = join(dist, "vm", "cell");

/** Which modules are apart from the core. A module that the core needs, too, is in the core. */
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
/** @param {string} id */
const isApart = (id) => Object.values(families).some((family) => family.test(id));

const bundle = await rolldown({
  input: join(directory, "start-cell.js"),
  platform: "node",
  preserveEntrySignatures: "allow-extension",
});
const { output } = await bundle.generate({
  format: "cjs",
  entryFileNames: "cell.cjs",
  chunkFileNames: "cell-[name].cjs",
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [
      ...Object.entries(families).map(([name, test]) => ({ name, test, priority: 2 })),
      { name: "core", test: (id) => !isApart(id) && !id.endsWith("start-cell.js"), priority: 1 },
    ],
  },
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
});
await bundle.close();
const chunks = output.filter((one) => one.type === "chunk");
for (const { fileName, code } of chunks) {
  // A script in Latin-1 takes half the memory of one that is not.
  const escaped = code.replace(
    /[^\0-\xff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  writeFileSync(join(directory, fileName), escaped, "latin1");
}

// What a first command runs is compiled by then, and goes into the cache.
const { CellScripts } = await import(pathToFileURL(join(directory, "load-cell.js")).href);
const scripts = new CellScripts(directory);
await scripts.run("cell.cjs").warmImage();
for (const { fileName } of chunks)
  writeFileSync(join(directory, `${fileName}.cache`), scripts.find(fileName).createCachedData());
