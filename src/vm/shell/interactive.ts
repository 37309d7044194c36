/** A shell at a terminal: prompts, lines, jobs, Ctrl-C. */
import { isKernelError, signals } from "../../kernel/index.ts";
import { findWindowSize } from "../programs/is-terminal.ts";
import { warnOfJobs } from "./builtins/control.ts";
import { collect, describeJob } from "./builtins/jobs.ts";
import { loadHistory, nameHistoryFile } from "./history/history-file.ts";
import { type LineSource, readCommandLines } from "./history/read-command.ts";
import type { Invocation } from "./invocation.ts";
import { EditSource } from "./line-editor/edit-source.ts";
import { PlainSource, withoutMarks } from "./plain-source.ts";
import { expandPrompt } from "./prompt.ts";
import { keepTerminalMode, takeTerminal } from "./run/foreground.ts";
import { runPendingTraps } from "./run/run-trap.ts";
import { runText } from "./script-input.ts";
import { readStartFiles } from "./start-files.ts";
import type { Shell } from "./state/shell.ts";
import { ShellError } from "./state/shell-error.ts";

/** What Ctrl-C, Ctrl-Z and the like send: the shell stays, its jobs do not. */
const kept = [
  signals.SIGINT,
  signals.SIGQUIT,
  signals.SIGTERM,
  signals.SIGTSTP,
  signals.SIGTTIN,
  signals.SIGTTOU,
];

/** The status after Ctrl-C. */
const INTERRUPTED = 128 + signals.SIGINT;

export async function runInteractive(shell: Shell, invocation: Invocation): Promise<number> {
  await beginInteractive(shell, invocation);
  shell.options.set("history", true);
  shell.options.set("histexpand", true);
  await loadHistory(shell);
  const source = await openSource(shell, invocation);
  let line = 1;
  for (let ends = 0; ; ) {
    await reportJobs(shell);
    await measureTerminal(shell);
    await runPromptCommands(shell);
    const command = await readFromTerminal(shell, source);
    if (command === "interrupted") continue;
    if (command === "end") {
      ends += 1;
      if (await refusesEnd(shell, ends)) continue;
      return shell.status;
    }
    ends = 0;
    const wasWarned = shell.isExitWarned;
    await showPs0(shell);
    await runText(shell, command.text, { firstLine: line });
    if (wasWarned) shell.isExitWarned = false;
    line += 1;
  }
}

/** What makes a shell interactive, wherever its commands come from. */
export async function beginInteractive(shell: Shell, invocation: Invocation): Promise<void> {
  shell.isInteractive = true;
  shell.interactiveSignals = kept;
  shell.options.set("expand_aliases", true);
  if (invocation.editsLines && !shell.options.has("vi")) shell.options.set("emacs", true);
  for (const signal of kept)
    await shell.sys.sigaction(signal, signal === signals.SIGINT ? "catch" : "ignore");
  await shell.sys.sigaction(signals.SIGHUP, "catch");
  nameHistoryFile(shell);
  await startJobControl(shell);
  await readStartFiles(shell, invocation);
}

/** The line editor where the terminal can do it, else plain lines. */
async function openSource(shell: Shell, invocation: Invocation): Promise<LineSource> {
  const term = shell.variables.get("TERM") ?? "dumb";
  const canEdit = shell.terminalFd !== undefined && term !== "dumb" && term !== "";
  if (!canEdit || !invocation.editsLines) return new PlainSource(shell);
  if (!shell.options.has("vi")) shell.options.set("emacs", true);
  return EditSource.open(shell);
}

/** PROMPT_COMMAND, a text or an array of them, before every prompt. */
async function runPromptCommands(shell: Shell): Promise<void> {
  const value = shell.variables.find("PROMPT_COMMAND")?.value;
  if (value === undefined) return;
  const { status } = shell;
  for (const command of typeof value === "string" ? [value] : value.values) {
    if (command === "") continue;
    await runText(shell, command);
    shell.status = status;
  }
}

async function showPs0(shell: Shell): Promise<void> {
  const text = shell.variables.get("PS0") ?? "";
  if (text !== "") await shell.write(2, withoutMarks(await expandPrompt(shell, text)));
}

/** Where the terminal lets us: our own group in the foreground, and one for each job. */
async function startJobControl(shell: Shell): Promise<void> {
  const { sys } = shell;
  try {
    await sys.ioctl(0, { request: "TIOCGPGRP" });
    shell.terminalFd = await sys.dup(0, 255, true);
    await keepTerminalMode(shell);
    if (
      (await sys.getpgid()) !== (await sys.getpid()) &&
      (await sys.getsid()) !== (await sys.getpid())
    ) {
      await sys.setpgid(0, 0);
    }
    shell.options.set("monitor", true);
    await takeTerminal(shell);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    await shell.write(2, `${shell.name}: no job control in this shell\n`);
  }
}

/** LINES and COLUMNS are the terminal's, as of every prompt. */
async function measureTerminal({ sys, variables }: Shell): Promise<void> {
  const size = await findWindowSize(sys, 0);
  if (size === undefined) return;
  variables.set("LINES", String(size.rows));
  variables.set("COLUMNS", String(size.cols));
}

/** A whole command from the terminal, or why there is none. */
async function readFromTerminal(
  shell: Shell,
  source: LineSource,
): Promise<{ readonly text: string } | "interrupted" | "end"> {
  shell.isPrompting = true;
  try {
    const text = await readCommandLines(shell, source);
    if (text === undefined) await runPendingTraps(shell);
    return text === undefined ? "end" : { text };
  } catch (error) {
    if (!(error instanceof ShellError) && !isKernelError(error, "EINTR")) throw error;
    await settleInterrupt(shell, error instanceof ShellError);
    return "interrupted";
  } finally {
    shell.isPrompting = false;
  }
}

/** Runs the traps of what broke the line off; Ctrl-C is status 130 and a new line. */
async function settleInterrupt(shell: Shell, isInterrupted: boolean): Promise<void> {
  shell.isPrompting = false;
  const { pendingSignals, traps } = shell;
  const isUntrapped = pendingSignals.includes(signals.SIGINT) && traps.get("SIGINT") === undefined;
  if (isInterrupted || pendingSignals.includes(signals.SIGINT)) {
    shell.status = INTERRUPTED;
    await shell.write(2, "\n");
  }
  if (isUntrapped) pendingSignals.splice(pendingSignals.indexOf(signals.SIGINT), 1);
  await runPendingTraps(shell);
}

/** Whether Ctrl-D is taken back: by `ignoreeof` a few times, and while jobs are stopped once. */
async function refusesEnd(shell: Shell, ends: number): Promise<boolean> {
  const limit = shell.variables.get("IGNOREEOF");
  const most = /^\d+$/.test(limit ?? "") ? Number(limit) : 10;
  if ((limit !== undefined || shell.options.has("ignoreeof")) && ends <= most) {
    await shell.write(2, `Use "exit" to leave the shell.\n`);
    return true;
  }
  await shell.write(2, "exit\n");
  return warnOfJobs(shell);
}

/** Says which jobs have ended or stopped since the last prompt. */
async function reportJobs(shell: Shell): Promise<void> {
  await collect(shell);
  for (const job of shell.jobs.list()) {
    if (job.state === "running" || job.isReported) continue;
    await shell.write(2, describeJob(shell, job));
    job.isReported = true;
    if (job.state === "done") shell.jobs.remove(job);
  }
}
