/** The programs `sh` and `bash`: how a shell is started, and where its commands come from. */
import { errnoWords, isKernelError, type Program } from "../../kernel/index.ts";
import { readWhole } from "./builtins/eval.ts";
import { runInteractive } from "./interactive.ts";
import { type Invocation, readInvocation } from "./invocation.ts";
import { interpreter } from "./run/interpreter.ts";
import { runToEnd } from "./run/subshell.ts";
import { runInput, runText } from "./script-input.ts";
import { Shell } from "./state/shell.ts";

export const main: Program = async (sys, argv) => {
  const invocation = readInvocation(argv);
  const environment = await sys.environ();
  const pid = await sys.getpid();
  const shell = new Shell({
    sys,
    interpreter,
    name: invocation.name,
    positional: invocation.positional,
    environment,
    pid,
  });
  if (invocation.problem !== undefined) {
    await shell.write(invocation.problem.fd, invocation.problem.text);
    return invocation.problem.status;
  }
  shell.startedMs = (await sys.clock()).nowMs;
  for (const [name, isOn] of invocation.options) shell.options.set(name, isOn);
  await setStartVariables(shell);
  return runToEnd(shell, () => start(shell, invocation));
};

async function start(shell: Shell, invocation: Invocation): Promise<number> {
  const { source } = invocation;
  if (source.kind === "text") {
    shell.startLetters = "c";
    return runText(shell, source.text, { isFinal: true, label: "-c" });
  }
  if (source.kind === "file") return runFile(shell, source.path);
  if (invocation.isInteractive ?? (await hasTerminal(shell)))
    return runInteractive(shell, invocation);
  shell.startLetters = "s";
  return runInput(shell, 0);
}

async function runFile(shell: Shell, path: string): Promise<number> {
  let text: string;
  try {
    text = await readWhole(shell, path);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    await shell.write(2, `${invocationName(shell)}: ${path}: ${errnoWords(error.errno)}\n`);
    return error.errno === "ENOENT" ? 127 : 126;
  }
  if (/^[^\n]*\0/.test(text.slice(0, 80))) {
    await shell.write(2, `${path}: ${path}: cannot execute binary file\n`);
    return 126;
  }
  return runText(shell, text, { isFinal: true });
}

function invocationName(shell: Shell): string {
  return shell.options.has("posix") ? "sh" : "bash";
}

/** What bash sets at its start: where it is, how deep, how words split. */
async function setStartVariables(shell: Shell): Promise<void> {
  const { variables, sys } = shell;
  const here = await sys.getcwd();
  const given = variables.get("PWD");
  if (given !== here && !(given !== undefined && (await isSame(shell, given))))
    variables.set("PWD", here);
  variables.ensure("PWD").isExported = true;
  variables.ensure("OLDPWD").isExported = true;
  const level = variables.ensure("SHLVL");
  level.value = String((Number(level.value) || 0) + 1);
  level.isExported = true;
  variables.set("IFS", " \t\n");
  variables.set("OPTIND", "1");
  variables.set("PS4", "+ ");
  variables.set("BASH", "/bin/bash");
  variables.changed();
}

async function isSame(shell: Shell, path: string): Promise<boolean> {
  if (!path.startsWith("/")) return false;
  try {
    const here = await shell.sys.stat(".");
    const there = await shell.sys.stat(path);
    return here.dev === there.dev && here.ino === there.ino;
  } catch (error) {
    if (isKernelError(error)) return false;
    throw error;
  }
}

async function hasTerminal(shell: Shell): Promise<boolean> {
  try {
    await shell.sys.ioctl(0, { request: "TIOCGWINSZ" });
    await shell.sys.ioctl(2, { request: "TIOCGWINSZ" });
    return true;
  } catch (error) {
    if (isKernelError(error)) return false;
    throw error;
  }
}
