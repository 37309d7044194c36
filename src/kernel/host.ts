import type { LimitWarning } from "./limits/limits.ts";
import type { PermissionAnswer, PermissionRequest } from "./permissions/policy.ts";

/** One line for whoever runs the VM. `bug` means an invariant failed: the VM is to be stopped. */
export interface KernelLog {
  readonly level: "bug" | "warning" | "info";
  readonly message: string;
  readonly cause?: unknown;
}

/** All the kernel asks of the world. Tests pass a manual clock and a seeded random source. */
export interface KernelHost {
  /** Milliseconds since 1970, with fractions. */
  now(): number;
  /** Milliseconds that never run backwards. */
  monotonic(): number;
  /** CPU time in milliseconds that the kernel's thread has used. */
  threadCpuMs(): number;
  /** Processors that processes may use at a time. */
  readonly cpus: number;
  /** Calls back once, after `delayMs`; the answer cancels it. */
  setTimer(delayMs: number, callback: () => void): () => void;
  /** Resolves after the host's event loop has had a turn, so that guests cannot starve it. */
  yieldTurn(): Promise<void>;
  /** Whether memory is nearly used up; true once for each time it is found to be. */
  takeMemoryShortage(): boolean;
  /** Fills `into` with unpredictable bytes. */
  random(into: Uint8Array): void;
  log(line: KernelLog): void;
  /** Tells whoever started a session what it should know: which limit ended a process, and how to raise it. */
  tellSession(sid: number, text: string): void;
  /** A limit has been filled to 80 %. */
  warnLimit(warning: LimitWarning): void;
  /** Answers an `ask` of the policy; the call of the guest waits. Aborted when the process ends. */
  ask(request: PermissionRequest, signal: AbortSignal): Promise<PermissionAnswer>;
}
