import { isKernelError, O_CLOEXEC, O_RDONLY } from "../../../kernel/index.ts";
import { grownSize } from "../memory-limit.ts";
import { openOutput } from "../open-output.ts";
import { UsageError } from "../options.ts";
import { Output } from "../output.ts";
import { defineProgram, errorWords, type Run } from "../program.ts";
import { isUtf8Locale } from "../regexp/characters.ts";
import { type Charset, charsetNames, findCharset } from "./charsets.ts";
import { transliterate } from "./transliterate.ts";

const CHUNK_BYTES = 65_536;

export const main = defineProgram(
  {
    name: "iconv",
    usage: ["[OPTION...] [FILE...]"],
    summary: "Convert encoding of given files from one encoding to another.",
    options: [
      { short: "f", long: "from-code", value: "NAME", help: "encoding of original text" },
      { short: "t", long: "to-code", value: "NAME", help: "encoding for output" },
      { short: "l", long: "list", help: "list all known coded character sets" },
      { short: "c", help: "omit invalid characters from output" },
      { short: "o", long: "output", value: "FILE", help: "output file" },
      { short: "s", long: "silent", help: "suppress warnings" },
      { long: "verbose", help: "(ignored)" },
    ],
    hint: (name) => `Try \`${name} --help' or \`${name} --usage' for more information.\n`,
    refusal: 64,
  },
  async (run) => {
    if (run.has("list")) {
      run.out.addText(
        charsetNames()
          .map((name) => `${name}//\n`)
          .join(""),
      );
      return 0;
    }
    const conversion = await readConversion(run);
    const output = run.options.get("output");
    const out =
      output === undefined || output === "-"
        ? run.out
        : new Output(run.sys, await openOutput(run, output, "unable to open output file"));
    const converter = new Converter(run, conversion, out);
    for (const name of run.operands.length === 0 ? ["-"] : run.operands)
      if (!(await convertFile(run, converter, name))) break;
    await out.flush();
    return run.status;
  },
);

interface Conversion {
  readonly from: Charset;
  readonly to: Charset;
  readonly isTransliterating: boolean;
  readonly isOmitting: boolean;
  /** What is left out makes the status 1. */
  readonly failsAtOmission: boolean;
}

async function readConversion(run: Run): Promise<Conversion> {
  const usual = isUtf8Locale(await run.sys.environ()) ? "UTF-8" : "ASCII";
  const [from = ""] = (run.options.get("from-code") ?? usual).split("/");
  const [to = "", , ...suffixes] = (run.options.get("to-code") ?? usual).split("/");
  const source = findCharset(from === "" ? usual : from);
  const target = findCharset(to === "" ? usual : to);
  if (source === undefined || target === undefined)
    throw new UsageError("failed to start conversion processing", {
      status: 1,
      hasHint: false,
    });
  const words = suffixes.join(",").toUpperCase();
  return {
    from: source,
    to: target,
    isTransliterating: words.includes("TRANSLIT"),
    isOmitting: run.has("c") || words.includes("IGNORE"),
    failsAtOmission: words.includes("IGNORE") && !run.has("c"),
  };
}

/** False where nothing more is to be converted. */
async function convertFile(run: Run, converter: Converter, name: string): Promise<boolean> {
  try {
    const fd = name === "-" ? 0 : await run.sys.open(name, O_RDONLY | O_CLOEXEC);
    return await converter.convert(fd);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    await run.out.flush();
    if (error.errno === "EISDIR")
      await run.fail(`error while reading the input: ${errorWords(error)}`);
    else await run.fail(`cannot open input file \`${name}': ${errorWords(error)}`);
    return true;
  }
}

class Converter {
  readonly #run: Run;
  readonly #conversion: Conversion;
  readonly #out: Output;
  #from: Charset;
  #isMarked = false;

  constructor(run: Run, conversion: Conversion, out: Output) {
    this.#run = run;
    this.#conversion = conversion;
    this.#out = out;
    this.#from = conversion.from;
  }

  async convert(fd: number): Promise<boolean> {
    let buffer = new Uint8Array(CHUNK_BYTES);
    let length = 0;
    let offset = 0;
    let isStart = true;
    for (;;) {
      if (length === buffer.length) {
        const larger = new Uint8Array(grownSize(length * 2, length));
        larger.set(buffer);
        buffer = larger;
      }
      const count = await this.#run.sys.read(fd, buffer.subarray(length));
      length += count;
      const block = buffer.subarray(0, length);
      const from = isStart ? this.#sniff(block) : 0;
      isStart = false;
      const used = await this.#convertBlock(block, from, offset, count === 0);
      if (used === undefined) return false;
      if (count === 0) return true;
      offset += used;
      buffer.copyWithin(0, used, length);
      length -= used;
      if (this.#out.isFull) await this.#out.flush();
    }
  }

  #sniff(block: Uint8Array): number {
    const found = this.#conversion.from.sniff?.(block);
    this.#from = found?.charset ?? this.#conversion.from;
    return found?.length ?? 0;
  }

  /** How many bytes were converted; undefined after something that cannot be. */
  async #convertBlock(
    block: Uint8Array,
    start: number,
    offset: number,
    isEnd: boolean,
  ): Promise<number | undefined> {
    let at = start;
    while (at < block.length) {
      const decoded = this.#from.decode(block, at);
      if (decoded === "short") {
        if (!isEnd) return at;
        await this.#complain("incomplete character or shift sequence at end of buffer");
        return undefined;
      }
      const isGood = decoded !== "bad" && this.#put(decoded.code);
      if (!isGood && !this.#conversion.isOmitting) {
        await this.#complain(`illegal input sequence at position ${offset + at}`);
        return undefined;
      }
      if (!isGood && this.#conversion.failsAtOmission) this.#run.status = 1;
      at += decoded === "bad" ? 1 : decoded.length;
    }
    return at;
  }

  async #complain(message: string): Promise<void> {
    await this.#out.flush();
    await this.#run.fail(message);
  }

  #put(code: number): boolean {
    const { to, isTransliterating } = this.#conversion;
    if (!this.#isMarked && to.mark !== undefined) {
      this.#isMarked = true;
      for (const byte of to.mark) this.#out.addByte(byte);
    }
    const bytes = to.encode(code);
    if (bytes !== undefined) {
      for (const byte of bytes) this.#out.addByte(byte);
      return true;
    }
    if (!isTransliterating) return false;
    for (const letter of transliterate(code))
      for (const byte of to.encode(letter.codePointAt(0) ?? 63) ?? [63]) this.#out.addByte(byte);
    return true;
  }
}
