/** `sandbox exec`: a process of the sandbox behind a process of the VM. */
import { isKernelError } from "../../kernel/index.ts";
import {
  type HostCommandCall,
  HostCommandError,
  type KilledBySignal,
} from "../../toolkit-cli/index.ts";
import type { SpawnWish } from "../controller/controller-options.ts";
import { drainOutput } from "../controller/drain-output.ts";
import type { HeldProcess } from "../controller/process-table.ts";
import type { SandboxController } from "../controller/sandbox-controller.ts";
import type { ProcessEnd, SandboxProcess } from "../provider.ts";
import { requestOf } from "./escalate.ts";
import { findThere, MOUNT_POINT, WORKSPACE } from "./map-path.ts";
import { misuse, readWords } from "./sandbox-words.ts";
import { TerminalWindow } from "./terminal-window.ts";

const OPTIONS = {
  "-e": true,
  "-C": true,
  "-d": false,
  "-n": false,
  "-T": false,
  "--reason": true,
  "--provider": true,
} as const;

type Outcome = number | KilledBySignal;

/** `words` begin after `exec`. */
export async function runExec(
  controller: SandboxController,
  call: HostCommandCall,
  words: readonly string[],
): Promise<Outcome> {
  const { options, variables, operands } = readWords(words, OPTIONS);
  if (operands.length === 0) throw misuse("exec needs a command");
  return await runInSandbox(controller, call, {
    argv: operands,
    env: readVariables(variables, call.env),
    ...(options.has("-C") ? { cwd: options.get("-C") ?? "" } : {}),
    reason: options.get("--reason") ?? `run: ${operands.join(" ")}`,
    ...(options.has("--provider") ? { provider: options.get("--provider") ?? "" } : {}),
    isDetached: options.has("-d"),
    hasInput: !options.has("-n"),
    hasTerminal: !options.has("-T"),
  });
}

export interface ExecWish {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Of the VM below the mount, or relative to where the call is, or absolute in the sandbox. */
  readonly cwd?: string;
  readonly reason: string;
  readonly provider?: string;
  readonly isDetached: boolean;
  readonly hasInput: boolean;
  readonly hasTerminal: boolean;
}

/** Runs to its end, as a Unix command does: output as it comes, input as it is wanted, signals, status. */
export async function runInSandbox(
  controller: SandboxController,
  call: HostCommandCall,
  wish: ExecWish,
): Promise<Outcome> {
  const request = requestOf(call, wish.reason, wish.provider);
  const window = new TerminalWindow(call);
  const sandbox = await controller.ensure(request);
  const shared = findThere(call.cwd, sandbox.cwd);
  const cwd =
    wish.cwd === undefined
      ? (shared ?? sandbox.cwd)
      : readDirectory(wish.cwd, call.cwd, sandbox.cwd);
  const terminal =
    wish.hasTerminal && !wish.isDetached && sandbox.abilities.hasTerminals
      ? window.size
      : undefined;
  const term = call.env.get("TERM");
  const spawnWish: SpawnWish = {
    cwd,
    env: { ...(terminal === undefined || term === undefined ? {} : { TERM: term }), ...wish.env },
    isDetached: wish.isDetached,
    ...(terminal === undefined ? {} : { terminal }),
  };
  const held = await controller.spawn(wish.argv, spawnWish, request);
  if (wish.isDetached) return await tellId(call, held);
  if (terminal !== undefined) {
    call.setRaw(true);
    window.lead(held.process, terminal);
  }
  const end = await attend(held.process, call, wish.hasInput);
  await explain(end, {
    call,
    argv: wish.argv,
    isOutside: wish.cwd === undefined && shared === undefined,
    stopReason: controller.current === sandbox ? undefined : controller.status().lastEnd,
  });
  return end.signal === undefined ? end.status : { signal: end.signal };
}

async function tellId(call: HostCommandCall, { id, process }: HeldProcess): Promise<number> {
  await process.closeInput();
  await call.writeOut(new TextEncoder().encode(`${id}\n`));
  return 0;
}

async function attend(
  process: SandboxProcess,
  call: HostCommandCall,
  hasInput: boolean,
): Promise<ProcessEnd> {
  const kill = (signal: string): void => {
    // One that has ended needs no signal.
    process.kill(signal).catch(() => undefined);
  };
  const end = (): void => kill("SIGKILL");
  call.onSignal((name) => {
    if (name !== "SIGWINCH") kill(name);
  });
  call.signal.addEventListener("abort", end, { once: true });
  if (call.signal.aborted) end();
  const feeding = feed(process, call, hasInput);
  // Whoever feeds a process that has ended learns of it from nobody: the status says enough.
  feeding.catch(() => undefined);
  try {
    return await drainOutput(process, {
      out: (bytes) => call.writeOut(bytes),
      error: (bytes) => call.writeError(bytes),
    });
  } catch (error) {
    kill(isKernelError(error) && error.errno === "EPIPE" ? "SIGPIPE" : "SIGKILL");
    throw error;
  } finally {
    call.signal.removeEventListener("abort", end);
  }
}

/** Nothing is read before the process takes what was read before. */
async function feed(
  process: SandboxProcess,
  call: HostCommandCall,
  hasInput: boolean,
): Promise<void> {
  if (hasInput) for await (const bytes of call.stdin) await process.writeInput(bytes);
  await process.closeInput();
}

interface Explained {
  readonly call: HostCommandCall;
  readonly argv: readonly string[];
  readonly isOutside: boolean;
  /** Where the sandbox does not run any more. */
  readonly stopReason: string | undefined;
}

/** One line about a failure whose reason the command cannot know. */
async function explain(end: ProcessEnd, explained: Explained): Promise<void> {
  const { call, argv, isOutside, stopReason } = explained;
  if (end.isOutOfMemory === true)
    await tell(call, "ended: it took more memory than the sandbox has");
  else if (end.sandboxEnd !== undefined) await tell(call, `ended: ${end.sandboxEnd}`);
  else if (end.signal === "SIGKILL" && stopReason !== undefined)
    await tell(call, `ended with the sandbox: ${stopReason}`);
  else if (end.status !== 0 && isOutside && end.signal === undefined && mayNameFiles(argv)) {
    await tell(
      call,
      `it ran in ${WORKSPACE}, which is ${MOUNT_POINT}; files elsewhere in this VM are not there`,
    );
  }
}

/** Whether a word may be a file's name, which options and lines of a shell are not. */
function mayNameFiles([, ...words]: readonly string[]): boolean {
  return words.some((word) => !word.startsWith("-") && !/\s/.test(word));
}

async function tell(call: HostCommandCall, line: string): Promise<void> {
  await call.writeError(new TextEncoder().encode(`sandbox: ${line}\n`));
}

function readDirectory(path: string, cwd: string, workspace: string): string {
  const absolute = path.startsWith("/") ? path : `${cwd}/${path}`;
  const shared = findThere(absolute, workspace);
  if (shared !== undefined) return shared;
  if (path.startsWith("/")) return path;
  throw misuse(`${path.slice(0, 80)} is not below ${MOUNT_POINT}`);
}

/** `NAME=VALUE` as it is; `NAME` as the calling process has it. */
function readVariables(
  words: readonly string[],
  own: ReadonlyMap<string, string>,
): Record<string, string> {
  const env: [string, string][] = words.map((word) => {
    const at = word.indexOf("=");
    const name = at === -1 ? word : word.slice(0, at);
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      throw misuse(`"${name.slice(0, 40)}" cannot be a variable`);
    if (at !== -1) return [name, word.slice(at + 1)];
    const value = own.get(name);
    if (value === undefined) throw new HostCommandError(2, `${name} is not exported in this shell`);
    return [name, value];
  });
  return Object.fromEntries(env);
}
