// Approvals that work waits for, as MCP clients see them.
import { z } from "zod";
import type { PendingApproval } from "../../vm/index.ts";

export const pendingApproval = z.object({
  approval: z.string(),
  summary: z.string(),
  /** What a person runs on the host. */
  next: z.string(),
});

export type PresentedApproval = z.output<typeof pendingApproval>;

/** More than a person reads. */
const SHOWN = 10;

export function presentPending(pending: readonly PendingApproval[]): PresentedApproval[] {
  return pending.slice(0, SHOWN).map(({ id, vm, summary }) => ({
    approval: id,
    summary: vm === "" ? summary : `${summary} (VM ${vm})`,
    next: `agentos-mcp approvals allow ${id}`,
  }));
}

/** A line for clients that show text. */
export function pendingText(pending: readonly PresentedApproval[]): string {
  return pending
    .map(
      ({ approval, summary, next }) =>
        `[waiting for approval ${approval}: ${summary}; ask the user to run: ${next}]`,
    )
    .join("\n");
}
