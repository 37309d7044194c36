import { type Errno, KernelError } from "../../../kernel/index.ts";
import { type Deferred, defer } from "../../deferred.ts";
import type { CommandPart, CommandStream } from "../../wire/command-requests.ts";
import { CHUNK_BYTES } from "../../wire/messages.ts";

/** Output that waits for the VM; then whoever writes it waits. */
const QUEUED_BYTES = CHUNK_BYTES;

interface Bytes {
  readonly to: CommandStream;
  readonly bytes: Uint8Array;
}

type Part = Bytes | { readonly isRaw: boolean };

/** Output for the VM, both streams in the order they were written in. */
export interface Taken {
  readonly parts: readonly CommandPart[];
  readonly body: Uint8Array;
}

/** The output of one run that its VM has not taken, made no faster than it is taken. */
export class OutputQueue {
  readonly #arrived: () => void;
  readonly #failed = new Map<CommandStream, Errno>();
  #parts: Part[] = [];
  #queuedBytes = 0;
  #isClosed = false;
  /** Writes go in one after the other, whoever waits for them. */
  #turn: Promise<void> = Promise.resolve();
  #drained: Deferred<void> | undefined;

  constructor(arrived: () => void) {
    this.#arrived = arrived;
  }

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  /** Resolves when the bytes are the caller's again. A KernelError, see HostCommandCall. */
  write(to: CommandStream, bytes: Uint8Array): Promise<void> {
    const written = this.#turn.then(() => this.#put(to, bytes));
    // What nobody waits for may fail, too: a run that does not care must not end the server.
    this.#turn = written.catch(() => undefined);
    return written;
  }

  /** What the terminal is to be, behind what has been written. */
  setRaw(isRaw: boolean): void {
    this.#turn = this.#turn.then(() => {
      if (this.#isClosed) return;
      this.#parts.push({ isRaw });
      this.#arrived();
    });
  }

  /** Resolves when every write has ended. */
  async settle(): Promise<void> {
    for (let turn: Promise<void> | undefined; turn !== this.#turn; await turn) turn = this.#turn;
  }

  /** Up to one message of it. */
  take(): Taken {
    const taken: Part[] = [];
    let room = CHUNK_BYTES;
    for (let part = this.#parts.shift(); part !== undefined; part = this.#parts.shift()) {
      if ("isRaw" in part) {
        taken.push(part);
        continue;
      }
      const { to, bytes } = part;
      if (bytes.length > room) {
        this.#parts.unshift({ to, bytes: bytes.subarray(room) });
        taken.push({ to, bytes: bytes.subarray(0, room) });
        room = 0;
        break;
      }
      taken.push(part);
      room -= bytes.length;
    }
    this.#queuedBytes -= CHUNK_BYTES - room;
    if (this.#queuedBytes < QUEUED_BYTES) this.#wake();
    return { parts: joinParts(taken), body: joinBytes(taken) };
  }

  /** Nothing can be written there any more. */
  fail(to: CommandStream, errno: Errno): void {
    if (!this.#failed.has(to)) this.#failed.set(to, errno);
    this.#parts = this.#parts.filter((part) => "isRaw" in part || part.to !== to);
    this.#queuedBytes = bytesIn(this.#parts).reduce((sum, { length }) => sum + length, 0);
    this.#wake();
  }

  /** What is queued may still be taken; nothing more is. */
  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  /** Nobody takes anything any more. */
  drop(): void {
    this.close();
    this.#parts = [];
    this.#queuedBytes = 0;
  }

  async #put(to: CommandStream, bytes: Uint8Array): Promise<void> {
    if (!(bytes instanceof Uint8Array)) throw new TypeError("Output is a Uint8Array.");
    this.#requireReader(to);
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      while (this.#queuedBytes >= QUEUED_BYTES && !this.#isClosed) {
        this.#drained ??= defer();
        await this.#drained.promise;
      }
      this.#requireReader(to);
      const part = new Uint8Array(bytes.subarray(at, at + CHUNK_BYTES));
      this.#parts.push({ to, bytes: part });
      this.#queuedBytes += part.length;
      this.#arrived();
    }
  }

  #requireReader(to: CommandStream): void {
    const errno = this.#isClosed ? "EPIPE" : this.#failed.get(to);
    if (errno !== undefined) throw new KernelError(errno);
  }

  #wake(): void {
    this.#drained?.resolve();
    this.#drained = undefined;
  }
}

/** How much goes where, with what goes to one place in a row put together. */
function joinParts(taken: readonly Part[]): CommandPart[] {
  const joined: CommandPart[] = [];
  for (const part of taken) {
    const last = joined.at(-1);
    if ("isRaw" in part) joined.push(part);
    else if (last === undefined || "isRaw" in last || last.to !== part.to)
      joined.push({ to: part.to, bytes: part.bytes.length });
    else joined[joined.length - 1] = { to: last.to, bytes: last.bytes + part.bytes.length };
  }
  return joined;
}

function joinBytes(taken: readonly Part[]): Uint8Array {
  const all = bytesIn(taken);
  return all.length === 1 && all[0] !== undefined ? all[0] : Buffer.concat(all);
}

function bytesIn(parts: readonly Part[]): Uint8Array[] {
  return parts.flatMap((part) => ("isRaw" in part ? [] : [part.bytes]));
}
