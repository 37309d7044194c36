/** `tool()`: how a host program writes a tool. */
import { checkedText } from "./checked-text.ts";
import type { JsonSchema, JsonValue } from "./json-schema.ts";
import { checkOptions } from "./known-options.ts";
import { toPlainJson } from "./plain-json.ts";
import type { InferSchema } from "./schemas/infer-schema.ts";
import { asObjectSchema } from "./schemas/object-schema.ts";
import { type AnySchema, type ReadSchema, readSchema } from "./schemas/read-schema.ts";
import type { Tool, ToolContext, ToolExample } from "./toolkit.ts";

export interface ToolOptions<Input extends AnySchema> {
  /** What it does, for whoever decides to call it. The first line is shown in lists. */
  readonly description: string;
  /** What it takes: an object. Without it, nothing. */
  readonly input?: Input;
  /** What it gives, or each item of what it streams; data that breaks the promise is a failure. */
  readonly output?: AnySchema;
  /** A minute unless said otherwise; Infinity is allowed. */
  readonly timeoutMs?: number;
  /** Whether somebody must agree to each call. */
  readonly approval?: boolean;
  /** Whether it changes nothing. */
  readonly readOnly?: boolean;
  /** Shown in its help. */
  readonly examples?: readonly ToolExample[];
  /**
   * Returns the result: text, bytes, data, an HTTP response, or an async iterable, which streams. What it
   * throws is its failure; a ToolError chooses the code.
   */
  readonly handler: (input: InferSchema<Input>, context: ToolContext) => unknown;
}

/** A tool that waits for its name, which `toolkit()` gives it. */
export type ToolDefinition = Omit<Tool, "name">;

export const DEFAULT_TIMEOUT_MS = 60_000;
const EXAMPLES_LIMIT = 20;
const EXAMPLE_BYTES = 64 * 1024;
const OPTIONS: readonly (keyof ToolOptions<never>)[] = [
  "description",
  "input",
  "output",
  "handler",
  "timeoutMs",
  "approval",
  "readOnly",
  "examples",
];

const NO_INPUT: JsonSchema = { type: "object", properties: {}, additionalProperties: false };

/** Throws a TypeError that says what is wrong with the definition. */
export function tool<const Input extends AnySchema>(options: ToolOptions<Input>): ToolDefinition {
  checkOptions("tool", options, OPTIONS);
  const { handler } = options;
  if (typeof handler !== "function") throw new TypeError("A tool needs a handler, a function.");
  const input = readSide(options.input ?? NO_INPUT, "input");
  const output = options.output === undefined ? undefined : readSide(options.output, "output");
  return {
    description: checkedText("tool", options.description),
    input: asObjectSchema(input.json),
    ...(output === undefined ? {} : { output: output.json, validateOutput: output.validate }),
    examples: checkedExamples(options.examples ?? []),
    isReadOnly: checkedSwitch("readOnly", options.readOnly ?? false),
    needsApproval: checkedSwitch("approval", options.approval ?? false),
    timeoutMs: checkedTimeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS),
    validate: input.validate,
    run: (value, context) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- validated by this very schema
      handler(value as InferSchema<Input>, context),
  };
}

function readSide(schema: unknown, side: "input" | "output"): ReadSchema {
  try {
    return readSchema(schema, side);
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new TypeError(`The tool's ${side}: ${said}`, { cause: error });
  }
}

function checkedExamples(examples: readonly ToolExample[]): readonly ToolExample[] {
  if (!Array.isArray(examples)) throw new TypeError("A tool's examples are a list.");
  if (examples.length > EXAMPLES_LIMIT) {
    throw new TypeError(`A tool may have ${EXAMPLES_LIMIT} examples, not ${examples.length}.`);
  }
  return examples.map(checkedExample);
}

function checkedExample({ input, description }: ToolExample, index: number): ToolExample {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw new TypeError(`Example ${index + 1} of a tool has no input: write { input: { … } }.`);
  }
  return {
    input: plainInput(input, index),
    ...(description === undefined ? {} : { description: checkedText("example", description) }),
  };
}

function plainInput(input: JsonValue, index: number): JsonValue {
  try {
    return toPlainJson(input, EXAMPLE_BYTES);
  } catch (error) {
    throw new TypeError(
      `The input of example ${index + 1} of a tool is no JSON, or has more than ${EXAMPLE_BYTES} bytes.`,
      { cause: error },
    );
  }
}

/** Anything but true and false, such as "yes", might be meant either way. */
function checkedSwitch(name: string, value: boolean): boolean {
  if (typeof value === "boolean") return value;
  throw new TypeError(`A tool's ${name} must be true or false, not ${JSON.stringify(value)}.`);
}

function checkedTimeout(timeoutMs: number): number {
  if (typeof timeoutMs === "number" && timeoutMs > 0) return timeoutMs;
  throw new TypeError(`A tool's timeoutMs must be a number above 0, not ${String(timeoutMs)}.`);
}
