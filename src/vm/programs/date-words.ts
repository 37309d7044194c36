import { fullYear, zoneHours } from "./date-tables.ts";
import { momentOf, type TimeZone } from "./time-zone.ts";

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const monthPattern =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b\\.?";
const dayPattern =
  "(sun(?:day)?|mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nes(?:day)?)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:ur(?:day)?)?)\\b\\.?";

const unitMs = new Map([
  ["sec", 1000],
  ["second", 1000],
  ["min", 60_000],
  ["minute", 60_000],
  ["hour", 3_600_000],
]);
const unitDays = new Map([
  ["day", 1],
  ["week", 7],
  ["fortnight", 14],
]);
const ordinals = [
  "last",
  "this",
  "next",
  "first",
  "third",
  "fourth",
  "fifth",
  "sixth",
  "seventh",
  "eighth",
  "ninth",
  "tenth",
  "eleventh",
  "twelfth",
];
/** Reads one piece after the other; each says what of the date it gives. */
export class DateWords {
  #rest: string;
  readonly #zone: TimeZone;
  /** The clock of the zone, as if it were UTC. */
  readonly #clock: Date;
  readonly #nowMs: number;
  #hasTime = false;
  #hasDate = false;
  #hasRelative = false;
  /** Of the zone that the words name. */
  #offsetMs: number | undefined;
  #addedMs = 0;
  #addedDays = 0;
  #addedMonths = 0;
  #weekday: { readonly day: number; readonly ordinal: number } | undefined;

  constructor(text: string, nowMs: number, zone: TimeZone) {
    this.#rest = text;
    this.#zone = zone;
    this.#nowMs = nowMs;
    this.#clock = new Date(nowMs + zone(nowMs).offset * 1000);
  }

  read(): number | undefined {
    for (;;) {
      this.#rest = this.#rest.replace(/^[\s,]+/, "");
      if (this.#rest === "") break;
      if (!this.#step()) return undefined;
    }
    const isDay = this.#hasDate || this.#weekday !== undefined;
    if (!this.#hasTime && (isDay || (!this.#hasRelative && this.#offsetMs === undefined)))
      this.#clock.setUTCHours(0, 0, 0, 0);
    this.#applyWeekday();
    this.#clock.setUTCMonth(this.#clock.getUTCMonth() + this.#addedMonths);
    this.#clock.setUTCDate(this.#clock.getUTCDate() + this.#addedDays);
    const clockMs = this.#clock.getTime();
    if (Number.isNaN(clockMs)) return undefined;
    const isNow = !isDay && !this.#hasTime && this.#offsetMs === undefined && this.#hasRelative;
    const moment =
      isNow && this.#addedDays === 0 && this.#addedMonths === 0
        ? this.#nowMs
        : this.#offsetMs === undefined
          ? momentOf(clockMs, this.#zone)
          : clockMs - this.#offsetMs;
    return moment === undefined ? undefined : moment + this.#addedMs;
  }

  #step(): boolean {
    return (
      this.#isoDate() ||
      this.#clockTime() ||
      this.#word() ||
      this.#ordinal() ||
      this.#amount() ||
      this.#namedMonth() ||
      this.#slashes() ||
      this.#zoneName() ||
      this.#digits()
    );
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    const match = pattern.exec(this.#rest);
    if (match === null) return undefined;
    this.#rest = this.#rest.slice(match[0].length);
    return match;
  }

  #isoDate(): boolean {
    const match =
      this.#take(/^(\d{1,4})-(\d{1,2})-(\d{1,2})(?:t(?=\d)|(?!\d))/) ??
      this.#take(/^(\d{4})\/(\d{1,2})\/(\d{1,2})(?!\d)/) ??
      this.#take(/^(\d{4})(\d{2})(\d{2})(?:t(?=\d)|(?![\d:]))/);
    if (match === undefined) return false;
    return this.#setDate(fullYear(match[1] ?? ""), Number(match[2]), Number(match[3]));
  }

  #setDate(year: number, month: number, day: number): boolean {
    if (this.#hasDate || month < 1 || month > 12 || day < 1 || day > 31) return false;
    this.#clock.setUTCFullYear(year, month - 1, day);
    this.#hasDate = true;
    return this.#clock.getUTCMonth() === month - 1;
  }

  #clockTime(): boolean {
    const match =
      this.#take(/^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s*([ap])?(?:\.?m\.?(?![a-z]))?/) ??
      this.#take(/^(\d{1,2})()()()\s*([ap])\.?m\.?(?![a-z])/);
    if (match === undefined) return false;
    const [, hours = "0", minutes = "0", seconds = "0", fraction = "0", half] = match;
    const hour = Number(hours);
    const isReal =
      half === undefined ? hour < 24 || (hour === 24 && minutes === "00") : hour >= 1 && hour <= 12;
    if (!isReal || Number(minutes) > 59 || Number(seconds) > 59 || this.#hasTime) return false;
    const shown = half === undefined ? hour : (hour % 12) + (half === "p" ? 12 : 0);
    const ms = Math.round(Number(`0.${fraction || "0"}`) * 1000);
    this.#clock.setUTCHours(shown, Number(minutes || "0"), Number(seconds || "0"), ms);
    this.#hasTime = true;
    return this.#correction();
  }

  /** `+02:00` right behind a time. */
  #correction(): boolean {
    const match = this.#take(/^\s*([-+])\s*(\d{1,2})(?::?(\d{2}))?(?!\d)/);
    if (match === undefined) return true;
    const [, sign, hours, minutes = "0"] = match;
    if (Number(hours) > 24 || Number(minutes) > 59) return false;
    const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
    this.#offsetMs = sign === "-" ? -offset : offset;
    return true;
  }

  #word(): boolean {
    const match = this.#take(/^(now|today|yesterday|tomorrow|midnight|noon)(?![a-z])/);
    if (match === undefined) return false;
    this.#hasRelative = true;
    if (match[1] === "yesterday") this.#addedDays -= 1;
    if (match[1] === "tomorrow") this.#addedDays += 1;
    return match[1] !== "midnight" && match[1] !== "noon";
  }

  /** `next friday`, `last month`, `third day ago`, `monday`. */
  #ordinal(): boolean {
    const word = this.#take(new RegExp(`^(?:(${ordinals.join("|")})\\s+)?${dayPattern}`));
    if (word !== undefined) {
      const [, name, day = ""] = word;
      const ordinal = name === undefined ? 0 : ordinalOf(name);
      this.#weekday = { day: days.indexOf(day.slice(0, 3)), ordinal };
      return true;
    }
    const match = this.#take(
      new RegExp(`^(${ordinals.join("|")})\\s+(${units})s?(?![a-z])(\\s+ago(?![a-z]))?`),
    );
    if (match === undefined) return false;
    const [, name = "", unit = "", ago] = match;
    return this.#add(ordinalOf(name) * (ago === undefined ? 1 : -1), unit);
  }

  #amount(): boolean {
    const match = this.#take(
      new RegExp(`^([-+\\s]*)(\\d{0,9})\\s*(${units})s?(?![a-z])(\\s+ago(?![a-z]))?`),
    );
    if (match === undefined) return false;
    const [, signs = "", count = "", unit = "", ago] = match;
    const isNegative = (signs.match(/-/g)?.length ?? 0) % 2 === 1;
    const amount = (count === "" ? 1 : Number(count)) * (isNegative ? -1 : 1);
    return this.#add(ago === undefined ? amount : -amount, unit);
  }

  #add(amount: number, unit: string): boolean {
    this.#hasRelative = true;
    if (unit === "month") this.#addedMonths += amount;
    else if (unit === "year") this.#addedMonths += amount * 12;
    else if (unitDays.has(unit)) this.#addedDays += amount * (unitDays.get(unit) ?? 0);
    else this.#addedMs += amount * (unitMs.get(unit) ?? 0);
    return true;
  }

  #namedMonth(): boolean {
    const first = this.#take(
      new RegExp(
        `^${monthPattern}[\\s-]*(\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])(?:,?[\\s-]+(\\d{4})(?![\\d:]))?`,
      ),
    );
    if (first !== undefined) return this.#setNamed(first[1], first[2], first[3]);
    const second = this.#take(
      new RegExp(
        `^(\\d{1,2})(?:st|nd|rd|th)?[\\s-]*${monthPattern}(?:,?[\\s-]+(\\d{2,4})(?![\\d:]))?`,
      ),
    );
    return second !== undefined && this.#setNamed(second[2], second[1], second[3]);
  }

  #setNamed(month: string | undefined, day: string | undefined, year: string | undefined): boolean {
    return this.#setDate(
      year === undefined ? this.#clock.getUTCFullYear() : fullYear(year),
      months.indexOf((month ?? "").slice(0, 3)) + 1,
      Number(day),
    );
  }

  #slashes(): boolean {
    const match = this.#take(/^(\d{1,2})\/(\d{1,2})(?:\/(\d{2,4}))?(?!\d)/);
    if (match === undefined) return false;
    const year = match[3] === undefined ? this.#clock.getUTCFullYear() : fullYear(match[3]);
    return this.#setDate(year, Number(match[1]), Number(match[2]));
  }

  #zoneName(): boolean {
    const match = this.#take(/^([a-z]+)(?![a-z])/);
    const hours = zoneHours.get(match?.[1] ?? "");
    if (hours === undefined) return false;
    const isSummer = this.#take(/^\s+dst(?![a-z])/) !== undefined;
    this.#offsetMs = (hours + (isSummer ? 1 : 0)) * 3_600_000;
    const match2 = this.#take(/^([-+])(\d{1,2})(?::?(\d{2}))?(?!\d)/);
    if (match2 !== undefined) {
      const extra = (Number(match2[2]) * 60 + Number(match2[3] ?? "0")) * 60_000;
      this.#offsetMs += match2[1] === "-" ? -extra : extra;
    }
    return true;
  }

  /** A year behind a date, or a time without its colon. */
  #digits(): boolean {
    const match = this.#take(/^(\d{1,4})(?![\d:])/);
    if (match === undefined) return false;
    const digits = match[1] ?? "";
    if (this.#hasDate && this.#hasTime && digits.length > 2) {
      this.#clock.setUTCFullYear(fullYear(digits));
      return true;
    }
    const hour = Number(digits.length <= 2 ? digits : digits.slice(0, -2));
    const minute = Number(digits.length <= 2 ? "0" : digits.slice(-2));
    if (this.#hasTime || hour > 23 || minute > 59) return false;
    this.#clock.setUTCHours(hour, minute, 0, 0);
    this.#hasTime = true;
    return true;
  }

  #applyWeekday(): void {
    if (this.#weekday === undefined || this.#hasDate) return;
    const { day, ordinal } = this.#weekday;
    const ahead = (day - this.#clock.getUTCDay() + 7) % 7;
    const weeks = ordinal > 0 && ahead !== 0 ? ordinal - 1 : ordinal;
    this.#clock.setUTCDate(this.#clock.getUTCDate() + ahead + weeks * 7);
  }
}

const units = "second|sec|minute|min|hour|day|week|fortnight|month|year";

/** `last` is -1, `this` 0, `next` and `first` 1. */
function ordinalOf(name: string): number {
  const at = ordinals.indexOf(name);
  return at <= 2 ? at - 1 : at === 3 ? 1 : at - 1;
}
