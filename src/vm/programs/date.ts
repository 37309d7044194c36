import { decodeText, isKernelError } from "../../kernel/index.ts";
import { chooseWord } from "./choose-word.ts";
import { formatTime } from "./format-time.ts";
import { UsageError } from "./options.ts";
import { parseDate } from "./parse-date.ts";
import { defineProgram, errorWords, quoteName, type Run } from "./program.ts";
import { readAllBytes } from "./read-all.ts";
import { type TimeZone, utc, zoneOf } from "./time-zone.ts";

export const main = defineProgram(
  {
    name: "date",
    usage: ["[OPTION]... [+FORMAT]"],
    summary: "Display date and time in the given FORMAT. TZ names the time zone.",
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
      { long: "debug", help: "(ignored)" },
      {
        short: "s",
        long: "set",
        value: "STRING",
        help: "set time described by STRING (not permitted)",
      },
      { long: "resolution", help: "output the available resolution of timestamps" },
      { short: "u", long: "utc", help: "print Coordinated Universal Time (UTC)" },
      { long: "universal", help: "same as --utc" },
      { long: "uct", help: "same as --utc" },
      { long: "rfc-822", help: "same as --rfc-email" },
      { long: "rfc-2822", help: "same as --rfc-email" },
    ],
  },
  async (run) => {
    const [operand, extra] = run.operands;
    if (extra !== undefined) throw new UsageError(`extra operand ${quoteName(extra)}`);
    if (operand !== undefined && !operand.startsWith("+"))
      throw new UsageError(`invalid date ${quoteName(operand)}`, { hasHint: false });
    const given = ["date", "file", "reference"].filter((name) => run.has(name));
    if (given.length > 1)
      throw new UsageError("the options to specify dates for printing are mutually exclusive");
    const format = chooseFormat(run, operand?.slice(1));
    const zone = ["utc", "universal", "uct"].some((name) => run.has(name))
      ? utc
      : await zoneOf(run.sys);
    if (run.has("set")) {
      await run.fail("cannot set date: Operation not permitted");
      run.out.addText(
        `${formatTime(format, readSet(run, (await run.sys.clock()).nowMs, zone), zone)}\n`,
      );
      return;
    }
    for (const time of await chooseTimes(run, zone))
      if (time !== undefined) run.out.addText(`${formatTime(format, time, zone)}\n`);
  },
);

const isoChoices = [["hours"], ["minutes"], ["date"], ["seconds"], ["ns"]] as const;
const isoFormats = new Map([
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
    const word = iso === "" ? "date" : chooseWord(iso, "--iso-8601", isoChoices);
    return isoFormats.get(word) ?? "";
  }
  if (rfc !== undefined) {
    const word = chooseWord(rfc, "--rfc-3339", [["date"], ["seconds"], ["ns"]]);
    return (isoFormats.get(word) ?? "").replace("T", " ").replace(",", ".");
  }
  return ["rfc-email", "rfc-822", "rfc-2822"].some((name) => run.has(name))
    ? "%a, %d %b %Y %H:%M:%S %z"
    : "%a %b %e %H:%M:%S %Z %Y";
}

async function chooseTimes(run: Run, zone: TimeZone): Promise<(number | undefined)[]> {
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
  const texts = file === undefined ? options.all("date").slice(-1) : await readLines(run, file);
  if (texts.length === 0) return [nowMs];
  const times: (number | undefined)[] = [];
  for (const text of texts) {
    const time = parseDate(text, nowMs, zone);
    if (time === undefined) await run.fail(`invalid date ${quoteName(text)}`);
    times.push(time);
  }
  return times;
}

async function readLines(run: Run, file: string): Promise<string[]> {
  let text = "";
  try {
    await run.withInput(file, async (fd) => {
      text = decodeText(await readAllBytes(run.sys, fd));
    });
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new UsageError(`${file}: ${errorWords(error)}`, { hasHint: false });
  }
  return text.replace(/\n$/, "").split("\n");
}

function readSet(run: Run, nowMs: number, zone: TimeZone): number {
  const text = run.options.get("set") ?? "";
  const time = parseDate(text, nowMs, zone);
  if (time !== undefined) return time;
  throw new UsageError(`invalid date ${quoteName(text)}`, { hasHint: false });
}
