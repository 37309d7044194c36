import {
  KernelError,
  O_RDONLY,
  OpenFile,
  POLLHUP,
  POLLIN,
  type Stat,
  type Waiter,
  WaitQueue,
} from "../../kernel/index.ts";
import { pipeStat } from "./host-output.ts";

/**
 * The stdin of a command that the host started: what the server sends until it closes it.
 * The server sends no more than the window allows; what a guest reads is given back as credit.
 */
export class HostInput extends OpenFile {
  readonly #credit: (bytes: number) => void;
  readonly #stat: Stat;
  readonly #changed = new WaitQueue();
  readonly #chunks: Uint8Array[] = [];
  /** Whether a reader has found nothing since the last input came. */
  #isStarved = false;
  /** Woken when that becomes true, and when nobody can read any more. */
  readonly #starved = new WaitQueue();
  #isEnded = false;
  #isReleased = false;

  constructor(options: {
    readonly ino: number;
    readonly nowMs: number;
    readonly credit: (bytes: number) => void;
  }) {
    super(O_RDONLY);
    this.#credit = options.credit;
    this.#stat = pipeStat(options.ino, options.nowMs);
  }

  override describe(): string {
    return `pipe:[${this.#stat.ino}]`;
  }

  override async stat(): Promise<Stat> {
    return this.#stat;
  }

  override async read(into: Uint8Array, waiter: Waiter): Promise<number> {
    if (into.length === 0) return 0;
    while (true) {
      const chunk = this.#chunks[0];
      if (chunk !== undefined) return this.#take(chunk, into);
      if (this.#isEnded) return 0;
      this.#starve();
      if (this.isNonBlocking) throw new KernelError("EAGAIN");
      await waiter.wait(this.#changed);
    }
  }

  override poll(): number {
    if (this.#chunks.length === 0) this.#starve();
    const readable = this.#chunks.length > 0 || this.#isEnded ? POLLIN : 0;
    return readable | (this.#isEnded && this.#chunks.length === 0 ? POLLHUP : 0);
  }

  override get changed(): WaitQueue {
    return this.#changed;
  }

  /** More input. When nobody can read it any more it is dropped, and counts as taken. */
  push(bytes: Uint8Array): void {
    if (bytes.length === 0 || this.#isEnded) return;
    if (this.#isReleased) {
      this.#credit(bytes.length);
      return;
    }
    this.#isStarved = false;
    this.#chunks.push(bytes.slice());
    this.#changed.wakeAll();
  }

  /** Resolves once a reader has found nothing left, or no more can be read. */
  async demand(): Promise<void> {
    while (!this.#isStarved && !this.#isEnded && !this.#isReleased) {
      await new Promise<void>((resolve) => this.#starved.add(resolve));
    }
  }

  end(): void {
    this.#isEnded = true;
    this.#starved.wakeAll();
    this.#changed.wakeAll();
  }

  protected override release(): void {
    this.#isReleased = true;
    this.#starved.wakeAll();
    const left = this.#chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    this.#chunks.length = 0;
    if (left > 0) this.#credit(left);
  }

  #starve(): void {
    this.#isStarved = true;
    this.#starved.wakeAll();
  }

  #take(chunk: Uint8Array, into: Uint8Array): number {
    const count = Math.min(chunk.length, into.length);
    into.set(chunk.subarray(0, count));
    if (count === chunk.length) this.#chunks.shift();
    else this.#chunks[0] = chunk.subarray(count);
    this.#credit(count);
    return count;
  }
}
