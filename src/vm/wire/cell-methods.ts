/**
 * What the server may call in a cell: one row for each method. Parameters are the server's word, so a type is
 * enough; results are a cell's, and checked. The cell imports the types alone.
 */
import { z } from "zod";
import { scope } from "./from-cell.ts";
import { type BootConfig, type ExecRequest, PROCESS_COMMAND_CHARACTERS } from "./messages.ts";
import { count, fileKind, number, text } from "./shapes.ts";

export type Actor = "user" | "root";

interface Method<P, R extends z.ZodType<object>> {
  readonly result: R;
  /** The type alone: nothing is here. */
  readonly params?: P;
}

/** A method with these parameters, whose answer has this shape besides its bytes. */
function takes<P extends object>() {
  return <R extends z.ZodType<object>>(result: R): Method<P, R> => ({ result });
}

const nothing = z.object({});
const mode = count.max(0o7777);
/** Linux's NAME_MAX; a character has a byte at least. */
const entry = z.object({ name: z.string().min(1).max(255), kind: fileKind, ino: count });
const stat = z.object({
  kind: fileKind,
  mode,
  uid: count,
  gid: count,
  size: count,
  nlink: count,
  ino: count,
  dev: count,
  rdev: count,
  blocks: count,
  atimeMs: number,
  mtimeMs: number,
  ctimeMs: number,
});
const processInfo = z.object({
  pid: count,
  ppid: count,
  pgid: count,
  sid: count,
  uid: count,
  state: z.enum(["running", "stopped", "zombie"]),
  command: z.string().max(PROCESS_COMMAND_CHARACTERS),
  startedMs: number,
});
const auditRecord = z.object({
  sequence: count,
  timeMs: number,
  pid: count,
  command: text,
  call: text,
  scope,
  operation: text,
  subject: text,
  outcome: z.enum(["allow", "deny"]),
  rule: text,
});

interface At {
  readonly path: string;
  readonly as: Actor;
}

interface WriteFile extends At {
  /** "end" appends. */
  readonly offset: number | "end";
  /** Empties the file first. */
  readonly truncates: boolean;
  readonly mode?: number;
  readonly makesParents: boolean;
  /** How much is to come in all; without room for it nothing is changed. Said with the first piece. */
  readonly totalBytes?: number;
}

export interface TraceParams {
  readonly stream: number;
  readonly pid?: number | undefined;
  readonly calls?: readonly string[] | undefined;
}

export const cellMethods = {
  boot: takes<BootConfig>()(nothing),
  exec: takes<ExecRequest>()(z.object({ pid: count })),
  /** To the command's process group, or to the foreground group of its terminal. */
  signalExec: takes<{ readonly stream: number; readonly signal: number }>()(nothing),
  /** SIGTERM to every process of a session, and SIGKILL to those left after `graceMs`. */
  endSession: takes<{ readonly sid: number; readonly graceMs: number }>()(nothing),
  /** Answers once the command has read all it was given and looks for more, or will never read more. */
  awaitDemand: takes<{ readonly stream: number }>()(nothing),
  resize: takes<{ readonly stream: number; readonly cols: number; readonly rows: number }>()(
    nothing,
  ),
  /** Closes the command's terminal: SIGHUP for its session's leader and its foreground group. */
  hangUp: takes<{ readonly stream: number }>()(nothing),
  /** The answer's body is a ScreenView as JSON, unless the command has ended or keeps no screen. */
  screen: takes<{ readonly stream: number }>()(z.object({ isKept: z.boolean() })),
  /** The answer's body is the data; short or empty at the end of the file. */
  readFile: takes<At & { readonly offset: number; readonly length: number }>()(
    z.object({ sizeBytes: count }),
  ),
  /** The body is the data. */
  writeFile: takes<WriteFile>()(z.object({ isNew: z.boolean(), sizeBefore: count })),
  /** After a write that failed between two pieces: removes the file, or cuts it to that size. */
  undoWrite: takes<At & { readonly isNew: boolean; readonly sizeBytes: number }>()(nothing),
  stat: takes<At & { readonly followsLinks: boolean }>()(stat),
  readdir: takes<At & { readonly offset: number }>()(
    z.object({ entries: z.array(entry).max(4096), isEnd: z.boolean() }),
  ),
  mkdir: takes<At & { readonly isRecursive: boolean }>()(nothing),
  remove: takes<At & { readonly isRecursive: boolean }>()(nothing),
  rename: takes<{ readonly from: string; readonly to: string; readonly as: Actor }>()(nothing),
  /** The server numbers its watches; `watchEvents` come with that number until `unwatch` is answered. */
  watch: takes<At & { readonly watch: number }>()(nothing),
  unwatch: takes<{ readonly watch: number }>()(nothing),
  /** By their pids, from after one on: as many as fit an answer. */
  processes: takes<{ readonly after: number }>()(
    z.object({ processes: z.array(processInfo).max(4096), isEnd: z.boolean() }),
  ),
  kill: takes<{ readonly pid: number; readonly signal: number }>()(nothing),
  /** Writes a record of each call of the VM's processes to the stream, a JSON object a line. */
  trace: takes<TraceParams>()(nothing),
  /** As many of those after one as fit an answer; none where there are none. */
  audit: takes<{ readonly after: number; readonly limit: number }>()(
    z.object({ records: z.array(auditRecord).max(4096) }),
  ),
  ping: takes<Nothing>()(nothing),
  /** The cell waits to become a VM: it loads and compiles what a first command needs, then answers. */
  warmUp: takes<Nothing>()(nothing),
  /** The cell has much memory: it gives back what it does not need, then answers. */
  relieve: takes<Nothing>()(nothing),
} as const;

type Nothing = Record<string, never>;

export type CellMethod = keyof typeof cellMethods;
export type ProcessInfo = Readonly<z.infer<typeof processInfo>>;

export type CellParams<M extends CellMethod> =
  (typeof cellMethods)[M] extends Method<infer P, infer _> ? P : never;

export type CellResult<M extends CellMethod> = Readonly<z.infer<(typeof cellMethods)[M]["result"]>>;

/** The result of a call, or undefined when it is not of the method's shape. */
export function parseResult<M extends CellMethod>(
  method: M,
  value: unknown,
): CellResult<M> | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the row's own schema has just taken it
  return cellMethods[method].result.safeParse(value).data as CellResult<M> | undefined;
}
