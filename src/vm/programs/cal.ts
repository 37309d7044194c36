import { refuseExtraOperand, UsageError } from "./options.ts";
import { defineProgram, quoteName, type Run } from "./program.ts";

const monthNames = [
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
const dayNames = ["Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"];
const WIDTH = 20;
const WEEKS = 6;

// Deviation: cal counts by the Gregorian calendar in all years.
export const main = defineProgram(
  {
    name: "cal",
    usage: ["[options] [[[day] month] year]"],
    summary: "Display a calendar, or some part of it.",
    options: [
      { short: "1", long: "one", help: "show only a single month (default)" },
      { short: "3", long: "three", help: "show three months spanning the date" },
      { short: "m", long: "monday", help: "Monday as first day of week" },
      { short: "s", long: "sunday", help: "Sunday as first day of week" },
      { short: "y", long: "year", help: "show the whole year" },
    ],
  },
  async (run) => {
    refuseExtraOperand(run.operands, 3);
    const now = new Date((await run.sys.clock()).nowMs);
    const year = readYear(run.operands.at(-1), now.getUTCFullYear());
    const month = readMonth(run.operands.at(-2), now.getUTCMonth());
    const isYear = run.has("year") || run.operands.length === 1;
    if (isYear) run.out.addText(yearText(run, year));
    else if (run.has("three"))
      run.out.addText(sideBySide([-1, 0, 1].map((by) => monthLines(run, year, month + by, true))));
    else run.out.addText(sideBySide([monthLines(run, year, month, true)]));
  },
);

function readYear(text: string | undefined, usual: number): number {
  if (text === undefined) return usual;
  if (!/^\d{1,4}$/.test(text) || Number(text) === 0)
    throw new UsageError(`year ${quoteName(text)} not in range 1..9999`, { hasHint: false });
  return Number(text);
}

/** From 0; a number from 1, or the start of a name. */
function readMonth(text: string | undefined, usual: number): number {
  if (text === undefined) return usual;
  const named = monthNames.findIndex(
    (name) => text.length >= 3 && name.toLowerCase().startsWith(text.toLowerCase()),
  );
  const month = /^\d{1,2}$/.test(text) ? Number(text) - 1 : named;
  if (month < 0 || month > 11)
    throw new UsageError(`unknown month name: ${text}`, { hasHint: false });
  return month;
}

function centered(text: string, width: number): string {
  const before = Math.floor((width - text.length) / 2);
  return `${" ".repeat(Math.max(0, before))}${text}`.padEnd(width);
}

function monthLines(run: Run, year: number, month: number, hasYear: boolean): string[] {
  const first = new Date(0);
  first.setUTCFullYear(year, month, 1);
  const last = new Date(0);
  last.setUTCFullYear(year, month + 1, 0);
  const shift = run.options.last("monday", "sunday") === "monday" ? 1 : 0;
  const name = monthNames[first.getUTCMonth()] ?? "";
  const title = hasYear ? `${name} ${first.getUTCFullYear()}` : name;
  const days = dayNames.map((_, at) => dayNames[(at + shift) % 7] ?? "").join(" ");
  const blank = (first.getUTCDay() - shift + 7) % 7;
  const cells = Array.from({ length: WEEKS * 7 }, (_, at) => {
    const day = at - blank + 1;
    return day < 1 || day > last.getUTCDate() ? "  " : String(day).padStart(2);
  });
  const weeks = Array.from({ length: WEEKS }, (_, at) => cells.slice(at * 7, at * 7 + 7).join(" "));
  return [centered(title, WIDTH), days, ...weeks];
}

/** Lines of several months; a week that none of them has is left out. */
function sideBySide(months: readonly (readonly string[])[]): string {
  return Array.from({ length: WEEKS + 2 }, (_, at) =>
    months.map((lines) => lines[at] ?? "").join("  "),
  )
    .filter((line) => line.trim() !== "")
    .map((line) => `${line}\n`)
    .join("");
}

function yearText(run: Run, year: number): string {
  const title = centered(String(year), WIDTH * 3 + 4).trimEnd();
  const rows = [0, 3, 6, 9].map((month) =>
    sideBySide([0, 1, 2].map((by) => monthLines(run, year, month + by, false))),
  );
  return `${title}\n${rows.join("\n")}`;
}
