/** What one slot holds, and how many there are: a reader in order has a few on their way. */
export const SLOT_BYTES = 1 << 20;
const SLOTS = 4;

/**
 * Memory that the server and the disk's thread share, to read into: buffers that go from one to the other
 * are garbage after each read, and collecting it takes longer than reading.
 */
export class ReadSlots {
  readonly memory: SharedArrayBuffer;
  readonly #free: number[] = Array.from({ length: SLOTS }, (_, i) => i);

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(SLOTS * SLOT_BYTES)) {
    this.memory = memory;
  }

  /** Undefined while all are in use. */
  take(): number | undefined {
    return this.#free.pop();
  }

  giveBack(slot: number): void {
    this.#free.push(slot);
  }

  view(slot: number, length: number): Uint8Array {
    return new Uint8Array(this.memory, slot * SLOT_BYTES, length);
  }
}
