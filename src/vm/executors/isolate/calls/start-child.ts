// Starts a child as uv_spawn does: its stdio, where its file is found, what it inherits.
import {
  AF_UNIX,
  type Credentials,
  isKernelError,
  KernelError,
  makeCredentials,
  O_CLOEXEC,
  O_NONBLOCK,
  O_RDONLY,
  O_RDWR,
  SOCK_STREAM,
} from "../../../../kernel/index.ts";
import { type Arguments, flag, int, list, maybe, path, record, text, texts } from "../arguments.ts";
import type { Guest } from "../guest.ts";
import { childSignals } from "./signals.ts";

type Sys = Guest["sys"];
type Parent = Pick<Guest, "sys" | "state">;

/** One of a child's fds: a pipe to its parent, one of the parent's fds, or nothing. */
export type ChildFd = "pipe" | "ignore" | number;

export interface ChildWish {
  readonly file: string;
  readonly argv: readonly string[];
  readonly cwd: string | undefined;
  readonly env: ReadonlyMap<string, string>;
  readonly stdio: readonly ChildFd[];
  readonly isDetached: boolean;
  readonly uid: number | undefined;
  readonly gid: number | undefined;
}

export interface StartedChild {
  /** Undefined when it could not be started: then `failure` says why. */
  readonly pid: number | undefined;
  readonly failure: KernelError | undefined;
  /** The parent's ends of the pipes, by the child's fd; they are there even if it was not started. */
  readonly pipes: ReadonlyMap<number, number>;
}

/** Fds of one child. */
const STDIO_LIMIT = 1024;
/** Where execvp looks without PATH. */
const DEFAULT_PATH = "/usr/local/bin:/bin:/usr/bin";

/** Takes a wish from a call's arguments. */
export function childWish(args: Arguments, at: number): ChildWish {
  const wish = record(args, at);
  const field = (name: string): Arguments => [wish[name]];
  const stdio = list(field("stdio"), 0);
  if (stdio.length > STDIO_LIMIT) throw new KernelError("EMFILE");
  return {
    file: text(field("file"), 0),
    argv: texts(field("argv"), 0),
    cwd: maybe(path, field("cwd"), 0),
    env: environmentOf(texts(field("env"), 0)),
    stdio: stdio.map((one, index) =>
      one === "pipe" || one === "ignore" ? one : int(stdio, index),
    ),
    isDetached: flag(field("isDetached"), 0),
    uid: maybe(int, field("uid"), 0),
    gid: maybe(int, field("gid"), 0),
  };
}

/** Of a name that is there twice, the first counts, as for getenv. */
export function environmentOf(pairs: readonly string[]): Map<string, string> {
  const env = new Map<string, string>();
  for (const pair of pairs) {
    const equals = pair.indexOf("=", 1);
    if (equals > 0 && !env.has(pair.slice(0, equals)))
      env.set(pair.slice(0, equals), pair.slice(equals + 1));
  }
  return env;
}

/** Fails only where there is no room for the pipes. */
export async function startChild(parent: Parent, wish: ChildWish): Promise<StartedChild> {
  const { sys } = parent;
  const pipes = new Map<number, number>();
  /** Fds that only the child keeps. */
  const passing: number[] = [];
  await markInherited(parent);
  try {
    const fds = [];
    for (const [fd, one] of wish.stdio.entries()) {
      const from = await passedFd(sys, { fd, one, pipes, passing });
      if (from !== undefined) fds.push({ fd, from });
    }
    const credentials = await credentialsFor(sys, wish);
    const pid = await runFile(sys, wish, {
      argv: wish.argv,
      env: wish.env,
      fds,
      signals: childSignals,
      ...(wish.cwd === undefined ? {} : { cwd: wish.cwd }),
      ...(wish.isDetached ? { isSessionLeader: true } : {}),
      ...(credentials === undefined ? {} : { credentials }),
    });
    return { pid, failure: undefined, pipes };
  } catch (error) {
    if (!isKernelError(error)) throw error;
    return { pid: undefined, failure: error, pipes };
  } finally {
    for (const fd of passing) await sys.close(fd);
  }
}

/** As uv_disable_stdio_inheritance, once: what this process was given is not passed on by itself; what it opens never is. */
async function markInherited({ sys, state }: Parent): Promise<void> {
  if (state.has(MARKED)) return;
  state.set(MARKED, true);
  for (let fd = 3; fd < 16; fd += 1) {
    try {
      await sys.fcntl(fd, { request: "F_SETFD", isCloseOnExec: true });
    } catch (error) {
      if (!isKernelError(error, "EBADF")) throw error;
    }
  }
}

const MARKED = "inherited fds are marked";

interface Passing {
  readonly fd: number;
  readonly one: ChildFd;
  readonly pipes: Map<number, number>;
  readonly passing: number[];
}

/** The parent's fd that becomes this one of the child's; undefined for none. */
async function passedFd(
  sys: Sys,
  { fd, one, pipes, passing }: Passing,
): Promise<number | undefined> {
  if (typeof one === "number") {
    if (fd <= 2) await makeBlocking(sys, one);
    return one;
  }
  if (one === "pipe") {
    const [own, childs] = await sys.socketpair(AF_UNIX, SOCK_STREAM | O_CLOEXEC);
    passing.push(childs);
    pipes.set(fd, own);
    await sys.fcntl(own, { request: "F_SETFL", flags: O_NONBLOCK });
    return childs;
  }
  if (fd > 2) return undefined;
  const nothing = await sys.open("/dev/null", (fd === 0 ? O_RDONLY : O_RDWR) | O_CLOEXEC);
  passing.push(nothing);
  return nothing;
}

/** As uv__process_child_init: programs do not expect EAGAIN of stdio. */
async function makeBlocking(sys: Sys, fd: number): Promise<void> {
  const flags = await sys.fcntl(fd, { request: "F_GETFL" });
  if ((flags & O_NONBLOCK) !== 0)
    await sys.fcntl(fd, { request: "F_SETFL", flags: flags & ~O_NONBLOCK });
}

/** As setgid and setuid in the child: only root may become another. */
async function credentialsFor(sys: Sys, { uid, gid }: ChildWish): Promise<Credentials | undefined> {
  if (uid === undefined && gid === undefined) return undefined;
  const own = await sys.getcredentials();
  const isSame = (uid ?? own.uid) === own.uid && (gid ?? own.gid) === own.gid;
  if (isSame && own.euid !== 0) return undefined;
  if (own.euid !== 0) throw new KernelError("EPERM");
  return makeCredentials(uid ?? own.uid, gid ?? own.gid);
}

type SpawnOptions = Omit<Parameters<Sys["spawn"]>[0], "path">;

/** As execvp: along the child's PATH, and a file that is no executable is a script of /bin/sh. */
async function runFile(sys: Sys, { file, env }: ChildWish, options: SpawnOptions): Promise<number> {
  if (file === "") throw new KernelError("ENOENT");
  if (file.includes("/")) return runAt(sys, file, options);
  let refusal = new KernelError("ENOENT", file);
  for (const directory of (env.get("PATH") ?? DEFAULT_PATH).split(":")) {
    try {
      return await runAt(sys, directory === "" ? `./${file}` : `${directory}/${file}`, options);
    } catch (error) {
      if (!isKernelError(error) || !isElsewhere(error)) throw error;
      if (error.errno === "EACCES") refusal = error;
      // A directory to start in that is not there is not there for any of them.
      if (error.subject !== undefined && error.subject === options.cwd) throw error;
    }
  }
  throw refusal;
}

/** Whether execvp looks further after this. */
function isElsewhere({ errno }: KernelError): boolean {
  return errno === "ENOENT" || errno === "ENOTDIR" || errno === "EACCES";
}

async function runAt(sys: Sys, path: string, options: SpawnOptions): Promise<number> {
  try {
    return await sys.spawn({ ...options, path });
  } catch (error) {
    if (!isKernelError(error, "ENOEXEC")) throw error;
    const argv = ["/bin/sh", path, ...options.argv.slice(1)];
    return sys.spawn({ ...options, argv, path: "/bin/sh" });
  }
}
