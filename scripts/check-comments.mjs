// What no linter checks about comments: a disabled rule carries its reason after `--`, and a TODO
// its issue's number.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./find-command.mjs";

const folders = ["src", "test", "bench", "examples", "scripts", "bin"];
const rules = [
  {
    broken: /(?:oxlint|eslint)-disable(?!.* -- \S)/,
    says: "a disabled rule carries its reason after --",
  },
  { broken: /@ts-(?:ignore|nocheck)/, says: "types are not switched off" },
  { broken: /\/[/*].*\b(?:TODO|FIXME|XXX|HACK)\b(?!.*#\d)/, says: "a TODO names its issue: #12" },
];

let found = 0;
for (const folder of folders) {
  for (const file of sourcesBelow(folder)) check(file);
}
process.exitCode = found === 0 ? 0 : 1;

/** @param {string} file */
function check(file) {
  const lines = readFileSync(join(projectRoot, file), "utf8").split("\n");
  for (const [index, line] of lines.entries()) {
    for (const { broken, says } of rules) {
      if (!broken.test(line)) continue;
      found += 1;
      process.stdout.write(`${file}:${index + 1}: ${says}\n`);
    }
  }
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function sourcesBelow(folder) {
  const self = "scripts/check-comments.mjs";
  try {
    return readdirSync(join(projectRoot, folder), { recursive: true, encoding: "utf8" })
      .map((name) => join(folder, name))
      .filter((file) => /\.[cm]?[jt]s$/.test(file) && file !== join(self));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
