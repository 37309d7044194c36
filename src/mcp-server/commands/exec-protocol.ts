// What `agentos-mcp exec` and `shell` say to the server, and what it answers. Runs on Node 20.
//
// A call of `exec` (its parameters are in exec-methods.ts) gets the command's text, then stdin; the end of
// the input is the end of stdin. It tells that it has started, then sends output. From a terminal, input is
// sent on demand: when the command looks for it. Signals and sizes are calls of their own (`exec_signal`,
// `exec_resize`), so that they do not wait behind input that nobody reads.
import {
  hasShape,
  isCount,
  isFlag,
  isOneOf,
  isText,
  orMissing,
  type Shaped,
} from "../control/shapes.ts";

/** What the bytes of a call are: the first two of its input, the others of its output. */
export const byteTags = { command: 1, stdin: 2, stdout: 3, stderr: 4 } as const;

/** A longer one is piped into a shell. */
export const maxCommandBytes = 1_000_000;

/** The event that comes before any output. `notice`: what else happened to the VM. */
const started = {
  exec: isText,
  isNewVm: isFlag,
  notice: orMissing(isText),
} as const;

const ended = { state: isOneOf("exited", "killed", "timed_out"), exitCode: isCount } as const;

export type ExecStarted = Shaped<typeof started>;
export type ExecEnded = Shaped<typeof ended>;

/** The start that an event tells. */
export function parseStarted(event: unknown): ExecStarted {
  if (hasShape(started, event)) return event;
  throw new Error("The server told a start of a command that is not one.");
}

/** The end that a result tells. */
export function parseEnded(result: unknown): ExecEnded {
  if (hasShape(ended, result)) return result;
  throw new Error("The server told an end of a command that is not one.");
}
