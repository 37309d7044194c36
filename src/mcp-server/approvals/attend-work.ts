// What an MCP call does while its work runs and may have to wait for approvals.
import { type InputRequiredResult, inputRequired } from "@modelcontextprotocol/server";
import type { PendingApproval } from "../../vm/index.ts";
import type { McpCall } from "../mcp-tool.ts";
import type { ApprovalDesk, Resumed } from "./approval-desk.ts";
import type { WaitingWork } from "./waiting-work.ts";

export interface Attendance {
  readonly work: WaitingWork;
  readonly call: McpCall;
  readonly limitMs: number;
  /** Where the client has called again with its answers. */
  readonly resumed?: Resumed | undefined;
}

/** Long enough for questions that come together, short enough for an agent that tells a person. */
const settleMs = 1000;
/** What the SDK's clients take; those of 2025 have no such limit. */
const maxRounds = 8;
const maxForms = 8;
/** As the SDK waits for people. */
const formLimitMs = 600_000;

/**
 * Waits until the work is over or the time is. A client that shows forms is asked for approvals; the
 * time it takes does not count. Answers early where the work waits for an approval that nobody at the
 * client can give: whoever calls tells of it. A result that it gives is the result of the call.
 */
export async function attendWork(attendance: Attendance): Promise<InputRequiredResult | undefined> {
  const { work, call, resumed } = attendance;
  const desk = await call.approvals();
  let leftMs = attendance.limitMs;
  if (resumed?.isUnanswered === true && (await isStillPending(attendance, desk))) return undefined;
  for (;;) {
    const startMs = performance.now();
    const isAsked = await waitForNews(attendance, desk, leftMs);
    leftMs = Math.max(0, leftMs - (performance.now() - startMs));
    if (!isAsked || work.isOver || call.signal.aborted) return undefined;
    const asked = await desk.newOf(work);
    const [first] = asked;
    if (first === undefined) continue;
    if (call.client.forms === "result" && (resumed?.rounds ?? 0) < maxRounds) {
      return askByResult(attendance, desk, asked.slice(0, maxForms));
    }
    if (call.client.forms === "request" && (await askByRequest(attendance, desk, first))) continue;
    if (await isStillPending(attendance, desk)) return undefined;
  }
}

/** Whether the work waits for approvals a moment later, too, or is over. */
async function isStillPending(
  { work, call, limitMs }: Attendance,
  desk: ApprovalDesk,
): Promise<boolean> {
  await work.wait(Math.min(settleMs, limitMs), call.signal);
  return work.isOver || (await desk.pendingOf(work)).length > 0;
}

/** Whether the wait ended for an approval that no client knows of. */
async function waitForNews(
  { work, call }: Attendance,
  desk: ApprovalDesk,
  limitMs: number,
): Promise<boolean> {
  const news = new AbortController();
  const fail = (error: unknown): void => news.abort(error);
  const unwatch = desk.watch(work, () => news.abort(), fail);
  try {
    await work.wait(limitMs, AbortSignal.any([call.signal, news.signal]));
  } finally {
    unwatch();
  }
  return news.signal.aborted;
}

function askByResult(
  { work, resumed }: Attendance,
  desk: ApprovalDesk,
  asked: readonly PendingApproval[],
): InputRequiredResult {
  desk.markTold(asked);
  const ids = asked.map(({ id }) => id);
  return inputRequired({
    inputRequests: Object.fromEntries(
      asked.map((pending) => [pending.id, inputRequired.elicit(desk.formFor(pending))]),
    ),
    requestState: desk.keep(work, ids, (resumed?.rounds ?? 0) + 1),
  });
}

/** Whether there is something to go on with: the approval is not open any more, or its next part is to be shown. */
async function askByRequest(
  { call }: Attendance,
  desk: ApprovalDesk,
  pending: PendingApproval,
): Promise<boolean> {
  const { approvals } = desk;
  desk.markTold([pending]);
  const settled = new AbortController();
  const unlisten = approvals.on("settled", ({ id }) => id === pending.id && settled.abort());
  let hasAnswered = false;
  call.progress(`waiting for approval: ${pending.summary}`);
  try {
    const result = await call.request.elicitInput(desk.formFor(pending), {
      timeout: formLimitMs,
      signal: AbortSignal.any([call.signal, settled.signal]),
    });
    hasAnswered = desk.apply({ id: pending.id, ...result }, call);
  } catch {
    // A client that fails to show a form has given no answer: the approval stays open for others.
  } finally {
    unlisten();
  }
  return hasAnswered || approvals.find(pending.id) === undefined;
}
