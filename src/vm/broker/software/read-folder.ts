/**
 * Reads a folder of the host for VMs. All of it waits for the disk, so it runs in a thread of its own
 * (folder-thread.ts). Paths have been checked (isFolderPath). Fails with ESTALE for what is not there
 * any more, EACCES for what the server may not read: a guest learns nothing of the host's paths.
 */
import {
  accessSync,
  constants,
  lstatSync,
  opendirSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { decodeText, type Errno, KernelError } from "../../../kernel/index.ts";
import { encodePage, type FolderEntry } from "../../wire/listing.ts";
import { withDirectoryInside, withFileInside } from "./open-inside.ts";

/** Entries of one directory; a larger one is not listed at all. */
const DIRECTORY_LIMIT = 250_000;
/** Entries looked at for one page; more than a page takes only where names are very long. */
const PAGE_ENTRIES = 1024;

export interface ListedPage {
  readonly bytes: Uint8Array;
  /** Where the rest begins. */
  readonly next: number | undefined;
}

export interface FilePart {
  readonly bytes: Uint8Array;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
}

/** The folder itself, without links. Throws the host's own error when it is none, or cannot be read. */
export function openFolder(path: string): Uint8Array {
  const root = realpathSync.native(path, { encoding: "buffer" });
  opendirSync(root).closeSync();
  accessSync(root, constants.R_OK | constants.X_OK);
  return root;
}

/** How long the names of a directory are kept for whoever wants its next page. */
const NEXT_PAGE_MS = 5000;

/** Lists directories. The names of the last that took more than a page are kept for a while. */
export class FolderLister {
  #unfinished: { readonly key: string; readonly names: readonly Buffer[] } | undefined;
  #forgetting: NodeJS.Timeout | undefined;

  /** A page of a directory, sorted by the names' bytes. EOVERFLOW when it is far too large. */
  list(root: Uint8Array, path: string, from: number): ListedPage {
    return forGuest(() =>
      withDirectoryInside(root, path, (directory) => {
        const key = `${Buffer.from(root).toString("latin1")}\0${path}`;
        const isKept = from > 0 && this.#unfinished?.key === key;
        const names = isKept && this.#unfinished ? this.#unfinished.names : readNames(directory);
        const wanted = names.slice(from, from + PAGE_ENTRIES);
        const { bytes, count } = encodePage(wanted.map((name) => findEntry(directory, name)));
        const next = from + count < names.length ? from + count : undefined;
        if (next !== undefined) this.#keep({ key, names });
        else if (isKept) this.#unfinished = undefined;
        return { bytes, next };
      }),
    );
  }

  #keep(unfinished: { readonly key: string; readonly names: readonly Buffer[] }): void {
    this.#unfinished = unfinished;
    clearTimeout(this.#forgetting);
    this.#forgetting = setTimeout(() => {
      this.#unfinished = undefined;
    }, NEXT_PAGE_MS).unref();
  }
}

export function readPart(root: Uint8Array, path: string, offset: number, length: number): FilePart {
  return forGuest(() =>
    withFileInside(root, path, (fd, { size, mtimeMs }) => {
      const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
      let done = 0;
      while (done < bytes.length) {
        const count = readSync(fd, bytes, done, bytes.length - done, offset + done);
        if (count === 0) break;
        done += count;
      }
      return { bytes: bytes.subarray(0, done), sizeBytes: size, mtimeMs };
    }),
  );
}

function readNames(directory: Buffer): Buffer[] {
  const names: Buffer[] = [];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- opendir takes "buffer" as readdir does; its types leave that out
  const options = { encoding: "buffer", bufferSize: 1024 } as unknown as { bufferSize: number };
  const open = opendirSync(directory.toString(), options);
  try {
    for (let entry = open.readSync(); entry !== null; entry = open.readSync()) {
      names.push(Buffer.from(entry.name));
      if (names.length > DIRECTORY_LIMIT) throw tooLarge();
    }
  } finally {
    open.closeSync();
  }
  return names.sort((a, b) => a.compare(b));
}

/** Undefined when it has gone meanwhile. */
function findEntry(directory: Buffer, name: Buffer): FolderEntry | undefined {
  const path = Buffer.concat([directory, Buffer.from("/"), name]);
  try {
    const stats = lstatSync(path);
    const { size, mtimeMs } = stats;
    const entry = { name: decodeText(name), mode: modeOf(stats), mtimeMs };
    if (stats.isDirectory()) return { ...entry, kind: "directory", size };
    if (stats.isFile()) return { ...entry, kind: "file", size };
    if (!stats.isSymbolicLink()) return { ...entry, kind: "other", size: 0 };
    const target = decodeText(readlinkSync(path, { encoding: "buffer" }));
    return { ...entry, kind: "symlink", size, target };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * What everybody in the VM may do: read what the server can read, run what anybody can run. The
 * host's owners are not the VM's, so its set-id bits mean nothing there.
 */
function modeOf(stats: Stats): number {
  if (stats.isSymbolicLink()) return 0o777;
  const isStored = stats.isDirectory() || stats.isFile();
  if (!isStored || !canRead(stats)) return 0;
  const canRun = stats.isDirectory() || (stats.mode & 0o111) !== 0;
  return canRun ? 0o755 : 0o644;
}

/** By its mode, so that a guest's open fails and not its read; who is root reads everything. */
function canRead({ mode, uid, gid }: Stats): boolean {
  const self = process.geteuid?.();
  if (self === undefined || self === 0) return true;
  if (self === uid) return (mode & 0o400) !== 0;
  const groups = [process.getegid?.(), ...(process.getgroups?.() ?? [])];
  return (mode & (groups.includes(gid) ? 0o040 : 0o004)) !== 0;
}

/** What the host's errors mean in a VM; all others are EIO. */
const meanings: ReadonlyMap<string, Errno> = new Map([
  ["ENOENT", "ESTALE"],
  ["ENOTDIR", "ESTALE"],
  ["ELOOP", "ESTALE"],
  ["EACCES", "EACCES"],
  ["EPERM", "EACCES"],
  ["ENAMETOOLONG", "ENAMETOOLONG"],
]);

function forGuest<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    const errno = error instanceof KernelError ? error.errno : meanings.get(codeOf(error));
    if (errno === undefined || errno === "EOVERFLOW") throw error;
    throw new KernelError(errno, undefined, errno === "ESTALE" ? CHANGED : undefined);
  }
}

const CHANGED = "the host has changed this software";

/** The code of an error of Node's, as "ENOENT"; empty for any other. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function tooLarge(): KernelError {
  const reason = `a directory of software has at most ${DIRECTORY_LIMIT} entries`;
  return new KernelError("EOVERFLOW", undefined, reason);
}
