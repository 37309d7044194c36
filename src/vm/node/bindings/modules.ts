// package.json files as node_modules.cc reads them: each once, for as long as the process lives.
import { CallError, call } from "../channel.ts";
import { codedError, uvErrors, uvNumber } from "../errors.ts";
import { native } from "../native.ts";
import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";
import { filePathOf, invalidUrl } from "./modules/file-path-of.ts";

/** name, main, type, imports, exports, path: what deserializePackageJSON of lib expects. */
type PackageJson = [
  string | undefined,
  string | undefined,
  string,
  string | undefined,
  string | undefined,
  string,
];

/** Guests may give all objects properties; those are not a package's. */
const { hasOwn } = Object;

const known = new Map<string, PackageJson | undefined>();

/** The compile cache keeps code between processes; a VM has none, and says so. */
const DISABLED = 3;

export const modules = (): Binding => ({
  ...staticsOf("modules"),
  readPackageJSON: (path: string, isEsm: boolean, base?: string, specifier?: string) =>
    read(path, isEsm ? importing(base, specifier) : ""),
  parsePackageJSON: (
    text: string,
    path: string,
    isEsm?: boolean,
    base?: string,
    specifier?: string,
  ) => parse(text, path, isEsm === true ? importing(base, specifier) : ""),
  getNearestParentPackageJSON: nearest,
  getNearestParentPackageJSONType: (path: string) => nearest(path)?.[2],
  getPackageScopeConfig: scope,
  getPackageType(resolved: string): string | undefined {
    const found = scope(resolved);
    return typeof found === "string" ? undefined : found[2];
  },
  enableCompileCache(directory: unknown): unknown[] {
    if (typeof directory !== "string") throw invalidArgument("cacheDir should be a string");
    return [DISABLED, "Code is not kept between the processes of a VM", undefined];
  },
  getCompileCacheDir: () => "",
  flushCompileCache(isKept: unknown): void {
    if (isKept !== undefined && typeof isKept !== "boolean")
      throw invalidArgument("keepDeserializedCache should be a boolean");
  },
  getCompileCacheEntry: () => undefined,
  saveCompileCacheEntry: () => undefined,
});

function invalidArgument(message: string): Error {
  return codedError(TypeError as ErrorConstructor, "ERR_INVALID_ARG_TYPE", message);
}

/** Who asks, for the message of an error. */
function importing(base: string | undefined, specifier: string | undefined): string {
  return base === undefined ? "" : ` while importing "${specifier}" from ${filePathOf(base)}`;
}

function read(path: string, asker: string): PackageJson | undefined {
  if (known.has(path)) return known.get(path);
  const text = readText(path);
  const found = text === undefined ? undefined : parse(text, path, asker);
  known.set(path, found);
  return found;
}

function readText(path: string): string | undefined {
  try {
    const bytes: Uint8Array = call("readWhole", path);
    return native["buffer"].utf8Slice(bytes, 0, bytes.length);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    if (["ENOENT", "ENOTDIR", "EISDIR"].includes(error.code)) return undefined;
    const words = uvErrors.get(uvNumber(error.code))?.[1] ?? error.code;
    throw invalidConfig(`Cannot read package config ${path}: ${words}.`);
  }
}

function invalidConfig(message: string): Error {
  return codedError(Error, "ERR_INVALID_PACKAGE_CONFIG", message);
}

function parse(text: string, path: string, asker: string): PackageJson {
  const json = parseObject(text.startsWith("\ufeff") ? text.slice(1) : text);
  const own = (key: string): unknown =>
    json !== undefined && hasOwn(json, key) ? json[key] : undefined;
  const name = own("name");
  const type = own("type");
  const isText = (value: unknown): boolean => value === undefined || typeof value === "string";
  if (json === undefined || !isText(name) || !isText(type))
    throw invalidConfig(`Invalid package config ${path}${asker}.`);
  return [
    textOr(name),
    textOr(own("main")),
    type === "module" || type === "commonjs" ? type : "none",
    asText(own("imports")),
    asText(own("exports")),
    path,
  ];
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const json: unknown = JSON.parse(text);
    const isObject = typeof json === "object" && json !== null && !Array.isArray(json);
    return isObject ? (json as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function textOr(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Objects and lists as JSON; a text as it is; anything else as absent. */
function asText(value: unknown): string | undefined {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : textOr(value);
}

/** The package.json in the nearest directory above a file; none is looked for in the root. */
function nearest(file: string): PackageJson | undefined {
  for (let at = file.lastIndexOf("/"); at > 0; at = file.lastIndexOf("/", at - 1)) {
    const directory = file.slice(0, at);
    if (directory.endsWith("/node_modules")) return undefined;
    const found = read(`${directory}/package.json`, "");
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The nearest package of a resolved URL, or the path where the last one would have been. */
function scope(resolved: string): PackageJson | string {
  const file = filePathOf(resolved);
  if (file === undefined) throw invalidUrl(resolved);
  for (let at = file.lastIndexOf("/"); ; at = file.lastIndexOf("/", at - 1)) {
    const path = `${file.slice(0, at)}/package.json`;
    if (path.endsWith("/node_modules/package.json")) return path;
    const found = read(path, "");
    if (found !== undefined) return found;
    if (at === 0) return path;
  }
}
