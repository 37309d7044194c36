/** Descriptors: copies, pipes, flags, locks, readiness. */
import { KernelError } from "../abi/kernel-error.ts";
import { O_CLOEXEC, O_NONBLOCK, SETTABLE_FLAGS } from "../abi/open-flags.ts";
import { POLLERR, POLLHUP, POLLNVAL, type PollRequest } from "../abi/poll.ts";
import type { IoctlAnswer, IoctlRequest } from "../abi/terminal.ts";
import { holding } from "../fd/holding.ts";
import type { OpenFile } from "../fd/open-file.ts";
import type { WaitQueue } from "../fd/wait-queue.ts";
import type { FlockOperation, LockRange, RecordLock } from "../locks/lock-table.ts";
import { createPipe } from "../pipe/pipe.ts";
import type { Process } from "../process/process.ts";

export type FcntlRequest =
  | { readonly request: "F_GETFL" }
  | { readonly request: "F_SETFL"; readonly flags: number }
  | { readonly request: "F_GETFD" }
  | { readonly request: "F_SETFD"; readonly isCloseOnExec: boolean };

/** FD_CLOEXEC, what F_GETFD answers. */
const FD_CLOEXEC = 1;

/** The lowest free fd from `from` up. */
export async function dup(
  process: Process,
  fd: number,
  from = 0,
  isCloseOnExec = false,
): Promise<number> {
  const file = process.fds.get(fd);
  const { maxOpenFds } = process.kernel.limits.values;
  if (!Number.isInteger(from) || from < 0 || from >= maxOpenFds)
    throw new KernelError("EINVAL", String(from));
  return process.fds.add(file, isCloseOnExec, from);
}

/** Closes `newFd` first; does nothing when both are the same. */
export async function dup2(
  process: Process,
  oldFd: number,
  newFd: number,
  isCloseOnExec = false,
): Promise<number> {
  const file = process.fds.get(oldFd);
  if (oldFd === newFd) return newFd;
  const replaced = process.fds.find(newFd);
  if (replaced !== undefined) process.kernel.locks.releaseClosed(process, replaced);
  process.fds.set(newFd, file, isCloseOnExec);
  return newFd;
}

/** The read end and the write end. */
export async function pipe(process: Process, flags = 0): Promise<[number, number]> {
  if ((flags & ~(O_CLOEXEC | O_NONBLOCK)) !== 0) throw new KernelError("EINVAL");
  const { kernel, credentials } = process;
  const { limits, host } = kernel;
  const ends = createPipe({
    ino: kernel.nextAnonymousIno(),
    limits,
    now: () => host.now(),
    flags: flags & O_NONBLOCK,
    uid: credentials.euid,
    gid: credentials.egid,
  });
  return addPair(process, [ends.readEnd, ends.writeEnd], (flags & O_CLOEXEC) !== 0);
}

/** Gives a new file a descriptor; without one it is released. EMFILE, EBADF once ended. */
export function addFile({ fds }: Process, file: OpenFile, isCloseOnExec: boolean): number {
  file.retain();
  try {
    return fds.add(file, isCloseOnExec);
  } finally {
    file.drop();
  }
}

/** Gives two new files descriptors, or neither: then both are released. EMFILE. */
export function addPair(
  { fds }: Process,
  files: readonly [OpenFile, OpenFile],
  isCloseOnExec = false,
): [number, number] {
  const [first, second] = files;
  for (const file of files) file.retain();
  try {
    const firstFd = fds.add(first, isCloseOnExec);
    try {
      return [firstFd, fds.add(second, isCloseOnExec)];
    } catch (error) {
      fds.close(firstFd);
      throw error;
    }
  } finally {
    for (const file of files) file.drop();
  }
}

/** Asks or changes the flags of an open file, or close-on-exec of one descriptor. */
export async function fcntl(process: Process, fd: number, wish: FcntlRequest): Promise<number> {
  const file = process.fds.get(fd);
  switch (wish.request) {
    case "F_GETFL":
      return file.flags;
    case "F_SETFL":
      file.flags = (file.flags & ~SETTABLE_FLAGS) | (wish.flags & SETTABLE_FLAGS);
      return 0;
    case "F_GETFD":
      return process.fds.isCloseOnExec(fd) ? FD_CLOEXEC : 0;
    case "F_SETFD":
      process.fds.setCloseOnExec(fd, wish.isCloseOnExec);
      return 0;
    default:
      throw new KernelError("EINVAL");
  }
}

/** A lock of the open file. EAGAIN when it is taken and `isNonBlocking`; else waits. */
export async function flock(
  process: Process,
  fd: number,
  operation: FlockOperation,
  isNonBlocking = false,
): Promise<void> {
  await process.kernel.locks.flock(process.fds.get(fd), operation, isNonBlocking, process);
}

/** A record lock of the process (F_SETLK, F_SETLKW). EAGAIN, EDEADLK, EBADF without that access. */
export async function setlk(
  process: Process,
  fd: number,
  lock: RecordLock,
  waits = false,
): Promise<void> {
  const file = process.fds.get(fd);
  if (lock.type === "read" && !file.isReadable) throw new KernelError("EBADF", String(fd));
  if (lock.type === "write" && !file.isWritable) throw new KernelError("EBADF", String(fd));
  const { locks } = process.kernel;
  await locks.setRecordLock(process, file, lock, waits);
  // Closed while the call was under way, or killed: the lock has come too late. Linux looks as well.
  if (process.fds.find(fd) !== file) locks.releaseClosed(process, file);
}

/** The lock that would be in the way (F_GETLK); undefined when there is none. */
export async function getlk(
  process: Process,
  fd: number,
  range: LockRange & { readonly type: "read" | "write" },
): Promise<(RecordLock & { readonly pid: number }) | undefined> {
  return process.kernel.locks.findConflict(process, process.fds.get(fd), range);
}

/** What holds of each fd; waits for at least one, at most `timeoutMs` (-1: for ever). */
export async function poll(
  process: Process,
  requests: readonly PollRequest[],
  timeoutMs = -1,
): Promise<number[]> {
  const { maxOpenFds } = process.kernel.limits.values;
  if (requests.length > maxOpenFds) throw new KernelError("EINVAL");
  const deadline = timeoutMs < 0 ? undefined : process.kernel.host.monotonic() + timeoutMs;
  while (true) {
    const answers = requests.map((request) => pollOne(process, request));
    if (timeoutMs === 0 || answers.some((events) => events !== 0)) return answers;
    const isWoken = await process.wait(queuesOf(process, requests), deadline);
    if (!isWoken) return requests.map((request) => pollOne(process, request));
  }
}

/** What a terminal, and FIONREAD of a stream, can be asked, see tty_ioctl(4). */
export async function ioctl(
  process: Process,
  fd: number,
  request: IoctlRequest,
): Promise<IoctlAnswer> {
  const file = process.fds.get(fd);
  return holding(file, () => file.ioctl(request, process));
}

function pollOne(process: Process, { fd, events }: PollRequest): number {
  if (fd < 0) return 0;
  const file = process.fds.find(fd);
  if (file === undefined) return POLLNVAL;
  return file.poll() & (events | POLLERR | POLLHUP);
}

function queuesOf(process: Process, requests: readonly PollRequest[]): WaitQueue[] {
  const queues = requests.map(({ fd }) => process.fds.find(fd)?.changed);
  return queues.filter((queue) => queue !== undefined);
}
