import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/find-command.mjs";
import "../support/dist.ts";

describe("examples/project-toolkit", () => {
  it("runs, and finds everything as it says", async () => {
    const story = join(projectRoot, "examples/project-toolkit/main.ts");
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [
      "--disable-warning=ExperimentalWarning",
      story,
    ]);
    expect(stderr).toBe("");
    expect(stdout.split("\n").slice(-2)).toEqual(["All of it worked.", ""]);
  }, 120_000);
});
