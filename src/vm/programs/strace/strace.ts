/** strace: runs a command and shows its system calls, as the kernel tells them through a pipe. */
import {
  decodeText,
  formatTrace,
  isKernelError,
  O_CLOEXEC,
  O_CREAT,
  O_TRUNC,
  O_WRONLY,
  shellStatus,
  signals,
  type TraceRecord,
} from "../../../kernel/index.ts";
import { LineBlocks } from "../line-blocks.ts";
import { UsageError } from "../options.ts";
import { Output } from "../output.ts";
import { defineProgram, errorWords, quoteName, type Run } from "../program.ts";
import { findCommand } from "../run-command.ts";
import { parseCalls } from "./call-classes.ts";

/** strace's own: how much of data is shown. */
const SHOWN_BYTES = 32;

export const main = defineProgram(
  {
    name: "strace",
    usage: ["[OPTION]... COMMAND [ARG]..."],
    summary:
      "Run COMMAND and print each system call it makes, with arguments and result, on standard error.\nCalls are the VM kernel's own (open, read, spawn, wait...), see docs/syscalls.md.",
    options: [
      { short: "f", long: "follow-forks", help: "trace the processes that COMMAND starts, too" },
      {
        short: "e",
        value: "EXPR",
        help: "trace=CALL,... or trace=CLASS: file, process, network, desc,\nsignal; with ! before the list, all others",
      },
      {
        short: "o",
        long: "output",
        value: "FILE",
        help: "write to FILE instead of standard error",
      },
      {
        short: "s",
        long: "string-limit",
        value: "SIZE",
        help: "show SIZE bytes of data (default 32)",
      },
      { short: "t", help: "begin each line with the time of day; -tt: with microseconds" },
      { short: "T", long: "syscall-times", help: "show the time spent in each call" },
      { short: "q", long: "quiet", help: "accepted; nothing is said about attaching" },
      {
        short: "p",
        long: "attach",
        value: "PID",
        help: "not supported: start the command under strace",
      },
    ],
    stopsAtOperand: true,
    refusal: 1,
  },
  async (run) => {
    if (run.has("attach"))
      throw new UsageError(
        "cannot attach to a process that runs; start the command under strace, or use agentos-mcp trace on the host",
      );
    if (run.operands.length === 0) throw new UsageError("must have PROG [ARGS]");
    return trace(run);
  },
);

async function trace(run: Run): Promise<number> {
  const { sys, operands } = run;
  const [name = ""] = operands;
  const calls = parseCalls(run.options.get("e"));
  const shownBytes = readSize(run.options.get("string-limit"));
  const path = await findCommand(sys, name, (await sys.environ()).get("PATH"));
  if (path === undefined) {
    await run.fail(`Cannot find executable ${quoteName(name)}`, 1);
    return 1;
  }
  const out = await openOutput(run);
  const [reader, writer] = await sys.pipe(O_CLOEXEC);
  const request = { fd: writer, follows: run.has("follow-forks"), shownBytes };
  let pid: number;
  try {
    pid = await sys.spawn({
      path,
      argv: operands,
      trace: calls === undefined ? request : { ...request, calls },
    });
  } catch (error) {
    if (!isKernelError(error)) throw error;
    await run.fail(`exec: ${errorWords(error)}`, 1);
    return 1;
  }
  await sys.close(writer);
  // Ctrl-C is for the command.
  for (const signal of [signals.SIGINT, signals.SIGQUIT]) await sys.sigaction(signal, "ignore");
  const count = await printRecords(run, reader, out);
  const waited = await sys.wait({ pid });
  if (count === 0) await run.warn(`${name} runs as another user, so it is not traced`);
  return waited === undefined ? 1 : leaveAs(run, waited.status);
}

function readSize(text: string | undefined): number {
  if (text === undefined) return SHOWN_BYTES;
  if (!/^\d{1,6}$/.test(text)) throw new UsageError(`invalid -s argument: ${quoteName(text)}`);
  return Number(text);
}

async function openOutput(run: Run): Promise<Output> {
  const file = run.options.get("output");
  if (file === undefined) return new Output(run.sys, 2);
  try {
    const flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
    return new Output(run.sys, await run.sys.open(file, flags, 0o666));
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new UsageError(`Can't fopen '${file}': ${errorWords(error)}`, { hasHint: false });
  }
}

/** Answers how many there were: each process that is traced has at least its end. */
async function printRecords(run: Run, reader: number, out: Output): Promise<number> {
  const hasPids = run.has("follow-forks");
  const toFile = run.options.get("output") !== undefined;
  const times = run.options.order.filter((option) => option === "t").length;
  const hasDuration = run.has("syscall-times");
  let count = 0;
  const print = (line: string): void => {
    count += 1;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the kernel wrote it, see TraceRecord
    const record = JSON.parse(line) as TraceRecord;
    const pid = String(record.pid);
    const who = hasPids ? (toFile ? `${pid.padEnd(5)} ` : `[pid ${pid.padStart(5)}] `) : "";
    out.addText(`${who}${timeOf(record.atMs, times)}${formatTrace(record, { hasDuration })}\n`);
  };
  const blocks = new LineBlocks(run.sys, reader);
  for (let block = await blocks.next(); block !== undefined; block = await blocks.next()) {
    for (const line of decodeText(block).split("\n")) if (line !== "") print(line);
    await out.flush();
  }
  return count;
}

function timeOf(atMs: number, times: number): string {
  if (times === 0) return "";
  const clock = new Date(atMs).toISOString().slice(11);
  return times === 1 ? `${clock.slice(0, 8)} ` : `${clock.slice(0, 12)}000 `;
}

/** With the command's status; by its signal where one ended it, as strace does. */
async function leaveAs(run: Run, status: Parameters<typeof shellStatus>[0]): Promise<number> {
  if (status.kind === "signaled") {
    await run.sys.sigaction(status.signal, "default").catch((error: unknown) => {
      // SIGKILL has no other action.
      if (!isKernelError(error, "EINVAL")) throw error;
    });
    await run.sys.kill(await run.sys.getpid(), status.signal);
  }
  return shellStatus(status);
}
