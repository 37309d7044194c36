import type { PermissionRequest } from "../../kernel/index.ts";
import type { AnswerPermission } from "../vm-options.ts";
import type { Approver } from "./approval.ts";

/** Permission questions of a VM's policy ("ask") as approvals. */
export function askByApproval(vm: string, approver: Approver): AnswerPermission {
  return async (request, signal) => {
    const { pid, command } = request;
    const subject = subjectOf(request);
    const summary = `${request.scope}: ${request.operation} ${request.subject}`;
    const rule = `vm.permissions.${request.scope}`;
    const asked = { vm, pid, command, kind: "permission", subject, summary, rule };
    return (await approver.request(asked, { signal })).answer;
  };
}

/** Scope and operation are words of ours: what follows the second blank is the guest's, all of it. */
function subjectOf({ scope, operation, subject }: PermissionRequest): string {
  return `${scope} ${operation} ${subject}`;
}
