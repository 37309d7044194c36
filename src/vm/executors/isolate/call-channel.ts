// The kernel's end of a guest process's calls. Every word and byte of the shared buffer is the guest's
// to change at any time: what is used is read once, and copied before it is looked at.
import { decodeText, isKernelError, KernelError } from "../../../kernel/index.ts";
import type { Cores } from "../../confinement/cores.ts";
import {
  CONTROL_BYTES,
  LOOKS_PER_CORE_CHECK,
  MESSAGE_LIMIT_BYTES,
  turn,
  WINDOW_BYTES,
  word,
} from "../../node/wire/layout.ts";
import { PackError, type Packed, Packer, type TextCodec, Unpacker } from "../../node/wire/pack.ts";
import { failureOf } from "./requests.ts";

const codec: TextCodec = {
  write: (into, text, at) => Buffer.from(into.buffer, into.byteOffset, into.length).write(text, at),
  read: (from, start, end) => decodeText(from.subarray(start, end)),
};

/** Looks for the guest's next call before the kernel goes on with other things. */
const LOOKS = 1500;
/** Messages up to this are copied into a buffer that all of them share. */
const SHORT_BYTES = 4096;
/** Calls are answered at most so long without a turn for everything else in the cell. */
const SERVE_MS = 4;

const pause: () => void =
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- younger than TypeScript's library
  (Atomics as unknown as { pause?: () => void }).pause ?? (() => undefined);

/** A call as it came. */
export interface Call {
  readonly name: string;
  readonly args: readonly Packed[];
  /** Not 0: the guest goes on, and its completion carries this number. */
  readonly request: number;
}

export class CallChannel {
  readonly shared = new SharedArrayBuffer(CONTROL_BYTES + WINDOW_BYTES);
  readonly #words = new Int32Array(this.shared, 0, CONTROL_BYTES / 4);
  readonly #window = new Uint8Array(this.shared, CONTROL_BYTES, WINDOW_BYTES);
  readonly #short = new Uint8Array(SHORT_BYTES);
  readonly #shortUnpacker = new Unpacker(this.#short, codec, { copiesBytes: true });
  readonly #packer = new Packer(this.#window, codec, MESSAGE_LIMIT_BYTES);
  readonly #answer: (call: Call) => Packed | Promise<Packed>;
  readonly #cores: Cores;
  /** Called when the guest rings while it is being served: the next part of a message is there. */
  #wake: () => void = () => undefined;
  #isServing = false;
  #isClosed = false;

  /** `answer` may fail with a KernelError, for the guest; with anything else the channel is at an end. */
  constructor(answer: (call: Call) => Packed | Promise<Packed>, cores: Cores) {
    this.#answer = answer;
    this.#cores = cores;
  }

  /** SIGINT has come for what runs: the guest's own code looks at it while it computes. */
  interrupt(): void {
    Atomics.store(this.#words, word.interrupted, 1);
  }

  /** Answers nothing any more. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  /** The guest rang: serves it until it makes no more calls. Rejects with what `answer` fails with. */
  async serve(): Promise<void> {
    if (this.#isServing) this.#wake();
    if (this.#isServing || this.#isClosed) return;
    this.#isServing = true;
    try {
      let until = performance.now() + SERVE_MS;
      while (this.#hasCall()) {
        const answering = this.#serveOne();
        if (answering !== undefined) await answering;
        if (this.#isClosed || !this.#lookForCall()) return;
        if (performance.now() < until) continue;
        await new Promise((resolve) => setImmediate(resolve));
        until = performance.now() + SERVE_MS;
      }
    } finally {
      this.#isServing = false;
    }
  }

  #hasCall(): boolean {
    return Atomics.load(this.#words, word.turn) === turn.kernel;
  }

  /** Whether the guest made its next call, now or within some microseconds. */
  #lookForCall(): boolean {
    for (let look = 1; look < LOOKS; look += 1) {
      if (this.#hasCall()) return true;
      if (look % LOOKS_PER_CORE_CHECK === 0) this.#yieldToGuest();
      else pause();
    }
    Atomics.store(this.#words, word.isLooking, 0);
    return this.#hasCall();
  }

  #yieldToGuest(): void {
    const core = this.#cores.current();
    this.#words[word.kernelCore] = core;
    if (this.#words[word.guestCore] === core) this.#cores.yield();
  }

  /** A promise where the answer, or room for it, takes time. */
  #serveOne(): Promise<void> | undefined {
    let answer: Packed | Promise<Packed>;
    let hasFailed = false;
    try {
      answer = this.#words[word.more] === 1 ? this.#answerParts() : this.#answer(this.#take());
    } catch (error) {
      answer = failureFor(error);
      hasFailed = true;
    }
    return answer instanceof Promise ? this.#replyLater(answer) : this.#reply(answer, hasFailed);
  }

  async #replyLater(answer: Promise<Packed>): Promise<void> {
    let reply: Packed;
    let hasFailed = false;
    try {
      reply = await answer;
    } catch (error) {
      reply = failureFor(error);
      hasFailed = true;
    }
    await this.#reply(reply, hasFailed);
  }

  #take(): Call {
    const request = this.#words[word.request] ?? 0;
    const length = clamp(this.#words[word.length] ?? 0);
    if (length > SHORT_BYTES)
      return read(new Unpacker(this.#window.slice(0, length), codec), request);
    for (let at = 0; at < length; at += 1) this.#short[at] = this.#window[at] ?? 0;
    this.#shortUnpacker.begin(length);
    return read(this.#shortUnpacker, request);
  }

  async #answerParts(): Promise<Packed> {
    const request = this.#words[word.request] ?? 0;
    const parts: Uint8Array[] = [];
    let total = 0;
    for (;;) {
      const length = clamp(this.#words[word.length] ?? 0);
      const hasMore = this.#words[word.more] === 1;
      parts.push(this.#window.slice(0, length));
      total += length;
      if (total > MESSAGE_LIMIT_BYTES) throw new KernelError("E2BIG");
      if (!hasMore) break;
      // Only full windows are followed by more: else a message could go on without end.
      if (length < WINDOW_BYTES) throw new PackError("a part that is not full");
      await this.#handOver(0, false);
    }
    return await this.#answer(read(new Unpacker(join(parts, total), codec), request));
  }

  #reply(value: Packed, hasFailed: boolean): Promise<void> | undefined {
    if (this.#isClosed) return undefined;
    this.#packer.begin();
    this.#packer.write(value);
    this.#words[word.failed] = hasFailed ? 1 : 0;
    if (!this.#packer.isInWindow) return this.#replyInParts(this.#packer.finish(), hasFailed);
    this.#giveTurn(this.#packer.length, false);
    return undefined;
  }

  async #replyInParts(message: Uint8Array, hasFailed: boolean): Promise<void> {
    for (let at = 0; at < message.length; at += WINDOW_BYTES) {
      const part = message.subarray(at, at + WINDOW_BYTES);
      this.#window.set(part);
      this.#words[word.failed] = hasFailed ? 1 : 0;
      if (at + part.length >= message.length) return this.#giveTurn(part.length, false);
      await this.#handOver(part.length, true);
    }
  }

  #giveTurn(length: number, hasMore: boolean): void {
    this.#words[word.length] = length;
    this.#words[word.more] = hasMore ? 1 : 0;
    Atomics.store(this.#words, word.isLooking, 1);
    Atomics.store(this.#words, word.turn, turn.guest);
    Atomics.notify(this.#words, word.turn);
  }

  /** Gives the window to the guest and waits until it is back. */
  async #handOver(length: number, hasMore: boolean): Promise<void> {
    this.#giveTurn(length, hasMore);
    while (!this.#lookForCall() && !this.#isClosed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#isClosed) throw new KernelError("EINTR");
  }
}

/** What the guest is told of it; anything but an errno is thrown on. */
function failureFor(error: unknown): Packed {
  if (error instanceof PackError) return ["EINVAL", undefined];
  if (isKernelError(error)) return failureOf(error);
  throw error;
}

function read(unpacker: Unpacker, request: number): Call {
  const name = unpacker.read();
  if (typeof name !== "string") throw new PackError("no name");
  const args: Packed[] = [];
  while (!unpacker.isAtEnd) args.push(unpacker.read());
  return { name, args, request };
}

function clamp(length: number): number {
  return Math.min(Math.max(0, length), WINDOW_BYTES);
}

function join(parts: readonly Uint8Array[], total: number): Uint8Array {
  const whole = new Uint8Array(total);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
