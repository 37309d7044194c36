// The descriptors that a child finds open beside the first five.
import type { ChildProcess } from "node:child_process";
import { Duplex, Writable } from "node:stream";

/** What a child finds in descriptors: some opened by us, some written to it once it runs, some that stay open both ways. */
export class LentContents {
  readonly #entries: (number | Uint8Array | "channel")[] = [];

  lendBytes(bytes: Uint8Array): number {
    return FIRST_LENT + this.#entries.push(bytes) - 1;
  }

  lendDescriptor(descriptor: number): number {
    return FIRST_LENT + this.#entries.push(descriptor) - 1;
  }

  /** Our end is `channelOf` when the child runs. */
  lendChannel(): number {
    return FIRST_LENT + this.#entries.push("channel") - 1;
  }

  stdio(): (number | "pipe")[] {
    return this.#entries.map((entry) => (typeof entry === "number" ? entry : "pipe"));
  }

  write(child: ChildProcess): void {
    this.#entries.forEach((entry, index) => {
      const end = child.stdio[FIRST_LENT + index];
      if (!(entry instanceof Uint8Array) || !(end instanceof Writable)) return;
      // A launch that failed reads nothing: it says so itself.
      end.on("error", () => end.destroy());
      end.end(entry);
    });
  }
}

export function channelOf(child: ChildProcess, descriptor: number): Duplex | undefined {
  const end: unknown = child.stdio[descriptor];
  return end instanceof Duplex ? end : undefined;
}

const FIRST_LENT = 5;
