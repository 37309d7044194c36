import { encodeText, type Program } from "../../kernel/index.ts";
import { formatPrintf } from "./format-printf.ts";
import { formatTime } from "./format-time.ts";
import { writeAll } from "./output.ts";
import { quoteFile, quoteText } from "./quote-text.ts";

/** `printf` takes no options but these two: everything else is a format. */
export const main: Program = async (sys, argv) => {
  const words = argv[1] === "--" ? argv.slice(2) : argv.slice(1);
  const [format, ...values] = words;
  const [name = "printf"] = argv;
  const say = async (fd: number, text: string, status: number): Promise<number> => {
    await writeAll(sys, fd, encodeText(text));
    return status;
  };
  if (format === undefined)
    return say(2, `${name}: missing operand\nTry '${name} --help' for more information.\n`, 1);
  if (argv.length === 2 && format === "--help") {
    return say(
      1,
      "Usage: printf FORMAT [ARGUMENT]...\n  or:  printf OPTION\nPrint ARGUMENT(s) according to FORMAT.\n",
      0,
    );
  }
  if (argv.length === 2 && format === "--version") return say(1, "printf (agentOS MCP) 0.1.0\n", 0);
  const { nowMs } = await sys.clock();
  const { text, errors } = formatPrintf(format, values, {
    quote: quoteFile,
    formatTime: (time, seconds) => formatTime(time, seconds === -1 ? nowMs : seconds * 1000),
  });
  await writeAll(sys, 1, encodeText(text));
  for (const error of errors) await say(2, `${name}: ${describe(error)}\n`, 1);
  const [extra] = values;
  if (extra !== undefined && !/%[^%]/.test(format.replaceAll("%%", ""))) {
    const warning = `ignoring excess arguments, starting with ${quoteText(extra)}`;
    await say(2, `${name}: warning: ${warning}\n`, 0);
  }
  return errors.length === 0 ? 0 : 1;
};

/** The program words a bad number differently from the builtin. */
function describe(error: string): string {
  const bare = /^`([^]*)': missing format character$/.exec(error)?.[1];
  if (bare !== undefined) return `${bare}: invalid conversion specification`;
  const large = /^([^]*): Numerical result out of range$/.exec(error)?.[1];
  if (large !== undefined) return `${quoteText(large)}: Numerical result out of range`;
  const match = /^(.*): invalid number$/s.exec(error);
  if (match === null) return error;
  const isPartial = /^\s*[-+]?\d/.test(match[1] ?? "");
  return isPartial
    ? `'${match[1]}': value not completely converted`
    : `'${match[1]}': expected a numeric value`;
}
