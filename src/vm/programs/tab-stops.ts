/** Tab stops of expand and unexpand. */
import { UsageError } from "./options.ts";
import type { Run } from "./program.ts";
import { quoteText } from "./quote-text.ts";

/** The next stop behind a column; undefined behind the last one. */
export type NextStop = (column: number) => number | undefined;

/** Those of `-t` and of `-4,8`. Fails with a UsageError. */
export function readTabStops(run: Run): NextStop {
  const values = new Map<string, string[]>();
  const stops = new StopList();
  let bare = "";
  for (const name of run.options.order) {
    const queue = values.get(name) ?? [...run.options.all(name)];
    values.set(name, queue);
    const value = queue.shift() ?? "";
    if (name === "tabs") stops.parse(value);
    else if (/^\d$/.test(name)) bare += `${bare === "" ? "" : ","}${name}${value}`;
  }
  if (bare !== "") stops.parse(bare);
  return stops.finish();
}

export const digitOptions = Array.from("0123456789", (digit) => ({
  short: digit,
  value: "LIST",
  isOptional: true,
  help: "same as -t",
}));

function refused(message: string): UsageError {
  return new UsageError(message, { hasHint: false });
}

class StopList {
  readonly #stops: number[] = [];
  /** `/N`: multiples of N; `+N`: N behind the last stop. */
  #multiple = 0;
  #step = 0;

  parse(text: string): void {
    for (const item of text.split(/[, \t]/)) {
      if (item === "") continue;
      const [, mark = "", digits = "", rest = ""] = /^([/+]?)(\d*)(.*)$/s.exec(item) ?? [];
      if (/^[/+]/.test(rest))
        throw refused(`'${rest.charAt(0)}' specifier not at start of number: ${quoteText(rest)}`);
      if (rest !== "") throw refused(`tab size contains invalid character(s): ${quoteText(rest)}`);
      if (digits === "") continue;
      const number = Number(digits);
      if (number > Number.MAX_SAFE_INTEGER)
        throw refused(`tab stop is too large ${quoteText(digits)}`);
      this.#add(mark, number);
    }
  }

  #add(mark: string, number: number): void {
    if (mark === "/") this.#multiple = this.#setOnce(this.#multiple, number, mark);
    else if (mark === "+") this.#step = this.#setOnce(this.#step, number, mark);
    else {
      if (this.#multiple > 0 || this.#step > 0) {
        throw refused(
          `'${this.#multiple > 0 ? "/" : "+"}' specifier only allowed with the last value`,
        );
      }
      this.#stops.push(number);
    }
  }

  #setOnce(before: number, number: number, mark: string): number {
    if (before > 0) throw refused(`'${mark}' specifier only allowed with the last value`);
    return number;
  }

  finish(): NextStop {
    let before = -1;
    for (const stop of this.#stops) {
      if (stop === 0) throw refused("tab size cannot be 0");
      if (stop <= before) throw refused("tab sizes must be ascending");
      before = stop;
    }
    if (this.#multiple > 0 && this.#step > 0)
      throw refused("'/' specifier is mutually exclusive with '+'");
    const [only] = this.#stops;
    if (only === undefined) return every(this.#multiple || this.#step || 8);
    if (this.#stops.length === 1 && this.#multiple === 0 && this.#step === 0) return every(only);
    return this.#listed();
  }

  #listed(): NextStop {
    const stops = this.#stops;
    const last = stops.at(-1) ?? 0;
    return (column) => {
      if (column < last) return stops.find((stop) => stop > column);
      if (this.#multiple > 0) return every(this.#multiple)(column);
      return this.#step > 0 ? column + this.#step - ((column - last) % this.#step) : undefined;
    };
  }
}

function every(size: number): NextStop {
  return (column) => column + size - (column % size);
}
