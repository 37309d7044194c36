import { KernelError } from "../abi/kernel-error.ts";
import { X_OK } from "../abi/open-flags.ts";
import { S_ISGID, S_ISUID, S_IXGRP, type Stat } from "../abi/stat.ts";
import { decodeText } from "../abi/text.ts";
import { checkFile, type PathArg } from "../permissions/check-path.ts";
import { type Credentials, requireAccess } from "../permissions/credentials.ts";
import { requirePermission } from "../permissions/require-permission.ts";
import { type NamePlace, type Place, pathsOf } from "../vfs/place.ts";
import type { Executor } from "./executor.ts";
import type { Process } from "./process.ts";

/** Linux's BINPRM_BUF_SIZE: how much of a file decides what it is. */
const HEADER_BYTES = 256;
/** How many scripts Linux goes through until it runs something (exec_binprm in fs/exec.c). */
const SCRIPTS_MAX = 5;

/** A file that can be run, and who it will run as. */
export interface Executable {
  readonly path: string;
  readonly header: Uint8Array;
  readonly argv: readonly string[];
  readonly executor: Executor;
  readonly credentials: Credentials;
}

export interface ExecutableWish {
  readonly process: Process;
  readonly call: string;
  readonly path: PathArg;
  readonly argv: readonly string[];
  readonly credentials: Credentials;
}

/**
 * Finds what a path runs, through `#!` lines. ENOENT, EACCES (not a file, not executable, policy),
 * ENOEXEC (nothing runs it), ELOOP (interpreters of interpreters).
 */
export async function findExecutable(wish: ExecutableWish): Promise<Executable> {
  const { process } = wish;
  let { path, argv } = wish;
  for (let depth = 0; depth <= SCRIPTS_MAX; depth++) {
    const file = await openExecutable({ ...wish, path });
    const line = parseInterpreterLine(file.header);
    if (line === undefined) {
      const executor = executorFor(process, file.header);
      if (executor === undefined) throw new KernelError("ENOEXEC", file.path);
      return { ...file, argv, executor };
    }
    const script = typeof path === "string" ? path : file.path;
    argv = [line.interpreter, ...line.argument, script, ...argv.slice(1)];
    path = line.interpreter;
  }
  throw new KernelError("ELOOP", typeof path === "string" ? path : path.path);
}

interface ExecutableFile {
  readonly path: string;
  readonly header: Uint8Array;
  readonly credentials: Credentials;
}

async function openExecutable(wish: ExecutableWish): Promise<ExecutableFile> {
  const { process, call, path, credentials } = wish;
  const at = await checkFile({ process, call, path, operation: "read" });
  await requireExecutable(wish, at.existing);
  // Read before the policy is asked, and kept: what was allowed is what runs.
  const header = await readHeader(at.existing);
  const wasAsked = await requireRunnable(wish, at, header);
  if (wasAsked && (await isReplaced(wish, at.existing))) return openExecutable(wish);
  const stat = await requireExecutable(wish, at.existing);
  return { path: at.path, header, credentials: credentialsIn(stat, credentials) };
}

async function readHeader({ mount, inode }: Place): Promise<Uint8Array> {
  const header = new Uint8Array(HEADER_BYTES);
  const length = await mount.fileSystem.read(inode, header, 0);
  return header.subarray(0, length);
}

function executorFor({ kernel }: Process, header: Uint8Array): Executor | undefined {
  return kernel.executors.find((one) => one.accepts(header));
}

/** Whether the host was asked if the file may be run, by its paths and by what it is. */
async function requireRunnable(
  wish: ExecutableWish,
  at: NamePlace,
  header: Uint8Array,
): Promise<boolean> {
  const { process, call } = wish;
  const scope = "childProcess";
  const identity = executorFor(process, header)?.identify?.(header);
  const subjects = new Set(pathsOf(at));
  if (identity !== undefined) subjects.add(identity);
  let wasAsked = false;
  for (const subject of subjects) {
    if (await requirePermission({ process, call, scope, operation: "spawn", subject }))
      wasAsked = true;
  }
  return wasAsked;
}

/** Whether the path leads elsewhere after the host was asked: then it must be asked about that. */
async function isReplaced({ process, path }: ExecutableWish, asked: Place): Promise<boolean> {
  const { existing } = await process.kernel.vfs.walkFrom(process, path, true);
  return existing?.inode !== asked.inode || existing.path !== asked.path;
}

async function requireExecutable(wish: ExecutableWish, place: Place): Promise<Stat> {
  const stat = await wish.process.kernel.vfs.statOf(place);
  if (stat.kind !== "file") throw new KernelError("EACCES", place.path);
  requireAccess(wish.credentials, stat, X_OK, place.path);
  return stat;
}

/** Set-id bits change the effective ids, and exec saves those, see execve(2). */
function credentialsIn({ mode, uid, gid }: Stat, who: Credentials): Credentials {
  const euid = (mode & S_ISUID) === 0 ? who.euid : uid;
  // Without the group's right to run it, the bit meant locking once and means nothing now.
  const isSetGid = (mode & S_ISGID) !== 0 && (mode & S_IXGRP) !== 0;
  const egid = isSetGid ? gid : who.egid;
  return { ...who, euid, suid: euid, egid, sgid: egid };
}

interface InterpreterLine {
  readonly interpreter: string;
  /** Everything behind the interpreter is one argument, as on Linux. */
  readonly argument: readonly string[];
}

function parseInterpreterLine(header: Uint8Array): InterpreterLine | undefined {
  if (header[0] !== 0x23 || header[1] !== 0x21) return undefined;
  const end = header.indexOf(0x0a);
  const line = decodeText(header.subarray(2, end < 0 ? header.length : end));
  const [, interpreter, blank, argument] = /^[ \t]*([^ \t]+)([ \t]*)(.*?)[ \t]*$/s.exec(line) ?? [];
  // An interpreter's name that the header cuts off is not run, see execve(2).
  const isCut = end < 0 && header.length === HEADER_BYTES && blank === "";
  if (interpreter === undefined || isCut) throw new KernelError("ENOEXEC");
  return { interpreter, argument: argument === undefined || argument === "" ? [] : [argument] };
}
