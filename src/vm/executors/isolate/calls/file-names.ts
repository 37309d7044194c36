// Names in directories: making, moving, removing, resolving them.
import { isKernelError, KernelError, type Sys } from "../../../../kernel/index.ts";
import { resolvePath } from "../../../programs/resolve-path.ts";
import { flag, int, path, text } from "../arguments.ts";
import type { Calls } from "../guest.ts";
import { copyFile } from "./copy-file.ts";
import { packName } from "./pack-name.ts";
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
  readlink: async ({ sys }, args) => packName(await sys.readlink(path(args, 0))),
  realpath: async ({ sys }, args) => packName(await resolvePath(sys, path(args, 0), "all")),
  mkdtemp: async ({ sys }, args) => packName(await makeTemporary(sys, path(args, 0))),
  async copyFile({ sys }, args) {
    await copyFile(sys, { from: path(args, 0), to: path(args, 1) }, int(args, 2));
    return undefined;
  },
  /** Whether there was something to remove; a directory only with `isRecursive`: EISDIR. */
  async removeAll({ sys }, args) {
    const name = path(args, 0);
    const kind = await kindIfThere(sys, name);
    if (kind === undefined) return false;
    if (kind === "directory" && !flag(args, 1)) throw new KernelError("EISDIR", name);
    await removeAll(sys, name);
    return true;
  },
  /** The first of these extensions with which the path is a file; -1 where none is. */
  async findFile({ sys }, args) {
    for (const [at, extension] of text(args, 1).split("\n").entries()) {
      if (await isFile(sys, `${path(args, 0)}${extension}`)) return at;
    }
    return -1;
  },
};

/** Undefined where there is nothing; EACCES where that cannot be told. */
async function kindIfThere(sys: Sys, name: string): Promise<string | undefined> {
  try {
    return (await sys.lstat(name)).kind;
  } catch (error) {
    if (isKernelError(error, "ENOENT") || isKernelError(error, "ENOTDIR")) return undefined;
    throw error;
  }
}

async function isFile(sys: Sys, name: string): Promise<boolean> {
  try {
    return (await sys.stat(name)).kind !== "directory";
  } catch (error) {
    if (isKernelError(error)) return false;
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
      if (["EACCES", "ENOSPC", "ENOTDIR", "EPERM"].includes(error.errno)) throw error;
      const parent = next.slice(0, Math.max(0, next.lastIndexOf("/")));
      if (error.errno === "ENOENT" && parent !== "") left.push(next, parent);
      else await requireDirectory(sys, next, left.length > 0, error);
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
  const { kind } = await sys.stat(name);
  if (kind === "directory") return;
  throw new KernelError(isAbove && failure.errno === "EEXIST" ? "ENOTDIR" : "EEXIST", name);
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
