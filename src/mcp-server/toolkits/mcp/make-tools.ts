// The tools that a server lists, as tools of its toolkit.
import { type Tool, type ToolDefinition, tool } from "../../../toolkit-cli/index.ts";
import { type ListedTool, readListedTool } from "./listed-tool.ts";
import type { CallTimes } from "./mcp-connection.ts";
import { findUnused, isNamedBy } from "./name-filter.ts";
import { checkObject, readPromise } from "./output-promise.ts";
import { plainText } from "./plain-text.ts";
import { toolResult } from "./tool-result.ts";
import type { UniqueNames } from "./unique-names.ts";
import type { WarmConnection } from "./warm-connection.ts";

export interface ToolSource extends CallTimes {
  readonly connection: WarmConnection;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly approval: readonly string[];
  /** Something the operator should know. */
  readonly note: (line: string) => void;
}

/** What resource-tools.ts adds, where the server has it. */
const resourceToolNames = ["list-resources", "read-resource", "list-prompts", "get-prompt"];
/** Cut to what tool() takes. */
const descriptionCharacters = 4000;

/** What cannot be offered is left out, with a note. */
export function makeTools(
  listed: readonly unknown[],
  names: UniqueNames,
  source: ToolSource,
): readonly Tool[] {
  const read = listed.map(readListedTool).filter((found) => found !== undefined);
  if (read.length < listed.length) {
    source.note(`${listed.length - read.length} of its tools are no tools and are left out`);
  }
  noteMisspelt(read, source);
  return read
    .filter((found) => isWanted(found.name, source))
    .flatMap((found) => {
      const definition = define(found, source);
      if (definition === undefined) return [];
      const name = names.take(found.name);
      if (/-\d+$/.test(name) && !/\d$/.test(found.name)) {
        source.note(
          `its tool ${JSON.stringify(found.name)} is called ${name}, since another has the name`,
        );
      }
      return [{ ...definition, name }];
    });
}

function isWanted(name: string, { include, exclude = [] }: ToolSource): boolean {
  return (include === undefined || isNamedBy(include, name)) && !isNamedBy(exclude, name);
}

function noteMisspelt(
  read: readonly ListedTool[],
  { include = [], exclude = [], approval, note }: ToolSource,
): void {
  const names = [...read.map(({ name }) => name), ...resourceToolNames];
  const unused = findUnused([...include, ...exclude, ...approval], names);
  if (unused.length > 0)
    note(`it has no tool ${unused.map((name) => JSON.stringify(name)).join(", ")}`);
}

function define(listed: ListedTool, source: ToolSource): ToolDefinition | undefined {
  const { outputSchema } = listed;
  try {
    return makeTool(listed, source, outputSchema);
  } catch (error) {
    if (outputSchema === undefined) return leaveOut(listed, source, error);
  }
  try {
    const definition = makeTool(listed, source, undefined);
    source.note(`the outputSchema of its tool ${JSON.stringify(listed.name)} cannot be used`);
    return definition;
  } catch (error) {
    return leaveOut(listed, source, error);
  }
}

function leaveOut({ name }: ListedTool, { note }: ToolSource, error: unknown): undefined {
  const why = error instanceof Error ? error.message : String(error);
  note(`its tool ${JSON.stringify(name)} is left out: ${why}`);
  return undefined;
}

function makeTool(listed: ListedTool, source: ToolSource, outputSchema: unknown): ToolDefinition {
  const { connection, silentMs, totalMs } = source;
  const { name, inputSchema } = listed;
  const promise = readPromise(outputSchema);
  const definition: ToolDefinition = tool({
    description: describe(listed),
    input: checkObject(inputSchema ?? {}),
    ...(promise === undefined ? {} : { output: promise.schema }),
    timeoutMs: totalMs,
    approval: isNamedBy(source.approval, name),
    readOnly: listed.annotations?.readOnlyHint === true,
    handler: async (input: unknown, context) =>
      await connection.use(context.signal, async (open) => {
        const call = { context, silentMs, totalMs };
        const of = { name, input: definition.input };
        return toolResult(await open.callTool(of, checkObject(input), call), promise);
      }),
  });
  return definition;
}

function describe({ name, title, description, annotations }: ListedTool): string {
  const text = plainText(description ?? title ?? annotations?.title ?? "");
  if (text === "") return `The tool ${name}; its server says nothing about it.`;
  return text.length <= descriptionCharacters ? text : `${text.slice(0, descriptionCharacters)}…`;
}
