/** `npm install` and `npm ci`. */
import {
  applyPlan,
  type Changes,
  describePlacement,
  findExtraneous,
  removePackages,
  sayChanges,
} from "./apply-install.ts";
import { checkLock } from "./check-lock.ts";
import { NpmFailure, networkFailure } from "./failure.ts";
import { makeDirectories, removeTree, writeFile } from "./files.ts";
import { isSoftware, softwareFolders } from "./find-software.ts";
import type { InstallPlan } from "./install-plan.ts";
import { finishScripts } from "./install-scripts.ts";
import { InstalledPackages } from "./installed-packages.ts";
import { type JsonObject, withProperties } from "./json.ts";
import { type LockFacts, lockEntries, lockText, makeLock, type Resolved } from "./lock-file.ts";
import {
  getManifest,
  packageName,
  requirePackageName,
  usualLayout,
  writeJsonFile,
} from "./manifest.ts";
import type { NpmRun } from "./npm-run.ts";
import { parseWord } from "./package-spec.ts";
import { readTree, type TreeRoot } from "./package-tree.ts";
import { below, lastPart } from "./paths.ts";
import { InstallPlanner } from "./plan-install.ts";
import { loadRoot, type ProjectRoot } from "./project-root.ts";
import { type Asked, fieldFor, savedSpec, withDependency } from "./save-dependencies.ts";
import { TarballStage } from "./tarball-stage.ts";

export async function install(run: NpmRun): Promise<void> {
  const project = await loadRoot(run);
  if (run.command === "ci") checkLock(project);
  const stage = new TarballStage(run, project.tree.folder);
  try {
    await new Installation(run, project, stage).run(run.words);
  } finally {
    await stage.clear();
  }
}

/** Several packages, or none for what package.json names. */
class Installation {
  readonly #run: NpmRun;
  readonly #project: ProjectRoot;
  readonly #stage: TarballStage;
  readonly #packages: InstalledPackages;
  readonly #asked: Asked[] = [];

  constructor(run: NpmRun, project: ProjectRoot, stage: TarballStage) {
    this.#run = run;
    this.#project = project;
    this.#stage = stage;
    this.#packages = new InstalledPackages(run.sys);
  }

  async run(words: readonly string[]): Promise<void> {
    const run = this.#run;
    for (const word of words) await this.#ask(word);
    const omitted = omittedKinds(run);
    const root = this.#rootWithAsked();
    const software = (await softwareFolders(run.sys, run.places.global)).filter(
      (folder) => folder !== below(root.folder, "node_modules"),
    );
    const plan = await this.#plan(root, software, omitted);
    if (plan.missing.length > 0)
      throw networkFailure(plan.missing.map(({ name, spec }) => `${name}@${spec}`));
    if (run.config.is("dry-run")) {
      await this.#sayPlan(plan);
      return;
    }
    const changes = await applyPlan(run, plan, this.#packages);
    const manifest = await this.#save(plan, root);
    await this.#finish(plan, { ...root, manifest }, { software, omitted, changes });
    const isWhole = words.length === 0 && !run.isGlobal;
    await finishScripts(run, plan.placements.values(), isWhole ? manifest : undefined);
  }

  /** A word of the command line, by the name of the package it means. */
  async #ask(word: string): Promise<void> {
    const run = this.#run;
    const { name, spec } = parseWord(word, run.places.cwd);
    if (spec.kind === "folder" && spec.path === run.places.local && !run.isGlobal) return;
    if (name !== undefined) {
      this.#asked.push({ name, spec, raw: word });
      return;
    }
    if (spec.kind === "remote" || spec.kind === "registry") throw networkFailure([word]);
    const manifest =
      spec.kind === "folder"
        ? (await getManifest(run.sys, spec.path)).content
        : (await this.#stage.look(spec.path)).manifest;
    const own = packageName(manifest) ?? (spec.kind === "folder" ? lastPart(spec.path) : undefined);
    if (own === undefined)
      throw new NpmFailure(`${word} has a package.json without a name.`, { code: "ENONAME" });
    this.#asked.push({ name: requirePackageName(own), spec, raw: word });
  }

  /** With what was asked for, as it was. */
  #rootWithAsked(): TreeRoot {
    const { tree } = this.#project;
    let { manifest } = tree;
    for (const one of this.#asked) {
      const { name, spec } = one;
      const wanted =
        spec.kind === "registry"
          ? `${spec.isAlias ? `npm:${spec.target}@` : ""}${spec.wanted}`
          : spec.kind === "remote"
            ? spec.raw
            : `file:${spec.path}`;
      manifest = withDependency(manifest, fieldFor(this.#run, manifest, name), name, wanted);
    }
    return { ...tree, manifest };
  }

  async #plan(
    root: TreeRoot,
    software: readonly string[],
    omitted: ReadonlySet<string>,
  ): Promise<InstallPlan> {
    const { lock, resolved } = this.#project;
    return new InstallPlanner(this.#run, {
      root,
      packages: this.#packages,
      resolved,
      locked: this.#run.command === "ci" ? lockEntries(root.folder, lock?.content) : undefined,
      asked: new Set(this.#asked.map(({ name }) => name)),
      software,
      omitted,
      stage: this.#stage,
    }).plan();
  }

  async #sayPlan({ placements }: InstallPlan): Promise<void> {
    const all = [...placements.values()];
    for (const one of all) this.#run.print(`add ${describePlacement(one)}`);
    const changed = all.filter(({ replaced }) => replaced !== undefined).length;
    await sayChanges(this.#run, { added: all.length - changed, changed, removed: 0 });
  }

  /** package.json with what was asked for, as it is to be called from now on. */
  async #save({ placements }: InstallPlan, root: TreeRoot): Promise<JsonObject> {
    const run = this.#run;
    if (run.isGlobal || this.#asked.length === 0) return root.manifest;
    let content = this.#project.file?.content ?? {};
    for (const one of this.#asked) {
      const path = below(root.folder, `node_modules/${one.name}`);
      const placed = placements.get(path)?.manifest ?? (await this.#packages.find(path))?.manifest;
      const field = fieldFor(run, content, one.name);
      content = withDependency(content, field, one.name, savedSpec(run, one, placed));
    }
    if (!run.config.is("save")) return content;
    const { file } = this.#project;
    const path = below(root.folder, "package.json");
    await writeJsonFile(run.sys, { path, layout: file?.layout ?? usualLayout, content });
    return content;
  }

  async #finish(
    { placements }: InstallPlan,
    root: TreeRoot,
    {
      software,
      omitted,
      changes,
    }: {
      readonly software: readonly string[];
      readonly omitted: ReadonlySet<string>;
      readonly changes: Changes;
    },
  ): Promise<void> {
    const run = this.#run;
    const resolved = new Map<string, Resolved>(this.#project.resolved);
    for (const { path, kind, resolved: from, integrity } of placements.values()) {
      if (kind === "tarball") resolved.set(path, { resolved: from, integrity });
      else resolved.delete(path);
    }
    if (!run.isGlobal) {
      const packages = new InstalledPackages(run.sys);
      const manifest = omitted.has("dev")
        ? withProperties(root.manifest, { devDependencies: undefined })
        : root.manifest;
      const tree = await readTree(packages, { ...root, manifest }, resolved);
      const extraneous = await findExtraneous(run, { tree, packages });
      changes.removed += await removePackages(run, extraneous, packages);
      const facts = { tree, resolved, isSoftware: (path: string) => isSoftware(path, software) };
      await writeLocks(run, this.#project, {
        ...facts,
        isKept: omitted.size > 0 || run.command === "ci",
      });
    }
    await sayChanges(run, changes);
  }
}

/** package-lock.json, unless it is to stay as it is, and the hidden one in node_modules. */
export async function writeLocks(
  run: NpmRun,
  { lock, file }: ProjectRoot,
  facts: LockFacts & { readonly isKept: boolean },
): Promise<void> {
  const { root, packages } = facts.tree;
  const layout = lock?.layout ?? file?.layout ?? usualLayout;
  const isWritten = !facts.isKept && run.config.is("package-lock") && run.config.is("save");
  const path = lock?.path ?? below(root.path, "package-lock.json");
  if (isWritten) await writeFile(run.sys, path, lockText(makeLock(facts, false), layout));
  const hidden = below(root.path, "node_modules/.package-lock.json");
  if (packages.size === 0) {
    await removeTree(run.sys, hidden);
    return;
  }
  await makeDirectories(run.sys, below(root.path, "node_modules"));
  await writeFile(run.sys, hidden, lockText(makeLock(facts, true), layout));
}

function omittedKinds(run: NpmRun): Set<string> {
  const kinds = new Set(run.config.list("omit"));
  if (run.config.is("production") || run.config.get("only").startsWith("prod")) kinds.add("dev");
  if (run.config.isOff("optional")) kinds.add("optional");
  for (const kind of run.config.list("include")) kinds.delete(kind);
  return kinds;
}
