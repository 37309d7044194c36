/** A line longer than a program may hold: it is streamed, or refused; the VM goes on. */
import { describe, expect, it } from "vitest";
import { boot } from "../../support/boot.ts";

const LENGTH = 68_000_000;
const LIMIT_MS = 120_000;

async function pipeLine(command: string): Promise<string> {
  const machine = await boot();
  const script = `head -c ${LENGTH} /dev/zero | tr '\\0' a | ${command} | wc -c; echo "\${PIPESTATUS[2]}"`;
  const { stdout, stderr } = await machine.sh(script, { limitMs: LIMIT_MS });
  const after = await machine.sh("echo goes on");
  return `${stdout}${stderr}${after.stdout}`;
}

describe("A line longer than a program may hold", { timeout: LIMIT_MS * 2 }, () => {
  it.each([
    ["cat", LENGTH],
    ["tr a b", LENGTH],
    ["wc", 25],
    ["cut -b2-", LENGTH],
    ["cut -c5,7", 3],
    ["fold", LENGTH + LENGTH / 80 - 1],
    ["head -c 5", 5],
    ["head -n 1", LENGTH],
    ["tail -c 5", 5],
    ["od -An -c", 67],
    // Holds more than others, and writes it in pieces.
    ["sort", LENGTH + 1],
  ])("goes through %s as it comes", async (command, size) => {
    expect(await pipeLine(command)).toBe(`${size}\n0\ngoes on\n`);
  });

  it.each([
    ["awk '{ print }'", 2, "awk: fatal"],
    ["cut -f 2", 1, "cut"],
    ["grep b", 2, "grep"],
    ["nl", 1, "nl"],
    ["rev", 1, "rev"],
    ["sed s/a/b/", 4, "sed"],
    ["tac", 1, "tac"],
    ["tail -n 1", 1, "tail"],
    ["uniq", 1, "uniq"],
  ])("is refused by %s", async (command, status, name) => {
    expect(await pipeLine(command)).toBe(`0\n${status}\n${name}: memory exhausted\ngoes on\n`);
  });
});
