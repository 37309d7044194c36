import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import type * as StartCell from "./start-cell.ts";

type CellCode = typeof StartCell;

/**
 * A cell's code. In dist it is a few scripts, cell.cjs and those it asks for, with V8's code cache
 * beside each, and compiles nothing at start; a cache of another V8 is refused by V8 and costs only
 * time. From the sources it is loaded module by module.
 */
export async function loadCell(): Promise<CellCode> {
  const directory = fileURLToPath(new URL(".", import.meta.url));
  if (!existsSync(join(directory, "cell.cjs"))) return import("./start-cell.ts");
  return new CellScripts(directory).run("cell.cjs");
}

/** The scripts of one directory: each is read and run when another first asks for it. */
export class CellScripts {
  readonly #directory: string;
  readonly #require: NodeJS.Require;
  readonly #scripts = new Map<string, Script>();
  readonly #modules = new Map<string, { exports: object }>();

  constructor(directory: string) {
    this.#directory = directory;
    this.#require = createRequire(join(directory, "cell.cjs"));
  }

  /** Runs the script that the build makes from start-cell.ts. */
  run(name: string): CellCode {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the build makes the script from start-cell.ts
    return this.#load(name) as CellCode;
  }

  /** The script, with its cache where there is one. */
  find(name: string): Script {
    const existing = this.#scripts.get(name);
    if (existing !== undefined) return existing;
    const path = join(this.#directory, name);
    const cache = `${path}.cache`;
    const source = `(function (exports, require, module) {${readFileSync(path, "latin1")}\n})`;
    const script = new Script(source, {
      filename: path,
      ...(existsSync(cache) ? { cachedData: readFileSync(cache) } : {}),
    });
    this.#scripts.set(name, script);
    return script;
  }

  #load(name: string): object {
    const loaded = this.#modules.get(name);
    if (loaded !== undefined) return loaded.exports;
    const module: { exports: object } = { exports: {} };
    this.#modules.set(name, module);
    const require = (id: string): unknown =>
      id.startsWith("./") ? this.#load(id.slice(2)) : this.#require(id);
    this.find(name).runInThisContext()(module.exports, require, module);
    return module.exports;
  }
}
