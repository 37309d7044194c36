import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { distUrl } from "../support/dist.ts";

const STATIC_IMPORT = /^import (?:[^"]* from )?"(\.[^"]+)";$/gm;
const LATER_IMPORT = /\bimport\("(\.[^"]+)"\)/g;

function importsOf(file: string, pattern: RegExp): string[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(pattern)].map(([, name = ""]) => join(dirname(file), name));
}

/** Files that are loaded along with these. */
function filesWith(files: readonly string[]): Set<string> {
  const all = new Set(files);
  for (const file of all) for (const one of importsOf(file, STATIC_IMPORT)) all.add(one);
  return all;
}

it("commands load no file that needs a Node newer than the user's", () => {
  const entry = filesWith([fileURLToPath(distUrl("mcp-server/main.js"))]);
  const commands = [...entry].flatMap((file) => importsOf(file, LATER_IMPORT));
  expect(commands.length).toBeGreaterThanOrEqual(8);
  const loaded = [...filesWith([...entry, ...commands])];
  expect(loaded.filter((file) => readFileSync(file, "utf8").includes('"node:sqlite"'))).toEqual([]);
});
