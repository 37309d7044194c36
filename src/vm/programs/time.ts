import {
  encodeText,
  isKernelError,
  O_APPEND,
  O_CLOEXEC,
  O_CREAT,
  O_TRUNC,
  O_WRONLY,
  shellStatus,
  signals,
  type WaitStatus,
} from "../../kernel/index.ts";
import { startCommand } from "./become-command.ts";
import { UsageError } from "./options.ts";
import { writeAll } from "./output.ts";
import { defineProgram, errorWords, type Run } from "./program.ts";

const FAILED = 125;
const POSIX_FORMAT = "real %e\nuser %U\nsys %S";
const USUAL_FORMAT =
  "%Uuser %Ssystem %Eelapsed %PCPU (%Xavgtext+%Davgdata %Mmaxresident)k\n%Iinputs+%Ooutputs (%Fmajor+%Rminor)pagefaults %Wswaps";
const VERBOSE_FORMAT =
  '\tCommand being timed: "%C"\n\tUser time (seconds): %U\n\tSystem time (seconds): %S\n\tPercent of CPU this job got: %P\n\tElapsed (wall clock) time (h:mm:ss or m:ss): %E\n\tMaximum resident set size (kbytes): %M\n\tExit status: %x';

export const main = defineProgram(
  {
    name: "time",
    usage: ["[OPTIONS] COMMAND [ARG]..."],
    summary: "Run COMMAND, then print how long it took. Processor time is that of JavaScript.",
    options: [
      { short: "a", long: "append", help: "with -o FILE, append instead of overwriting" },
      { short: "f", long: "format", value: "FORMAT", help: "print FORMAT instead of the usual" },
      { short: "o", long: "output", value: "FILE", help: "write to FILE instead of to STDERR" },
      { short: "p", long: "portability", help: "print POSIX standard 1003.2 conformant string" },
      { short: "q", long: "quiet", help: "do not print how the command ended" },
      { short: "v", long: "verbose", help: "print what is known, one line each" },
      { short: "V", help: "same as --version" },
    ],
    refusal: FAILED,
    stopsAtOperand: true,
  },
  async (run) => {
    if (run.operands.length === 0) throw new UsageError("missing program to run");
    const { sys } = run;
    const format = await chosenFormat(run);
    const fd = await openReport(run);
    const startMs = (await sys.clock()).monotonicMs;
    const status = await runCommand(run);
    const elapsedMs = (await sys.clock()).monotonicMs - startMs;
    const cpuMs = (await sys.times()).childrenMs;
    const ended = describeEnd(run, status);
    const text = fillFormat(format, { command: run.operands, elapsedMs, cpuMs, status });
    await writeAll(sys, fd, encodeText(`${ended}${text}\n`));
    return shellStatus(status);
  },
);

async function chosenFormat(run: Run): Promise<string> {
  const chosen = run.options.last("format", "portability", "verbose");
  if (chosen === "format") return run.options.get("format") ?? "";
  if (chosen === "portability") return POSIX_FORMAT;
  return chosen === "verbose"
    ? VERBOSE_FORMAT
    : ((await run.sys.environ()).get("TIME") ?? USUAL_FORMAT);
}

async function openReport(run: Run): Promise<number> {
  const path = run.options.get("output");
  if (path === undefined) return 2;
  const how = run.has("append") ? O_APPEND : O_TRUNC;
  try {
    return await run.sys.open(path, O_WRONLY | O_CREAT | O_CLOEXEC | how, 0o666);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new UsageError(`${path}: ${errorWords(error)}`, { hasHint: false });
  }
}

/** A command that cannot be run ends as one that said so. */
async function runCommand(run: Run): Promise<WaitStatus> {
  const { sys } = run;
  const started = await startCommand(run, run.operands, (name) => `cannot run ${name}`);
  if ("status" in started) return { kind: "exited", code: started.status };
  for (const signal of [signals.SIGINT, signals.SIGQUIT]) await sys.sigaction(signal, "ignore");
  for (;;) {
    const ended = await sys.wait({ pid: started.pid });
    if (ended !== undefined && ended.status.kind !== "stopped") return ended.status;
  }
}

function describeEnd(run: Run, status: WaitStatus): string {
  const isPosix = run.options.last("format", "portability", "verbose") === "portability";
  if (run.has("quiet") || isPosix) return "";
  if (status.kind === "signaled") return `Command terminated by signal ${status.signal}\n`;
  const code = shellStatus(status);
  return code === 0 ? "" : `Command exited with non-zero status ${code}\n`;
}

interface Report {
  readonly command: readonly string[];
  readonly elapsedMs: number;
  readonly cpuMs: number;
  readonly status: WaitStatus;
}

const escapes = new Map([
  ["\\n", "\n"],
  ["\\t", "\t"],
  ["\\\\", "\\"],
  ["%%", "%"],
]);

function fillFormat(format: string, { command, elapsedMs, cpuMs, status }: Report): string {
  return format.replace(/[%\\][^]?/gu, (part) => {
    const plain = escapes.get(part);
    if (plain !== undefined) return plain;
    const letter = part.slice(1);
    if (part.startsWith("\\")) return `?\\${letter}`;
    if (letter === "C") return command.join(" ");
    if (letter === "e") return (elapsedMs / 1000).toFixed(2);
    if (letter === "E") return clockTime(elapsedMs);
    if (letter === "x") return String(shellStatus(status));
    if (letter === "U") return (cpuMs / 1000).toFixed(2);
    if (letter === "S") return "0.00";
    if (letter === "P") return `${elapsedMs > 0 ? Math.floor((cpuMs / elapsedMs) * 100) : 0}%`;
    if (letter === "Z") return "4096";
    return letter !== "" && "DFIKMORWXckprstw".includes(letter) ? "0" : `?${letter}`;
  });
}

/** `h:mm:ss`, or `m:ss.hh` below an hour. */
function clockTime(elapsedMs: number): string {
  const seconds = Math.floor(elapsedMs / 1000);
  const minutes = Math.floor(seconds / 60);
  const two = (value: number): string => String(value).padStart(2, "0");
  if (minutes >= 60) return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
  return `${minutes}:${two(seconds % 60)}.${two(Math.floor((elapsedMs % 1000) / 10))}`;
}
