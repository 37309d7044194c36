import { chooseOffer } from "../policy/choose-offer.ts";
import type { Offer } from "../policy/offer.ts";
import type { OfferBoard } from "../policy/offer-board.ts";
import { SandboxError } from "../provider.ts";
import type { RecordLog } from "../records/record-log.ts";

export interface ChoiceParts {
  readonly vm: string;
  readonly offers: OfferBoard;
  readonly records: RecordLog;
}

/** The offer that a new sandbox is made of; a refusal is recorded. SandboxError "denied", "unavailable". */
export async function chooseStart(
  { vm, offers, records }: ChoiceParts,
  wanted: string | undefined,
): Promise<Offer> {
  try {
    return await offers.choose(wanted);
  } catch (error) {
    if (error instanceof SandboxError && error.code === "denied")
      records.add(vm, "denied", { by: "policy", provider: wanted ?? "any" });
    throw error;
  }
}

/** SandboxError "failed" when a sandbox of another provider runs than the one asked for; "denied" where there is no such one. */
export function requireProvider(
  offer: Offer,
  offers: OfferBoard,
  wanted: string | undefined,
): void {
  const { id } = offer.provider;
  if (wanted === undefined || wanted === id) return;
  chooseOffer(offers.open, wanted);
  throw new SandboxError(
    "failed",
    `The VM's sandbox is of the provider ${id}. For another one, run sandbox stop first.`,
  );
}
