import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/find-command.mjs";
import { layOutMain } from "../../scripts/make-release.mjs";
import { pinnedNodePackages } from "../../scripts/pinned-node-packages.mjs";
import { NODE_VERSION } from "../../src/vm/programs/npm/versions.ts";
import { withTemporaryDirectory } from "./temporary-directory.ts";

interface Manifest {
  readonly version: string;
  readonly scripts?: Record<string, string>;
  readonly dependencies: Record<string, string>;
  readonly optionalDependencies: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
}

interface LockEntry {
  readonly dev?: boolean;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly optionalDependencies?: Record<string, string>;
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));
const root = readJson(join(projectRoot, "package.json")) as Manifest;
const lock = readJson(join(projectRoot, "package-lock.json")) as {
  packages: Record<string, LockEntry>;
};
const locked = Object.entries(lock.packages);

describe("the manifest", () => {
  it("pins what ships to exact versions", () => {
    const versions = Object.values({ ...root.dependencies, ...root.optionalDependencies });
    expect(
      versions.filter((version) => !/^(?:npm:[\w@/-]+@)?\d+\.\d+\.\d+$/.test(version)),
    ).toEqual([]);
  });

  it("names one Node version, for every platform we know", () => {
    expect(Object.keys(root.optionalDependencies).sort()).toEqual(
      pinnedNodePackages.map(({ source }) => source).sort(),
    );
    expect([...new Set(Object.values(root.optionalDependencies))]).toEqual([NODE_VERSION]);
  });

  it("is published with the repacked Nodes, and without scripts and tools", async () => {
    const published = await withTemporaryDirectory(
      async (directory) => readJson(join(layOutMain(directory), "package.json")) as Manifest,
    );
    const nodes = pinnedNodePackages.map(({ released }) => [released, NODE_VERSION]);
    expect(published.optionalDependencies).toEqual(Object.fromEntries(nodes));
    expect(published.dependencies).toEqual(root.dependencies);
    expect([published.scripts, published.devDependencies]).toEqual([undefined, undefined]);
  });

  it("has a line in the decision record for each dependency", () => {
    const file = join(projectRoot, "docs/decisions/0003-dependencies.md");
    const rows = readFileSync(file, "utf8").matchAll(/^\| (`.+?) \|/gm);
    const named = [...rows].flatMap(([, cell]) => cell?.match(/[^`, ]+/g) ?? []);
    const { dependencies, optionalDependencies, devDependencies } = root;
    const all = { ...dependencies, ...optionalDependencies, ...devDependencies };
    expect(named.sort()).toEqual(Object.keys(all).sort());
  });
});

describe("the lock file", () => {
  it("brings no install script to whoever installs the package", () => {
    const scripts = locked.filter(([, entry]) => entry.dev !== true && entry.hasInstallScript);
    expect(scripts.map(([path]) => path)).toEqual([]);
  });

  it("names no registry", () => {
    expect(locked.filter(([, { resolved }]) => resolved?.includes("://"))).toEqual([]);
  });

  it("holds every platform's binaries, so that npm ci takes it anywhere", () => {
    const missing = locked.flatMap(([path, { optionalDependencies }]) =>
      Object.keys(optionalDependencies ?? {}).filter(
        (name) =>
          lock.packages[`node_modules/${name}`] === undefined &&
          lock.packages[`${path}/node_modules/${name}`] === undefined,
      ),
    );
    expect(missing).toEqual([]);
  });
});
