import { UsageError } from "../options.ts";

/** Where a conversion looks: a block, a place in it, and the offset of that place. */
export interface Place {
  readonly view: DataView;
  readonly at: number;
  readonly offset: number;
  /** The offset of the end, once it is known. */
  readonly end: number;
}

export type Show = (place: Place) => string;

export interface ConversionForm {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  /** `d`, `x`, `_c` and the like. */
  readonly kind: string;
  /** Of an address. */
  readonly base: string;
  /** Bytes the unit asks for. */
  readonly asked: number | undefined;
}

const bases = new Map([
  ["d", 10],
  ["o", 8],
  ["x", 16],
]);

/** How many bytes a conversion takes and what it shows. Fails with a UsageError. */
export function makeConversion(form: ConversionForm): {
  readonly bytes: number;
  readonly show: Show;
} {
  const { kind } = form;
  if (kind === "_a" || kind === "_A") {
    const base = bases.get(form.base) ?? 16;
    const isEnd = kind === "_A";
    return {
      bytes: 0,
      show: ({ offset, end }) => pad(number(BigInt(isEnd ? end : offset), base, form), form),
    };
  }
  if (kind === "_c" || kind === "_p" || kind === "_u" || kind === "c") {
    checkSize(form, [1]);
    const show = characters(kind);
    return { bytes: 1, show: ({ view, at }) => pad(show(view.getUint8(at)), form) };
  }
  if (/^[di]$/.test(kind)) return integer(form, 10, true);
  if (/^[ouxX]$/.test(kind)) return integer(form, kind === "o" ? 8 : kind === "u" ? 10 : 16, false);
  if (/^[eEfgG]$/.test(kind)) return float(form);
  if (kind === "s") {
    const bytes = form.precision ?? form.asked;
    if (bytes === undefined) throw refused("%s requires a precision or a byte count");
    return { bytes, show: ({ view, at }) => pad(text(view, at, bytes), form) };
  }
  throw refused(`bad conversion character %${kind}`);
}

function refused(message: string): UsageError {
  return new UsageError(message, { hasHint: false });
}

function checkSize(form: ConversionForm, sizes: readonly number[]): void {
  if (form.asked !== undefined && !sizes.includes(form.asked))
    throw refused(`bad byte count for conversion character ${form.kind}`);
}

function pad(shown: string, { flags, width }: ConversionForm): string {
  return flags.includes("-") ? shown.padEnd(width) : shown.padStart(width);
}

/** Digits with sign, precision and zeros. */
function number(value: bigint, base: number, form: ConversionForm): string {
  const isNegative = value < 0n;
  let digits = (isNegative ? -value : value).toString(base);
  if (form.kind === "X") digits = digits.toUpperCase();
  digits = digits.padStart(form.precision ?? 1, "0");
  const mark = form.flags.includes("#") && value !== 0n ? (marks.get(base) ?? "") : "";
  const sign = isNegative ? "-" : form.flags.includes("+") && base === 10 ? "+" : "";
  const isFilled =
    form.flags.includes("0") && !form.flags.includes("-") && form.precision === undefined;
  const space = isFilled ? form.width - sign.length - mark.length : 0;
  return `${sign}${mark}${digits.padStart(space, "0")}`;
}

const marks = new Map([
  [8, "0"],
  [16, "0x"],
]);

function integer(
  form: ConversionForm,
  base: number,
  isSigned: boolean,
): { readonly bytes: number; readonly show: Show } {
  checkSize(form, [1, 2, 4, 8]);
  const bytes = form.asked ?? 4;
  const read = isSigned ? signedReaders.get(bytes) : unsignedReaders.get(bytes);
  return {
    bytes,
    show: ({ view, at }) => pad(number(BigInt(read?.(view, at) ?? 0), base, form), form),
  };
}

type Reader = (view: DataView, at: number) => number | bigint;

const unsignedReaders = new Map<number, Reader>([
  [1, (view, at) => view.getUint8(at)],
  [2, (view, at) => view.getUint16(at, true)],
  [4, (view, at) => view.getUint32(at, true)],
  [8, (view, at) => view.getBigUint64(at, true)],
]);

const signedReaders = new Map<number, Reader>([
  [1, (view, at) => view.getInt8(at)],
  [2, (view, at) => view.getInt16(at, true)],
  [4, (view, at) => view.getInt32(at, true)],
  [8, (view, at) => view.getBigInt64(at, true)],
]);

function float(form: ConversionForm): { readonly bytes: number; readonly show: Show } {
  checkSize(form, [4, 8]);
  const bytes = form.asked ?? 8;
  const digits = Math.min(form.precision ?? 6, 100);
  return {
    bytes,
    show: ({ view, at }) => {
      const value = bytes === 4 ? view.getFloat32(at, true) : view.getFloat64(at, true);
      return pad(floatText(value, form.kind, digits), form);
    },
  };
}

function floatText(value: number, kind: string, digits: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value < 0 ? "-inf" : "inf";
  if (kind === "f") return value.toFixed(digits);
  const shown =
    kind === "e" || kind === "E"
      ? value.toExponential(digits)
      : value.toPrecision(Math.max(1, digits)).replace(/\.?0+(?=e|$)/, "");
  const padded = shown.replace(/e([-+])(\d)$/, "e$10$2");
  return kind === "E" || kind === "G" ? padded.toUpperCase() : padded;
}

function text(view: DataView, at: number, bytes: number): string {
  let shown = "";
  for (let place = at; place < at + bytes; place++) {
    const byte = view.getUint8(place);
    if (byte === 0) break;
    shown += String.fromCharCode(byte);
  }
  return shown;
}

const escapes = new Map([
  [0, "\\0"],
  [7, "\\a"],
  [8, "\\b"],
  [9, "\\t"],
  [10, "\\n"],
  [11, "\\v"],
  [12, "\\f"],
  [13, "\\r"],
]);
const names =
  "nul soh stx etx eot enq ack bel bs ht lf vt ff cr so si dle dc1 dc2 dc3 dc4 nak syn etb can em sub esc fs gs rs us".split(
    " ",
  );

function characters(kind: string): (byte: number) => string {
  const plain = (byte: number): string | undefined =>
    byte >= 32 && byte < 127 ? String.fromCharCode(byte) : undefined;
  if (kind === "_p") return (byte) => plain(byte) ?? ".";
  if (kind === "c") return (byte) => String.fromCharCode(byte < 128 ? byte : 0xdc00 + byte);
  if (kind === "_c")
    return (byte) => escapes.get(byte) ?? plain(byte) ?? byte.toString(8).padStart(3, "0");
  return (byte) =>
    names[byte] ?? (byte === 127 ? "del" : (plain(byte) ?? byte.toString(16).padStart(2, "0")));
}
