import type { ApprovalDecision, ApprovalRequest } from "./approval.ts";

/** For one VM; beyond it the oldest is forgotten, and asked again. */
const KEPT = 1000;

/** Answers that hold for one VM until it is destroyed. */
export class AnswersOfVms {
  readonly #vms = new Map<string, Map<string, ApprovalDecision>>();

  find(request: ApprovalRequest): ApprovalDecision | undefined {
    return this.#vms.get(request.vm)?.get(keyOf(request));
  }

  add(request: ApprovalRequest, decision: ApprovalDecision): void {
    const answers = this.#vms.get(request.vm) ?? new Map<string, ApprovalDecision>();
    this.#vms.set(request.vm, answers);
    answers.delete(keyOf(request));
    answers.set(keyOf(request), decision);
    if (answers.size <= KEPT) return;
    const [oldest] = answers.keys();
    if (oldest !== undefined) answers.delete(oldest);
  }

  forget(vm: string): void {
    this.#vms.delete(vm);
  }
}

function keyOf({ kind, subject }: ApprovalRequest): string {
  return JSON.stringify([kind, subject]);
}
