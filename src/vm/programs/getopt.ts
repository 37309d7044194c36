import { encodeText } from "../../kernel/index.ts";
import { type LongOption, parseWords } from "./getopt-words.ts";
import { UsageError } from "./options.ts";
import { writeAll } from "./output.ts";
import { defineProgram, type Run } from "./program.ts";

/** Statuses of getopt(1). */
const BAD_WORDS = 1;
const BAD_USAGE = 2;
const TEST_STATUS = 4;

export const main = defineProgram(
  {
    name: "getopt",
    usage: [
      "<optstring> <parameters>",
      "[options] [--] <optstring> <parameters>",
      "[options] -o|--options <optstring> [options] [--] <parameters>",
    ],
    summary: "Parse command options.",
    options: [
      { short: "a", long: "alternative", help: "allow long options starting with single -" },
      {
        short: "l",
        long: "longoptions",
        value: "LONGOPTS",
        help: "the long options to be recognized",
      },
      {
        short: "n",
        long: "name",
        value: "PROGNAME",
        help: "the name under which errors are reported",
      },
      {
        short: "o",
        long: "options",
        value: "OPTSTRING",
        help: "the short options to be recognized",
      },
      { short: "q", long: "quiet", help: "disable error reporting by getopt(3)" },
      { short: "Q", long: "quiet-output", help: "no normal output" },
      {
        short: "s",
        long: "shell",
        value: "SHELL",
        help: "set quoting conventions to those of SHELL",
      },
      { short: "T", long: "test", help: "test for getopt(1) version" },
      { short: "u", long: "unquoted", help: "do not quote the output" },
    ],
    refusal: BAD_USAGE,
    stopsAtOperand: true,
  },
  async (run) => {
    if (run.has("test")) return TEST_STATUS;
    const given = run.options.get("options");
    const isOld = given === undefined && run.options.order.length === 0;
    const [first, ...rest] = run.operands;
    if (given === undefined && first === undefined)
      throw new UsageError("missing optstring argument");
    const shorts = given ?? first ?? "";
    const words = given === undefined ? rest : run.operands;
    const result = parseWords(words, {
      shorts,
      longs: readLongs(run),
      isAlternative: run.has("alternative"),
      isPosix: shorts.startsWith("+") || (await run.sys.environ()).has("POSIXLY_CORRECT"),
    });
    const name = run.options.get("name") ?? "getopt";
    if (!run.has("quiet"))
      for (const problem of result.problems)
        await writeAll(run.sys, 2, encodeText(`${name}: ${problem}\n`));
    if (!run.has("quiet-output")) print(run, result, isOld || run.has("unquoted"));
    return result.problems.length > 0 ? BAD_WORDS : 0;
  },
);

function readLongs(run: Run): LongOption[] {
  return run.options
    .all("longoptions")
    .flatMap((list) => list.split(/[,\s]+/))
    .filter((name) => name !== "")
    .map((text) => ({
      name: text.replace(/:+$/, ""),
      value: text.endsWith("::") ? "optional" : text.endsWith(":") ? "required" : "none",
    }));
}

function print(
  run: Run,
  { options, operands }: ReturnType<typeof parseWords>,
  isPlain: boolean,
): void {
  const quote = (text: string): string => (isPlain ? text : `'${text.replaceAll("'", "'\\''")}'`);
  const words = options.flatMap(({ name, value }) =>
    value === undefined ? [name] : [name, quote(value)],
  );
  const shown = [...words, "--", ...operands.map(quote)].map((word) => ` ${word}`).join("");
  run.out.addText(`${shown}\n`);
}
