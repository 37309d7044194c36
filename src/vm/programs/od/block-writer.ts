import type { Run } from "../program.ts";
import type { FieldFormat } from "./field-formats.ts";

/** An offset as it is shown, with what follows it. */
export type Address = (offset: number, end: string) => string;

/** `label` is shown in parentheses and grows with the offset. */
export function makeAddress(radix: string, label?: { readonly plus: number }): Address {
  const bases = new Map([
    ["o", 8],
    ["d", 10],
    ["x", 16],
  ]);
  const base = bases.get(radix);
  const width = radix === "x" ? 6 : 7;
  const show = (offset: number): string =>
    base === undefined ? "" : offset.toString(base).padStart(width, "0");
  if (label === undefined)
    return (offset, end) => (base === undefined ? "" : `${show(offset)}${end}`);
  return (offset, end) => {
    const shown = `(${show(offset + label.plus)})`;
    return base === undefined ? `${shown}${end}` : `${show(offset)} ${shown}${end}`;
  };
}

interface Layout {
  readonly formats: readonly FieldFormat[];
  readonly address: Address;
}

/** Lines of fields, one for each format; a line like the one before is left out. */
export class BlockWriter {
  readonly #run: Run;
  readonly #layout: Layout;
  readonly #width: number;
  readonly #isLittle: boolean;
  readonly #keepsAll: boolean;
  /** Columns of a whole line of fields. */
  readonly #columns: number;
  #last: Uint8Array | undefined;
  #isRepeating = false;

  constructor(run: Run, layout: Layout, width: number) {
    this.#run = run;
    this.#layout = layout;
    this.#width = width;
    this.#isLittle = !(run.options.get("endian") ?? "l").startsWith("b");
    this.#keepsAll = run.has("output-duplicates");
    this.#columns = Math.max(
      ...layout.formats.map((format) => (format.width + 1) * (width / format.size)),
    );
  }

  /** `length` bytes of a line; zeros behind them. */
  write(view: DataView, offset: number, length: number): void {
    if (!this.#keepsAll && length === this.#width && this.#isRepeated(view)) return;
    let start = this.#layout.address(offset, "");
    for (const format of this.#layout.formats) {
      this.#run.out.addText(`${start}${this.#line(format, view, length)}\n`);
      start = " ".repeat(start.length);
    }
  }

  #isRepeated(view: DataView): boolean {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, this.#width);
    const last = this.#last;
    if (last !== undefined && last.every((byte, at) => byte === bytes[at])) {
      if (!this.#isRepeating) this.#run.out.addText("*\n");
      this.#isRepeating = true;
      return true;
    }
    this.#isRepeating = false;
    this.#last = bytes.slice();
    return false;
  }

  #line(format: FieldFormat, view: DataView, length: number): string {
    const fields = this.#width / format.size;
    const pad = this.#columns - fields * format.width;
    const blank = Math.floor((this.#width - length) / format.size);
    let line = "";
    let padLeft = pad;
    for (let left = fields; left > blank; left--) {
      const next = Math.floor((pad * (left - 1)) / fields);
      const shown = format.show(view, (fields - left) * format.size, this.#isLittle);
      line += shown.padStart(padLeft - next + format.width);
      padLeft = next;
    }
    if (!format.hasText) return line;
    const space = blank * format.width + Math.floor((pad * blank) / fields);
    return `${line}${" ".repeat(space)}  >${textOf(view, length)}<`;
  }
}

function textOf(view: DataView, length: number): string {
  let text = "";
  for (let at = 0; at < length; at++) {
    const byte = view.getUint8(at);
    text += byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".";
  }
  return text;
}
