// Names in directories: making, moving, removing, resolving them.
import { isKernelError, KernelError, type Sys } from "../../../../kernel/index.ts";
import { resolvePath } from "../../../programs/resolve-path.ts";
import { flag, int, path, text } from "../arguments.ts";
import type { Calls } from "../guest.ts";
import { copyFile } from "./copy-file.ts";
import { removeAll } from "./remove-all.ts";

export const fileNameCalls: Calls = {
  async mkdir({ sys }, args) {
    const name = path(args, 0);
    if (flag(args, 2)) return makeAll(sys, name, int(args, 1));
    await sys.mkdir(name, int(args, 1));
    return undefined;
  },
  async rmdir({ sys }, args) {
    await sys.rmdir(path(args, 0));
    return undefined;
  },
  async unlink({ sys }, args) {
    await sys.unlink(path(args, 0));
    return undefined;
  },
  async rename({ sys }, args) {
    await sys.rename(path(args, 0), path(args, 1));
    return undefined;
  },
  async link({ sys }, args) {
    await sys.link(path(args, 0), path(args, 1));
    return undefined;
  },
  async symlink({ sys }, args) {
    await sys.symlink(path(args, 0), path(args, 1));
    return undefined;
  },
  readlink: ({ sys }, args) => sys.readlink(path(args, 0)),
  realpath: ({ sys }, args) => resolvePath(sys, path(args, 0), "all"),
  mkdtemp: ({ sys }, args) => makeTemporary(sys, path(args, 0)),
  async copyFile({ sys }, args) {
    await copyFile(sys, { from: path(args, 0), to: path(args, 1) }, int(args, 2));
    return undefined;
  },
  /** Whether there was something to remove; a directory only with `isRecursive`: EISDIR. */
  async removeAll({ sys }, args) {
    const name = path(args, 0);
    const kind = await kindOf(sys, name);
    if (kind === undefined) return false;
    if (kind === "directory" && !flag(args, 1)) throw new KernelError("EISDIR", name);
    await removeAll(sys, name);
    return true;
  },
  /** The first of these extensions with which the path is a file; -1 where none is. */
  async findFile({ sys }, args) {
    for (const [at, extension] of text(args, 1).split("\n").entries()) {
      const kind = await kindOf(sys, `${path(args, 0)}${extension}`, true);
      if (kind !== undefined && kind !== "directory") return at;
    }
    return -1;
  },
};

async function kindOf(sys: Sys, name: string, follows = false): Promise<string | undefined> {
  try {
    return (await (follows ? sys.stat(name) : sys.lstat(name))).kind;
  } catch (error) {
    if (isKernelError(error)) return undefined;
    throw error;
  }
}

/** Makes a directory and those above it; the first it made, as node::fs::MKDirpSync. */
async function makeAll(sys: Sys, name: string, mode: number): Promise<string | undefined> {
  const left = [name];
  let first: string | undefined;
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    try {
      await sys.mkdir(next, mode);
      first ??= next;
    } catch (error) {
      if (!isKernelError(error)) throw error;
      if (["EACCES", "ENOSPC", "ENOTDIR", "EPERM", "EROFS"].includes(error.errno)) throw error;
      if (error.errno === "ENOENT") {
        const parent = parentOf(next);
        if (parent === next) throw new KernelError("EEXIST", next);
        left.push(next, parent);
        continue;
      }
      await requireDirectory(sys, next, left.length > 0, error);
    }
  }
  return first;
}

async function requireDirectory(
  sys: Sys,
  name: string,
  isAbove: boolean,
  failure: KernelError,
): Promise<void> {
  const { kind } = await sys.stat(name).catch(() => {
    throw failure;
  });
  if (kind === "directory") return;
  throw new KernelError(isAbove && failure.errno === "EEXIST" ? "ENOTDIR" : "EEXIST", name);
}

/** Without its last part; a relative name without one is the working directory's. */
function parentOf(name: string): string {
  const bare = name.replace(/\/+$/, "");
  const slash = bare.lastIndexOf("/");
  if (slash < 0) return bare === "" ? name : ".";
  const parent = bare.slice(0, slash).replace(/\/+$/, "");
  return parent === "" ? "/" : parent;
}

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
/** TMP_MAX's spirit: whoever has so many of them has no room for another. */
const TRIES = 1000;

/** mkdtemp(3). */
async function makeTemporary(sys: Sys, prefix: string): Promise<string> {
  const random = new Uint8Array(6);
  for (let tries = 0; tries < TRIES; tries += 1) {
    await sys.getrandom(random);
    const name = prefix + Array.from(random, (byte) => LETTERS[byte % LETTERS.length]).join("");
    try {
      await sys.mkdir(name, 0o700);
      return name;
    } catch (error) {
      if (!isKernelError(error, "EEXIST")) throw error;
    }
  }
  throw new KernelError("EEXIST", prefix);
}
