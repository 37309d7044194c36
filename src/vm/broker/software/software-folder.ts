import type { Stats } from "node:fs";
import { access, constants, lstat, opendir, readlink, realpath } from "node:fs/promises";
import { decodeText, type Errno, KernelError } from "../../../kernel/index.ts";
import type { FolderEntry } from "../../wire/listing.ts";
import { openFileInside, withDirectoryInside } from "./open-inside.ts";

/** Entries of one directory; a larger one is not listed at all. */
export const DIRECTORY_LIMIT = 250_000;
/** Entries looked at at once. */
const BATCH = 64;

export interface FilePart {
  readonly bytes: Uint8Array;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
}

/**
 * A folder of the host that VMs may read. Paths are checked by the caller (isFolderPath). Fails with
 * ESTALE for what is not there any more, EACCES for what the server may not read, else with EIO:
 * a guest learns nothing of the host's paths.
 */
export class SoftwareFolder {
  readonly #root: Buffer;

  private constructor(root: Buffer) {
    this.#root = root;
  }

  /** Throws the host's own error when it is no directory or cannot be read. */
  static async open(path: string): Promise<SoftwareFolder> {
    const root = await realpath(path, { encoding: "buffer" });
    await access(root, constants.R_OK | constants.X_OK);
    await (await opendir(root)).close();
    return new SoftwareFolder(root);
  }

  /** The names of a directory, sorted by their bytes. EOVERFLOW when there are too many. */
  async names(path: string): Promise<readonly Buffer[]> {
    return forGuest(() =>
      withDirectoryInside(this.#root, path, async (directory) => {
        const names: Buffer[] = [];
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types of opendir leave out that it takes "buffer" as readdir does
        const options = { encoding: "buffer", bufferSize: 1024 } as unknown as {
          bufferSize: number;
        };
        for await (const entry of await opendir(directory, options)) {
          names.push(Buffer.from(entry.name));
          if (names.length > DIRECTORY_LIMIT) throw tooLarge();
        }
        return names.sort((a, b) => a.compare(b));
      }),
    );
  }

  /** The names' entries in their order; undefined for one that has gone. */
  async entries(
    path: string,
    names: readonly Buffer[],
  ): Promise<readonly (FolderEntry | undefined)[]> {
    return forGuest(() =>
      withDirectoryInside(this.#root, path, async (directory) => {
        const entries: (FolderEntry | undefined)[] = [];
        for (let at = 0; at < names.length; at += BATCH) {
          const batch = names.slice(at, at + BATCH).map((name) => entryOf(directory, name));
          entries.push(...(await Promise.all(batch)));
        }
        return entries;
      }),
    );
  }

  async read(path: string, offset: number, length: number): Promise<FilePart> {
    return forGuest(async () => {
      const handle = await openFileInside(this.#root, path);
      try {
        const { size, mtimeMs } = await handle.stat();
        const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
        let done = 0;
        while (done < bytes.length) {
          const { bytesRead } = await handle.read(bytes, done, bytes.length - done, offset + done);
          if (bytesRead === 0) break;
          done += bytesRead;
        }
        return { bytes: bytes.subarray(0, done), sizeBytes: size, mtimeMs };
      } finally {
        await handle.close();
      }
    });
  }
}

/** Undefined when it has gone meanwhile. */
async function entryOf(directory: string | Buffer, name: Buffer): Promise<FolderEntry | undefined> {
  const path = Buffer.concat([Buffer.from(directory), Buffer.from("/"), name]);
  try {
    const stats = await lstat(path);
    const { size, mtimeMs, ino } = stats;
    const entry = { name: decodeText(name), mode: modeOf(stats), mtimeMs, ino };
    if (stats.isDirectory()) return { ...entry, kind: "directory", size };
    if (stats.isFile()) return { ...entry, kind: "file", size };
    if (!stats.isSymbolicLink()) return { ...entry, kind: "other", size: 0 };
    const target = decodeText(await readlink(path, { encoding: "buffer" }));
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
  return canRun ? 0o555 : 0o444;
}

/** By its mode, so that a guest's open fails and not its read; who is root reads everything. */
export function canRead({ mode, uid, gid }: Pick<Stats, "mode" | "uid" | "gid">): boolean {
  const self = process.geteuid?.();
  if (self === undefined || self === 0) return true;
  if (self === uid) return (mode & 0o400) !== 0;
  const groups = [process.getegid?.(), ...(process.getgroups?.() ?? [])];
  return (mode & (groups.includes(gid) ? 0o040 : 0o004)) !== 0;
}

/** What the host's errors mean in a VM. */
const meanings: ReadonlyMap<string, Errno> = new Map([
  ["ENOENT", "ESTALE"],
  ["ENOTDIR", "ESTALE"],
  ["ELOOP", "ESTALE"],
  ["EACCES", "EACCES"],
  ["EPERM", "EACCES"],
  ["ENAMETOOLONG", "ENAMETOOLONG"],
]);

async function forGuest<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    const known = error instanceof KernelError ? error : meaningOf(error);
    if (known === undefined) throw error;
    if (known.errno === "ESTALE") throw new KernelError("ESTALE", undefined, CHANGED);
    throw known;
  }
}

const CHANGED = "the host has changed this software";

function meaningOf(error: unknown): KernelError | undefined {
  const errno = meanings.get(codeOf(error));
  return errno === undefined ? undefined : new KernelError(errno);
}

/** The code of an error of Node's, as "ENOENT"; empty for any other. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function tooLarge(): KernelError {
  const reason = `a directory of software has at most ${DIRECTORY_LIMIT} entries`;
  return new KernelError("EOVERFLOW", undefined, reason);
}
