import { execFile, execFileSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/find-command.mjs";
import "../support/dist.ts";
import { findObstacle } from "../sandbox-escalation/providers/local/local-under-test.ts";
import { unless } from "../support/unless.ts";

const obstacle = hasBrowser() ? await findObstacle() : "no Chromium";

function hasBrowser(): boolean {
  try {
    execFileSync("sh", ["-c", "command -v chromium"]);
    return true;
  } catch {
    return false;
  }
}

describe("examples/sandbox-browser", unless(obstacle), () => {
  it("runs, and finds everything as it says", async () => {
    const story = join(projectRoot, "examples/sandbox-browser/main.ts");
    const { stdout } = await promisify(execFile)(process.execPath, [story]);
    expect(stdout.split("\n").slice(-2)).toEqual(["All of it worked.", ""]);
  }, 180_000);
});
