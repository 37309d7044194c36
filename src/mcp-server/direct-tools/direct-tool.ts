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

/**
 * A name that is not taken. One that is, that is long, or that has letters which model APIs refuse (and with
 * it all tools beside it), is told apart by a hash; undefined where that is taken, too.
 */
export function directName(
  toolkit: string,
  tool: string,
  taken: ReadonlySet<string>,
): string | undefined {
  const whole = `${toolkit}_${tool}`;
  const isUsable = whole.length <= nameLimit && /^[\w-]+$/.test(whole);
  if (isUsable && !taken.has(whole)) return whole;
  const hash = createHash("sha256").update(whole).digest("hex").slice(0, hashLength);
  const start = whole.replace(/[^\w-]+/g, "-").slice(0, nameLimit - hashLength - 1);
  const name = `${start}-${hash}`;
  return taken.has(name) ? undefined : name;
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
