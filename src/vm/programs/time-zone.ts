/** Time zones by TZ: names of the zone database, and POSIX's `EST5EDT,M3.2.0,M11.1.0`. */
import type { Sys } from "../../kernel/index.ts";
import { parsePosixZone } from "./posix-zone.ts";

export interface ZoneTime {
  /** Seconds east of Greenwich. */
  readonly offset: number;
  /** `UTC`, `CEST`. */
  readonly name: string;
}

/** What the clock shows at a moment, in milliseconds since 1970. */
export type TimeZone = (timeMs: number) => ZoneTime;

export const utc: TimeZone = () => ({ offset: 0, name: "UTC" });

const known = new Map<string, TimeZone>();
/** Zones that are kept: guests choose the names. */
const KNOWN_MAX = 100;

/** The zone of TZ; as in C, what names none is UTC under that name. */
export function findZone(text: string | undefined): TimeZone {
  const name = (text ?? "").replace(/^:/, "");
  if (name === "" || name === "UTC" || name === "UTC0") return utc;
  const existing = known.get(name);
  if (existing !== undefined) return existing;
  const zone = namedZone(name) ?? parsePosixZone(name) ?? unknownZone(name);
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(name, zone);
  return zone;
}

export async function zoneOf(sys: Sys): Promise<TimeZone> {
  return findZone((await sys.environ()).get("TZ"));
}

/**
 * The moment at which a zone's clock shows this, given as if it were UTC. Undefined where the clock
 * skips it.
 */
export function momentOf(clockMs: number, zone: TimeZone): number | undefined {
  for (const guess of [clockMs - 86_400_000, clockMs, clockMs + 86_400_000]) {
    const moment = clockMs - zone(guess).offset * 1000;
    if (moment + zone(moment).offset * 1000 === clockMs) return moment;
  }
  return undefined;
}

/** Which languages know a zone's short name differs: the first that has one is taken. */
const locales = ["en-US", "en-GB", "en-AU", "en-IN", "en-ZA", "en-NZ", "en-CA"];
const asian: ReadonlyMap<string, string> = new Map([
  ["Asia/Tokyo", "JST"],
  ["Asia/Seoul", "KST"],
  ["Asia/Shanghai", "CST"],
  ["Asia/Hong_Kong", "HKT"],
  ["Asia/Taipei", "CST"],
  ["Asia/Karachi", "PKT"],
  ["Asia/Manila", "PST"],
  ["Asia/Jakarta", "WIB"],
  ["Europe/Moscow", "MSK"],
]);

function namedZone(name: string): TimeZone | undefined {
  if (!/^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/.test(name) || /^[A-Za-z]+[-+]?\d+$/.test(name))
    return undefined;
  try {
    const parts = formatter("en-US", name, "longOffset");
    const names = locales.map((locale) => formatter(locale, name, "short"));
    return (timeMs) => {
      const offset = readOffset(zoneName(parts, timeMs));
      return { offset, name: asian.get(name) ?? shortName(names, timeMs) ?? showOffset(offset) };
    };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function formatter(
  locale: string,
  timeZone: string,
  timeZoneName: "short" | "longOffset",
): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { timeZone, timeZoneName });
}

function zoneName(format: Intl.DateTimeFormat, timeMs: number): string {
  return format.formatToParts(timeMs).find(({ type }) => type === "timeZoneName")?.value ?? "";
}

function shortName(names: readonly Intl.DateTimeFormat[], timeMs: number): string | undefined {
  for (const format of names) {
    const name = zoneName(format, timeMs);
    if (/^[A-Z]{3,5}$/.test(name)) return name;
  }
  return undefined;
}

/** `GMT+05:30` in seconds. */
function readOffset(text: string): number {
  const match = /^GMT(?:([-+\u2212])(\d{2}):?(\d{2})?(?::(\d{2}))?)?$/.exec(text);
  const [, sign = "+", hours = "0", minutes = "0", seconds = "0"] = match ?? [];
  const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === "+" ? offset : -offset;
}

/** `+03`, `-0330`: the name of a zone that has none. */
function showOffset(offset: number): string {
  const minutes = Math.abs(Math.trunc(offset / 60));
  const two = (value: number): string => String(value).padStart(2, "0");
  const tail = minutes % 60 === 0 ? "" : two(minutes % 60);
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}${tail}`;
}

function unknownZone(text: string): TimeZone {
  const name = /^[A-Za-z]{3,}/.exec(text)?.[0] ?? "UTC";
  return () => ({ offset: 0, name });
}
