/** Which files of a package go into its tarball: npm's rules, its `files`, .npmignore or .gitignore. */
import type { Sys } from "../../../kernel/index.ts";
import { readDirectory } from "../directory.ts";
import { findStat } from "../run-command.ts";
import { NpmFailure } from "./failure.ts";
import { findFile } from "./files.ts";
import { type IgnoreRule, parseRules } from "./ignore-rule.ts";
import { findText, type JsonObject, property, textList } from "./json.ts";
import { packageBins } from "./manifest.ts";
import { below, lastPart, parentOf } from "./paths.ts";

/** Files of one package, and folders in folders. */
const FILE_LIMIT = 100_000;
const DEPTH_LIMIT = 100;

/** Never in a tarball unless asked for by name. */
const defaultRules = parseRules(
  `.npmignore .gitignore **/.git **/.svn **/.hg **/CVS **/.git/** **/.svn/** **/.hg/** **/CVS/** /.lock-wscript
  /.wafpickle-* /build/config.gypi npm-debug.log **/.npmrc .*.swp .DS_Store **/.DS_Store/** ._* **/._*/** *.orig
  /archived-packages/**`.split(/\s+/),
);

/** Always, and never, whatever is asked for. */
const strictLines =
  "/.git !/package.json !/readme{,.*[^~$]} !/copying{,.*[^~$]} !/license{,.*[^~$]} !/licence{,.*[^~$]} /.git /node_modules .npmrc /package-lock.json /yarn.lock /pnpm-lock.yaml /bun.lockb".split(
    " ",
  );

export interface PackedFiles {
  /** Paths below the package, in the tarball's order. */
  readonly files: readonly string[];
  /** .gitignore stood in for a .npmignore. */
  readonly usesGitignore: boolean;
}

export async function findPackedFiles(
  sys: Sys,
  folder: string,
  manifest: JsonObject,
): Promise<PackedFiles> {
  const walk = new PackWalk(sys, folder);
  await walk.run(manifest);
  for (const name of bundledNames(manifest)) await walk.addAll(`node_modules/${name}`);
  return { files: [...walk.files].toSorted(compareForTar), usesGitignore: walk.usesGitignore };
}

function bundledNames(manifest: JsonObject): string[] {
  const bundled =
    property(manifest, "bundleDependencies") ?? property(manifest, "bundledDependencies");
  if (bundled === true) return Object.keys(property(manifest, "dependencies") ?? {});
  return textList(bundled);
}

/** By suffix, then name: alike files beside each other are smaller together. */
function compareForTar(a: string, b: string): number {
  const key = (path: string): [string, string] => {
    const base = lastPart(path).toLowerCase();
    const dot = base.lastIndexOf(".");
    return [dot <= 0 ? "" : base.slice(dot), base];
  };
  const [[suffixA, baseA], [suffixB, baseB]] = [key(a), key(b)];
  return (
    suffixA.localeCompare(suffixB, "en") ||
    baseA.localeCompare(baseB, "en") ||
    a.localeCompare(b, "en")
  );
}

/** A folder on the way, with the rules that hold from it on. */
interface Level {
  readonly parent: Level | undefined;
  readonly name: string;
  /** Seen from the package. */
  readonly path: string;
  readonly rules: readonly IgnoreRule[];
  /** The folder itself was asked for: what the ones above say of its files does not count. */
  readonly isExact: boolean;
  readonly required: readonly string[];
  readonly depth: number;
}

class PackWalk {
  readonly #sys: Sys;
  readonly #root: string;
  readonly files = new Set<string>();
  usesGitignore = false;

  constructor(sys: Sys, root: string) {
    this.#sys = sys;
    this.#root = root;
  }

  async run(manifest: JsonObject): Promise<void> {
    const { chosen, strict, required } = await this.#packageRules(manifest);
    const own = chosen ?? (await this.#ignoreFile("", true));
    const rules = [...defaultRules, ...own, ...strict];
    const root = { parent: undefined, name: "", path: "", isExact: false, depth: 0 };
    await this.#walk({ ...root, rules, required });
  }

  /** What package.json says: `files`, and what is always in. */
  async #packageRules(manifest: JsonObject): Promise<{
    readonly chosen: readonly IgnoreRule[] | undefined;
    readonly strict: readonly IgnoreRule[];
    readonly required: readonly string[];
  }> {
    const ignored: string[] = [];
    const strict = [...strictLines];
    const required: string[] = [];
    const files = property(manifest, "files");
    for (const given of textList(files)) {
      const file = given.replace(/^\.\//, "/").replace(/\/\*$/, "/**");
      const stat = await findStat(this.#sys, `${this.#root}/${file.replace(/^!+/, "")}`, true);
      if (stat?.kind === "file") {
        strict.unshift(`!${file}`);
        required.push(file.replace(/^\//, ""));
      } else if (stat?.kind === "directory")
        ignored.push(`!${file}`, `!${file.replace(/\/$/, "")}/**`);
      else if (stat === undefined) ignored.push(`!${file}`);
    }
    for (const file of [
      findText(manifest, "browser"),
      findText(manifest, "main"),
      ...packageBins(manifest).values(),
    ])
      if (file !== undefined) strict.push(`!/${file}`);
    const chosen = Array.isArray(files) ? parseRules(["*", ...ignored]) : undefined;
    return { chosen, strict: parseRules(strict), required };
  }

  async #ignoreFile(path: string, isRoot = false): Promise<readonly IgnoreRule[]> {
    for (const name of [".npmignore", ".gitignore"]) {
      const text = await findFile(this.#sys, `${this.#root}/${path}${name}`);
      if (text === undefined) continue;
      if (isRoot && name === ".gitignore") this.usesGitignore = true;
      return parseRules(text.split(/\r?\n/));
    }
    return [];
  }

  async #walk(level: Level): Promise<void> {
    if (level.depth > DEPTH_LIMIT)
      throw new NpmFailure(`${level.path} lies too deep to be packed.`);
    for (const { name, kind } of await readDirectory(this.#sys, below(this.#root, level.path))) {
      if (name.includes("*")) continue;
      if (kind === "file" && isTaken(level, name)) this.#add(`${level.path}${name}`);
      if (kind === "directory" && isTaken(level, name, { isPartial: true }))
        await this.#walk(await this.#enter(level, name));
    }
  }

  async #enter(parent: Level, name: string): Promise<Level> {
    const path = `${parent.path}${name}/`;
    const required = parent.required
      .filter((one) => parentOf(`/${one}`) === `/${name}`)
      .map((one) => one.slice(name.length + 1));
    const strict = parseRules(["/.git", ...required.map((one) => `!${one}`)]);
    const rules = [...defaultRules, ...(await this.#ignoreFile(path)), ...strict];
    const isExact = isTaken(parent, name) || isTaken(parent, `${name}/`);
    return { parent, name, path, rules, isExact, required, depth: parent.depth + 1 };
  }

  #add(path: string): void {
    if (this.files.size >= FILE_LIMIT)
      throw new NpmFailure(`The package has more than ${FILE_LIMIT} files.`);
    this.files.add(path);
  }

  /** Every file below a path: bundled packages are taken as they are. */
  async addAll(path: string, depth = 0): Promise<void> {
    const folder = below(this.#root, path);
    if (depth > DEPTH_LIMIT || (await findStat(this.#sys, folder))?.kind !== "directory") return;
    for (const { name, kind } of await readDirectory(this.#sys, folder)) {
      if (kind === "directory" && name !== ".git") await this.addAll(`${path}/${name}`, depth + 1);
      else if (kind === "file") this.#add(`${path}/${name}`);
    }
  }
}

interface TakeOptions {
  /** The name may be a folder with something in it that is taken. */
  readonly isPartial?: boolean;
  /** The last name, where the path is longer. */
  readonly base?: string | undefined;
}

/** Whether the rules take an entry, those of the folders above first. */
function isTaken(
  level: Level,
  entry: string,
  { isPartial = false, base }: TakeOptions = {},
): boolean {
  let isIn = true;
  if (level.parent !== undefined) {
    isIn = isTaken(level.parent, `${level.name}/${entry}`, { isPartial, base: base ?? entry });
    if (!isIn && !level.isExact) return false;
  }
  for (const rule of level.rules)
    if (rule.isNegated !== isIn && matches(rule, entry, { isPartial, base })) isIn = rule.isNegated;
  return isIn;
}

function matches(rule: IgnoreRule, entry: string, { isPartial, base }: TakeOptions): boolean {
  if (rule.matches(`/${entry}`) || rule.matches(entry)) return true;
  if (isPartial !== true) return false;
  return isAbove(rule, entry) || (base !== undefined && rule.isRelative && isAbove(rule, base));
}

function isAbove(rule: IgnoreRule, folder: string): boolean {
  if (rule.matches(`/${folder}/`) || rule.matches(`${folder}/`)) return true;
  return rule.isNegated && (rule.matches(`/${folder}`, true) || rule.matches(folder, true));
}
