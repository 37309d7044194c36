import type { Answer, Stat } from "../../../kernel/index.ts";
import {
  CONTENT_BYTES,
  CONTENTS_NODES,
  MOUNT_READ_BYTES,
  type MountCall,
} from "../../wire/mount-requests.ts";
import { BLOCK_BYTES, type Block, type ContentCache } from "./content-cache.ts";
import type { Asked, ServedFiles } from "./served-files.ts";
import type { ServedInode, Stamp } from "./served-inode.ts";
import { filesAfter } from "./walk-order.ts";

export interface ServedContentParts {
  readonly files: ServedFiles;
  readonly cache: ContentCache;
}

/** Blocks on their way for a reader in order. */
const AHEAD = 4;
/** Reads of less, out of order, fetch what they want and nothing more. */
const SMALL_BYTES = 1 << 16;
/** Files that are fetched together, at first and at most. */
const LEAST_TOGETHER = 8;
/** What they may come to, by the sizes that are known. */
const TOGETHER_BYTES = MOUNT_READ_BYTES - CONTENT_BYTES;

/**
 * The content of served files: fetched a little ahead of who reads in order, and many small files of a directory at one
 * time for who reads one after the other. What is kept is used as long as the attributes of its file would be.
 */
export class ServedContent {
  readonly #files: ServedFiles;
  readonly #cache: ContentCache;
  /** Files that who walks from directory to directory gets together; those that came last, and how many were used. */
  #together = LEAST_TOGETHER;
  #fetched = 0;
  #used = 0;
  /** Files that are on their way together with others. */
  readonly #fetching = new Map<ServedInode, Promise<void>>();

  constructor({ files, cache }: ServedContentParts) {
    this.#files = files;
    this.#cache = cache;
  }

  read(inode: ServedInode, into: Uint8Array, offset: number): Answer<number> {
    return this.#readKept(inode, into, offset) ?? this.#read(inode, into, offset);
  }

  /** Of a file that is a single block, which is here and certain; undefined where there is more to do. */
  #readKept(inode: ServedInode, into: Uint8Array, offset: number): number | undefined {
    const { known } = inode;
    const block = inode.hasBlocks ? inode.blocks.get(0) : undefined;
    if (known === undefined || block === undefined || block.isAhead) return undefined;
    const { bytes } = block;
    if (!(bytes instanceof Uint8Array) || bytes.length !== known.stat.size) return undefined;
    const isCertain = [known.stamp, block.stamp].every(
      (stamp) => this.#files.isFresh(inode, stamp) === true,
    );
    if (!isCertain) return undefined;
    const part = bytes.subarray(offset, offset + into.length);
    into.set(part);
    this.#cache.use(block);
    inode.readEnd = offset + part.length;
    return part.length;
  }

  async #read(inode: ServedInode, into: Uint8Array, offset: number): Promise<number> {
    if (this.#isUnsure(inode, blockAt(offset))) await this.#files.hearChanges();
    const size = this.#sizeOf(inode);
    // Who reads to the end asks once more behind it.
    if (into.length === 0 || (size !== undefined && offset >= size)) return 0;
    const isInOrder = offset === 0 || offset === inode.readEnd;
    const isSmall = into.length < SMALL_BYTES && !this.#findBlock(inode, blockAt(offset));
    const count =
      isInOrder || !isSmall
        ? await this.#readBlocks(inode, into, offset)
        : await this.#fetchInto(inode, into, offset);
    inode.readEnd = offset + count;
    return count;
  }

  /** The content has changed. */
  forget(inode: ServedInode): void {
    this.#cache.dropAll(inode);
  }

  /** All of a file, which came with what is known of it. */
  take(inode: ServedInode, bytes: Uint8Array, asked: Asked, isAhead = false): void {
    const { known } = inode;
    if (known === undefined || bytes.length !== known.stat.size) return;
    const { atMs, epoch } = asked;
    const stamp = { ...known.stamp, atMs, epoch };
    for (let number = 0; number * BLOCK_BYTES < bytes.length; number++) {
      const part = bytes.subarray(number * BLOCK_BYTES, (number + 1) * BLOCK_BYTES);
      const sizeBytes = part.length;
      this.#cache.keep({ inode, number, bytes: part, sizeBytes, stamp, isAhead });
    }
  }

  /** Attributes were asked for again: content of a file that has not been touched holds as long as they do. */
  revive(inode: ServedInode, before: Stat | undefined): void {
    const { known } = inode;
    if (before === undefined || known === undefined || !inode.hasBlocks) return;
    const { size, mtimeMs, ctimeMs } = known.stat;
    const isSame = size === before.size && mtimeMs === before.mtimeMs && ctimeMs === before.ctimeMs;
    if (!isSame) return;
    for (const block of inode.blocks.values()) {
      // A clock that counts whole seconds tells nothing of what was written within one.
      const isSettled = ctimeMs < block.stamp.atMs - SETTLED_MS;
      if (isSettled && block.stamp.changes === inode.changes) block.stamp = known.stamp;
    }
  }

  async #readBlocks(inode: ServedInode, into: Uint8Array, offset: number): Promise<number> {
    let done = 0;
    while (done < into.length) {
      const at = offset + done;
      const rest = into.subarray(done);
      if (this.#isUnsure(inode, blockAt(at))) await this.#files.hearChanges();
      const step = this.#wantsMuch(inode, rest, at)
        ? await this.#readMuch(inode, rest, at)
        : await this.#readBlock(inode, rest, at);
      done += step.count;
      if (step.isEnd) break;
    }
    return done;
  }

  /** Whether the server has to be heard before what is kept of a file may be used. */
  #isUnsure(inode: ServedInode, number: number): boolean {
    const block = inode.hasBlocks ? inode.blocks.get(number) : undefined;
    return [inode.known?.stamp, block?.stamp].some(
      (stamp) => stamp !== undefined && this.#files.isFresh(inode, stamp) === "unsure",
    );
  }

  /** Whether it holds, for who has heard the server: others may ask for more at the same time. */
  #holds(inode: ServedInode, stamp: Stamp): boolean {
    return this.#files.isFresh(inode, stamp) !== false;
  }

  /** Attributes that hold now; undefined where they are old, or say nothing. */
  #sizeOf(inode: ServedInode): number | undefined {
    const { known } = inode;
    if (known === undefined || !this.#holds(inode, known.stamp)) return undefined;
    return known.stat.size > 0 ? known.stat.size : undefined;
  }

  #wantsMuch(inode: ServedInode, into: Uint8Array, offset: number): boolean {
    const rest = (this.#sizeOf(inode) ?? Infinity) - offset;
    const isMuch = Math.min(into.length, rest) >= BLOCK_BYTES;
    return isMuch && this.#findBlock(inode, blockAt(offset)) === undefined;
  }

  /** Straight to where it is wanted: who reads so much does not come back for it. */
  async #readMuch(inode: ServedInode, into: Uint8Array, offset: number): Promise<Step> {
    const rest = (this.#sizeOf(inode) ?? Infinity) - offset;
    const wanted = into.subarray(0, Math.min(MOUNT_READ_BYTES, rest));
    const count = await this.#fetchInto(inode, wanted, offset);
    return { count, isEnd: count < wanted.length || count === rest };
  }

  async #readBlock(inode: ServedInode, into: Uint8Array, offset: number): Promise<Step> {
    const number = blockAt(offset);
    const block = this.#findBlock(inode, number) ?? (await this.#fetchBlock(inode, number));
    this.#fetchAhead(inode, number, Math.ceil((offset + into.length) / BLOCK_BYTES));
    if (block.isAhead) {
      block.isAhead = false;
      this.#readOn(inode);
    }
    const bytes = block.bytes instanceof Uint8Array ? block.bytes : await block.bytes;
    const start = offset - number * BLOCK_BYTES;
    const part = bytes.subarray(start, start + into.length);
    into.set(part);
    return { count: part.length, isEnd: bytes.length < BLOCK_BYTES };
  }

  async #fetchInto(inode: ServedInode, into: Uint8Array, offset: number): Promise<number> {
    const bytes = await this.#fetch(inode, offset, into.length, into);
    if (bytes.buffer !== into.buffer) into.set(bytes);
    return bytes.length;
  }

  /** Those that this read wants; where the file is short or was read up to here, those that it wants next. */
  #fetchAhead(inode: ServedInode, number: number, wantedEnd: number): void {
    const size = this.#sizeOf(inode);
    const fileEnd = size === undefined ? undefined : Math.ceil(size / BLOCK_BYTES);
    const wasRead = number > 0 && inode.blocks.has(number - 1);
    const isReadOn = fileEnd !== undefined && (wasRead || fileEnd <= AHEAD);
    const end = isReadOn ? fileEnd : Math.min(wantedEnd, fileEnd ?? wantedEnd);
    for (let next = number + 1; next < Math.min(end, number + AHEAD); next++) {
      if (this.#findBlock(inode, next) === undefined) this.#startBlock(inode, next);
    }
  }

  #findBlock(inode: ServedInode, number: number): Block | undefined {
    if (!inode.hasBlocks) return undefined;
    const kept = inode.blocks.get(number);
    if (kept === undefined || !this.#holds(inode, kept.stamp)) return undefined;
    this.#cache.use(kept);
    return kept;
  }

  /** With others that are likely to be read next, where somebody reads one file after the other. */
  async #fetchBlock(inode: ServedInode, number: number): Promise<Block> {
    const underWay = number === 0 ? this.#fetching.get(inode) : undefined;
    if (underWay !== undefined) await underWay;
    else if (number === 0) await this.#fetchWithOthers(inode);
    return this.#findBlock(inode, number) ?? this.#startBlock(inode, number);
  }

  async #fetchWithOthers(inode: ServedInode): Promise<void> {
    const { picture } = inode.parent ?? {};
    if (picture?.isComplete !== true || !isSmallFile(inode)) return;
    picture.reads += 1;
    // Who comes back to one directory, in whatever order, is given ever more of it.
    const ofDirectory =
      picture.reads < 2 ? 0 : Math.min(2 ** (2 * picture.reads - 1), CONTENTS_NODES);
    const others = this.#othersOf(inode, Math.max(this.#takeTogether(), ofDirectory) - 1);
    if (others.length > 0) await this.#fetchTogether([inode, ...others]);
  }

  /** The next files are fetched while somebody reads those that came last, once half of these are used. */
  #readOn(inode: ServedInode): void {
    this.#used += 1;
    if (this.#fetching.size > 0 || !this.#isWalk) return;
    const next = this.#othersOf(inode, this.#takeTogether());
    // Whoever wants one of them asks for it by itself then, and is told.
    if (next.length > 0) this.#fetchTogether(next).catch(() => undefined);
  }

  /** Whether most of what was fetched together is used, one after the other. */
  get #isWalk(): boolean {
    return this.#used * 2 > this.#fetched && this.#fetched > 0;
  }

  /** How many files who walks from directory to directory gets together: ever more. */
  #takeTogether(): number {
    const isWalk = this.#isWalk;
    this.#together = isWalk ? Math.min(2 * this.#together, CONTENTS_NODES) : LEAST_TOGETHER;
    return isWalk ? this.#together : 0;
  }

  #startBlock(inode: ServedInode, number: number): Block {
    const { parent, known } = inode;
    const isTold = known !== undefined && known.stamp.picture !== undefined;
    const picture = isTold ? parent?.picture : undefined;
    const stamp: Stamp = { ...this.#files.stamp(inode), picture };
    const bytes = this.#fetch(inode, number * BLOCK_BYTES, BLOCK_BYTES);
    const sizeBytes = Math.min(
      BLOCK_BYTES,
      (this.#sizeOf(inode) ?? Infinity) - number * BLOCK_BYTES,
    );
    const block: Block = { inode, number, bytes, sizeBytes, stamp, isAhead: false };
    this.#cache.keep(block);
    // Whoever waits for it is told; nobody else need know.
    bytes.catch(() => this.#cache.drop(block));
    return block;
  }

  async #fetch(
    file: ServedInode,
    offset: number,
    length: number,
    into?: Uint8Array,
  ): Promise<Uint8Array> {
    const request = () => ({ call: "read", node: file.node, offset, length }) as const;
    return (await this.#files.ask([file], request, { into })).body;
  }

  /** Small files beside this one, then those of the directories that come next. */
  #othersOf(inode: ServedInode, most: number): readonly ServedInode[] {
    const others: ServedInode[] = [];
    let bytes = inode.known?.stat.size ?? 0;
    if (most <= 0) return others;
    const how = { isDeep: this.#isWalk, era: this.#cache.drops };
    for (const other of filesAfter(inode, how)) {
      if (!isSmallFile(other) || this.#fetching.has(other) || this.#isKept(other)) continue;
      if (this.#sizeOf(other) === undefined) continue;
      others.push(other);
      bytes += other.known?.stat.size ?? 0;
      if (others.length >= most || bytes >= TOGETHER_BYTES) break;
    }
    return others;
  }

  #isKept(inode: ServedInode): boolean {
    const block = inode.hasBlocks ? inode.blocks.get(0) : undefined;
    return block !== undefined && this.#holds(inode, block.stamp);
  }

  /** Until they are here, whoever wants one of them waits. */
  async #fetchTogether(inodes: readonly ServedInode[]): Promise<void> {
    const fetched = this.#fetchAll(inodes).finally(() => {
      for (const inode of inodes) this.#fetching.delete(inode);
    });
    const ended = fetched.catch(() => undefined);
    for (const inode of inodes) this.#fetching.set(inode, ended);
    await fetched;
  }

  async #fetchAll(inodes: readonly ServedInode[]): Promise<void> {
    const asked = this.#files.asked();
    const before = inodes.map(({ known }) => known);
    const request = (): MountCall => ({ call: "contents", nodes: inodes.map(({ node }) => node) });
    const { value, body } = await this.#files.ask([], request);
    let at = 0;
    this.#fetched = 0;
    this.#used = 0;
    for (const [n, inode] of inodes.entries()) {
      const length = value.lengths?.[n] ?? -1;
      if (length < 0) continue;
      const bytes = body.slice(at, at + length);
      at += length;
      // What is heard of a file later says nothing of these bytes.
      if (inode.known !== before[n]) continue;
      this.take(inode, bytes, asked, true);
      this.#fetched += 1;
    }
  }
}

const SETTLED_MS = 2000;

interface Step {
  readonly count: number;
  readonly isEnd: boolean;
}

function blockAt(offset: number): number {
  return Math.floor(offset / BLOCK_BYTES);
}

function isSmallFile({ kind, known }: ServedInode): boolean {
  return kind === "file" && known !== undefined && known.stat.size <= CONTENT_BYTES;
}
