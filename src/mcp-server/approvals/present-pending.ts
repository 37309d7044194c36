// Approvals that work waits for, as MCP clients show them to a model. It learns what would have to be decided and where; the
// command that decides is for people, and stands where they look: forms, terminals, the log.
import { z } from "zod";
import type { PendingApproval } from "../../vm/index.ts";

export const pendingApproval = z.object({
  approval: z.string(),
  summary: z.string(),
  /** The place in the configuration that has it asked. */
  rule: z.string().optional(),
});

export type PresentedApproval = z.output<typeof pendingApproval>;

/** More than a person reads. */
const SHOWN = 10;

export function presentPending(pending: readonly PendingApproval[]): PresentedApproval[] {
  return pending.slice(0, SHOWN).map(({ id, vm, summary, rule }) => ({
    approval: id,
    summary: vm === "" ? summary : `${summary} (VM ${vm})`,
    ...(rule === undefined ? {} : { rule }),
  }));
}

/** A line for clients that show text. */
export function pendingText(pending: readonly PresentedApproval[]): string {
  return pending
    .map(({ approval, summary, rule }) => {
      const why = rule === undefined ? "" : `; rule: ${rule}`;
      return `[waiting for approval ${approval}: ${summary}${why}; tell the user: only a person can approve it]`;
    })
    .join("\n");
}
