/** What somebody is asked to agree to, and what they answer. Nothing here knows who is asked or how. */

/** One thing that a guest wants and somebody must agree to first. */
export interface ApprovalRequest {
  /** The VM's name. */
  readonly vm: string;
  /** The process that waits, and its command; 0 and "" where the server itself asks. */
  readonly pid: number;
  readonly command: string;
  /** "tool", "permission", "escalation"…: subjects of one kind never stand for those of another. */
  readonly kind: string;
  /** What is remembered with "this VM" and "always": `project:delete-issue`, `fs rm /workspace/a`. */
  readonly subject: string;
  /** One line for a person. */
  readonly summary: string;
  /** What it is called with: JSON data without secrets. */
  readonly input?: unknown;
  /** Why, in the words of who asks. */
  readonly reason?: string;
  /** What else a person should know (a provider, a limit, a cost), by name. */
  readonly details?: Readonly<Record<string, string>>;
}

/** An answer holds for this call, for this VM until it is destroyed, or for every VM of this home. */
export type ApprovalScope = "once" | "vm" | "always";

export interface ApprovalAnswer {
  readonly answer: "allow" | "deny";
  readonly scope: ApprovalScope;
}

export interface ApprovalDecision extends ApprovalAnswer {
  /** Who decided: a person's way to us, "remembered", "expired" or "limit". */
  readonly by: string;
}

/** A request as people see it: every text is without control characters, and cut. */
export interface PendingApproval {
  /** What people call it by. Never used again. */
  readonly id: string;
  readonly vm: string;
  readonly pid: number;
  readonly command: string;
  readonly kind: string;
  readonly subject: string;
  readonly summary: string;
  /** JSON. */
  readonly input?: string;
  readonly reason?: string;
  readonly details?: Readonly<Record<string, string>>;
  readonly askedAt: number;
  readonly expiresAt: number;
}

export interface ApproveOptions {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Called at once where somebody has to be asked; not where the answer is remembered. */
  readonly onPending?: (pending: PendingApproval) => void;
}

/** Whom a VM turns to; `Approvals` is one. */
export interface Approver {
  /** Waits for an answer. Rejects with the signal's reason. */
  request(request: ApprovalRequest, options: ApproveOptions): Promise<ApprovalDecision>;
  /** The VM is destroyed: what was answered for it does not hold for the next of that name. */
  forgetVm(vm: string): void;
}
