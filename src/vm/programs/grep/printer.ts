/** How grep writes a line: its prefix, its colours. */
import { encodeText } from "../../../kernel/index.ts";
import type { Output } from "../output.ts";
import type { Text } from "../regexp/surroundings.ts";
import type { Matcher } from "./matcher.ts";

export interface PrintOptions {
  readonly isNumbered: boolean;
  readonly hasOffset: boolean;
  readonly isTabbed: boolean;
  readonly nameEnd: string | undefined;
  readonly delimiter: number;
  readonly isInverted: boolean;
  readonly separator: string | undefined;
  /** Undefined for none. */
  readonly colors: ReadonlyMap<string, string> | undefined;
}

export interface Place {
  readonly name: string;
  readonly isNamed: boolean;
  readonly number: number;
  readonly offset: number;
  /** Digits that numbers are filled up to. */
  readonly width: number;
}

/** GNU's, see GREP_COLORS in grep(1). */
const defaultColors = "ms=01;31:mc=01;31:sl=:cx=:fn=35:ln=32:bn=32:se=36";

/** The colours of GREP_COLORS over GNU's own. */
export function readColors(text: string): Map<string, string> {
  const colors = new Map<string, string>();
  for (const part of `${defaultColors}:${text}`.split(":")) {
    const [name = "", value = ""] = part.split("=");
    if (name === "mt") {
      colors.set("ms", value);
      colors.set("mc", value);
    } else if (name === "rv" || name === "ne") colors.set(name, "1");
    else if (name !== "" && /^[\d;]*$/.test(value)) colors.set(name, value);
  }
  return colors;
}

export class LinePrinter {
  readonly #out: Output;
  readonly #options: PrintOptions;

  constructor(out: Output, options: PrintOptions) {
    this.#out = out;
    this.#options = options;
  }

  /** A line that was selected (`:`) or is context (`-`). */
  line(line: Text, place: Place, mark: ":" | "-", matcher: Matcher): void {
    this.#prefix(place, mark);
    const { colors, isInverted, delimiter } = this.#options;
    if (colors === undefined) this.#out.add(line.bytes.subarray(line.start, line.end));
    else {
      const isMatching = (mark === ":") !== isInverted;
      const isTurned = isInverted && colors.has("rv");
      const kind = (mark === ":") !== isTurned ? "sl" : "cx";
      if (isMatching) this.#coloredLine(line, matcher, kind);
      else this.#colored(kind, line.bytes.subarray(line.start, line.end));
    }
    this.#out.addByte(delimiter);
  }

  /** One match on a line of its own. */
  match(bytes: Uint8Array, place: Place): void {
    this.#prefix(place, ":");
    this.#colored("ms", bytes);
    this.#out.addByte(this.#options.delimiter);
  }

  separator(): void {
    const { separator } = this.#options;
    if (separator === undefined) return;
    this.#colored("se", encodeText(separator));
    this.#out.addByte(10);
  }

  name(name: string, end: string): void {
    this.#colored("fn", encodeText(name));
    this.#mark(end);
  }

  #mark(text: string): void {
    if (text === ":" || text === "-") this.#colored("se", encodeText(text));
    else this.#out.addText(text);
  }

  #prefix({ name, isNamed, number, offset, width }: Place, mark: ":" | "-"): void {
    const { isNumbered, hasOffset, isTabbed, nameEnd } = this.#options;
    if (isNamed) this.name(name, nameEnd ?? mark);
    const wide = isTabbed ? width : 0;
    if (isNumbered) {
      this.#colored("ln", encodeText(String(number).padStart(wide)));
      this.#mark(mark);
    }
    if (hasOffset) {
      this.#colored("bn", encodeText(String(offset).padStart(wide)));
      this.#mark(mark);
    }
    if (isTabbed && (isNamed || isNumbered || hasOffset)) this.#out.addByte(9);
  }

  #coloredLine(line: Text, matcher: Matcher, kind: string): void {
    let at = line.start;
    const color = kind === "sl" ? "ms" : "mc";
    for (let from = line.start; from <= line.end && matcher.search(line, from); ) {
      const { matchStart, matchEnd } = matcher;
      if (matchEnd > matchStart) {
        this.#start(kind);
        this.#out.add(line.bytes.subarray(at, matchStart));
        this.#colored(color, line.bytes.subarray(matchStart, matchEnd));
        at = matchEnd;
      }
      from = Math.max(matchEnd, matchStart + 1);
    }
    this.#colored(kind, line.bytes.subarray(at, line.end));
  }

  #colored(name: string, bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    const isColored = this.#start(name);
    this.#out.add(bytes);
    if (isColored) this.#out.addText(`\u001b[m${this.#clear}`);
  }

  /** Answers whether there is a colour. */
  #start(name: string): boolean {
    const color = this.#options.colors?.get(name) ?? "";
    if (color !== "") this.#out.addText(`\u001b[${color}m${this.#clear}`);
    return color !== "";
  }

  get #clear(): string {
    return this.#options.colors?.has("ne") === true ? "" : "\u001b[K";
  }
}
