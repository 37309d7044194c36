import type { CallCell } from "./vm-files.ts";
import type { WatchEvent } from "./wire/from-cell.ts";

/** Events that wait for a slow reader; beyond this the oldest leave and an overflow is told. */
const WAITING_LIMIT = 4096;

interface Reader {
  readonly events: WatchEvent[];
  wake: () => void;
  isEnded: boolean;
}

/** The host's watches in one VM, each an iteration over what changes. */
export class VmWatches {
  readonly #call: CallCell;
  readonly #readers = new Map<number, Reader>();

  constructor(call: CallCell) {
    this.#call = call;
  }

  async *watch(path: string): AsyncGenerator<WatchEvent> {
    const { watch } = await this.#call("watch", { path, as: "user" });
    const reader: Reader = { events: [], wake: () => undefined, isEnded: false };
    this.#readers.set(watch, reader);
    try {
      while (!reader.isEnded || reader.events.length > 0) {
        const event = reader.events.shift();
        if (event !== undefined) yield event;
        else if (!reader.isEnded) await new Promise<void>((resolve) => (reader.wake = resolve));
      }
    } finally {
      this.#readers.delete(watch);
      if (!reader.isEnded) await this.#call("unwatch", { watch });
    }
  }

  receive(watch: number, events: readonly WatchEvent[]): void {
    const reader = this.#readers.get(watch);
    if (reader === undefined) return;
    reader.events.push(...events);
    if (reader.events.length > WAITING_LIMIT) {
      reader.events.splice(0, reader.events.length - WAITING_LIMIT, {
        type: "overflow",
        path: "",
        isDirectory: false,
      });
    }
    reader.wake();
  }

  /** The VM is gone: every iteration ends after what it has. */
  endAll(): void {
    for (const reader of this.#readers.values()) {
      reader.isEnded = true;
      reader.wake();
    }
  }
}
