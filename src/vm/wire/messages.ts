/**
 * Everything that server and cell say to each other, as headers of frames. Bytes (a command's text,
 * file data, output) travel in a frame's body. Both ends ship together, so there are no versions.
 *
 * What the server sends is trusted; what a cell sends is checked by from-cell.ts before use.
 */
import type {
  AuditRecord,
  DirectoryEntry,
  Errno,
  LimitValues,
  LimitWarning,
  OutsideChange,
  PermissionAnswer,
  PermissionRequest,
  PermissionsConfig,
  Stat,
} from "../../kernel/index.ts";
import type { StreamFrame } from "../../streams/index.ts";
import type { ServedMount } from "./mount-requests.ts";

/** What a cell becomes a VM with. */
export interface BootConfig {
  readonly hostname: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limits: Partial<LimitValues>;
  readonly permissions: PermissionsConfig;
  /** Where the VM's software is mounted; its position here is its number in requests. */
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

export type Actor = "user" | "root";

export interface ExecRequest {
  /** The command's stream: its input one way, its output and its end the other. It names the command, too. */
  readonly stream: number;
  /** Undefined: the body is one command for the shell. Else the body is not used. */
  readonly argv?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly as: Actor;
  readonly pty?: { readonly cols: number; readonly rows: number };
}

/**
 * The tags of a command's output: bytes of stdout (and of a terminal), bytes of stderr, and, behind all
 * that was written before, how its first process ended: a WaitStatus as JSON.
 */
export const execTags = { stdout: 1, stderr: 2, status: 3 } as const;

export interface ProcessInfo {
  readonly pid: number;
  readonly ppid: number;
  readonly pgid: number;
  readonly sid: number;
  readonly uid: number;
  readonly state: "running" | "stopped" | "zombie";
  readonly command: string;
  readonly startedMs: number;
}

export interface WatchEvent {
  readonly type:
    | "create"
    | "modify"
    | "attributes"
    | "delete"
    | "move_from"
    | "move_to"
    | "overflow";
  readonly path: string;
  readonly isDirectory: boolean;
}

/** What the server may call in a cell: parameters and result of each method. */
export interface CellMethods {
  boot: { params: BootConfig; result: Record<string, never> };
  exec: { params: ExecRequest; result: { readonly pid: number } };
  /** To the command's process group, or to the foreground group of its terminal. */
  signalExec: { params: { stream: number; signal: number }; result: Record<string, never> };
  /** SIGTERM to every process of a session, and SIGKILL to those left after `graceMs`. */
  endSession: { params: { sid: number; graceMs: number }; result: Record<string, never> };
  /** Answers once the command has read all it was given and looks for more, or will never read more. */
  awaitDemand: { params: { stream: number }; result: Record<string, never> };
  resize: { params: { stream: number; cols: number; rows: number }; result: Record<string, never> };
  /** The answer's body is the data; short or empty at the end of the file. */
  readFile: {
    params: { path: string; offset: number; length: number; as: Actor };
    result: { readonly sizeBytes: number };
  };
  /**
   * The body is the data. `offset` "end" appends; `truncates` empties the file first. The first piece
   * tells how much is to come: without room for all of it nothing is changed.
   */
  writeFile: {
    params: {
      path: string;
      offset: number | "end";
      truncates: boolean;
      mode?: number;
      makesParents: boolean;
      totalBytes?: number;
      as: Actor;
    };
    result: { readonly isNew: boolean; readonly sizeBefore: number };
  };
  /** After a write that failed between two pieces: removes the file, or cuts it to that size. */
  undoWrite: {
    params: { path: string; isNew: boolean; sizeBytes: number; as: Actor };
    result: Record<string, never>;
  };
  stat: { params: { path: string; followsLinks: boolean; as: Actor }; result: Stat };
  readdir: {
    params: { path: string; offset: number; as: Actor };
    result: { readonly entries: readonly DirectoryEntry[]; readonly isEnd: boolean };
  };
  mkdir: {
    params: { path: string; isRecursive: boolean; as: Actor };
    result: Record<string, never>;
  };
  remove: {
    params: { path: string; isRecursive: boolean; as: Actor };
    result: Record<string, never>;
  };
  rename: { params: { from: string; to: string; as: Actor }; result: Record<string, never> };
  watch: { params: { path: string; as: Actor }; result: { readonly watch: number } };
  unwatch: { params: { watch: number }; result: Record<string, never> };
  processes: {
    params: Record<string, never>;
    result: { readonly processes: readonly ProcessInfo[] };
  };
  kill: { params: { pid: number; signal: number }; result: Record<string, never> };
  audit: {
    params: { after: number; limit: number };
    result: { readonly records: readonly AuditRecord[] };
  };
  ping: { params: Record<string, never>; result: Record<string, never> };
  /** The cell has much memory: it gives back what it does not need, then answers. */
  relieve: { params: Record<string, never>; result: Record<string, never> };
}

export type CellMethod = keyof CellMethods;
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
  /** The cell is near its limit with all garbage collected: a process must do with less. */
  | { readonly type: "memoryShort" }
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

export type FromCell =
  | { readonly type: "ready" }
  | { readonly type: "result"; readonly id: number; readonly value: unknown }
  | {
      readonly type: "failure";
      readonly id: number;
      readonly errno: Errno;
      readonly subject?: string | undefined;
      readonly reason?: string | undefined;
    }
  | StreamFrame
  | { readonly type: "limit"; readonly warning: LimitWarning }
  | { readonly type: "ask"; readonly ask: number; readonly request: PermissionRequest }
  | { readonly type: "askEnded"; readonly ask: number }
  | { readonly type: "watchEvents"; readonly watch: number; readonly events: readonly WatchEvent[] }
  /** A guest's thread goes on whatever the cell does: only the end of the cell ends it. */
  | { readonly type: "stuck" }
  | { readonly type: "log"; readonly level: string; readonly message: string }
  /** Something the cell cannot do itself, see requests.ts. */
  | {
      readonly type: "request";
      readonly id: number;
      readonly method: string;
      readonly params: unknown;
    };

/** The most data in the body of a call or request. */
export const CHUNK_BYTES = 1 << 18;
