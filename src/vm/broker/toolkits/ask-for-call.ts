import { type Approve, redactInput } from "../../../toolkit-cli/index.ts";
import type { Approver } from "../../approvals/approval.ts";
import { nextStep } from "../../approvals/next-step.ts";
import type { OpenRecord } from "./tool-audit.ts";
import type { ToolCaller } from "./toolkit-service.ts";

export interface AskedCall {
  readonly vm: string;
  /** Undefined where there is nobody to ask. */
  readonly approvals: Approver | undefined;
  readonly caller: ToolCaller;
  readonly subject: string;
  readonly record: OpenRecord;
}

/** Lets somebody agree to a call; without anybody it is denied. */
export function askForCall({ vm, approvals, caller, subject, record }: AskedCall): Approve {
  return async (question) => {
    const { tool, input, signal } = question;
    if (approvals === undefined) {
      record.decide("deny", "nobody");
      return { allowed: false, message: `${subject} needs approval, and nobody can be asked.` };
    }
    const { pid, command } = caller;
    const request = {
      vm,
      pid,
      command,
      kind: "tool",
      subject,
      summary: `call ${subject}`,
      input: redactInput(tool.input, input),
    };
    const decision = await approvals.request(request, {
      signal,
      onPending: (pending) =>
        question.pending(pending.id, `${subject} waits for approval; ${nextStep(pending)}`),
    });
    record.decide(decision.answer, decision.by);
    if (decision.answer === "allow") return { allowed: true };
    return { allowed: false, message: `${subject} was not approved (${decision.by}).` };
  };
}
