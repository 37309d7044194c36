import type { AskEscalation, EscalationRequest, Offer } from "../policy/offer.ts";
import { SandboxError } from "../provider.ts";
import type { RecordLog } from "../records/record-log.ts";

export interface PermitParts {
  readonly vm: string;
  readonly offer: Offer;
  readonly ask: AskEscalation;
  readonly records: RecordLog;
}

/** Returns when the sandbox may be made. SandboxError "denied" says who said no. */
export async function permit(
  request: EscalationRequest,
  { vm, offer, ask, records }: PermitParts,
): Promise<void> {
  const provider = offer.provider.id;
  if (offer.policy === "auto") {
    records.add(vm, "allowed", { by: "policy", provider });
    return;
  }
  const { isAllowed, by } = await ask({ ...request, vm, offer });
  records.add(vm, isAllowed ? "allowed" : "denied", { by, provider, reason: request.reason });
  if (isAllowed) return;
  throw new SandboxError("denied", `Nobody agreed to a sandbox (${provider}): denied by ${by}.`);
}
