import type { Sys } from "../../../kernel/index.ts";
import { isTerminal } from "../is-terminal.ts";
import type { CommandLine } from "./command-line.ts";
import type { Colors, WriteStyle } from "./json-writer.ts";

/** null, false, true, numbers, strings, arrays, objects, keys: those of jq 1.6. */
const defaultColors = ["1;30", "0;39", "0;39", "0;39", "0;32", "1;39", "1;39", "34;1"];

/** How a command line wants values written. */
export async function writeStyle(sys: Sys, { flags, indent }: CommandLine): Promise<WriteStyle> {
  const environment = await sys.environ();
  const isColored = flags.has("color-output")
    ? true
    : !flags.has("monochrome-output") &&
      (environment.get("NO_COLOR") ?? "") === "" &&
      (await isTerminal(sys, 1));
  return {
    indent: indentOf(flags, indent),
    isSorted: flags.has("sort-keys"),
    isAscii: flags.has("ascii-output"),
    colors: isColored ? readColors(environment.get("JQ_COLORS") ?? "") : undefined,
  };
}

function indentOf(flags: ReadonlySet<string>, indent: number | undefined): string | undefined {
  if (flags.has("tab")) return "\t";
  if (indent !== undefined && indent > 0) return " ".repeat(indent);
  if (indent !== undefined || flags.has("compact-output")) return undefined;
  return "  ";
}

function readColors(text: string): Colors {
  const given = /^[\d;:]*$/.test(text) && text !== "" ? text.split(":") : [];
  const codes = defaultColors.map((code, at) => `\u001b[${given[at] ?? code}m`);
  const [
    none = "",
    no = "",
    yes = "",
    number = "",
    string = "",
    array = "",
    object = "",
    key = "",
  ] = codes;
  return { null: none, false: no, true: yes, number, string, array, object, key };
}
