import type { Lease, UseMeter } from "../limits-of-use/use-meter.ts";
import type { Offer } from "../policy/offer.ts";
import type { Sandbox } from "../provider.ts";
import type { ControllerOptions } from "./controller-options.ts";
import { endProcesses } from "./end-processes.ts";
import type { ProcessTable } from "./process-table.ts";

export interface RunningSandboxParts {
  readonly options: ControllerOptions;
  readonly sandbox: Sandbox;
  readonly offer: Offer;
  readonly createdAtMs: number;
  readonly leases: readonly { readonly meter: UseMeter; readonly lease: Lease }[];
}

/** One that runs no more and can be made to run again. */
export interface Stopped {
  readonly sandbox: Sandbox;
  readonly offer: Offer;
  readonly createdAtMs: number;
}

/** When its life is over. */
export function endOf(stopped: Stopped | undefined): number {
  return stopped === undefined ? Infinity : stopped.createdAtMs + stopped.offer.limits.lifetimeMs;
}

/** A sandbox from its start to its stop, and what counts its time. */
export class RunningSandbox {
  readonly sandbox: Sandbox;
  readonly offer: Offer;
  readonly createdAtMs: number;
  readonly #options: ControllerOptions;
  readonly #leases: RunningSandboxParts["leases"];
  readonly #startedAtMs = performance.now();

  constructor({ options, sandbox, offer, createdAtMs, leases }: RunningSandboxParts) {
    this.#options = options;
    this.sandbox = sandbox;
    this.offer = offer;
    this.createdAtMs = createdAtMs;
    this.#leases = leases;
  }

  /** Whether its files are its own, and not the workspace's. */
  get isAway(): boolean {
    return this.#options.files?.isAway(this.sandbox) === true;
  }

  /** When it has to end so that its files are back before its provider ends it. */
  get endsAtMs(): number {
    const { lifetimeMs } = this.offer.limits;
    const timeToCarry = this.isAway ? Math.min(CARRY_MS, lifetimeMs / 10) : 0;
    return this.createdAtMs + lifetimeMs - timeToCarry;
  }

  /** Its processes end, its files come back, while it still runs and costs. What is not back, in words. */
  async bringHome(processes: ProcessTable, signal: AbortSignal): Promise<string | undefined> {
    if (!this.isAway) return undefined;
    await endProcesses(processes);
    return await this.#options.files?.comeHome(this.sandbox, signal);
  }

  /** Its time counts no more; how long it was is recorded. */
  end(why: string): void {
    for (const { meter, lease } of this.#leases) meter.end(lease);
    const { vm, records } = this.#options;
    const usedMs = Math.round(performance.now() - this.#startedAtMs);
    const { costUsdPerHour, provider } = this.offer;
    const costUsd = (usedMs / 3_600_000) * costUsdPerHour;
    records.add(vm, "stopped", { why, usedMs, costUsd, provider: provider.id });
  }
}

/** Enough for all that a workspace usually holds. */
const CARRY_MS = 120_000;
