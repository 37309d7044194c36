import type { Errno } from "../abi/errno.ts";
import { KernelError } from "../abi/kernel-error.ts";
import { POLLERR, POLLHUP, POLLIN, POLLOUT, POLLRDHUP } from "../abi/poll.ts";
import type { InetAddress, SocketDomain } from "../abi/socket.ts";
import { WaitQueue } from "../fd/wait-queue.ts";
import type { Limits } from "../limits/limits.ts";
import {
  type Endpoint,
  isSameEndpoint,
  showEndpoint,
  sourceFor,
  unboundEndpoint,
} from "./endpoint.ts";
import { isIp6, isWildcard } from "./ip-address.ts";
import type { PortBinding, PortTable } from "./port-table.ts";
import type { SocketMemory } from "./socket-memory.ts";
import type { SocketOptions } from "./socket-options.ts";
import type {
  Received,
  ReceiveOptions,
  SendOptions,
  ShutdownSides,
  Transport,
} from "./transport.ts";

/** The longest datagrams: 65,535 bytes without the headers of IP and UDP. */
const UDP4_MAX = 65_507;
const UDP6_MAX = 65_527;
/** What a datagram counts beside its bytes, about what Linux counts for its own. */
const DATAGRAM_OVERHEAD_BYTES = 512;
/** How much more a datagram is for a socket connected to its sender than for others. */
const CONNECTED = 8;

interface Datagram {
  readonly bytes: Uint8Array;
  readonly from: Endpoint;
}

export interface DatagramParts {
  readonly domain: SocketDomain;
  readonly options: SocketOptions;
  readonly ports: PortTable<DatagramTransport>;
  readonly memory: SocketMemory;
  readonly limits: Limits;
  readonly uid: number;
}

/**
 * A UDP socket. A datagram for a socket that is full is lost, as on any network; one for nobody comes
 * back to a connected sender as ECONNREFUSED.
 */
export class DatagramTransport implements Transport {
  readonly changed = new WaitQueue();
  readonly isListening = false;
  readonly #parts: DatagramParts;
  #binding: PortBinding<DatagramTransport> | undefined;
  #peer: Endpoint | undefined;
  /** The address its datagrams come from while it has a peer. */
  #source: string | undefined;
  #queue: Datagram[] = [];
  #heldBytes = 0;
  #isReadShut = false;
  #isWriteShut = false;
  #error: Errno | undefined;

  constructor(parts: DatagramParts) {
    this.#parts = parts;
  }

  get options(): SocketOptions {
    return this.#parts.options;
  }

  get endpoint(): Endpoint {
    const bound = this.#binding?.endpoint ?? unboundEndpoint(this.#parts.domain);
    return this.#source === undefined ? bound : { ip: this.#source, port: bound.port };
  }

  get local(): InetAddress {
    return showEndpoint(this.#parts.domain, this.endpoint);
  }

  get peer(): InetAddress | undefined {
    return this.#peer === undefined ? undefined : showEndpoint(this.#parts.domain, this.#peer);
  }

  get readableBytes(): number {
    return this.#queue[0]?.bytes.length ?? 0;
  }

  /** What it holds unread, as it counts. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  get isBound(): boolean {
    return this.#binding !== undefined;
  }

  /** EINVAL when it is bound already, EADDRINUSE. */
  bind(endpoint: Endpoint): void {
    if (this.#binding !== undefined) throw new KernelError("EINVAL");
    this.#claim(endpoint, "EADDRINUSE");
  }

  /** From now on datagrams come from `peer` only; undefined lets all come again. */
  connect(peer: Endpoint | undefined): void {
    if (peer !== undefined) this.#requireBound();
    this.#peer = peer;
    this.#source = peer === undefined ? undefined : this.#sourceTo(peer);
    this.changed.wakeAll();
  }

  poll(): number {
    let events = POLLOUT;
    if (this.#queue.length > 0 || this.#isReadShut) events |= POLLIN;
    if (this.#isReadShut) events |= POLLRDHUP;
    if (this.#isReadShut && this.#isWriteShut) events |= POLLHUP;
    if (this.#error !== undefined) events |= POLLERR;
    return events;
  }

  /** One datagram; what does not fit of it is lost. */
  async receive(into: Uint8Array, how: ReceiveOptions): Promise<Received> {
    for (;;) {
      const error = this.takeError();
      if (error !== undefined) throw new KernelError(error);
      const datagram = how.isPeeking ? this.#queue[0] : this.#shift();
      if (datagram !== undefined) return this.#unpack(datagram, into);
      if (how.isNonBlocking) throw new KernelError("EAGAIN");
      if (this.#isReadShut) return { count: 0, length: 0, address: undefined };
      await how.waiter.wait(this.changed);
    }
  }

  /** Never waits. EDESTADDRREQ without a peer, EMSGSIZE, ENOBUFS at the VM's limit. */
  async send(bytes: Uint8Array, { to = this.#peer }: SendOptions): Promise<number> {
    const error = this.takeError();
    if (error !== undefined) throw new KernelError(error);
    const { endpoint } = this.#requireBound();
    if (to === undefined) throw new KernelError("EDESTADDRREQ");
    if (bytes.length > (isIp6(to.ip) ? UDP6_MAX : UDP4_MAX)) throw new KernelError("EMSGSIZE");
    if (this.#isWriteShut) throw new KernelError("EPIPE");
    const from = { ip: this.#sourceTo(to), port: endpoint.port };
    const receiver = this.#parts.ports.find(to, ({ owner }) => owner.#interestIn(from));
    if (receiver !== undefined) receiver.#deliver(bytes, from);
    else if (this.#peer !== undefined && isSameEndpoint(this.#peer, to)) this.#refused();
    return bytes.length;
  }

  /** ENOTCONN without a peer, and done all the same, as on Linux. */
  shutdown({ read, write }: ShutdownSides): void {
    this.#isReadShut ||= read;
    this.#isWriteShut ||= write;
    this.changed.wakeAll();
    if (this.#peer === undefined) throw new KernelError("ENOTCONN");
  }

  takeError(): Errno | undefined {
    const error = this.#error;
    this.#error = undefined;
    return error;
  }

  release(): void {
    if (this.#binding !== undefined) this.#parts.ports.release(this.#binding);
    this.#binding = undefined;
    this.#queue = [];
    this.#parts.memory.give(this.#heldBytes);
    this.#heldBytes = 0;
  }

  /** EAGAIN when no port is left, as on Linux. */
  #requireBound(): PortBinding<DatagramTransport> {
    return this.#binding ?? this.#claim(unboundEndpoint(this.#parts.domain), "EAGAIN");
  }

  #claim(endpoint: Endpoint, whenFull: Errno): PortBinding<DatagramTransport> {
    const { ports, options, uid } = this.#parts;
    const binding = ports.claim({ endpoint, sharing: options, uid, owner: this }, whenFull);
    this.#binding = binding;
    return binding;
  }

  /** ENETUNREACH from an address of the other version. */
  #sourceTo({ ip }: Endpoint): string {
    const own = this.#binding?.endpoint.ip;
    if (own === undefined || isWildcard(own)) return sourceFor(ip);
    if (isIp6(own) !== isIp6(ip)) throw new KernelError("ENETUNREACH", ip);
    return own;
  }

  #interestIn(from: Endpoint): number {
    if (this.#peer === undefined) return 1;
    return isSameEndpoint(this.#peer, from) ? CONNECTED : 0;
  }

  #deliver(bytes: Uint8Array, from: Endpoint): void {
    const { limits, options, memory } = this.#parts;
    const cost = bytes.length + DATAGRAM_OVERHEAD_BYTES;
    const isFull =
      this.#queue.length >= limits.values.maxSocketDatagramQueueLen ||
      this.#heldBytes + cost > options.receiveBytes;
    if (isFull) return;
    memory.take(cost);
    this.#heldBytes += cost;
    this.#queue.push({ bytes: bytes.slice(), from });
    this.changed.wakeAll();
  }

  #shift(): Datagram | undefined {
    const datagram = this.#queue.shift();
    if (datagram === undefined) return undefined;
    const cost = datagram.bytes.length + DATAGRAM_OVERHEAD_BYTES;
    this.#heldBytes -= cost;
    this.#parts.memory.give(cost);
    return datagram;
  }

  #unpack({ bytes, from }: Datagram, into: Uint8Array): Received {
    const count = Math.min(bytes.length, into.length);
    into.set(bytes.subarray(0, count));
    return { count, length: bytes.length, address: showEndpoint(this.#parts.domain, from) };
  }

  #refused(): void {
    this.#error = "ECONNREFUSED";
    this.changed.wakeAll();
  }
}
