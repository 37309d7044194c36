import { noteLookalikes, visibleLine } from "../../toolkit-cli/index.ts";
import type { ApprovalRequest, PendingApproval } from "./approval.ts";
import type { ApprovalInput } from "./approval-input.ts";

const WORD_LIMIT = 200;
const LINE_LIMIT = 500;
/** Longer than any path: what is asked about is shown whole. */
const SUBJECT_LIMIT = 8192;
const INPUT_LIMIT = 4000;
const DETAILS_LIMIT = 20;

type Times = Pick<PendingApproval, "askedAt" | "expiresAt">;

/** A request as people see it. All of it may come from a guest. */
export function describeRequest(
  id: string,
  request: ApprovalRequest,
  times: Times,
): PendingApproval {
  const { vm, pid, command, kind, subject, summary, input, rule, reason, details } = request;
  const notes = noteLookalikes(`${summary} ${input?.shown ?? ""}`);
  return {
    id,
    vm,
    pid,
    command: visibleLine(command, WORD_LIMIT),
    kind,
    subject: visibleLine(subject, SUBJECT_LIMIT),
    summary: visibleLine(summary, SUBJECT_LIMIT),
    ...(input === undefined ? {} : describeInput(input)),
    ...(notes.length === 0 ? {} : { notes }),
    ...(rule === undefined ? {} : { rule: visibleLine(rule, LINE_LIMIT) }),
    ...(reason === undefined ? {} : { reason: visibleLine(reason, LINE_LIMIT) }),
    ...(details === undefined ? {} : { details: plainDetails(details) }),
    ...times,
  };
}

function describeInput({ exact, sha256, shown }: ApprovalInput): Partial<PendingApproval> {
  const isInputWhole = shown.length <= INPUT_LIMIT;
  return {
    input: isInputWhole ? shown : `${shown.slice(0, INPUT_LIMIT)}…`,
    isInputWhole,
    inputBytes: Buffer.byteLength(exact),
    inputSha256: sha256,
  };
}

function plainDetails(details: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(details).slice(0, DETAILS_LIMIT);
  return Object.fromEntries(
    entries.map(([name, value]) => [visibleLine(name, WORD_LIMIT), visibleLine(value, WORD_LIMIT)]),
  );
}
