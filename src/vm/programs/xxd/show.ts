import type { Output } from "../output.ts";
import type { XxdSettings } from "./settings.ts";

/** Takes bytes and writes them as they are to be shown. */
export interface Shower {
  add(byte: number): void;
  end(): void;
}

const lowerDigits = "0123456789abcdef";

function hex(byte: number, isUpper: boolean): string {
  const text = `${lowerDigits.charAt(byte >> 4)}${lowerDigits.charAt(byte & 15)}`;
  return isUpper ? text.toUpperCase() : text;
}

export function makeShower(out: Output, settings: XxdSettings, start: number): Shower {
  if (settings.kind === "plain") return plainShower(out, settings);
  if (settings.kind === "include") return includeShower(out, settings);
  return new LineShower(out, settings, start);
}

function plainShower(out: Output, { columns, isUpper }: XxdSettings): Shower {
  let column = 0;
  return {
    add: (byte) => {
      out.addText(hex(byte, isUpper));
      column += 1;
      if (columns === 0 || column < columns) return;
      out.addByte(10);
      column = 0;
    },
    end: () => {
      if (columns === 0 || column > 0) out.addByte(10);
    },
  };
}

/** C's array; it has a name where the input has one. */
function includeShower(out: Output, settings: XxdSettings): Shower {
  const [file] = settings.operands;
  const given = settings.name ?? (file === "-" ? undefined : file);
  const cased = settings.isCapital ? given?.toUpperCase() : given;
  const bare = cased?.replace(/[^A-Za-z0-9]/g, "_");
  const name = bare !== undefined && /^\d/.test(bare) ? `__${bare}` : bare;
  if (name !== undefined) out.addText(`unsigned char ${name}[] = {\n`);
  let count = 0;
  return {
    add: (byte) => {
      const before = count % settings.columns !== 0 ? ", " : count === 0 ? "  " : ",\n  ";
      out.addText(`${before}${settings.isUpper ? "0X" : "0x"}${hex(byte, settings.isUpper)}`);
      count += 1;
    },
    end: () => {
      if (count > 0) out.addByte(10);
      if (name === undefined) return;
      const length = settings.isCapital ? "_LEN" : "_len";
      out.addText(`};\nunsigned int ${name}${length} = ${count};\n`);
    },
  };
}

/** Lines of an offset, groups of bytes and their text. */
class LineShower implements Shower {
  readonly #out: Output;
  readonly #settings: XxdSettings;
  readonly #line: number[] = [];
  #offset: number;
  /** How many lines of zeros came, the second and the last of them. */
  #zeroLines = 0;
  #secondZeros = "";
  #lastZeros = "";

  constructor(out: Output, settings: XxdSettings, start: number) {
    this.#out = out;
    this.#settings = settings;
    this.#offset = start + settings.shown;
  }

  add(byte: number): void {
    this.#line.push(byte);
    if (this.#line.length === this.#settings.columns) this.#flush(false);
  }

  end(): void {
    if (this.#line.length > 0) this.#flush(true);
    else this.#releaseZeros(true);
  }

  #flush(isLast: boolean): void {
    const text = this.#text();
    const isZero = this.#settings.skipsZeros && !isLast && this.#line.every((byte) => byte === 0);
    this.#offset += this.#line.length;
    this.#line.length = 0;
    if (isZero) {
      this.#zeroLines += 1;
      if (this.#zeroLines === 2) this.#secondZeros = text;
      this.#lastZeros = text;
      if (this.#zeroLines === 1) this.#out.addText(text);
      return;
    }
    this.#releaseZeros(false);
    this.#out.addText(text);
  }

  /** The first line of zeros is out; the others are a star, and the last where nothing follows. */
  #releaseZeros(isEnd: boolean): void {
    const held = this.#zeroLines;
    this.#zeroLines = 0;
    if (held < 2) return;
    const between = held === 2 ? "" : held === 3 ? this.#secondZeros : "*\n";
    if (isEnd) this.#out.addText(`${between}${this.#lastZeros}`);
    else this.#out.addText(held === 2 ? this.#secondZeros : "*\n");
  }

  #text(): string {
    const { columns, group, kind, isDecimal } = this.#settings;
    const address = `${this.#offset.toString(isDecimal ? 10 : 16).padStart(8, "0")}:`;
    const size = kind === "bits" ? 8 : 2;
    const groupWidth = group * size + 1;
    const cells = Array.from({ length: columns + group }, () => "");
    for (const [at, byte] of this.#line.entries())
      cells[kind === "little" ? at ^ (group - 1) : at] = this.#cell(byte);
    let shown = "";
    const width =
      kind === "little"
        ? groupWidth * Math.ceil(columns / group) - 1
        : Math.floor((groupWidth * columns - 1) / group);
    for (const [at, cell] of cells.entries()) {
      shown += cell === "" ? " ".repeat(size) : cell;
      if (at % group === group - 1) shown += " ";
    }
    const characters = this.#line.map((byte) =>
      byte > 31 && byte < 127 ? String.fromCharCode(byte) : ".",
    );
    return `${address} ${shown
      .slice(0, width + 2)
      .trimEnd()
      .padEnd(width + 2)}${characters.join("")}\n`;
  }

  #cell(byte: number): string {
    if (this.#settings.kind === "bits") return byte.toString(2).padStart(8, "0");
    return hex(byte, this.#settings.isUpper);
  }
}
