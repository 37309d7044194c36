import { SandboxError } from "../provider.ts";
import type { Offer } from "./offer.ts";

/** The offer of that name, or the first that is not refused. SandboxError "denied". */
export function chooseOffer(offers: readonly Offer[], wanted: string | undefined): Offer {
  const open = offers.filter(({ policy }) => policy !== "deny");
  const names = open.map(({ provider }) => provider.id).join(", ");
  if (wanted === undefined) {
    const [first] = open;
    if (first === undefined) throw new SandboxError("denied", "No sandboxes are allowed here.");
    return first;
  }
  const found = open.find(({ provider }) => provider.id === wanted);
  if (found !== undefined) return found;
  const known = names === "" ? "none" : names;
  throw new SandboxError(
    "denied",
    `The provider "${wanted.slice(0, 40)}" is not offered (offered: ${known}).`,
  );
}
