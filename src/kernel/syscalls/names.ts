/** Making, moving and removing names. */
import { KernelError } from "../abi/kernel-error.ts";
import { encodeText } from "../abi/text.ts";
import { checkRename, requireSameRules } from "../permissions/check-move.ts";
import { checkFile, checkPath, type PathArg } from "../permissions/check-path.ts";
import type { Process } from "../process/process.ts";
import { renameFile } from "../vfs/rename.ts";
import { PATH_MAX } from "../vfs/walk.ts";

/** Makes a directory with what the mask leaves of the mode. */
export async function mkdir(process: Process, path: PathArg, mode = 0o777): Promise<void> {
  const at = await checkPath({
    process,
    call: "mkdir",
    path,
    operation: "create_dir",
    followsLast: "name",
  });
  // Set-id bits of a new directory come from its parent alone, see mkdir(2).
  await process.kernel.vfs.create(at, { kind: "directory", mode: mode & 0o1777 }, process);
}

/** Removes an empty directory; who works in it stays there. */
export async function rmdir(process: Process, path: PathArg): Promise<void> {
  const at = await checkFile({
    process,
    call: "rmdir",
    path,
    operation: "rm",
    followsLast: "name",
  });
  await process.kernel.vfs.rmdir(at, process, typeof path === "string" ? path : path.path);
}

/** Removes a name that is no directory's; the file goes with its last name and last descriptor. */
export async function unlink(process: Process, path: PathArg): Promise<void> {
  const at = await checkFile({
    process,
    call: "unlink",
    path,
    operation: "rm",
    followsLast: "name",
  });
  await process.kernel.vfs.unlink(at, process);
}

/** Moves a name, replacing what is there. Working directories, open files and mounts go along. */
export async function rename(process: Process, from: PathArg, to: PathArg): Promise<void> {
  const { source, target } = await checkRename(process, from, to);
  await renameFile(process.kernel.vfs, source, target, process);
}

/** A second name for a file; a link at the end of `existing` is not followed. */
export async function link(process: Process, existing: PathArg, path: PathArg): Promise<void> {
  const call = "link";
  // The new name can be read wherever it is, so the old one must be readable.
  const operation = (): ("read" | "write")[] => ["write", "read"];
  const from = await checkFile({ process, call, path: existing, operation, followsLast: false });
  const at = await checkPath({ process, call, path, operation: "write", followsLast: "name" });
  requireSameRules({ process, call, from, to: at }, ["read", "write"]);
  await process.kernel.vfs.link(from, at, process);
}

/** Makes a link to any text of 1 to 4095 bytes. */
export async function symlink(process: Process, target: string, path: PathArg): Promise<void> {
  if (target === "") throw new KernelError("ENOENT", target);
  if (target.includes("\0")) throw new KernelError("EINVAL", target);
  if (encodeText(target).length >= PATH_MAX) throw new KernelError("ENAMETOOLONG", target);
  const at = await checkPath({
    process,
    call: "symlink",
    path,
    operation: "symlink",
    followsLast: "name",
  });
  await process.kernel.vfs.create(at, { kind: "symlink", mode: 0o777, target }, process);
}

/** The text of a link. */
export async function readlink(process: Process, path: PathArg): Promise<string> {
  const at = await checkFile({
    process,
    call: "readlink",
    path,
    operation: "readlink",
    followsLast: false,
  });
  return process.kernel.vfs.readlink(at, process);
}

/** Makes a FIFO or an empty file; a device only as root. EPERM. */
// oxlint-disable-next-line eslint/max-params -- the arguments of mknod(2)
export async function mknod(
  process: Process,
  path: PathArg,
  kind: "fifo" | "file" | "device",
  mode = 0o666,
  rdev = 0,
): Promise<void> {
  if (kind !== "fifo" && kind !== "file" && kind !== "device") throw new KernelError("EINVAL");
  if (kind === "device" && process.credentials.euid !== 0) throw new KernelError("EPERM");
  const at = await checkPath({
    process,
    call: "mknod",
    path,
    operation: "write",
    followsLast: "name",
  });
  await process.kernel.vfs.create(at, { kind, mode, rdev }, process);
}
