/** `agentos list|search|describe|call`. */
import type { ToolkitDescription } from "../description.ts";
import { nearest } from "../nearest.ts";
import { ToolError } from "../tool-event.ts";
import type { CommandContext } from "./command-context.ts";
import { formatJson } from "./format-json.ts";
import { type ListOptions, readListOptions } from "./list-options.ts";
import { firstLine, plainText } from "./plain-text.ts";
import { reportFailure } from "./report-failure.ts";
import { runTool } from "./run-tool.ts";
import { findTool, isHelp, refuseTool, unknownTool } from "./run-toolkit.ts";
import { toolHelp, toolUsage } from "./tool-help.ts";
import { inColumns, toolkitHelp, toolLines } from "./toolkit-help.ts";
import { writeText } from "./write-all.ts";

/** How many matches of a search are shown with their flags. */
const USAGES_SHOWN = 3;

type Subcommand = (context: CommandContext, words: readonly string[]) => Promise<number>;

const subcommands: ReadonlyMap<string, Subcommand> = new Map([
  ["list", list],
  ["search", search],
  ["describe", describe],
  ["call", call],
]);

export const subcommandNames: readonly string[] = [...subcommands.keys()];

const usage = `Usage: agentos list [<toolkit>]              toolkits, or the tools of one
       agentos search <words> [--limit N]    tools for a job
       agentos describe <toolkit> [<tool>]   how a tool is called
       agentos call <toolkit> <tool> [flags] the same as agentos-<toolkit> <tool> [flags]
Toolkits are functions of the host. --output json gives lists and descriptions (with schemas) as JSON.
`;

export async function runAgentos(
  context: CommandContext,
  words: readonly string[],
): Promise<number> {
  const { sys } = context;
  const [first, ...rest] = words;
  if (first === undefined || isHelp(first) || first === "help") {
    await writeText(sys, 1, `${usage}\n${await toolkitLines(context)}`);
    return 0;
  }
  const subcommand = subcommands.get(first);
  if (subcommand === undefined) return refuse(context, first);
  if (first !== "call" && rest.some(isHelp)) {
    await writeText(sys, 1, usage);
    return 0;
  }
  return subcommand(context, rest);
}

async function refuse({ sys, name }: CommandContext, word: string): Promise<number> {
  const near = nearest(word, subcommandNames);
  const meant = near === undefined ? "" : ` Did you mean ${near}?`;
  return reportFailure(sys, {
    name,
    error: new ToolError(
      "usage",
      `there is no command ${JSON.stringify(plainText(word))}.${meant}`,
    ),
    hint: "Try 'agentos --help'.",
  });
}

/** Fails with a ToolError; one that says which toolkit was probably meant. */
async function describeNamed(
  { device }: CommandContext,
  name: string,
): Promise<ToolkitDescription> {
  try {
    return await device.describe(name);
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== "usage") throw error;
    const near = nearest(
      name.replace(/^agentos-/, ""),
      (await device.list()).map((toolkit) => toolkit.name),
    );
    const meant = near === undefined ? "" : ` Did you mean ${near}?`;
    throw new ToolError("usage", `${error.message}${meant}`);
  }
}

async function list(context: CommandContext, words: readonly string[]): Promise<number> {
  const options = readListOptions(words, 1);
  const { sys, device } = context;
  const [toolkit] = options.operands;
  if (toolkit !== undefined) {
    return listTools(context, await describeNamed(context, toolkit), options);
  }
  const text = options.isJson
    ? `${formatJson({ toolkits: (await device.list()).map(({ name, description }) => ({ name, description })) }, false)}\n`
    : await toolkitLines(context);
  await writeText(sys, 1, text);
  return 0;
}

async function toolkitLines({ device }: CommandContext): Promise<string> {
  const toolkits = await device.list();
  if (toolkits.length === 0) return "This VM has no toolkits.\n";
  const rows = toolkits.map(
    ({ name, description }) => [`agentos-${name}`, firstLine(description, 100)] as const,
  );
  return inColumns(rows);
}

async function listTools(
  { sys }: CommandContext,
  toolkit: ToolkitDescription,
  { isJson, isFull }: ListOptions,
): Promise<number> {
  const tools = toolkit.tools.map(({ name, description, isReadOnly, needsApproval }) => {
    return { name, description, isReadOnly, needsApproval };
  });
  const json = { toolkit: toolkit.name, total: tools.length, tools };
  await writeText(sys, 1, isJson ? `${formatJson(json, false)}\n` : toolLines(toolkit, isFull));
  return 0;
}

async function search({ sys, device }: CommandContext, words: readonly string[]): Promise<number> {
  const options = readListOptions(words, Number.POSITIVE_INFINITY);
  const query = options.operands.join(" ");
  if (query.trim() === "")
    throw new ToolError("usage", "search needs words: agentos search <words>");
  const found = await device.search(query, options.limit);
  if (options.isJson) {
    const { matches, unavailable } = found;
    await writeText(sys, 1, `${JSON.stringify({ matches, unavailable })}\n`);
    return 0;
  }
  const best = await usages(device, found.matches);
  const rows = found.matches
    .slice(best.length)
    .map(
      ({ toolkit, tool, description }) =>
        [`agentos-${toolkit} ${tool}`, firstLine(description, 100)] as const,
    );
  const nothing = `No tool matches ${JSON.stringify(plainText(query))}. 'agentos list' lists the toolkits.\n`;
  await writeText(
    sys,
    1,
    found.matches.length === 0 ? nothing : `${best.join("")}${inColumns(rows)}`,
  );
  for (const { toolkit, message } of found.unavailable) {
    await writeText(sys, 2, `agentos: ${toolkit} was not searched: ${plainText(message)}\n`);
  }
  return 0;
}

/** How the best matches are called, as far as that can be found out. */
async function usages(
  device: CommandContext["device"],
  matches: readonly { readonly toolkit: string; readonly tool: string }[],
): Promise<string[]> {
  const texts: string[] = [];
  for (const { toolkit, tool } of matches.slice(0, USAGES_SHOWN)) {
    const description = await device.describe(toolkit).catch(ignoreToolError);
    const found = description === undefined ? undefined : findTool(description, tool);
    if (found === undefined) break;
    texts.push(toolUsage(toolkit, found));
  }
  return texts;
}

function ignoreToolError(error: unknown): undefined {
  if (!(error instanceof ToolError)) throw error;
}

async function describe(context: CommandContext, words: readonly string[]): Promise<number> {
  const options = readListOptions(words, 2);
  const [name, toolName] = options.operands;
  if (name === undefined) {
    throw new ToolError("usage", "describe needs a toolkit: agentos describe <toolkit> [<tool>]");
  }
  const toolkit = await describeNamed(context, name);
  const tool = toolName === undefined ? undefined : findTool(toolkit, toolName);
  if (toolName !== undefined && tool === undefined) {
    return reportFailure(context.sys, unknownTool(context.name, toolkit, toolName));
  }
  const text =
    tool === undefined
      ? toolkitHelp(toolkit, options.isFull)
      : toolHelp(toolkit, tool, options.isFull);
  const json = `${JSON.stringify(tool ?? toolkit)}\n`;
  await writeText(context.sys, 1, options.isJson ? json : text);
  return 0;
}

async function call(context: CommandContext, words: readonly string[]): Promise<number> {
  const [name, toolName, ...rest] = words;
  if (name === undefined || toolName === undefined || isHelp(name)) {
    const isAsked = name !== undefined && isHelp(name);
    await writeText(context.sys, isAsked ? 1 : 2, usage);
    return isAsked ? 0 : 2;
  }
  const toolkit = await describeNamed(context, name);
  if (isHelp(toolName)) {
    await writeText(context.sys, 1, toolkitHelp(toolkit, rest.includes("--full")));
    return 0;
  }
  const tool = findTool(toolkit, toolName);
  if (tool === undefined) return refuseTool(context, toolkit, toolName);
  return runTool(context, { toolkit, tool, words: rest });
}
