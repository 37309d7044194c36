import { isKernelError, O_CLOEXEC, O_RDONLY, O_WRONLY, SEEK_SET } from "../../kernel/index.ts";
import { joinPath } from "./directory.ts";
import { readNumber } from "./number-argument.ts";
import { UsageError } from "./options.ts";
import { writeAll } from "./output.ts";
import { defineProgram, errorWords, quoteName, type Run } from "./program.ts";
import { quoteFile } from "./quote-text.ts";
import { findStat } from "./run-command.ts";

const CHUNK_BYTES = 65_536;
const BLOCK_BYTES = 4096;
const PASSES_LIMIT = 10_000;

// Deviation: all of shred's passes but the one with zeros are random; GNU's mixes in patterns where there are more than three.
export const main = defineProgram(
  {
    name: "shred",
    usage: ["[OPTION]... FILE..."],
    summary: "Overwrite each FILE repeatedly, to make its content hard to recover.",
    options: [
      { short: "f", long: "force", help: "change permissions to allow writing if necessary" },
      { short: "n", long: "iterations", value: "N", help: "overwrite N times (default: 3)" },
      { long: "random-source", value: "FILE", help: "get random bytes from FILE" },
      { short: "s", long: "size", value: "N", help: "shred this many bytes (suffixes K, M, G)" },
      { short: "u", help: "truncate and remove file after overwriting" },
      { long: "remove", value: "HOW", isOptional: true, help: "like -u: unlink, wipe, wipesync" },
      { short: "v", long: "verbose", help: "show progress" },
      { short: "x", long: "exact", help: "do not round file sizes up to the next full block" },
      { short: "z", long: "zero", help: "add a final overwrite with zeros" },
    ],
  },
  async (run) => {
    const plan = readPlan(run);
    if (run.operands.length === 0) throw new UsageError("missing file operand");
    for (const path of run.operands) {
      try {
        await shredFile(run, path, plan);
      } catch (error) {
        if (!isKernelError(error)) throw error;
        await run.fail(`${quoteFile(path)}: failed to open for writing: ${errorWords(error)}`);
      }
    }
  },
);

interface Plan {
  readonly passes: number;
  readonly size: number | undefined;
  readonly removal: "unlink" | "wipe" | undefined;
}

function readPlan(run: Run): Plan {
  const passes = numberOption(run, "iterations", "number of passes") ?? 3;
  if (passes > PASSES_LIMIT) throw new UsageError(`invalid number of passes: '${passes}'`);
  const size = numberOption(run, "size", "file size");
  const how = run.options.get("remove");
  if (how !== undefined && !["", "unlink", "wipe", "wipesync"].includes(how)) {
    throw new UsageError(
      `invalid argument ${quoteName(how)} for '--remove'\nValid arguments are:\n  - 'unlink'\n  - 'wipe'\n  - 'wipesync'`,
    );
  }
  const isRemoved = how !== undefined || run.has("u");
  return { passes, size, removal: !isRemoved ? undefined : how === "unlink" ? "unlink" : "wipe" };
}

function numberOption(run: Run, name: string, what: string): number | undefined {
  const text = run.options.get(name);
  if (text === undefined) return undefined;
  const { value, problem } = readNumber(text, name === "size" ? { suffixes: "cbBkKMGT0" } : {});
  if (problem !== undefined)
    throw new UsageError(`invalid ${what}: ${quoteName(text)}`, { hasHint: false });
  return Number(value);
}

async function shredFile(run: Run, path: string, plan: Plan): Promise<void> {
  const { sys } = run;
  const isStdout = path === "-";
  if (!isStdout && run.has("force")) await makeWritable(run, path);
  const fd = isStdout ? 1 : await sys.open(path, O_WRONLY | O_CLOEXEC);
  try {
    const stat = await sys.fstat(fd);
    const whole = run.has("exact") ? 1 : BLOCK_BYTES;
    const size = plan.size ?? Math.ceil(stat.size / whole) * whole;
    const kinds = Array.from({ length: plan.passes }, () => "random");
    if (run.has("zero")) kinds.push("000000");
    for (const [at, kind] of kinds.entries()) {
      if (size === 0) break;
      if (run.has("verbose"))
        await run.warn(`${quoteFile(path)}: pass ${at + 1}/${kinds.length} (${kind})...`);
      await overwrite(run, fd, size, kind);
    }
    if (plan.removal !== undefined) await sys.ftruncate(fd, 0);
  } finally {
    if (!isStdout) await sys.close(fd);
  }
  if (plan.removal !== undefined && !isStdout) await removeFile(run, path, plan.removal);
}

async function makeWritable(run: Run, path: string): Promise<void> {
  const stat = await findStat(run.sys, path);
  if (stat !== undefined && (stat.mode & 0o200) === 0) await run.sys.chmod(path, 0o200);
}

async function overwrite(run: Run, fd: number, size: number, kind: string): Promise<void> {
  const { sys } = run;
  const source =
    kind === "random" ? (run.options.get("random-source") ?? "/dev/urandom") : "/dev/zero";
  const from = await sys.open(source, O_RDONLY | O_CLOEXEC);
  try {
    await sys.seek(fd, 0, SEEK_SET);
    const buffer = new Uint8Array(Math.min(size, CHUNK_BYTES));
    for (let left = size; left > 0; ) {
      const count = await sys.read(from, buffer.subarray(0, Math.min(left, buffer.length)));
      if (count === 0) throw new UsageError(`${source}: end of file`, { hasHint: false });
      await writeAll(sys, fd, buffer.subarray(0, count));
      left -= count;
    }
  } finally {
    await sys.close(from);
  }
}

/** Wiping renames the file to ever shorter names first. */
async function removeFile(run: Run, path: string, removal: "unlink" | "wipe"): Promise<void> {
  const { sys } = run;
  const say = async (message: string): Promise<void> => {
    if (run.has("verbose")) await run.warn(message);
  };
  await say(`${quoteFile(path)}: removing`);
  const slash = path.lastIndexOf("/");
  const directory = slash === -1 ? "" : path.slice(0, slash + 1);
  let current = path;
  for (let length = path.length - slash - 1; removal === "wipe" && length > 0; length--) {
    const next = directory === "" ? "0".repeat(length) : joinPath(directory, "0".repeat(length));
    if ((await findStat(sys, next, true)) !== undefined) continue;
    await sys.rename(current, next);
    await say(`${quoteFile(current)}: renamed to ${quoteFile(next)}`);
    current = next;
  }
  await sys.unlink(current);
  await say(`${quoteFile(path)}: removed`);
}
