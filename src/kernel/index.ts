/** The kernel's front door. */
export { type Errno, errnos, errnoWords } from "./abi/errno.ts";
export {
  decodeInotify,
  IN_ATTRIB,
  IN_CREATE,
  IN_DELETE,
  IN_DELETE_SELF,
  IN_ISDIR,
  IN_MODIFY,
  IN_MOVE_SELF,
  IN_MOVED_FROM,
  IN_MOVED_TO,
  IN_Q_OVERFLOW,
} from "./abi/inotify.ts";
export { isKernelError, KernelError } from "./abi/kernel-error.ts";
export {
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
export { POLLHUP, POLLIN, POLLOUT } from "./abi/poll.ts";
export { findSignalName, findSignalNumber, LAST_SIGNAL, signals } from "./abi/signals.ts";
export {
  AF_INET,
  AF_INET6,
  AF_UNIX,
  AF_UNSPEC,
  MSG_DONTWAIT,
  MSG_NOSIGNAL,
  SHUT_WR,
  SOCK_DGRAM,
  SOCK_STREAM,
  type SocketAddress,
} from "./abi/socket.ts";
export {
  type DirectoryEntry,
  type FileKind,
  formatOf,
  HOST_STREAM_DEVICE,
  type Rights,
  S_ISGID,
  S_ISUID,
  S_ISVTX,
  type Stat,
  type StatFs,
} from "./abi/stat.ts";
export type { Termios, WindowSize } from "./abi/terminal.ts";
export { decodeText, encodeText } from "./abi/text.ts";
export { shellStatus, type WaitStatus, WNOHANG, WUNTRACED } from "./abi/wait-status.ts";
export { type Answer, whenAnswered } from "./answer.ts";
export { OpenFile } from "./fd/open-file.ts";
export { type Waiter, WaitQueue } from "./fd/wait-queue.ts";
export { type Device, DeviceFileSystem } from "./filesystems/device-file-system.ts";
export type { DeviceNode } from "./filesystems/devices/device-node.ts";
export { heldBytesFor } from "./filesystems/memory/file-content.ts";
export type { SeedEntry } from "./filesystems/memory/seed.ts";
export { MemoryFileSystem } from "./filesystems/memory-file-system.ts";
export { OverlayFileSystem } from "./filesystems/overlay-file-system.ts";
export { ProcFileSystem } from "./filesystems/proc/proc-file-system.ts";
export { PtsFileSystem } from "./filesystems/pts-file-system.ts";
export type { KernelHost, KernelLog } from "./host.ts";
export { Kernel } from "./kernel.ts";
export { cpuNotice, heapNotice, memoryNotice } from "./limits/limit-notices.ts";
export {
  type LimitName,
  Limits,
  type LimitValues,
  type LimitWarning,
  limitNames,
  limitTable,
  resolveLimits,
} from "./limits/limits.ts";
export { DEFAULT_MEMORY_MB, type VmMemory } from "./limits/vm-memory.ts";
export type { AuditRecord } from "./permissions/audit-log.ts";
export { type Credentials, makeCredentials } from "./permissions/credentials.ts";
export {
  type PermissionAnswer,
  type PermissionRequest,
  type PermissionsConfig,
  Policy,
} from "./permissions/policy.ts";
export { type HostPipeParts, PipeFromHost, PipeToHost } from "./pipe/host-pipe.ts";
export type { Execution, Executor, Image, ProcessUse } from "./process/executor.ts";
export { findLargestHolder, killForMemory } from "./process/kill-largest.ts";
export type { Process } from "./process/process.ts";
export { ProcessEnded } from "./process/process-ended.ts";
export type { Program } from "./process/program.ts";
export { makeDevice } from "./pty/device-numbers.ts";
export type { Sys } from "./syscalls/sys.ts";
export { socketCallNames, syscallNames } from "./syscalls/table.ts";
export { formatTrace } from "./trace/trace-line.ts";
export type { TraceRecord } from "./trace/tracer.ts";
export type {
  Attributes,
  DirectoryName,
  DirectoryPage,
  FileSystem,
  Inode,
  NewFile,
  OutsideChange,
} from "./vfs/file-system.ts";
export { firstFrom } from "./vfs/first-from.ts";
export type { ChangedDirectory, Contents, Follower, Survey, SurveyedFile } from "./vfs/follower.ts";
export { KnownInodes } from "./vfs/known-inodes.ts";
export { PlainFollower } from "./vfs/plain-follower.ts";
