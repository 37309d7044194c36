/** `agentos-<toolkit> [<tool> [flags]]`. */
import type { ToolDescription, ToolkitDescription } from "../description.ts";
import { toKebabCase } from "../names.ts";
import { nearest } from "../nearest.ts";
import { ToolError } from "../tool-event.ts";
import type { CommandContext } from "./command-context.ts";
import { plainText } from "./plain-text.ts";
import { reportFailure } from "./report-failure.ts";
import { runTool } from "./run-tool.ts";
import { toolHelp } from "./tool-help.ts";
import { toolkitHelp } from "./toolkit-help.ts";
import { writeText } from "./write-all.ts";

export async function runToolkit(
  context: CommandContext,
  toolkit: string,
  words: readonly string[],
): Promise<number> {
  const { sys, device } = context;
  const [first, ...rest] = words;
  const description = await device.describe(toolkit);
  if (first === undefined || isHelp(first)) {
    await writeText(sys, 1, toolkitHelp(description, rest.includes("--full")));
    return 0;
  }
  if (first.startsWith("-")) return refuseOption(context, first);
  const tool = findTool(description, first);
  if (tool !== undefined) return runTool(context, { toolkit: description, tool, words: rest });
  if (first === "help") return showHelp(context, description, rest[0]);
  return refuseTool(context, description, first);
}

/** What the policy denies is not described: the host says whether it does, and records that it was asked for. */
export async function refuseTool(
  { sys, device, name }: CommandContext,
  description: ToolkitDescription,
  word: string,
): Promise<number> {
  const error = await device.findDenial(description.name, toKebabCase(word));
  return reportFailure(
    sys,
    error === undefined ? unknownTool(name, description, word) : { name, error },
  );
}

/** A tool by its name in any spelling: `list_issues`, `listIssues`. */
export function findTool({ tools }: ToolkitDescription, name: string): ToolDescription | undefined {
  return (
    tools.find((tool) => tool.name === name) ??
    tools.find((tool) => tool.name === toKebabCase(name))
  );
}

export function isHelp(word: string): boolean {
  return word === "--help" || word === "-h";
}

export async function showHelp(
  { sys, name }: CommandContext,
  description: ToolkitDescription,
  word: string | undefined,
): Promise<number> {
  const tool = word === undefined ? undefined : findTool(description, word);
  if (word !== undefined && tool === undefined) {
    return reportFailure(sys, unknownTool(name, description, word));
  }
  const text =
    tool === undefined ? toolkitHelp(description, false) : toolHelp(description, tool, false);
  await writeText(sys, 1, text);
  return 0;
}

export function unknownTool(
  name: string,
  { name: toolkit, tools }: ToolkitDescription,
  word: string,
) {
  const near = nearest(
    toKebabCase(word),
    tools.map((tool) => tool.name),
  );
  const meant = near === undefined ? "" : ` Did you mean ${near}?`;
  return {
    name,
    error: new ToolError(
      "usage",
      `${toolkit} has no tool ${JSON.stringify(plainText(word))}.${meant}`,
    ),
    hint: `'agentos list ${toolkit}' lists its ${tools.length} tools; 'agentos search <words>' finds one.`,
  };
}

async function refuseOption({ sys, name }: CommandContext, word: string): Promise<number> {
  return reportFailure(sys, {
    name,
    error: new ToolError("usage", `a tool comes before its flags, not ${plainText(word)}`),
    hint: `'${name} --help' lists the tools.`,
  });
}
