/** Workspaces: the packages that a project's `workspaces` patterns name. */
import type { Sys } from "../../../kernel/index.ts";
import { compilePattern } from "../../shell/expansion/pattern.ts";
import { readDirectory } from "../directory.ts";
import { findStat } from "../run-command.ts";
import { NpmFailure } from "./failure.ts";
import { type JsonObject, property, textList } from "./json.ts";
import { findManifest, getManifest, packageName, requirePackageName } from "./manifest.ts";
import type { NpmRun } from "./npm-run.ts";
import { below, isInside, lastPart, resolveFrom } from "./paths.ts";

/** Folders looked at for all patterns together. */
const FOLDER_LIMIT = 10_000;
const DEPTH_LIMIT = 16;

export interface Workspace {
  readonly name: string;
  readonly path: string;
  readonly manifest: JsonObject;
}

export function workspacePatterns(manifest: JsonObject): string[] {
  const value = property(manifest, "workspaces");
  const list = textList(value);
  return list.length > 0 ? list : textList(property(value, "packages"));
}

export async function findWorkspaces(
  sys: Sys,
  root: string,
  manifest: JsonObject,
): Promise<Workspace[]> {
  const search = new Search(sys, root);
  const folders = new Set<string>();
  for (const pattern of workspacePatterns(manifest)) {
    const isNegative = pattern.startsWith("!");
    const path = pattern
      .replace(/^!/, "")
      .replace(/^\.?\//, "")
      .replace(/\/+$/, "");
    for (const folder of await search.match(path)) {
      if (isNegative) folders.delete(folder);
      else folders.add(folder);
    }
  }
  const workspaces: Workspace[] = [];
  for (const path of [...folders].toSorted()) {
    const file = await findManifest(sys, path);
    if (file === undefined) continue;
    const name = requirePackageName(packageName(file.content) ?? lastPart(path));
    workspaces.push({ name, path, manifest: file.content });
  }
  return workspaces;
}

class Search {
  readonly #sys: Sys;
  readonly #root: string;
  #left = FOLDER_LIMIT;

  constructor(sys: Sys, root: string) {
    this.#sys = sys;
    this.#root = root;
  }

  async match(pattern: string): Promise<string[]> {
    const parts = pattern.split("/").filter((part) => part !== "" && part !== ".");
    return parts.includes("..") ? [] : this.#below(this.#root, parts, 0);
  }

  async #below(folder: string, parts: readonly string[], depth: number): Promise<string[]> {
    const [first, ...rest] = parts;
    if (first === undefined) return folder === this.#root ? [] : [folder];
    if (depth > DEPTH_LIMIT) return [];
    if (first === "**") {
      const here = await this.#below(folder, rest, depth + 1);
      const inside = await this.#each(folder, "*", (child) => this.#below(child, parts, depth + 1));
      return [...here, ...inside];
    }
    return this.#each(folder, first, (child) => this.#below(child, rest, depth + 1));
  }

  async #each(
    folder: string,
    pattern: string,
    step: (child: string) => Promise<string[]>,
  ): Promise<string[]> {
    if (!/[*?[\]{}()!+@]/.test(pattern)) {
      const child = below(folder, pattern);
      return (await findStat(this.#sys, child))?.kind === "directory" ? step(child) : [];
    }
    const matcher = compilePattern(pattern);
    const found: string[] = [];
    for (const { name, kind } of await readDirectory(this.#sys, folder)) {
      if (kind !== "directory" || name.startsWith(".") || name === "node_modules") continue;
      this.#left -= 1;
      if (this.#left < 0)
        throw new NpmFailure(`The workspaces' patterns match more than ${FOLDER_LIMIT} folders.`);
      if (matcher.test(name)) found.push(...(await step(below(folder, name))));
    }
    return found;
  }
}

/** The workspaces that a run is about; undefined where it is about the project itself. */
export async function chosenWorkspaces(run: NpmRun): Promise<readonly Workspace[] | undefined> {
  const { sys, config, places } = run;
  const named = config.list("workspace");
  const isAll = config.is("workspaces");
  const isOff = config.isOff("workspaces");
  if (isOff || run.isGlobal) return undefined;
  const wanted =
    named.length > 0 ? named : isAll || places.workspace === undefined ? [] : [places.workspace];
  if (wanted.length === 0 && !isAll) return undefined;
  const manifest = await getManifest(sys, places.local);
  const all = await findWorkspaces(sys, places.local, manifest.content);
  const chosen = isAll && named.length === 0 ? all : all.filter((one) => isNamed(run, one, wanted));
  if (chosen.length === 0) throw missing(wanted);
  if (!config.is("include-workspace-root")) return chosen;
  const root = {
    name: packageName(manifest.content) ?? "",
    path: places.local,
    manifest: manifest.content,
  };
  return [root, ...chosen];
}

function isNamed(
  { places }: NpmRun,
  { name, path }: Workspace,
  wanted: readonly string[],
): boolean {
  return wanted.some((one) => {
    const place = resolveFrom(places.local, one);
    return (
      name === one ||
      path === place ||
      path === resolveFrom(places.cwd, one) ||
      isInside(path, place)
    );
  });
}

function missing(wanted: readonly string[]): NpmFailure {
  if (wanted.length === 0) return new NpmFailure("No workspaces found!");
  return new NpmFailure(
    ["No workspaces found:", `  ${wanted.map((one) => `--workspace=${one}`).join(" ")}`].join("\n"),
  );
}
