import type { KernelHost } from "../host.ts";
import type { Process } from "./process.ts";

/** A shorter time between two calls is taken as it is; of a longer one the thread may have slept a part. */
const SHORT_MS = 0.05;

/**
 * The CPU time that processes use on the kernel's thread: what programs compute, and what calls cost.
 *
 * Programs share that thread and leave it only in calls. So whoever makes a call has computed since the call before it,
 * whoever made that one. To ask for the thread's CPU time costs as much as a call, so it is asked for after long times only.
 */
export class CpuMeter {
  readonly #host: KernelHost;
  #markMs: number;
  /** The thread's CPU time when it was last asked for, and what was charged since without asking. */
  #threadMs: number;
  #chargedMs = 0;

  constructor(host: KernelHost) {
    this.#host = host;
    this.#markMs = host.monotonic();
    this.#threadMs = host.threadCpuMs();
  }

  /** The process has computed up to now. */
  charge(process: Process, nowMs: number): void {
    const passedMs = nowMs - this.#markMs;
    this.#markMs = nowMs;
    if (passedMs < SHORT_MS) {
      this.#chargedMs += passedMs;
      process.kernelCpuMs += passedMs;
      return;
    }
    const threadMs = this.#host.threadCpuMs();
    const usedMs = threadMs - this.#threadMs - this.#chargedMs;
    process.kernelCpuMs += Math.max(0, Math.min(usedMs, passedMs));
    this.#threadMs = threadMs;
    this.#chargedMs = 0;
  }
}
