import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { runStep } from "../../../bench/against/run-step.ts";

function node(code: string, signal = new AbortController().signal): Promise<string> {
  return runStep({ file: process.execPath, args: ["-e", code], cwd: tmpdir(), signal });
}

describe("runStep", () => {
  it("gives what the program printed", async () => {
    expect(await node("console.log('one\\ntwo')")).toBe("one\ntwo");
  });

  it("fails with the first lines of what a failed program said", async () => {
    const code = "for (let i = 1; i < 15; i++) console.error(i); process.exitCode = 3";
    const lines = [...Array.from({ length: 12 }, (_, index) => index + 1), "… and 2 more lines"];
    await expect(node(code)).rejects.toThrow(new Error(lines.join("\n")));
  });

  it("fails when there is no such program", async () => {
    const { signal } = new AbortController();
    const step = { file: "no-such-program", args: [], cwd: tmpdir(), signal };
    await expect(runStep(step)).rejects.toThrow("spawn no-such-program ENOENT");
  });

  it("ends the program and what it has started when it is interrupted", async () => {
    const interruption = new AbortController();
    // Both hold the pipe of stdout: runStep settles only when both are gone.
    const code =
      "require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => 0, 1e6)'], { stdio: 'inherit' }); setInterval(() => 0, 1e6)";
    const running = node(code, interruption.signal);
    interruption.abort(new Error("stopped"));
    await expect(running).rejects.toThrow("stopped");
  });
});
