/** Dates as people write them for `date -d` and `touch -d`, see GNU's "Date input formats". */

import { fullYear } from "./date-tables.ts";
import { DateWords } from "./date-words.ts";
import { findZone, momentOf, type TimeZone, utc } from "./time-zone.ts";

/** Milliseconds since 1970; undefined where it is no date we know. */
export function parseDate(text: string, nowMs: number, zone: TimeZone = utc): number | undefined {
  const named = /^\s*TZ="((?:[^"\\]|\\["\\])*)"\s*/.exec(text);
  if (named !== null) {
    const name = (named[1] ?? "").replace(/\\(["\\])/g, "$1");
    return parseDate(text.slice(named[0].length), nowMs, findZone(name));
  }
  const words = text
    .replace(/\([^()]*\)/g, " ")
    .trim()
    .toLowerCase();
  const epoch = /^@(-?\d+(?:[.,]\d+)?)$/.exec(words);
  if (epoch !== null) return Number((epoch[1] ?? "").replace(",", ".")) * 1000;
  return new DateWords(words, nowMs, zone).read();
}

/** `[[CC]YY]MMDDhhmm[.ss]`, touch -t. */
export function parseStamp(text: string, nowMs: number, zone: TimeZone = utc): number | undefined {
  const match = /^(\d{2}|\d{4})?(\d{2})(\d{2})(\d{2})(\d{2})(?:\.(\d{2}))?$/.exec(text);
  if (match === null) return undefined;
  const [, years, month, day, hour, minute, second = "0"] = match;
  const thisYear = new Date(nowMs + zone(nowMs).offset * 1000).getUTCFullYear();
  const year = years === undefined ? thisYear : fullYear(years);
  const date = new Date(0);
  date.setUTCFullYear(year, Number(month) - 1, Number(day));
  date.setUTCHours(Number(hour), Number(minute), Number(second));
  const isReal =
    date.getUTCMonth() === Number(month) - 1 &&
    date.getUTCDate() === Number(day) &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) <= 60;
  return isReal ? momentOf(date.getTime(), zone) : undefined;
}
