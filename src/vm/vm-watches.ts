import type { CallCell } from "./vm-files.ts";
import type { WatchEvent } from "./wire/from-cell.ts";

/** Events that wait for a slow reader, and what their paths may take; beyond this the oldest leave and an overflow is told. */
const WAITING_LIMIT = 4096;
const WAITING_BYTES = 1 << 20;

interface Reader {
  readonly events: WatchEvent[];
  pathBytes: number;
  wake: () => void;
  isEnded: boolean;
}

/** The host's watches in one VM, each an iteration over what changes. */
export class VmWatches {
  readonly #call: CallCell;
  /** From before the cell is asked until it has answered that it watches no more. */
  readonly #readers = new Map<number, Reader>();
  #last = 0;

  constructor(call: CallCell) {
    this.#call = call;
  }

  async *watch(path: string): AsyncGenerator<WatchEvent> {
    this.#last += 1;
    const watch = this.#last;
    const reader: Reader = { events: [], pathBytes: 0, wake: () => undefined, isEnded: false };
    this.#readers.set(watch, reader);
    try {
      await this.#call("watch", { watch, path, as: "user" });
      yield* this.#read(watch, reader);
    } finally {
      this.#readers.delete(watch);
    }
  }

  /** To the end of the VM, or until its caller leaves. */
  async *#read(watch: number, reader: Reader): AsyncGenerator<WatchEvent> {
    try {
      while (!reader.isEnded || reader.events.length > 0) {
        const event = reader.events.shift();
        if (event !== undefined) {
          reader.pathBytes -= event.path.length;
          yield event;
        } else if (!reader.isEnded) await new Promise<void>((resolve) => (reader.wake = resolve));
      }
    } finally {
      if (!reader.isEnded) await this.#call("unwatch", { watch });
    }
  }

  /** Whether there is such a watch. */
  receive(watch: number, events: readonly WatchEvent[]): boolean {
    const reader = this.#readers.get(watch);
    if (reader === undefined) return false;
    for (const event of events) {
      reader.events.push(event);
      reader.pathBytes += event.path.length;
    }
    if (reader.events.length > WAITING_LIMIT || reader.pathBytes > WAITING_BYTES) shorten(reader);
    reader.wake();
    return true;
  }

  /** The VM is gone: every iteration ends after what it has. */
  endAll(): void {
    for (const reader of this.#readers.values()) {
      reader.isEnded = true;
      reader.wake();
    }
  }
}

/** Lets the older half leave, so that a flood does not make us do this for each event. */
function shorten(reader: Reader): void {
  let leaving = 0;
  while (
    reader.events.length - leaving > WAITING_LIMIT / 2 ||
    reader.pathBytes > WAITING_BYTES / 2
  ) {
    reader.pathBytes -= reader.events[leaving]?.path.length ?? 0;
    leaving += 1;
  }
  reader.events.splice(0, leaving, { type: "overflow", path: "", isDirectory: false });
}
