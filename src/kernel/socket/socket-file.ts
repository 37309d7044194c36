import { KernelError } from "../abi/kernel-error.ts";
import { O_RDWR } from "../abi/open-flags.ts";
import type { SocketDomain, SocketType } from "../abi/socket.ts";
import type { Stat } from "../abi/stat.ts";
import type { IoctlAnswer, IoctlRequest } from "../abi/terminal.ts";
import { OpenFile } from "../fd/open-file.ts";
import type { Waiter, WaitQueue } from "../fd/wait-queue.ts";
import type { DatagramTransport } from "./datagram-transport.ts";
import type { SocketOptions } from "./socket-options.ts";
import type { StreamTransport } from "./stream-transport.ts";

export interface SocketFileParts {
  readonly domain: SocketDomain;
  readonly type: SocketType;
  readonly ino: number;
  /** O_NONBLOCK or nothing. */
  readonly flags: number;
  readonly uid: number;
  readonly gid: number;
  readonly timeMs: number;
  readonly transport: StreamTransport | DatagramTransport;
  /** Called when it is released. */
  readonly released: (file: SocketFile) => void;
}

/** A socket as an open file: read and write are recv and send without flags. */
export class SocketFile extends OpenFile {
  readonly domain: SocketDomain;
  readonly type: SocketType;
  readonly ino: number;
  readonly uid: number;
  readonly transport: StreamTransport | DatagramTransport;
  /** What the policy allowed last: a sender of datagrams is not asked about each. */
  allowedSubject: string | undefined;
  readonly #stat: Stat;
  readonly #released: (file: SocketFile) => void;

  constructor(parts: SocketFileParts) {
    super(O_RDWR | parts.flags);
    this.domain = parts.domain;
    this.type = parts.type;
    this.ino = parts.ino;
    this.uid = parts.uid;
    this.transport = parts.transport;
    this.#stat = socketStat(parts);
    this.#released = parts.released;
  }

  get options(): SocketOptions {
    return this.transport.options;
  }

  override describe(): string {
    return `socket:[${this.ino}]`;
  }

  override async stat(): Promise<Stat> {
    return this.#stat;
  }

  override async read(into: Uint8Array, waiter: Waiter): Promise<number> {
    if (into.length === 0) return 0;
    const { isNonBlocking } = this;
    const how = { waiter, isNonBlocking, isPeeking: false };
    return (await this.transport.receive(into, how)).count;
  }

  override async write(from: Uint8Array, waiter: Waiter): Promise<number> {
    const { isNonBlocking } = this;
    return this.transport.send(from, { waiter, isNonBlocking });
  }

  override async ioctl({ request }: IoctlRequest): Promise<IoctlAnswer> {
    if (request === "FIONREAD") return this.transport.readableBytes;
    throw new KernelError("ENOTTY");
  }

  override poll(): number {
    return this.transport.poll();
  }

  override get changed(): WaitQueue {
    return this.transport.changed;
  }

  protected override release(): void {
    this.transport.release();
    this.#released(this);
    // Whoever polls a descriptor that is closed meanwhile learns that it is none any more.
    this.changed.wakeAll();
  }
}

function socketStat({ ino, uid, gid, timeMs }: SocketFileParts): Stat {
  return {
    kind: "socket",
    mode: 0o777,
    uid,
    gid,
    size: 0,
    nlink: 1,
    ino,
    dev: 0,
    rdev: 0,
    blocks: 0,
    atimeMs: timeMs,
    mtimeMs: timeMs,
    ctimeMs: timeMs,
  };
}
