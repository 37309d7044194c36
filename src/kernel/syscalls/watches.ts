/** Watching files, see inotify(7). */

import { IN_ONLYDIR } from "../abi/inotify.ts";
import { KernelError } from "../abi/kernel-error.ts";
import { O_CLOEXEC, O_NONBLOCK, R_OK } from "../abi/open-flags.ts";
import { holding } from "../fd/holding.ts";
import { checkFile, type PathArg } from "../permissions/check-path.ts";
import { requireAccess } from "../permissions/credentials.ts";
import type { Process } from "../process/process.ts";
import { InotifyFile } from "../watch/inotify-file.ts";
import { addFile } from "./descriptors.ts";

/** A new fd that events are read from. */
export async function inotifyInit(process: Process, flags = 0): Promise<number> {
  if ((flags & ~(O_CLOEXEC | O_NONBLOCK)) !== 0) throw new KernelError("EINVAL");
  const { kernel } = process;
  const file = new InotifyFile({
    watches: kernel.vfs.watches,
    limits: kernel.limits,
    ino: kernel.nextAnonymousIno(),
    flags: flags & O_NONBLOCK,
  });
  return addFile(process, file, (flags & O_CLOEXEC) !== 0);
}

/** Watches a file or directory, or changes what is watched of it; answers its watch descriptor. */
export async function inotifyAddWatch(
  process: Process,
  fd: number,
  path: PathArg,
  mask: number,
): Promise<number> {
  const file = inotifyOf(process, fd);
  return holding(file, async () => {
    const at = await checkFile({ process, call: "inotifyAddWatch", path, operation: "read" });
    const { mount, inode } = at.existing;
    const isOnlyDirectory = (mask & IN_ONLYDIR) !== 0;
    if (isOnlyDirectory && inode.kind !== "directory") throw new KernelError("ENOTDIR", at.path);
    requireAccess(process.credentials, await process.kernel.vfs.statOf(at.existing), R_OK, at.path);
    const { fileSystem } = mount;
    return file.addWatch(inode, mask, fileSystem.watch?.bind(fileSystem, inode));
  });
}

/** Ends a watch; IN_IGNORED is its last event. */
export async function inotifyRmWatch(process: Process, fd: number, wd: number): Promise<void> {
  inotifyOf(process, fd).removeWatch(wd);
}

function inotifyOf(process: Process, fd: number): InotifyFile {
  const file = process.fds.get(fd);
  if (!(file instanceof InotifyFile)) throw new KernelError("EINVAL", String(fd));
  return file;
}
