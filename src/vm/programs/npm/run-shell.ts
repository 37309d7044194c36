/** Running a script in a shell, and ending as it did. */
import {
  isKernelError,
  type Sys,
  shellStatus,
  signals,
  type WaitStatus,
  WNOHANG,
} from "../../../kernel/index.ts";
import { findCommand } from "../run-command.ts";
import { ScriptEnded } from "./failure.ts";
import type { NpmRun } from "./npm-run.ts";

/** Signals npm hands on to a script before it ends by them itself. */
const handedOn = [signals.SIGINT, signals.SIGTERM];

export interface ShellCommand {
  readonly script: string;
  readonly words: readonly string[];
  readonly folder: string;
  readonly env: ReadonlyMap<string, string>;
}

/** Fails with a ScriptEnded unless the script's status is 0; a signal that ends it ends npm, too. */
export async function runShell(run: NpmRun, command: ShellCommand): Promise<void> {
  const { sys, config } = run;
  await run.out.flush();
  const shell = config.get("script-shell");
  const path =
    (await findCommand(sys, shell === "" ? "sh" : shell, command.env.get("PATH"))) ?? "/bin/sh";
  const text = [command.script, ...command.words.map(quoteWord)].join(" ");
  for (const signal of [signals.SIGCHLD, ...handedOn]) await sys.sigaction(signal, "catch");
  const pid = await sys.spawn({
    path,
    argv: [shell === "" ? "sh" : shell, "-c", text],
    cwd: command.folder,
    env: command.env,
  });
  const status = await waitFor(sys, pid);
  for (const signal of [signals.SIGCHLD, ...handedOn]) await sys.sigaction(signal, "default");
  if (status.kind === "signaled") await dieBy(sys, status.signal);
  const ended = shellStatus(status);
  if (ended !== 0) throw new ScriptEnded(ended);
}

async function waitFor(sys: Sys, pid: number): Promise<WaitStatus> {
  for (;;) {
    const ended = await sys.wait({ pid, flags: WNOHANG });
    if (ended !== undefined) return ended.status;
    const caught = await sys.sigtimedwait([signals.SIGCHLD, ...handedOn], -1);
    if (caught !== undefined && caught !== signals.SIGCHLD) await handOn(sys, pid, caught);
  }
}

async function handOn(sys: Sys, pid: number, signal: number): Promise<void> {
  try {
    await sys.kill(pid, signal);
  } catch (error) {
    if (!isKernelError(error, "ESRCH")) throw error;
  }
}

async function dieBy(sys: Sys, signal: number): Promise<void> {
  if (signal !== signals.SIGKILL) await sys.sigaction(signal, "default");
  await sys.kill(await sys.getpid(), signal);
}

/** As one word of the shell. */
export function quoteWord(word: string): string {
  if (word === "") return "''";
  if (!/[\t\n\r "#$&'()*;<>?\\`|~]/.test(word)) return word;
  return `'${word.replaceAll("'", "'\\''")}'`.replace(/^''(?!$)/, "").replace(/\\'''$/, "\\'");
}
