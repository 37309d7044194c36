// Hash, Hmac and Mac. Short data waits here until the digest is asked for, so that it takes one call.
import { codedError } from "../../errors.ts";
import type { Packed } from "../../wire/pack.ts";
import { adopt, ask, askMethod, classes, idOf, remoteClass, toWire } from "./remote.ts";
import { dataOf, inEncoding } from "./text-encodings.ts";

/** Data that waits at most. */
const WAITING_BYTES = 32 * 1024;
/** Data of one call, so that the kernel has its turn. */
const PIECE_BYTES = 1024 * 1024;

/** Algorithms that have worked once. */
const known = new Set<string>();

abstract class Digest {
  readonly className: string;
  #args: Packed[] = [];
  #waiting: Uint8Array[] = [];
  #size = 0;

  constructor(className: string) {
    Object.defineProperty(this, "className", { value: className });
    this.className = className;
  }

  /** Remembers how to begin; begins at once where that may fail. */
  protected begin(args: Packed[], isSafe: boolean): void {
    this.#args = args;
    if (!isSafe) this.open();
  }

  protected open(): void {
    if (idOf(this) !== undefined) return;
    const [id] = ask("cryptoNew", this.className, ...this.#args);
    adopt(this, id);
    const waiting = this.#take();
    if (waiting.length > 0) this.#send(waiting);
  }

  update(data: unknown, encoding?: unknown): boolean {
    const bytes = dataOf(data, encoding);
    if (idOf(this) === undefined && this.#size + bytes.length <= WAITING_BYTES) {
      this.#waiting.push(bytes.slice());
      this.#size += bytes.length;
      return true;
    }
    this.open();
    return this.#send(bytes);
  }

  #send(bytes: Uint8Array): boolean {
    for (let at = 0; at < bytes.length || at === 0; at += PIECE_BYTES) {
      const isTaken = askMethod(this, "update", bytes.subarray(at, at + PIECE_BYTES));
      if (isTaken === false) return false;
    }
    return true;
  }

  #take(): Uint8Array {
    const all = new Uint8Array(this.#size);
    let at = 0;
    for (const piece of this.#waiting) {
      all.set(piece, at);
      at += piece.length;
    }
    this.#waiting = [];
    this.#size = 0;
    return all;
  }

  protected finish(method: string): Uint8Array {
    if (idOf(this) !== undefined) return askMethod(this, method);
    return ask("cryptoDigest", this.className, this.#args, this.#take());
  }

  /** Another that has seen the same data, while all of it is here. */
  protected copyWaiting(to: Digest): void {
    to.#args = this.#args;
    to.#waiting = [...this.#waiting];
    to.#size = this.#size;
  }
}

export class Hash extends Digest {
  #result: Uint8Array | undefined;

  constructor(
    algorithm: string | Hash,
    length?: number,
    id?: number,
    cache?: any,
    ...rest: unknown[]
  ) {
    super("Hash");
    const isPlain = length === undefined && rest.length === 0;
    if (typeof algorithm === "string") {
      const isSafe = isPlain && known.has(algorithm);
      this.begin(hashArguments(algorithm, length, rest), isSafe);
      if (isSafe) return;
      if (isPlain) known.add(algorithm);
      if (isPlain && typeof cache === "object") cache[algorithm] ??= 0;
      return;
    }
    if (isPlain && idOf(algorithm) === undefined) {
      algorithm.copyWaiting(this);
      return;
    }
    algorithm.open();
    this.begin(hashArguments(algorithm, length, rest), false);
  }

  digest(encoding?: unknown): any {
    this.#result ??= this.finish("digest");
    return inEncoding(this.#result.slice(), encoding);
  }
}

function hashArguments(algorithm: unknown, length: unknown, rest: readonly unknown[]): Packed[] {
  const first = [toWire(algorithm), toWire(length), -1, null];
  return rest.length === 0 ? first : [...first, ...rest.map(toWire)];
}

export class Hmac extends Digest {
  #isDone = false;

  constructor() {
    super("Hmac");
  }

  init(algorithm: string, key: unknown): void {
    const wire = toWire(key);
    const copy = wire instanceof Uint8Array ? wire.slice() : wire;
    this.begin([algorithm, copy], known.has(`hmac ${algorithm}`));
    known.add(`hmac ${algorithm}`);
    this.#held.push(key);
  }

  /** The key, kept from collection until the digest is there. */
  readonly #held: unknown[] = [];

  digest(encoding?: unknown): any {
    if (this.#isDone) return inEncoding(new Uint8Array(0), encoding);
    this.#isDone = true;
    const result = this.finish("digest");
    this.#held.length = 0;
    return inEncoding(result, encoding);
  }
}

const RemoteMac = remoteClass("Mac", []);

/** The arguments for Node's cache of names are the kernel's own. */
export class Mac extends RemoteMac {
  constructor(name: unknown, _id: unknown, _cache: unknown, ...rest: unknown[]) {
    super(name, -1, null, ...rest);
  }

  update(data: unknown, encoding?: unknown): boolean {
    return askMethod(this, "update", dataOf(data, encoding));
  }

  final(encoding?: unknown): any {
    return inEncoding(askMethod(this, "final"), encoding);
  }
}

classes["Hash"] = Hash;

/** crypto.hash(): algorithm, id, cache, input, encoding, its number, length, then cSHAKE's. */
export function oneShotDigest(...args: unknown[]): any {
  const [algorithm, , , input, encoding, , length, ...rest] = args;
  const data = dataOf(input, "utf8");
  const bytes = ask(
    "cryptoFunction",
    "oneShotDigest",
    algorithm as string,
    -1,
    null,
    data,
    "buffer",
    bufferEncoding,
    toWire(length),
    ...rest.map(toWire),
  );
  if (!(bytes instanceof Uint8Array))
    throw codedError(Error, "ERR_OPERATION_FAILED", "The digest is no buffer");
  return inEncoding(bytes, encoding);
}

/** BUFFER among Node's encodings. */
const bufferEncoding = 6;
