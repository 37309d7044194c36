// Tells who runs a command from a terminal what it waits for.
import type { Exec, Vm } from "../../vm/index.ts";
import type { ApprovalDesk } from "../approvals/approval-desk.ts";
import { ExecWork } from "../approvals/waiting-work.ts";
import type { ExecOutput } from "./exec-output.ts";

export interface ToldExec {
  readonly vm: Vm;
  readonly exec: Exec;
  readonly output: ExecOutput;
  /** A terminal has one stream, whose lines end otherwise. */
  readonly isTerminal: boolean;
}

/** From now on. Returns a function that stops it, and throws what went wrong. */
export function tellApprovals(desk: ApprovalDesk, told: ToldExec): () => void {
  const { vm, exec, output, isTerminal } = told;
  const work = new ExecWork(vm, exec);
  const [stream, end] = isTerminal ? (["stdout", "\r\n"] as const) : (["stderr", "\n"] as const);
  let failure: Error | undefined;
  const fail = (error: unknown): void => {
    failure = error instanceof Error ? error : new Error(String(error));
  };
  const tell = async (): Promise<void> => {
    const pending = await desk.newOf(work);
    desk.markTold(pending);
    for (const { id, summary } of pending) {
      // Where output goes to a program, a model may read it: the command that allows is for people.
      const next = isTerminal ? `agentos-mcp approvals allow ${id}` : `as ${id}`;
      const line = `agentos-mcp: waiting for approval: ${summary}; ${next}`;
      await output.take(stream, Buffer.from(`${line}${end}`));
    }
  };
  const unwatch = desk.watch(work, () => tell().catch(fail), fail);
  return () => {
    unwatch();
    if (failure !== undefined) throw failure;
  };
}
