import { isKernelError } from "../abi/kernel-error.ts";
import { encodeText } from "../abi/text.ts";
import { holding } from "../fd/holding.ts";
import type { Sys } from "../syscalls/sys.ts";
import { endProcess } from "./end-process.ts";
import type { Execution, Executor, Image } from "./executor.ts";
import type { Executable } from "./find-executable.ts";
import type { Process } from "./process.ts";
import { ProcessEnded } from "./process-ended.ts";
import type { Program } from "./program.ts";

/** Exit status of a program that failed in a way it did not foresee (EX_SOFTWARE, sysexits.h). */
const EX_SOFTWARE = 70;

/** Starts an executable in a process that has just been made, or has just called exec. */
export function runImage(process: Process, image: Executable): void {
  const { path, header, argv, executor } = image;
  process.exe = path;
  const sys = process.kernel.sysOf(process);
  supervise(process, startImage(executor, { path, header, argv, env: process.env }, sys));
}

/** A start that fails is an execution that fails. */
function startImage(executor: Executor, image: Image, sys: Sys): Execution {
  try {
    return executor.start(image, sys);
  } catch (error) {
    const fail = (): never => {
      throw error;
    };
    return { ended: Promise.resolve().then(fail), kill: () => undefined };
  }
}

/** Runs a function as the process. */
export function runProgram(process: Process, program: Program): void {
  const sys = process.kernel.sysOf(process);
  const ended = Promise.resolve().then(() => program(sys, process.argv));
  supervise(process, { ended, kill: () => undefined });
}

/** The process ends when its execution does, unless it has been ended or replaced before. */
function supervise(process: Process, execution: Execution): void {
  const { generation } = process;
  process.execution = execution;
  const isCurrent = (): boolean => process.generation === generation && process.state !== "zombie";
  const { host } = process.kernel;
  execution.ended
    .then(
      (code) => {
        if (!isCurrent()) return;
        process.kernel.cpu.charge(process, host.monotonic());
        endProcess(process, { kind: "exited", code: code & 0xff });
      },
      async (error: unknown) => {
        if (error instanceof ProcessEnded || !isCurrent()) return;
        if (isKernelError(error)) await complain(process, error.words);
        else host.log({ level: "bug", message: `${process.comm} failed`, cause: error });
        if (!isCurrent()) return;
        endProcess(process, { kind: "exited", code: isKernelError(error) ? 1 : EX_SOFTWARE });
      },
    )
    .catch((cause: unknown) => {
      host.log({ level: "bug", message: `the end of ${process.comm} failed`, cause });
    });
}

async function complain(process: Process, message: string): Promise<void> {
  const stderr = process.fds.find(2);
  if (stderr?.isWritable !== true) return;
  try {
    const line = encodeText(`${process.comm}: ${message}\n`);
    await holding(stderr, () => stderr.write(line, process));
  } catch (error) {
    if (!isKernelError(error) && !(error instanceof ProcessEnded)) throw error;
  }
}
