// How long a call waits for a command, and what becomes of the command when nobody waits any more.
// The contract of vm_exec and vm_exec_io:
//
// - A call answers when the command has ended, or after `yield_ms` with status "running".
// - A vm_exec that leaves stdin open, or has a terminal, answers earlier: as soon as the command looks for
//   input and is quiet.
// - So does a vm_exec_io that feeds stdin and leaves it open, when the command has read all of it; also when it
//   has printed something and then pauses for longer. One that resizes the terminal waits for a pause, too.
// - Until its vm_exec has answered, a command belongs to that call: when the client cancels it or
//   leaves, the command gets SIGINT, and then all that it has started and that still runs is stopped.
// - From then on it belongs to the VM: it runs until it ends, is signalled, or the VM is destroyed.
//   Cancelling a vm_exec_io ends only the wait.
//
// Both answer earlier where the command waits for an approval, see approvals/attend-work.ts.
import type { InputRequiredResult } from "@modelcontextprotocol/server";
import type { Exec, OutputListener, Vm } from "../../vm/index.ts";
import type { Resumed } from "../approvals/approval-desk.ts";
import { attendWork } from "../approvals/attend-work.ts";
import { ExecWork } from "../approvals/waiting-work.ts";
import type { ExecFeeding } from "../exec-feeding.ts";
import type { McpCall } from "../mcp-tool.ts";

export const defaultYieldMs = 30_000;
export const maxYieldMs = 600_000;
/** setTimeout's limit is 24 days; a day is longer than any client waits. */
export const maxTimeoutMs = 86_400_000;

/** What a shell gives a command to clean up after Ctrl-C before people press it again. */
const interruptGraceMs = 500;
/** A command that looks for input again may have a pipeline behind it that still prints. */
const settleMs = 100;
/** A command that has printed something and works on: longer than most pauses between two lines. */
const pauseMs = 1000;
/** What is typed at a terminal is echoed: that is no reply yet. Programs there look for input again when they have replied. */
const terminalPauseMs = 5000;
/** A progress message needs no more of the output's end. */
const lineBytes = 400;

export interface FollowOptions {
  readonly work: ExecWork;
  readonly call: McpCall;
  /** Who tells the client of output; may listen already. Stops with the wait. */
  readonly report: OutputListener;
  readonly yieldMs: number;
  /** Whether an aborted call ends the command. */
  readonly ownsExec: boolean;
  /** Where the client has been asked for approvals. */
  readonly resumed?: Resumed | undefined;
}

/**
 * Waits as the contract says. What it gives is a question to the client and the call's result. Fails
 * with VM_LOST or VM_DESTROYED when the VM ends under the command.
 */
export async function followExec(options: FollowOptions): Promise<InputRequiredResult | undefined> {
  const { work, call, yieldMs, ownsExec, resumed } = options;
  const { exec } = work;
  const unlisten = exec.onOutput(options.report);
  try {
    const question = await attendWork({ work, call, limitMs: yieldMs, resumed });
    if (question !== undefined) return question;
    if (call.signal.aborted && ownsExec) await interrupt(exec);
  } finally {
    unlisten();
  }
  exec.requireKept();
  return undefined;
}

export interface ReplyOptions {
  readonly vm: Vm;
  readonly exec: Exec;
  readonly feeding?: ExecFeeding | undefined;
  /** When a pause (of a second; at a terminal of five) is the end of the reply: after output, even without any, or not at all. */
  readonly pauseEnds: "after-output" | "always" | "never";
}

/** A command that is waited for until its reply to input is over, or it asks for the first. */
export class ReplyWork extends ExecWork {
  readonly #pauseEnds: ReplyOptions["pauseEnds"];

  constructor({ vm, exec, feeding, pauseEnds }: ReplyOptions) {
    super(vm, exec, feeding);
    this.#pauseEnds = pauseEnds;
  }

  override async wait(limitMs: number, signal: AbortSignal): Promise<boolean> {
    const { exec, feeding } = this;
    const over = new AbortController();
    const end = AbortSignal.any([signal, over.signal]);
    const longestMs = exec.isOnTerminal ? terminalPauseMs : pauseMs;
    let quietMs = this.#pauseEnds === "never" ? undefined : longestMs;
    let timer: NodeJS.Timeout | undefined;
    const restart = (): void => {
      clearTimeout(timer);
      if (quietMs !== undefined) timer = setTimeout(() => over.abort(), quietMs);
    };
    const unlisten = exec.onOutput(restart);
    if (this.#pauseEnds === "always") restart();
    const settle = async (): Promise<void> => {
      await feeding?.done;
      await exec.waitForDemand(end);
      quietMs = settleMs;
      if (!end.aborted) restart();
    };
    try {
      const waited = exec.wait(limitMs, end);
      await Promise.race([waited, settle().then(() => waited)]);
    } finally {
      over.abort();
      unlisten();
      clearTimeout(timer);
    }
    return this.isOver;
  }
}

/** As Ctrl-C does, and then thoroughly: jobs in the background ignore SIGINT. */
async function interrupt(exec: Exec): Promise<void> {
  await exec.signal("SIGINT").catch((error: unknown) => {
    if (exec.isRunning) throw error;
  });
  await exec.wait(interruptGraceMs);
  await exec.stop();
}

/** Tells the client of a call what a command says. */
export function reportTo(call: McpCall): OutputListener {
  return (_stream, bytes) => call.progress(lastLine(bytes));
}

/** The last line that says something, of the end of a piece of output. */
export function lastLine(bytes: Uint8Array): string {
  const end = Buffer.from(bytes.subarray(-lineBytes)).toString("utf8");
  return end.split(/[\r\n]+/).findLast((line) => line.trim() !== "") ?? "";
}
