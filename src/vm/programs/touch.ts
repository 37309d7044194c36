import {
  isKernelError,
  type KernelError,
  O_CLOEXEC,
  O_CREAT,
  O_WRONLY,
} from "../../kernel/index.ts";
import { chooseWord } from "./choose-word.ts";
import { UsageError } from "./options.ts";
import { parseDate, parseStamp } from "./parse-date.ts";
import { defineProgram, errorWords, quoteName, type Run } from "./program.ts";
import { type TimeZone, zoneOf } from "./time-zone.ts";

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
    const word = run.options.get("time");
    if (word !== undefined) chooseWord(word, "--time", timeChoices);
    const times = await chooseTimes(run);
    const startMs = (await run.sys.clock()).nowMs;
    if (run.operands.length === 0) throw new UsageError("missing file operand");
    for (const operand of run.operands) {
      try {
        await touch(run, operand, times, startMs);
      } catch (error) {
        if (!isKernelError(error)) throw error;
        const isSetting = error.errno === "EPERM" || error.errno === "EACCES";
        const verb =
          isSetting && (await exists(run, operand))
            ? "setting times of"
            : run.has("no-create") || run.has("no-dereference") || /.\/$/.test(operand)
              ? "setting times of"
              : "cannot touch";
        await run.fail(`${verb} ${quoteName(operand)}: ${errorWords(error)}`);
      }
    }
  },
);

const timeChoices = [
  ["atime", "access", "use"],
  ["mtime", "modify"],
] as const;

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
  const zone = await zoneOf(run.sys);
  const reference = run.options.get("reference");
  const stamp = run.options.get("t");
  const date = run.options.get("date");
  if (stamp !== undefined && (date !== undefined || reference !== undefined))
    throw new UsageError("cannot specify times from more than one source");
  if (stamp !== undefined) {
    const time = parseStamp(stamp, nowMs, zone);
    if (time === undefined)
      throw new UsageError(`invalid date format ${quoteName(stamp)}`, { hasHint: false });
    return { atimeMs: time, mtimeMs: time };
  }
  if (reference !== undefined) {
    try {
      const { atimeMs, mtimeMs } = await run.sys.stat(reference);
      if (date === undefined) return { atimeMs, mtimeMs };
      return {
        atimeMs: readDate(date, atimeMs, zone),
        mtimeMs: readDate(date, mtimeMs, zone),
      };
    } catch (error) {
      if (!isKernelError(error)) throw error;
      throw new UsageError(
        `failed to get attributes of ${quoteName(reference)}: ${errorWords(error)}`,
        { hasHint: false },
      );
    }
  }
  if (date === undefined) return { atimeMs: "now", mtimeMs: "now" };
  const time = readDate(date, nowMs, zone);
  return { atimeMs: time, mtimeMs: time };
}

function readDate(text: string, nowMs: number, zone: TimeZone): number {
  const time = parseDate(text, nowMs, zone);
  if (time !== undefined) return time;
  throw new UsageError(`invalid date format ${quoteName(text)}`, { hasHint: false });
}

/** Files made by one run carry one time, as they do by the kernel's coarse clock on Linux. */
async function touch(run: Run, path: string, times: Times, startMs: number): Promise<void> {
  const { sys } = run;
  if (path === "-") return;
  const word = run.options.get("time");
  const isAccess = run.has("a") || ["access", "atime", "use"].includes(word ?? "");
  const isModify = run.has("m") || ["modify", "mtime"].includes(word ?? "");
  const isBoth = isAccess === isModify;
  const wanted = {
    ...(isBoth || isAccess ? { atimeMs: times.atimeMs } : {}),
    ...(isBoth || isModify ? { mtimeMs: times.mtimeMs } : {}),
  };
  const followLinks = !run.has("no-dereference");
  let missing: KernelError;
  try {
    await sys.utimes(path, wanted, { followsLast: followLinks });
    return;
  } catch (error) {
    if (!isKernelError(error, "ENOENT")) throw error;
    if (run.has("no-create")) return;
    if (!followLinks) throw error;
    missing = error;
  }
  try {
    await sys.close(await sys.open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666));
  } catch (error) {
    throw isKernelError(error, "EISDIR") ? missing : error;
  }
  const made = times.mtimeMs === "now" ? { atimeMs: startMs, mtimeMs: startMs } : wanted;
  await sys.utimes(path, made, { followsLast: followLinks });
}
