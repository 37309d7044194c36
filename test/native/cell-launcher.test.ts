import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { programSourceHash } from "../../scripts/build-static-programs.mjs";
import { findLauncher } from "../../src/vm/broker/cell-process/launcher-setup.ts";
import { notLinux, unless } from "../support/unless.ts";

describe("the launcher of cells", unless(notLinux), () => {
  it("is the build of the sources beside it: run `npm run native:agent` after a change", () => {
    const expected = `source-hash:${programSourceHash("cell-launcher")}`;
    expect(spawnSync(findLauncher()).stderr.toString().trim()).toBe(expected);
    const both = ["x64", "arm64"].map((architecture) =>
      readFileSync(findLauncher().replace(/(x64|arm64)$/, architecture)).includes(expected),
    );
    expect(both).toEqual([true, true]);
  });

  it("ends when it was not started by the server it is told of", () => {
    const { status } = spawnSync(findLauncher(), ["serve", "1"], { timeout: 5000 });
    expect(status).toBe(0);
  });
});
