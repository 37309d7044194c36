/** The flags that every tool has beside its own. */
import { ToolError } from "../tool-event.ts";

export const callFlags: ReadonlyMap<string, boolean> = new Map([
  ["help", false],
  ["json", true],
  ["json-file", true],
  ["output", true],
  ["fields", true],
  ["full", false],
]);

/** auto: text as text, data as JSON. */
export type OutputFormat = "auto" | "json" | "text" | "raw";

export interface CallOptions {
  readonly format: OutputFormat;
  /** Places to keep of a result, each a path. */
  readonly fields: readonly (readonly string[])[];
  readonly isFull: boolean;
}

const FIELD_LIMIT = 100;

/** Fails with a ToolError "usage". */
export function readCallOptions(builtIn: ReadonlyMap<string, readonly string[]>): CallOptions {
  const fields = (builtIn.get("fields") ?? [])
    .flatMap((list) => list.split(","))
    .map((field) => field.trim())
    .filter((field) => field !== "");
  if (fields.length > FIELD_LIMIT) throw new ToolError("usage", "--fields has too many fields");
  return {
    format: readFormat(builtIn.get("output")?.at(-1)),
    fields: fields.map((field) => field.split(".")),
    isFull: builtIn.has("full"),
  };
}

function readFormat(word: string | undefined): OutputFormat {
  switch (word) {
    case undefined:
      return "auto";
    case "json":
    case "text":
    case "raw":
      return word;
    default:
      throw new ToolError("usage", "--output must be one of json, text, raw");
  }
}
