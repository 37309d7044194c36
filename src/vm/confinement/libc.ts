// The C library of this process, through node:ffi: the few calls a process needs to give up rights.
// Nothing here is kept after the jail stands; whoever holds a Libc can do what native code can.

import { getSystemErrorMap } from "node:util";
import { type Ffi, findFfi } from "./ffi.ts";

/** A failed libc or system call: the call, and errno as a number and by its name, as in Node's own errors. */
export class LibcError extends Error {
  readonly call: string;
  readonly errno: number;
  readonly code: string;

  constructor(call: string, errno: number) {
    super(`${call} failed with errno ${errno}`);
    this.name = "LibcError";
    this.call = call;
    this.errno = errno;
    this.code = getSystemErrorMap().get(-errno)?.[0] ?? "EIO";
  }
}

export type LibcArgument = number | bigint | Uint8Array;

/** Calls return what the kernel returned, as a number, or throw LibcError. */
export interface Libc {
  /** syscall(2): `name` is for the error only. At most six arguments; a buffer is passed by address, 4 KiB in all. */
  syscall(name: string, number: number, ...args: LibcArgument[]): number;
  /** posix_spawn(3) with an empty environment: the pid. For probes only. */
  posixSpawn(path: string): number;
  /** pthread_create(3): a thread that sleeps for so many seconds. For probes only. */
  startThread(seconds: number): void;
  /** The address of a buffer. The caller keeps the buffer alive for as long as it is used. */
  addressOf(buffer: Uint8Array): bigint;
}

/** The C library, or in words why this process cannot have it. */
export function openLibc(): Libc | string {
  if (process.platform !== "linux") return `there is no such call on ${process.platform}`;
  const ffi = findFfi();
  if (ffi === undefined) return `this Node (${process.version}) has no node:ffi`;
  try {
    return bindLibc(ffi);
  } catch (error) {
    return `node:ffi is not usable: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function bindLibc(ffi: Ffi): Libc {
  const library = new ffi.DynamicLibrary(null);
  const native = library.getFunctions(signatures);
  // Addresses are taken once, here: node:ffi gives out none after its permission is dropped, and a
  // probe goes on calling then.
  const errno = new Int32Array(ffi.toArrayBuffer(native.__errno_location(), 4, false));
  const arena = new Arena(ffi);
  const sleep = library.getSymbol("sleep");
  return {
    // Without a list of words: a directory of the host is read by thousands of calls.
    syscall(name, number, ...[a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]) {
      arena.clear();
      const result = native.syscall(
        BigInt(number),
        arena.toWord(a),
        arena.toWord(b),
        arena.toWord(c),
        arena.toWord(d),
        arena.toWord(e),
        arena.toWord(f),
      );
      if (result === -1n) throw new LibcError(name, errno[0] ?? 0);
      arena.copyBack();
      return Number(result);
    },
    posixSpawn(path) {
      arena.clear();
      const pid = new Uint8Array(4);
      const file = arena.toWord(Buffer.from(`${path}\0`));
      const argv = arena.toWord(new Uint8Array(new BigUint64Array([file, 0n]).buffer));
      const environment = arena.toWord(new Uint8Array(8));
      const failure = native.posix_spawn(arena.toWord(pid), file, 0n, 0n, argv, environment);
      if (failure !== 0) throw new LibcError("posix_spawn", failure);
      arena.copyBack();
      return new DataView(pid.buffer).getInt32(0, true);
    },
    startThread(seconds) {
      arena.clear();
      const thread = arena.toWord(new Uint8Array(8));
      const failure = native.pthread_create(thread, 0n, sleep, BigInt(seconds));
      if (failure !== 0) throw new LibcError("pthread_create", failure);
    },
    addressOf: (buffer) => ffi.getRawPointer(buffer),
  };
}

/** Memory with a known address, for the buffers of one call: copied in before it and out after it. */
class Arena {
  readonly #bytes = new Uint8Array(4096);
  readonly #address: bigint;
  readonly #buffers: { buffer: Uint8Array; at: number }[] = [];
  #used = 0;

  constructor(ffi: Ffi) {
    this.#address = ffi.getRawPointer(this.#bytes);
  }

  clear(): void {
    this.#buffers.length = 0;
    this.#used = 0;
  }

  toWord(argument: LibcArgument): bigint {
    if (typeof argument === "number" && argument >= 0) return BigInt(argument);
    if (!(argument instanceof Uint8Array)) return BigInt.asUintN(64, BigInt(argument));
    const at = this.#used;
    this.#bytes.set(argument, at);
    this.#buffers.push({ buffer: argument, at });
    this.#used = (at + argument.length + 7) & ~7;
    return this.#address + BigInt(at);
  }

  copyBack(): void {
    for (const { buffer, at } of this.#buffers)
      buffer.set(this.#bytes.subarray(at, at + buffer.length));
  }
}

const word = "uint64";
const signatures = {
  syscall: { arguments: ["int64", word, word, word, word, word, word], return: "int64" },
  pthread_create: { arguments: [word, word, word, word], return: "int32" },
  posix_spawn: { arguments: [word, word, word, word, word, word], return: "int32" },
  __errno_location: { arguments: [], return: "pointer" },
} as const;
