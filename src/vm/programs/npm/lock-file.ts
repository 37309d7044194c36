/** package-lock.json, version 3: what is installed where, and where it came from. */
import type { Sys } from "../../../kernel/index.ts";
import { relativePath } from "../relative-path.ts";
import { dependencyFlags } from "./dependency-flags.ts";
import {
  compareInEnglish,
  findText,
  isList,
  isObject,
  type Json,
  type JsonObject,
  property,
  textEntries,
} from "./json.ts";
import {
  findJsonFile,
  type JsonFile,
  type Layout,
  layOut,
  packageBins,
  packageName,
  packageScripts,
  packageVersion,
} from "./manifest.ts";
import type { PackageTree, TreePackage } from "./package-tree.ts";
import { below, lastPart, resolveFrom } from "./paths.ts";

/** Where a package came from. */
export interface Resolved {
  /** A tarball's absolute path, or a URL. */
  readonly resolved: string | undefined;
  readonly integrity: string | undefined;
}

export async function findLock(sys: Sys, root: string): Promise<JsonFile | undefined> {
  return (
    (await findJsonFile(sys, below(root, "npm-shrinkwrap.json"))) ??
    (await findJsonFile(sys, below(root, "package-lock.json")))
  );
}

/** The entries of a lock file by the absolute paths they are about. */
export function lockEntries(root: string, lock: JsonObject | undefined): Map<string, JsonObject> {
  const entries = new Map<string, JsonObject>();
  const packages = property(lock, "packages");
  if (isObject(packages))
    for (const [place, entry] of Object.entries(packages))
      if (isObject(entry)) entries.set(resolveFrom(root, place), entry);
  return entries;
}

export function lockResolved(root: string, lock: JsonObject | undefined): Map<string, Resolved> {
  const found = new Map<string, Resolved>();
  for (const [path, entry] of lockEntries(root, lock)) {
    const text = findText(entry, "resolved");
    if (property(entry, "link") === true || text === undefined) continue;
    const resolved = text.startsWith("file:") ? resolveFrom(root, text.slice(5)) : text;
    found.set(path, { resolved, integrity: findText(entry, "integrity") });
  }
  return found;
}

/** Keys that come first, as npm writes them. */
const firstKeys =
  "name version lockfileVersion resolved integrity requires packages dependencies".split(" ");

/** In npm's order: texts, numbers and lists before objects. */
function inOrder(object: Readonly<Record<string, Json | undefined>>): JsonObject {
  const rank = ([key, value]: [string, Json | undefined]): number => {
    const place = firstKeys.indexOf(key);
    return (isObject(value) ? 100 : 0) + (place === -1 ? 50 : place);
  };
  return Object.fromEntries(
    Object.entries(object)
      .filter(([, value]) => value !== undefined)
      .toSorted((a, b) => rank(a) - rank(b) || compareInEnglish(a[0], b[0])),
  );
}

export interface LockFacts {
  readonly tree: PackageTree;
  readonly resolved: ReadonlyMap<string, Resolved>;
  /** Links that stand for the package itself, because its files are the host's software. */
  readonly isSoftware: (realPath: string) => boolean;
}

/** The lock file of a tree; the hidden one in node_modules is the same without the project. */
export function makeLock({ tree, resolved, isSoftware }: LockFacts, isHidden: boolean): JsonObject {
  const { root } = tree;
  const place = (path: string): string => (path === root.path ? "" : relativePath(root.path, path));
  const flags = dependencyFlags(tree);
  const entries = new Map<string, JsonObject>();
  if (!isHidden) entries.set("", rootEntry(root));
  for (const one of tree.packages.values()) {
    if (isSoftware(one.path)) continue;
    const marks = flags.get(one.path) ?? {};
    if (one.isLink && !isSoftware(one.realPath)) {
      entries.set(place(one.path), inOrder({ resolved: place(one.realPath), link: true }));
      entries.set(
        place(one.realPath),
        inOrder({ ...metadata(one), ...marks, name: linkName(one) }),
      );
      continue;
    }
    const { resolved: from, integrity } = resolved.get(one.path) ?? {};
    const where = from?.startsWith("/") === true ? `file:${place(from)}` : from;
    entries.set(
      place(one.path),
      inOrder({ ...metadata(one), ...marks, resolved: where, integrity, name: linkName(one) }),
    );
  }
  const sorted = [...entries].toSorted(([a], [b]) => compareInEnglish(a, b));
  return inOrder({
    name: packageName(root.manifest) ?? lastPart(root.path),
    version: packageVersion(root.manifest),
    lockfileVersion: 3,
    requires: true,
    packages: Object.fromEntries(sorted),
  });
}

/** A name is said where the folder has another. */
function linkName({ name, manifest, isLink, realPath }: TreePackage): string | undefined {
  const own = packageName(manifest);
  if (own === undefined) return undefined;
  if (own !== name) return own;
  return isLink && !realPath.endsWith(`/${own}`) ? own : undefined;
}

const copied = [
  "dependencies",
  "peerDependencies",
  "peerDependenciesMeta",
  "optionalDependencies",
  "bundleDependencies",
  "engines",
  "os",
  "cpu",
  "libc",
  "deprecated",
  "workspaces",
] as const;

function rootEntry({ manifest }: TreePackage): JsonObject {
  return inOrder({
    name: packageName(manifest),
    ...fieldsOf(manifest),
    devDependencies: filled(property(manifest, "devDependencies")),
  });
}

function metadata({ manifest, isWorkspace }: TreePackage): JsonObject {
  return {
    ...fieldsOf(manifest),
    ...(isWorkspace ? { devDependencies: filled(property(manifest, "devDependencies")) } : {}),
  };
}

function fieldsOf(manifest: JsonObject): JsonObject {
  const fields = copied.map((key): [string, Json | undefined] => [
    key,
    filled(property(manifest, key)),
  ]);
  const bins = [...packageBins(manifest)];
  const scripts = packageScripts(manifest);
  const hasScript = ["preinstall", "install", "postinstall"].some((event) => scripts.has(event));
  return {
    version: packageVersion(manifest),
    ...Object.fromEntries(fields),
    bin: bins.length === 0 ? undefined : Object.fromEntries(bins),
    hasInstallScript: hasScript ? true : undefined,
    license: licenseOf(manifest),
    funding: fundingOf(property(manifest, "funding")),
  };
}

/** Undefined for what is empty. */
function filled(value: Json | undefined): Json | undefined {
  if (isList(value)) return value.length === 0 ? undefined : value;
  if (isObject(value))
    return textEntries(value).length === 0 && Object.keys(value).length === 0 ? undefined : value;
  return value;
}

function licenseOf(manifest: JsonObject): string | undefined {
  return findText(manifest, "license") ?? findText(property(manifest, "license"), "type");
}

function fundingOf(value: Json | undefined): Json | undefined {
  return typeof value === "string" ? { url: value } : value;
}

export function lockText(lock: JsonObject, layout: Layout): string {
  return layOut(lock, layout.newline === "" ? { indent: "  ", newline: "\n" } : layout);
}
