/**
 * Every way into the kernel. A guest can do nothing that is not in this list.
 *
 * `errnos` are all that a call can fail with; each has a test (test/kernel/syscalls). EIO beside
 * them is our bug, and logged as one. docs/syscalls.md is made from this table.
 */
import * as attributes from "./attributes.ts";
import * as descriptors from "./descriptors.ts";
import * as directories from "./directories.ts";
import * as files from "./files.ts";
import * as identity from "./identity.ts";
import * as names from "./names.ts";
import * as processes from "./processes.ts";
import { full, partial, reading, type Syscall, walk } from "./row.ts";
import * as signals from "./signals.ts";
import { socketCalls } from "./socket-calls.ts";
import * as system from "./system.ts";
import * as terminals from "./terminals.ts";
import * as watches from "./watches.ts";

export const syscalls = {
  open: full(files.open, [
    ...walk,
    "EEXIST",
    "EISDIR",
    "EROFS",
    "EMFILE",
    "ENFILE",
    "ENXIO",
    "ENOSPC",
    "EINTR",
  ]),
  close: full(files.close, ["EBADF"]),
  read: full(files.read, reading),
  readThrough: full(files.readThrough, reading),
  write: full(files.write, [
    "EBADF",
    "EPIPE",
    "ENOTCONN",
    "ECONNRESET",
    "ECONNREFUSED",
    "EDESTADDRREQ",
    "EMSGSIZE",
    "ENOBUFS",
    "EAGAIN",
    "EINTR",
    "ENOSPC",
    "EFBIG",
    "EINVAL",
    "EIO",
  ]),
  pread: full(files.pread, ["EBADF", "EISDIR", "ESPIPE", "EINVAL"]),
  pwrite: full(files.pwrite, ["EBADF", "ESPIPE", "EINVAL", "ENOSPC", "EFBIG"]),
  seek: full(files.seek, ["EBADF", "ESPIPE", "EINVAL"]),
  truncate: full(files.truncate, [...walk, "EISDIR", "EROFS", "EFBIG"]),
  ftruncate: full(files.ftruncate, ["EBADF", "EINVAL", "EFBIG"]),
  fsync: full(files.fsync, ["EBADF", "EINVAL"]),
  sync: full(files.sync, []),

  mkdir: full(names.mkdir, [...walk, "EEXIST", "EROFS", "ENOSPC"]),
  rmdir: full(names.rmdir, [...walk, "ENOTEMPTY", "EBUSY", "EPERM", "EROFS"]),
  unlink: full(names.unlink, [...walk, "EISDIR", "EPERM", "EROFS"]),
  rename: full(names.rename, [...walk, "EXDEV", "EISDIR", "ENOTEMPTY", "EBUSY", "EPERM", "EROFS"]),
  link: full(names.link, [...walk, "EEXIST", "EPERM", "EXDEV", "EROFS", "EMLINK", "ENOSPC"]),
  symlink: full(names.symlink, [...walk, "EEXIST", "EROFS", "ENOSPC"]),
  readlink: full(names.readlink, walk),
  mknod: full(names.mknod, [...walk, "EEXIST", "EPERM", "EROFS", "ENOSPC"]),

  stat: full(attributes.stat, walk),
  lstat: full(attributes.lstat, walk),
  fstat: full(attributes.fstat, ["EBADF"]),
  access: full(attributes.access, [...walk, "EROFS"]),
  statfs: full(attributes.statfs, walk),
  chmod: full(attributes.chmod, [...walk, "EPERM", "EROFS"]),
  fchmod: full(attributes.fchmod, ["EBADF", "EPERM", "EROFS", "EINVAL"]),
  chown: full(attributes.chown, [...walk, "EPERM", "EROFS"]),
  lchown: full(attributes.lchown, [...walk, "EPERM", "EROFS"]),
  fchown: full(attributes.fchown, ["EBADF", "EPERM", "EROFS", "EINVAL"]),
  utimes: full(attributes.utimes, [...walk, "EPERM", "EROFS"]),

  readdir: full(directories.readdir, ["EBADF", "ENOTDIR", "EINVAL"]),
  chdir: full(directories.chdir, walk),
  fchdir: full(directories.fchdir, ["EBADF", "ENOTDIR", "EACCES"]),
  getcwd: full(directories.getcwd, ["ENOENT"]),
  umask: full(directories.umask, []),
  mount: partial(
    directories.mount,
    [...walk, "EPERM", "ENODEV", "EBUSY", "ENOSPC"],
    "Memory and bind mounts; other drivers are mounted by the host.",
  ),
  umount: full(directories.umount, [...walk, "EPERM", "EBUSY"]),

  dup: full(descriptors.dup, ["EBADF", "EINVAL", "EMFILE"]),
  dup2: full(descriptors.dup2, ["EBADF"]),
  pipe: full(descriptors.pipe, ["EMFILE", "ENFILE", "EINVAL"]),
  fcntl: partial(
    descriptors.fcntl,
    ["EBADF", "EINVAL"],
    "Flags; dup and setlk are calls of their own.",
  ),
  flock: full(descriptors.flock, ["EBADF", "EAGAIN", "EINTR", "ENOLCK"]),
  setlk: full(descriptors.setlk, [
    "EBADF",
    "EAGAIN",
    "EDEADLK",
    "EINTR",
    "EINVAL",
    "EOVERFLOW",
    "ENOLCK",
  ]),
  getlk: full(descriptors.getlk, ["EBADF", "EINVAL", "EOVERFLOW"]),
  poll: full(descriptors.poll, ["EINTR", "EINVAL", "EAGAIN"]),
  ioctl: partial(
    descriptors.ioctl,
    ["EBADF", "ENOTTY", "EINVAL", "EPERM", "ESRCH", "EIO", "EINTR"],
    "Terminal requests, and FIONREAD of streams.",
  ),
  openpty: full(terminals.openpty, ["EMFILE", "ENOSPC"]),

  ...socketCalls,

  inotifyInit: full(watches.inotifyInit, ["EINVAL", "EMFILE"]),
  inotifyAddWatch: full(watches.inotifyAddWatch, [...walk, "EEXIST", "ENOSPC"]),
  inotifyRmWatch: full(watches.inotifyRmWatch, ["EBADF", "EINVAL"]),

  spawn: full(processes.spawn, [...walk, "ENOEXEC", "E2BIG", "EAGAIN", "EPERM"]),
  clone: partial(
    processes.clone,
    [...walk, "E2BIG", "EAGAIN", "EPERM"],
    "For programs only: the child runs the function given.",
  ),
  exec: full(processes.exec, [...walk, "ENOEXEC", "E2BIG"]),
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
  sigtimedwait: full(signals.sigtimedwait, ["EINVAL", "EINTR", "EAGAIN"]),
  sigprocmask: full(signals.sigprocmask, ["EINVAL"]),
  sigpending: full(signals.sigpending, []),

  getcredentials: full(identity.getcredentials, []),
  setuid: full(identity.setuid, ["EPERM", "EINVAL"]),
  setgid: full(identity.setgid, ["EPERM", "EINVAL"]),
  setgroups: full(identity.setgroups, ["EPERM", "EINVAL"]),

  nanosleep: full(system.nanosleep, ["EINVAL", "EINTR", "EAGAIN"]),
  clock: full(system.clock, []),
  getrandom: full(system.getrandom, ["EINVAL"]),
  uname: full(system.uname, []),
  sysinfo: full(system.sysinfo, []),
  times: full(system.times, []),
  hold: full(system.hold, ["EINVAL", "ENOMEM"]),
  getrlimits: full(system.getrlimits, []),
  setrlimit: full(system.setrlimit, ["EINVAL", "EPERM"]),
  schedYield: full(system.schedYield, []),
} as const satisfies Record<string, Syscall>;

export type SyscallName = keyof typeof syscalls;

/** Their names in the table's order. */
export const socketCallNames: readonly string[] = Object.keys(socketCalls);

export const syscallNames: readonly SyscallName[] = Object.keys(syscalls).filter(isSyscallName);

function isSyscallName(name: string): name is SyscallName {
  return Object.hasOwn(syscalls, name);
}
