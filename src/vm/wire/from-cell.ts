/**
 * What a cell says without being asked, and its answers: one schema, from which the type of the messages and
 * their check come. A cell may have been taken over by its guest: nothing of it is believed. The cell itself
 * imports the types alone.
 */
import { z } from "zod";
import { parseBoundedJson } from "../../toolkit-cli/bounded-json.ts";
import type { CommandStatus, ScreenView } from "./messages.ts";
import { count, errno, limitName, number, text } from "./shapes.ts";

/** Linux's PATH_MAX; a tree may be deeper, and then its directory is not told. */
const cwd = z.string().startsWith("/").max(4096).optional().catch(undefined);
const status = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("exited"), code: count.max(255), cwd }),
  z.object({ kind: z.literal("signaled"), signal: count.max(64), cwd }),
]);
export const scope = z.enum(["fs", "network", "childProcess", "process", "env", "toolkit"]);
const request = z.object({ pid: count, command: text, scope, operation: text, subject: text });
const watchEvent = z.object({
  type: z.enum(["create", "modify", "attributes", "delete", "move_from", "move_to", "overflow"]),
  path: text,
  isDirectory: z.boolean(),
});
const warning = z.object({
  limit: limitName,
  observed: number,
  capacity: number,
  fillPercent: number,
});

const fromCell = z.discriminatedUnion("type", [
  z.object({ type: z.literal("ready") }),
  /** A guest's thread goes on whatever the cell does: only the end of the cell ends it. */
  z.object({ type: z.literal("stuck") }),
  /** The answer to a call, see cell-methods.ts; its bytes are the body. */
  z.object({ type: z.literal("result"), id: count, value: z.unknown() }),
  z.object({
    type: z.literal("failure"),
    id: count,
    errno,
    subject: text.optional(),
    reason: text.optional(),
  }),
  /** Of streams, see streams/stream-table.ts. */
  z.object({
    type: z.literal("data"),
    stream: count,
    tag: count,
    isLast: z.literal(true).optional(),
  }),
  z.object({ type: z.literal("credit"), stream: count, bytes: count }),
  z.object({ type: z.literal("end"), stream: count, value: z.unknown().optional() }),
  z.object({ type: z.literal("stop"), stream: count }),
  z.object({ type: z.literal("limit"), warning }),
  /** For whoever started the session: a limit has ended one of its processes. */
  z.object({ type: z.literal("notice"), sid: count, text: text.max(1024) }),
  z.object({ type: z.literal("ask"), ask: count, request }),
  z.object({ type: z.literal("askEnded"), ask: count }),
  z.object({ type: z.literal("watchEvents"), watch: count, events: z.array(watchEvent).max(4096) }),
  z.object({ type: z.literal("log"), level: text, message: text }),
  /** Something the cell cannot do itself, see broker-methods.ts. */
  z.object({ type: z.literal("request"), id: count, method: text, params: z.unknown() }),
]);

export type FromCell = z.infer<typeof fromCell>;
export type WatchEvent = Readonly<z.infer<typeof watchEvent>>;

/** The message a frame's header is, or undefined when it is not one. */
export function parseFromCell(header: unknown): FromCell | undefined {
  return fromCell.safeParse(header).data;
}

/** How a command ended, as its cell wrote it; undefined when it is not a status. */
export function parseStatus(bytes: Uint8Array): CommandStatus | undefined {
  return parseJson(status, bytes);
}

/** The largest screen's text, each character with marks, and more. */
const screen = z.object({ text: z.string().max(4 << 20), row: count, column: count });

/** What a terminal shows, as its cell wrote it; undefined when it is not a screen. */
export function parseScreen(bytes: Uint8Array): ScreenView | undefined {
  return parseJson(screen, bytes);
}

function parseJson<Shape extends z.ZodType>(
  shape: Shape,
  bytes: Uint8Array,
): z.output<Shape> | undefined {
  try {
    return shape.safeParse(parseBoundedJson(bytes)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
