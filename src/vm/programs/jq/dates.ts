/** Dates as jq has them: seconds, and "broken down time" arrays. */
import { isArray, isNumber, JqError, numberOf, type Value } from "./value.ts";

const DAY_MS = 86_400_000;
const monthNames =
  "January February March April May June July August September October November December".split(
    " ",
  );
const dayNames = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

interface Broken {
  readonly year: number;
  /** From 0. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly weekday: number;
  /** From 0. */
  readonly yearday: number;
}

/** `gmtime`: seconds keep their fraction. */
export function breakDown(value: Value, offsetSeconds = 0): Value {
  if (!isNumber(value)) throw new JqError(`gmtime() requires a number`);
  const seconds = numberOf(value);
  const broken = fromSeconds(seconds + offsetSeconds);
  const fraction = seconds - Math.floor(seconds);
  return [
    broken.year,
    broken.month,
    broken.day,
    broken.hour,
    broken.minute,
    broken.second + fraction,
    broken.weekday,
    broken.yearday,
  ];
}

function fromSeconds(seconds: number): Broken {
  const date = new Date(Math.floor(seconds) * 1000);
  if (Number.isNaN(date.getTime()))
    throw new JqError("error converting number of seconds since epoch to datetime");
  const year = date.getUTCFullYear();
  return {
    year,
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    weekday: date.getUTCDay(),
    yearday: Math.floor((date.getTime() - Date.UTC(year, 0, 1)) / DAY_MS),
  };
}

function need(value: Value, message: string): Broken {
  const items = isArray(value)
    ? value.map((one) => (isNumber(one) ? numberOf(one) : Number.NaN))
    : [];
  if (items.length < 6 || items.slice(0, 6).some(Number.isNaN)) throw new JqError(message);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = items;
  return fromSeconds(Date.UTC(year, month, day, hour, minute, Math.floor(second)) / 1000);
}

function toSeconds({ year, month, day, hour, minute, second }: Broken): number {
  return Date.UTC(year, month, day, hour, minute, second) / 1000;
}

/** `mktime`. */
export function makeTime(value: Value): Value {
  if (!isArray(value)) throw new JqError("mktime requires array inputs");
  return toSeconds(need(value, "mktime requires parsed datetime inputs"));
}

/** `strftime` and `strflocaltime`. */
export function formatTime(value: Value, format: Value, name: string): Value {
  const zone = "UTC";
  const broken = isNumber(value) ? breakDown(value) : value;
  if (!isArray(broken)) throw new JqError(`${name} requires parsed datetime inputs`);
  if (typeof format !== "string") throw new JqError(`${name} requires a string format`);
  const time = need(broken, `${name} requires parsed datetime inputs`);
  return format.replaceAll(
    /%[-_0^#]?([a-zA-Z%])/g,
    (whole, letter: string) => formatField(time, letter, zone) ?? whole,
  );
}

function formatField(time: Broken, letter: string, zone: string): string | undefined {
  const expand = (format: string): string =>
    format.replaceAll(/%([a-zA-Z])/g, (_, one: string) => formatField(time, one, zone) ?? "");
  const composed = composedFields.get(letter);
  return composed === undefined ? formatSimple(time, letter, zone) : expand(composed);
}

const composedFields = new Map(
  Object.entries({
    c: "%a %b %e %H:%M:%S %Y",
    D: "%m/%d/%y",
    F: "%Y-%m-%d",
    h: "%b",
    r: "%I:%M:%S %p",
    R: "%H:%M",
    T: "%H:%M:%S",
    x: "%m/%d/%y",
    X: "%H:%M:%S",
  }),
);

function formatSimple(time: Broken, letter: string, zone: string): string | undefined {
  const two = (number: number): string => String(number).padStart(2, "0");
  const month = monthNames[time.month] ?? "";
  const day = dayNames[time.weekday] ?? "";
  const fields: Readonly<Record<string, () => string>> = {
    a: () => day.slice(0, 3),
    A: () => day,
    b: () => month.slice(0, 3),
    B: () => month,
    C: () => two(Math.floor(time.year / 100)),
    d: () => two(time.day),
    e: () => String(time.day).padStart(2),
    G: () => String(isoWeek(time).year),
    g: () => two(isoWeek(time).year % 100),
    H: () => two(time.hour),
    I: () => two(time.hour % 12 === 0 ? 12 : time.hour % 12),
    j: () => String(time.yearday + 1).padStart(3, "0"),
    k: () => String(time.hour).padStart(2),
    l: () => String(time.hour % 12 === 0 ? 12 : time.hour % 12).padStart(2),
    m: () => two(time.month + 1),
    M: () => two(time.minute),
    n: () => "\n",
    p: () => (time.hour < 12 ? "AM" : "PM"),
    P: () => (time.hour < 12 ? "am" : "pm"),
    s: () => String(toSeconds(time)),
    S: () => two(time.second),
    t: () => "\t",
    u: () => String(time.weekday === 0 ? 7 : time.weekday),
    U: () => two(Math.floor((time.yearday + 7 - time.weekday) / 7)),
    V: () => two(isoWeek(time).week),
    w: () => String(time.weekday),
    W: () => two(Math.floor((time.yearday + 7 - ((time.weekday + 6) % 7)) / 7)),
    y: () => two(time.year % 100),
    Y: () => String(time.year),
    z: () => "+0000",
    Z: () => zone,
    "%": () => "%",
  };
  return fields[letter]?.();
}

function isoWeek({ year, yearday, weekday }: Broken): {
  readonly year: number;
  readonly week: number;
} {
  const week = Math.floor((yearday - ((weekday + 6) % 7) + 10) / 7);
  if (week < 1) return { year: year - 1, week: weeksOf(year - 1) };
  return week > weeksOf(year) ? { year: year + 1, week: 1 } : { year, week };
}

function weeksOf(year: number): number {
  const last = new Date(Date.UTC(year, 11, 31)).getUTCDay();
  const first = new Date(Date.UTC(year, 0, 1)).getUTCDay();
  return first === 4 || last === 4 ? 53 : 52;
}

/** `strptime`: broken down time from a text. */
export function parseTime(value: Value, format: Value): Value {
  if (typeof value !== "string")
    throw new JqError("strptime/1 requires string inputs and arguments");
  if (typeof format !== "string")
    throw new JqError("strptime/1 requires string inputs and arguments");
  const found = readTime(value, format);
  if (found === undefined) throw new JqError(`date "${value}" does not match format "${format}"`);
  const { year, month, day, hour, minute, second } = found;
  return breakDown(Date.UTC(year, month, day, hour, minute, second) / 1000);
}

interface Parsed {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  isAfternoon?: boolean;
}

function readTime(text: string, format: string): Parsed | undefined {
  const parsed: Parsed = { year: 1900, month: 0, day: 1, hour: 0, minute: 0, second: 0 };
  const whole = format.replaceAll(
    /%([DFRTrcxX])/g,
    (_, letter: string) => composedFields.get(letter) ?? "",
  );
  let at = 0;
  for (const [piece, letter] of whole.matchAll(/%([a-zA-Z%])|\s+|[^%\s]/g)) {
    if (letter === undefined || letter === "%" || letter === "n" || letter === "t") {
      const isSpace = /^\s/.test(piece) || letter === "n" || letter === "t";
      if (isSpace) at += /^\s*/.exec(text.slice(at))?.[0].length ?? 0;
      else if (text[at] === piece.at(-1)) at += 1;
      else return undefined;
      continue;
    }
    const taken = readField(text.slice(at), letter, parsed);
    if (taken === undefined) return undefined;
    at += taken;
  }
  if (at < text.length) return undefined;
  if (parsed.isAfternoon !== undefined)
    parsed.hour = (parsed.hour % 12) + (parsed.isAfternoon ? 12 : 0);
  return parsed;
}

/** Characters taken, or undefined where the field is not there. */
function readField(text: string, letter: string, into: Parsed): number | undefined {
  const numeric = numericFields.get(letter);
  if (numeric !== undefined) {
    const match = numeric.pattern.exec(text);
    if (match === null) return undefined;
    numeric.set(into, Number(match[0]));
    return match[0].length;
  }
  if ("aA".includes(letter)) return readName(text, dayNames)?.length;
  if ("bBh".includes(letter)) {
    const found = readName(text, monthNames);
    if (found !== undefined) into.month = found.index;
    return found?.length;
  }
  if (letter === "p") {
    const match = /^\s*([ap])m/i.exec(text);
    if (match !== null) into.isAfternoon = match[1]?.toLowerCase() === "p";
    return match?.[0].length;
  }
  const match = (
    letter === "Z" ? /^[A-Za-z]+/ : letter === "z" ? /^(?:Z|[+-]\d\d:?\d\d)/ : /^$^/
  ).exec(text);
  return match?.[0].length;
}

const numericFields = new Map<
  string,
  { readonly pattern: RegExp; readonly set: (into: Parsed, value: number) => void }
>([
  ["Y", { pattern: /^\s*-?\d{1,4}/, set: (into, value) => (into.year = value) }],
  [
    "y",
    {
      pattern: /^\s*\d{1,2}/,
      set: (into, value) => (into.year = value + (value < 69 ? 2000 : 1900)),
    },
  ],
  ["m", { pattern: /^\s*\d{1,2}/, set: (into, value) => (into.month = value - 1) }],
  ["d", { pattern: /^\s*\d{1,2}/, set: (into, value) => (into.day = value) }],
  ["e", { pattern: /^\s*\d{1,2}/, set: (into, value) => (into.day = value) }],
  ["H", { pattern: /^\s*\d{1,2}/, set: (into, value) => (into.hour = value) }],
  ["I", { pattern: /^\s*\d{1,2}/, set: (into, value) => (into.hour = value) }],
  ["M", { pattern: /^\s*\d{1,2}/, set: (into, value) => (into.minute = value) }],
  ["S", { pattern: /^\s*\d{1,2}/, set: (into, value) => (into.second = value) }],
  ["j", { pattern: /^\s*\d{1,3}/, set: (into, value) => (into.day = value) }],
  ["s", { pattern: /^\s*\d+/, set: setSeconds }],
]);

function setSeconds(into: Parsed, value: number): void {
  Object.assign(into, fromSeconds(value));
}

function readName(
  text: string,
  names: readonly string[],
): { readonly index: number; readonly length: number } | undefined {
  const lower = text.toLowerCase();
  for (const [index, name] of names.entries()) {
    if (lower.startsWith(name.toLowerCase())) return { index, length: name.length };
    if (lower.startsWith(name.slice(0, 3).toLowerCase())) return { index, length: 3 };
  }
  return undefined;
}
