/** `agentos-<toolkit> --help`, and lists of toolkits and tools. */
import type { ToolDescription, ToolkitDescription } from "../description.ts";
import { firstLine, plainLines } from "./plain-text.ts";

/** Tools that are shown without --full. */
const SHOWN_TOOLS = 60;
const DESCRIPTION_LENGTH = 600;
const LINE_LENGTH = 100;

export function toolkitHelp(toolkit: ToolkitDescription, isFull: boolean): string {
  const { name, description } = toolkit;
  const about = plainLines(description).slice(0, DESCRIPTION_LENGTH);
  return `Usage: agentos-${name} <tool> [flags]
${about === "" ? "" : `${about}\n`}
${toolLines(toolkit, isFull)}
'agentos-${name} <tool> --help' shows a tool's flags; 'agentos search <words>' finds tools.
`;
}

/** A line for each tool; says so where there is none. */
export function toolLines({ name, tools }: ToolkitDescription, isFull: boolean): string {
  if (tools.length === 0) return `${name} has no tools here.\n`;
  const shown = isFull ? tools : tools.slice(0, SHOWN_TOOLS);
  const rest = tools.length - shown.length;
  const more = rest > 0 ? `and ${rest} more: agentos list ${name} --full\n` : "";
  return `${inColumns(shown.map((tool) => [tool.name, about(tool)]))}${more}`;
}

function about({ description, needsApproval }: ToolDescription): string {
  const line = firstLine(description, LINE_LENGTH);
  return needsApproval ? `${line} (asks first)` : line;
}

/** Names and what they are, the second column lined up. */
export function inColumns(rows: readonly (readonly [name: string, text: string])[]): string {
  const width = Math.min(40, Math.max(0, ...rows.map(([name]) => name.length)));
  return rows.map(([name, text]) => `${`${name.padEnd(width)}  ${text}`.trimEnd()}\n`).join("");
}
