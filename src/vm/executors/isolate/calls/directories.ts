// Listing directories.
import {
  type DirectoryEntry,
  encodeText,
  type FileKind,
  isKernelError,
  KernelError,
  O_CLOEXEC,
  O_DIRECTORY,
  O_RDONLY,
  type Sys,
} from "../../../../kernel/index.ts";
import type { Packed } from "../../../node/wire/pack.ts";
import { int, path } from "../arguments.ts";
import type { Calls } from "../guest.ts";
import { packName } from "./pack-name.ts";

/** Entries that one call lists at most. */
const ENTRY_LIMIT = 1_000_000;

export const directoryCalls: Calls = {
  /** Names and libuv's numbers of their kinds, in the order of their bytes as uv_fs_scandir's. */
  async readdir({ sys }, args) {
    const entries = await scan(sys, path(args, 0));
    return [entries.map(({ name }) => packName(name)), entries.map(({ kind }) => uvKinds[kind])];
  },
  /** Everything below: names and kinds, how many each directory has, and the directories' paths. */
  readdirRecursive: ({ sys }, args) => scanAll(sys, path(args, 0)),
  opendir: ({ sys }, args) => sys.open(path(args, 0), O_RDONLY | O_DIRECTORY | O_CLOEXEC),
  /** The next names, each with its kind; none at the end. */
  async readOpened({ sys }, args) {
    const entries = await sys.readdir(int(args, 0), Math.max(1, int(args, 1)));
    return entries.flatMap(({ name, kind }) => [packName(name), uvKinds[kind]]);
  },
};

/** UV_DIRENT_… */
const uvKinds: Readonly<Record<FileKind, number>> = {
  anonymous: 0,
  file: 1,
  directory: 2,
  symlink: 3,
  fifo: 4,
  socket: 5,
  device: 6,
};

async function scan(sys: Sys, directory: string): Promise<DirectoryEntry[]> {
  const fd = await sys.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  try {
    const all: DirectoryEntry[] = [];
    for (;;) {
      const entries = await sys.readdir(fd);
      if (entries.length === 0) return sorted(all);
      all.push(...entries);
      if (all.length > ENTRY_LIMIT) throw new KernelError("ENOMEM", directory);
    }
  } finally {
    await sys.close(fd);
  }
}

/** In the order of their bytes; only surrogates sort otherwise than as units of UTF-16. */
function sorted(entries: DirectoryEntry[]): DirectoryEntry[] {
  if (entries.some(({ name }) => /[\ud800-\uffff]/.test(name))) {
    const bytes = new Map(entries.map(({ name }) => [name, encodeText(name)]));
    const none = new Uint8Array();
    return entries.sort((a, b) =>
      Buffer.compare(bytes.get(a.name) ?? none, bytes.get(b.name) ?? none),
    );
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function scanAll(sys: Sys, root: string): Promise<Packed> {
  const names: string[] = [];
  const kinds: number[] = [];
  const counts: number[] = [];
  const directories = [""];
  for (let at = 0; at < directories.length; at += 1) {
    const below = directories[at] ?? "";
    const where = below === "" ? root : `${root}/${below}`;
    const entries = await scan(sys, where);
    counts.push(entries.length);
    for (const { name, kind } of entries) {
      names.push(name);
      kinds.push(uvKinds[kind]);
      const isEntered =
        kind === "directory" || (kind === "symlink" && (await leadsIn(sys, `${where}/${name}`)));
      if (isEntered) directories.push(below === "" ? name : `${below}/${name}`);
    }
    if (names.length > ENTRY_LIMIT) throw new KernelError("ENOMEM", root);
  }
  return [names.map(packName), kinds, counts, directories.map(packName)];
}

async function leadsIn(sys: Sys, link: string): Promise<boolean> {
  try {
    return (await sys.stat(link)).kind === "directory";
  } catch (error) {
    if (isKernelError(error)) return false;
    throw error;
  }
}
