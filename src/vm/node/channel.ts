// The guest's end of its calls to the kernel.
import { native } from "./native.ts";
import {
  CONTROL_BYTES,
  LOOKS_PER_CORE_CHECK,
  MESSAGE_LIMIT_BYTES,
  turn,
  WINDOW_BYTES,
  word,
} from "./wire/layout.ts";
import { type Packed, Packer, type TextCodec, Unpacker } from "./wire/pack.ts";

const { wait, load, store } = Atomics;
/** Looks at the kernel's answer before the thread goes to sleep; a sleep costs tens of microseconds. */
const LOOKS = 800;
const pause: () => void = (Atomics as unknown as { pause?: () => void }).pause ?? (() => undefined);

const codec: TextCodec = {
  write: (into, text, at) => native["buffer"].utf8WriteStatic(into, text, at, into.length - at),
  read: (from, start, end) => native["buffer"].utf8Slice(from, start, end),
};

/** A call that failed: the errno's name, what it was about, and which rule or limit of the VM it comes from. */
export class CallError {
  readonly code: string;
  readonly detail: string | undefined;
  readonly reason: string | undefined;

  constructor(code: string, detail?: string, reason?: string) {
    this.code = code;
    this.detail = detail;
    this.reason = reason;
  }
}

let words: Int32Array = new Int32Array(1);
let window: Uint8Array = new Uint8Array(0);
let packer = new Packer(window, codec, MESSAGE_LIMIT_BYTES);
let unpacker = new Unpacker(window, codec);
let ring: () => void = () => undefined;

/** Joins this process to its kernel. `doorbell` wakes the kernel. */
export function connect(shared: SharedArrayBuffer, doorbell: () => void): void {
  words = new Int32Array(shared, 0, CONTROL_BYTES / 4);
  window = new Uint8Array(shared, CONTROL_BYTES, WINDOW_BYTES);
  packer = new Packer(window, codec, MESSAGE_LIMIT_BYTES);
  unpacker = new Unpacker(window, codec);
  ring = doorbell;
}

/** One number: not 0 once SIGINT has come for code that watches for it. */
export function interruptedWord(): Int32Array {
  return words.subarray(word.interrupted, word.interrupted + 1);
}

/** Calls the kernel and waits. Bytes in the answer are valid until the next call. Throws CallError. */
export function call(name: string, ...args: Packed[]): any {
  return exchange(0, name, args);
}

/** Starts a call whose completion `poll` will bring under this number. Never fails. */
export function submit(request: number, name: string, args: readonly Packed[]): void {
  exchange(request, name, args);
}

function exchange(request: number, name: string, args: readonly Packed[]): Packed {
  packer.begin();
  packer.write(name);
  for (const arg of args) packer.write(arg);
  words[word.request] = request;
  if (packer.isInWindow) send(packer.length, false);
  else sendParts(packer.finish());
  const answer = receive();
  if (words[word.failed] === 0) return answer.read();
  const [code, detail, reason] = answer.read() as [string, string?, string?];
  throw new CallError(code, detail, reason);
}

function sendParts(message: Uint8Array): void {
  for (let at = 0; at < message.length; at += WINDOW_BYTES) {
    const part = message.subarray(at, at + WINDOW_BYTES);
    window.set(part);
    send(part.length, at + part.length < message.length);
  }
}

/** Gives the window to the kernel and waits until it is ours again. */
function send(length: number, hasMore: boolean): void {
  words[word.length] = length;
  words[word.more] = hasMore ? 1 : 0;
  store(words, word.turn, turn.kernel);
  if (load(words, word.isLooking) === 0) ring();
  for (let look = 1; look < LOOKS; look += 1) {
    if (load(words, word.turn) === turn.guest) return;
    if (look % LOOKS_PER_CORE_CHECK === 0) yieldToKernel();
    else pause();
  }
  while (load(words, word.turn) !== turn.guest) wait(words, word.turn, turn.kernel);
}

function yieldToKernel(): void {
  const core = native["currentCore"]();
  words[word.guestCore] = core;
  if (words[word.kernelCore] === core) native["yieldCore"]();
}

/** The whole answer: in the window, or in a buffer of its own when it came in parts. */
function receive(): Unpacker {
  if (words[word.more] === 0) {
    unpacker.begin(words[word.length] ?? 0);
    return unpacker;
  }
  const first = window.slice(0, words[word.length]);
  const parts = [first];
  let total = first.length;
  while (words[word.more] === 1) {
    send(0, false);
    const part = window.slice(0, words[word.length]);
    parts.push(part);
    total += part.length;
  }
  const whole = new Uint8Array(total);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return new Unpacker(whole, codec);
}
