import { type Errno, KernelError } from "../../../kernel/index.ts";
import { type Deferred, defer } from "../../deferred.ts";
import type { CommandStream } from "../../wire/command-requests.ts";
import { CHUNK_BYTES } from "../../wire/messages.ts";

/** Output that waits for the VM; then whoever writes it waits. */
const QUEUED_BYTES = CHUNK_BYTES;

interface Part {
  readonly to: CommandStream;
  readonly bytes: Uint8Array;
}

/** Output for the VM, both streams in the order they were written in. */
export interface Taken {
  readonly parts: readonly { readonly to: CommandStream; readonly bytes: number }[];
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
    return this.#queuedBytes === 0;
  }

  /** Resolves when the bytes are the caller's again. A KernelError, see HostCommandCall. */
  write(to: CommandStream, bytes: Uint8Array): Promise<void> {
    const written = this.#turn.then(() => this.#put(to, bytes));
    // What nobody waits for may fail, too: a run that does not care must not end the server.
    this.#turn = written.catch(() => undefined);
    return written;
  }

  /** Resolves when every write has ended. */
  async settle(): Promise<void> {
    for (let turn: Promise<void> | undefined; turn !== this.#turn; await turn) turn = this.#turn;
  }

  /** Up to one message of it. */
  take(): Taken {
    const taken: Part[] = [];
    let room = CHUNK_BYTES;
    for (let first = this.#parts[0]; first !== undefined && room > 0; first = this.#parts[0]) {
      const bytes = first.bytes.subarray(0, room);
      taken.push({ to: first.to, bytes });
      room -= bytes.length;
      if (bytes.length === first.bytes.length) this.#parts.shift();
      else this.#parts[0] = { to: first.to, bytes: first.bytes.subarray(bytes.length) };
    }
    this.#queuedBytes -= CHUNK_BYTES - room;
    if (this.#queuedBytes < QUEUED_BYTES) this.#wake();
    return { parts: joinParts(taken), body: joinBytes(taken) };
  }

  /** Nothing can be written there any more. */
  fail(to: CommandStream, errno: Errno): void {
    if (!this.#failed.has(to)) this.#failed.set(to, errno);
    this.#parts = this.#parts.filter((part) => part.to !== to);
    this.#queuedBytes = this.#parts.reduce((sum, { bytes }) => sum + bytes.length, 0);
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
function joinParts(taken: readonly Part[]): Taken["parts"] {
  const joined: { to: CommandStream; bytes: number }[] = [];
  for (const { to, bytes } of taken) {
    const last = joined.at(-1);
    if (last?.to === to) last.bytes += bytes.length;
    else joined.push({ to, bytes: bytes.length });
  }
  return joined;
}

function joinBytes(taken: readonly Part[]): Uint8Array {
  const [first] = taken;
  if (first === undefined) return new Uint8Array(0);
  return taken.length === 1 ? first.bytes : Buffer.concat(taken.map(({ bytes }) => bytes));
}
