/** The calls a cell may make of a mount: one schema, from which the types follow. Which files there are is known to the service. */
import { z } from "zod";
import { encodeText } from "../../kernel/index.ts";
import {
  CONTENTS_NODES,
  HOLDS_LIMIT,
  MOUNT_READ_BYTES,
  SURVEY_NAMES,
  SURVEY_NODES,
  TARGET_BYTES,
} from "./mount-requests.ts";
import { count, fileKind } from "./shapes.ts";

const id = count.max(0xffff_ffff);
const mode = count.max(0o7777);
/** Years 0 to 9999, which any file system's times lie in. */
const time = z.number().min(-62_167_219_200_000).max(253_402_300_799_999);
/** Linux's NAME_MAX, in bytes. */
const NAME_BYTES = 255;
const name = z.string().min(1).max(NAME_BYTES).refine(isName);
const node = count;
/** A name in a directory. */
const at = z.strictObject({ node, name });

const file = z.strictObject({
  kind: fileKind,
  mode,
  uid: id,
  gid: id,
  target: z.string().max(TARGET_BYTES).refine(isTarget).optional(),
  rdev: id.optional(),
});
const changes = z.strictObject({
  mode: mode.optional(),
  uid: id.optional(),
  gid: id.optional(),
  atimeMs: time.optional(),
  mtimeMs: time.optional(),
});

const mountCall = z.discriminatedUnion("call", [
  /** The body of the reply is all of a file that has at most `content` bytes and can be read; else nothing. */
  z.strictObject({
    call: z.literal("lookup"),
    at,
    content: count.max(MOUNT_READ_BYTES).optional(),
  }),
  /**
   * The body of the reply is directories with the attributes of all in them, see encodeSurvey: the first from
   * `cursor` on, at most `limit` of its names if that is said, and as many of the others as there is room for.
   * Others that cannot be listed are left out.
   */
  z.strictObject({
    call: z.literal("survey"),
    nodes: z.array(node).min(1).max(SURVEY_NODES).readonly(),
    cursor: count,
    limit: count.min(1).max(SURVEY_NAMES).optional(),
  }),
  /** The body of the reply is the content of as many of the files as it has room for, one after the other. */
  z.strictObject({
    call: z.literal("contents"),
    nodes: z.array(node).min(1).max(CONTENTS_NODES).readonly(),
  }),
  /** The body of the reply is what has changed in followed directories since the last time, see encodeChanges. */
  z.strictObject({ call: z.literal("changes") }),
  z.strictObject({ call: z.literal("stat"), node }),
  z.strictObject({ call: z.literal("readlink"), node }),
  z.strictObject({
    call: z.literal("read"),
    node,
    offset: count,
    length: count.min(1).max(MOUNT_READ_BYTES),
  }),
  z.strictObject({ call: z.literal("write"), node, offset: z.union([count, z.literal("end")]) }),
  z.strictObject({ call: z.literal("truncate"), node, size: count }),
  z.strictObject({ call: z.literal("create"), at, file }),
  z.strictObject({ call: z.literal("link"), at, node }),
  z.strictObject({ call: z.literal("unlink"), at }),
  z.strictObject({ call: z.literal("rmdir"), at }),
  z.strictObject({ call: z.literal("rename"), at, to: at, expected: count.optional() }),
  z.strictObject({ call: z.literal("change"), node, changes }),
  z.strictObject({ call: z.literal("statFs") }),
  z.strictObject({ call: z.literal("sync") }),
  /** Nothing but what to hold and to release. */
  z.strictObject({ call: z.literal("none") }),
  /** Changes from outside are told by `mountChanged` from now on, until `unwatch`. */
  z.strictObject({ call: z.literal("watch"), node }),
  z.strictObject({ call: z.literal("unwatch"), node }),
]);

/**
 * Files that are found whatever happens to their names from now on, before the call is done; and those that are
 * not any more, each as often as it was held. Numbers of no file are passed over.
 */
const mountHolds = {
  hold: z.array(node).max(HOLDS_LIMIT).readonly().optional(),
  release: z.array(node).max(HOLDS_LIMIT).readonly().optional(),
};

export type MountCall = Readonly<z.infer<typeof mountCall>>;
export type MountHolds = Readonly<z.infer<z.ZodObject<typeof mountHolds>>>;

/** Of the method `mount.call`. */
export const mountParams = z.strictObject({ mount: count, request: mountCall, ...mountHolds });

function isName(text: string): boolean {
  if (text === "." || text === ".." || /[/\0]/.test(text)) return false;
  return encodeText(text).length <= NAME_BYTES;
}

function isTarget(text: string): boolean {
  return !text.includes("\0") && encodeText(text).length <= TARGET_BYTES;
}
