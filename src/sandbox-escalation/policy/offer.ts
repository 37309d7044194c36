/** What an operator offers of a provider, and who has to agree before it is used. */
import type { NetworkMode, SandboxLimits, SandboxProvider } from "../provider.ts";

/** Refused; somebody is asked for each new sandbox; granted without asking. */
export type EscalationPolicy = "deny" | "ask" | "auto";

export interface Offer {
  readonly provider: SandboxProvider;
  readonly policy: EscalationPolicy;
  readonly image: string;
  readonly network: NetworkMode;
  readonly limits: SandboxLimits;
  /** How long one stays without a process; then it is stopped. */
  readonly idleMs: number;
  /** What the operator reckons it costs while it runs. */
  readonly costUsdPerHour: number;
  readonly env: Readonly<Record<string, string>>;
}

/** Who wants a sandbox, and why. */
export interface EscalationRequest {
  /** The process in the VM and its command; 0 and the MCP tool's name where no process asks. */
  readonly pid: number;
  readonly command: string;
  readonly reason: string;
  /** The first that may be used unless said otherwise. */
  readonly provider?: string;
  readonly signal: AbortSignal;
}

/** What somebody is asked to agree to. */
export interface EscalationQuestion extends EscalationRequest {
  readonly vm: string;
  readonly offer: Offer;
}

export interface EscalationAnswer {
  readonly isAllowed: boolean;
  /** Who decided. */
  readonly by: string;
}

/** Waits for somebody's answer. Rejects with the signal's reason. */
export type AskEscalation = (question: EscalationQuestion) => Promise<EscalationAnswer>;
