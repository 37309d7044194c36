import { z } from "zod";
import { type Errno, errnos } from "../../kernel/index.ts";
import {
  COMMAND_NAME_CHARACTERS,
  type CommandMethod,
  type CommandMethods,
} from "./command-requests.ts";

const count = z.number().int().nonnegative();
const errno = z.custom<Errno>((value) => typeof value === "string" && Object.hasOwn(errnos, value));
/** The fields of struct winsize are 16 bits wide. */
const side = count.max(0xffff);
const size = z.strictObject({ columns: side, rows: side });
const to = z.enum(["out", "error"]);

const news = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("signal"), signal: z.string().max(16) }),
  z.strictObject({ type: z.literal("size"), size }),
  z.strictObject({ type: z.literal("failed"), to, errno }),
  z.strictObject({ type: z.literal("gone") }),
]);

/** What a cell's requests about host commands look like. */
export const commandParams = {
  putCommandStart: z.strictObject({ run: count }),
  startCommand: z.strictObject({
    run: count,
    name: z.string().max(COMMAND_NAME_CHARACTERS),
    pid: count,
    words: count,
    terminal: size.optional(),
  }),
  nextCommandEvents: z.strictObject({ run: count }),
  feedCommand: z.strictObject({
    run: count,
    isEnd: z.boolean().optional(),
    errno: errno.optional(),
  }),
  tellCommand: z.strictObject({ run: count, news }),
} as const satisfies { [M in CommandMethod]: z.ZodType<CommandMethods[M]["params"]> };
