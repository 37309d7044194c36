import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import type * as StartCell from "./start-cell.ts";

type CellCode = typeof StartCell;

/**
 * A cell's code. In dist it is one script, cell.cjs, with V8's code cache beside it, and compiles
 * nothing at start; a cache of another V8 is refused by V8 and costs only time. From the sources it
 * is loaded module by module.
 */
export async function loadCell(): Promise<CellCode> {
  const path = fileURLToPath(new URL("./cell.cjs", import.meta.url));
  if (!existsSync(path)) return import("./start-cell.ts");
  return runScript(path, makeScript(path)).exports;
}

/** The script, with its cache where there is one. */
export function makeScript(path: string): Script {
  const cache = `${path}.cache`;
  const source = `(function (exports, require, module) {${readFileSync(path, "utf8")}\n})`;
  const cachedData = existsSync(cache) ? readFileSync(cache) : undefined;
  return new Script(source, {
    filename: path,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
}

export function runScript(path: string, script: Script): { exports: CellCode } {
  const module: { exports: object } = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(path), module);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the build makes the script from start-cell.ts
  return module as { exports: CellCode };
}
