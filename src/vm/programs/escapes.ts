/** Backslash escapes of `echo -e`, `printf` and `$'…'`. */

export type EscapeStyle = "echo" | "printf" | "ansi";

export interface Decoded {
  readonly text: string;
  /** A `\c` ends all output. */
  readonly isCut: boolean;
}

const simple = new Map([
  ["a", "\u0007"],
  ["b", "\b"],
  ["e", "\u001b"],
  ["E", "\u001b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["\\", "\\"],
]);

const pattern =
  /\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|(0?[0-7]{1,3})|c(.?)|(.))/gsu;

/**
 * `isBytes`: in a locale without characters beyond ASCII, where they stay as their numbers.
 * `echo` takes octal only after `\0`; `printf` takes it bare; `$'…'` has `\cx` and quotes.
 */
export function decodeEscapes(text: string, style: EscapeStyle, isBytes = false): Decoded {
  if (!text.includes("\\")) return { text, isCut: false };
  let cutAt = -1;
  let shift = 0;
  const decoded = text.replace(pattern, (...found: unknown[]) => {
    const [whole, hex, short, long, octal, control, other] = found.map((item) =>
      typeof item === "string" ? item : undefined,
    );
    const offset = found.find((item) => typeof item === "number") ?? 0;
    const made = decodeOne(
      { whole: whole ?? "", hex, unicode: short ?? long, octal, control, other, isBytes },
      style,
    );
    if (made === undefined && cutAt === -1) cutAt = offset + shift;
    shift += (made ?? "").length - (whole ?? "").length;
    return made ?? "";
  });
  const isCut = cutAt !== -1;
  return { text: isCut ? decoded.slice(0, cutAt) : decoded, isCut };
}

interface Escape {
  readonly whole: string;
  readonly hex: string | undefined;
  readonly unicode: string | undefined;
  readonly octal: string | undefined;
  readonly control: string | undefined;
  readonly other: string | undefined;
  readonly isBytes: boolean;
}

/** Undefined for the escape that ends all output. */
function decodeOne(escape: Escape, style: EscapeStyle): string | undefined {
  const { whole, hex, unicode, octal, control, other } = escape;
  if (hex !== undefined) return byteText(Number.parseInt(hex, 16));
  if (unicode !== undefined) return codePoint(Number.parseInt(unicode, 16), escape.isBytes);
  if (octal !== undefined) return decodeOctal(octal, whole, style);
  if (control !== undefined) {
    if (style !== "ansi") return undefined;
    return String.fromCharCode((control.toUpperCase().charCodeAt(0) || 0) & 31);
  }
  if (other === undefined) return whole;
  if (style !== "echo" && (other === '"' || other === "'" || other === "?")) return other;
  return simple.get(other) ?? whole;
}

function decodeOctal(octal: string, whole: string, style: EscapeStyle): string {
  if (style === "echo") {
    if (!octal.startsWith("0")) return whole;
    return octal.length === 1 ? "\0" : byteText(Number.parseInt(octal.slice(1), 8) & 0xff);
  }
  const digits = octal.slice(0, 3);
  return byteText(Number.parseInt(digits, 8) & 0xff) + octal.slice(3);
}

/** A byte that is not ASCII is kept as the text codec keeps it. */
function byteText(byte: number): string {
  return String.fromCharCode(byte < 0x80 ? byte : 0xdc00 + byte);
}

function codePoint(code: number, isBytes: boolean): string {
  if (isBytes && code > 0x7f) {
    const digits = code.toString(16).toUpperCase();
    return code > 0xffff ? `\\U${digits.padStart(8, "0")}` : `\\u${digits.padStart(4, "0")}`;
  }
  return code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code);
}
