import { call } from "../channel.ts";
import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

/** name, main, type, imports, exports, path: what deserializePackageJSON of lib expects. */
type PackageJson = [unknown, unknown, string, unknown, unknown, string];

const known = new Map<string, PackageJson | undefined>();

export const modules = (): Binding => ({
  ...staticsOf("modules"),
  readPackageJSON: (path: string, isEsm: boolean, base?: string, specifier?: string) =>
    read(path, { isEsm, base, specifier }),
  parsePackageJSON: (text: string, path: string) => parse(text, path, {}),
  getNearestParentPackageJSON: nearest,
  getNearestParentPackageJSONType: (path: string) => nearest(path)?.[2] ?? "none",
  getPackageScopeConfig: (resolved: string) => scope(resolved),
  getPackageType: (resolved: string) => {
    const found = scope(resolved);
    return typeof found === "string" ? undefined : found?.[2] === "none" ? undefined : found?.[2];
  },
  enableCompileCache: () => [3],
  getCompileCacheDir: () => undefined,
  flushCompileCache: () => undefined,
  getCompileCacheEntry: () => undefined,
  saveCompileCacheEntry: () => undefined,
});

interface Asker {
  readonly isEsm?: boolean;
  readonly base?: string | undefined;
  readonly specifier?: string | undefined;
}

function read(path: string, asker: Asker): PackageJson | undefined {
  if (known.has(path)) return known.get(path);
  const text: string | null = call("readText", path);
  const found = text === null ? undefined : parse(text, path, asker);
  known.set(path, found);
  return found;
}

function parse(text: string, path: string, { base, specifier }: Asker): PackageJson {
  let json: Record<string, unknown>;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw invalidPackage(path, { base, specifier, cause: error });
  }
  if (typeof json !== "object" || json === null || Array.isArray(json)) json = {};
  const { name, main, type, imports, exports } = json;
  return [
    typeof name === "string" ? name : undefined,
    typeof main === "string" ? main : undefined,
    type === "module" || type === "commonjs" ? type : "none",
    asText(imports),
    asText(exports),
    path,
  ];
}

/** Objects and lists as JSON, texts as JSON of a text only where they would be taken for one. */
function asText(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === "object" && value !== null) return JSON.stringify(value);
  return typeof value === "string" ? value : null;
}

function invalidPackage(path: string, { base, specifier, cause }: Asker & { cause: unknown }): Error {
  const from = base === undefined ? "" : specifier === undefined ? ` while importing ${base}` : ` "${specifier}" from ${base}`;
  const why = cause instanceof Error ? ` ${cause.message}` : "";
  const error: Error & { code?: string } = new Error(`Invalid package config ${path}.${from === "" ? "" : `${from}.`}${why}`);
  error.code = "ERR_INVALID_PACKAGE_CONFIG";
  return error;
}

/** The package.json in the nearest directory above a file. */
function nearest(file: string): PackageJson | undefined {
  for (let at = file.lastIndexOf("/"); at >= 0; at = file.lastIndexOf("/", at - 1)) {
    const directory = file.slice(0, at);
    if (directory.endsWith("/node_modules")) return undefined;
    const found = read(`${directory}/package.json`, {});
    if (found !== undefined) return found;
    if (at === 0) return undefined;
  }
  return undefined;
}

/** The nearest package of a resolved URL, or the path where the last one would be. */
function scope(resolved: string): PackageJson | string {
  const path = decodeURIComponent(resolved.replace(/^file:\/\//, "").replace(/[?#].*$/s, ""));
  return nearest(path) ?? "/package.json";
}
