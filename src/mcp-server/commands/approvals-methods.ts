// The server's side of `agentos-mcp approvals`. Lists travel one entry at a time: all of them may be
// more than one message holds.
import { z } from "zod";
import type { FrameHeader } from "../../vm/wire/frame.ts";
import type { ControlCall } from "../control/methods.ts";

const decision = z.object({
  id: z.string(),
  answer: z.enum(["allow", "deny"]),
  scope: z.enum(["once", "vm", "always"]),
  by: z.string(),
});
const subject = z.object({ kind: z.string(), subject: z.string() });

/** Sends what waits for somebody. */
export async function listApprovals(_params: FrameHeader, call: ControlCall): Promise<object> {
  const { approvals } = await call.approvals();
  for (const pending of approvals.list()) await call.send({ pending });
  return {};
}

/** APPROVAL_NOT_FOUND, APPROVAL_DECIDED. */
export async function decideApproval(params: FrameHeader, call: ControlCall): Promise<object> {
  const { id, answer, scope, by } = decision.parse(params);
  const { approvals } = await call.approvals();
  const pending = approvals.find(id);
  approvals.decide(id, { answer, scope }, by);
  return { pending };
}

/** Sends what waits, and what happens to it, until the caller has enough. */
export async function watchApprovals(_params: FrameHeader, call: ControlCall): Promise<object> {
  const { approvals } = await call.approvals();
  const { promise: isOver, resolve: end, reject: fail } = Promise.withResolvers<void>();
  const tell = (event: FrameHeader): void => {
    call.send(event).catch(fail);
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
  for (const remembered of approvals.remembered()) await call.send({ remembered });
  return {};
}

export async function revokeRemembered(params: FrameHeader, call: ControlCall): Promise<object> {
  const { approvals } = await call.approvals();
  const known = subject.parse(params);
  return { wasKnown: approvals.revoke(known.kind, known.subject) };
}
