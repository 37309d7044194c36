import { HostError } from "../../vm/host-error.ts";
import type { Vm } from "../../vm/index.ts";
import type { McpCall } from "../mcp-tool.ts";
import type { ApprovalDesk, Resumed } from "./approval-desk.ts";
import { ExecWork } from "./waiting-work.ts";

export interface ResumedExec extends Resumed {
  readonly work: ExecWork;
}

/** The command of this VM that a call goes on with, see ApprovalDesk.resume. CALL_GONE. */
export function resumeExec(desk: ApprovalDesk, call: McpCall, vm: Vm): ResumedExec | undefined {
  const kept = desk.resume(call);
  if (kept === undefined) return undefined;
  const { work } = kept;
  if (!(work instanceof ExecWork) || work.vm !== vm) throw new HostError("CALL_GONE");
  return { ...kept, work };
}
