/**
 * How processes come to be: spawn (a file), clone (a program's function), exec (another file in the
 * same process). A child inherits what POSIX says it does; nothing is shared but open files.
 */
import { isKernelError, KernelError } from "../abi/kernel-error.ts";
import { X_OK } from "../abi/open-flags.ts";
import { encodedLength } from "../abi/text.ts";
import { checkFile, type PathArg } from "../permissions/check-path.ts";
import type { Credentials } from "../permissions/credentials.ts";
import { requireAccess } from "../permissions/credentials.ts";
import { readableEnvironment } from "../permissions/readable-environment.ts";
import { requirePermission } from "../permissions/require-permission.ts";
import { requireTracePipe, startTrace, type TraceRequest } from "../trace/start-trace.ts";
import type { Place } from "../vfs/place.ts";
import { findExecutable } from "./find-executable.ts";
import { Process, type Session } from "./process.ts";
import { ProcessEnded } from "./process-ended.ts";
import type { Program } from "./program.ts";
import { runImage, runProgram } from "./run.ts";
import { deliverPending } from "./send-signal.ts";

/** What a descriptor of the child is to be: one of the parent's, or closed. */
export type FdAction =
  | { readonly fd: number; readonly from: number }
  | { readonly fd: number; readonly close: true };

export interface ChildOptions {
  readonly cwd?: PathArg;
  readonly fds?: readonly FdAction[];
  readonly env?: ReadonlyMap<string, string>;
  /** The group to join; 0 makes a new one. */
  readonly pgid?: number;
  /** Makes a new session, without a terminal. */
  readonly isSessionLeader?: boolean;
  /** Makes the child's group the foreground group of the session's terminal. */
  readonly isForeground?: boolean;
  /** Signals that are default, ignored, or blocked (instead of those that the parent blocks) in the child. */
  readonly signals?: {
    readonly default?: readonly number[];
    readonly ignore?: readonly number[];
    readonly blocked?: readonly number[];
  };
  /** Acts as somebody else; only root may. EPERM. */
  readonly credentials?: Credentials;
  /** Tells a pipe of the parent what the child does. EINVAL for another kind of file. */
  readonly trace?: TraceRequest;
}

export interface SpawnOptions extends ChildOptions {
  readonly path: PathArg;
  readonly argv: readonly string[];
}

export interface CloneOptions extends ChildOptions {
  readonly argv?: readonly string[];
}

export interface ExecOptions {
  readonly path: PathArg;
  readonly argv: readonly string[];
  readonly env?: ReadonlyMap<string, string>;
}

export async function spawnProcess(parent: Process, options: SpawnOptions): Promise<Process> {
  const { argv, path } = options;
  const { generation } = parent;
  checkArguments(parent, argv, options.env);
  const env = await allowedEnvironment(parent, "spawn", options.env);
  const credentials = credentialsFor(parent, options);
  const cwd = await workingDirectory(parent, options);
  const image = await findExecutable({ process: parent, call: "spawn", path, argv, credentials });
  requireCurrent(parent, generation);
  const child = makeChild(parent, options, {
    argv: image.argv,
    env,
    cwd,
    credentials: image.credentials,
  });
  child.fds.closeOnExec();
  child.hasExecuted = true;
  runImage(child, image);
  return child;
}

export async function cloneProcess(
  parent: Process,
  program: Program,
  options: CloneOptions,
): Promise<Process> {
  const argv = options.argv ?? parent.argv;
  const { generation } = parent;
  checkArguments(parent, argv, options.env);
  const env = await allowedEnvironment(parent, "clone", options.env);
  const credentials = credentialsFor(parent, options);
  const cwd = await workingDirectory(parent, options);
  requireCurrent(parent, generation);
  const child = makeChild(parent, options, { argv, env, cwd, credentials });
  child.exe = parent.exe;
  runProgram(child, program);
  return child;
}

/** Replaces what the process runs. On failure the old image goes on. */
export async function execProcess(process: Process, options: ExecOptions): Promise<void> {
  const { path, argv } = options;
  const { generation } = process;
  checkArguments(process, argv, options.env);
  const env = await allowedEnvironment(process, "exec", options.env);
  const { credentials } = process;
  const image = await findExecutable({ process, call: "exec", path, argv, credentials });
  requireCurrent(process, generation);
  process.kernel.heldTexts.hold(image.argv, env);
  if (!process.isTrusted) process.kernel.heldTexts.release(process.argv, process.env);
  process.generation += 1;
  process.kernelCpuMs = process.use.cpuMs;
  process.execution?.kill();
  process.heldBytes = 0;
  process.argv = image.argv;
  process.env = env;
  process.credentials = image.credentials;
  for (const tracer of process.traced?.tracers ?? []) tracer.revalidate(process);
  process.signals.resetCaught();
  process.fds.closeOnExec();
  process.hasExecuted = true;
  // What the old image still waits for must not act for the new one.
  process.interrupt();
  runImage(process, image);
  deliverPending(process);
}

/** An image that has ended, or that another exec has replaced meanwhile, starts nothing more. */
function requireCurrent(process: Process, generation: number): void {
  if (process.generation !== generation) throw new ProcessEnded(process.pid);
}

interface ChildParts {
  readonly argv: readonly string[];
  readonly env: ReadonlyMap<string, string>;
  readonly cwd: Place;
  readonly credentials: Credentials;
}

function makeChild(parent: Process, options: ChildOptions, parts: ChildParts): Process {
  // No await until the child is in the table: the limit and the table agree.
  const { kernel } = parent;
  const pid = kernel.processes.nextPid();
  const fds = parent.fds.copy();
  try {
    for (const action of options.fds ?? []) {
      if ("from" in action) fds.set(action.fd, parent.fds.get(action.from));
      else if (fds.find(action.fd) !== undefined) fds.close(action.fd);
    }
    if (options.trace !== undefined) requireTracePipe(parent, options.trace);
    kernel.limits.check("maxProcesses", kernel.limits.used("maxProcesses") + 1);
    kernel.heldTexts.hold(parts.argv, parts.env);
  } catch (error) {
    fds.closeAll();
    throw error;
  }
  kernel.limits.charge("maxProcesses");
  const signals = parent.signals.copy();
  signals.resetCaught();
  for (const signal of options.signals?.default ?? []) signals.setDisposition(signal, "default");
  for (const signal of options.signals?.ignore ?? []) signals.setDisposition(signal, "ignore");
  if (options.signals?.blocked !== undefined) signals.setBlocked(options.signals.blocked);
  const session: Session =
    options.isSessionLeader === true ? { sid: pid, terminal: undefined } : parent.session;
  const child = new Process({
    kernel,
    pid,
    parent,
    fds,
    signals,
    session,
    umask: parent.umask,
    isTrusted: false,
    pgid: groupFor(parent, options, pid),
    ...parts,
  });
  kernel.processes.add(child);
  for (const tracer of parent.traced?.tracers ?? [])
    if (tracer.options.follows) tracer.attach(child);
  if (options.trace !== undefined) startTrace(parent, child, options.trace);
  if (options.isForeground === true && session.terminal !== undefined) {
    session.terminal.foregroundPgid = child.pgid;
  }
  return child;
}

function groupFor(parent: Process, { pgid, isSessionLeader }: ChildOptions, pid: number): number {
  if (isSessionLeader === true || pgid === 0) return pid;
  if (pgid === undefined) return parent.pgid;
  const isInSession = parent.kernel.processes
    .group(pgid)
    .some((member) => member.session === parent.session);
  // A group whose members have all ended is made again, so that a pipeline's first may be quick.
  return isInSession ? pgid : pid;
}

function credentialsFor(parent: Process, { credentials }: ChildOptions): Credentials {
  if (credentials === undefined) return parent.credentials;
  if (parent.credentials.euid !== 0) throw new KernelError("EPERM");
  return credentials;
}

async function workingDirectory(
  parent: Process,
  { cwd, credentials }: ChildOptions,
): Promise<Place> {
  if (cwd === undefined) return parent.cwd;
  const at = await checkFile({ process: parent, call: "chdir", path: cwd, operation: "stat" });
  if (at.existing.inode.kind !== "directory") throw new KernelError("ENOTDIR", at.path);
  const stat = await parent.kernel.vfs.statOf(at.existing);
  requireAccess(credentials ?? parent.credentials, stat, X_OK, at.path);
  return at.existing;
}

function checkArguments(
  process: Process,
  argv: readonly string[],
  env: ReadonlyMap<string, string> | undefined,
): void {
  const { limits } = process.kernel;
  const sizeOf = (text: string): number => {
    if (text.includes("\0"))
      throw new KernelError("EINVAL", text, "an argument cannot hold a NUL byte");
    return encodedLength(text) + 1;
  };
  limits.check(
    "maxArgvBytes",
    argv.reduce((sum, argument) => sum + sizeOf(argument), 0),
  );
  if (env === undefined) return;
  let size = 0;
  for (const [name, value] of env) size += sizeOf(name) + sizeOf(value);
  limits.check("maxEnvBytes", size);
}

/**
 * The environment a child gets. Of the host's variables it gets those a guest may read. One that the
 * guest may not write is left as the parent has it, or out: a rule must not fail every command.
 */
async function allowedEnvironment(
  process: Process,
  call: string,
  env: ReadonlyMap<string, string> | undefined,
): Promise<ReadonlyMap<string, string>> {
  if (process.isTrusted) return readableEnvironment(process.kernel.policy, env ?? process.env);
  if (env === undefined) return process.env;
  const allowed = new Map(env);
  for (const [name, value] of env) {
    const own = process.env.get(name);
    if (own === value || (await mayWrite(process, call, name))) continue;
    if (own === undefined) allowed.delete(name);
    else allowed.set(name, own);
  }
  return allowed;
}

async function mayWrite(process: Process, call: string, subject: string): Promise<boolean> {
  try {
    await requirePermission({ process, call, scope: "env", operation: "write", subject });
    return true;
  } catch (error) {
    if (isKernelError(error, "EACCES")) return false;
    throw error;
  }
}
