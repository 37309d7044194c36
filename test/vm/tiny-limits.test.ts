import { describe, expect, it } from "vitest";
import type { LimitValues } from "../../src/kernel/index.ts";
import { boot } from "../support/boot.ts";

/** What a command fails with in a VM with these limits. */
async function failure(limits: Partial<LimitValues>): Promise<string> {
  try {
    const machine = await boot({ limits });
    const { stderr, status } = await machine.sh("echo hi | cat");
    return `${status}: ${stderr}`;
  } catch (error) {
    return String(error);
  }
}

describe("a limit that is too small for anything to run", () => {
  it.each([
    "maxProcesses",
    "maxOpenFds",
    "maxArgvBytes",
    "maxEnvBytes",
    "maxHeldArgvBytes",
    "maxMounts",
  ] as const)("is named by what fails: %s", async (name) => {
    expect(await failure({ [name]: 1 })).toContain(
      `limit ${name} is 1; raise limits.${name} of the VM`,
    );
  });
});

describe("what programs hold of the VM's memory", () => {
  it.each([
    ["awk", `awk 'BEGIN { for (i = 0; i < 300000; i++) a[i] = i; while (1) system("") }'`],
    ["tac", "(seq 300000; sleep 1000) | tac"],
    ["sort", "(seq 300000; sleep 1000) | sort"],
  ])("is known of %s while it runs", async (name, script) => {
    const machine = await boot();
    const running = machine.sh(script);
    const held = (): number =>
      Math.max(
        ...machine.kernel.processes.list().map((one) => (one.comm === name ? one.heldBytes : 0)),
      );
    await expect.poll(held, { timeout: 20_000 }).toBeGreaterThan(1024 * 1024);
    await machine.sh(`pkill -KILL ${name}; pkill -KILL sleep`);
    await running;
  });
});
