import { decodeText } from "../../kernel/index.ts";
import { forEachLine, LineBlocks } from "./line-blocks.ts";
import { openOutput } from "./open-output.ts";
import { UsageError } from "./options.ts";
import { Output } from "./output.ts";
import { defineProgram, quoteName, type Run } from "./program.ts";

export const main = defineProgram(
  {
    name: "uniq",
    usage: ["[OPTION]... [INPUT [OUTPUT]]"],
    summary:
      "Filter adjacent matching lines from INPUT (or standard input),\nwriting to OUTPUT (or standard output).",
    options: [
      { short: "c", long: "count", help: "prefix lines by the number of occurrences" },
      { short: "d", long: "repeated", help: "only print duplicate lines, one for each group" },
      { short: "D", help: "print all duplicate lines" },
      { short: "f", long: "skip-fields", value: "N", help: "avoid comparing the first N fields" },
      { short: "i", long: "ignore-case", help: "ignore differences in case when comparing" },
      {
        short: "s",
        long: "skip-chars",
        value: "N",
        help: "avoid comparing the first N characters",
      },
      { short: "u", long: "unique", help: "only print unique lines" },
      {
        short: "w",
        long: "check-chars",
        value: "N",
        help: "compare no more than N characters in lines",
      },
      { short: "z", long: "zero-terminated", help: "line delimiter is NUL, not newline" },
    ],
  },
  async (run) => {
    const [input = "-", output, extra] = run.operands;
    if (extra !== undefined) throw new UsageError(`extra operand ${quoteName(extra)}`);
    const out =
      output === undefined || output === "-"
        ? run.out
        : new Output(run.sys, await openOutput(run, output, output));
    try {
      await run.withInput(input, (fd) => new Groups(run, out).read(fd));
    } catch (error) {
      await run.failOn(error, input);
    }
    await out.flush();
  },
);

/** Lines that follow each other and are the same. */
class Groups {
  readonly #run: Run;
  readonly #out: Output;
  readonly #end: number;
  /** What lines are compared by; undefined is their bytes. */
  readonly #key: ((line: Uint8Array) => string) | undefined;
  #first: Uint8Array | undefined;
  #firstKey = "";
  #count = 0;

  constructor(run: Run, out: Output) {
    this.#run = run;
    this.#out = out;
    this.#end = run.has("zero-terminated") ? 0 : 10;
    this.#key = makeKey(run);
  }

  async read(fd: number): Promise<void> {
    const blocks = new LineBlocks(this.#run.sys, fd, this.#end);
    for (let block = await blocks.next(); block !== undefined; block = await blocks.next()) {
      forEachLine(block, (line) => this.#add(line), this.#end);
      if (this.#out.isFull) await this.#out.flush();
    }
    this.#close();
  }

  #add(line: Uint8Array): void {
    const key = this.#key?.(line) ?? "";
    const isSame =
      this.#key === undefined
        ? this.#first !== undefined && isEqual(this.#first, line)
        : key === this.#firstKey;
    if (this.#first !== undefined && isSame) {
      this.#count += 1;
      if (!this.#run.has("D")) return;
      if (this.#count === 2) this.#print(this.#first);
      this.#print(line);
      return;
    }
    this.#close();
    this.#first = line.slice();
    this.#firstKey = key;
    this.#count = 1;
  }

  #close(): void {
    if (this.#first === undefined || this.#run.has("D")) return;
    const isWanted =
      (!this.#run.has("repeated") || this.#count > 1) &&
      (!this.#run.has("unique") || this.#count === 1);
    if (!isWanted) return;
    if (this.#run.has("count")) this.#out.addText(`${String(this.#count).padStart(7)} `);
    this.#print(this.#first);
  }

  #print(line: Uint8Array): void {
    this.#out.add(line);
    this.#out.addByte(this.#end);
  }
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

function makeKey(run: Run): ((line: Uint8Array) => string) | undefined {
  const number = (name: string, what: string): number | undefined => {
    const text = run.options.get(name);
    if (text === undefined) return undefined;
    if (!/^\d+$/.test(text))
      throw new UsageError(`${text}: invalid number of ${what}`, { hasHint: false });
    return Number(text);
  };
  const fields = number("skip-fields", "fields to skip") ?? 0;
  const skipped = number("skip-chars", "bytes to skip") ?? 0;
  const checked = number("check-chars", "bytes to compare");
  if (fields === 0 && skipped === 0 && checked === undefined && !run.has("ignore-case"))
    return undefined;
  const skip = new RegExp(`^(?:[ \\t]*[^ \\t]+){0,${fields}}`);
  return (line) => {
    let text = decodeText(line);
    if (fields > 0) text = text.replace(skip, "");
    if (skipped > 0 || checked !== undefined)
      text = text.slice(skipped, checked === undefined ? undefined : skipped + checked);
    return run.has("ignore-case") ? text.toUpperCase() : text;
  };
}
