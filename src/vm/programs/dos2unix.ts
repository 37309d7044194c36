/** dos2unix, unix2dos and their Mac forms: line ends turned in place. */
import {
  isKernelError,
  O_CLOEXEC,
  O_CREAT,
  O_TRUNC,
  O_WRONLY,
  type Program,
} from "../../kernel/index.ts";
import { UsageError } from "./options.ts";
import { writeAll } from "./output.ts";
import { defineProgram, errorWords, type Run } from "./program.ts";
import { readAllBytes } from "./read-all.ts";
import { findStat } from "./run-command.ts";

const CR = 13;
const LF = 10;
const MARK = [0xef, 0xbb, 0xbf];

const programs = new Map(["dos2unix", "unix2dos"].map((name) => [name, makeProgram(name)]));

/** Told apart by its name. */
export const main: Program = (sys, argv) => {
  const name = (argv[0] ?? "").replace(/^.*\//s, "");
  const program = programs.get(name) ?? programs.get("dos2unix");
  return program === undefined ? Promise.resolve(1) : program(sys, argv);
};

function makeProgram(name: string): Program {
  return defineProgram(
    {
      name,
      usage: ["[options] [file ...] [-n infile outfile ...]"],
      summary: `Convert line breaks to ${name === "unix2dos" ? "DOS" : "Unix"}'s.`,
      options: [
        { short: "b", long: "keep-bom", help: "keep Byte Order Mark" },
        { short: "c", long: "convmode", value: "mode", help: "conversion mode: ascii or mac" },
        { short: "f", long: "force", help: "force conversion of binary files" },
        { short: "h", help: "same as --help" },
        { short: "i", long: "info", help: "display file information" },
        { short: "k", long: "keepdate", help: "keep output file date" },
        { short: "l", long: "newline", help: "add additional newline" },
        { short: "m", long: "add-bom", help: "add Byte Order Mark" },
        { short: "n", long: "newfile", help: "write to new file" },
        { short: "o", long: "oldfile", help: "write to old file (default)" },
        { short: "q", long: "quiet", help: "suppress all warnings" },
        { short: "r", long: "remove-bom", help: "remove Byte Order Mark" },
        { short: "s", long: "safe", help: "skip binary files (default)" },
        { short: "v", long: "verbose", help: "say how many line breaks were converted" },
        { short: "F", long: "follow-symlink", help: "follow symbolic links" },
        { short: "V", help: "same as --version" },
      ],
    },
    (run) => convertAll(run, name === "unix2dos"),
  );
}

async function convertAll(run: Run, isToDos: boolean): Promise<number> {
  if (run.operands.length === 0) {
    const { bytes } = convert(run, await readAllBytes(run.sys, 0), isToDos);
    run.out.add(bytes);
    return 0;
  }
  const step = run.has("newfile") ? 2 : 1;
  for (let at = 0; at < run.operands.length; at += step) {
    const name = run.operands[at] ?? "";
    const target = step === 2 ? run.operands[at + 1] : name;
    if (target === undefined) {
      throw new UsageError(`target of file ${name} not specified in new-file mode`, {
        hasHint: false,
      });
    }
    await convertFile(run, name, target, isToDos);
  }
  return run.status;
}

async function say(run: Run, message: string): Promise<void> {
  if (!run.has("quiet")) await run.warn(message);
}

async function convertFile(
  run: Run,
  name: string,
  target: string,
  isToDos: boolean,
): Promise<void> {
  const stat = await findStat(run.sys, name);
  if (stat?.kind !== "file") {
    if (stat === undefined) {
      await say(run, `${name}: No such file or directory`);
      run.status = 2;
    }
    await say(run, `Skipping ${name}, not a regular file.`);
    return;
  }
  try {
    let bytes: Uint8Array = new Uint8Array();
    await run.withInput(name, async (fd) => {
      bytes = await readAllBytes(run.sys, fd);
    });
    if (run.has("info")) {
      showInfo(run, name, bytes);
      return;
    }
    const binary = run.has("force") ? undefined : findBinary(bytes);
    if (binary !== undefined) {
      await say(run, `Binary symbol 0x${binary.byte} found at line ${binary.line}`);
      await say(run, `Skipping binary file ${name}`);
      return;
    }
    const to = isToDos ? "DOS" : "Unix";
    const where = name === target ? `${name} to` : `${name} to file ${target} in`;
    const converted = convert(run, bytes, isToDos);
    if (run.has("verbose"))
      await say(run, `Converted ${converted.count} out of ${converted.total} line breaks.`);
    await say(run, `converting file ${where} ${to} format...`);
    const fd = await run.sys.open(
      target,
      O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
      stat.mode & 0o777,
    );
    await writeAll(run.sys, fd, converted.bytes);
    await run.sys.close(fd);
    if (run.has("keepdate")) await run.sys.utimes(target, { mtimeMs: stat.mtimeMs }, {});
  } catch (error) {
    if (!isKernelError(error)) throw error;
    await run.fail(`${name}: ${errorWords(error)}`);
  }
}

/** A byte that no text has, and its line. */
function findBinary(
  bytes: Uint8Array,
): { readonly byte: string; readonly line: number } | undefined {
  let line = 1;
  for (const byte of bytes) {
    if (byte === LF) line += 1;
    const isText =
      byte >= 32 || byte === 9 || byte === LF || byte === CR || byte === 12 || byte === 27;
    if (!isText) return { byte: byte.toString(16).toUpperCase().padStart(2, "0"), line };
  }
  return undefined;
}

function showInfo(run: Run, name: string, bytes: Uint8Array): void {
  let dos = 0;
  let unix = 0;
  let mac = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === LF) unix += 1;
    else if (bytes[at] === CR) {
      if (bytes[at + 1] === LF) {
        dos += 1;
        at += 1;
      } else mac += 1;
    }
  }
  const mark = MARK.every((byte, at) => bytes[at] === byte) ? "UTF-8 " : "no_bom";
  const kind = findBinary(bytes) === undefined ? "text  " : "binary";
  const counts = [dos, unix, mac].map((count) => `  ${String(count).padStart(6)}`).join("");
  run.out.addText(`${counts}  ${mark}    ${kind}  ${name}\n`);
}

interface Converted {
  readonly bytes: Uint8Array;
  readonly count: number;
  readonly total: number;
}

function convert(run: Run, bytes: Uint8Array, isToDos: boolean): Converted {
  const hasMark = MARK.every((byte, at) => bytes[at] === byte);
  const isMac = run.options.get("convmode")?.toLowerCase() === "mac";
  const out = new Gathered();
  const keepsMark =
    run.has("add-bom") || (hasMark && (run.has("keep-bom") || (isToDos && !run.has("remove-bom"))));
  if (keepsMark) for (const byte of MARK) out.addByte(byte);
  let count = 0;
  let total = 0;
  for (let at = hasMark ? MARK.length : 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    const isPair = byte === CR && bytes[at + 1] === LF;
    const isBreak = isMac ? byte === CR && !isPair : byte === LF || isPair;
    if (!isBreak) {
      out.addByte(byte);
      continue;
    }
    total += 1;
    if (isPair) at += 1;
    const isChanged = isPair !== isToDos;
    if (isChanged) count += 1;
    const isDouble = isChanged && run.has("newline");
    for (let left = isDouble ? 2 : 1; left > 0; left--) {
      if (isToDos) out.addByte(CR);
      out.addByte(LF);
    }
  }
  return { bytes: out.bytes(), count, total };
}

class Gathered {
  #buffer = new Uint8Array(4096);
  #length = 0;

  addByte(byte: number): void {
    if (this.#length === this.#buffer.length) {
      const larger = new Uint8Array(this.#length * 2);
      larger.set(this.#buffer);
      this.#buffer = larger;
    }
    this.#buffer[this.#length++] = byte;
  }

  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }
}
