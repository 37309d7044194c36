/** Checks what a cell says. A cell may have been taken over by its guest: nothing of it is believed. */
import { z } from "zod";
import { type Errno, errnos, type WaitStatus } from "../../kernel/index.ts";
import type { CellMethod, FromCell } from "./messages.ts";

const count = z.number().int().nonnegative();
const text = z.string().max(64 * 1024);
const errno = z.custom<Errno>((value) => typeof value === "string" && Object.hasOwn(errnos, value));
const status = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("exited"), code: count.max(255) }),
  z.object({ kind: z.literal("signaled"), signal: count.max(64) }),
]);
const scope = z.enum(["fs", "network", "childProcess", "process", "env", "toolkit"]);
const request = z.object({ pid: count, command: text, scope, operation: text, subject: text });
const event = z.object({
  type: z.enum(["create", "modify", "attributes", "delete", "move_from", "move_to", "overflow"]),
  path: text,
  isDirectory: z.boolean(),
});
const warning = z.object({
  limit: text,
  observed: z.number(),
  capacity: z.number(),
  fillPercent: z.number(),
});

const message = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  z.object({ type: z.literal("stuck") }),
  z.object({ type: z.literal("result"), id: count, value: z.unknown() }),
  z.object({
    type: z.literal("failure"),
    id: count,
    errno,
    subject: text.optional(),
    reason: text.optional(),
  }),
  z.object({ type: z.literal("data"), stream: count, tag: count }),
  z.object({ type: z.literal("credit"), stream: count, bytes: count }),
  z.object({ type: z.literal("end"), stream: count, value: z.unknown().optional() }),
  z.object({ type: z.literal("stop"), stream: count }),
  z.object({ type: z.literal("limit"), warning }),
  z.object({ type: z.literal("ask"), ask: count, request }),
  z.object({ type: z.literal("askEnded"), ask: count }),
  z.object({ type: z.literal("watchEvents"), watch: count, events: z.array(event).max(4096) }),
  z.object({ type: z.literal("log"), level: text, message: text }),
  z.object({ type: z.literal("request"), id: count, method: text, params: z.unknown() }),
]);

/** How a command ended, as its cell wrote it; undefined when it is not a status. */
export function parseStatus(bytes: Uint8Array): WaitStatus | undefined {
  try {
    return status.safeParse(JSON.parse(Buffer.from(bytes).toString())).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The message a frame's header is, or undefined when it is none. */
export function parseFromCell(header: unknown): FromCell | undefined {
  const result = message.safeParse(header);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema above is FromCell; `limit` is only shown
  return result.success ? (result.data as FromCell) : undefined;
}

const mode = count.max(0o7777);
const number = z.number();
const kind = z.enum(["file", "directory", "symlink", "fifo", "device", "socket", "anonymous"]);
const entry = z.object({ name: text, kind, ino: count });
const stat = z.object({
  kind,
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
  command: text,
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
const nothing = z.object({});

const results = {
  boot: nothing,
  exec: z.object({ pid: count }),
  signalExec: nothing,
  endSession: nothing,
  awaitDemand: nothing,
  resize: nothing,
  readFile: z.object({ sizeBytes: count }),
  writeFile: z.object({ isNew: z.boolean(), sizeBefore: count }),
  undoWrite: nothing,
  stat,
  readdir: z.object({ entries: z.array(entry).max(4096), isEnd: z.boolean() }),
  mkdir: nothing,
  remove: nothing,
  rename: nothing,
  watch: z.object({ watch: count }),
  unwatch: nothing,
  processes: z.object({ processes: z.array(processInfo).max(65_536) }),
  kill: nothing,
  audit: z.object({ records: z.array(auditRecord).max(10_000) }),
  ping: nothing,
  relieve: nothing,
} as const satisfies Record<CellMethod, z.ZodType<object>>;

/** The result of a call, or undefined when it is not of the method's shape. */
export function parseResult(method: CellMethod, value: unknown): object | undefined {
  const result = results[method].safeParse(value);
  return result.success ? result.data : undefined;
}
