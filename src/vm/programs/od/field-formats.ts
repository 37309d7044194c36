/** The `-t` of od: what each type of field looks like. */
import { UsageError } from "../options.ts";
import { quoteText } from "../quote-text.ts";
import { float32Text, float64Text, float80Text } from "./float-text.ts";

export interface FieldFormat {
  /** Bytes one field shows. */
  readonly size: number;
  /** Columns it takes at most, without the space before. */
  readonly width: number;
  readonly show: (view: DataView, at: number, isLittle: boolean) => string;
  /** Followed by the line as text. */
  readonly hasText: boolean;
}

const signedWidths = new Map([
  [1, 4],
  [2, 6],
  [4, 11],
  [8, 20],
]);
const unsignedWidths = new Map([
  [1, 3],
  [2, 5],
  [4, 10],
  [8, 20],
]);
const octalWidths = new Map([
  [1, 3],
  [2, 6],
  [4, 11],
  [8, 22],
]);
const letters = new Map([
  ["C", 1],
  ["S", 2],
  ["I", 4],
  ["L", 8],
]);
const floatLetters = new Map([
  ["F", 4],
  ["D", 8],
  ["L", 16],
]);

const names =
  "nul soh stx etx eot enq ack bel bs ht nl vt ff cr so si dle dc1 dc2 dc3 dc4 nak syn etb can em sub esc fs gs rs us sp".split(
    " ",
  );
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

/** Every format a type string asks for. Fails with a UsageError. */
export function parseFormats(text: string): FieldFormat[] {
  const formats: FieldFormat[] = [];
  let rest = text;
  while (rest !== "") {
    const match = /^(?:([ac])|([doux])([CSIL]|\d+)?|(f)([FDL]|\d+)?)(z?)/.exec(rest);
    if (match === null) {
      const bad = /^[doux](.)|^f(.)|^(.)/su.exec(rest);
      const letter = bad?.[1] ?? bad?.[2] ?? bad?.[3] ?? "";
      throw refused(`invalid character '${letter}' in type string ${quoteText(text)}`);
    }
    const [whole, named, integer, size, float, floatSize, z] = match;
    rest = rest.slice(whole.length);
    const hasText = z === "z";
    if (named !== undefined) formats.push({ size: 1, width: 3, hasText, show: characters(named) });
    else if (integer !== undefined)
      formats.push({ ...integerFormat(integer, sizeOf(size, letters, text, 4)), hasText });
    else if (float !== undefined)
      formats.push({ ...floatFormat(sizeOf(floatSize, floatLetters, text, 8)), hasText });
  }
  return formats;
}

function refused(message: string): UsageError {
  return new UsageError(message, { hasHint: false });
}

function sizeOf(
  word: string | undefined,
  known: ReadonlyMap<string, number>,
  text: string,
  otherwise: number,
): number {
  if (word === undefined || word === "") return otherwise;
  const size = known.get(word) ?? Number(word);
  if (size > 2 ** 53) throw refused(`invalid type string ${quoteText(text)}`);
  const isFloat = known === floatLetters;
  const sizes = isFloat ? [4, 8, 16] : [1, 2, 4, 8];
  if (sizes.includes(size)) return size;
  const kind = isFloat ? "floating point" : "integral";
  throw refused(
    `invalid type string ${quoteText(text)};\nthis system doesn't provide a ${size}-byte ${kind} type`,
  );
}

function characters(kind: string): FieldFormat["show"] {
  if (kind === "a") {
    return (view, at) => {
      const code = view.getUint8(at) & 0x7f;
      return code === 127 ? "del" : (names[code] ?? String.fromCharCode(code));
    };
  }
  return (view, at) => {
    const byte = view.getUint8(at);
    const isPlain = byte >= 32 && byte < 127;
    return (
      escapes.get(byte) ?? (isPlain ? String.fromCharCode(byte) : byte.toString(8).padStart(3, "0"))
    );
  };
}

function integerFormat(kind: string, size: number): Omit<FieldFormat, "hasText"> {
  if (kind === "d") {
    const width = signedWidths.get(size) ?? 0;
    return { size, width, show: (view, at, isLittle) => String(signed(view, at, size, isLittle)) };
  }
  if (kind === "u") {
    const width = unsignedWidths.get(size) ?? 0;
    return {
      size,
      width,
      show: (view, at, isLittle) => String(unsigned(view, at, size, isLittle)),
    };
  }
  const width = kind === "o" ? (octalWidths.get(size) ?? 0) : size * 2;
  const base = kind === "o" ? 8 : 16;
  return {
    size,
    width,
    show: (view, at, isLittle) =>
      unsigned(view, at, size, isLittle).toString(base).padStart(width, "0"),
  };
}

function unsigned(view: DataView, at: number, size: number, isLittle: boolean): number | bigint {
  if (size === 1) return view.getUint8(at);
  if (size === 2) return view.getUint16(at, isLittle);
  return size === 4 ? view.getUint32(at, isLittle) : view.getBigUint64(at, isLittle);
}

function signed(view: DataView, at: number, size: number, isLittle: boolean): number | bigint {
  if (size === 1) return view.getInt8(at);
  if (size === 2) return view.getInt16(at, isLittle);
  return size === 4 ? view.getInt32(at, isLittle) : view.getBigInt64(at, isLittle);
}

function floatFormat(size: number): Omit<FieldFormat, "hasText"> {
  if (size === 4)
    return {
      size,
      width: 15,
      show: (view, at, isLittle) => float32Text(view.getFloat32(at, isLittle)),
    };
  if (size === 8)
    return {
      size,
      width: 24,
      show: (view, at, isLittle) => float64Text(view.getFloat64(at, isLittle)),
    };
  return {
    size,
    width: 29,
    show: (view, at, isLittle) => {
      const bytes = new Uint8Array(view.buffer, view.byteOffset + at, 16);
      return float80Text(isLittle ? bytes : bytes.toReversed());
    },
  };
}
