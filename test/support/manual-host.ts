import type { KernelHost, KernelLog } from "../../src/kernel/host.ts";
import type { LimitWarning } from "../../src/kernel/limits/limits.ts";
import type { PermissionAnswer, PermissionRequest } from "../../src/kernel/permissions/policy.ts";
import { ManualClock, settle } from "./waiter.ts";

/** A question of the policy that waits for the test's answer. */
export interface OpenQuestion {
  readonly request: PermissionRequest;
  /** Aborted when the process that asks has ended. */
  readonly signal: AbortSignal;
  answer(answer: PermissionAnswer): void;
  /** The host could not ask. */
  fail(error: Error): void;
}

/** 2026-01-02T03:04:05Z: what the clock of a test starts with. */
export const START_MS = 1_767_323_045_000;

/** A world that stands still: time moves by `clock.advance`, questions wait for the test. */
export class ManualHost implements KernelHost {
  readonly clock = new ManualClock();
  readonly logged: KernelLog[] = [];
  readonly warnings: LimitWarning[] = [];
  /** What sessions were told: `sid: text`. */
  readonly told: string[] = [];
  readonly questions: OpenQuestion[] = [];
  turns = 0;
  readonly cpus = 2;
  /** What the kernel's thread has used; moves when a test says so. */
  cpuMs = 0;
  #seed = 1;

  /** Lets everything go as far as it can, then moves the clock. */
  async advance(byMs: number): Promise<void> {
    await settle();
    await this.clock.advance(byMs);
  }

  now(): number {
    return START_MS + this.clock.monotonic();
  }

  monotonic(): number {
    return this.clock.monotonic();
  }

  threadCpuMs(): number {
    return this.cpuMs;
  }

  setTimer(delayMs: number, callback: () => void): () => void {
    return this.clock.setTimer(this.clock.monotonic() + delayMs, callback);
  }

  async yieldTurn(): Promise<void> {
    this.turns += 1;
    await settle();
  }

  takeMemoryShortage(): boolean {
    return false;
  }

  /** The same bytes in every run. */
  random(into: Uint8Array): void {
    for (let i = 0; i < into.length; i++) {
      this.#seed = (Math.imul(this.#seed, 1_103_515_245) + 12_345) >>> 0;
      into[i] = this.#seed >>> 16;
    }
  }

  log(line: KernelLog): void {
    this.logged.push(line);
  }

  tellSession(sid: number, text: string): void {
    this.told.push(`${sid}: ${text}`);
  }

  warnLimit(warning: LimitWarning): void {
    this.warnings.push(warning);
  }

  ask(request: PermissionRequest, signal: AbortSignal): Promise<PermissionAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<PermissionAnswer>();
    this.questions.push({ request, signal, answer: resolve, fail: reject });
    return promise;
  }
}
