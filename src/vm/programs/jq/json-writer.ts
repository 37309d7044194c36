import { MemoryLimitError } from "../memory-limit.ts";
import { formatNumber, NumberLiteral } from "./number-text.ts";
import { isArray, type JqObject, SIZE_LIMIT, type Value } from "./value.ts";

/** How values are written. */
export interface WriteStyle {
  /** What each level is indented by; undefined for all on one line. */
  readonly indent?: string | undefined;
  readonly isSorted?: boolean;
  /** Characters beyond ASCII as escapes. */
  readonly isAscii?: boolean;
  readonly colors?: Colors | undefined;
}

/** Escape sequences by kind of value. */
export interface Colors {
  readonly null: string;
  readonly false: string;
  readonly true: string;
  readonly number: string;
  readonly string: string;
  readonly array: string;
  readonly object: string;
  readonly key: string;
}

/** jq's own, see MAX_PRINT_DEPTH. */
const DEPTH_LIMIT = 256;
/** A value's text: values share parts, so it may be far longer than they are large. */
const TEXT_LIMIT = SIZE_LIMIT * 4;
/** The same, in arrays, objects and scalars. */
const COUNT_LIMIT = 8_000_000;
/** Longer texts are put aside: adding to them costs more and more. */
const PIECE_LENGTH = 65_536;

/** A value on one line, as `tojson` gives it. Fails with a MemoryLimitError. */
export function toJson(value: Value): string {
  if (typeof value === "string") return quoteString(value, false);
  return new JsonWriter({}).write(value);
}

/** Writes values as texts. */
export class JsonWriter {
  readonly #style: WriteStyle;
  readonly #colon: string;
  readonly #pieces: string[] = [];
  #text = "";
  #length = 0;
  #count = 0;

  constructor(style: WriteStyle) {
    this.#style = style;
    this.#colon = style.indent === undefined ? ":" : ": ";
  }

  write(value: Value): string {
    this.#text = "";
    this.#pieces.length = 0;
    this.#length = 0;
    this.#count = 0;
    if (this.#style.colors === undefined) this.#plain(value, "\n", 0);
    else this.#colored(value, "\n", this.#style.colors, 0);
    const text = this.#pieces.length === 0 ? this.#text : this.#pieces.join("") + this.#text;
    this.#pieces.length = 0;
    return text;
  }

  #putAside(): void {
    this.#length += this.#text.length;
    if (this.#length > TEXT_LIMIT) throw new MemoryLimitError();
    this.#pieces.push(this.#text);
    this.#text = "";
  }

  #plain(value: Value, line: string, depth: number): void {
    if (typeof value === "string") this.#text += quoteString(value, this.#style.isAscii === true);
    else if (value === null || typeof value !== "object") this.#text += scalarText(value);
    else if (depth > DEPTH_LIMIT) this.#text += "<skipped: too deep>";
    else if (isArray(value)) this.#array(value, line, depth);
    else if (value instanceof NumberLiteral) this.#text += value.text;
    else this.#object(value, line, depth);
    if (++this.#count > COUNT_LIMIT) throw new MemoryLimitError();
    if (this.#text.length > PIECE_LENGTH) this.#putAside();
  }

  #array(items: readonly Value[], line: string, depth: number): void {
    if (items.length === 0) {
      this.#text += "[]";
      return;
    }
    const { indent } = this.#style;
    const inner = indent === undefined ? "" : line + indent;
    let before = `[${inner}`;
    for (const item of items) {
      this.#text += before;
      this.#plain(item, inner, depth + 1);
      before = `,${inner}`;
    }
    this.#text += indent === undefined ? "]" : `${line}]`;
  }

  #object(object: JqObject, line: string, depth: number): void {
    if (object.size === 0) {
      this.#text += "{}";
      return;
    }
    const { indent, isAscii } = this.#style;
    const inner = indent === undefined ? "" : line + indent;
    let before = `{${inner}`;
    for (const [key, item] of this.#entries(object)) {
      this.#text += before + quoteString(key, isAscii === true) + this.#colon;
      this.#plain(item, inner, depth + 1);
      before = `,${inner}`;
    }
    this.#text += indent === undefined ? "}" : `${line}}`;
  }

  #entries(object: JqObject): Iterable<readonly [string, Value]> {
    return this.#style.isSorted === true ? sortedEntries(object) : object;
  }

  #colored(value: Value, line: string, colors: Colors, depth: number): void {
    if (isArray(value)) this.#coloredArray(value, line, colors, depth);
    else if (value instanceof Map) this.#coloredObject(value, line, colors, depth);
    else {
      this.#text += colorOf(value, colors);
      this.#plain(value, line, depth);
      this.#text += RESET;
    }
  }

  #coloredArray(items: readonly Value[], line: string, colors: Colors, depth: number): void {
    const { indent } = this.#style;
    const inner = indent === undefined ? "" : line + indent;
    this.#text += `${colors.array}[`;
    let before = inner;
    for (const item of items) {
      this.#text += before;
      this.#colored(item, inner, colors, depth + 1);
      this.#text += colors.array;
      before = `,${inner}`;
    }
    const last = indent === undefined ? "" : line;
    this.#text += items.length === 0 ? `]${RESET}` : `${last}${colors.array}]${RESET}`;
  }

  #coloredObject(object: JqObject, line: string, colors: Colors, depth: number): void {
    const { indent, isAscii } = this.#style;
    const inner = indent === undefined ? "" : line + indent;
    this.#text += `${colors.object}{`;
    let before = inner;
    for (const [key, item] of this.#entries(object)) {
      this.#text += `${before}${RESET}${colors.key}${quoteString(key, isAscii === true)}${RESET}`;
      this.#text += `${colors.object}${this.#colon}${RESET}`;
      this.#colored(item, inner, colors, depth + 1);
      this.#text += colors.object;
      before = `,${inner}`;
    }
    const last = indent === undefined ? "" : line;
    this.#text += object.size === 0 ? `}${RESET}` : `${last}${colors.object}}${RESET}`;
  }
}

const RESET = "\u001b[0m";

function colorOf(value: Value, colors: Colors): string {
  if (value === null) return colors.null;
  if (value === true) return colors.true;
  if (value === false) return colors.false;
  return typeof value === "string" ? colors.string : colors.number;
}

function scalarText(value: null | boolean | number): string {
  return typeof value === "number" ? formatNumber(value) : String(value);
}

/** By code points, as jq orders keys. */
export function sortedEntries(object: JqObject): [string, Value][] {
  return [...object].toSorted(([one], [other]) => compareText(one, other));
}

/** By code points; UTF-16 units differ from these for surrogates only. */
export function compareText(one: string, other: string): number {
  if (one === other) return 0;
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const left = one.charCodeAt(at);
    const right = other.charCodeAt(at);
    if (left === right) continue;
    const isWide = (left & 0xf800) === 0xd800;
    if (isWide !== ((right & 0xf800) === 0xd800)) return isWide ? 1 : -1;
    return left < right ? -1 : 1;
  }
  return one.length - other.length;
}

// oxlint-disable-next-line no-control-regex -- JSON escapes control characters
const special = /["\\\x00-\x1f\x7f]/;
// oxlint-disable-next-line no-control-regex -- JSON escapes control characters
const specialOrWide = /["\\\x00-\x1f]|[^\x00-\x7e]/;
const names = new Map(
  Object.entries({
    '"': '\\"',
    "\\": "\\\\",
    "\n": "\\n",
    "\t": "\\t",
    "\r": "\\r",
    "\b": "\\b",
    "\f": "\\f",
  }),
);

/** A string as JSON has it. */
export function quoteString(text: string, isAscii: boolean): string {
  const odd = isAscii ? specialOrWide : special;
  if (!odd.test(text)) return `"${text}"`;
  const escaped = text.replaceAll(
    new RegExp(odd, "g"),
    (unit) => names.get(unit) ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `"${escaped}"`;
}
