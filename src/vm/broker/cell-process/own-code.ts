// Which files of the host a cell may read: the code it runs, and what the operating system's loader
// needs to start the Node binary.
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { findDependency, packageRoot } from "../../package-root.ts";

/** npm packages that run inside a cell. */
const packagesInCell = ["yaml"];

/** This package's compiled (or, in development, source) folder, its manifest, and its dependencies. */
export function ownCode(): string[] {
  const root = packageRoot();
  const here = fileURLToPath(import.meta.url);
  const code = join(root, here.startsWith(join(root, "src")) ? "src" : "dist");
  return [code, join(root, "package.json"), ...packagesInCell.map(packageFolder)];
}

/** The paths that exist, and where their symbolic links lead: a cell walks from one to the other. */
export function withRealPaths(paths: readonly string[]): string[] {
  const existing = paths.filter((path) => existsSync(path)).map((path) => resolve(path));
  return [...new Set(existing.flatMap((path) => [path, realpathSync(path)]))];
}

/**
 * The shared libraries this process runs with: a cell runs the same binary. Read from
 * /proc/self/maps, so that it is right for every distribution; the linker's cache is added.
 */
export function loaderFiles(): string[] {
  const mapped = readFileSync("/proc/self/maps", "utf8")
    .split("\n")
    .map((line) => line.slice(line.indexOf("/")))
    .filter((path) => path.startsWith("/") && /\.so(\.|$)/.test(path) && existsSync(path));
  return [...new Set([...mapped, ...mapped.flatMap(namesOf), ...loaders, "/etc/ld.so.cache"])];
}

/** Programs name their loader by these paths, which may lead over links. */
const loaders = ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"].filter((path) =>
  existsSync(path),
);

/** The names in a library's folder that lead to it: programs ask for `libm.so.6`, and get what that is a link to. */
function namesOf(library: string): string[] {
  const folder = dirname(library);
  const stem = basename(library).replace(/\.so.*/, ".so");
  return readdirSync(folder)
    .filter((name) => name.startsWith(stem))
    .map((name) => join(folder, name))
    .filter((path) => path !== library && isLinkTo(path, library));
}

function isLinkTo(path: string, target: string): boolean {
  return lstatSync(path).isSymbolicLink() && existsSync(path) && realpathSync(path) === target;
}

/** The links of the root, such as /lib where it is usr/lib: name and target. */
export function rootLinks(): (readonly [string, string])[] {
  return readdirSync("/")
    .map((name) => `/${name}`)
    .filter((path) => lstatSync(path).isSymbolicLink())
    .map((path) => [path, readlinkSync(path)] as const);
}

/** Throws where the package is not installed: no cell could run. */
function packageFolder(name: string): string {
  const folder = findDependency(name);
  if (folder === undefined) throw new Error(`the package ${name} is not installed`);
  return folder;
}
