/** The file methods of a cell: each acts as the user or root, through the same calls as any guest. */
import {
  type DirectoryEntry,
  isKernelError,
  type Kernel,
  KernelError,
  O_APPEND,
  O_CREAT,
  O_DIRECTORY,
  O_RDONLY,
  O_TRUNC,
  O_WRONLY,
  type Stat,
  type Sys,
} from "../../kernel/index.ts";
import type { CellMethods } from "../wire/messages.ts";
import { actAs } from "./acting.ts";

type Params<M extends keyof CellMethods> = CellMethods[M]["params"];

/** How many entries go into one answer; their names must fit a frame's header. */
const ENTRIES_PER_PAGE = 500;
/** How deep a tree may be that is removed in one call. */
const DEPTH_LIMIT = 4096;

export async function readFile(
  kernel: Kernel,
  { path, offset, length, as }: Params<"readFile">,
): Promise<{ sizeBytes: number; body: Uint8Array }> {
  return actAs(kernel, as, async (sys) => {
    const fd = await sys.open(path, O_RDONLY);
    const { kind, size } = await sys.fstat(fd);
    if (kind === "directory") throw new KernelError("EISDIR", path);
    const isSeekable = kind === "file" && size > 0;
    const body = new Uint8Array(isSeekable ? Math.min(length, Math.max(0, size - offset)) : length);
    let done = 0;
    while (done < body.length) {
      const rest = body.subarray(done);
      const count =
        kind === "file" ? await sys.pread(fd, rest, offset + done) : await sys.read(fd, rest);
      if (count === 0) break;
      done += count;
      if (kind !== "file") break;
    }
    return { sizeBytes: size, body: body.subarray(0, done) };
  });
}

export async function writeFile(
  kernel: Kernel,
  params: Params<"writeFile">,
  data: Uint8Array,
): Promise<void> {
  const { path, offset, truncates, mode = 0o666, makesParents, as } = params;
  await actAs(kernel, as, async (sys) => {
    if (makesParents) await makeParents(sys, path);
    const flags =
      O_WRONLY | O_CREAT | (truncates ? O_TRUNC : 0) | (offset === "end" ? O_APPEND : 0);
    const fd = await sys.open(path, flags, mode);
    const { kind } = await sys.fstat(fd);
    let done = 0;
    while (done < data.length) {
      const rest = data.subarray(done);
      done +=
        offset === "end" || kind !== "file"
          ? await sys.write(fd, rest)
          : await sys.pwrite(fd, rest, offset + done);
    }
  });
}

export async function statFile(
  kernel: Kernel,
  { path, followsLinks, as }: Params<"stat">,
): Promise<Stat> {
  return actAs(kernel, as, (sys) => (followsLinks ? sys.stat(path) : sys.lstat(path)));
}

export async function readDirectory(
  kernel: Kernel,
  { path, offset, as }: Params<"readdir">,
): Promise<{ entries: DirectoryEntry[]; isEnd: boolean }> {
  return actAs(kernel, as, async (sys) => {
    const fd = await sys.open(path, O_RDONLY | O_DIRECTORY);
    let skip = offset;
    while (skip > 0) {
      const passed = await sys.readdir(fd, skip);
      if (passed.length === 0) return { entries: [], isEnd: true };
      skip -= passed.length;
    }
    const entries = await sys.readdir(fd, ENTRIES_PER_PAGE);
    return { entries, isEnd: entries.length < ENTRIES_PER_PAGE };
  });
}

export async function makeDirectory(
  kernel: Kernel,
  { path, isRecursive, as }: Params<"mkdir">,
): Promise<void> {
  await actAs(kernel, as, async (sys) => {
    if (!isRecursive) return sys.mkdir(path);
    await makeParents(sys, `${path}/`);
    return undefined;
  });
}

export async function removeFile(
  kernel: Kernel,
  { path, isRecursive, as }: Params<"remove">,
): Promise<void> {
  await actAs(kernel, as, (sys) => removeTree(sys, path, isRecursive, 0));
}

export async function renameFile(
  kernel: Kernel,
  { from, to, as }: Params<"rename">,
): Promise<void> {
  await actAs(kernel, as, (sys) => sys.rename(from, to));
}

/** Makes each directory of the path that is missing, the last name excepted. */
async function makeParents(sys: Sys, path: string): Promise<void> {
  const names = path.split("/").slice(0, -1);
  for (let end = 1; end <= names.length; end++) {
    const directory = names.slice(0, end).join("/");
    if (directory === "") continue;
    try {
      await sys.mkdir(directory);
    } catch (error) {
      if (!isKernelError(error, "EEXIST")) throw error;
      const { kind } = await sys.stat(directory);
      if (kind !== "directory") throw new KernelError("ENOTDIR", directory);
    }
  }
}

async function removeTree(
  sys: Sys,
  path: string,
  isRecursive: boolean,
  depth: number,
): Promise<void> {
  if (depth > DEPTH_LIMIT) throw new KernelError("ELOOP", path, "the tree is too deep");
  const { kind } = await sys.lstat(path);
  if (kind !== "directory") return sys.unlink(path);
  if (!isRecursive) return sys.rmdir(path);
  const fd = await sys.open(path, O_RDONLY | O_DIRECTORY);
  for (let entries = await sys.readdir(fd); entries.length > 0; entries = await sys.readdir(fd)) {
    for (const { name } of entries) await removeTree(sys, `${path}/${name}`, true, depth + 1);
  }
  await sys.close(fd);
  return sys.rmdir(path);
}
