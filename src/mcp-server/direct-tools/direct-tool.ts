// A tool of a toolkit as an MCP tool: its name and its hints.
import { createHash } from "node:crypto";
import type { ToolAnnotations } from "@modelcontextprotocol/server";
import type { Tool } from "../../toolkit-cli/index.ts";

export interface DirectTool {
  /** `<toolkit>_<tool>`: neither has an underscore, so no two tools share one. */
  readonly name: string;
  readonly toolkit: string;
  readonly tool: Tool;
}

/** What clients and model APIs take. */
const nameLimit = 64;
const hashLength = 8;

/** A name that none of ours has; a long one is cut, and told apart by a hash. */
export function directName(toolkit: string, tool: string, taken: ReadonlySet<string>): string {
  const whole = `${toolkit}_${tool}`;
  if (whole.length <= nameLimit && !taken.has(whole)) return whole;
  const hash = createHash("sha256").update(whole).digest("hex").slice(0, hashLength);
  return `${whole.slice(0, nameLimit - hashLength - 1)}-${hash}`;
}

/** A tool says whether it changes anything, and nothing else: the rest is pessimistic. */
export function directAnnotations({ isReadOnly }: Tool): Required<Omit<ToolAnnotations, "title">> {
  return {
    readOnlyHint: isReadOnly,
    destructiveHint: !isReadOnly,
    idempotentHint: isReadOnly,
    openWorldHint: true,
  };
}

/** Whether results are checked against the tool's schema, an object's: clients check them, too. */
export function promisesOutput({ tool }: DirectTool): boolean {
  return tool.validateOutput !== undefined && tool.output?.["type"] === "object";
}
