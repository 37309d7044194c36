import { CallError, call } from "../channel.ts";
import {
  codedError,
  errnoException,
  uvErrors,
  uvException,
  uvNumber,
  uvNumberOf,
} from "../errors.ts";
import { facts } from "../facts.ts";
import { monotonicMs, timers } from "../loop/event-loop.ts";
import { encodeUtf8, native } from "../native.ts";
import { library, staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";
import { loaders } from "./builtins.ts";
import { openHandles } from "./handle.ts";
import { optionValues } from "./options.ts";

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
  causeSegfault: () => call("abort", SIGSEGV),
  _kill: kill,
  _rawDebug: (text: string) => call("write", 2, encodeUtf8(`${text}\n`), null),
  _debugProcess: () => undefined,
  _debugEnd: () => undefined,
  _getActiveRequests: () => [],
  _getActiveHandles: activeHandles,
  getActiveResourcesInfo: activeResources,
  memoryUsage,
  rss: residentBytes,
  constrainedMemory: () => call("sysinfo").totalMemory,
  availableMemory: () => call("sysinfo").freeMemory,
  cpuUsage: (into: Float64Array) => into.set(call("cpuUsage")),
  threadCpuUsage: (into: Float64Array) => into.set([Number(native["cpuTime"]() / 1000n), 0]),
  resourceUsage: (into: Float64Array) => into.set([...call("cpuUsage"), residentBytes() / 1024]),
  dlopen,
  dlopenBinary: dlopen,
  execve,
  patchProcessObject,
  loadEnvFile,
  setEmitWarningSync(emit: (message: string) => void): void {
    emitWarning = emit;
  },
  resetStdioForTesting: () => undefined,
});

const SIGSEGV = 11;
let startMs = 0;

export function markStart(): void {
  startMs = monotonicMs();
}

let emitWarning: (message: string) => void = () => undefined;

/** Says that a file was taken for CommonJS and is a module: the words of src/node_contextify.cc. */
export function warnOfModule(filename: string): void {
  const remedy = 'Make sure to set "type": "module" in the nearest package.json file';
  emitWarning(`Failed to load the ES module: ${filename}. ${remedy} or use the .mjs extension.`);
}

/** Bytes of the isolate's own: its heap, and what that holds outside of it. */
function residentBytes(): number {
  const heap = native["heapStatistics"]();
  return heap[PHYSICAL] + heap[MALLOCED] + heap[EXTERNAL];
}

/** rss, heapTotal, heapUsed, external, arrayBuffers; nearly all that a guest has outside of its heap is buffers. */
function memoryUsage(into: Float64Array): void {
  const heap = native["heapStatistics"]();
  into.set([residentBytes(), heap[TOTAL], heap[USED], heap[EXTERNAL], heap[EXTERNAL]]);
}

/** Places in heapStatistics(). */
const [TOTAL, PHYSICAL, USED, MALLOCED, EXTERNAL] = [0, 2, 4, 6, 13];

function cwd(): string {
  try {
    return call("cwd");
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    const isGone = error.code === "ENOENT";
    const message =
      `process.cwd failed with error ${uvErrors.get(uvNumber(error.code))?.[1] ?? "unknown error"}` +
      (isGone
        ? ", the current working directory was likely removed without changing the working directory"
        : "");
    throw uvException(error.code, { syscall: "uv_cwd", message });
  }
}

function chdir(path: string): void {
  try {
    call("chdir", path);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    const { code, reason } = error;
    throw uvException(code, { syscall: "chdir", path: cwd(), dest: path, reason });
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

/** What uses a handle is shown, or else the handle itself. */
function activeHandles(): unknown[] {
  const owner = staticsOf("symbols")["owner_symbol"];
  return openHandles()
    .filter((handle) => handle.hasRef())
    .map((handle: any) => handle[owner] ?? handle);
}

function activeResources(): string[] {
  const handles = openHandles().filter((handle) => handle.hasRef());
  return [
    ...handles.map((handle) => handle.resourceName),
    ...Array.from({ length: timers.timeoutInfo[0] ?? 0 }, () => "Timeout"),
    ...Array.from({ length: timers.immediateInfo[1] ?? 0 }, () => "Immediate"),
  ];
}

/** Names that the environment has already stay as they are. */
function loadEnvFile(path = ".env"): void {
  const content: string | null = call("readText", path);
  if (content === null) throw uvException("ENOENT", { syscall: "open", path });
  const values: Record<string, string> = loaders.internalBinding("util")["parseEnv"](content);
  for (const [name, value] of Object.entries(values))
    if (!facts.env.has(name)) facts.env.set(name, value);
}

function dlopen(): never {
  throw codedError(Error, "ERR_DLOPEN_FAILED", "Native modules are not supported in a VM");
}

/** Runs another file in this process. Returns only by failing. */
function execve(file: string, argv: string[], env: string[]): void {
  try {
    call("execve", file, argv, env);
  } catch (error) {
    throw errnoException(error, "execve", file);
  }
}

/** What node::PatchProcessObject sets. */
function patchProcessObject(process: Record<string, unknown>): void {
  const given = optionValues.get("--title");
  let title = typeof given === "string" && given !== "" ? given : (facts.argv[0] ?? "node");
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

/** Node's own options as this thread was started with. */
export function ownExecArgv(): readonly string[] {
  return execArgv;
}

export function setExecArgv(args: readonly string[]): void {
  execArgv = args;
}
