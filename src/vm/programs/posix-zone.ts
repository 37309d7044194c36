import type { TimeZone, ZoneTime } from "./time-zone.ts";

/** A change of the clock within a year, `Mm.w.d/time`. */
interface Rule {
  readonly month: number;
  /** 5 is the last. */
  readonly week: number;
  readonly day: number;
  /** Seconds after midnight. */
  readonly time: number;
}

const defaultRules = ["M3.2.0", "M11.1.0"] as const;

/** `XYZ-3`, `EST5EDT`, `CET-1CEST,M3.5.0,M10.5.0/3`; undefined where it is none. */
export function parsePosixZone(text: string): TimeZone | undefined {
  const name = "([A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>)";
  const time = "([-+]?\\d{1,2}(?::\\d{2}){0,2})";
  const match = new RegExp(`^${name}${time}(?:${name}${time}?(?:,([^,]+),([^,]+))?)?$`).exec(text);
  if (match === null) return undefined;
  const [, standardName = "", standardTime = "", summerName, summerTime, from, to] = match;
  const standard: ZoneTime = {
    offset: -readTime(standardTime),
    name: standardName.replace(/[<>]/g, ""),
  };
  if (summerName === undefined) return () => standard;
  const summer: ZoneTime = {
    offset: summerTime === undefined ? standard.offset + 3600 : -readTime(summerTime),
    name: summerName.replace(/[<>]/g, ""),
  };
  const start = parseRule(from ?? defaultRules[0]);
  const end = parseRule(to ?? defaultRules[1]);
  if (start === undefined || end === undefined) return undefined;
  return (timeMs) => {
    const year = new Date(timeMs + standard.offset * 1000).getUTCFullYear();
    const startMs = momentOfRule(start, year) - standard.offset * 1000;
    const endMs = momentOfRule(end, year) - summer.offset * 1000;
    const isSummer =
      startMs < endMs ? timeMs >= startMs && timeMs < endMs : timeMs >= startMs || timeMs < endMs;
    return isSummer ? summer : standard;
  };
}

function readTime(text: string): number {
  const [hours = "0", minutes = "0", seconds = "0"] = text.replace(/^[-+]/, "").split(":");
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return text.startsWith("-") ? -total : total;
}

function parseRule(text: string): Rule | undefined {
  const match = /^M(\d{1,2})\.([1-5])\.([0-6])(?:\/([-+]?\d{1,3}(?::\d{2}){0,2}))?$/.exec(text);
  if (match === null) return undefined;
  const [, month, week, day, time = "2"] = match;
  return { month: Number(month), week: Number(week), day: Number(day), time: readTime(time) };
}

/** On the clock of that year, as if it were UTC. */
function momentOfRule({ month, week, day, time }: Rule, year: number): number {
  const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay();
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  let date = 1 + ((day - first + 7) % 7) + (week - 1) * 7;
  if (date > days) date -= 7;
  return Date.UTC(year, month - 1, date) + time * 1000;
}
