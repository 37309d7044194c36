// The server's side of `agentos-mcp approvals`. Lists travel one entry at a time: all of them may be
// more than one message holds.
import { z } from "zod";
import { HostError } from "../../vm/host-error.ts";
import type { FrameHeader } from "../../vm/wire/frame.ts";
import type { ControlCall } from "../control/methods.ts";

const decision = z.object({
  id: z.string(),
  answer: z.enum(["allow", "deny"]),
  scope: z.enum(["once", "vm", "always"]),
  by: z.string(),
  /** Of the input that the person was shown. */
  inputSha256: z.string().optional(),
});
const known = z.object({ id: z.string() });
/** The tag of an input's bytes. */
export const INPUT_TAG = 1;
const subject = z.object({ kind: z.string(), subject: z.string() });
/** Events held for a watcher that does not read: a few times what can wait for approval at once. */
const maxWaitingEvents = 1_000;

/** Sends what waits for somebody. */
export async function listApprovals(_params: FrameHeader, call: ControlCall): Promise<object> {
  const { approvals } = await call.approvals();
  for (const pending of approvals.list()) await call.tell({ pending });
  return {};
}

/** Sends all of what is called with, as bytes. APPROVAL_NOT_FOUND, APPROVAL_DECIDED. */
export async function sendApprovalInput(params: FrameHeader, call: ControlCall): Promise<object> {
  const { id } = known.parse(params);
  const { approvals } = await call.approvals();
  await call.output.write(Buffer.from(approvals.inputOf(id) ?? ""), INPUT_TAG);
  return {};
}

/** APPROVAL_NOT_FOUND, APPROVAL_DECIDED, APPROVAL_OF_ANOTHER. */
export async function decideApproval(params: FrameHeader, call: ControlCall): Promise<object> {
  const { id, answer, scope, by, inputSha256 } = decision.parse(params);
  const { approvals } = await call.approvals();
  const pending = approvals.find(id);
  const shown = inputSha256 === undefined ? {} : { inputSha256 };
  approvals.decide(id, { answer, scope, ...shown }, by);
  return { pending };
}

/** Sends what waits, and what happens to it, until the caller has enough. WATCH_TOO_SLOW. */
export async function watchApprovals(_params: FrameHeader, call: ControlCall): Promise<object> {
  const { approvals } = await call.approvals();
  const { promise: isOver, resolve: end, reject: fail } = Promise.withResolvers<void>();
  let waiting = 0;
  const tell = (event: FrameHeader): void => {
    if (waiting === maxWaitingEvents)
      return fail(new HostError("WATCH_TOO_SLOW", { count: maxWaitingEvents }));
    waiting += 1;
    call
      .tell(event)
      .then(() => {
        waiting -= 1;
      })
      .catch(fail);
  };
  const unlisten = [
    approvals.on("pending", (pending) => tell({ pending })),
    approvals.on("settled", (settled, decided) => tell({ settled, decision: decided ?? null })),
  ];
  for (const pending of approvals.list()) tell({ pending });
  call.signal.addEventListener("abort", () => end(), { once: true });
  if (call.signal.aborted) end();
  try {
    await isOver;
  } finally {
    for (const take of unlisten) take();
  }
  return {};
}

/** Sends what is always answered. */
export async function listRemembered(_params: FrameHeader, call: ControlCall): Promise<object> {
  const { approvals } = await call.approvals();
  for (const remembered of approvals.remembered()) await call.tell({ remembered });
  return {};
}

export async function revokeRemembered(params: FrameHeader, call: ControlCall): Promise<object> {
  const { approvals } = await call.approvals();
  const meant = subject.parse(params);
  return { wasKnown: approvals.revoke(meant.kind, meant.subject) };
}
