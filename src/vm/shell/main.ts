/** The programs `sh` and `bash`: how a shell is started, and where its commands come from. */
import { isKernelError, type Program } from "../../kernel/index.ts";
import { isTerminal } from "../programs/is-terminal.ts";
import { errorWords } from "../programs/program.ts";
import { readWhole } from "./builtins/eval.ts";
import { nameHistoryFile, saveHistory } from "./history/history-file.ts";
import { beginInteractive, runInteractive } from "./interactive.ts";
import { type Invocation, readInvocation } from "./invocation.ts";
import { importFunctions } from "./run/declare-functions.ts";
import { binaryHint } from "./run/elsewhere.ts";
import { interpreter } from "./run/interpreter.ts";
import { runToEnd } from "./run/subshell.ts";
import { runInput, runText } from "./script-input.ts";
import { readStartFiles, runLogout } from "./start-files.ts";
import { Shell } from "./state/shell.ts";
import { setStartVariables } from "./state/start-variables.ts";

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
  if (invocation.isLogin) shell.options.set("login_shell", true);
  if (!shell.options.has("privileged")) importFunctions(shell, environment);
  await setStartVariables(shell);
  shell.directory = shell.variables.get("PWD");
  if (invocation.isInteractive === true) nameHistoryFile(shell);
  const status = await runToEnd(shell, async () => {
    const last = await start(shell, invocation);
    if (invocation.isLogin && shell.isInteractive) await runLogout(shell);
    return last;
  });
  if (shell.options.has("history")) await saveHistory(shell);
  return status;
};

async function start(shell: Shell, invocation: Invocation): Promise<number> {
  const { source } = invocation;
  if (source.kind === "input" && (invocation.isInteractive ?? (await hasTerminal(shell)))) {
    shell.startLetters = "s";
    return runInteractive(shell, invocation);
  }
  shell.startLetters = source.kind === "text" ? "c" : source.kind === "input" ? "s" : "";
  if (source.kind === "text") shell.variables.set("BASH_EXECUTION_STRING", source.text);
  if (invocation.isInteractive === true) await beginInteractive(shell, invocation);
  else await readStartFiles(shell, invocation);
  if (source.kind === "input") return runInput(shell, 0);
  if (source.kind === "file") return runFile(shell, source.path);
  return runText(shell, source.text, { isFinal: true, label: "-c" });
}

async function runFile(shell: Shell, path: string): Promise<number> {
  let text: string;
  try {
    text = await readWhole(shell, path);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    const words = error.errno === "EISDIR" ? "Is a directory" : errorWords(error);
    const twice = error.errno === "EISDIR" ? `${path}: ` : "";
    await shell.write(
      2,
      `${twice}${twice === "" ? `${invocationName(shell)}: ` : ""}${path}: ${words}\n`,
    );
    return error.errno === "ENOENT" ? 127 : 126;
  }
  if (/^[^\n]*\0/.test(text.slice(0, 80))) {
    const elsewhere = await binaryHint(shell, path);
    const hint = elsewhere === "" ? "" : `${elsewhere}\n`;
    await shell.write(2, `${path}: ${path}: cannot execute binary file\n${hint}`);
    return 126;
  }
  return runText(shell, text, { isFinal: true });
}

function invocationName(shell: Shell): string {
  return shell.options.has("posix") ? "sh" : "bash";
}

async function hasTerminal({ sys }: Shell): Promise<boolean> {
  return (await isTerminal(sys, 0)) && (await isTerminal(sys, 2));
}
