import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  checkHome,
  checkIsolatedVm,
  checkMemoryWatchdog,
  checkNode,
} from "../../../src/vm/doctor/host-checks.ts";
import "../../support/dist.ts";
import { notLinux, unless } from "../../support/unless.ts";

describe("checkNode", () => {
  it("knows the pinned version", () => {
    expect(checkNode("26.10.0")).toEqual({
      group: "host",
      name: "node",
      state: "ok",
      detail: "26.10.0, the pinned version",
    });
  });

  it("warns of any other", () => {
    expect(checkNode("24.0.0")).toMatchObject({
      state: "warning",
      detail: "24.0.0 instead of the pinned 26.10.0",
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
