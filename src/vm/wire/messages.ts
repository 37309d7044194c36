/**
 * What the server says to a cell, as headers of frames. Bytes (a command's text, file data, output) travel
 * in a frame's body. Both ends ship together, so there are no versions.
 *
 * The server's word is trusted. What a cell says is in from-cell.ts, and checked.
 */
import type {
  Errno,
  LimitValues,
  OutsideChange,
  PermissionAnswer,
  PermissionsConfig,
  WaitStatus,
} from "../../kernel/index.ts";
import type { StreamFrame } from "../../streams/index.ts";
import type { Actor, CellMethod } from "./cell-methods.ts";
import type { ServedMount } from "./mount-requests.ts";

/** What a cell becomes a VM with. */
export interface BootConfig {
  readonly hostname: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limits: Partial<LimitValues>;
  readonly memoryBytes: number;
  readonly permissions: PermissionsConfig;
  /** Where among the mounts the VM's software is: what it offers is linked. */
  readonly software?: readonly SoftwareMount[];
  /** Mounts whose files the server has; the position is the number in requests. */
  readonly mounts?: readonly ServedMount[];
  /** The names of the VM's toolkits: the commands it has. */
  readonly toolkits?: readonly string[];
  /** The names of the commands that the host runs for it. */
  readonly commands?: readonly string[];
}

export interface SoftwareMount {
  readonly at: string;
}

export interface ExecRequest {
  /** The command's stream: its input one way, its output and its end the other. It names the command, too. */
  readonly stream: number;
  /** Its input has ended already. */
  readonly hasNoStdin?: boolean;
  /** Undefined: the body is one command for the shell. Else the body is not used. */
  readonly argv?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly as: Actor;
  readonly pty?: PtyRequest;
}

export interface PtyRequest {
  readonly cols: number;
  readonly rows: number;
  /** Whether the cell keeps the screen, to be read as text. */
  readonly hasScreen?: boolean;
}

/** What a terminal shows: its rows, without the cells at their ends that nobody wrote to, and the cursor, from 1. */
export interface ScreenView {
  readonly text: string;
  readonly row: number;
  readonly column: number;
}

/** How a command's first process ended. */
export type CommandStatus = WaitStatus & {
  /** The directory it was in, if that is not the one it started in. */
  readonly cwd?: string | undefined;
};

/**
 * The tags of a command's output: bytes of stdout (and of a terminal), bytes of stderr, and, behind all
 * that was written before, how its first process ended: a CommandStatus as JSON. Before that, where its
 * terminal's screen is kept, the last of it: a ScreenView as JSON.
 */
export const execTags = { stdout: 1, stderr: 2, status: 3, screen: 4 } as const;

/**
 * The tags of a host command's output: bytes for fd 1 and fd 2; the terminal's mode from there on, 1 for raw;
 * that signals are to be caught and told of. The stream ends with a CommandEnd.
 */
export const commandTags = { out: 1, error: 2, raw: 3, listens: 4 } as const;

export type CommandStream = "out" | "error";

/** How a run of a host command ended: a status, or the number of a signal. */
export type CommandEnd =
  | { readonly status: number; readonly sawFailure: boolean }
  | { readonly signal: number };

/** The tags of a tool call's events: all but the last event, and the last. */
export const eventTags = { event: 1, last: 2 } as const;

export type StreamName = "stdout" | "stderr";

export type ToCell =
  | {
      readonly type: "call";
      readonly id: number;
      readonly method: CellMethod;
      readonly params: unknown;
    }
  | StreamFrame
  | { readonly type: "answer"; readonly ask: number; readonly answer: PermissionAnswer }
  /**
   * The cell is above its limit with all garbage collected: its largest process must end. With `sharedLimitBytes`, all
   * cells together are above that, and this one is the largest.
   */
  | {
      readonly type: "memoryShort";
      readonly residentBytes: number;
      readonly sharedLimitBytes?: number;
    }
  /** Others have changed what the cell watches in a mount. */
  | {
      readonly type: "mountChanged";
      readonly mount: number;
      readonly node: number;
      readonly changes: readonly OutsideChange[];
    }
  /** What a toolkit offers may have changed. */
  | { readonly type: "toolkitChanged"; readonly toolkit: string }
  /** What a request got; its bytes are the body. */
  | { readonly type: "reply"; readonly id: number; readonly value: unknown }
  | {
      readonly type: "refusal";
      readonly id: number;
      readonly errno: Errno;
      readonly reason?: string | undefined;
    };

/** The most data in the body of a call or request. */
export const CHUNK_BYTES = 1 << 18;
/** The most of a process's words that goes with a tool call. */
export const COMMAND_CHARACTERS = 256;
/** The longest command line that a list of processes shows. */
export const PROCESS_COMMAND_CHARACTERS = 512;
/** The longest name of a host command: a file's first line, with what says that it is one. */
export const COMMAND_NAME_CHARACTERS = 64;
/** What a process of a host command starts with: words and environment, both limits of the kernel, and a path. */
export const START_LIMIT_BYTES = (2 << 20) + 8192;
