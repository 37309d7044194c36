// The `mcpServers` of config.json: the block that MCP hosts have, and what we add to it.
import { z } from "zod";
import { suggest } from "../suggest.ts";

/** setTimeout counts in 32 bits. */
const maxTimerMs = 2 ** 31 - 1;
const milliseconds = z
  .number()
  .refine((value) => Number.isInteger(value) && value > 0 && value <= maxTimerMs, {
    error: `must be a whole number from 1 to ${maxTimerMs}`,
  });
const names = z.array(z.string().min(1).max(500)).max(1000);
const strings = z.record(z.string(), z.string());

/** What is ours, the same for every kind of server. */
const common = {
  /** What `agentos list` says of it. */
  description: z.string().max(2000).optional(),
  expose: z.enum(["cli", "direct", "both"]).optional(),
  /** How long a call may go without an answer or progress. */
  timeoutMs: milliseconds.optional(),
  /** How long a server nobody uses stays up. */
  idleMs: milliseconds.optional(),
  tools: z.strictObject({ include: names.optional(), exclude: names.optional() }).optional(),
  /** Tools that somebody must agree to, by name; `*` stands for anything. */
  approval: names.optional(),
  disabled: z.boolean().optional(),
  /** As some hosts spell it. */
  enabled: z.boolean().optional(),
};

const server = z.looseObject({
  type: z.string().optional(),
  command: z.string().min(1).optional(),
  args: z.array(z.string()).optional(),
  env: strings.optional(),
  cwd: z.string().optional(),
  url: z.string().min(1).optional(),
  headers: strings.optional(),
  ...common,
});

/** The keys that mean something here. */
export const mcpServerKeys: readonly string[] = Object.keys(server.shape);

/** Keys that hold something back: whoever misspells one must learn of it. */
const guardingKeys = ["approval", "disabled", "expose", "tools"];

/**
 * One server. Keys of other hosts are left in, so that the block can be taken as it is: who makes the
 * toolkit notes them in the log.
 */
export const mcpServerConfig = server.superRefine((value, context) => {
  for (const key of Object.keys(value)) {
    const close = mcpServerKeys.includes(key) ? undefined : suggest(key, guardingKeys);
    if (close === undefined) continue;
    context.addIssue({
      code: "custom",
      message: `is no setting (did you mean ${close}?)`,
      path: [key],
    });
  }
});

export const mcpServersConfig = z
  .record(z.string(), mcpServerConfig)
  .refine((servers) => Object.keys(servers).length <= 100, { error: "may have 100 servers" });

export type McpServerConfig = z.output<typeof mcpServerConfig>;
export type McpServersConfig = z.output<typeof mcpServersConfig>;
