import { O_RDONLY, O_WRONLY } from "../abi/open-flags.ts";
import type { Stat } from "../abi/stat.ts";
import { WaitQueue } from "../fd/wait-queue.ts";
import type { Limits } from "../limits/limits.ts";
import { ByteRing } from "./byte-ring.ts";
import { PipeEnd } from "./pipe-end.ts";

/** Writes up to this size never mix with others, see pipe(7). */
export const PIPE_BUF = 4096;
/** Linux's default, see pipe(7). */
export const PIPE_CAPACITY_BYTES = 65_536;

export interface PipeParts {
  /** Shown as `pipe:[ino]`. */
  readonly ino: number;
  readonly limits: Limits;
  readonly now: () => number;
  /** A power of two, at least PIPE_BUF. */
  readonly capacityBytes?: number;
  readonly uid?: number;
  readonly gid?: number;
  /** Status flags of both ends: O_NONBLOCK or nothing. */
  readonly flags?: number;
}

/**
 * Makes a pipe. Fails with the errno of maxPipes. Each end belongs to the fd table it is put into;
 * the pipe is given back when both ends are released.
 */
export function createPipe(parts: PipeParts): { readEnd: PipeEnd; writeEnd: PipeEnd } {
  const { ino, limits, now, capacityBytes = PIPE_CAPACITY_BYTES, flags = 0 } = parts;
  const pipe = new Pipe(limits, capacityBytes);
  const stat = pipeStat(ino, now(), parts);
  const origin = {
    describe: () => `pipe:[${ino}]`,
    stat: () => Promise.resolve(stat),
    place: undefined,
    released: undefined,
  };
  return {
    readEnd: new PipeEnd(pipe, O_RDONLY | flags, origin),
    writeEnd: new PipeEnd(pipe, O_WRONLY | flags, origin),
  };
}

/** Where a pipe is counted. */
type PipeCount = Pick<Limits, "charge" | "discharge">;

/**
 * What the ends of one pipe share: the bytes, who holds an end, and who waits.
 *
 * Charged to maxPipes from its making until `close`, which comes with the last end.
 */
export class Pipe {
  readonly bytes: ByteRing;
  /** Woken when there is something to read or no writer is left. */
  readonly readable: WaitQueue = new WaitQueue();
  /** Woken when there is room or no reader is left. */
  readonly writable = new WaitQueue();
  /** Woken with both, for an end that reads and writes. */
  readonly either = new WaitQueue();
  readers = 0;
  writers = 0;
  /** How many ends were ever opened: a FIFO's opening waits for the other count to move. */
  readersEver = 0;
  writersEver = 0;
  readonly #limits: PipeCount;
  /** Writers that wait, in turn: a large write goes to the back after each piece. */
  #line: Set<object> | undefined;

  constructor(limits: PipeCount, capacityBytes: number) {
    limits.charge("maxPipes");
    this.#limits = limits;
    this.bytes = new ByteRing(capacityBytes);
  }

  addReader(): void {
    this.readers += 1;
    this.readersEver += 1;
    this.wakeWriters();
  }

  addWriter(): void {
    this.writers += 1;
    this.writersEver += 1;
    this.wakeReaders();
  }

  removeReader(): void {
    this.readers -= 1;
    if (this.readers === 0) this.wakeWriters();
  }

  removeWriter(): void {
    this.writers -= 1;
    if (this.writers === 0) this.wakeReaders();
  }

  get isUnused(): boolean {
    return this.readers === 0 && this.writers === 0;
  }

  /** Gives everything back; called once, when no end is left. */
  close(): void {
    this.bytes.clear();
    this.#limits.discharge("maxPipes");
  }

  wakeReaders(): void {
    this.readable.wakeAll();
    this.either.wakeAll();
  }

  wakeWriters(): void {
    this.writable.wakeAll();
    this.either.wakeAll();
  }

  /** A guest looks for bytes, and there are none. */
  starve(): void {}

  /** Moves out what there is and lets writers go on. */
  take(into: Uint8Array): number {
    const count = this.bytes.shift(into);
    this.wakeWriters();
    return count;
  }

  /**
   * Takes in what fits of `from` from `start` on and lets readers go on; answers how much. Small
   * writes go in whole or not at all.
   */
  put(from: Uint8Array, start: number): number {
    if (from.length <= PIPE_BUF && this.bytes.room < from.length) return 0;
    const count = this.bytes.push(from, start);
    if (count > 0) this.wakeReaders();
    return count;
  }

  /** Room for a small write, as POLLOUT promises it. */
  get hasRoom(): boolean {
    return this.bytes.room >= PIPE_BUF;
  }

  /** Whether others wait to write already. */
  get hasLine(): boolean {
    return this.#line !== undefined && this.#line.size > 0;
  }

  isTurnOf(writer: object): boolean {
    return this.#line?.values().next().value === writer;
  }

  /** Joins the line; who has just written a piece goes to its back, others keep their place. */
  standInLine(writer: object, hasProgressed: boolean): void {
    this.#line ??= new Set();
    if (hasProgressed) this.#line.delete(writer);
    this.#line.add(writer);
  }

  leaveLine(writer: object): void {
    if (this.#line?.delete(writer) === true && this.#line.size > 0) this.writable.wakeAll();
  }
}

export function pipeStat(ino: number, timeMs: number, owner: { uid?: number; gid?: number }): Stat {
  return {
    kind: "fifo",
    mode: 0o600,
    uid: owner.uid ?? 0,
    gid: owner.gid ?? 0,
    size: 0,
    nlink: 1,
    ino,
    dev: 0,
    rdev: 0,
    blocks: 0,
    atimeMs: timeMs,
    mtimeMs: timeMs,
    ctimeMs: timeMs,
  };
}
