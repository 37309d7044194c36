import { SEEK_END, SEEK_SET, type Sys } from "../../kernel/index.ts";
import { followFiles } from "./follow-files.ts";
import { MEMORY_LIMIT, MemoryLimitError } from "./memory-limit.ts";
import { UsageError } from "./options.ts";
import {
  failOnPart,
  hasHeaders,
  legacyCount,
  partOptions,
  partSummary,
  readCount,
  writePart,
} from "./part-of-file.ts";
import { defineProgram, quoteName, type Run } from "./program.ts";

const CHUNK_BYTES = 65_536;

export const main = defineProgram(
  {
    name: "tail",
    closesStdin: "-",
    usage: ["[OPTION]... [FILE]..."],
    summary: partSummary("last"),
    options: [
      {
        short: "c",
        long: "bytes",
        value: "[+]NUM",
        help: "output the last NUM bytes; or use -c +NUM to\noutput starting with byte NUM of each file",
      },
      {
        short: "f",
        long: "follow",
        value: "HOW",
        isOptional: true,
        help: "output appended data as the file grows",
      },
      { short: "F", help: "same as --follow=name --retry" },
      {
        short: "n",
        long: "lines",
        value: "[+]NUM",
        help: "output the last NUM lines, instead of the last 10;\nor use -n +NUM to output starting with line NUM",
      },
      { long: "max-unchanged-stats", value: "N", help: "(ignored: changes are seen at once)" },
      { long: "pid", value: "PID", help: "with -f, terminate after process ID, PID dies" },
      { long: "retry", help: "keep trying to open a file if it is inaccessible" },
      {
        short: "s",
        long: "sleep-interval",
        value: "N",
        help: "(ignored: changes are seen at once)",
      },
      ...partOptions("output"),
    ],
    isOperand: (word) => /^\+\d/.test(word),
  },
  async (run) => {
    const wish = readWish(run);
    await warnUnfollowed(run);
    const operands = wish.isLegacy ? run.operands.slice(1) : run.operands;
    const isNamed = hasHeaders(run, operands);
    let isFirst = true;
    for (const operand of operands.length === 0 ? ["-"] : operands) {
      try {
        await run.withInput(operand, async (fd) => {
          if (isNamed)
            run.out.addText(
              `${isFirst ? "" : "\n"}==> ${operand === "-" ? "standard input" : operand} <==\n`,
            );
          isFirst = false;
          await run.out.flush();
          await copyTail(run, fd, wish);
        });
      } catch (error) {
        await failOnPart(run, error, { operand, stdin: "cannot fstat" });
      }
    }
    if (run.has("follow") || run.has("F") || legacyCount(run)?.letters.endsWith("f") === true)
      await followFiles(run, operands, isNamed);
  },
);

interface TailWish {
  readonly unit: "lines" | "bytes";
  readonly count: number;
  /** Starting with the count-th, not the last ones. */
  readonly isFromStart: boolean;
  readonly delimiter: number;
  /** `tail +3 file`: the first operand is the count. */
  readonly isLegacy: boolean;
}

function readWish(run: Run): TailWish {
  const { options } = run;
  checkFollowing(run);
  const delimiter = run.has("zero-terminated") ? 0 : 10;
  const bare = legacyCount(run);
  const last = options.last("bytes", "lines");
  if (bare !== undefined && last === undefined) {
    if (!/^[bcl]?f?$/.test(bare.letters)) {
      throw new UsageError(`option used in invalid context -- ${bare.digits.charAt(0)}`, {
        hasHint: false,
      });
    }
    return {
      ...readLegacy(bare.digits, bare.letters),
      isFromStart: false,
      delimiter,
      isLegacy: false,
    };
  }
  const plus = /^\+(\d+)([bcl]?f?)$/.exec(run.operands[0] ?? "");
  if (plus !== null && last === undefined) {
    const count = readLegacy(plus[1] ?? "", plus[2] ?? "");
    return { ...count, isFromStart: true, delimiter, isLegacy: true };
  }
  const unit = last === "bytes" ? "bytes" : "lines";
  const text = options.get(unit) ?? "10";
  const count = readCount(unit, text.replace(/^[-+]/, ""));
  return { unit, count, isFromStart: text.startsWith("+"), delimiter, isLegacy: false };
}

function readLegacy(
  digits: string,
  letters: string,
): { readonly unit: "lines" | "bytes"; readonly count: number } {
  const size = letters.includes("b") ? "b" : "";
  const unit = size !== "" || letters.includes("c") ? "bytes" : "lines";
  return { unit, count: readCount(unit, `${digits}${size}`) };
}

async function warnUnfollowed(run: Run): Promise<void> {
  if (run.has("follow") || run.has("F") || legacyCount(run)?.letters.endsWith("f") === true) return;
  if (run.has("retry"))
    await run.warn("warning: --retry ignored; --retry is useful only when following");
  if (run.has("pid"))
    await run.warn("warning: PID ignored; --pid=PID is useful only when following");
}

function checkFollowing({ options }: Run): void {
  const stats = options.get("max-unchanged-stats");
  if (stats !== undefined && !/^\d+$/.test(stats))
    throw new UsageError(
      `invalid maximum number of unchanged stats between opens: ${quoteName(stats)}`,
      { hasHint: false },
    );
  const pid = options.get("pid");
  if (pid !== undefined && !/^\d+$/.test(pid))
    throw new UsageError(`invalid PID: ${quoteName(pid)}`, { hasHint: false });
  const interval = options.get("sleep-interval");
  if (interval !== undefined && !/^\d*\.?\d+$|^\d+\.$/.test(interval))
    throw new UsageError(`invalid number of seconds: ${quoteName(interval)}`, { hasHint: false });
  const how = options.get("follow") ?? "";
  const isKnown = ["descriptor", "name"].some((word) => word.startsWith(how));
  if (isKnown) return;
  throw new UsageError(
    `invalid argument ${quoteName(how)} for '--follow'\nValid arguments are:\n  - 'descriptor'\n  - 'name'`,
  );
}

async function copyTail(run: Run, fd: number, wish: TailWish): Promise<void> {
  const { sys } = run;
  const { kind, size } = await sys.fstat(fd);
  if (wish.isFromStart) return copyFrom(sys, fd, wish);
  if (kind === "file") {
    const start =
      wish.unit === "bytes"
        ? Math.max(0, size - wish.count)
        : await findLastLines(sys, fd, size, wish);
    await sys.seek(fd, start, SEEK_SET);
    return copyRest(sys, fd);
  }
  return copyLast(sys, fd, wish);
}

async function copyRest(sys: Sys, fd: number): Promise<void> {
  const buffer = new Uint8Array(CHUNK_BYTES);
  for (let count = await sys.read(fd, buffer); count > 0; count = await sys.read(fd, buffer)) {
    await writePart(sys, buffer.subarray(0, count));
  }
}

async function copyFrom(sys: Sys, fd: number, { unit, count, delimiter }: TailWish): Promise<void> {
  const buffer = new Uint8Array(CHUNK_BYTES);
  let skip = Math.max(0, count - 1);
  for (let read = await sys.read(fd, buffer); read > 0; read = await sys.read(fd, buffer)) {
    let start = 0;
    while (skip > 0 && start < read) {
      const at =
        unit === "bytes" ? Math.min(start + skip, read) - 1 : buffer.indexOf(delimiter, start);
      if (at === -1 || at >= read) {
        start = read;
        break;
      }
      skip -= unit === "bytes" ? at + 1 - start : 1;
      start = at + 1;
    }
    if (start < read) await writePart(sys, buffer.subarray(start, read));
  }
}

/** Reads a file from its end backwards for the start of its last lines. */
async function findLastLines(
  sys: Sys,
  fd: number,
  size: number,
  { count, delimiter }: TailWish,
): Promise<number> {
  if (count === 0) return size;
  const buffer = new Uint8Array(CHUNK_BYTES);
  let left = count;
  let end = size;
  await sys.seek(fd, 0, SEEK_END);
  while (end > 0) {
    const from = Math.max(0, end - CHUNK_BYTES);
    const read = await sys.pread(fd, buffer.subarray(0, end - from), from);
    for (
      let at = buffer.subarray(0, read).lastIndexOf(delimiter);
      at !== -1;
      at = at === 0 ? -1 : buffer.subarray(0, at).lastIndexOf(delimiter)
    ) {
      const isLastByte = from + at === size - 1;
      if (isLastByte) continue;
      left -= 1;
      if (left === 0) return from + at + 1;
    }
    end = from;
  }
  return 0;
}

/** From what cannot be sought: only as much is kept as will be shown. */
async function copyLast(sys: Sys, fd: number, wish: TailWish): Promise<void> {
  const kept: Uint8Array[] = [];
  const buffer = new Uint8Array(CHUNK_BYTES);
  let units = 0;
  let size = 0;
  const measure = (chunk: Uint8Array): number =>
    wish.unit === "bytes" ? chunk.length : countOf(chunk, wish.delimiter);
  for (;;) {
    const count = await sys.read(fd, buffer);
    if (count === 0) break;
    const chunk = buffer.slice(0, count);
    kept.push(chunk);
    size += count;
    units += measure(chunk);
    for (
      let first = kept[0];
      first !== undefined && units - measure(first) > wish.count;
      first = kept[0]
    ) {
      units -= measure(first);
      size -= first.length;
      kept.shift();
    }
    if (size > MEMORY_LIMIT) throw new MemoryLimitError();
  }
  await writePart(sys, lastUnits(concat(kept), wish));
}

function lastUnits(all: Uint8Array, { unit, count, delimiter }: TailWish): Uint8Array {
  if (unit === "bytes") return all.subarray(Math.max(0, all.length - count));
  if (count === 0) return new Uint8Array();
  let left = count;
  let at = all.at(-1) === delimiter ? all.length - 1 : all.length;
  while (at > 0) {
    at = all.subarray(0, at).lastIndexOf(delimiter);
    if (at === -1) return all;
    left -= 1;
    if (left === 0) return all.subarray(at + 1);
  }
  return all;
}

function countOf(chunk: Uint8Array, delimiter: number): number {
  let count = 0;
  for (let at = chunk.indexOf(delimiter); at !== -1; at = chunk.indexOf(delimiter, at + 1))
    count += 1;
  return count;
}

function concat(chunks: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
