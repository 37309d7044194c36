/** Finding a place and a source for every package that a project needs and does not have. */

import { NpmFailure } from "./failure.ts";
import { findSoftware } from "./find-software.ts";
import type { InstallPlan, MissingPackage, Placement } from "./install-plan.ts";
import type { InstalledPackage, InstalledPackages } from "./installed-packages.ts";
import { findText, type JsonObject } from "./json.ts";
import type { Resolved } from "./lock-file.ts";
import { type Dependency, dependenciesOf, getManifest, packageVersion } from "./manifest.ts";
import type { NpmRun } from "./npm-run.ts";
import { type PackageSpec, parseSpec } from "./package-spec.ts";
import { isSatisfied, type TreeRoot } from "./package-tree.ts";
import { below, isInside, lastPart, withAncestors } from "./paths.ts";
import type { TarballStage } from "./tarball-stage.ts";

/** Packages placed by one installation. */
const PLACEMENT_LIMIT = 10_000;

export interface PlanFacts {
  readonly root: TreeRoot;
  readonly packages: InstalledPackages;
  readonly resolved: ReadonlyMap<string, Resolved>;
  /** The lock file's entries that must be met, by path: `npm ci`. */
  readonly locked: ReadonlyMap<string, JsonObject> | undefined;
  /** Names asked for on the command line: these are placed anew. */
  readonly asked: ReadonlySet<string>;
  readonly software: readonly string[];
  readonly omitted: ReadonlySet<string>;
  readonly stage: TarballStage;
}

/** A package whose dependencies are to be met. */
interface Needy {
  /** The folder that its own dependencies are seen from. */
  readonly base: string;
  readonly manifest: JsonObject;
  /** Where its files are before they are put in place. */
  readonly content: string;
  readonly isProject: boolean;
}

export class InstallPlanner {
  readonly #run: NpmRun;
  readonly #facts: PlanFacts;
  readonly #placements = new Map<string, Placement>();
  readonly #missing: MissingPackage[] = [];
  readonly #queue: Needy[] = [];
  readonly #seen = new Set<string>();

  constructor(run: NpmRun, facts: PlanFacts) {
    this.#run = run;
    this.#facts = facts;
  }

  /** Fails with an NpmFailure for a folder or tarball that cannot be read. */
  async plan(): Promise<InstallPlan> {
    const { folder, manifest, workspaces } = this.#facts.root;
    for (const { name, path, manifest: own } of workspaces) {
      await this.#placeLink(below(folder, `node_modules/${name}`), path, own);
      this.#add({ base: path, manifest: own, content: path, isProject: true });
    }
    this.#queue.unshift({ base: folder, manifest, content: folder, isProject: true });
    for (let one = this.#queue.shift(); one !== undefined; one = this.#queue.shift())
      for (const dependency of dependenciesOf(one.manifest, one.isProject))
        if (!this.#isOmitted(one, dependency)) await this.#meet(one, dependency);
    return { placements: this.#placements, missing: this.#missing };
  }

  #isOmitted({ base }: Needy, { kind, name }: Dependency): boolean {
    const { omitted, root } = this.#facts;
    if (base === root.folder && root.workspaces.some((one) => one.name === name)) return true;
    return kind === "peerOptional" || omitted.has(kind);
  }

  /** What lies outside the project, software or somebody else's folder, has what it needs or has not: as npm has it. */
  #add(one: Needy): void {
    const { root } = this.#facts;
    if (this.#seen.has(one.base) || !isInside(one.base, root.folder)) return;
    this.#seen.add(one.base);
    this.#queue.push(one);
  }

  async #meet(from: Needy, dependency: Dependency): Promise<void> {
    const { name, spec, kind } = dependency;
    const isAsked = from.base === this.#facts.root.folder && this.#facts.asked.has(name);
    const found = await this.#resolve(from, name);
    const wanted = { name, spec, folder: from.base };
    if (
      found !== undefined &&
      (!isAsked || this.#placements.has(found.path)) &&
      this.#isMet(found, wanted)
    ) {
      this.#follow(found);
      return;
    }
    const parsed = parseSpec(name, spec, from.base);
    const path = await this.#findPlace(from, name);
    if (await this.#place(path, parsed, from)) return;
    if (found !== undefined && isAsked && this.#isMet(found, wanted)) {
      this.#follow(found);
      return;
    }
    if (kind !== "optional") this.#missing.push({ name, spec, kind });
  }

  #isMet(found: InstalledPackage, wanted: { name: string; spec: string; folder: string }): boolean {
    const placed = this.#placements.get(found.path);
    if (placed !== undefined)
      return isSatisfied(
        found,
        wanted,
        new Map([[found.path, { resolved: placed.resolved, integrity: undefined }]]),
      );
    const locked = this.#facts.locked?.get(found.path);
    const version = locked === undefined ? undefined : findText(locked, "version");
    if (version !== undefined && version !== packageVersion(found.manifest)) return false;
    return isSatisfied(found, wanted, this.#facts.resolved);
  }

  /** What is there stays, with what it needs. */
  #follow({ realPath, manifest, path }: InstalledPackage): void {
    if (this.#placements.has(path)) return;
    this.#add({ base: realPath, manifest, content: realPath, isProject: false });
  }

  /** What Node will find, once all that is planned is in place. */
  async #resolve({ base, content }: Needy, name: string): Promise<InstalledPackage | undefined> {
    const { packages, root } = this.#facts;
    if (content !== base) {
      const bundled = await packages.find(below(content, `node_modules/${name}`));
      if (bundled !== undefined) return bundled;
    }
    for (const folder of withAncestors(base)) {
      if (lastPart(folder) === "node_modules") continue;
      if (folder !== root.folder && !isInside(folder, root.folder)) return undefined;
      const path = below(folder, `node_modules/${name}`);
      const placed = this.#placements.get(path);
      if (placed !== undefined) return asInstalled(placed);
      const found = await packages.find(path);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The top of the tree where that is free, else below the package that needs it. */
  async #findPlace({ base }: Needy, name: string): Promise<string> {
    const { packages, root } = this.#facts;
    const top = below(root.folder, `node_modules/${name}`);
    if (base === root.folder) return top;
    const isTaken = this.#placements.has(top) || (await packages.find(top)) !== undefined;
    return isTaken ? below(base, `node_modules/${name}`) : top;
  }

  /** False where nothing in the VM is what is wanted. */
  async #place(path: string, spec: PackageSpec, from: Needy): Promise<boolean> {
    if (this.#placements.size >= PLACEMENT_LIMIT)
      throw new NpmFailure(`More than ${PLACEMENT_LIMIT} packages would be installed.`);
    switch (spec.kind) {
      case "remote":
        return false;
      case "folder":
        await this.#placeFolder(path, spec.path);
        return true;
      case "tarball":
        await this.#placeTarball(path, spec.path);
        return true;
      case "registry": {
        const { packages, software } = this.#facts;
        const version = findText(this.#facts.locked?.get(path) ?? {}, "version");
        const wanted = { target: spec.target, wanted: version ?? spec.wanted };
        const found = await findSoftware(packages, software, wanted);
        if (found === undefined) return this.#placeLocked(path);
        if (found.path !== path && found.path !== from.base)
          await this.#placeLink(path, found.realPath, found.manifest);
        return true;
      }
    }
  }

  /** A tarball that the lock file names for this place. */
  async #placeLocked(path: string): Promise<boolean> {
    const resolved = this.#facts.resolved.get(path)?.resolved;
    if (resolved === undefined || !resolved.startsWith("/")) return false;
    await this.#placeTarball(path, resolved);
    return true;
  }

  async #placeFolder(path: string, target: string): Promise<void> {
    const file = await getManifest(this.#run.sys, target);
    await this.#placeLink(path, target, file.content);
    this.#add({ base: target, manifest: file.content, content: target, isProject: false });
  }

  async #placeLink(path: string, target: string, manifest: JsonObject): Promise<void> {
    const replaced = await this.#facts.packages.find(path);
    if (replaced?.isLink === true && replaced.realPath === target) return;
    this.#placements.set(path, { path, kind: "link", content: target, manifest, replaced });
  }

  async #placeTarball(path: string, tarball: string): Promise<void> {
    const { packages, resolved, stage } = this.#facts;
    const { content, integrity, manifest } = await stage.take(tarball);
    this.#checkIntegrity(path, tarball, integrity);
    const replaced = await packages.find(path);
    const before = resolved.get(path);
    const isSame = replaced !== undefined && !replaced.isLink && before?.integrity === integrity;
    if (isSame && before?.resolved === tarball) {
      this.#follow(replaced);
      return;
    }
    const from = { resolved: tarball, integrity };
    this.#placements.set(path, { path, kind: "tarball", content, manifest, replaced, ...from });
    this.#add({ base: path, manifest, content, isProject: false });
  }

  /** What the lock file holds a tarball to; one that is asked for by name is taken as it is. */
  #checkIntegrity(path: string, tarball: string, integrity: string): void {
    const before = this.#facts.resolved.get(path);
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    if (before?.resolved !== tarball || this.#facts.asked.has(name)) return;
    if (before.integrity?.startsWith("sha512-") !== true || before.integrity === integrity) return;
    throw new NpmFailure(
      `${integrity} integrity checksum failed when using sha512: wanted ${before.integrity} but got ${integrity}.`,
      { code: "EINTEGRITY" },
    );
  }
}

function asInstalled({ path, kind, content, manifest }: Placement): InstalledPackage {
  const isLink = kind === "link";
  return { path, realPath: isLink ? content : path, isLink, manifest };
}
