/**
 * Linux's own calls for files, through libc: a third of the time that Node's take for each, and names stay where Linux
 * has put them. Fails with LibcError, which has the codes of Node's errors.
 */
import { constants } from "node:fs";
import { decodeText } from "../../../kernel/index.ts";
import { type Libc, openLibc } from "../../confinement/libc.ts";
import { readText } from "../../wire/short-text.ts";
import { canRead, type FileFacts, FORMAT, kindOf } from "./reach.ts";

interface CallNumbers {
  readonly open: number;
  readonly close: number;
  readonly stat: number;
  readonly list: number;
  readonly readLink: number;
}

/** openat, close, statx, getdents64 and readlinkat of the architectures that the pinned Node is there for (asm/unistd.h). */
const calls: ReadonlyMap<string, CallNumbers> = new Map([
  ["x64", { open: 257, close: 3, stat: 332, list: 217, readLink: 267 }],
  ["arm64", { open: 56, close: 57, stat: 291, list: 61, readLink: 78 }],
]);

const { O_RDONLY, O_DIRECTORY, O_NONBLOCK } = constants;
const O_CLOEXEC = 0o2000000;
const AT_SYMLINK_NOFOLLOW = 0x100;
const AT_NO_AUTOMOUNT = 0x800;
const AT_EMPTY_PATH = 0x1000;
/** STATX_BASIC_STATS | STATX_BTIME. */
const STAT_MASK = 0xfff;

/** struct linux_dirent64 without its name; with the longest name, and rounded up. */
const ENTRY_BYTES = 19;
const ENTRY_MOST_BYTES = 280;
/** Names of a directory that is looked through. */
const NAMES_LIMIT = 256;
/** Where everything lies in the memory that Linux reads and writes: a struct statx, one text, names. */
const STAT_BYTES = 256;
const TEXT_AT = STAT_BYTES;
const TEXT_BYTES = 4352;
const NAMES_AT = TEXT_AT + TEXT_BYTES;
/** With "." and "..", and room for one more, so that one too many is noticed. */
const NAMES_BYTES = (NAMES_LIMIT + 3) * ENTRY_MOST_BYTES;

export class LinuxFiles {
  readonly #libc: Libc;
  readonly #calls: CallNumbers;
  readonly #memory = Buffer.from(new ArrayBuffer(NAMES_AT + NAMES_BYTES));
  readonly #stat = new Uint32Array(this.#memory.buffer, 0, STAT_BYTES / 4);
  readonly #address: bigint;
  readonly #nothing: bigint;

  private constructor(libc: Libc, numbers: CallNumbers) {
    this.#libc = libc;
    this.#calls = numbers;
    this.#address = libc.addressOf(this.#memory);
    // A text that stays empty.
    this.#nothing = this.#address + BigInt(NAMES_AT - 1);
  }

  /** Undefined where this host or this Node has no such calls. */
  static open(): LinuxFiles | undefined {
    const numbers = calls.get(process.arch);
    const libc = openLibc();
    return numbers === undefined || typeof libc === "string"
      ? undefined
      : new LinuxFiles(libc, numbers);
  }

  /** A descriptor of a name in an open directory, or of a path. */
  open(directory: number, name: Uint8Array, flags: number): number {
    const how = flags | O_CLOEXEC;
    return this.#libc.syscall("openat", this.#calls.open, directory, this.place(name), how);
  }

  close(fd: number): void {
    this.#libc.syscall("close", this.#calls.close, fd);
  }

  stat(fd: number): FileFacts {
    return this.statAt(fd, this.#nothing, AT_EMPTY_PATH);
  }

  /** Where Linux finds the name, until the next call that takes one. */
  place(name: Uint8Array): bigint {
    if (name.length + 1 >= TEXT_BYTES) throw new RangeError("a path is longer than Linux takes");
    this.#memory.set(name, TEXT_AT);
    this.#memory[TEXT_AT + name.length] = 0;
    return this.#address + BigInt(TEXT_AT);
  }

  /** What has a placed name in an open directory, a link as a link. */
  statAt(directory: number, name: bigint, flags = AT_SYMLINK_NOFOLLOW): FileFacts {
    const how = flags | AT_NO_AUTOMOUNT;
    this.#libc.syscall("statx", this.#calls.stat, directory, name, how, STAT_MASK, this.#address);
    return factsIn(this.#stat);
  }

  readLinkAt(directory: number, name: bigint): string {
    const target = new Uint8Array(TARGET_BYTES);
    const { readLink } = this.#calls;
    const into = this.#libc.addressOf(target);
    const count = this.#libc.syscall("readlinkat", readLink, directory, name, into, TARGET_BYTES);
    return decodeText(target.subarray(0, count));
  }

  /**
   * The names of a directory: they are good until the next call of `names`. Undefined where there are more than `most`.
   */
  names(directory: number, most: number): readonly ListedName[] | undefined {
    const fd = this.open(directory, HERE, O_RDONLY | O_DIRECTORY | O_NONBLOCK);
    try {
      const names: ListedName[] = [];
      let end = NAMES_AT;
      for (;;) {
        const room = this.#memory.length - end;
        if (room < ENTRY_MOST_BYTES) return undefined;
        const into = this.#address + BigInt(end);
        const count = this.#libc.syscall("getdents64", this.#calls.list, fd, into, room);
        if (count === 0) return names;
        this.#addNames(names, end, end + count);
        if (names.length > Math.min(most, NAMES_LIMIT)) return undefined;
        end += count;
      }
    } finally {
      this.close(fd);
    }
  }

  #addNames(names: ListedName[], start: number, end: number): void {
    const memory = this.#memory;
    for (let entry = start; entry < end; entry += memory.readUInt16LE(entry + 16)) {
      const at = entry + ENTRY_BYTES;
      const length = memory.indexOf(0, at) - at;
      const isDots =
        memory[at] === DOT && (length === 1 || (length === 2 && memory[at + 1] === DOT));
      if (!isDots)
        names.push({ name: readText(memory, at, at + length), place: this.#address + BigInt(at) });
    }
  }
}

/** A name, and where Linux finds it. */
interface ListedName {
  readonly name: string;
  readonly place: bigint;
}

const HERE = Buffer.from(".");
const DOT = 0x2e;
/** Linux's PATH_MAX. */
const TARGET_BYTES = 4096;

/** A struct statx, as `factsOf` has it from Node's. */
function factsIn(stat: Uint32Array): FileFacts {
  const word = (at: number): number => stat[at] ?? 0;
  const mode = word(7) & 0xffff;
  return {
    identity: `${deviceIn(word(34), word(35))}:${wideIn(word(8), word(9))}:${birthIn(stat)}:${mode & FORMAT}`,
    ino: (word(9) & 0x1fffff) * WORD + word(8),
    kind: kindOf(mode),
    mode: mode & 0o7777,
    size: word(11) * WORD + word(10),
    nlink: word(4),
    blocks: word(13) * WORD + word(12),
    atimeMs: msIn(stat, 16),
    mtimeMs: msIn(stat, 28),
    ctimeMs: msIn(stat, 24),
    isReadable: canRead(mode, word(5), word(6)),
  };
}

const WORD = 2 ** 32;

/** As glibc's makedev puts it together. */
function deviceIn(major: number, minor: number): number {
  return (major & 0xfff) * 0x100 + (minor & 0xff) + Math.floor(minor / 0x100) * 0x100000;
}

function wideIn(low: number, high: number): string | number {
  return high === 0 ? low : ((BigInt(high) << 32n) | BigInt(low)).toString();
}

/** Nanoseconds. Times before 1970, and after 2106, are rare. */
function birthIn(stat: Uint32Array): string {
  const [seconds = 0, high = 0, nanoseconds = 0] = stat.subarray(20, 23);
  if (high !== 0 || seconds === 0) return nanosecondsIn(stat, 20).toString();
  return `${seconds}${String(1e9 + nanoseconds).slice(1)}`;
}

/** To the microsecond, as `factsOf` has it. */
function msIn(stat: Uint32Array, at: number): number {
  const high = stat[at + 1] ?? 0;
  if (high !== 0) return Number(nanosecondsIn(stat, at) / 1000n) / 1000;
  return ((stat[at] ?? 0) * 1e6 + Math.floor((stat[at + 2] ?? 0) / 1000)) / 1000;
}

function nanosecondsIn(stat: Uint32Array, at: number): bigint {
  const seconds = BigInt.asIntN(64, (BigInt(stat[at + 1] ?? 0) << 32n) | BigInt(stat[at] ?? 0));
  return seconds * 1_000_000_000n + BigInt(stat[at + 2] ?? 0);
}
