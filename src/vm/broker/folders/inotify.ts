/**
 * Linux's inotify(7), read when somebody asks and not when something happens: what was changed before the question
 * is in the answer. Node's own fs.watch tells later, at a time nobody knows, and says nothing when it lost events.
 */
import { closeSync, readSync } from "node:fs";
import { type Libc, LibcError, openLibc } from "../../confinement/libc.ts";

/** Of the architectures that the pinned Node is there for (asm/unistd.h). */
const calls: ReadonlyMap<string, CallNumbers> = new Map([
  ["x64", { init: 294, add: 254, remove: 255, control: 16 }],
  ["arm64", { init: 26, add: 27, remove: 28, control: 29 }],
]);

/** inotify_init1, inotify_add_watch, inotify_rm_watch, ioctl. */
interface CallNumbers {
  readonly init: number;
  readonly add: number;
  readonly remove: number;
  readonly control: number;
}

/** IN_NONBLOCK | IN_CLOEXEC. */
const INIT_FLAGS = 0o4000 | 0o2000000;
/** IN_MODIFY, ATTRIB, CLOSE_WRITE, MOVED_FROM, MOVED_TO, CREATE, DELETE, DELETE_SELF; IN_ONLYDIR, IN_EXCL_UNLINK. */
const MASK = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x1000000 | 0x4000000;
const IN_DELETE_SELF = 0x400;
const IN_UNMOUNT = 0x2000;
const IN_Q_OVERFLOW = 0x4000;
const IN_IGNORED = 0x8000;
const FIONREAD = 0x541b;
/** struct inotify_event without its name. */
const HEADER_BYTES = 16;

export interface DirectoryEvent {
  readonly watch: number;
  /** What it is about; empty for the directory itself. */
  readonly name: Buffer;
  /** The directory is gone. */
  readonly isGone: boolean;
}

export class Inotify {
  readonly #libc: Libc;
  readonly #calls: CallNumbers;
  readonly #fd: number;
  readonly #buffer = Buffer.alloc(1 << 16);
  /** How many bytes can be read, as an int of C. */
  readonly #waiting = new Uint8Array(4);

  private constructor(libc: Libc, numbers: CallNumbers) {
    this.#libc = libc;
    this.#calls = numbers;
    this.#fd = libc.syscall("inotify_init1", numbers.init, INIT_FLAGS);
  }

  /** Undefined where this host or this Node has none, or none is left. */
  static open(): Inotify | undefined {
    const numbers = calls.get(process.arch);
    const libc = openLibc();
    if (numbers === undefined || typeof libc === "string") return undefined;
    try {
      return new Inotify(libc, numbers);
    } catch (error) {
      if (error instanceof LibcError) return undefined;
      throw error;
    }
  }

  /** The watch of a directory: always the same number for the same one. Undefined where no more can be had. */
  add(path: string | Buffer): number | undefined {
    const text = Buffer.concat([Buffer.from(path), Buffer.alloc(1)]);
    try {
      return this.#libc.syscall("inotify_add_watch", this.#calls.add, this.#fd, text, MASK);
    } catch (error) {
      if (error instanceof LibcError) return undefined;
      throw error;
    }
  }

  remove(watch: number): void {
    try {
      this.#libc.syscall("inotify_rm_watch", this.#calls.remove, this.#fd, watch);
    } catch (error) {
      // The directory is gone, and its watch with it.
      if (!(error instanceof LibcError)) throw error;
    }
  }

  /** All that has happened so far, in order. Undefined: there was more than Linux keeps, and some of it is lost. */
  take(): readonly DirectoryEvent[] | undefined {
    const events: DirectoryEvent[] = [];
    for (let length = this.#read(); length > 0; length = this.#read()) {
      for (let at = 0; at < length; ) {
        const mask = this.#buffer.readUInt32LE(at + 4);
        if ((mask & IN_Q_OVERFLOW) !== 0) return this.#drop();
        const end = at + HEADER_BYTES + this.#buffer.readUInt32LE(at + 12);
        events.push({
          watch: this.#buffer.readInt32LE(at),
          name: nameIn(this.#buffer.subarray(at + HEADER_BYTES, end)),
          isGone: (mask & (IN_DELETE_SELF | IN_UNMOUNT | IN_IGNORED)) !== 0,
        });
        at = end;
      }
    }
    return events;
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** Asks first whether there is something: a read that finds nothing is an error, which takes longer. */
  #read(): number {
    this.#libc.syscall("ioctl", this.#calls.control, this.#fd, FIONREAD, this.#waiting);
    return this.#waiting.every((byte) => byte === 0) ? 0 : readSync(this.#fd, this.#buffer);
  }

  #drop(): undefined {
    while (this.#read() > 0) continue;
    return undefined;
  }
}

/** Names are filled up with NULs. */
function nameIn(padded: Buffer): Buffer {
  const end = padded.indexOf(0);
  return Buffer.from(end === -1 ? padded : padded.subarray(0, end));
}
