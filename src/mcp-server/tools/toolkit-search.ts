import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import {
  showTool,
  type ToolDescription,
  ToolError,
  type ToolkitDescription,
  toJavaScriptName,
  toKebabCase,
  toolExpression,
} from "../../toolkit-cli/index.ts";
import type { Vms } from "../../vm/index.ts";
import { defineTool } from "../mcp-tool.ts";
import { integer } from "./arguments.ts";

type Toolkits = Vms["toolkits"];

const defaultLimit = 5;
const maxLimit = 50;
/** What one answer takes at most: about 6,000 tokens. */
const answerLimitCharacters = 24_000;
/** A line about a tool in a list. */
const summaryCharacters = 100;
const namesLimit = 200;
/** Of the best match's score: what is below is named only. */
const goodScore = 0.4;

const howToCall = "Call these in code_run. In a VM's shell, run agentos-<toolkit> <tool> --help.";

export const toolkitSearch = defineTool({
  name: "toolkit_search",
  title: "Find tools",
  description:
    "Finds tools for code_run by words (query) or by name (toolkit, or toolkit.tool) and returns their " +
    "TypeScript declarations. Without arguments, lists the toolkits.",
  inputSchema: z.strictObject({
    query: z.string().optional(),
    name: z.string().optional(),
    limit: integer(1, maxLimit).optional().describe(`Default ${defaultLimit}`),
  }),
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  meta: { "anthropic/alwaysLoad": true },
  async handler({ query, name, limit = defaultLimit }, call) {
    const vms = await call.vms();
    vms.code.warmUp();
    const { toolkits } = vms;
    if (toolkits.list().length === 0) return answer(["[There are no toolkits.]"]);
    try {
      if (name !== undefined) return answer(await showNamed(toolkits, name, call.signal));
      if (query === undefined || query.trim() === "") return answer(listToolkits(toolkits));
      return answer(await find(toolkits, { query, limit, signal: call.signal }));
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return { isError: true, content: [{ type: "text", text: error.message }] };
    }
  },
});

/** Whole parts, as many as fit. */
function answer(parts: readonly string[]): CallToolResult {
  const shown: string[] = [];
  let left = answerLimitCharacters;
  for (const part of parts) {
    left -= part.length;
    if (left < 0 && shown.length > 0) break;
    shown.push(part.slice(0, answerLimitCharacters));
  }
  const rest = parts.length - shown.length;
  if (rest > 0) shown.push(`[${rest} more do not fit. Narrow the query, or search by name.]`);
  return { content: [{ type: "text", text: shown.join("\n\n") }] };
}

function listToolkits(toolkits: Toolkits): string[] {
  const lines = toolkits.list().map(({ name, description }) => {
    return `${toJavaScriptName(name)}: ${summaryOf(description)}`;
  });
  return [
    lines.join("\n"),
    `[${howToCall} Search with query, or name a toolkit to see its tools.]`,
  ];
}

interface Search {
  readonly query: string;
  readonly limit: number;
  readonly signal: AbortSignal;
}

async function find(toolkits: Toolkits, { query, limit, signal }: Search): Promise<string[]> {
  const { matches, unavailable } = await toolkits.search(query, { limit, signal });
  const best = matches[0]?.score ?? 0;
  const good = matches.filter(({ score }) => score >= best * goodScore);
  const described = new Map<string, ToolkitDescription>();
  for (const { toolkit } of good) {
    if (!described.has(toolkit)) described.set(toolkit, await toolkits.describe(toolkit, signal));
  }
  const shown = good.flatMap(({ toolkit, tool }) => {
    const found = described.get(toolkit)?.tools.find(({ name }) => name === tool);
    return found === undefined ? [] : [showTool(toolkit, found)];
  });
  const missing = unavailable.map(
    ({ toolkit, message }) => `[${toolkit} could not be searched: ${message.slice(0, 300)}]`,
  );
  if (shown.length === 0) {
    const names = toolkits.list().map(({ name }) => toJavaScriptName(name));
    const known = names.slice(0, namesLimit).join(", ");
    return [
      `[No tool matches ${JSON.stringify(query.slice(0, 100))}. Toolkits: ${known}.]`,
      ...missing,
    ];
  }
  const others = matches
    .slice(good.length)
    .map(({ toolkit, tool }) => toolExpression(toolkit, tool));
  const also = others.length === 0 ? [] : [`[Weaker matches: ${others.join(", ")}]`];
  return [...shown, ...also, ...missing, `[${howToCall}]`];
}

/** A tool's declaration, or the tools of a toolkit. */
async function showNamed(toolkits: Toolkits, name: string, signal: AbortSignal): Promise<string[]> {
  const [first = "", second] = name
    .trim()
    .replace(/^tools\./, "")
    .split(/[.:\s/]+/);
  const toolkit = await toolkits.describe(kebabIn(toolkits.list(), first), signal);
  if (second !== undefined) {
    const tool = toolkit.tools.find((one) => one.name === kebabIn(toolkit.tools, second));
    if (tool !== undefined) return [showTool(toolkit.name, tool), `[${howToCall}]`];
    const names = toolkit.tools.map((one) => toJavaScriptName(one.name));
    const known = names.slice(0, namesLimit).join(", ");
    throw new ToolError(
      "usage",
      `${toolkit.name} has no tool "${second.slice(0, 80)}". It has: ${known}.`,
    );
  }
  const lines = toolkit.tools.map((tool) => lineOf(tool));
  const head = `tools.${toJavaScriptName(toolkit.name)} has ${lines.length} tools:`;
  return [
    [head, ...lines.slice(0, namesLimit)].join("\n"),
    `[Name one, as ${toJavaScriptName(toolkit.name)}.<tool>, or search with query to see declarations.]`,
  ];
}

function lineOf({ name, description, isReadOnly }: ToolDescription): string {
  return `${toJavaScriptName(name)}${isReadOnly ? " (read-only)" : ""}: ${summaryOf(description)}`;
}

function summaryOf(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  return line.length <= summaryCharacters ? line : `${line.slice(0, summaryCharacters - 1)}…`;
}

/** The name in commands of what may be written as in JavaScript. */
function kebabIn(known: readonly { readonly name: string }[], written: string): string {
  const found = known.find(({ name }) => name === written || toJavaScriptName(name) === written);
  return found?.name ?? toKebabCase(written);
}
