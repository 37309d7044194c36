import type { Lease, UseMeter } from "../limits-of-use/use-meter.ts";
import type { Offer } from "../policy/offer.ts";
import type { Sandbox } from "../provider.ts";

export interface RunningSandboxParts {
  readonly sandbox: Sandbox;
  readonly offer: Offer;
  readonly createdAtMs: number;
  readonly leases: readonly { readonly meter: UseMeter; readonly lease: Lease }[];
}

/** A sandbox from its start to its stop, and what counts its time. */
export class RunningSandbox {
  readonly sandbox: Sandbox;
  readonly offer: Offer;
  readonly createdAtMs: number;
  readonly #leases: RunningSandboxParts["leases"];
  readonly #startedAtMs = performance.now();

  constructor({ sandbox, offer, createdAtMs, leases }: RunningSandboxParts) {
    this.sandbox = sandbox;
    this.offer = offer;
    this.createdAtMs = createdAtMs;
    this.#leases = leases;
  }

  /** Its time counts no more; answers how long it was. */
  end(): number {
    for (const { meter, lease } of this.#leases) meter.end(lease);
    return Math.round(performance.now() - this.#startedAtMs);
  }
}
