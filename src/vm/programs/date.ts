import { isKernelError } from "../../kernel/index.ts";
import { formatTime } from "./format-time.ts";
import { readSmallFile } from "./name-database.ts";
import { UsageError } from "./options.ts";
import { parseDate } from "./parse-date.ts";
import { defineProgram, errorWords, quoteName, type Run } from "./program.ts";

export const main = defineProgram(
  {
    name: "date",
    usage: ["[OPTION]... [+FORMAT]"],
    summary: "Display date and time in the given FORMAT. The time zone is UTC.",
    options: [
      {
        short: "d",
        long: "date",
        value: "STRING",
        help: "display time described by STRING, not 'now'",
      },
      {
        short: "f",
        long: "file",
        value: "DATEFILE",
        help: "like --date; once for each line of DATEFILE",
      },
      {
        short: "I",
        long: "iso-8601",
        value: "FMT",
        isOptional: true,
        help: "output date/time in ISO 8601 format",
      },
      { short: "R", long: "rfc-email", help: "output date and time in RFC 5322 format" },
      { long: "rfc-3339", value: "FMT", help: "output date/time in RFC 3339 format" },
      {
        short: "r",
        long: "reference",
        value: "FILE",
        help: "display the last modification time of FILE",
      },
      { short: "u", long: "utc", help: "print Coordinated Universal Time (UTC)" },
      { long: "universal", help: "same as --utc" },
    ],
  },
  async (run) => {
    const [operand, extra] = run.operands;
    if (extra !== undefined) throw new UsageError(`extra operand ${quoteName(extra)}`);
    if (operand !== undefined && !operand.startsWith("+"))
      throw new UsageError(`invalid date ${quoteName(operand)}`, { hasHint: false });
    const format = chooseFormat(run, operand?.slice(1));
    for (const time of await chooseTimes(run))
      if (time !== undefined) run.out.addText(`${formatTime(format, time)}\n`);
  },
);

const isoFormats = new Map([
  ["", "%Y-%m-%d"],
  ["date", "%Y-%m-%d"],
  ["hours", "%Y-%m-%dT%H%:z"],
  ["minutes", "%Y-%m-%dT%H:%M%:z"],
  ["seconds", "%Y-%m-%dT%H:%M:%S%:z"],
  ["ns", "%Y-%m-%dT%H:%M:%S,%N%:z"],
]);

function chooseFormat(run: Run, given: string | undefined): string {
  if (given !== undefined) return given;
  const iso = run.options.get("iso-8601");
  const rfc = run.options.get("rfc-3339");
  if (iso !== undefined) {
    const format = isoFormats.get(iso);
    if (format === undefined)
      throw new UsageError(`invalid argument ${quoteName(iso)} for '--iso-8601'`);
    return format;
  }
  if (rfc !== undefined)
    return (isoFormats.get(rfc) ?? "%Y-%m-%d").replace("T", " ").replace(",", ".");
  return run.has("rfc-email") ? "%a, %d %b %Y %H:%M:%S %z" : "%a %b %e %H:%M:%S %Z %Y";
}

async function chooseTimes(run: Run): Promise<(number | undefined)[]> {
  const { nowMs } = await run.sys.clock();
  const { options } = run;
  const reference = options.get("reference");
  if (reference !== undefined) {
    try {
      return [(await run.sys.stat(reference)).mtimeMs];
    } catch (error) {
      if (!isKernelError(error)) throw error;
      throw new UsageError(`${reference}: ${errorWords(error)}`, { hasHint: false });
    }
  }
  const file = options.get("file");
  const texts =
    file === undefined
      ? options.all("date").slice(-1)
      : ((await readSmallFile(run.sys, file)) ?? "").trimEnd().split("\n");
  if (texts.length === 0) return [nowMs];
  const times: (number | undefined)[] = [];
  for (const text of texts) {
    const time = parseDate(text, nowMs);
    if (time === undefined) await run.fail(`invalid date ${quoteName(text)}`);
    times.push(time);
  }
  return times;
}
