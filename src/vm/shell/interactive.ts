/** A shell at a terminal: prompts, lines, jobs, Ctrl-C. */
import { isKernelError, signals } from "../../kernel/index.ts";
import { readWhole } from "./builtins/eval.ts";
import { collect, describeJob } from "./builtins/jobs.ts";
import type { Invocation } from "./invocation.ts";
import { expandPrompt } from "./prompt.ts";
import { takeTerminal } from "./run/foreground.ts";
import { readCommand, runText } from "./script-input.ts";
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

export async function runInteractive(shell: Shell, invocation: Invocation): Promise<number> {
  shell.startLetters = "i";
  shell.isInteractive = true;
  shell.interactiveSignals = kept;
  shell.options.set("expand_aliases", true);
  for (const signal of kept)
    await shell.sys.sigaction(signal, signal === signals.SIGINT ? "catch" : "ignore");
  await startJobControl(shell);
  await readStartFiles(shell, invocation);
  let line = 1;
  for (;;) {
    await reportJobs(shell);
    await measureTerminal(shell);
    const command = await readLineOfCommands(shell);
    if (command === "interrupted") continue;
    if (command === "end") {
      await shell.write(2, "exit\n");
      return shell.status;
    }
    await runText(shell, command.text, { firstLine: line });
    line += 1;
  }
}

/** Where the terminal lets us: our own group in the foreground, and one for each job. */
async function startJobControl(shell: Shell): Promise<void> {
  const { sys } = shell;
  try {
    await sys.ioctl(0, { request: "TIOCGPGRP" });
    shell.terminalFd = await sys.dup(0, 255, true);
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
async function measureTerminal(shell: Shell): Promise<void> {
  try {
    const size = await shell.sys.ioctl(0, { request: "TIOCGWINSZ" });
    if (typeof size !== "object" || !("rows" in size)) return;
    shell.variables.set("LINES", String(size.rows));
    shell.variables.set("COLUMNS", String(size.cols));
  } catch (error) {
    if (!isKernelError(error)) throw error;
  }
}

async function readStartFiles(shell: Shell, invocation: Invocation): Promise<void> {
  const home = shell.variables.get("HOME") ?? "/";
  const files = invocation.isLogin
    ? invocation.readsProfile
      ? ["/etc/profile", `${home}/.bash_profile`, `${home}/.profile`]
      : []
    : invocation.readsStartFile
      ? ["/etc/bash.bashrc", `${home}/.bashrc`]
      : [];
  for (const file of files) {
    try {
      await runText(shell, await readWhole(shell, file));
    } catch (error) {
      if (!isKernelError(error)) throw error;
    }
  }
}

async function readLineOfCommands(
  shell: Shell,
): Promise<{ readonly text: string } | "interrupted" | "end"> {
  const prompt = async (isFirst: boolean): Promise<void> => {
    const text = isFirst
      ? (shell.variables.get("PS1") ?? "\\u@\\h:\\w\\$ ")
      : (shell.variables.get("PS2") ?? "> ");
    await shell.write(2, await expandPrompt(shell, text));
  };
  shell.isPrompting = true;
  try {
    const text = await readCommand(shell, 0, prompt);
    return text === undefined ? "end" : { text };
  } catch (error) {
    if (!(error instanceof ShellError) && !isKernelError(error, "EINTR")) throw error;
    shell.pendingSignals.length = 0;
    shell.status = 130;
    await shell.write(2, "\n");
    return "interrupted";
  } finally {
    shell.isPrompting = false;
  }
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
