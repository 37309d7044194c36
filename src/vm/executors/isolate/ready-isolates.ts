// Isolates made ahead of need: from the snapshot, joined to a channel, waiting to be a process.
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type IsolatedVm from "isolated-vm";
import { KernelError } from "../../../kernel/index.ts";
import type { Packed } from "../../node/wire/pack.ts";
import type { Call } from "./call-channel.ts";
import { CallChannel } from "./call-channel.ts";
import type { GuestNatives } from "./load-natives.ts";

export interface ReadyIsolate {
  readonly isolate: IsolatedVm.Isolate;
  readonly channel: CallChannel;
  /** Who answers the guest's calls; set when the isolate becomes a process. */
  onCall: (call: Call) => Packed | Promise<Packed>;
  /** What ended the channel, where something did. */
  onFailure: (error: unknown) => void;
  /** Runs the process to its end. */
  run(): Promise<void>;
}

export interface IsolateOptions {
  readonly natives: GuestNatives;
  readonly onCatastrophe: (message: string) => void;
}

export class ReadyIsolates {
  readonly #options: IsolateOptions;
  readonly #ready: ReadyIsolate[] = [];
  readonly #snapshot: IsolatedVm.ExternalCopy<ArrayBuffer>;
  /** Those that are processes and threads now. */
  #taken: ReadyIsolate[] = [];
  /** The heap limit of those that wait. */
  #heapLimitMb = 0;
  readonly #hasSecondCore = availableParallelism() > 1;

  constructor(options: IsolateOptions) {
    this.#options = options;
    const { ivm, directory } = options.natives;
    this.#snapshot = new ivm.ExternalCopy(copyOf(readFileSync(join(directory, "snapshot.bin"))));
  }

  /** One of those that wait, where the heap's limit is theirs; else a new one. EAGAIN beyond `limit`. */
  take(heapLimitMb: number, limit: number): ReadyIsolate {
    this.#taken = this.#taken.filter(({ isolate }) => !isolate.isDisposed);
    if (this.#taken.length >= limit) {
      const reason = `limit maxIsolates is ${limit}; raise limits.maxIsolates of the VM`;
      throw new KernelError("EAGAIN", undefined, reason);
    }
    const taken = this.#find(heapLimitMb);
    this.#taken.push(taken);
    return taken;
  }

  #find(heapLimitMb: number): ReadyIsolate {
    if (heapLimitMb < this.#heapLimitMb) return this.#make(heapLimitMb);
    if (heapLimitMb !== this.#heapLimitMb) this.clear();
    this.#heapLimitMb = heapLimitMb;
    return this.#ready.pop() ?? this.#make(heapLimitMb);
  }

  /** Makes one more for the next process, where fewer than `count` wait; whether it did. */
  refill(count: number): boolean {
    if (this.#ready.length >= count || this.#heapLimitMb === 0) return false;
    this.#ready.push(this.#make(this.#heapLimitMb));
    return true;
  }

  /** Gives back those that wait. */
  clear(): void {
    for (const { isolate } of this.#ready.splice(0)) isolate.dispose();
  }

  #make(heapLimitMb: number): ReadyIsolate {
    const { onCatastrophe, natives } = this.#options;
    const { ivm } = natives;
    const isolate = new ivm.Isolate({
      memoryLimit: heapLimitMb,
      snapshot: this.#snapshot,
      onCatastrophicError: onCatastrophe,
    });
    const context = isolate.createContextSync();
    const guest: { ready?: ReadyIsolate } = {};
    const channel = new CallChannel((call) => guest.ready?.onCall(call), this.#hasSecondCore);
    const ring = (): void => {
      channel.serve().catch((error: unknown) => guest.ready?.onFailure(error));
      // isolated-vm runs this outside Node's callback scopes: without it the ticks that the call queued,
      // such as a message to the server, would wait for whatever the event loop does next.
      setImmediate(() => undefined);
    };
    const start = context.evalClosureSync(
      "const guest = __guest; delete globalThis.__guest; guest.prepare($0, $1, $2); return guest.start;",
      [
        new ivm.ExternalCopy(channel.shared).copyInto({ release: true }),
        new ivm.Callback(ring, { ignored: true }),
        natives.module.createSync(context).derefInto({ release: true }),
      ],
      { result: { reference: true } },
    );
    const ready: ReadyIsolate = {
      isolate,
      channel,
      onCall: () => undefined,
      onFailure: () => undefined,
      run: async () => {
        await start.apply(undefined, [], {});
      },
    };
    guest.ready = ready;
    return ready;
  }
}

function copyOf({ buffer, byteOffset, length }: Uint8Array): ArrayBuffer {
  const copy = new ArrayBuffer(length);
  new Uint8Array(copy).set(new Uint8Array(buffer, byteOffset, length));
  return copy;
}
