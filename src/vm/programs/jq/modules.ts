/** `import` and `include`: finding libraries, and putting their functions in scope. */
import { decodeText, isKernelError, O_CLOEXEC, O_RDONLY, type Sys } from "../../../kernel/index.ts";
import { readAllBytes } from "../read-all.ts";
import type { Compiler } from "./compiler.ts";
import { JsonParser } from "./json-parser.ts";
import { parseModule } from "./parse-module.ts";
import type { Scope } from "./scope.ts";
import { type Import, JqSyntaxError, type Module } from "./syntax.ts";
import type { Value } from "./value.ts";

const DEPTH_LIMIT = 32;

/** A library with those it imports itself, or data. */
export interface Loaded {
  readonly from: Import;
  readonly module: Module | undefined;
  readonly imports: readonly Loaded[];
  readonly data: Value;
}

/** Reads what a module imports. Fails with a JqSyntaxError. */
export async function loadImports(
  sys: Sys,
  module: Module,
  directories: readonly string[],
  depth = 0,
): Promise<readonly Loaded[]> {
  if (depth > DEPTH_LIMIT) throw new JqSyntaxError("modules import each other", 0);
  const loaded: Loaded[] = [];
  for (const from of module.imports) {
    const [first = "."] = directories;
    const places =
      from.search === undefined ? directories : [joinPath(first, from.search), ...directories];
    const text = await findText(sys, from, places);
    if (from.isData) {
      loaded.push({ from, module: undefined, imports: [], data: parseAll(text) });
    } else {
      const library = parseModule(text);
      const imports = await loadImports(sys, library, places, depth + 1);
      loaded.push({ from, module: library, imports, data: null });
    }
  }
  return loaded;
}

async function findText(sys: Sys, from: Import, directories: readonly string[]): Promise<string> {
  const ending = from.isData ? ".json" : ".jq";
  const base = from.path.split("/").at(-1) ?? "";
  const candidates = directories.flatMap((directory) => [
    `${joinPath(directory, from.path)}${ending}`,
    `${joinPath(directory, from.path)}/${base}${ending}`,
  ]);
  for (const path of candidates) {
    const text = await readText(sys, path);
    if (text !== undefined) return text;
  }
  const [directory = "."] = directories;
  throw new JqSyntaxError(`module not found: ${from.path}\n\nsearched in ${directory}`, 0);
}

async function readText(sys: Sys, path: string): Promise<string | undefined> {
  try {
    const fd = await sys.open(path, O_RDONLY | O_CLOEXEC);
    try {
      return decodeText(await readAllBytes(sys, fd));
    } finally {
      await sys.close(fd);
    }
  } catch (error) {
    if (isKernelError(error)) return undefined;
    throw error;
  }
}

function joinPath(directory: string, path: string): string {
  return path.startsWith("/") ? path : `${directory}/${path}`;
}

/** All values of a text. Fails with a JsonSyntaxError. */
export function parseAll(text: string): Value[] {
  const parser = new JsonParser();
  const values: Value[] = [];
  parser.push(text);
  for (let value = parser.next(); value !== undefined; value = parser.next()) values.push(value);
  const last = parser.end();
  if (last !== undefined) values.push(last);
  return values;
}

/** Adds what is imported to a scope. Data goes to `globals`. */
export function addImports(
  compiler: Compiler,
  scope: Scope,
  loaded: readonly Loaded[],
  globals: Map<string, Value>,
): Scope {
  let inside = scope;
  for (const { from, module, imports, data } of loaded) {
    const name = from.name ?? "";
    if (module === undefined) {
      globals.set(name.slice(1), data).set(`${name.slice(1)}::${name.slice(1)}`, data);
      continue;
    }
    let own = addImports(compiler, compiler.rootScope, imports, globals);
    for (const definition of module.definitions) {
      own = compiler.define(definition, own);
      const binding = own.find(`${definition.name}/${definition.params.length}`);
      const prefix = from.name === undefined ? "" : `${from.name}::`;
      if (binding !== undefined)
        inside = inside.with(`${prefix}${definition.name}/${definition.params.length}`, binding);
    }
  }
  return inside;
}
