import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Vm, Vms } from "../../src/vm/index.ts";
import { built } from "../support/built-vms.ts";

let vms: Vms;
let hostile: Vm;
let peaceful: Vm;
/** How often the peaceful VM had started anew before the attack. */
let restarts: number;

beforeAll(async () => {
  vms = new built.Vms({ poolSize: 1 });
  peaceful = await vms.create();
});
/** A VM for each attack: one that is lost fails its own test. */
beforeEach(async () => {
  hostile = await vms.create();
  restarts = peaceful.info().restarts;
});
afterEach(async () => {
  await hostile.destroy();
});
afterAll(async () => {
  await vms.close();
});

interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Runs a script while both VMs go on answering; neither starts anew. */
async function attack(script: string): Promise<Outcome> {
  const running = hostile.exec(script, { timeoutMs: 30_000 });
  for (const vm of [hostile, peaceful]) {
    const { stdout, exitCode } = await vm.exec("echo hi");
    expect([text(stdout), exitCode]).toEqual(["hi\n", 0]);
  }
  const { stdout, stderr, exitCode } = await running;
  expect([hostile.info().restarts, peaceful.info().restarts]).toEqual([0, restarts]);
  return { stdout: text(stdout), stderr: text(stderr), exitCode };
}

function text(output: string | Uint8Array): string {
  return typeof output === "string" ? output : new TextDecoder().decode(output);
}

describe("a VM and its neighbour hold against", () => {
  it("a flood that is counted, in constant memory", async () => {
    expect(await attack("cat /dev/zero | head -c 256M | wc -c")).toEqual({
      stdout: "268435456\n",
      stderr: "",
      exitCode: 0,
    });
  });

  const eaters: Record<string, readonly [script: string, stderr: string | RegExp]> = {
    "arrays of jq": ["jq -n '[range(1e9) | [.]] | length'", /memory/],
    "objects of jq": ["jq -n '[range(1e9) | {a: .}] | length'", /memory/],
    "texts of jq": ["jq -n '[limit(1e9; repeat(\"x\" * 1000))] | length'", /memory/],
    "an array of bc": ["bc <<< 'for (;;) { a[i] = 2 ^ 99999 + i; i += 1 }'", /memory/],
    "a patch without end": [
      "(echo '--- a'; echo '+++ b'; echo '@@ -1,99999999 +1,99999999 @@'; yes '+x') | patch -p0",
      /memory exhausted/,
    ],
    "lines that are kept": ["yes | tac", /memory exhausted/],
    "a line without end": ["sort < /dev/zero", /memory exhausted/],
    "a shell's variable": ["x=x; while :; do x+=$x; done", /cannot allocate 67108864 bytes/],
  };
  for (const [name, [script, stderr]] of Object.entries(eaters)) {
    it(`what eats memory: ${name}`, async () => {
      const outcome = await attack(script);
      expect(outcome.stderr).toMatch(stderr);
      expect(outcome.exitCode).toBeGreaterThan(0);
    });
  }

  it("all of them one after another in one VM, twice", { timeout: 240_000 }, async () => {
    for (const [script, stderr] of [...Object.values(eaters), ...Object.values(eaters)]) {
      expect((await attack(script)).stderr).toMatch(stderr);
    }
  });

  it("what is held by many at once, each with a reader of its own", {
    timeout: 120_000,
  }, async () => {
    const one = "(head -c 60M /dev/zero; sleep 1) | sort | wc -c";
    const { stdout } = await attack(`for i in {1..8}; do ${one} & done; wait`);
    expect(stdout).toMatch(/^(?:(?:\d+)\n){8}$/);
    expect(await attack("seq 1 100000 | sort -rn | tail -n 1")).toMatchObject({ stdout: "1\n" });
  });

  it("what is held by many at once in little memory", { timeout: 120_000 }, async () => {
    await hostile.destroy();
    hostile = await vms.create({ memoryMb: 256 });
    const one = "(head -c 60M /dev/zero; sleep 1) | sort >/dev/null; echo ${PIPESTATUS[1]}";
    const { stdout } = await attack(`for i in {1..8}; do { ${one}; } & done; wait`);
    expect(stdout).toMatch(/^(?:(?:0|137)\n){8}$/);
    expect(stdout).toContain("137\n");
    expect(await attack("seq 1 100000 | sort -rn | tail -n 1")).toMatchObject({ stdout: "1\n" });
  });

  it("a tree 200 directories deep", async () => {
    const script = [
      "p=d; for ((i = 1; i < 200; i++)); do p+=/d; done; mkdir -p $p",
      "find d | wc -l; du d | wc -l; cp -r d e; tar cf t.tar d; tar tf t.tar | wc -l",
      "rm -r d e; ls",
    ].join("\n");
    expect(await attack(script)).toEqual({
      stdout: "200\n200\n200\nt.tar\n",
      stderr: "",
      exitCode: 0,
    });
  });

  it("4,000 files in a directory", async () => {
    const script = [
      "mkdir m; cd m; touch $(seq 1 4000); ls | wc -l; echo * | wc -w; find . | wc -l",
      "cd ..; rm -r m; ls -d m",
    ].join("\n");
    expect(await attack(script)).toEqual({
      stdout: "4000\n4000\n4001\n",
      stderr: "ls: cannot access 'm': No such file or directory\n",
      exitCode: 2,
    });
  });

  it("a loop beside other commands", async () => {
    const loops = "while :; do :; done & awk 'BEGIN { while (1); }' & jq -n 'def f: f; f' & ";
    expect(await attack(`${loops} echo beside; kill $(jobs -p); wait; echo ended`)).toMatchObject({
      stdout: "beside\nended\n",
    });
  });
});
