// What an operator sets for a server: the schema of config.json.
import { z } from "zod";
import type { LimitValues, PermissionsConfig } from "../../vm/index.ts";
import { mcpServersConfig } from "./mcp-servers-config.ts";
import { sandboxConfig } from "./sandbox-config.ts";
import { toolkitsConfig } from "./toolkits-config.ts";

/** setTimeout counts in 32 bits. */
const maxTimerMs = 2 ** 31 - 1;

function wholeNumber(min: number, max: number): z.ZodNumber {
  return z.number().refine((value) => Number.isInteger(value) && value >= min && value <= max, {
    error: `must be a whole number from ${min} to ${max}`,
  });
}

const softwareShape = 'must be a path, or an object of "path" and "at"';
const softwareFolder = z.strictObject({ path: z.string(), at: z.string().optional() });

/** Only the shape: limits, memory and permissions are checked by who uses them. */
export const serverConfig = z.strictObject({
  vm: z
    .strictObject({
      limits: z.custom<Partial<LimitValues>>(isObject, "must be an object").optional(),
      permissions: z.custom<PermissionsConfig>(isObject, "must be an object").optional(),
      env: z.record(z.string(), z.string()).optional(),
      software: z.array(z.union([z.string(), softwareFolder], softwareShape)).optional(),
      memoryMb: z.number().optional(),
    })
    .optional(),
  toolkits: toolkitsConfig.optional(),
  mcpServers: mcpServersConfig.optional(),
  sandbox: sandboxConfig.optional(),
  poolSize: wholeNumber(0, 100).optional(),
  maxVms: wholeNumber(1, 10_000).optional(),
  maxMemoryMb: wholeNumber(128, 2 ** 30).optional(),
  homeLimitMb: wholeNumber(1, 2 ** 30).optional(),
  idleMs: wholeNumber(0, maxTimerMs).optional(),
});

export type ServerConfig = z.output<typeof serverConfig>;

/** Settings that a variable of the environment sets as well; it wins over the file. */
export const configVariables = {
  AGENTOS_MCP_POOL_SIZE: ["poolSize"],
  AGENTOS_MCP_MAX_VMS: ["maxVms"],
  AGENTOS_MCP_MAX_MEMORY_MB: ["maxMemoryMb"],
  AGENTOS_MCP_HOME_LIMIT_MB: ["homeLimitMb"],
  AGENTOS_MCP_VM_MEMORY_MB: ["vm", "memoryMb"],
} as const;

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
