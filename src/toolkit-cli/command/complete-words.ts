/**
 * Completion as bash asks a command for it (`complete -C`): the line so far is in COMP_LINE, the word to
 * complete is the second operand, and each completion is a line of output.
 */
import type { ToolDescription, ToolkitDescription } from "../description.ts";
import { listFlags } from "../flags/list-flags.ts";
import { resolveFlag } from "../flags/resolve-flag.ts";
import { SchemaDocument } from "../flags/schema-document.ts";
import { ToolError } from "../tool-event.ts";
import { callFlags } from "./call-options.ts";
import type { CommandContext } from "./command-context.ts";
import { subcommandNames } from "./run-agentos.ts";
import { findTool } from "./run-toolkit.ts";
import { writeText } from "./write-all.ts";

/** Answers 0 always: where nothing is known, nothing is completed. */
export async function completeWords(
  context: CommandContext,
  line: string,
  word: string,
): Promise<number> {
  const words = line.split(/\s+/).filter((one, at) => one !== "" || at > 0);
  const found = await findCandidates(context, words.slice(1)).catch((error: unknown) => {
    if (error instanceof ToolError) return [];
    throw error;
  });
  // What would not stay one word, or would be obeyed by a terminal, is left to whoever writes it.
  const matching = found.filter((one) => one.startsWith(word) && !/[\s'"\\$`\p{Cc}]/u.test(one));
  await writeText(context.sys, 1, matching.map((one) => `${one}\n`).join(""));
  return 0;
}

/** `words` are those behind the command; the last one is being written. */
async function findCandidates(
  { device, name }: CommandContext,
  words: readonly string[],
): Promise<readonly string[]> {
  if (name.startsWith("agentos-")) {
    return inToolkit(await device.describe(name.slice("agentos-".length)), words);
  }
  const [first, toolkit, ...rest] = words;
  if (words.length <= 1) return subcommandNames;
  if (first === "search" || !subcommandNames.includes(first ?? "")) return [];
  if (words.length === 2) return (await device.list()).map((one) => one.name);
  if (first === "list") return [];
  return inToolkit(await device.describe(toolkit ?? ""), rest);
}

function inToolkit(toolkit: ToolkitDescription, words: readonly string[]): readonly string[] {
  const [name = "", ...rest] = words;
  if (words.length <= 1) return [...toolkit.tools.map((tool) => tool.name), "--help"];
  const tool = findTool(toolkit, name);
  return tool === undefined ? [] : inTool(tool, rest);
}

function inTool(tool: ToolDescription, words: readonly string[]): readonly string[] {
  const document = new SchemaDocument(tool.input);
  const current = words.at(-1) ?? "";
  const previous = words.at(-2) ?? "";
  const inline = /^--([^=]+)=/.exec(current)?.[1];
  if (inline !== undefined) return valuesOf(document, inline);
  if (current.startsWith("-") || current === "") {
    const values = previous.startsWith("--") ? valuesOf(document, previous.slice(2)) : [];
    return values.length > 0 ? values : flagsOf(document, current);
  }
  return previous.startsWith("--") ? valuesOf(document, previous.slice(2)) : [];
}

function flagsOf(document: SchemaDocument, current: string): readonly string[] {
  const own = listFlags(document).flatMap(({ flag, isSwitch, off }) =>
    isSwitch && current.startsWith("--no") ? [flag, off] : [flag],
  );
  const common = [...callFlags.keys()].map((flag) => `--${flag}`);
  return [...own.filter((flag) => !flag.includes("<")), ...common];
}

function valuesOf(document: SchemaDocument, name: string): readonly string[] {
  if (name === "output") return ["json", "text", "raw"];
  const isExact = name.startsWith(".");
  const target = resolveFlag(document, isExact ? name.slice(1) : name, isExact);
  if (target === undefined || "problem" in target) return [];
  const items = target.shape.array?.items;
  const { choices, hasBoolean } = items === undefined ? target.shape : document.shapeOf(items);
  const words = choices.map((choice) =>
    typeof choice === "string" ? choice : JSON.stringify(choice),
  );
  return hasBoolean ? [...words, "true", "false"] : words;
}
