/** Runs a program as a command of its own: found, started, waited for. */
import {
  errnoWords,
  isKernelError,
  type KernelError,
  O_CLOEXEC,
  O_RDONLY,
} from "../../../kernel/index.ts";
import { errorWords } from "../../programs/program.ts";
import { showCommand } from "../state/dynamic-variables.ts";
import type { Shell } from "../state/shell.ts";
import { commandHint } from "./command-not-found.ts";
import { exportedFunctions } from "./declare-functions.ts";
import { binaryHint, missingHint } from "./elsewhere.ts";
import { findProgram } from "./find-command.ts";
import { waitForJob } from "./foreground.ts";
import type { RedirectPlan } from "./redirect.ts";
import { startProcess } from "./start-process.ts";

export interface ProgramCommand {
  readonly words: readonly string[];
  readonly plan: RedirectPlan | undefined;
  /** Undefined is the exported variables. */
  readonly environment: ReadonlyMap<string, string> | undefined;
  /** The command it comes from; when it is the shell's last, the program takes the process over. */
  readonly command: object | undefined;
  /** Where it is looked for; PATH without it. */
  readonly searchPath?: string;
}

export interface ProgramStart extends ProgramCommand {
  readonly pgid?: number;
  readonly isForeground?: boolean;
}

/** Runs the program to its end. 127 where it is not found, 126 where it cannot be run. */
export async function runProgram(shell: Shell, program: ProgramCommand): Promise<number> {
  const isFinal = program.command !== undefined && program.command === shell.finalCommand;
  if (isFinal && canBeReplaced(shell)) return replaceShell(shell, program);
  const isOwnJob = shell.options.has("monitor");
  const started = await startProgram(
    shell,
    isOwnJob ? { ...program, pgid: 0, isForeground: true } : program,
  );
  if (typeof started !== "number") return started.status;
  return waitForJob(shell, [started], () => showCommand(shell));
}

/** Starts the program; resolves to its pid, or to the status where that fails, with its message said. */
export async function startProgram(
  shell: Shell,
  program: ProgramStart,
): Promise<number | { readonly status: number }> {
  const [name = ""] = program.words;
  const path = await findFor(shell, program);
  if (path === undefined) return startHandler(shell, program);
  try {
    return await spawnProgram(shell, program, path);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    shell.hash.delete(name);
    const { message, status } = await describeFailure(shell, error, path);
    const shown = name.includes("/") ? name : path;
    return { status: await complainInPlace(shell, program.plan, `${shown}: ${message}`, status) };
  }
}

/** `command_not_found_handle`, in a subshell, where there is such a function; else the message. */
async function startHandler(
  shell: Shell,
  { words, plan }: ProgramCommand,
): Promise<number | { readonly status: number }> {
  const [name = ""] = words;
  const handler = "command_not_found_handle";
  if (!shell.functions.has(handler) || name.includes("/")) {
    const elsewhere = await missingHint(shell, name);
    const message = `${name}: command not found${elsewhere === "" ? "" : `\n${elsewhere}`}`;
    const status = await complainInPlace(shell, plan, message, 127);
    if (shell.isInteractive && elsewhere === "")
      await shell.write(2, await commandHint(shell, name));
    return { status };
  }
  return shell.interpreter.startSubshell(shell, {
    run: (child) => child.interpreter.runWords(child, [handler, ...words], "all"),
    fds: plan?.actions ?? [],
  });
}

/** A PATH assigned before the command is where it is looked for. */
async function findFor(
  shell: Shell,
  { words, environment, searchPath }: ProgramCommand,
): Promise<string | undefined> {
  const [name = ""] = words;
  const path = searchPath ?? environment?.get("PATH");
  const isOwn = path === undefined || path === shell.variables.get("PATH");
  const found = await findProgram(shell, name, isOwn ? undefined : path);
  if (found !== undefined && isOwn && !name.includes("/"))
    shell.hashHits.set(name, (shell.hashHits.get(name) ?? 0) + 1);
  return found;
}

/** Whether nothing of the shell is needed after its last command. */
function canBeReplaced(shell: Shell): boolean {
  return !shell.isInteractive && !shell.traps.isCatching && shell.traps.get("EXIT") === undefined;
}

async function replaceShell(shell: Shell, program: ProgramCommand): Promise<number> {
  const [name = ""] = program.words;
  const path = await findFor(shell, program);
  if (path === undefined) {
    const started = await startHandler(shell, program);
    return typeof started === "number" ? waitForJob(shell, [started], () => name) : started.status;
  }
  if (program.plan !== undefined && !program.plan.isEmpty) await program.plan.apply();
  try {
    return await execProgram(shell, program, path);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    const { message, status } = await describeFailure(shell, error, path);
    await shell.complain(`${name.includes("/") ? name : path}: ${message}`);
    return status;
  }
}

/** Replaces the process by the program; a file that is no executable is a script of ours. */
export async function execProgram(
  shell: Shell,
  program: ProgramCommand,
  path: string,
): Promise<never> {
  const { sys } = shell;
  const env = environmentFor(shell, program, path);
  try {
    return await sys.exec({ path, argv: program.words, env });
  } catch (error) {
    if (!isKernelError(error, "ENOEXEC") || (await isBinary(shell, path))) throw error;
    return sys.exec({ path: "/bin/bash", argv: ["bash", path, ...program.words.slice(1)], env });
  }
}

async function spawnProgram(shell: Shell, program: ProgramStart, path: string): Promise<number> {
  const { words, plan, pgid, isForeground } = program;
  const options = {
    env: environmentFor(shell, program, path),
    fds: plan?.actions ?? [],
    ...(pgid === undefined ? {} : { pgid }),
    ...(isForeground === undefined ? {} : { isForeground }),
    ...(shell.isInteractive ? { signals: { default: shell.interactiveSignals } } : {}),
  };
  try {
    return await startProcess(shell, () => shell.sys.spawn({ ...options, path, argv: words }));
  } catch (error) {
    if (!isKernelError(error, "ENOEXEC") || (await isBinary(shell, path))) throw error;
    return shell.sys.spawn({
      ...options,
      path: "/bin/bash",
      argv: ["bash", path, ...words.slice(1)],
    });
  }
}

function environmentFor(
  shell: Shell,
  program: ProgramCommand,
  path: string,
): ReadonlyMap<string, string> {
  const variables = program.environment ?? shell.variables.environment();
  return new Map([...variables, ...exportedFunctions(shell), ["_", path]]);
}

interface Failure {
  readonly message: string;
  readonly status: number;
}

async function describeFailure(shell: Shell, error: KernelError, path: string): Promise<Failure> {
  if (error.errno === "ENOENT") {
    const isThere = (await kindOf(shell, path)) !== undefined;
    const missing = "cannot execute: required file not found";
    return { message: isThere ? missing : errnoWords("ENOENT"), status: 127 };
  }
  const words = errorWords(error);
  if (error.errno === "EAGAIN") return { message: `fork: retry: ${words}`, status: 254 };
  if (error.errno === "ENOEXEC") {
    const elsewhere = await binaryHint(shell, path);
    const message = `cannot execute binary file: ${words}`;
    return { message: elsewhere === "" ? message : `${message}\n${elsewhere}`, status: 126 };
  }
  if (error.errno === "EACCES" && (await kindOf(shell, path)) === "directory") {
    return { message: errnoWords("EISDIR"), status: 126 };
  }
  return { message: words, status: 126 };
}

async function kindOf(shell: Shell, path: string): Promise<string | undefined> {
  try {
    return (await shell.sys.stat(path)).kind;
  } catch (error) {
    if (isKernelError(error)) return undefined;
    throw error;
  }
}

/** bash's test: a NUL byte in the first line. */
async function isBinary(shell: Shell, path: string): Promise<boolean> {
  const fd = await shell.sys.open(path, O_RDONLY | O_CLOEXEC);
  try {
    const head = new Uint8Array(80);
    const count = await shell.sys.read(fd, head);
    const line = head.subarray(0, count);
    const end = line.indexOf(10);
    return line.subarray(0, end === -1 ? count : end).includes(0);
  } finally {
    await shell.sys.close(fd);
  }
}

/** The message goes where the command's own fd 2 would be. */
async function complainInPlace(
  shell: Shell,
  plan: RedirectPlan | undefined,
  message: string,
  status: number,
): Promise<number> {
  if (plan === undefined || plan.isEmpty) {
    await shell.complain(message);
    return status;
  }
  await plan.apply();
  try {
    await shell.complain(message);
  } finally {
    await plan.restore();
  }
  return status;
}
