import { decodeText } from "../../../kernel/index.ts";
import { LineCursor } from "../line-cursor.ts";
import { asNumber, readNumber } from "../number-argument.ts";
import { CombinedInput } from "../od/combined-input.ts";
import { UsageError } from "../options.ts";
import { defineProgram, type Run } from "../program.ts";
import { Dump } from "./dump.ts";
import { type FormatString, parseFormat } from "./parse-format.ts";

const end = '"%07.7_Ax\\n"';
const start = '"%07.7_ax "';

/** The format strings each letter is short for. */
const displays = new Map([
  ["one-byte-octal", [end, `${start} 16/1 "%03o " "\\n"`]],
  ["one-byte-char", [end, `${start} 16/1 "%3_c " "\\n"`]],
  [
    "canonical",
    ['"%08.8_Ax\\n"', '"%08.8_ax  " 8/1 "%02x " "  " 8/1 "%02x " ', '"  |" 16/1 "%_p" "|\\n"'],
  ],
  ["two-bytes-decimal", [end, `${start} 8/2 "  %05u " "\\n"`]],
  ["two-bytes-octal", [end, `${start} 8/2 " %06o " "\\n"`]],
  ["two-bytes-hex", [end, `${start} 8/2 "   %04x " "\\n"`]],
]);
const usual = [end, `${start} 8/2 "%04x " "\\n"`];

export const main = defineProgram(
  {
    name: "hexdump",
    usage: ["[options] <file>..."],
    summary: "Display file contents in hexadecimal, decimal, octal, or ascii.",
    options: [
      { short: "b", long: "one-byte-octal", help: "one-byte octal display" },
      { short: "c", long: "one-byte-char", help: "one-byte character display" },
      { short: "C", long: "canonical", help: "canonical hex+ASCII display" },
      { short: "d", long: "two-bytes-decimal", help: "two-byte decimal display" },
      { short: "e", long: "format", value: "format", help: "format string to be used" },
      { short: "f", long: "format-file", value: "file", help: "file with format strings" },
      {
        short: "L",
        long: "color",
        value: "when",
        isOptional: true,
        help: "(ignored: there are no colors)",
      },
      { short: "n", long: "length", value: "length", help: "only length bytes of input" },
      { short: "o", long: "two-bytes-octal", help: "two-byte octal display" },
      { short: "s", long: "skip", value: "offset", help: "skip offset bytes of input" },
      { short: "v", long: "no-squeezing", help: "show lines that repeat" },
      { short: "x", long: "two-bytes-hex", help: "two-byte hexadecimal display" },
      { short: "h", help: "same as --help" },
      { short: "V", help: "same as --version" },
    ],
  },
  async (run) => {
    const formats = await readFormats(run);
    const length = readBytes(run, "length");
    const skip = readBytes(run, "skip") ?? 0;
    const input = new CombinedInput(run, run.operands, false);
    if (!(await input.start())) {
      await run.fail("all input file arguments failed");
      return 1;
    }
    const skipped = await input.skipUpTo(skip);
    await new Dump(run, formats).write(input, { from: skipped, length });
    return run.status;
  },
);

async function readFormats(run: Run): Promise<FormatString[]> {
  const texts: string[] = [];
  const queues = new Map(
    ["format", "format-file"].map((name) => [name, [...run.options.all(name)]]),
  );
  for (const name of run.options.order) {
    const value = queues.get(name)?.shift();
    if (name === "format") texts.push(value ?? "");
    else if (name === "format-file") texts.push(...(await readFile(run, value ?? "")));
    else texts.push(...(displays.get(name) ?? []));
  }
  if (texts.length === 0)
    texts.push(...(run.baseName === "hd" ? (displays.get("canonical") ?? usual) : usual));
  return texts.map(parseFormat);
}

async function readFile(run: Run, name: string): Promise<string[]> {
  const texts: string[] = [];
  await run.withInput(name, async (fd) => {
    const lines = new LineCursor(run.sys, fd);
    while (await lines.advance()) {
      const text = decodeText(lines.line).trim();
      if (text !== "" && !text.startsWith("#")) texts.push(text);
    }
  });
  return texts;
}

function readBytes(run: Run, name: "length" | "skip"): number | undefined {
  const text = run.options.get(name);
  if (text === undefined) return undefined;
  const { value, problem } = readNumber(text, { suffixes: "bEGKkMmPTYZ0", hasBase: true });
  if (problem === undefined) return asNumber(value);
  const what = name === "skip" ? "offset" : "length";
  throw new UsageError(`failed to parse ${what}: '${text}': Invalid argument`, { hasHint: false });
}
