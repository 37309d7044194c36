import { call, CallError } from "../channel.ts";
import { uvException, uvNumberOf } from "../errors.ts";
import { facts } from "../facts.ts";
import { monotonicMs } from "../loop/event-loop.ts";
import { encodeUtf8, native } from "../native.ts";
import { library } from "../statics.ts";
import type { Binding } from "./base.ts";

const hrtimeBuffer = new Uint32Array(3);
const hrtimeBig = new BigUint64Array(hrtimeBuffer.buffer, 0, 1);

export const processMethods = (): Binding => ({
  hrtimeBuffer,
  hrtime(): void {
    const nanoseconds: bigint = native["hrtime"]();
    const seconds = nanoseconds / 1_000_000_000n;
    hrtimeBuffer[0] = Number(seconds >> 32n);
    hrtimeBuffer[1] = Number(seconds & 0xffff_ffffn);
    hrtimeBuffer[2] = Number(nanoseconds % 1_000_000_000n);
  },
  hrtimeBigInt(): void {
    hrtimeBig[0] = native["hrtime"]();
  },
  uptime: () => (monotonicMs() - startMs) / 1000,
  cwd,
  chdir,
  umask: (mask?: number) => call("umask", mask),
  reallyExit: (code: number) => call("exit", code ?? 0),
  abort: () => call("abort"),
  causeSegfault: () => call("abort"),
  _kill: kill,
  _rawDebug: (text: string) => call("write", 2, encodeUtf8(`${text}\n`), null),
  _debugProcess: () => undefined,
  _debugEnd: () => undefined,
  _getActiveRequests: () => [],
  _getActiveHandles: () => [],
  getActiveResourcesInfo: () => [],
  memoryUsage(into: Float64Array): void {
    const heap = native["heapStatistics"]();
    into.set([heap[1], heap[0], heap[4], heap[13] ?? 0, 0]);
  },
  rss: () => native["heapStatistics"]()[1],
  constrainedMemory: () => native["heapStatistics"]()[5],
  availableMemory: () => native["heapStatistics"]()[5] - native["heapStatistics"]()[4],
  cpuUsage: (into: Float64Array) => into.set(cpuTimes()),
  threadCpuUsage: (into: Float64Array) => into.set(cpuTimes()),
  resourceUsage: (into: Float64Array) => into.set(cpuTimes()),
  dlopen: () => {
    throw new Error("Native modules are not supported in a VM");
  },
  execve: () => {
    throw new Error("process.execve is not supported in a VM");
  },
  patchProcessObject,
  loadEnvFile: (path: string) => call("readText", path),
  setEmitWarningSync: () => undefined,
  resetStdioForTesting: () => undefined,
});

let startMs = 0;

export function markStart(): void {
  startMs = monotonicMs();
}

/** User and system time in microseconds; the system's share is the kernel's and not counted here. */
function cpuTimes(): [number, number] {
  return [Number(native["cpuTime"]() / 1000n), 0];
}

function cwd(): string {
  try {
    return call("cwd");
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    throw uvException(error.code, { syscall: "uv_cwd" });
  }
}

function chdir(path: string): void {
  try {
    call("chdir", path);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    throw uvException(error.code, { syscall: "chdir", path: cwd(), dest: path });
  }
}

/** libuv's number of the errno; 0 when the signal was sent. */
function kill(pid: number, signal: number): number {
  try {
    call("kill", pid, signal);
    return 0;
  } catch (error) {
    return uvNumberOf(error);
  }
}

/** What node::PatchProcessObject sets. */
function patchProcessObject(process: Record<string, unknown>): void {
  let title = "node";
  Object.defineProperty(process, "title", {
    enumerable: true,
    configurable: true,
    get: () => title,
    set: (value: unknown) => {
      title = String(value);
    },
  });
  process["argv"] = [...facts.argv];
  process["execArgv"] = [...execArgv];
  process["pid"] = facts.pid;
  Object.defineProperty(process, "ppid", {
    enumerable: true,
    configurable: true,
    get: () => call("getppid"),
  });
  process["execPath"] = facts.execPath;
  process["debugPort"] = 9229;
  process["versions"] = Object.freeze({ ...library.versions });
}

let execArgv: readonly string[] = [];

export function setExecArgv(args: readonly string[]): void {
  execArgv = args;
}
