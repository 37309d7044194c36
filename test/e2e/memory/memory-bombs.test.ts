import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Exec, Vm, Vms } from "../../../src/vm/index.ts";
import { built } from "../../support/built-vms.ts";
import { bombs, tableBomb, twelveBombs } from "./bombs.ts";

/** How often each bomb goes off, in one VM: AGENTOS_BOMB_RUNS=100 for the whole. */
const RUNS = Number(process.env["AGENTOS_BOMB_RUNS"] ?? 2);
/** Filling a gigabyte takes seconds on a busy machine. */
const RUN_LIMIT_MS = 60_000;

let vms: Vms;
let vm: Vm;
/** Another process of the VM, which must not notice. */
let bystander: Exec;

beforeAll(async () => {
  vms = new built.Vms({ poolSize: 0 });
  vm = await vms.create();
  await vm.exec("echo kept > /tmp/kept");
  bystander = await vm.spawn("node -e 'setInterval(() => {}, 1000)'");
});
afterAll(() => vms.close());

/** The VM, its files and its other processes are what they were. */
async function expectUnharmed(): Promise<void> {
  expect(vm.info()).toMatchObject({ state: "running", restarts: 0 });
  expect((await vm.exec("cat /tmp/kept")).stdout).toBe("kept\n");
  expect(bystander.isRunning).toBe(true);
}

describe("a guest that takes all memory", () => {
  it.each(Object.entries(bombs))(
    "made of %s is killed, and nothing else",
    async (_name, script) => {
      for (let run = 0; run < RUNS; run += 1) {
        const { stdout, stderr, notices } = await vm.exec(script);
        expect({ run, stdout }).toEqual({ run, stdout: "ended 137\n" });
        expect(stderr).toMatch(/^bash: line 1: +\d+ Killed +node -e /);
        expect(notices).toEqual([
          expect.stringMatching(
            /^Killed process \d+ \(node -e .*\): the VM's memory of 1024 MB was used up, .* larger memoryMb\.$/s,
          ),
        ]);
        await expectUnharmed();
      }
    },
    RUNS * RUN_LIMIT_MS,
  );

  it(
    "twelve times at once is killed each time, and nothing else",
    async () => {
      for (let run = 0; run < RUNS; run += 1) {
        const { stdout } = await vm.exec(twelveBombs);
        expect({ run, stdout }).toEqual({ run, stdout: "ended 137\n".repeat(12) });
        await expectUnharmed();
      }
    },
    RUNS * RUN_LIMIT_MS,
  );

  it(
    "with a program's tables fails alone",
    async () => {
      for (let run = 0; run < RUNS; run += 1) {
        const { stdout, stderr } = await vm.exec(tableBomb);
        expect({ run, stdout, stderr }).toEqual({
          run,
          stdout: "ended 1\n",
          stderr: "tsort: memory exhausted\n",
        });
        await expectUnharmed();
      }
    },
    RUNS * RUN_LIMIT_MS,
  );
});

describe("a thousand processes that are small", () => {
  it("run one after the other, and leave nothing", async () => {
    const script = 'for i in $(seq 1000); do /bin/true || echo "failed $i"; done; echo ended $?';
    const { stdout, stderr } = await vm.exec(script);
    expect({ stdout, stderr }).toEqual({ stdout: "ended 0\n", stderr: "" });
    await expectUnharmed();
  });
});
