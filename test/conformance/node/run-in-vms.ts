// Runs test files in VMs of ours: a few VMs, each for a number of files, then a fresh one.
import type { Vm, Vms } from "../../../src/vm/index.ts";
import { built } from "../../support/built-vms.ts";
import { judge, type Outcome } from "./outcome.ts";
import { runEach } from "./run-each.ts";
import type { TestFile } from "./test-file.ts";

export interface VmRunOptions {
  readonly checkout: string;
  readonly jobs: number;
  readonly limitMs: number;
  readonly ended: (file: TestFile, outcome: Outcome) => void;
}

/** What one file leaves behind must not reach many others. */
const FILES_PER_VM = 40;
const KEPT_BYTES = 1_000_000;
/** Where the checkout's `test` is, read-only; what tests write goes to NODE_TEST_DIR. */
const ROOT = "/node/test";

/** Fails only where VMs cannot be made at all. */
export async function runInVms(
  files: readonly TestFile[],
  { checkout, jobs, limitMs, ended }: VmRunOptions,
): Promise<void> {
  await using vms = new built.Vms({ poolSize: jobs });
  const lanes = Array.from({ length: jobs }, () => new Lane(vms, checkout));
  await runEach(files, jobs, async (file, job) => {
    const outcome = await lanes[job]?.run(file, limitMs);
    if (outcome !== undefined) ended(file, outcome);
  });
}

/** One VM after the other. */
class Lane {
  readonly #vms: Vms;
  readonly #checkout: string;
  #vm: Vm | undefined;
  #filesRun = 0;
  #lostBecause: string | undefined;

  constructor(vms: Vms, checkout: string) {
    this.#vms = vms;
    this.#checkout = checkout;
  }

  async run(file: TestFile, limitMs: number): Promise<Outcome> {
    const vm = await this.#ready();
    const startedAt = performance.now();
    const elapsed = (): number => Math.round(performance.now() - startedAt);
    try {
      const ended = await vm.exec(["node", ...file.flags, file.name].map(quote).join(" "), {
        cwd: `${ROOT}/parallel`,
        env: { NODE_TEST_DIR: "/tmp", ...file.env },
        timeoutMs: limitMs,
        maxOutputBytes: KEPT_BYTES,
      });
      return judge({ ...ended, durationMs: elapsed() });
    } catch (error) {
      const line = `the VM was lost: ${this.#lostBecause ?? String(error)}`;
      return { verdict: "failed", exitCode: -1, durationMs: elapsed(), line };
    } finally {
      await this.#tidy(vm);
    }
  }

  async #ready(): Promise<Vm> {
    if (this.#vm !== undefined) return this.#vm;
    const software = [{ path: `${this.#checkout}/test`, at: ROOT }];
    const vm = await this.#vms.create({ software });
    this.#lostBecause = undefined;
    vm.on("lost", (cause) => {
      this.#lostBecause = cause;
    });
    this.#filesRun = 0;
    this.#vm = vm;
    return vm;
  }

  /** Ends the processes that a file left; a lost VM is replaced. */
  async #tidy(vm: Vm): Promise<void> {
    this.#filesRun += 1;
    const isSpent = this.#lostBecause !== undefined || this.#filesRun >= FILES_PER_VM;
    if (isSpent || !(await endLeftProcesses(vm))) {
      this.#vm = undefined;
      await vm.destroy();
    }
  }
}

/** False where some did not end. */
async function endLeftProcesses(vm: Vm): Promise<boolean> {
  try {
    const left = (await vm.processes()).filter(({ pid }) => pid !== 1);
    for (const { pid } of left) await vm.kill(pid, "SIGKILL");
    return left.length === 0 || (await vm.processes()).every(({ pid }) => pid === 1);
  } catch {
    // It ended between the two calls, or the VM is lost: a fresh one is right in both cases.
    return false;
  }
}

function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
