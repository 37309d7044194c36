/** Dates as people write them for `date -d` and `touch -d`. The VM's time zone is UTC. */

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const unitMs = new Map([
  ["sec", 1000],
  ["second", 1000],
  ["min", 60_000],
  ["minute", 60_000],
  ["hour", 3_600_000],
  ["day", 86_400_000],
  ["week", 604_800_000],
  ["fortnight", 1_209_600_000],
]);

/** Milliseconds since 1970; undefined where it is no date we know. */
export function parseDate(text: string, nowMs: number): number | undefined {
  const trimmed = text.trim().toLowerCase();
  const epoch = /^@(-?\d+(?:\.\d+)?)$/.exec(trimmed);
  if (epoch !== null) return Number(epoch[1]) * 1000;
  return new DateReader(trimmed, nowMs).read();
}

/** `[[CC]YY]MMDDhhmm[.ss]`, touch -t. */
export function parseStamp(text: string, nowMs: number): number | undefined {
  const match = /^(\d{2}|\d{4})?(\d{2})(\d{2})(\d{2})(\d{2})(?:\.(\d{2}))?$/.exec(text);
  if (match === null) return undefined;
  const [, years, month, day, hour, minute, second = "0"] = match;
  const short = Number(years ?? "0");
  const year =
    years === undefined
      ? new Date(nowMs).getUTCFullYear()
      : years.length === 4
        ? short
        : short < 69
          ? 2000 + short
          : 1900 + short;
  const time = Date.UTC(
    year,
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  const isReal =
    Number(month) >= 1 &&
    Number(month) <= 12 &&
    Number(day) >= 1 &&
    Number(day) <= 31 &&
    Number(hour) < 24 &&
    Number(minute) < 60;
  return isReal ? time : undefined;
}

class DateReader {
  #rest: string;
  readonly #date: Date;
  #hasTime = false;
  #hasDate = false;
  #zoneMs = 0;
  #offsetMs = 0;
  #months = 0;

  constructor(text: string, nowMs: number) {
    this.#rest = text;
    this.#date = new Date(nowMs);
  }

  read(): number | undefined {
    while (this.#rest !== "") {
      this.#rest = this.#rest.replace(/^[\s,]+/, "");
      if (this.#rest === "") break;
      if (!this.#step()) return undefined;
    }
    if (this.#hasDate && !this.#hasTime) this.#date.setUTCHours(0, 0, 0, 0);
    this.#date.setUTCMonth(this.#date.getUTCMonth() + this.#months);
    return this.#date.getTime() + this.#offsetMs - this.#zoneMs;
  }

  #step(): boolean {
    return (
      this.#isoDate() ||
      this.#clockTime() ||
      this.#zone() ||
      this.#word() ||
      this.#relative() ||
      this.#namedMonth() ||
      this.#slashes()
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
      this.#take(/^(\d{4})-(\d{1,2})-(\d{1,2})(?:t(?=\d)|(?!\d))/) ??
      this.#take(/^(\d{4})(\d{2})(\d{2})(?!\d)/);
    if (match === undefined) return false;
    return this.#setDate(Number(match[1]), Number(match[2]), Number(match[3]));
  }

  #setDate(year: number, month: number, day: number): boolean {
    if (month < 1 || month > 12 || day < 1 || day > 31) return false;
    this.#date.setUTCFullYear(year, month - 1, day);
    this.#hasDate = true;
    return this.#date.getUTCMonth() === month - 1;
  }

  #clockTime(): boolean {
    const match =
      this.#take(/^(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s*([ap]m)?/) ??
      this.#take(/^(\d{1,2})()()()\s*([ap]m)/);
    if (match === undefined) return false;
    const [, hours = "0", minutes = "0", seconds = "0", fraction = "0", half] = match;
    const hour = (Number(hours) % (half === undefined ? 24 : 12)) + (half === "pm" ? 12 : 0);
    if (Number(hours) > 24 || Number(minutes) > 59 || Number(seconds) > 60) return false;
    this.#date.setUTCHours(hour, Number(minutes), Number(seconds), Number(`0.${fraction}`) * 1000);
    this.#hasTime = true;
    return true;
  }

  #zone(): boolean {
    if (this.#take(/^(?:utc|gmt|z)(?![a-z])/) !== undefined) return true;
    const match = this.#hasTime
      ? this.#take(/^([-+])(\d{2}):?(\d{2})?(?![\d\s]*[a-z])/)
      : undefined;
    if (match === undefined) return false;
    const sign = match[1] === "-" ? -1 : 1;
    this.#zoneMs = sign * (Number(match[2]) * 60 + Number(match[3] ?? "0")) * 60_000;
    return true;
  }

  #word(): boolean {
    const match = this.#take(/^(now|today|yesterday|tomorrow|midnight|noon)(?![a-z])/);
    if (match === undefined) return this.#weekday();
    if (match[1] === "yesterday") this.#offsetMs -= 86_400_000;
    if (match[1] === "tomorrow") this.#offsetMs += 86_400_000;
    if (match[1] === "midnight") this.#date.setUTCHours(0, 0, 0, 0);
    if (match[1] === "noon") this.#date.setUTCHours(12, 0, 0, 0);
    return true;
  }

  #weekday(): boolean {
    const match = this.#take(/^(?:(next|last|this)\s+)?(sun|mon|tue|wed|thu|fri|sat)[a-z]*\.?/);
    if (match === undefined) return false;
    if (this.#hasDate) return true;
    const wanted = days.indexOf(match[2] ?? "");
    const ahead = (wanted - this.#date.getUTCDay() + 7) % 7;
    const extra = match[1] === "next" ? (ahead === 0 ? 7 : 0) : match[1] === "last" ? -7 : 0;
    this.#date.setUTCDate(this.#date.getUTCDate() + ahead + extra);
    this.#hasDate = true;
    return true;
  }

  #relative(): boolean {
    const match = this.#take(
      /^(?:([-+]?\s*\d+)|(next|last|a))\s*(sec|second|min|minute|hour|day|week|fortnight|month|year)s?(?![a-z])(\s+ago)?/,
    );
    if (match === undefined) return false;
    const [, count, word, unit = "", ago] = match;
    const amount =
      count === undefined ? (word === "last" ? -1 : 1) : Number(count.replace(/\s/g, ""));
    const signed = ago === undefined ? amount : -amount;
    if (unit === "month") this.#months += signed;
    else if (unit === "year") this.#months += signed * 12;
    else this.#offsetMs += signed * (unitMs.get(unit) ?? 0);
    return true;
  }

  #namedMonth(): boolean {
    const names = "(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?";
    const first = this.#take(
      new RegExp(`^${names}\\s+(\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])(?:,?\\s+(\\d{4})(?!:))?`),
    );
    if (first !== undefined) return this.#setNamed(first[1], first[2], first[3]);
    const second = this.#take(
      new RegExp(`^(\\d{1,2})(?:st|nd|rd|th)?[\\s-]+${names}(?:[\\s-]+(\\d{4})(?!:))?`),
    );
    if (second !== undefined) return this.#setNamed(second[2], second[1], second[3]);
    const year = this.#hasDate ? this.#take(/^(\d{4})(?![\d:])/) : undefined;
    if (year === undefined) return false;
    this.#date.setUTCFullYear(Number(year[1]));
    return true;
  }

  #setNamed(month: string | undefined, day: string | undefined, year: string | undefined): boolean {
    return this.#setDate(
      Number(year ?? this.#date.getUTCFullYear()),
      months.indexOf(month ?? "") + 1,
      Number(day),
    );
  }

  #slashes(): boolean {
    const match = this.#take(/^(\d{1,2})\/(\d{1,2})(?:\/(\d{2,4}))?/);
    if (match === undefined) return false;
    const short = Number(match[3] ?? this.#date.getUTCFullYear());
    const year = short < 69 ? 2000 + short : short < 100 ? 1900 + short : short;
    return this.#setDate(year, Number(match[1]), Number(match[2]));
  }
}
