// Runs one attack in a VM of its own, and says how it ended.
import type { ExecResult, Vm, Vms } from "../../../src/vm/index.ts";
import { built } from "../../support/built-vms.ts";
import type { Attack, Ending, Expected } from "./attack.ts";

export interface AttackResult {
  readonly ending: Ending;
  readonly status: number | undefined;
  readonly signal: string | undefined;
  /** What it printed, and the beginning of what it said. */
  readonly stdout: string;
  readonly stderr: string;
  readonly notices: readonly string[];
  /** Why the VM was lost, where it was. */
  readonly loss: string | undefined;
  readonly durationMs: number;
}

/** Printed before the attack's own code: without it, nothing of the attack has run. */
export const STARTED = "started\n";
const sayStarted = {
  cjs: `require("node:fs").writeSync(1, ${JSON.stringify(STARTED)});`,
  mjs: `import { writeSync } from "node:fs"; writeSync(1, ${JSON.stringify(STARTED)});`,
} as const;

export const heapLimitWords =
  "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n";
export const memoryWords =
  /^Killed process \d+ \(.*\): the VM's memory of 1024 MB was used up, and this process used most of it\. To raise the limit, create the VM with a larger memoryMb\.$/s;
const brokenWords = "node: internal error (failed)\n";

/** How long an attack without an end goes on, once it has begun. */
const ENDLESS_MS = 1000;
/** Enough for whatever ends by itself, however busy the machine is. */
export const LONG_MS = 120_000;
const OUTPUT_LIMIT_BYTES = 1_000_000;
/** Half the usual heap is filled in half the time; time to compute must not run out before memory does. */
const limits = { v8HeapLimitMb: 64, cpuTimeLimitMs: LONG_MS };

/** The file that is run: /tmp/attack.cjs or .mjs. */
export function sourceOf({ code, isModule = false }: Attack): {
  readonly type: "cjs" | "mjs";
  readonly text: string;
} {
  const type = isModule ? "mjs" : "cjs";
  return { type, text: `${sayStarted[type]} ${code}` };
}

/** Fails where the VM does not answer afterwards, anew where it was lost. */
export async function suffer(vms: Vms, name: string, attack: Attack): Promise<AttackResult> {
  const vm = await vms.create({ name, limits });
  try {
    const startedAt = performance.now();
    const result = await run(vm, attack);
    const durationMs = Math.round(performance.now() - startedAt);
    const loss = result.loss ?? (await findLoss(vm, attack.expected, result.ending));
    const { stdout } = await vm.exec("echo alive");
    if (stdout !== "alive\n") throw new Error(`the VM answers ${JSON.stringify(stdout)}`);
    return {
      ...result,
      loss,
      ending: loss === undefined ? result.ending : lostBy(loss),
      durationMs,
    };
  } finally {
    await vm.destroy();
  }
}

type Ended = Omit<AttackResult, "durationMs">;

async function run(vm: Vm, attack: Attack): Promise<Ended> {
  const { type, text } = sourceOf(attack);
  const { expected } = attack;
  // One that may end by itself is given the time to do so, however slow the machine is.
  const isEndless =
    mayEnd(expected, "stopped") ||
    (!mayEnd(expected, "heap limit") && mayEnd(expected, "VM stuck"));
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  try {
    await vm.files.write(`/tmp/attack.${type}`, text);
    const result = await vm.exec(`node /tmp/attack.${type}`, {
      timeoutMs: LONG_MS,
      maxOutputBytes: OUTPUT_LIMIT_BYTES,
      signal: stop.signal,
      onStdout: () => {
        if (isEndless) timer ??= setTimeout(() => stop.abort(), ENDLESS_MS);
      },
    });
    const ending = endingOf(result, stop.signal.aborted);
    const { exitCode: status, signal, stdout, stderr, notices } = result;
    return { ending, status, signal, stdout, stderr, notices, loss: undefined };
  } catch (error) {
    const loss = lossOf(error);
    const nothing = { status: undefined, signal: undefined, stdout: "", stderr: "", notices: [] };
    return { ending: lostBy(loss), ...nothing, loss };
  } finally {
    clearTimeout(timer);
  }
}

function endingOf({ exitCode, signal, stderr, notices }: ExecResult, isStopped: boolean): Ending {
  if (signal === "SIGKILL" && notices.some((text) => memoryWords.test(text))) return "memory limit";
  if (isStopped && (signal === "SIGTERM" || signal === "SIGKILL")) return "stopped";
  if (signal === "SIGABRT" && stderr === heapLimitWords) return "heap limit";
  if (signal === "SIGABRT" && stderr === brokenWords) return "internal error";
  if (signal !== undefined) throw new Error(`ended by ${signal}: ${stderr}`);
  return exitCode === 0 ? "exit" : "error";
}

/**
 * Why the VM was lost after the attack, if it was. An isolate that cannot be stopped takes its VM along a
 * moment after its process has ended: where the process has not ended as expected, this waits for that as
 * long as it may take.
 */
async function findLoss(vm: Vm, expected: Expected, ending: Ending): Promise<string | undefined> {
  const mayBeLost = mayEnd(expected, "VM stuck") && !mayEnd(expected, ending);
  try {
    await vm.exec(mayBeLost ? `sleep ${LONG_MS / 1000}` : "true");
    return undefined;
  } catch (error) {
    return lossOf(error);
  }
}

function mayEnd({ ends }: Expected, ending: Ending): boolean {
  return typeof ends === "string" ? ends === ending : ends.includes(ending);
}

function lossOf(error: unknown): string {
  if (error instanceof built.HostError && error.code === "VM_LOST") return error.message;
  throw error;
}

function lostBy(loss: string): Ending {
  if (loss.includes("it used more memory than its limit")) return "VM memory";
  if (loss.includes("one of its JavaScript processes could not be stopped")) return "VM stuck";
  // V8 aborts; or isolated-vm, told first, calls the cell's handler without a context: a null pointer.
  if (/its cell was ended by SIG(?:ABRT|SEGV)/.test(loss)) return "VM crashed";
  throw new Error(`lost otherwise: ${loss}`);
}
