/** The declaration of `tools` for a piece of code: only the toolkits that it speaks of are described. */
import {
  declareTools,
  showTool,
  type ToolkitDescription,
  toJavaScriptName,
} from "../../toolkit-cli/index.ts";
import type { GrantedToolkits } from "../broker/toolkits/granted-toolkits.ts";
import type { TypeProblem } from "./type-check.ts";

export interface DeclaredTools {
  /** TypeScript. */
  readonly text: string;
  readonly described: readonly ToolkitDescription[];
  /** Why calls of a toolkit are not checked. */
  readonly notes: readonly string[];
}

/** What starting a toolkit may take before code runs without its types. */
const DESCRIBE_LIMIT_MS = 10_000;
/** Expected declarations that a report shows. */
const SHOWN_LIMIT = 3;
const NAMES_LIMIT = 40;

export async function declareFor(code: string, toolkits: GrantedToolkits): Promise<DeclaredTools> {
  const notes: string[] = [];
  const described: ToolkitDescription[] = [];
  const declared = await Promise.all(
    toolkits.list().map(async ({ name }) => {
      if (!speaksOf(code, name)) return { name };
      try {
        const description = await toolkits.describe(name, AbortSignal.timeout(DESCRIBE_LIMIT_MS));
        described.push(description);
        return description;
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        notes.push(`Calls of ${name} were not checked: ${why.slice(0, 300)}`);
        return { name };
      }
    }),
  );
  return { text: declareTools(declared), described, notes };
}

function speaksOf(code: string, toolkit: string): boolean {
  return code.includes(toJavaScriptName(toolkit)) || code.includes(toolkit);
}

/** What the tools that problems are about look like, or what a toolkit has where a tool is not in it. */
export function expectedTools(
  problems: readonly TypeProblem[],
  described: readonly ToolkitDescription[],
): string[] {
  const wanted = new Set(
    problems.flatMap(({ tool }) => (tool === undefined ? [] : [tool.join(".")])),
  );
  return [...wanted].slice(0, SHOWN_LIMIT).flatMap((path) => {
    const [toolkitName, toolName] = path.split(".");
    const toolkit = described.find(({ name }) => toJavaScriptName(name) === toolkitName);
    if (toolkit === undefined) return [];
    const tool = toolkit.tools.find(({ name }) => toJavaScriptName(name) === toolName);
    if (tool !== undefined) return [showTool(toolkit.name, tool)];
    const names = toolkit.tools.map(({ name }) => toJavaScriptName(name));
    const more = names.length > NAMES_LIMIT ? ", …" : "";
    return [`tools.${toolkitName} has: ${names.slice(0, NAMES_LIMIT).join(", ")}${more}`];
  });
}
