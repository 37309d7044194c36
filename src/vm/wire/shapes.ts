/** Shapes that several messages of a cell have in common. Loaded by the server alone. */
import { z } from "zod";
import { type Errno, errnos, type LimitName, limitTable } from "../../kernel/index.ts";

export const count = z.number().int().nonnegative();
export const number = z.number();
/** Names, paths and messages: far more than any of ours has. */
export const text = z.string().max(64 * 1024);
export const errno = z.custom<Errno>(
  (value) => typeof value === "string" && Object.hasOwn(errnos, value),
);
export const limitName = z.custom<LimitName>(
  (value) => typeof value === "string" && Object.hasOwn(limitTable, value),
);
export const fileKind = z.enum([
  "file",
  "directory",
  "symlink",
  "fifo",
  "device",
  "socket",
  "anonymous",
]);
