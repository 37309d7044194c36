// What `agentos-mcp exec` and `shell` say to the server, and what it answers. Runs on Node 20.
//
// A call of `exec` gets the command's text as its first input, then pieces of stdin; the end of the
// input is the end of stdin. It sends `started`, then output and, where asked to, demands for input.
// Signals and sizes are calls of their own (`exec_signal`, `exec_resize`), so that they do not wait
// behind input nobody reads.
import type { FrameHeader } from "../../vm/wire/frame.ts";

/** Parameters of `exec`. */
export interface ExecParams {
  /** Made if it does not exist. */
  readonly vm: string;
  /** Whether the first input is a command for the shell; else a shell is started. */
  readonly hasCommand: boolean;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly as: "user" | "root";
  readonly timeoutMs?: number;
  /** Runs it on a terminal of that size. */
  readonly pty?: TerminalSize;
  /** Whether each piece of stdin is sent only on a demand for it; else as soon as there is one. */
  readonly isStdinOnDemand?: boolean;
}

export interface TerminalSize {
  readonly cols: number;
  readonly rows: number;
}

/** Comes before any output. */
export interface ExecStarted {
  readonly kind: "started";
  readonly exec: string;
  readonly isNewVm: boolean;
  /** What else happened to the VM. */
  readonly notice?: string;
}

export interface ExecEnded {
  readonly state: "exited" | "killed" | "timed_out";
  readonly exitCode: number;
}

/** The command has read all that was sent, and looks for more. */
export const inputDemand = { kind: "demand" } as const;

/** The start a header announces, or undefined when it is something else. */
export function parseStarted(header: FrameHeader): ExecStarted | undefined {
  const { kind, exec, isNewVm, notice } = header;
  if (kind !== "started" || typeof exec !== "string") return undefined;
  const words = typeof notice === "string" ? { notice } : {};
  return { kind, exec, isNewVm: isNewVm === true, ...words };
}

/** The end a result tells. */
export function parseEnded(result: unknown): ExecEnded {
  if (typeof result === "object" && result !== null && "state" in result && "exitCode" in result) {
    const { state, exitCode } = result;
    const isKnown = state === "exited" || state === "killed" || state === "timed_out";
    if (isKnown && typeof exitCode === "number") return { state, exitCode };
  }
  throw new Error("The server told an end that is none.");
}
