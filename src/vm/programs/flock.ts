import { isKernelError, O_CLOEXEC, O_CREAT, O_RDONLY, shellStatus } from "../../kernel/index.ts";
import { startCommand } from "./become-command.ts";
import { parseDuration } from "./duration.ts";
import { UsageError } from "./options.ts";
import { defineProgram, errorWords, type Run } from "./program.ts";

/** Status of a command that cannot be run. */
const UNAVAILABLE = 69;

/** Tries again this often while it waits at most so long. */
const RETRY_MS = 20;

export const main = defineProgram(
  {
    name: "flock",
    usage: [
      "[options] <file>|<directory> <command> [<argument>...]",
      "[options] <file>|<directory> -c <command>",
      "[options] <file descriptor number>",
    ],
    summary: "Manage file locks from shell scripts.",
    options: [
      { short: "s", long: "shared", help: "get a shared lock" },
      { short: "x", long: "exclusive", help: "get an exclusive lock (default)" },
      { short: "e", help: "same as -x" },
      { short: "u", long: "unlock", help: "remove a lock" },
      { short: "n", long: "nonblock", help: "fail rather than wait" },
      { long: "nb", help: "fail rather than wait" },
      { short: "w", long: "timeout", value: "SECS", help: "wait for a limited amount of time" },
      {
        short: "E",
        long: "conflict-exit-code",
        value: "NUMBER",
        help: "exit code after conflict or timeout",
      },
      { short: "o", long: "close", help: "close file descriptor before running command" },
      { short: "c", long: "command", help: "run a single command string through the shell" },
      { short: "F", long: "no-fork", help: "execute command without forking" },
      { long: "verbose", help: "increase verbosity" },
    ],
    refusal: 64,
    stopsAtOperand: true,
  },
  async (run) => {
    const [target, ...words] = run.operands;
    if (target === undefined && run.options.order.length > 0)
      throw new UsageError("requires file descriptor, file or directory", { hasHint: false });
    if (target === undefined) throw new UsageError("not enough arguments", { status: 64 });
    const conflict = conflictStatus(run);
    const isShell = words[0] === "-c" || words[0] === "--command";
    if (isShell && words.length !== 2)
      throw new UsageError("-c requires exactly one command argument", { hasHint: false });
    const command = isShell ? ["/bin/sh", "-c", words[1] ?? ""] : words;
    const fd = await openTarget(run, target, command.length > 0);
    const startMs = (await run.sys.clock()).monotonicMs;
    if (!(await lock(run, fd))) {
      if (run.has("verbose"))
        await run.warn(
          run.has("timeout") ? "timeout while waiting to get lock" : "failed to get lock",
        );
      return conflict;
    }
    if (run.has("verbose")) {
      const seconds = ((await run.sys.clock()).monotonicMs - startMs) / 1000;
      run.out.addText(`flock: getting lock took ${seconds.toFixed(6)} seconds\n`);
    }
    if (command.length === 0) return 0;
    if (run.has("verbose")) run.out.addText(`flock: executing ${command[0]}\n`);
    await run.out.flush();
    const started = await startCommand(run, command, (name) => `failed to execute ${name}`);
    if ("status" in started) return UNAVAILABLE;
    const ended = await run.sys.wait({ pid: started.pid });
    return ended === undefined ? 0 : shellStatus(ended.status);
  },
);

function conflictStatus(run: Run): number {
  const text = run.options.get("conflict-exit-code") ?? "1";
  const status = Number(text);
  if (!/^\d+$/.test(text)) throw new UsageError(`invalid exit code: '${text}'`, { hasHint: false });
  if (status > 255)
    throw new UsageError("exit code out of range (expected 0 to 255)", { hasHint: false });
  return status;
}

async function openTarget(run: Run, target: string, hasCommand: boolean): Promise<number> {
  if (!hasCommand) {
    if (!/^\d+$/.test(target))
      throw new UsageError(`bad file descriptor: '${target}'`, { status: 64, hasHint: false });
    return Number(target);
  }
  try {
    return await run.sys.open(target, O_RDONLY | O_CREAT | O_CLOEXEC);
  } catch (error) {
    if (isKernelError(error, "EISDIR")) return run.sys.open(target, O_RDONLY | O_CLOEXEC);
    if (!isKernelError(error)) throw error;
    throw new UsageError(`cannot open lock file ${target}: ${errorWords(error)}`, {
      status: 66,
      hasHint: false,
    });
  }
}

/** False where somebody else holds it for as long as may be waited. */
async function lock(run: Run, fd: number): Promise<boolean> {
  const { sys } = run;
  const operation = run.has("unlock") ? "unlock" : run.has("shared") ? "shared" : "exclusive";
  const text = run.options.get("timeout");
  const limitMs = text === undefined ? undefined : parseDuration(text);
  if (text !== undefined && limitMs === undefined)
    throw new UsageError(`invalid timeout value: '${text}'`, { hasHint: false });
  const isPatient = limitMs === undefined && !run.has("nonblock") && !run.has("nb");
  const startMs = (await sys.clock()).monotonicMs;
  for (;;) {
    try {
      await sys.flock(fd, operation, !isPatient);
      return true;
    } catch (error) {
      if (isKernelError(error, "EBADF"))
        throw new UsageError(`${fd}: Bad file descriptor`, { status: 65, hasHint: false });
      if (!isKernelError(error, "EAGAIN")) throw error;
    }
    const passedMs = (await sys.clock()).monotonicMs - startMs;
    if (limitMs === undefined || passedMs >= limitMs) return false;
    await sys.nanosleep(Math.min(RETRY_MS, limitMs - passedMs));
  }
}
