import { giveBack } from "./give-back.ts";
import { LineBlocks } from "./line-blocks.ts";
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
import { defineProgram, type Run } from "./program.ts";

const CHUNK_BYTES = 65_536;

export const main = defineProgram(
  {
    name: "head",
    closesStdin: "-",
    usage: ["[OPTION]... [FILE]..."],
    summary: partSummary("first"),
    options: [
      {
        short: "c",
        long: "bytes",
        value: "[-]NUM",
        help: "print the first NUM bytes of each file;\nwith the leading '-', print all but the last\nNUM bytes of each file",
      },
      {
        short: "n",
        long: "lines",
        value: "[-]NUM",
        help: "print the first NUM lines instead of the first 10;\nwith the leading '-', print all but the last\nNUM lines of each file",
      },
      ...partOptions("print"),
    ],
  },
  async (run) => {
    const wish = readWish(run);
    const isNamed = hasHeaders(run, run.operands, legacyCount(run)?.letters);
    let isFirst = true;
    for (const operand of run.operands.length === 0 ? ["-"] : run.operands) {
      try {
        await run.withInput(operand, async (fd) => {
          if (isNamed) {
            await writeText(
              run,
              `${isFirst ? "" : "\n"}==> ${operand === "-" ? "standard input" : operand} <==\n`,
            );
            isFirst = false;
          }
          await copyHead(run, fd, wish);
        });
      } catch (error) {
        await failOnPart(run, error, { operand, stdin: "error reading" });
      }
    }
  },
);

async function writeText(run: Run, text: string): Promise<void> {
  run.out.addText(text);
  await run.out.flush();
}

interface HeadWish {
  readonly unit: "lines" | "bytes";
  readonly count: number;
  /** All but the last `count`. */
  readonly isFromEnd: boolean;
  readonly delimiter: number;
}

function readWish(run: Run): HeadWish {
  const { options } = run;
  const legacy = legacyCount(run);
  const last = options.last("bytes", "lines");
  const delimiter = run.has("zero-terminated") ? 0 : 10;
  if (legacy !== undefined && last === undefined) return readLegacy(legacy, delimiter);
  const unit = last === "bytes" ? "bytes" : "lines";
  const text = options.get(unit) ?? "10";
  const count = readCount(unit, text.replace(/^-/, ""));
  return { unit, count, isFromEnd: text.startsWith("-"), delimiter };
}

function readLegacy(
  { digits, letters }: { readonly digits: string; readonly letters: string },
  delimiter: number,
): HeadWish {
  const bad = /[^bcklmqvz]/.exec(letters)?.[0];
  if (bad !== undefined) throw new UsageError(`invalid trailing option -- ${bad}`);
  const size = /[bkm]/.exec(letters)?.[0] ?? "";
  const unit = size !== "" || letters.includes("c") ? "bytes" : "lines";
  const count = readCount(unit, `${digits}${size}`);
  return { unit, count, isFromEnd: false, delimiter: letters.includes("z") ? 0 : delimiter };
}

async function copyHead(run: Run, fd: number, wish: HeadWish): Promise<void> {
  if (wish.isFromEnd)
    return wish.unit === "lines" ? allButLines(run, fd, wish) : allButBytes(run, fd, wish.count);
  return wish.unit === "lines" ? firstLines(run, fd, wish) : firstBytes(run, fd, wish.count);
}

async function firstBytes({ sys }: Run, fd: number, count: number): Promise<void> {
  const buffer = new Uint8Array(Math.min(CHUNK_BYTES, count));
  for (let left = count; left > 0; ) {
    const read = await sys.read(fd, buffer.subarray(0, Math.min(left, buffer.length)));
    if (read === 0) return;
    await writePart(sys, buffer.subarray(0, read));
    left -= read;
  }
}

async function firstLines({ sys }: Run, fd: number, { count, delimiter }: HeadWish): Promise<void> {
  const buffer = new Uint8Array(CHUNK_BYTES);
  for (let left = count; left > 0; ) {
    const read = await sys.read(fd, buffer);
    if (read === 0) return;
    let end = 0;
    while (left > 0 && end < read) {
      const at = buffer.indexOf(delimiter, end);
      end = at === -1 || at >= read ? read : at + 1;
      if (at !== -1 && at < read) left -= 1;
    }
    await writePart(sys, buffer.subarray(0, end));
    if (left === 0) await giveBack(sys, fd, read - end);
  }
}

/** What holding a line costs beside its bytes. */
const LINE_BYTES = 128;

async function allButLines(run: Run, fd: number, { count, delimiter }: HeadWish): Promise<void> {
  const blocks = new LineBlocks(run.sys, fd, delimiter);
  const held: Uint8Array[] = [];
  let size = 0;
  for (let block = await blocks.next(); block !== undefined; block = await blocks.next()) {
    for (let start = 0; start < block.length; ) {
      const at = block.indexOf(delimiter, start);
      const end = at === -1 ? block.length : at + 1;
      held.push(block.slice(start, end));
      size += end - start + LINE_BYTES;
      start = end;
      if (held.length > count) {
        const line = held.shift() ?? new Uint8Array();
        size -= line.length + LINE_BYTES;
        await run.out.write(line);
      }
      if (size > MEMORY_LIMIT) throw new MemoryLimitError();
    }
  }
  await run.out.flush();
  await giveBack(run.sys, fd, size - held.length * LINE_BYTES);
}

async function allButBytes(run: Run, fd: number, count: number): Promise<void> {
  const buffer = new Uint8Array(CHUNK_BYTES);
  const held: Uint8Array[] = [];
  let size = 0;
  for (let read = await run.sys.read(fd, buffer); read > 0; read = await run.sys.read(fd, buffer)) {
    held.push(buffer.slice(0, read));
    size += read;
    for (let [first] = held; first !== undefined && size - first.length >= count; [first] = held) {
      await run.out.write(first);
      size -= first.length;
      held.shift();
    }
    if (size > MEMORY_LIMIT) throw new MemoryLimitError();
  }
  if (size > count) await run.out.write(held[0]?.subarray(0, size - count) ?? new Uint8Array());
  await run.out.flush();
  await giveBack(run.sys, fd, Math.min(size, count));
}
