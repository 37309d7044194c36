/** What a server offers its VMs, and which of it can be used right now. */
import { type Probe, SandboxError } from "../provider.ts";
import { chooseOffer } from "./choose-offer.ts";
import type { Offer } from "./offer.ts";

/** How long a provider's word holds: what works goes on working, what was mended is soon found out. */
const USABLE_MS = 60_000;
const UNUSABLE_MS = 5000;
/** A provider that takes longer is as good as none. */
const PROBE_LIMIT_MS = 15_000;
const LOOK_LIMIT_MS = 3000;

export interface SeenOffer {
  readonly offer: Offer;
  readonly probe: Probe;
}

interface Kept {
  readonly untilMs: number;
  readonly probe: Promise<Probe>;
}

export class OfferBoard {
  /** In order of preference, without those that the policy refuses. */
  readonly open: readonly Offer[];
  readonly #offers: readonly Offer[];
  readonly #now: () => number;
  readonly #kept = new Map<Offer, Kept>();

  constructor(offers: readonly Offer[], now: () => number) {
    this.#offers = offers;
    this.#now = now;
    this.open = offers.filter(({ policy }) => policy !== "deny");
  }

  /**
   * The one of that name; else the first that can be used. SandboxError "denied", "unavailable": nobody is
   * asked to agree to what cannot be had. Where there is one only and nobody is asked, it says itself, when it
   * is wanted, why it cannot be used.
   */
  async choose(wanted: string | undefined): Promise<Offer> {
    const first = chooseOffer(this.#offers, wanted);
    if (wanted !== undefined) return await this.#requireUsable(first);
    if (this.open.length === 1 && first.policy === "auto") return first;
    const refused: SeenOffer[] = [];
    for (const offer of this.open) {
      const probe = await this.#probe(offer);
      if (probe.isUsable) return offer;
      refused.push({ offer, probe });
    }
    const reasons = refused.map((seen) => `${seen.offer.provider.id}: ${describeRefusal(seen)}`);
    throw new SandboxError("unavailable", `No provider can be used here. ${reasons.join(" ")}`);
  }

  /** What all of them say; whoever only looks does not wait for long. */
  async look(limitMs: number = LOOK_LIMIT_MS): Promise<readonly SeenOffer[]> {
    return await Promise.all(
      this.open.map(async (offer) => ({ offer, probe: await soon(this.#probe(offer), limitMs) })),
    );
  }

  async #requireUsable(offer: Offer): Promise<Offer> {
    const problem = describeRefusal({ offer, probe: await this.#probe(offer) });
    if (problem === "") return offer;
    throw new SandboxError("unavailable", `${offer.provider.id} cannot be used here: ${problem}`);
  }

  #probe(offer: Offer): Promise<Probe> {
    const kept = this.#kept.get(offer);
    if (kept !== undefined && this.#now() < kept.untilMs) return kept.probe;
    const probe = probeOf(offer);
    // Until it has answered, all who ask wait for the same answer.
    this.#kept.set(offer, { untilMs: Infinity, probe });
    probe
      .then(({ isUsable }) => {
        const untilMs = this.#now() + (isUsable ? USABLE_MS : UNUSABLE_MS);
        this.#kept.set(offer, { untilMs, probe });
      })
      .catch(() => this.#kept.delete(offer));
    return probe;
  }
}

/** Why an offer cannot be used, and what to do; empty where it can. */
export function describeRefusal({ probe }: SeenOffer): string {
  if (probe.isUsable) return "";
  return probe.fix === undefined ? probe.reason : `${probe.reason} To allow it: ${probe.fix}.`;
}

async function soon(probe: Promise<Probe>, limitMs: number): Promise<Probe> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Probe>((resolve) => {
    const reason = "It has not answered yet.";
    timer = setTimeout(() => resolve({ isUsable: false, reason }), limitMs);
  });
  try {
    return await Promise.race([probe, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function probeOf({ provider }: Offer): Promise<Probe> {
  try {
    return await provider.probe(AbortSignal.timeout(PROBE_LIMIT_MS));
  } catch (error) {
    const isLate = error instanceof Error && error.name === "TimeoutError";
    const words = error instanceof Error ? error.message : String(error);
    return { isUsable: false, reason: isLate ? "It does not answer." : words };
  }
}
