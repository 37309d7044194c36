/** Files as npm's commands read, write and remove them. */
import {
  decodeText,
  encodeText,
  isKernelError,
  O_CLOEXEC,
  O_CREAT,
  O_RDONLY,
  O_TRUNC,
  O_WRONLY,
  type Sys,
} from "../../../kernel/index.ts";
import { joinPath, readDirectory } from "../directory.ts";
import { writeAll } from "../output.ts";
import { readAllBytes } from "../read-all.ts";
import { findStat } from "../run-command.ts";
import { parentOf } from "./paths.ts";

/** Deeper trees than this are refused before the stack is. */
const DEPTH_LIMIT = 1024;

export async function readBytes(sys: Sys, path: string): Promise<Uint8Array> {
  const fd = await sys.open(path, O_RDONLY | O_CLOEXEC);
  try {
    return await readAllBytes(sys, fd);
  } finally {
    await sys.close(fd);
  }
}

/** Undefined where there is no such file. */
export async function findFile(sys: Sys, path: string): Promise<string | undefined> {
  try {
    return decodeText(await readBytes(sys, path)).replace(/^\uFEFF/, "");
  } catch (error) {
    if (isKernelError(error, "ENOENT") || isKernelError(error, "ENOTDIR")) return undefined;
    throw error;
  }
}

export async function writeFile(
  sys: Sys,
  path: string,
  content: string | Uint8Array,
  mode = 0o666,
): Promise<void> {
  const fd = await sys.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  try {
    await writeAll(sys, fd, typeof content === "string" ? encodeText(content) : content);
  } finally {
    await sys.close(fd);
  }
}

/** The directory and those above it. */
export async function makeDirectories(sys: Sys, path: string): Promise<void> {
  if ((await findStat(sys, path))?.kind === "directory") return;
  await makeDirectories(sys, parentOf(path));
  try {
    await sys.mkdir(path, 0o777);
  } catch (error) {
    if (!isKernelError(error, "EEXIST")) throw error;
  }
}

/** A file, a link or a whole tree; what is not there is no failure. Answers whether it was. */
export async function removeTree(sys: Sys, path: string, depth = 0): Promise<boolean> {
  const stat = await findStat(sys, path, true);
  if (stat === undefined) return false;
  if (stat.kind !== "directory" || depth > DEPTH_LIMIT) {
    await sys.unlink(path);
    return true;
  }
  for (const { name } of await readDirectory(sys, path))
    await removeTree(sys, joinPath(path, name), depth + 1);
  await sys.rmdir(path);
  return true;
}

/** Names of a directory, sorted; none where it cannot be read. */
export async function listNames(sys: Sys, path: string): Promise<string[]> {
  try {
    return (await readDirectory(sys, path)).map(({ name }) => name).toSorted();
  } catch (error) {
    if (isKernelError(error)) return [];
    throw error;
  }
}
