import type { AskEscalation, EscalationQuestion } from "../../sandbox-escalation/index.ts";
import type { Approver } from "../../vm/index.ts";

/** Escalations as approvals: what is not once holds for the provider. */
export function askForSandbox(approver: Approver): AskEscalation {
  return async (question) => {
    const { vm, pid, command, reason, offer, signal } = question;
    const provider = offer.provider.id;
    const summary = `start a full Linux sandbox (${provider})`;
    const subject = `sandbox ${provider}`;
    const rule = "sandbox.policy";
    const details = detailsOf(question);
    const { answer, by } = await approver.request(
      { vm, pid, command, kind: "escalation", subject, summary, rule, reason, details },
      { signal },
    );
    return { isAllowed: answer === "allow", by };
  };
}

function detailsOf({ offer }: EscalationQuestion): Record<string, string> {
  const { provider, image, network, limits, costUsdPerHour, idleMs } = offer;
  const minutes = Math.round(limits.lifetimeMs / 60_000);
  return {
    provider: provider.id,
    image,
    network,
    limits: `${limits.memoryMb} MB memory, ${limits.cpus} CPUs, ${limits.pids} processes, ${limits.diskMb} MB disk`,
    "ends after": `${minutes} minutes, or ${Math.round(idleMs / 1000)} s without a process`,
    cost: costUsdPerHour > 0 ? `about ${costUsdPerHour} USD an hour` : "none",
  };
}
