import { isKernelError, O_CLOEXEC, O_CREAT, O_WRONLY } from "../../kernel/index.ts";
import { UsageError } from "./options.ts";
import { parseDate, parseStamp } from "./parse-date.ts";
import { defineProgram, errorWords, quoteName, type Run } from "./program.ts";

interface Times {
  readonly atimeMs: number | "now";
  readonly mtimeMs: number | "now";
}

export const main = defineProgram(
  {
    name: "touch",
    usage: ["[OPTION]... FILE..."],
    summary: "Update the access and modification times of each FILE to the current time.",
    options: [
      { short: "a", help: "change only the access time" },
      { short: "c", long: "no-create", help: "do not create any files" },
      {
        short: "d",
        long: "date",
        value: "STRING",
        help: "parse STRING and use it instead of current time",
      },
      { short: "f", help: "(ignored)" },
      {
        short: "h",
        long: "no-dereference",
        help: "affect each symbolic link instead of any referenced\nfile",
      },
      { short: "m", help: "change only the modification time" },
      {
        short: "r",
        long: "reference",
        value: "FILE",
        help: "use this file's times instead of current time",
      },
      { short: "t", value: "STAMP", help: "use [[CC]YY]MMDDhhmm[.ss] instead of current time" },
      {
        long: "time",
        value: "WORD",
        help: "change the specified time: access, atime, use: like -a;\nmodify, mtime: like -m",
      },
    ],
  },
  async (run) => {
    const times = await chooseTimes(run);
    if (run.operands.length === 0) throw new UsageError("missing file operand");
    for (const operand of run.operands) {
      try {
        await touch(run, operand, times);
      } catch (error) {
        if (!isKernelError(error)) throw error;
        const isSetting = error.errno === "EPERM" || error.errno === "EACCES";
        const verb =
          isSetting && (await exists(run, operand))
            ? "setting times of"
            : run.has("no-create")
              ? "setting times of"
              : "cannot touch";
        await run.fail(`${verb} ${quoteName(operand)}: ${errorWords(error)}`);
      }
    }
  },
);

async function exists(run: Run, path: string): Promise<boolean> {
  try {
    await run.sys.lstat(path);
    return true;
  } catch (error) {
    if (isKernelError(error)) return false;
    throw error;
  }
}

async function chooseTimes(run: Run): Promise<Times> {
  const { nowMs } = await run.sys.clock();
  const reference = run.options.get("reference");
  const stamp = run.options.get("t");
  const date = run.options.get("date");
  if (stamp !== undefined) {
    const time = parseStamp(stamp, nowMs);
    if (time === undefined) throw new UsageError(`invalid date format ${quoteName(stamp)}`);
    return { atimeMs: time, mtimeMs: time };
  }
  if (reference !== undefined) {
    try {
      const { atimeMs, mtimeMs } = await run.sys.stat(reference);
      return { atimeMs, mtimeMs };
    } catch (error) {
      if (!isKernelError(error)) throw error;
      throw new UsageError(
        `failed to get attributes of ${quoteName(reference)}: ${errorWords(error)}`,
        { hasHint: false },
      );
    }
  }
  if (date === undefined) return { atimeMs: "now", mtimeMs: "now" };
  const time = parseDate(date, nowMs);
  if (time === undefined)
    throw new UsageError(`invalid date format ${quoteName(date)}`, { hasHint: false });
  return { atimeMs: time, mtimeMs: time };
}

async function touch(run: Run, path: string, times: Times): Promise<void> {
  const { sys } = run;
  const word = run.options.get("time");
  const isAccess = run.has("a") || ["access", "atime", "use"].includes(word ?? "");
  const isModify = run.has("m") || ["modify", "mtime"].includes(word ?? "");
  const isBoth = isAccess === isModify;
  const wanted = {
    ...(isBoth || isAccess ? { atimeMs: times.atimeMs } : {}),
    ...(isBoth || isModify ? { mtimeMs: times.mtimeMs } : {}),
  };
  const followLinks = !run.has("no-dereference");
  try {
    await sys.utimes(path, wanted, { followsLast: followLinks });
    return;
  } catch (error) {
    if (!isKernelError(error, "ENOENT")) throw error;
    if (run.has("no-create") || !followLinks) return;
  }
  const fd = await sys.open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666);
  await sys.close(fd);
  if (times.mtimeMs !== "now") await sys.utimes(path, wanted, { followsLast: followLinks });
}
