/** The shapes of what a cell asks for mounts; which files there are is known to who serves them. */
import { z } from "zod";
import { encodeText } from "../../kernel/index.ts";
import {
  ENTRIES_LIMIT,
  HOLDS_LIMIT,
  MOUNT_READ_BYTES,
  type MountMethods,
  type MountWish,
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
const at = z.strictObject({ node: count, name });
const node = count;

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

const wish = z.discriminatedUnion("call", [
  z.strictObject({
    call: z.literal("lookup"),
    at,
    content: count.max(MOUNT_READ_BYTES).optional(),
  }),
  z.strictObject({
    call: z.literal("lookupMany"),
    node,
    names: z.array(name).min(1).max(ENTRIES_LIMIT).readonly(),
  }),
  z.strictObject({ call: z.literal("stat"), node }),
  z.strictObject({ call: z.literal("readlink"), node }),
  z.strictObject({
    call: z.literal("list"),
    node,
    cursor: count,
    limit: count.min(1).max(ENTRIES_LIMIT),
  }),
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
  z.strictObject({ call: z.literal("none") }),
  z.strictObject({ call: z.literal("watch"), node }),
  z.strictObject({ call: z.literal("unwatch"), node }),
]) satisfies z.ZodType<MountWish>;

export const mountParams = {
  callMount: z.strictObject({
    mount: count,
    wish,
    hold: z.array(node).max(HOLDS_LIMIT).readonly().optional(),
    release: z.array(node).max(HOLDS_LIMIT).readonly().optional(),
  }),
} as const satisfies { [M in keyof MountMethods]: z.ZodType<MountMethods[M]["params"]> };

function isName(text: string): boolean {
  if (text === "." || text === ".." || /[/\0]/.test(text)) return false;
  return encodeText(text).length <= NAME_BYTES;
}

function isTarget(text: string): boolean {
  return !text.includes("\0") && encodeText(text).length <= TARGET_BYTES;
}
