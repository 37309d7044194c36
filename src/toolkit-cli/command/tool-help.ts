/** `agentos-<toolkit> <tool> --help`. */
import type { ToolDescription, ToolkitDescription } from "../description.ts";
import { isJsonObject } from "../flags/json-kinds.ts";
import { type FlagRow, listFlags } from "../flags/list-flags.ts";
import { findPositional } from "../flags/read-words.ts";
import { SchemaDocument } from "../flags/schema-document.ts";
import type { Shape } from "../flags/shape.ts";
import { writeFlags } from "../flags/write-flags.ts";
import { firstLine, plainLines, plainText, quoteWord } from "./plain-text.ts";

/** Flags that are shown without --full. */
const SHOWN_FLAGS = 40;
const SHOWN_FIELDS = 12;
/** What `toolUsage` shows. */
const USAGE_FLAGS = 10;
const USAGE_LENGTH = 500;
const USAGE_DESCRIPTION_LENGTH = 100;
const DESCRIPTION_LENGTH = 1500;
const FLAG_COLUMN = 30;
const FLAG_HELP_LENGTH = 200;
const DEFAULT_LENGTH = 60;

export function toolHelp(
  { name: toolkit }: ToolkitDescription,
  tool: ToolDescription,
  isFull: boolean,
): string {
  const document = new SchemaDocument(tool.input);
  const rows = listFlags(document);
  const name = `agentos-${toolkit} ${tool.name}`;
  return [
    `${plainText(`Usage: ${name}${usageWords(document, rows)}`)}\n`,
    `${plainLines(tool.description).slice(0, DESCRIPTION_LENGTH)}\n`,
    tool.needsApproval ? "Somebody has to agree to each call; the command waits for that.\n" : "",
    flagTable(rows, name, isFull),
    commonFlags,
    resultLine(tool),
    exampleLines(name, tool),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

/** How a tool is called and what it gives, in a few lines: enough to call it without its help. */
export function toolUsage(toolkit: string, tool: ToolDescription): string {
  const rows = listFlags(new SchemaDocument(tool.input));
  const words = rows.slice(0, USAGE_FLAGS).map((row) => {
    const flag = `${row.flag} ${row.value}`.trim();
    return row.isRequired ? flag : `[${flag}]`;
  });
  const more = rows.length > USAGE_FLAGS ? " [more: --help]" : "";
  const name = `agentos-${toolkit} ${tool.name}`;
  const usage = firstLine([name, ...words].join(" "), USAGE_LENGTH);
  const about = firstLine(tool.description, USAGE_DESCRIPTION_LENGTH);
  const result = resultLine(tool);
  return `${usage}${more}\n  ${about}\n${result === "" ? "" : `  ${result}`}`;
}

const commonFlags = `Also: --json '{…}' or --json-file FILE (flags go on top), --output json|text|raw,
--fields a,b.c, --full. Any value may be @FILE or - (stdin); @@x is the text @x.
`;

function usageWords(document: SchemaDocument, rows: readonly FlagRow[]): string {
  const positional = findPositional(document)?.shape;
  const required = rows.filter((row) => row.isRequired);
  const words = required
    .slice(0, 4)
    .map((row) => (row.shape === positional ? row.value : `${row.flag} ${row.value}`.trim()));
  const hasMore = rows.length > words.length;
  return [...words.map((word) => ` ${word}`), hasMore ? " [flags]" : ""].join("");
}

function flagTable(rows: readonly FlagRow[], name: string, isFull: boolean): string {
  if (rows.length === 0) return "It takes no flags of its own.\n";
  const shown = isFull ? rows : rows.slice(0, SHOWN_FLAGS);
  const rest = rows.length - shown.length;
  const more = rest > 0 ? `  and ${rest} more: ${name} --help --full\n` : "";
  return `Flags:\n${shown.map(flagLine).join("")}${more}`;
}

function flagLine(row: FlagRow): string {
  const left = `  ${plainText(`${row.flag} ${row.value}`)}`;
  const notes = [
    row.isRequired ? "required" : "",
    row.isRepeatable ? "repeatable" : "",
    row.isSwitch ? `or ${plainText(row.off)}` : "",
    row.shape.range ?? "",
    row.default === undefined
      ? ""
      : `default ${plainText(JSON.stringify(row.default)).slice(0, DEFAULT_LENGTH)}`,
  ].filter((note) => note !== "");
  const help = firstLine(row.description.replaceAll("\n", " "), FLAG_HELP_LENGTH);
  const right = [help, notes.length === 0 ? "" : `(${notes.join(", ")})`, plainText(row.json)]
    .filter((part) => part !== "")
    .join(" ");
  if (right === "") return `${left}\n`;
  return left.length < FLAG_COLUMN
    ? `${left.padEnd(FLAG_COLUMN)}${right}\n`
    : `${left}  ${right}\n`;
}

/** What --fields can name. */
function resultLine({ output }: ToolDescription): string {
  if (output === undefined) return "";
  const document = new SchemaDocument(output);
  const words = describeResult(document, document.shapeOf(output));
  return words === "" ? "" : `Result: ${words}\n`;
}

function describeResult(document: SchemaDocument, shape: Shape): string {
  if (shape.array !== undefined) {
    const items = describeResult(document, document.shapeOf(shape.array.items));
    return `list of ${items === "" ? "values" : items}`;
  }
  const { object } = shape;
  if (object === undefined) return "";
  const names = [...object.properties].slice(0, SHOWN_FIELDS).map(([name, schema]) => {
    const below = document.shapeOf(schema);
    const fields = document.shapeOf(below.array?.items ?? true).object?.properties.keys() ?? [];
    const inner = [...fields].slice(0, SHOWN_FIELDS).join(", ");
    return below.array === undefined ? name : `${name}[${inner}]`;
  });
  const more = object.properties.size > SHOWN_FIELDS ? ", …" : "";
  return plainText(`{ ${names.join(", ")}${more} }`);
}

function exampleLines(name: string, tool: ToolDescription): string {
  const lines = tool.examples.slice(0, 3).flatMap(({ description, input }) => {
    if (!isJsonObject(input)) return [];
    const words = writeFlags(tool.input, input).map(quoteWord).join(" ");
    const note = description === undefined ? "" : `  # ${firstLine(description, 80)}`;
    return [`  ${plainText(`${name} ${words}`)}${note}\n`];
  });
  return lines.length === 0 ? "" : `Examples:\n${lines.join("")}`;
}
