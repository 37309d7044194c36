/** package.json: read, looked at, and written back the way it was laid out. */
import { isKernelError, type Sys } from "../../../kernel/index.ts";
import { fileFailure, NpmFailure } from "./failure.ts";
import { findFile, writeFile } from "./files.ts";
import {
  compareInEnglish,
  findText,
  isObject,
  type JsonObject,
  parseJson,
  property,
  textEntries,
} from "./json.ts";
import { below } from "./paths.ts";
import { parseVersion } from "./semver-version.ts";

/** Longer files are none of ours. */
const LENGTH_LIMIT = 16 * 1024 * 1024;

export interface Layout {
  readonly indent: string;
  readonly newline: string;
}

export interface JsonFile {
  readonly path: string;
  readonly content: JsonObject;
  readonly layout: Layout;
}

export const usualLayout: Layout = { indent: "  ", newline: "\n" };

/** A folder's package.json; undefined where there is none. Fails with an NpmFailure. */
export async function findManifest(sys: Sys, folder: string): Promise<JsonFile | undefined> {
  return findJsonFile(sys, below(folder, "package.json"));
}

/** Fails with an NpmFailure where there is none, too. */
export async function getManifest(sys: Sys, folder: string): Promise<JsonFile> {
  const manifest = await findManifest(sys, folder);
  if (manifest !== undefined) return manifest;
  throw fileFailure(
    "ENOENT",
    "open",
    below(folder, "package.json"),
    "Could not read package.json: Error: ",
  );
}

export async function findJsonFile(sys: Sys, path: string): Promise<JsonFile | undefined> {
  const text = await readText(sys, path);
  if (text === undefined) return undefined;
  if (text.length > LENGTH_LIMIT) throw parseFailure("it is too long");
  let content: unknown;
  try {
    content = parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw parseFailure(describeSyntax(error, text));
  }
  return { path, content: isObject(content) ? content : {}, layout: layoutOf(text) };
}

async function readText(sys: Sys, path: string): Promise<string | undefined> {
  try {
    return await findFile(sys, path);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw fileFailure(error.errno, "open", path);
  }
}

function parseFailure(words: string): NpmFailure {
  return new NpmFailure(
    `Invalid package.json: JSONParseError: ${words}\nFailed to parse JSON data.\nNote: package.json must be actual JSON, not just JavaScript.`,
    { code: "EJSONPARSE", label: "JSON.parse" },
  );
}

function describeSyntax(error: SyntaxError, text: string): string {
  if (text.trim() === "") return "Unexpected end of JSON input while parsing empty string";
  const words = error.message
    .replace(/ \(line \d+ column \d+\)/, "")
    .replace(/, "?(?:\.\.\.)?[^]*$/, "");
  const at = Number(/position (\d+)/.exec(words)?.[1] ?? 0);
  const [start, end] = [Math.max(0, at - 40), Math.min(text.length, at + 40)];
  const part = `${start === 0 ? "" : "..."}${text.slice(start, end)}${end === text.length ? "" : "..."}`;
  const near = part.length === text.length ? "" : "near ";
  return `${words} while parsing ${near}${JSON.stringify(part)}`;
}

/** What is on one line stays there. */
function layoutOf(text: string): Layout {
  if (/^\s*\{\s*\}\s*$/.test(text)) return usualLayout;
  const match = /^\s*[{[]((?:\r?\n)+)([\s\t]*)/.exec(text);
  return { indent: match?.[2] ?? "", newline: match?.[1]?.slice(-2).replace("\n\n", "\n") ?? "" };
}

export function layOut(content: JsonObject, { indent, newline }: Layout): string {
  return `${JSON.stringify(content, null, indent)}\n`.replaceAll("\n", newline);
}

export async function writeJsonFile(sys: Sys, { path, content, layout }: JsonFile): Promise<void> {
  await writeFile(sys, path, layOut(content, layout));
}

export function packageName(content: JsonObject): string | undefined {
  return findText(content, "name");
}

/** In semver's own spelling, where it is one. */
export function packageVersion(content: JsonObject): string | undefined {
  const text = findText(content, "version");
  return text === undefined ? undefined : (parseVersion(text)?.text ?? text);
}

/** `name@version`; undefined without one of them. */
export function packageId(content: JsonObject): string | undefined {
  const [name, version] = [packageName(content), packageVersion(content)];
  return name === undefined || version === undefined ? undefined : `${name}@${version}`;
}

export function packageScripts(content: JsonObject): Map<string, string> {
  return new Map(textEntries(property(content, "scripts")));
}

/** Commands by their names, with the files that are them. Paths never leave the package. */
export function packageBins(content: JsonObject): Map<string, string> {
  const bin = property(content, "bin");
  const name = packageName(content);
  const entries: [string, string][] =
    typeof bin === "string" ? (name === undefined ? [] : [[name, bin]]) : textEntries(bin);
  const bins = new Map<string, string>();
  for (const [command, file] of entries) {
    const base = command.slice(command.lastIndexOf("/") + 1);
    const path = normalizeInside(file);
    if (base !== "" && base !== "." && base !== ".." && path !== "") bins.set(base, path);
  }
  return bins;
}

/** A path below the package, `..` not leaving it. */
function normalizeInside(path: string): string {
  const parts: string[] = [];
  for (const part of path.replaceAll("\\", "/").split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

export type DependencyKind = "prod" | "dev" | "optional" | "peer" | "peerOptional";

/** The fields that hold dependencies. */
export const dependencyFields = {
  prod: "dependencies",
  dev: "devDependencies",
  optional: "optionalDependencies",
  peer: "peerDependencies",
} as const;

export interface Dependency {
  readonly name: string;
  readonly spec: string;
  readonly kind: DependencyKind;
}

/** What a package needs. Only a project's own devDependencies count; an optional one is that alone. */
export function dependenciesOf(content: JsonObject, isProject: boolean): Dependency[] {
  const found = new Map<string, Dependency>();
  const add = (kind: DependencyKind, field: string): void => {
    for (const [name, spec] of textEntries(property(content, field)))
      if (isPackageName(name) && !(kind === "peer" && found.has(name)))
        found.set(name, { name, spec, kind: kind === "peer" ? peerKind(content, name) : kind });
  };
  if (isProject) add("dev", dependencyFields.dev);
  add("prod", dependencyFields.prod);
  add("optional", dependencyFields.optional);
  add("peer", dependencyFields.peer);
  return [...found.values()].toSorted((a, b) => compareInEnglish(a.name, b.name));
}

function peerKind(content: JsonObject, name: string): DependencyKind {
  const meta = property(property(content, "peerDependenciesMeta"), name);
  return property(meta, "optional") === true ? "peerOptional" : "peer";
}

/** A name that is a folder's, with one scope at most: never a path that leads elsewhere. */
export function isPackageName(name: string): boolean {
  return (
    name.length <= 214 &&
    /^(?:@[^/@\s\\.][^/@\s\\]*\/)?[^/@\s\\._][^/@\s\\]*$/.test(name) &&
    name !== "node_modules"
  );
}

/** Fails with an NpmFailure for a name that is none. */
export function requirePackageName(name: string): string {
  if (isPackageName(name)) return name;
  throw new NpmFailure(`Invalid package name "${name.slice(0, 214)}"`, {
    code: "EINVALIDPACKAGENAME",
  });
}
