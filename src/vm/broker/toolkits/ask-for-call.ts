import { type Approve, showInput } from "../../../toolkit-cli/index.ts";
import type { Approver } from "../../approvals/approval.ts";
import { approvalInput } from "../../approvals/approval-input.ts";
import type { OpenRecord } from "./tool-audit.ts";
import type { ToolCaller } from "./toolkit-service.ts";

export interface AskedCall {
  readonly vm: string;
  /** Undefined where there is nobody to ask. */
  readonly approvals: Approver | undefined;
  readonly caller: ToolCaller;
  readonly subject: string;
  /** The place in the configuration that has it asked. */
  readonly rule: string;
  readonly record: OpenRecord;
}

/** Lets somebody agree to a call; without anybody it is denied. */
export function askForCall(asked: AskedCall): Approve {
  const { vm, approvals, caller, subject, rule, record } = asked;
  return async (question) => {
    const { tool, input, exact, signal } = question;
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
      rule,
      input: approvalInput(exact, showInput(tool.input, input)),
    };
    const decision = await approvals.request(request, {
      signal,
      onPending: ({ id }) =>
        question.pending(id, `${subject} waits for a person's approval (${id}; rule: ${rule})`),
    });
    record.decide(decision.answer, decision.by);
    if (decision.answer === "allow") return { allowed: true };
    return { allowed: false, message: `${subject} was not approved (${decision.by}).` };
  };
}
