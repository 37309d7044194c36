import type { ApprovalRequest, PendingApproval } from "./approval.ts";
import { plainText } from "./plain-text.ts";

const WORD_LIMIT = 200;
const LINE_LIMIT = 500;
const INPUT_LIMIT = 2000;
const DETAILS_LIMIT = 20;

type Times = Pick<PendingApproval, "askedAt" | "expiresAt">;

/** A request as people see it. All of it may come from a guest. */
export function describeRequest(
  id: string,
  request: ApprovalRequest,
  times: Times,
): PendingApproval {
  const { vm, pid, command, kind, subject, summary, input, reason, details } = request;
  return {
    id,
    vm,
    pid,
    command: plainText(command, WORD_LIMIT),
    kind,
    subject: plainText(subject, LINE_LIMIT),
    summary: plainText(summary, LINE_LIMIT),
    ...(input === undefined ? {} : { input: plainText(JSON.stringify(input), INPUT_LIMIT) }),
    ...(reason === undefined ? {} : { reason: plainText(reason, LINE_LIMIT) }),
    ...(details === undefined ? {} : { details: plainDetails(details) }),
    ...times,
  };
}

function plainDetails(details: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(details).slice(0, DETAILS_LIMIT);
  return Object.fromEntries(
    entries.map(([name, value]) => [plainText(name, WORD_LIMIT), plainText(value, WORD_LIMIT)]),
  );
}
