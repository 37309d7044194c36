/** strftime(3) in the C locale. */
import { replaceEach } from "./replace-each.ts";
import { type TimeZone, utc, type ZoneTime } from "./time-zone.ts";

const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

export function formatTime(format: string, timeMs: number, zone: TimeZone = utc): string {
  const moment: Moment = { timeMs, zone, ...zone(timeMs), date: new Date(timeMs) };
  const clock = { ...moment, date: new Date(timeMs + moment.offset * 1000) };
  return replaceEach(format, /%([-_0^#+]*)(\d*)[EO]?(:*)([A-Za-z%+])/g, (match) => {
    const [whole, flags = "", width = "", colons = "", letter = ""] = match;
    const digits = Math.min(Number(width), WIDTH_MAX);
    if (letter === "N") return nanoseconds(timeMs, flags, digits);
    const field = formatField(letter, colons, clock);
    return field === undefined ? whole : adjust(field, flags, digits);
  });
}

/** Of one field: nobody needs more. */
const WIDTH_MAX = 4096;

/** A moment and what the zone's clock shows then: `date` is that clock, read as UTC. */
interface Moment extends ZoneTime {
  readonly timeMs: number;
  readonly zone: TimeZone;
  readonly date: Date;
}

/** The width says how many digits. */
function nanoseconds(timeMs: number, flags: string, width: number): string {
  const part = ((timeMs % 1000) + 1000) % 1000;
  const digits = String(Math.floor(part * 1e6)).padStart(9, "0");
  if (width === 0 || flags.includes("-")) return digits;
  return digits.slice(0, width).padEnd(width, "0");
}

interface Field {
  readonly text: string;
  /** Numbers are padded with this to this width. */
  readonly width?: number;
  readonly padding?: "0" | " ";
  /** What `#` makes of it, where that is not upper case. */
  readonly other?: string;
}

function adjust(
  { text, width, padding = "0", other }: Field,
  flags: string,
  wanted: number,
): string {
  const isNumber = width !== undefined;
  const fill = flags.includes("_") ? " " : flags.includes("0") ? "0" : isNumber ? padding : " ";
  const swapped = flags.includes("#") ? (other ?? text.toUpperCase()) : text;
  const cased = flags.includes("^") ? swapped.toUpperCase() : swapped;
  return flags.includes("-") ? cased : cased.padStart(Math.max(wanted, width ?? 0), fill);
}

function number(value: number, width = 2, padding: "0" | " " = "0"): Field {
  return { text: String(value), width, padding };
}

function formatField(letter: string, colons: string, moment: Moment): Field | undefined {
  const { date, timeMs, zone } = moment;
  const hour = date.getUTCHours();
  const composed = compositions.get(letter);
  if (composed !== undefined) return { text: formatTime(composed, timeMs, zone) };
  switch (letter) {
    case "Y":
      return number(date.getUTCFullYear(), 4);
    case "C":
      return number(Math.floor(date.getUTCFullYear() / 100));
    case "y":
      return number(date.getUTCFullYear() % 100);
    case "m":
      return number(date.getUTCMonth() + 1);
    case "d":
      return number(date.getUTCDate());
    case "e":
      return number(date.getUTCDate(), 2, " ");
    case "H":
      return number(hour);
    case "k":
      return number(hour, 2, " ");
    case "I":
      return number(hour % 12 === 0 ? 12 : hour % 12);
    case "l":
      return number(hour % 12 === 0 ? 12 : hour % 12, 2, " ");
    case "M":
      return number(date.getUTCMinutes());
    case "S":
      return number(date.getUTCSeconds());
    case "s":
      return number(Math.floor(timeMs / 1000), 1);
    case "j":
      return number(dayOfYear(date) + 1, 3);
    case "z":
      return { text: showOffset(moment.offset, colons.length) };
    case "Z":
      return { text: moment.name, other: moment.name.toLowerCase() };
    default:
      return formatName(letter, date);
  }
}

/** `+0530`, `+05:30`, `+05:30:00`, and as short as it can be. */
function showOffset(offset: number, colons: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  const seconds = Math.abs(offset);
  const parts = [two(seconds / 3600), two((seconds / 60) % 60), two(seconds % 60)];
  const sign = offset < 0 ? "-" : "+";
  if (colons === 0) return `${sign}${parts[0]}${parts[1]}`;
  const least = seconds % 60 !== 0 ? 3 : seconds % 3600 !== 0 ? 2 : 1;
  return `${sign}${parts.slice(0, colons === 3 ? least : colons + 1).join(":")}`;
}

function formatName(letter: string, date: Date): Field | undefined {
  const day = days[date.getUTCDay()] ?? "";
  const month = months[date.getUTCMonth()] ?? "";
  switch (letter) {
    case "A":
      return { text: day };
    case "a":
      return { text: day.slice(0, 3) };
    case "B":
      return { text: month };
    case "b":
    case "h":
      return { text: month.slice(0, 3) };
    case "p":
      return date.getUTCHours() < 12 ? { text: "AM", other: "am" } : { text: "PM", other: "pm" };
    case "P":
      return { text: date.getUTCHours() < 12 ? "am" : "pm" };
    case "u":
      return { text: String(date.getUTCDay() === 0 ? 7 : date.getUTCDay()) };
    case "w":
      return { text: String(date.getUTCDay()) };
    case "U":
      return number(Math.floor((dayOfYear(date) + 7 - date.getUTCDay()) / 7));
    case "W":
      return number(Math.floor((dayOfYear(date) + 7 - ((date.getUTCDay() + 6) % 7)) / 7));
    case "V":
      return number(isoWeek(date).week);
    case "G":
      return { text: String(isoWeek(date).year) };
    case "g":
      return number(isoWeek(date).year % 100);
    case "q":
      return { text: String(Math.floor(date.getUTCMonth() / 3) + 1) };
    case "n":
      return { text: "\n" };
    case "t":
      return { text: "\t" };
    case "%":
      return { text: "%" };
    default:
      return undefined;
  }
}

/** The C locale's compositions. */
const compositions = new Map([
  ["D", "%m/%d/%y"],
  ["F", "%Y-%m-%d"],
  ["T", "%H:%M:%S"],
  ["R", "%H:%M"],
  ["r", "%I:%M:%S %p"],
  ["c", "%a %b %e %H:%M:%S %Y"],
  ["x", "%m/%d/%y"],
  ["X", "%H:%M:%S"],
  ["+", "%a %b %e %H:%M:%S %Z %Y"],
]);

function dayOfYear(date: Date): number {
  const start = Date.UTC(date.getUTCFullYear(), 0, 1);
  return Math.floor((date.getTime() - start) / 86_400_000);
}

/** ISO 8601: week 1 holds the year's first Thursday. */
function isoWeek(date: Date): { readonly year: number; readonly week: number } {
  const weekday = (date.getUTCDay() + 6) % 7;
  const thursday = new Date(
    Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() - weekday + 3),
  );
  return { year: thursday.getUTCFullYear(), week: Math.floor(dayOfYear(thursday) / 7) + 1 };
}
