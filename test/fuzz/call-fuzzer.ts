// A guest that has taken its own library apart: it writes what it likes into the buffer that it shares with the kernel, and
// makes every call there is with any arguments. The kernel and the calls are the real ones; only the isolate is not there.
import { isKernelError, ProcessEnded } from "../../src/kernel/index.ts";
import { type Call, CallChannel } from "../../src/vm/executors/isolate/call-channel.ts";
import { callNames, findCall } from "../../src/vm/executors/isolate/calls/call-list.ts";
import { type Guest, ObjectTable, Pool } from "../../src/vm/executors/isolate/guest.ts";
import { MemoryAccount, type NativeLedger } from "../../src/vm/executors/isolate/memory-ledger.ts";
import { Requests } from "../../src/vm/executors/isolate/requests.ts";
import { Threads } from "../../src/vm/executors/isolate/threads.ts";
import { CONTROL_BYTES, turn, WINDOW_BYTES, word } from "../../src/vm/node/wire/layout.ts";
import { type Packed, Packer, type TextCodec } from "../../src/vm/node/wire/pack.ts";
import { TestKernel } from "../support/test-kernel.ts";
import { Chance, edges, mutateBytes } from "./chance.ts";

const codec: TextCodec = {
  write: (into, text, at) => Buffer.from(into.buffer, into.byteOffset, into.length).write(text, at),
  read: (from, start, end) => Buffer.from(from.subarray(start, end)).toString(),
};

/** Nothing here ends by its memory. */
const ledger: NativeLedger = {
  start: () => undefined,
  publish: () => undefined,
  setLargestProgram: () => undefined,
  killLargest: () => false,
  takeProgramShortage: () => false,
  usedBytes: () => 0,
  accounts: () => [],
};

/** They end the process, or the thread that tests run on waits for them. */
const spared = new Set(["exit", "poll"]);

export class CallFuzzer {
  readonly problems: string[] = [];
  calls = 0;

  /** One process, and so many calls of it. */
  async run(seed: number, calls: number): Promise<void> {
    const chance = new Chance(seed);
    const kernel = await TestKernel.boot();
    const { kernel: inner } = kernel;
    const process = inner.enterAs({ ...inner.init.credentials });
    const sys = inner.sysOf(process);
    const fail = (error: unknown): void => this.#fail(seed, "a call", error);
    const requests = new Requests((delayMs, done) => kernel.host.setTimer(delayMs, done), fail);
    const account = new MemoryAccount(ledger);
    const guest: Guest = {
      sys,
      image: imageOf("/bin/node"),
      builtins: { find: () => undefined } as unknown as Guest["builtins"],
      requests,
      exit: () => undefined,
      objects: new ObjectTable(1000),
      threads: new Threads({
        host: kernel.host,
        heapLimitMb: 64,
        account,
        takeIsolate: () => Promise.reject(new ProcessEnded(0)),
        onStuck: () => undefined,
      }),
      thread: 0,
      interrupt: () => undefined,
      account,
      pool: new Pool(),
      state: new Map(),
    };
    const buffer = new HostileBuffer(chance, ({ name, args, request }) => {
      if (spared.has(name)) return undefined;
      const handler = findCall(name);
      this.calls += 1;
      // Nobody waits here: a call that is answered late is one like any other.
      requests.start(request === 0 ? 1 + chance.int(1 << 20) : request, args, () =>
        handler(guest, args),
      );
      return undefined;
    });
    for (let made = 0; made < calls; made++) {
      await buffer.call().catch((error: unknown) => this.#fail(seed, "the channel", error));
      if (made % 8 === 7) await requests.poll(0);
    }
    requests.close();
    guest.pool.leave(account);
    buffer.close();
  }

  #fail(seed: number, where: string, error: unknown): void {
    if (isKernelError(error) || error instanceof ProcessEnded) return;
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.problems.push(`seed ${seed}: ${where} failed with ${words}`);
  }
}

function imageOf(path: string): Guest["image"] {
  return { path, argv: ["node"], env: new Map() } as unknown as Guest["image"];
}

/** The guest's end of the channel. */
class HostileBuffer {
  readonly #chance: Chance;
  readonly #channel: CallChannel;
  readonly #words: Int32Array;
  readonly #window: Uint8Array;

  constructor(chance: Chance, answer: (call: Call) => Packed) {
    this.#chance = chance;
    this.#channel = new CallChannel(answer, { current: () => -1, yield: () => undefined });
    this.#words = new Int32Array(this.#channel.shared, 0, CONTROL_BYTES / 4);
    this.#window = new Uint8Array(this.#channel.shared, CONTROL_BYTES, WINDOW_BYTES);
  }

  /** A call that is well packed, or nearly, or not at all; what is in the window may change while it is served. */
  async call(): Promise<void> {
    const chance = this.#chance;
    const name = chance.pick(callNames);
    const message = [name, ...Array.from({ length: chance.int(7) }, () => this.#argument(3))];
    const packed = pack(message);
    const bytes = chance.oneIn(5) ? mutateBytes(packed, chance) : packed;
    this.#window.set(bytes.subarray(0, WINDOW_BYTES));
    this.#words[word.request] = chance.pick([0, 1, 2, -1, 2 ** 31 - 1, chance.int(1000)]);
    this.#words[word.length] = chance.oneIn(12)
      ? chance.pick([-1, 0, 2 ** 31 - 1, -(2 ** 31), WINDOW_BYTES, bytes.length + 1])
      : bytes.length;
    this.#words[word.more] = chance.oneIn(15) ? chance.pick([1, 2, -1]) : 0;
    Atomics.store(this.#words, word.turn, turn.kernel);
    const served = this.#channel.serve();
    if (chance.oneIn(6)) this.#window.fill(chance.int(256), 0, 64);
    if (chance.oneIn(9)) this.#words[word.length] = chance.int(2 ** 31);
    await Promise.race([served, new Promise((resolve) => setImmediate(resolve))]);
  }

  close(): void {
    this.#channel.close();
  }

  #argument(depth: number): Packed {
    const chance = this.#chance;
    const kind = chance.int(12);
    if (kind < 3) return chance.int(12);
    if (kind < 6) return chance.pick(paths);
    if (kind === 6) return chance.bytes(40);
    if (kind === 7) return chance.pick(words);
    if (kind === 8 && depth > 0)
      return Array.from({ length: chance.int(5) }, () => this.#argument(depth - 1));
    if (kind === 9) return BigInt(chance.int(1 << 30)) << BigInt(chance.int(70));
    if (kind === 10) return { a: this.#argument(0), length: this.#argument(0) };
    return chance.pick(edges) as Packed;
  }
}

const paths = [
  "/",
  "/tmp",
  "/tmp/a",
  "/tmp/b",
  "/dev/null",
  "/proc/self/fd/0",
  "",
  "a/../../x",
  "/tmp/a/",
];
const words = [
  "sha256",
  "Zlib",
  "Hash",
  "PBKDF2Job",
  "utf8",
  "tcp",
  "SIGTERM",
  "127.0.0.1",
  "r",
  "Job",
];

function pack(message: readonly Packed[]): Uint8Array {
  const packer = new Packer(new Uint8Array(64), codec, 1 << 26);
  for (const one of message) packer.write(one);
  return packer.finish();
}
