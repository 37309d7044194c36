/** One call of a tool: its words read, its events shown, its result written. */
import type { ToolDescription, ToolkitDescription } from "../description.ts";
import type { JsonObject } from "../flags/json-kinds.ts";
import { pathFlag } from "../flags/path-flag.ts";
import type { CommandWords } from "../flags/read-words.ts";
import { SchemaDocument } from "../flags/schema-document.ts";
import { ToolError, type ToolEvent } from "../tool-event.ts";
import { type CallOptions, readCallOptions } from "./call-options.ts";
import type { CommandContext } from "./command-context.ts";
import { EventMessages } from "./event-messages.ts";
import { findOutputPlace } from "./output-place.ts";
import { readCallWords, readInput } from "./read-input.ts";
import { reportFailure } from "./report-failure.ts";
import { ResultOutput } from "./result-output.ts";
import { toolHelp } from "./tool-help.ts";
import { writeText } from "./write-all.ts";

export interface ToolRun {
  readonly toolkit: ToolkitDescription;
  readonly tool: ToolDescription;
  readonly words: readonly string[];
}

export async function runTool(context: CommandContext, run: ToolRun): Promise<number> {
  const { sys } = context;
  const words = readCallWords(run.tool, run.words);
  if (words.builtIn.has("help")) {
    await writeText(sys, 1, toolHelp(run.toolkit, run.tool, words.builtIn.has("full")));
    return 0;
  }
  try {
    const options = readCallOptions(words.builtIn);
    const input = await readInput(sys, run.tool, words);
    return await call(context, run, input, options);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return reportToolFailure(context, run, words, error);
  }
}

async function call(
  { sys, device }: CommandContext,
  { toolkit, tool }: ToolRun,
  input: JsonObject,
  options: CallOptions,
): Promise<number> {
  const name = `agentos-${toolkit.name} ${tool.name}`;
  const messages = new EventMessages(sys, name, (await findOutputPlace(sys, 2)) === "terminal");
  const place = await findOutputPlace(sys, 1);
  const output = new ResultOutput(sys, {
    name,
    toolkit: toolkit.name,
    tool: tool.name,
    place,
    options,
  });
  const events = device.events({ op: "call", toolkit: toolkit.name, tool: tool.name, input });
  for await (const event of events) {
    await messages.show(event);
    await take(output, event);
  }
  await output.finish();
  return 0;
}

async function take(output: ResultOutput, event: ToolEvent): Promise<void> {
  if (event.type === "chunk") await output.addChunk(event.value);
  else if (event.type === "result" && event.value !== undefined)
    await output.addResult(event.value);
  else if (event.type === "error") {
    await output.finishPart();
    throw new ToolError(
      event.code,
      event.message,
      event.issues === undefined ? {} : { issues: event.issues },
    );
  }
}

async function reportToolFailure(
  { sys }: CommandContext,
  { toolkit, tool }: ToolRun,
  { builtIn }: CommandWords,
  error: ToolError,
): Promise<number> {
  const name = `agentos-${toolkit.name} ${tool.name}`;
  const document = new SchemaDocument(tool.input);
  return reportFailure(sys, {
    name,
    error,
    placeOf: ({ path }) => pathFlag(document, path),
    isJson: builtIn.get("output")?.at(-1) === "json",
    ...(error.code === "usage" ? { hint: `Try '${name} --help'.` } : {}),
  });
}
