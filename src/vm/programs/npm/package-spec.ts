/** What a package is asked for by: a range, a folder, a tarball, an alias, or what needs a network. */
import { findText, type JsonObject } from "./json.ts";
import { isPackageName, packageName, packageVersion } from "./manifest.ts";
import { resolveFrom } from "./paths.ts";
import { parseRange, satisfies } from "./semver-range.ts";
import { parseVersion } from "./semver-version.ts";

export type PackageSpec =
  | {
      readonly kind: "registry";
      /** The package's own name, which for an alias is not the folder's. */
      readonly target: string;
      /** A version, a range or a tag. */
      readonly wanted: string;
      readonly isAlias: boolean;
    }
  | { readonly kind: "folder" | "tarball"; readonly path: string }
  | { readonly kind: "remote"; readonly raw: string };

/** What a dependency's value means; paths are seen from `folder`. */
export function parseSpec(name: string, spec: string, folder: string): PackageSpec {
  const text = spec.trim();
  if (text.startsWith("npm:")) {
    const { name: target, wanted } = splitNamed(text.slice(4));
    return { kind: "registry", target, wanted, isAlias: true };
  }
  if (text.startsWith("workspace:"))
    return { kind: "registry", target: name, wanted: text.slice(10) || "*", isAlias: false };
  if (isPath(text)) return parsePath(text, folder);
  if (
    /^(?:git|https?|ssh|github|gitlab|bitbucket|gist)[+:]/i.test(text) ||
    /^[^@\s]+\/[^\s]+$/.test(text)
  )
    return { kind: "remote", raw: text };
  return { kind: "registry", target: name, wanted: text, isAlias: false };
}

/** What stands on the command line: with its name, where it has one. */
export function parseWord(
  word: string,
  folder: string,
): { readonly name: string | undefined; readonly spec: PackageSpec; readonly hasVersion: boolean } {
  if (isPath(word)) return { name: undefined, spec: parsePath(word, folder), hasVersion: false };
  const { name, wanted } = splitNamed(word);
  if (!isPackageName(name))
    return { name: undefined, spec: { kind: "remote", raw: word }, hasVersion: false };
  const hasVersion = wanted !== "";
  return { name, spec: parseSpec(name, hasVersion ? wanted : "latest", folder), hasVersion };
}

function splitNamed(text: string): { readonly name: string; readonly wanted: string } {
  const at = text.indexOf("@", 1);
  return at === -1
    ? { name: text, wanted: "" }
    : { name: text.slice(0, at), wanted: text.slice(at + 1) };
}

function isPath(text: string): boolean {
  return (
    /^(?:file:|\.{0,2}\/|~\/)/.test(text) ||
    text === "." ||
    text === ".." ||
    (/\.(?:tgz|tar\.gz|tar)$/i.test(text) && !text.includes("://") && !/^@?[^/@]+@/.test(text))
  );
}

function parsePath(text: string, folder: string): PackageSpec {
  const path = text.replace(/^file:(?:\/\/(?=\/))?/, "").replace(/^~\//, "/home/user/");
  const kind = /\.(?:tgz|tar\.gz|tar)$/i.test(path) ? "tarball" : "folder";
  return { kind, path: resolveFrom(folder, path) };
}

/** Whether a package found in a registry's stead is what is wanted. A tag is taken for any release. */
export function isWanted(
  manifest: JsonObject,
  { target, wanted }: { readonly target: string; readonly wanted: string },
): boolean {
  if ((packageName(manifest) ?? target) !== target) return false;
  const version = packageVersion(manifest);
  const range = parseRange(wanted);
  if (range === undefined || wanted.trim() === "" || wanted.trim() === "*") return true;
  return version !== undefined && satisfies(version, range);
}

/** What package.json says of a package that was asked for by version: `^1.2.3`, or the range given. */
export function savedRange(manifest: JsonObject, wanted: string, prefix: string): string {
  const text = findText(manifest, "version");
  const version = text === undefined ? undefined : parseVersion(text);
  if (version === undefined) return "*";
  const range = parseVersion(wanted) === undefined ? parseRange(wanted) : undefined;
  if (range === undefined || wanted.trim() === "") return `${prefix}${version.text}`;
  const { major, minor, patch } = version;
  const last =
    prefix === "^" && major > 0
      ? `${major}.999999.999999`
      : prefix === "" || (prefix === "^" && minor === 0)
        ? `${major}.${minor}.${patch}`
        : `${major}.${minor}.999999`;
  return satisfies(last, range) ? `${prefix}${version.text}` : wanted.trim();
}
