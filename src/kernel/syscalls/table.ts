/**
 * Every way into the kernel. A guest can do nothing that is not in this list.
 *
 * `errnos` are what a call can fail with beyond what every path brings along (the walk's ENOENT,
 * ENOTDIR, EACCES, ELOOP, ENAMETOOLONG, EINVAL for a NUL); each has a test. docs/syscalls.md is made
 * from this table.
 */
import type { Errno } from "../abi/errno.ts";
import type { Process } from "../process/process.ts";
import * as attributes from "./attributes.ts";
import * as descriptors from "./descriptors.ts";
import * as directories from "./directories.ts";
import * as files from "./files.ts";
import * as identity from "./identity.ts";
import * as names from "./names.ts";
import * as processes from "./processes.ts";
import * as signals from "./signals.ts";
import * as system from "./system.ts";
import * as terminals from "./terminals.ts";
import * as watches from "./watches.ts";

type Handler = (process: Process, ...args: never[]) => Promise<unknown>;

export interface Syscall {
  readonly handler: Handler;
  readonly support: "full" | "partial";
  readonly errnos: readonly Errno[];
  readonly note?: string;
}

export const syscalls = {
  open: full(files.open, [
    "ENOENT",
    "EEXIST",
    "EISDIR",
    "ENOTDIR",
    "EACCES",
    "ELOOP",
    "EROFS",
    "EMFILE",
    "ENFILE",
    "ENXIO",
    "ENOSPC",
  ]),
  close: full(files.close, ["EBADF"]),
  read: full(files.read, ["EBADF", "EISDIR", "EAGAIN", "EINTR", "EINVAL"]),
  write: full(files.write, ["EBADF", "EPIPE", "EAGAIN", "EINTR", "ENOSPC", "EFBIG", "EINVAL"]),
  pread: full(files.pread, ["EBADF", "ESPIPE", "EINVAL"]),
  pwrite: full(files.pwrite, ["EBADF", "ESPIPE", "EINVAL", "ENOSPC"]),
  seek: full(files.seek, ["EBADF", "ESPIPE", "EINVAL"]),
  truncate: full(files.truncate, ["ENOENT", "EISDIR", "EINVAL", "EACCES", "EROFS", "EFBIG"]),
  ftruncate: full(files.ftruncate, ["EBADF", "EINVAL", "EFBIG"]),
  fsync: full(files.fsync, ["EBADF", "EINVAL"]),
  sync: full(files.sync, []),

  mkdir: full(names.mkdir, ["EEXIST", "ENOENT", "EACCES", "EROFS", "ENOSPC"]),
  rmdir: full(names.rmdir, [
    "ENOENT",
    "ENOTDIR",
    "ENOTEMPTY",
    "EBUSY",
    "EINVAL",
    "EACCES",
    "EPERM",
    "EROFS",
  ]),
  unlink: full(names.unlink, ["ENOENT", "EISDIR", "EACCES", "EPERM", "EROFS"]),
  rename: full(names.rename, [
    "ENOENT",
    "EXDEV",
    "EINVAL",
    "EISDIR",
    "ENOTDIR",
    "ENOTEMPTY",
    "EBUSY",
    "EACCES",
    "EPERM",
    "EROFS",
  ]),
  link: full(names.link, ["ENOENT", "EEXIST", "EPERM", "EXDEV", "EACCES", "EROFS"]),
  symlink: full(names.symlink, ["EEXIST", "ENOENT", "EINVAL", "ENAMETOOLONG", "EACCES", "EROFS"]),
  readlink: full(names.readlink, ["ENOENT", "EINVAL"]),
  mknod: full(names.mknod, ["EEXIST", "EPERM", "EACCES"]),

  stat: full(attributes.stat, ["ENOENT", "ENOTDIR", "EACCES", "ELOOP", "ENAMETOOLONG"]),
  lstat: full(attributes.lstat, ["ENOENT"]),
  fstat: full(attributes.fstat, ["EBADF"]),
  access: full(attributes.access, ["ENOENT", "EACCES", "EROFS", "EINVAL"]),
  statfs: full(attributes.statfs, ["ENOENT"]),
  chmod: full(attributes.chmod, ["ENOENT", "EPERM", "EROFS"]),
  fchmod: full(attributes.fchmod, ["EBADF", "EPERM", "EINVAL"]),
  chown: full(attributes.chown, ["ENOENT", "EPERM", "EROFS"]),
  lchown: full(attributes.lchown, ["ENOENT", "EPERM"]),
  fchown: full(attributes.fchown, ["EBADF", "EPERM", "EINVAL"]),
  utimes: full(attributes.utimes, ["ENOENT", "EPERM", "EROFS"]),

  readdir: full(directories.readdir, ["EBADF", "ENOTDIR", "EINVAL"]),
  chdir: full(directories.chdir, ["ENOENT", "ENOTDIR", "EACCES"]),
  fchdir: full(directories.fchdir, ["EBADF", "ENOTDIR", "EACCES"]),
  getcwd: full(directories.getcwd, ["ENOENT"]),
  umask: full(directories.umask, []),
  mount: partial(
    directories.mount,
    ["EPERM", "ENOENT", "ENOTDIR", "ENOSPC"],
    "Memory and bind mounts; other drivers are mounted by the host.",
  ),
  umount: full(directories.umount, ["EPERM", "EINVAL", "EBUSY", "ENOENT"]),

  dup: full(descriptors.dup, ["EBADF", "EINVAL", "EMFILE"]),
  dup2: full(descriptors.dup2, ["EBADF"]),
  pipe: full(descriptors.pipe, ["EMFILE", "ENFILE", "EINVAL"]),
  fcntl: partial(
    descriptors.fcntl,
    ["EBADF", "EINVAL"],
    "Flags; dup and setlk are calls of their own.",
  ),
  flock: full(descriptors.flock, ["EBADF", "EAGAIN", "EINTR"]),
  setlk: full(descriptors.setlk, ["EBADF", "EAGAIN", "EDEADLK", "EINVAL", "ENOLCK"]),
  getlk: full(descriptors.getlk, ["EBADF"]),
  poll: full(descriptors.poll, ["EINTR", "EINVAL"]),
  ioctl: partial(descriptors.ioctl, ["EBADF", "ENOTTY"], "Terminal requests only."),
  openpty: full(terminals.openpty, ["EMFILE", "ENOSPC"]),

  inotifyInit: full(watches.inotifyInit, ["EINVAL", "EMFILE"]),
  inotifyAddWatch: full(watches.inotifyAddWatch, [
    "EBADF",
    "EINVAL",
    "ENOENT",
    "ENOTDIR",
    "EACCES",
    "ENOSPC",
  ]),
  inotifyRmWatch: full(watches.inotifyRmWatch, ["EBADF", "EINVAL"]),

  spawn: full(processes.spawn, [
    "ENOENT",
    "EACCES",
    "ENOEXEC",
    "E2BIG",
    "EAGAIN",
    "EBADF",
    "EPERM",
    "ELOOP",
    "ENOTDIR",
  ]),
  clone: partial(
    processes.clone,
    ["EAGAIN", "E2BIG", "EPERM"],
    "For programs only: the child runs the function given.",
  ),
  exec: full(processes.exec, ["ENOENT", "EACCES", "ENOEXEC", "E2BIG"]),
  exit: full(processes.exit, []),
  wait: full(processes.wait, ["ECHILD", "EINTR", "EINVAL"]),
  getpid: full(processes.getpid, []),
  getppid: full(processes.getppid, []),
  getpgid: full(processes.getpgid, ["ESRCH"]),
  setpgid: full(processes.setpgid, ["ESRCH", "EPERM", "EINVAL", "EACCES"]),
  setsid: full(processes.setsid, ["EPERM"]),
  getsid: full(processes.getsid, ["ESRCH"]),
  environ: full(processes.environ, []),

  kill: full(signals.kill, ["ESRCH", "EPERM", "EINVAL", "EACCES"]),
  sigaction: full(signals.sigaction, ["EINVAL"]),
  sigtimedwait: full(signals.sigtimedwait, ["EINVAL", "EINTR"]),
  sigprocmask: full(signals.sigprocmask, ["EINVAL"]),
  sigpending: full(signals.sigpending, []),

  getcredentials: full(identity.getcredentials, []),
  setuid: full(identity.setuid, ["EPERM", "EINVAL"]),
  setgid: full(identity.setgid, ["EPERM", "EINVAL"]),
  setgroups: full(identity.setgroups, ["EPERM", "EINVAL"]),

  nanosleep: full(system.nanosleep, ["EINVAL", "EINTR"]),
  clock: full(system.clock, []),
  getrandom: full(system.getrandom, ["EINVAL"]),
  uname: full(system.uname, []),
  sysinfo: full(system.sysinfo, []),
  getrlimits: full(system.getrlimits, []),
  schedYield: full(system.schedYield, []),
} as const satisfies Record<string, Syscall>;

export type SyscallName = keyof typeof syscalls;

interface Row<H> {
  readonly handler: H;
  readonly support: "full" | "partial";
  readonly errnos: readonly Errno[];
  readonly note?: string;
}

function full<H>(handler: H, errnos: readonly Errno[]): Row<H> {
  return { handler, support: "full", errnos };
}

function partial<H>(handler: H, errnos: readonly Errno[], note: string): Row<H> {
  return { handler, support: "partial", errnos, note };
}
