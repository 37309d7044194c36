import { type Algorithm, algorithms } from "./algorithms.ts";

/** What a line of checksums says about a file. */
export interface CheckLine {
  readonly name: string;
  readonly hex: string;
  readonly algorithm: Algorithm;
  readonly bits: number;
}

/** Reads lines that the programs write, with and without tags. */
export class CheckLineReader {
  readonly #algorithm: Algorithm | undefined;
  readonly #bits: number | undefined;
  /** BSD's form, one blank between digest and name; not known before the first line. */
  #isReversed: boolean | undefined;

  /** Without an algorithm each line says its own; `bits` is what `--length` asks for. */
  constructor(algorithm: Algorithm | undefined, bits: number | undefined) {
    this.#algorithm = algorithm;
    this.#bits = bits;
  }

  /** Undefined where the line has another form. */
  read(text: string): CheckLine | undefined {
    const bare = text.replace(/^[ \t]+/, "");
    const isEscaped = bare.startsWith("\\");
    const line = isEscaped ? bare.slice(1) : bare;
    const found = this.#readTagged(line) ?? this.#readPlain(line);
    if (found === undefined || found === "other") return undefined;
    if (!isEscaped) return found;
    const name = unescape(found.name);
    return name === undefined ? undefined : { ...found, name };
  }

  #readTagged(line: string): CheckLine | "other" | undefined {
    const candidates = this.#algorithm === undefined ? algorithms : [this.#algorithm];
    const match = /^([A-Za-z\d]+)(?:-(\d+))? ?\((.*)\)[ \t]*=[ \t]*([0-9a-fA-F]+)$/s.exec(line);
    if (match === null) return undefined;
    const [, tag = "", length, name = "", hex = ""] = match;
    const algorithm = candidates.find((one) => one.tag === tag);
    if (algorithm === undefined || (length !== undefined && !algorithm.hasLength)) return "other";
    const bits = length === undefined ? algorithm.bits : Number(length);
    if (bits === 0 || bits % 8 !== 0 || bits > algorithm.bits || hex.length !== bits / 4)
      return "other";
    return { name, hex, algorithm, bits };
  }

  #readPlain(line: string): CheckLine | undefined {
    const algorithm = this.#algorithm;
    if (algorithm === undefined) return undefined;
    const match = /^([0-9a-fA-F]+)[ \t](.*)$/s.exec(line);
    const [, hex = "", rest = ""] = match ?? [];
    const bits = algorithm.hasLength ? hex.length * 4 : algorithm.bits;
    const isGood = hex.length === bits / 4 && bits > 0 && bits % 8 === 0 && bits <= algorithm.bits;
    if (match === null || !isGood || rest === "") return undefined;
    if (this.#bits !== undefined && algorithm.hasLength && this.#bits !== bits) return undefined;
    if (rest.length === 1 || !/^[ *]/.test(rest)) {
      if (this.#isReversed === false) return undefined;
      this.#isReversed = true;
      return { name: rest, hex, algorithm, bits };
    }
    if (this.#isReversed === true) return { name: rest, hex, algorithm, bits };
    this.#isReversed = false;
    return { name: rest.slice(1), hex, algorithm, bits };
  }
}

function unescape(name: string): string | undefined {
  if (/\\(?![nr\\])/.test(name.replaceAll("\\\\", ""))) return undefined;
  return name.replace(/\\(.)/g, (_, letter: string) =>
    letter === "n" ? "\n" : letter === "r" ? "\r" : "\\",
  );
}
