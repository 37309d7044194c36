import type { FileSystem, Inode, NewFile } from "../../vfs/file-system.ts";

/**
 * What the overlay writes into its upper layer besides the guest's files. It is the same in every
 * layer, so what was an upper layer once can be a lower one later:
 *
 * - a character device 0/0 is a whiteout: the name is gone from the layers below (as Linux's
 *   overlayfs has it);
 * - `.wh..wh..opq` in a directory makes it opaque: nothing below shows through (AUFS and OCI);
 * - `.wh..wh.work` in the root holds files that are being made; it is emptied at the first use.
 *
 * Guests neither see nor make names that begin with `.wh..wh.`, nor devices 0/0.
 */
export const WHITEOUT: NewFile = { kind: "device", mode: 0, uid: 0, gid: 0, rdev: 0 };
export const OPAQUE_NAME = ".wh..wh..opq";
export const WORK_NAME = ".wh..wh.work";

const RESERVED_PREFIX = ".wh..wh.";

export function isReserved(name: string): boolean {
  return name.startsWith(RESERVED_PREFIX);
}

export async function isWhiteout(fs: FileSystem, inode: Inode): Promise<boolean> {
  if (inode.kind !== "device") return false;
  return (await fs.stat(inode)).rdev === 0;
}

export async function isOpaque(fs: FileSystem, directory: Inode): Promise<boolean> {
  return (await fs.lookup(directory, OPAQUE_NAME)) !== undefined;
}
