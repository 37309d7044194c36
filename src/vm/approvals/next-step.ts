import type { PendingApproval } from "./approval.ts";

/** What whoever meets a pending approval can do; also guests see it, who cannot do it. */
export function nextStep({ id }: Pick<PendingApproval, "id">): string {
  return `a person on the host can run: agentos-mcp approvals allow ${id} (or deny ${id})`;
}
