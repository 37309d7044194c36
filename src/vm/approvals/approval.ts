/** What somebody is asked to agree to, and what they answer. Nothing here knows who is asked or how. */
import type { ApprovalInput } from "./approval-input.ts";

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
  /** What it is called with. */
  readonly input?: ApprovalInput;
  /** The place in the configuration that has it asked: `vm.permissions.fs`. Models are told of it, and of no command. */
  readonly rule?: string;
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
  /** Of the input that whoever answers has been shown: no other is allowed by it. */
  readonly inputSha256?: string;
}

export interface ApprovalDecision extends ApprovalAnswer {
  /** Who decided: a person's way to us, "remembered", "expired" or "limit". */
  readonly by: string;
}

/** A request as people see it: hidden characters are visible in every text (toolkit-cli/visible-text.ts). */
export interface PendingApproval {
  /** What people call it by. Never used again. */
  readonly id: string;
  readonly vm: string;
  readonly pid: number;
  readonly command: string;
  readonly kind: string;
  readonly subject: string;
  readonly summary: string;
  /** How the input begins; `Approvals.inputOf` gives all of it. */
  readonly input?: string;
  /** Whether `input` is all of it. */
  readonly isInputWhole?: boolean;
  /** Of exactly what runs, secrets included: its length in bytes, and what the answer is bound to. */
  readonly inputBytes?: number;
  readonly inputSha256?: string;
  /** Words that may be read as others. */
  readonly notes?: readonly string[];
  readonly rule?: string;
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
