/** strftime(3) in the C locale. */
// Deviation: the time zone is UTC whatever TZ says; there is no zone database in the VM.
import { replaceEach } from "./replace-each.ts";

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

export function formatTime(format: string, timeMs: number): string {
  const date = new Date(timeMs);
  return replaceEach(format, /%([-_0^#]?)(\d*)(:*)([A-Za-z%+])/g, (match) => {
    const [whole, flag = "", width = "", colons = "", letter = ""] = match;
    const field = formatField(letter, colons, date, timeMs);
    return field === undefined ? whole : adjust(field, flag, Number(width));
  });
}

interface Field {
  readonly text: string;
  /** Numbers are padded with this to this width. */
  readonly width?: number;
  readonly padding?: "0" | " ";
}

function adjust({ text, width = 0, padding = "0" }: Field, flag: string, wanted: number): string {
  const fill = flag === "_" ? " " : flag === "0" ? "0" : padding;
  const cased = flag === "^" ? text.toUpperCase() : text;
  if (flag === "-") return cased;
  return cased.padStart(Math.max(wanted, width), width === 0 && flag === "" ? " " : fill);
}

function number(value: number, width = 2, padding: "0" | " " = "0"): Field {
  return { text: String(value), width, padding };
}

function formatField(
  letter: string,
  colons: string,
  date: Date,
  timeMs: number,
): Field | undefined {
  const hour = date.getUTCHours();
  const composed = compositions.get(letter);
  if (composed !== undefined) return { text: formatTime(composed, timeMs) };
  switch (letter) {
    case "Y":
      return { text: String(date.getUTCFullYear()) };
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
    case "N":
      return { text: String(Math.floor((timeMs % 1000) * 1e6)).padStart(9, "0") };
    case "s":
      return { text: String(Math.floor(timeMs / 1000)) };
    case "j":
      return number(dayOfYear(date) + 1, 3);
    case "z":
      return { text: colons === "" ? "+0000" : "+00:00" };
    default:
      return formatName(letter, date);
  }
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
      return { text: date.getUTCHours() < 12 ? "AM" : "PM" };
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
    case "Z":
      return { text: "UTC" };
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
