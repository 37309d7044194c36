// Holds an attack's result against what it states.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { Attack, Expected } from "./attack.ts";
import { type AttackResult, heapLimitWords, memoryWords, STARTED, sourceOf } from "./hostile-vm.ts";

export async function expectEnding(attack: Attack, result: AttackResult): Promise<void> {
  const { expected } = attack;
  const { ending, loss, status, signal, stdout, stderr, notices } = result;
  const seen = { ending, status, signal, stdout: stdout.slice(0, 200), stderr, notices, loss };
  if (expected.ends === "as in Node") {
    expect({ status, stdout, stderr }).toEqual(await runOnHost(attack));
    return;
  }
  const ends = typeof expected.ends === "string" ? [expected.ends] : expected.ends;
  expect(ends, JSON.stringify(seen)).toContain(ending);
  if (loss !== undefined) return;
  expect(stdout.slice(0, STARTED.length)).toBe(STARTED);
  expectPrinted(expected, stdout.slice(STARTED.length));
  switch (ending) {
    case "exit":
      expect(stderr).toBe("");
      return;
    case "error":
      expect({ status, signal }).toEqual({ status: expected.status ?? 1, signal: undefined });
      if (expected.ends === "error") expect(stderr).toContain(expected.says);
      return;
    case "heap limit":
      expect(stderr).toBe(heapLimitWords);
      expect(notices).toEqual([expect.stringContaining("its JavaScript heap reached its limit")]);
      return;
    case "memory limit":
      expect({ status, signal, stderr }).toEqual({ status: 137, signal: "SIGKILL", stderr: "" });
      expect(notices).toEqual([expect.stringMatching(memoryWords)]);
      return;
    default:
      if (ending === "stopped") expect(signal).toBe(expected.signal ?? "SIGTERM");
  }
}

function expectPrinted({ prints = "" }: Expected, printed: string): void {
  if (typeof prints === "string") expect(printed).toBe(prints);
  else expect(printed).toMatch(prints);
}

/** What the pinned Node makes of the same file, with the VM's path in its words. */
async function runOnHost(
  attack: Attack,
): Promise<Pick<AttackResult, "status" | "stdout" | "stderr">> {
  const { type, text } = sourceOf(attack);
  const folder = await mkdtemp(join(tmpdir(), "agentos-mcp-attack-"));
  const file = join(folder, `attack.${type}`);
  await writeFile(file, text);
  try {
    return await new Promise((resolve) => {
      execFile(process.execPath, [file], { env: {} }, (error, stdout, words) => {
        const status = error === null ? 0 : typeof error.code === "number" ? error.code : undefined;
        resolve({ status, stdout, stderr: words.replaceAll(file, `/tmp/attack.${type}`) });
      });
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}
