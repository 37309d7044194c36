/** The kernel's front door. */
export { type Errno, errnos, errnoWords } from "./abi/errno.ts";
export {
  IN_ALL_EVENTS,
  IN_ATTRIB,
  IN_CLOSE_WRITE,
  IN_CREATE,
  IN_DELETE,
  IN_DELETE_SELF,
  IN_IGNORED,
  IN_ISDIR,
  IN_MODIFY,
  IN_MOVE_SELF,
  IN_MOVED_FROM,
  IN_MOVED_TO,
  decodeInotify,
  type InotifyEvent,
} from "./abi/inotify.ts";
export { isKernelError, KernelError } from "./abi/kernel-error.ts";
export {
  F_OK,
  O_ACCMODE,
  O_APPEND,
  O_CLOEXEC,
  O_CREAT,
  O_DIRECTORY,
  O_EXCL,
  O_NOCTTY,
  O_NOFOLLOW,
  O_NONBLOCK,
  O_RDONLY,
  O_RDWR,
  O_TRUNC,
  O_WRONLY,
  R_OK,
  SEEK_CUR,
  SEEK_END,
  SEEK_SET,
  W_OK,
  X_OK,
} from "./abi/open-flags.ts";
export { POLLERR, POLLHUP, POLLIN, POLLNVAL, POLLOUT, type PollRequest } from "./abi/poll.ts";
export {
  defaultAction,
  findSignalName,
  findSignalNumber,
  LAST_SIGNAL,
  type SignalName,
  signals,
} from "./abi/signals.ts";
export {
  type DirectoryEntry,
  type FileKind,
  formatOf,
  S_IFCHR,
  S_IFDIR,
  S_IFIFO,
  S_IFLNK,
  S_IFMT,
  S_IFREG,
  S_IFSOCK,
  S_ISGID,
  S_ISUID,
  S_ISVTX,
  type Stat,
  type StatFs,
} from "./abi/stat.ts";
export type { IoctlAnswer, IoctlRequest, Termios, WindowSize } from "./abi/terminal.ts";
export { decodeText, encodeText } from "./abi/text.ts";
export { shellStatus, type WaitStatus, WCONTINUED, WNOHANG, WUNTRACED } from "./abi/wait-status.ts";
export { OpenFile } from "./fd/open-file.ts";
export { type Waiter, WaitQueue } from "./fd/wait-queue.ts";
export type { SeedEntry } from "./filesystems/memory/seed.ts";
export { MemoryFileSystem } from "./filesystems/memory-file-system.ts";
export { OverlayFileSystem } from "./filesystems/overlay-file-system.ts";
export { DeviceFileSystem } from "./filesystems/device-file-system.ts";
export { ProcFileSystem } from "./filesystems/proc/proc-file-system.ts";
export { PtsFileSystem } from "./filesystems/pts-file-system.ts";
export type { KernelHost, KernelLog } from "./host.ts";
export { Kernel, type KernelOptions } from "./kernel.ts";
export {
  type LimitName,
  Limits,
  type LimitValues,
  type LimitWarning,
  limitTable,
  resolveLimits,
} from "./limits/limits.ts";
export type { AuditRecord } from "./permissions/audit-log.ts";
export type { PathArg } from "./permissions/check-path.ts";
export { type Credentials, makeCredentials } from "./permissions/credentials.ts";
export {
  defaultPermissions,
  type PermissionAnswer,
  type PermissionMode,
  type PermissionRequest,
  type PermissionsConfig,
  Policy,
  scopeOperations,
} from "./permissions/policy.ts";
export type { Execution, Executor, Image } from "./process/executor.ts";
export type { Process } from "./process/process.ts";
export { ProcessEnded } from "./process/process-ended.ts";
export type { Program } from "./process/program.ts";
export type { Disposition } from "./process/signal-state.ts";
export type { CloneOptions, FdAction, SpawnOptions } from "./process/spawn.ts";
export type { Sys } from "./syscalls/sys.ts";
export { type Syscall, type SyscallName, syscalls } from "./syscalls/table.ts";
export type {
  Attributes,
  DirectoryName,
  DirectoryPage,
  FileSystem,
  Inode,
  NewFile,
} from "./vfs/file-system.ts";
