import { decodeText, isKernelError } from "../../kernel/index.ts";
import { forEachLine, LineBlocks } from "./line-blocks.ts";
import { openOutput } from "./open-output.ts";
import { UsageError } from "./options.ts";
import { Output } from "./output.ts";
import { defineProgram, quoteName, type Run } from "./program.ts";
import { quoteFile } from "./quote-text.ts";

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
      {
        long: "all-repeated",
        value: "METHOD",
        isOptional: true,
        help: "like -D, groups delimited by empty lines:\nnone, prepend, separate",
      },
      {
        long: "group",
        value: "METHOD",
        isOptional: true,
        help: "show all lines, groups delimited by empty lines:\nseparate, prepend, append, both",
      },
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
      ...Array.from("0123456789", (digit) => ({
        short: digit,
        value: "NUM",
        isOptional: true,
        help: "same as -f",
      })),
    ],
  },
  async (run) => {
    checkModes(run);
    const [input = "-", output, extra] = run.operands.filter((word) => !/^\+\d+$/.test(word));
    if (extra !== undefined) throw new UsageError(`extra operand ${quoteName(extra)}`);
    const out =
      output === undefined || output === "-"
        ? run.out
        : new Output(run.sys, await openOutput(run, output, output));
    try {
      await run.withInput(input, (fd) => new Groups(run, out).read(fd));
    } catch (error) {
      if (isKernelError(error, "EISDIR") || (isKernelError(error) && input === "-"))
        await run.fail(`error reading ${quoteName(input)}`);
      else await run.failOn(error, quoteFile(input));
    }
    await out.flush();
  },
);

const repeatedMethods = ["none", "prepend", "separate"];
const groupMethods = ["prepend", "append", "separate", "both"];

function checkModes(run: Run): void {
  readMethod(run, "group", groupMethods);
  readMethod(run, "all-repeated", repeatedMethods);
  const isAll = run.has("D") || run.has("all-repeated");
  if (run.has("group") && (isAll || ["count", "repeated", "unique"].some((name) => run.has(name))))
    throw new UsageError("--group is mutually exclusive with -c/-d/-D/-u");
  if (isAll && run.has("count"))
    throw new UsageError("printing all duplicated lines and repeat counts is meaningless");
}

function readMethod(run: Run, name: string, methods: readonly string[]): string | undefined {
  const text = run.options.get(name);
  if (text === undefined || text === "") return text;
  const matching = methods.filter((one) => one.startsWith(text));
  if (matching.length === 1) return matching[0];
  const problem = matching.length > 1 ? "ambiguous" : "invalid";
  const valid = methods.map((one) => `  - '${one}'`).join("\n");
  throw new UsageError(
    `${problem} argument ${quoteName(text)} for '--${name}'\nValid arguments are:\n${valid}`,
  );
}

/** Lines that follow each other and are the same. */
class Groups {
  readonly #run: Run;
  readonly #out: Output;
  readonly #end: number;
  /** What lines are compared by; undefined is their bytes. */
  readonly #key: ((line: Uint8Array) => string) | undefined;
  /** Which lines are shown one by one: all, or those of groups of several. */
  readonly #shows: "all" | "repeated" | "groups";
  readonly #method: string;
  #first: Uint8Array | undefined;
  #firstKey = "";
  #count = 0;
  #hasShown = false;

  constructor(run: Run, out: Output) {
    this.#run = run;
    this.#out = out;
    this.#end = run.has("zero-terminated") ? 0 : 10;
    this.#key = makeKey(run);
    const isRepeated = run.has("D") || run.has("all-repeated");
    this.#shows = run.has("group") ? "all" : isRepeated ? "repeated" : "groups";
    const method = run.has("group")
      ? readMethod(run, "group", groupMethods) || "separate"
      : readMethod(run, "all-repeated", repeatedMethods) || "none";
    this.#method = method;
  }

  async read(fd: number): Promise<void> {
    const blocks = new LineBlocks(this.#run.sys, fd, this.#end);
    for (let block = await blocks.next(); block !== undefined; block = await blocks.next()) {
      forEachLine(block, (line) => this.#add(line), this.#end);
      if (this.#out.isFull) await this.#out.flush();
    }
    this.#close();
    const isClosed = this.#method === "append" || this.#method === "both";
    if (this.#hasShown && isClosed) this.#out.addByte(this.#end);
  }

  #add(line: Uint8Array): void {
    const key = this.#key?.(line) ?? "";
    const isSame =
      this.#key === undefined
        ? this.#first !== undefined && isEqual(this.#first, line)
        : key === this.#firstKey;
    if (this.#first !== undefined && isSame) {
      this.#count += 1;
      if (this.#shows === "groups") return;
      if (this.#count === 2 && this.#shows === "repeated") this.#open(this.#first);
      this.#print(line);
      return;
    }
    this.#close();
    this.#first = line.slice();
    this.#firstKey = key;
    this.#count = 1;
    if (this.#shows === "all") this.#open(line);
  }

  /** The first line of a group, behind what delimits it. */
  #open(line: Uint8Array): void {
    const isDelimited =
      this.#method === "prepend" ||
      this.#method === "both" ||
      (this.#hasShown && this.#method !== "none");
    if (isDelimited) this.#out.addByte(this.#end);
    this.#hasShown = true;
    this.#print(line);
  }

  #close(): void {
    if (this.#first === undefined || this.#shows !== "groups") return;
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
  const digits = run.options.order.filter((name) => /^\d$/.test(name));
  const legacy = digits.map((digit) => `${digit}${run.options.get(digit) ?? ""}`).join("");
  const plus = run.operands.find((word) => /^\+\d+$/.test(word));
  const fields = number("skip-fields", "fields to skip") ?? Number(legacy);
  const skipped = number("skip-chars", "bytes to skip") ?? Number(plus ?? 0);
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
