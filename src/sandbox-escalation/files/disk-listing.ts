/** Lists held directories page by page, in the disk's thread. */
import { hash, randomBytes } from "node:crypto";
import { lstatSync, opendirSync } from "node:fs";
import { type DirectoryPage, decodeText, KernelError } from "../../kernel/index.ts";
import { isCode } from "./disk-calls.ts";
import { firstFrom } from "./first-from.ts";
import { Pace } from "./pace.ts";
import { factsOf, itself } from "./reach-by-fd.ts";

/** Names of one directory; a larger one is not listed at all. */
const DIRECTORY_LIMIT = 250_000;
/** Names that are kept for who reads the next page, and for how long. */
const KEPT_LIMIT = 4;
const KEPT_MS = 2000;

export interface ListWish {
  readonly fd: number;
  /** What the directory is, so that another one at the same descriptor is not taken for it. */
  readonly identity: string;
  readonly cursor: number;
  readonly limit: number;
}

interface Ordered {
  /** A number below 2⁵² that follows from the name: the order, whatever comes and goes. */
  readonly position: number;
  readonly name: Buffer;
}

/**
 * The order of a listing is one of secret numbers that follow from the names, so that a cursor needs no
 * memory of what was there, and nobody can make two names fall together.
 */
export class DiskListing {
  readonly #secret = randomBytes(16).toString("hex");
  readonly #kept = new Map<string, { readonly names: readonly Ordered[]; readonly atMs: number }>();

  /** The thread does other things between parts of a large directory; the descriptor has to stay meanwhile. */
  async list({ fd, identity, cursor, limit }: ListWish): Promise<DirectoryPage> {
    const names = this.#find(identity, cursor) ?? (await this.#read(fd));
    const start = firstFrom(names, cursor);
    const page = names.slice(start, start + limit);
    const last = page.at(-1);
    const hasMore = start + limit < names.length && last !== undefined;
    if (hasMore) this.#keep(identity, names);
    else this.#kept.delete(identity);
    const entries = page.flatMap(({ name }) => entryOf(fd, name));
    return { entries, cursor: hasMore ? last.position + 1 : undefined };
  }

  async #read(fd: number): Promise<Ordered[]> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- opendir takes "buffer" as readdir does; its types leave that out
    const options = { encoding: "buffer", bufferSize: 1024 } as unknown as { bufferSize: number };
    const open = opendirSync(itself(fd), options);
    const names: Ordered[] = [];
    const pace = new Pace();
    try {
      for (let entry = open.readSync(); entry !== null; entry = open.readSync()) {
        const name = Buffer.from(entry.name);
        names.push({ position: this.#positionOf(name), name });
        if (names.length > DIRECTORY_LIMIT) throw tooLarge();
        if (pace.isDue()) await pace.rest();
      }
    } finally {
      open.closeSync();
    }
    return names.sort((a, b) => a.position - b.position);
  }

  #positionOf(name: Buffer): number {
    const digest = hash("sha1", this.#secret + name.toString("latin1"), "hex");
    return Number.parseInt(digest.slice(0, 13), 16);
  }

  #find(identity: string, cursor: number): readonly Ordered[] | undefined {
    const kept = this.#kept.get(identity);
    if (kept === undefined || cursor === 0 || Date.now() - kept.atMs > KEPT_MS) return undefined;
    return kept.names;
  }

  #keep(identity: string, names: readonly Ordered[]): void {
    this.#kept.delete(identity);
    this.#kept.set(identity, { names, atMs: Date.now() });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT_LIMIT) return;
      this.#kept.delete(oldest);
    }
  }
}

/** Nothing when it has gone meanwhile. */
function entryOf(fd: number, name: Buffer): DirectoryPage["entries"] {
  const path = Buffer.concat([Buffer.from(`${itself(fd)}/`), name]);
  try {
    const { kind, ino } = factsOf(lstatSync(path, { bigint: true }));
    return [{ name: decodeText(name), kind, ino }];
  } catch (error) {
    if (isCode(error, "ENOENT")) return [];
    throw error;
  }
}

function tooLarge(): KernelError {
  const reason = `a directory has at most ${DIRECTORY_LIMIT} entries here`;
  return new KernelError("EOVERFLOW", undefined, reason);
}
