import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import {
  isServerAlive,
  readServerMark,
} from "../../../../src/sandbox-escalation/providers/local/server-mark.ts";
import { notLinux, unless } from "../../../support/unless.ts";

it("knows a server that runs, and none that is another process's number", () => {
  expect(isServerAlive(readServerMark())).toBe(true);
  expect(isServerAlive(`${process.pid}-1`)).toBe(false);
  for (const mark of ["", "none", "4294967296-1", "../1-1"])
    expect(isServerAlive(mark)).toBe(false);
});

it(
  "takes one for gone that has ended, though nobody has waited for it",
  unless(notLinux),
  async () => {
    // The parent never waits: its child stays as a zombie.
    const parent = spawn("sh", ["-c", "sleep 0 & echo $!; exec sleep 600"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const pid = Number(String((await once(parent.stdout, "data"))[0]));
    const fields = () => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    await expect.poll(() => fields()[0], { timeout: 10_000 }).toBe("Z");
    expect(isServerAlive(`${pid}-${fields()[19]}`)).toBe(false);
    parent.kill("SIGKILL");
  },
);
