/** Everything that waits for somebody's agreement, and what has been agreed to. */
import { randomInt } from "node:crypto";
import { EventEmitter } from "node:events";
import { visibleLine } from "../../toolkit-cli/index.ts";
import { HostError } from "../host-error.ts";
import { AnswersOfVms } from "./answers-of-vms.ts";
import type {
  ApprovalAnswer,
  ApprovalDecision,
  ApprovalRequest,
  ApproveOptions,
  Approver,
  PendingApproval,
} from "./approval.ts";
import { DecisionLog } from "./decision-log.ts";
import { describeRequest } from "./describe-request.ts";
import {
  type RememberedApproval,
  RememberedApprovals,
  SUBJECT_LIMIT,
} from "./remembered-approvals.ts";

export interface ApprovalsOptions {
  /** Where "always" is kept; in memory where left out. */
  readonly rememberedFile?: string;
  /** Where decisions are recorded; nowhere where left out. */
  readonly decisionsFile?: string;
  /** How long somebody has to answer; then it is denied. */
  readonly expiryMs?: number;
  readonly pendingPerVm?: number;
  readonly pendingTotal?: number;
  readonly log?: (line: string) => void;
}

export interface ApprovalsEvents {
  pending: [PendingApproval];
  /** Undefined: who waited is gone. */
  settled: [PendingApproval, ApprovalDecision | undefined];
}

/** Longer than lunch: an agent that waits costs nothing, and a person may be away. */
const EXPIRY_MS = 2 * 60 * 60 * 1000;
const PENDING_PER_VM = 32;
const PENDING_TOTAL = 256;
/** Kept to say who has answered already. */
const SETTLED_KEPT = 256;

const WHO_LIMIT = 100;

interface Open {
  readonly pending: PendingApproval;
  readonly request: ApprovalRequest;
  readonly settle: (decision: ApprovalDecision | undefined, isByPerson?: boolean) => void;
}

/**
 * The first answer to a request wins. Requests beyond the limits, and those nobody answers in time,
 * are denied. An answer for a VM, or for always, also answers whatever else waits for the same. Nothing
 * here can be reached from a VM but `request`.
 */
export class Approvals implements Approver {
  readonly #options: ApprovalsOptions;
  readonly #events = new EventEmitter<ApprovalsEvents>();
  readonly #open = new Map<string, Open>();
  readonly #settled = new Map<string, ApprovalDecision | undefined>();
  readonly #ofVms = new AnswersOfVms();
  readonly #always: RememberedApprovals;
  readonly #decisions: DecisionLog;

  constructor(options: ApprovalsOptions = {}) {
    const { log = () => undefined } = options;
    this.#options = options;
    this.#events.setMaxListeners(0);
    this.#always = new RememberedApprovals(options.rememberedFile, log);
    this.#decisions = new DecisionLog({ file: options.decisionsFile, log });
  }

  async request(request: ApprovalRequest, options: ApproveOptions): Promise<ApprovalDecision> {
    options.signal.throwIfAborted();
    const pending = describeRequest(this.#newId(), request, {
      askedAt: Date.now(),
      expiresAt: Date.now() + (this.#options.expiryMs ?? EXPIRY_MS),
    });
    const known = this.#findAnswer(request) ?? this.#findRefusal(request.vm);
    if (known === undefined) return await this.#wait(pending, request, options);
    this.#decisions.add({ pending, input: request.input, decision: known, isByPerson: false });
    return known;
  }

  /** What waits for an answer, the oldest first. */
  list(): PendingApproval[] {
    return [...this.#open.values()].map(({ pending }) => pending);
  }

  find(id: string): PendingApproval | undefined {
    return this.#open.get(id)?.pending;
  }

  /** All of what it is called with as people see it; undefined where there is nothing. APPROVAL_NOT_FOUND, APPROVAL_DECIDED. */
  inputOf(id: string): string | undefined {
    const open = this.#open.get(id);
    if (open === undefined) throw this.#missing(id);
    return open.request.input?.shown;
  }

  /**
   * `who` says who answers, `inputSha256` what they have been shown. APPROVAL_NOT_FOUND, APPROVAL_DECIDED,
   * APPROVAL_OF_ANOTHER where that is not what waits.
   */
  decide(id: string, { answer, scope, inputSha256 }: ApprovalAnswer, who: string): void {
    const open = this.#open.get(id);
    if (open === undefined) throw this.#missing(id);
    const { request } = open;
    if (inputSha256 !== undefined && inputSha256 !== request.input?.sha256) {
      throw new HostError("APPROVAL_OF_ANOTHER", { approval: id });
    }
    const by = visibleLine(who, WHO_LIMIT);
    const decision: ApprovalDecision = { answer, scope: scopeOf(request, scope), by };
    if (decision.scope === "vm") this.#ofVms.add(request, decision);
    if (decision.scope === "always") {
      const { kind, subject } = request;
      this.#always.add({ kind, subject, answer, by, at: new Date().toISOString() });
    }
    open.settle(decision, true);
    if (decision.scope === "once") return;
    for (const other of [...this.#open.values()]) {
      const answered = this.#findAnswer(other.request);
      if (answered !== undefined) other.settle(answered);
    }
  }

  /** What is always answered, the oldest first. */
  remembered(): readonly RememberedApproval[] {
    return this.#always.list();
  }

  /** Forgets what was always answered for a subject. Whether there was such an answer. */
  revoke(kind: string, subject: string): boolean {
    return this.#always.remove(kind, subject);
  }

  forgetVm(vm: string): void {
    this.#ofVms.forget(vm);
  }

  /** Calls back at each event; the answer takes it back. */
  on<E extends keyof ApprovalsEvents>(
    event: E,
    listener: (...args: ApprovalsEvents[E]) => void,
  ): () => void {
    const events: EventEmitter = this.#events;
    events.on(event, listener);
    return () => events.off(event, listener);
  }

  #wait(
    pending: PendingApproval,
    request: ApprovalRequest,
    { signal, onPending }: ApproveOptions,
  ): Promise<ApprovalDecision> {
    return new Promise((resolve, reject) => {
      const settle: Open["settle"] = (decision, isByPerson = false) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", withdraw);
        if (!this.#open.delete(pending.id)) return;
        this.#keepSettled(pending.id, decision);
        this.#decisions.add({ pending, input: request.input, decision, isByPerson });
        if (decision !== undefined) resolve(decision);
        else reject(reasonOf(signal));
        this.#events.emit("settled", pending, decision);
      };
      const withdraw = (): void => settle(undefined);
      const expire = (): void => settle({ answer: "deny", scope: "once", by: "expired" });
      const timer = setTimeout(expire, pending.expiresAt - pending.askedAt);
      timer.unref();
      signal.addEventListener("abort", withdraw, { once: true });
      this.#open.set(pending.id, { pending, request, settle });
      onPending?.(pending);
      this.#events.emit("pending", pending);
    });
  }

  /** The answer for the VM comes before the one for all. */
  #findAnswer(request: ApprovalRequest): ApprovalDecision | undefined {
    const ofVm = this.#ofVms.find(request);
    if (ofVm !== undefined) return { ...ofVm, by: `remembered: ${ofVm.by}` };
    const always = this.#always.find(request.kind, request.subject);
    if (always === undefined) return undefined;
    return { answer: always.answer, scope: "always", by: `remembered: ${always.by}` };
  }

  #findRefusal(vm: string): ApprovalDecision | undefined {
    const { pendingPerVm = PENDING_PER_VM, pendingTotal = PENDING_TOTAL } = this.#options;
    const ofVm = this.list().filter((pending) => pending.vm === vm).length;
    if (ofVm < pendingPerVm && this.#open.size < pendingTotal) return undefined;
    return { answer: "deny", scope: "once", by: "limit" };
  }

  #missing(id: string): HostError {
    const approval = id.slice(0, 80);
    if (!this.#settled.has(id)) return new HostError("APPROVAL_NOT_FOUND", { approval });
    const decision = this.#settled.get(id);
    const outcome =
      decision === undefined
        ? "who asked no longer waits"
        : `${decision.answer === "allow" ? "allowed" : "denied"} by ${decision.by}`;
    return new HostError("APPROVAL_DECIDED", { approval, outcome });
  }

  #keepSettled(id: string, decision: ApprovalDecision | undefined): void {
    this.#settled.set(id, decision);
    if (this.#settled.size <= SETTLED_KEPT) return;
    const [oldest] = this.#settled.keys();
    if (oldest !== undefined) this.#settled.delete(oldest);
  }

  #newId(): string {
    let id = makeId();
    while (this.#open.has(id) || this.#settled.has(id)) id = makeId();
    return id;
  }
}

function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error
    ? reason
    : new DOMException("Nobody waits any more.", "AbortError");
}

/** A subject that cannot be remembered is answered once. */
function scopeOf(
  request: ApprovalRequest,
  scope: ApprovalAnswer["scope"],
): ApprovalAnswer["scope"] {
  return request.subject.length > SUBJECT_LIMIT ? "once" : scope;
}

/** No vowels, so that it is no word; nothing that looks like something else. */
const letters = "bcdfghjkmnpqrstvwxz23456789";

function makeId(): string {
  return Array.from({ length: 6 }, () => letters[randomInt(letters.length)]).join("");
}
