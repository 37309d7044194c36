// Isolates made ahead of need: from the snapshot, joined to a channel, waiting to be a process.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type IsolatedVm from "isolated-vm";
import { KernelError } from "../../../kernel/index.ts";
import type { Packed } from "../../node/wire/pack.ts";
import type { Call } from "./call-channel.ts";
import { CallChannel } from "./call-channel.ts";
import { IsolateMaker } from "./isolate-maker.ts";
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
  #maker: IsolateMaker | undefined;
  /** The one that is made ahead of need, until somebody takes it. */
  #coming: Promise<ReadyIsolate> | undefined;
  /** How many somebody waits for. */
  #promised = 0;
  /** How many are being made. */
  #underWay = 0;
  /** The heap limit of those that wait. */
  #heapLimitMb = 0;
  #isRefilling = false;

  constructor(options: IsolateOptions) {
    this.#options = options;
    const { ivm, directory } = options.natives;
    this.#snapshot = new ivm.ExternalCopy(copyOf(readFileSync(join(directory, "snapshot.bin"))));
  }

  /** One of those that wait, where the heap's limit is theirs; else a new one. EAGAIN beyond `limit`. */
  async take(heapLimitMb: number, limit: number): Promise<ReadyIsolate> {
    this.#taken = this.#taken.filter(({ isolate }) => !isolate.isDisposed);
    if (this.#taken.length + this.#promised >= limit) {
      const reason = `limit maxIsolates is ${limit}; raise limits.maxIsolates of the VM`;
      throw new KernelError("EAGAIN", undefined, reason);
    }
    this.#promised += 1;
    try {
      const taken = await (this.#find(heapLimitMb) ?? this.#make(heapLimitMb));
      this.#taken.push(taken);
      return taken;
    } finally {
      this.#promised -= 1;
    }
  }

  /** One that waits, or the next that will. */
  #find(heapLimitMb: number): ReadyIsolate | Promise<ReadyIsolate> | undefined {
    if (heapLimitMb < this.#heapLimitMb) return undefined;
    if (heapLimitMb !== this.#heapLimitMb) this.clear();
    this.#heapLimitMb = heapLimitMb;
    const found = this.#ready.pop() ?? this.#coming;
    if (found === this.#coming) this.#coming = undefined;
    return found;
  }

  /** Makes more for the next processes until `count` wait, one at a time. */
  async refill(count: number): Promise<void> {
    if (this.#isRefilling) return;
    this.#isRefilling = true;
    try {
      while (this.#ready.length < count && this.#heapLimitMb !== 0) {
        const coming = this.#make(this.#heapLimitMb);
        this.#coming = coming;
        const made = await coming;
        if (this.#coming !== coming) continue;
        this.#coming = undefined;
        this.#ready.push(made);
      }
    } finally {
      this.#isRefilling = false;
    }
  }

  /** Gives back those that wait, or will. */
  clear(): void {
    this.#heapLimitMb = 0;
    this.#coming?.then(({ isolate }) => isolate.dispose()).catch(() => undefined);
    this.#coming = undefined;
    for (const { isolate } of this.#ready.splice(0)) isolate.dispose();
    if (this.#underWay > 0) return;
    this.#maker?.dispose();
    this.#maker = undefined;
  }

  async #make(heapLimitMb: number): Promise<ReadyIsolate> {
    this.#underWay += 1;
    try {
      this.#maker ??= new IsolateMaker(this.#options, this.#snapshot);
      return await this.#join(await this.#maker.make(heapLimitMb));
    } finally {
      this.#underWay -= 1;
    }
  }

  /** An isolate with its channel, ready to start. */
  async #join(isolate: IsolatedVm.Isolate): Promise<ReadyIsolate> {
    const { ivm, module, cores } = this.#options.natives;
    const context = await isolate.createContext();
    const guest: { ready?: ReadyIsolate } = {};
    const channel = new CallChannel((call) => guest.ready?.onCall(call), cores);
    const ring = (): void => {
      channel.serve().catch((error: unknown) => guest.ready?.onFailure(error));
      // isolated-vm runs this outside Node's callback scopes: without it the ticks that the call queued,
      // such as a message to the server, would wait for whatever the event loop does next.
      setImmediate(() => undefined);
    };
    const functions = await module.create(context);
    const start = await context.evalClosure(
      "const guest = __guest; delete globalThis.__guest; guest.prepare($0, $1, $2); return guest.start;",
      [
        new ivm.ExternalCopy(channel.shared).copyInto({ release: true }),
        new ivm.Callback(ring, { ignored: true }),
        functions.derefInto({ release: true }),
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
