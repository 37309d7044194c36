import { encodeText, isKernelError, O_CLOEXEC, O_RDONLY } from "../../kernel/index.ts";
import { MEMORY_LIMIT, MemoryLimitError } from "./memory-limit.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, type Run } from "./program.ts";

const CHUNK_BYTES = 65_536;

export const main = defineProgram(
  {
    name: "strings",
    usage: ["[option(s)] [file(s)]"],
    summary: "Display printable strings in [file(s)] (stdin by default)",
    options: [
      { short: "a", long: "all", help: "scan the entire file (default)" },
      { short: "d", long: "data", help: "(ignored: all of a file is scanned)" },
      { short: "f", long: "print-file-name", help: "the file's name before each string" },
      {
        short: "n",
        long: "bytes",
        value: "number",
        help: "at least so many characters (default 4)",
      },
      { short: "t", long: "radix", value: "{o,d,x}", help: "the string's place, in this base" },
      { short: "w", long: "include-all-whitespace", help: "white space is part of strings" },
      { short: "o", help: "same as --radix=o" },
      { short: "T", long: "target", value: "BFDNAME", help: "(ignored)" },
      {
        short: "e",
        long: "encoding",
        value: "{s,S,b,l,B,L}",
        help: "7 bits, 8 bits, 16 or 32 bits in big or little order",
      },
      {
        short: "s",
        long: "output-separator",
        value: "string",
        help: "behind each string instead of a newline",
      },
      ...Array.from("0123456789", (digit) => ({
        short: digit,
        value: "NUM",
        isOptional: true,
        help: "same as -n",
      })),
    ],
  },
  async (run) => {
    const finder = new Finder(run, readForm(run));
    const names = run.operands.length === 0 ? [undefined] : run.operands;
    for (const name of names) await searchFile(run, finder, name);
  },
);

async function searchFile(run: Run, finder: Finder, name: string | undefined): Promise<void> {
  if (name === undefined) return finder.search(0, "{standard input}");
  try {
    const fd = await run.sys.open(name, O_RDONLY | O_CLOEXEC);
    await finder.search(fd, name);
    await run.sys.close(fd);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    await run.out.flush();
    if (error.errno === "ENOENT") await run.fail(`'${name}': No such file`);
    else if (error.errno === "EISDIR") await run.fail(`Warning: '${name}' is a directory`);
    else await run.fail(`${name}: ${errorWords(error)}`);
  }
}

interface Form {
  readonly least: number;
  readonly base: 8 | 10 | 16 | undefined;
  /** Bytes of a character. */
  readonly size: 1 | 2 | 4;
  readonly isLittle: boolean;
  readonly isEightBit: boolean;
  readonly separator: Uint8Array;
}

function readForm(run: Run): Form {
  const { options } = run;
  const digit = options.order.find((name) => /^\d$/.test(name));
  const text =
    options.get("bytes") ?? (digit === undefined ? "4" : `${digit}${options.get(digit) ?? ""}`);
  if (!/^(?:0[xX][0-9a-fA-F]+|\d+)$/.test(text))
    throw new UsageError(`invalid integer argument ${text}`, { hasHint: false });
  const least = Number(text);
  if (least < 1) throw new UsageError(`invalid minimum string length ${least}`, { hasHint: false });
  const radix = options.last("radix", "o") === "o" ? "o" : options.get("radix");
  const base = radix === undefined ? undefined : radix === "o" ? 8 : radix === "d" ? 10 : 16;
  const encoding = options.get("encoding") ?? "s";
  if ((radix !== undefined && !/^[odx]$/.test(radix)) || !/^[sSblBL]$/.test(encoding))
    throw new UsageError("");
  const size = /[bl]/.test(encoding) ? 2 : /[BL]/.test(encoding) ? 4 : 1;
  const separator = encodeText(options.get("output-separator") ?? "\n");
  const isLittle = encoding.toLowerCase() === "l";
  return { least, base, size, isLittle, isEightBit: encoding === "S", separator };
}

class Finder {
  readonly #run: Run;
  readonly #form: Form;
  #name = "";
  #found: number[] = [];
  #start = 0;
  /** Bytes of a character that is not yet whole. */
  #partial = 0;
  #partialBytes = 0;

  constructor(run: Run, form: Form) {
    this.#run = run;
    this.#form = form;
  }

  async search(fd: number, name: string): Promise<void> {
    const buffer = new Uint8Array(CHUNK_BYTES);
    this.#name = name;
    this.#found = [];
    this.#partialBytes = 0;
    let offset = 0;
    for (;;) {
      const count = await this.#run.sys.read(fd, buffer);
      if (count === 0) break;
      for (let at = 0; at < count; at++) this.#byte(buffer[at] ?? 0, offset + at);
      offset += count;
      if (this.#run.out.isFull) await this.#run.out.flush();
    }
    this.#end();
  }

  #byte(byte: number, offset: number): void {
    const { size, isLittle } = this.#form;
    if (size === 1) {
      this.#character(byte, offset);
      return;
    }
    const shift = isLittle ? 256 ** this.#partialBytes : 1;
    this.#partial = isLittle ? this.#partial + byte * shift : this.#partial * 256 + byte;
    this.#partialBytes += 1;
    if (this.#partialBytes < size) return;
    this.#character(this.#partial, offset - size + 1);
    this.#partial = 0;
    this.#partialBytes = 0;
  }

  #character(code: number, offset: number): void {
    const isSpace = this.#run.has("include-all-whitespace") && code >= 10 && code <= 13;
    const isShown =
      (code >= 32 && code < 127) ||
      code === 9 ||
      isSpace ||
      (this.#form.isEightBit && code > 127 && code < 256);
    if (!isShown) {
      this.#end();
      return;
    }
    if (this.#found.length === 0) this.#start = offset;
    this.#found.push(code);
    if (this.#found.length > MEMORY_LIMIT / 16) throw new MemoryLimitError();
  }

  #end(): void {
    const found = this.#found;
    if (found.length === 0) return;
    this.#found = [];
    const { least, base, separator } = this.#form;
    if (found.length < least) return;
    const { out } = this.#run;
    if (this.#run.has("print-file-name")) out.addText(`${this.#name}: `);
    if (base !== undefined) out.addText(`${this.#start.toString(base).padStart(7)} `);
    out.add(Uint8Array.from(found));
    out.add(separator);
  }
}
