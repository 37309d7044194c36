import { KernelError } from "../abi/kernel-error.ts";
import {
  AF_UNIX,
  SOCK_DGRAM,
  SOCK_STREAM,
  type SocketAddress,
  type SocketDomain,
  type SocketType,
} from "../abi/socket.ts";
import { WaitQueue } from "../fd/wait-queue.ts";
import type { Limits } from "../limits/limits.ts";
import { ConnectionEnd, joinEnds } from "./connection-end.ts";
import { DatagramTransport } from "./datagram-transport.ts";
import {
  type Endpoint,
  parseEndpoint,
  showEndpoint,
  sourceFor,
  unboundEndpoint,
} from "./endpoint.ts";
import { isIp6, isLoopback, isWildcard } from "./ip-address.ts";
import { PortTable } from "./port-table.ts";
import { SocketFile } from "./socket-file.ts";
import { SocketMemory } from "./socket-memory.ts";
import { SocketOptions } from "./socket-options.ts";
import { tcpRules, unixRules } from "./stream-rules.ts";
import type { StreamTarget } from "./stream-target.ts";
import { StreamTransport } from "./stream-transport.ts";
import { UnixNames } from "./unix-names.ts";

export interface SocketTableParts {
  readonly limits: Limits;
  readonly now: () => number;
  readonly nextIno: () => number;
  /** Where ephemeral ports begin: any number. */
  readonly seed: number;
}

/** Whose socket it is, and how it is opened. */
export interface SocketOrigin {
  readonly uid: number;
  readonly gid: number;
  /** O_NONBLOCK or nothing. */
  readonly flags: number;
}

interface SocketKind {
  readonly domain: SocketDomain;
  readonly type: SocketType;
}

const unnamedUnix: SocketAddress = { family: AF_UNIX, path: "" };

/**
 * The sockets of a VM. Its network is its own loopback: whatever is not there is unreachable
 * (`requireRoute`), and nothing leaves the VM.
 */
export class SocketTable {
  readonly unix = new UnixNames();
  readonly #tcp: PortTable<SocketFile>;
  readonly #udp: PortTable<DatagramTransport>;
  readonly #files = new Set<SocketFile>();
  readonly #memory: SocketMemory;
  readonly #parts: SocketTableParts;

  constructor(parts: SocketTableParts) {
    this.#parts = parts;
    this.#memory = new SocketMemory(parts.limits);
    this.#tcp = new PortTable(parts.seed);
    this.#udp = new PortTable(parts.seed);
  }

  list(): readonly SocketFile[] {
    return [...this.#files];
  }

  /** A new socket. ENFILE at maxSockets. */
  create(kind: SocketKind, origin: SocketOrigin): SocketFile {
    this.#parts.limits.charge("maxSockets");
    const options = new SocketOptions(kind);
    return this.#add(kind, origin, this.#makeTransport(kind, origin, options));
  }

  /** Two unix streams, connected to each other. ENFILE at maxSockets, EAGAIN at maxConnections. */
  createPair(origin: SocketOrigin): [SocketFile, SocketFile] {
    const { limits } = this.#parts;
    const kind: SocketKind = { domain: AF_UNIX, type: SOCK_STREAM };
    limits.charge("maxSockets", 2);
    try {
      const names = { local: unnamedUnix, peer: unnamedUnix };
      const ends = this.#connect(kind.domain, names, names);
      const make = (end: ConnectionEnd): SocketFile =>
        this.#add(kind, origin, this.#connected(kind.domain, new SocketOptions(kind), end));
      return [make(ends.caller), make(ends.listener)];
    } catch (error) {
      limits.discharge("maxSockets", 2);
      throw error;
    }
  }

  /** The socket of the oldest connection; undefined when there is none. ENFILE at maxSockets. */
  accept(listening: SocketFile, origin: SocketOrigin): SocketFile | undefined {
    const { transport, domain, options } = listening;
    if (!(transport instanceof StreamTransport)) return undefined;
    const { listener } = transport;
    if (listener === undefined || listener.waiting === 0) return undefined;
    this.#parts.limits.charge("maxSockets");
    const end = listener.accept();
    if (end === undefined) throw new Error("a connection that waits is there to accept");
    const stream = this.#connected(domain, options.copy(), end);
    const file = this.#add(listening, origin, stream);
    if (domain !== AF_UNIX) this.#hold(file, stream, parseEndpoint(domain, end.local));
    return file;
  }

  /** EADDRNOTAVAIL unless it is the machine's own, EACCES below port 1024, EINVAL, EADDRINUSE. */
  bindInet(file: SocketFile, endpoint: Endpoint, euid: number): void {
    const { transport, options } = file;
    const { ip, port } = endpoint;
    if (!isLoopback(ip) && !isWildcard(ip)) throw new KernelError("EADDRNOTAVAIL", ip);
    if (port > 0 && port < PRIVILEGED_PORTS && euid !== 0) throw new KernelError("EACCES", ip);
    if (options.isV6Only && !isIp6(ip)) throw new KernelError("EINVAL", ip);
    if (transport instanceof DatagramTransport) {
      transport.bind(endpoint);
      return;
    }
    transport.requireUnbound();
    this.#claim(file, transport, { endpoint, isAutomatic: false });
  }

  /** A TCP socket without a port gets one; a unix socket must have a name: EINVAL. EADDRINUSE. */
  listen(file: SocketFile, stream: StreamTransport, backlog: number): void {
    if (stream.name === undefined && stream.end === undefined) {
      if (file.domain === AF_UNIX) throw new KernelError("EINVAL");
      this.#claim(file, stream, { endpoint: unboundEndpoint(file.domain), isAutomatic: false });
    }
    stream.listen(backlog);
  }

  /** Whom a TCP connect to `to` calls. The socket gets a port. EADDRNOTAVAIL, ENETUNREACH. */
  callTcp(file: SocketFile, stream: StreamTransport, to: Endpoint): StreamTarget {
    const { domain } = file;
    const ip = sourceOf(stream.name?.endpoint?.ip, to.ip);
    if (stream.name === undefined) {
      this.#claim(file, stream, { endpoint: { ip, port: 0 }, isAutomatic: true });
    }
    const from = { ip, port: stream.name?.endpoint?.port ?? 0 };
    const called = this.#tcp.find(to, ({ isListening }) => (isListening ? 1 : 0));
    const transport = called?.transport;
    const there = called?.domain ?? domain;
    return {
      listener: transport instanceof StreamTransport ? transport.openListener : undefined,
      makeEnds: (changed) =>
        this.#connect(
          domain,
          { changed, local: showEndpoint(domain, from), peer: showEndpoint(domain, to) },
          { local: showEndpoint(there, to), peer: showEndpoint(there, from) },
        ),
    };
  }

  /** Whom a connect to a unix socket calls; nobody where nobody is bound. */
  callUnix(stream: StreamTransport, called: StreamTransport | undefined): StreamTarget {
    const names = { local: stream.local, peer: called?.local ?? unnamedUnix };
    return {
      listener: called?.openListener,
      makeEnds: (changed) =>
        this.#connect(AF_UNIX, { ...names, changed }, { local: names.peer, peer: names.local }),
    };
  }

  /** What a socket may reach. ENETUNREACH: the one place where a way out would begin. */
  requireRoute({ options }: SocketFile, { ip }: Endpoint): void {
    const isReached = isLoopback(ip) && (isIp6(ip) || !options.isV6Only);
    if (!isReached) throw new KernelError("ENETUNREACH", ip, "a VM reaches its own loopback only");
  }

  #makeTransport(
    { domain, type }: SocketKind,
    { uid }: SocketOrigin,
    options: SocketOptions,
  ): StreamTransport | DatagramTransport {
    const { limits } = this.#parts;
    const memory = this.#memory;
    if (type === SOCK_DGRAM) {
      return new DatagramTransport({ domain, options, ports: this.#udp, memory, limits, uid });
    }
    if (domain === AF_UNIX) {
      return new StreamTransport({ rules: unixRules, options, unnamed: unnamedUnix });
    }
    const unnamed = showEndpoint(domain, unboundEndpoint(domain));
    return new StreamTransport({ rules: tcpRules, options, unnamed });
  }

  #connected(domain: SocketDomain, options: SocketOptions, end: ConnectionEnd): StreamTransport {
    const rules = domain === AF_UNIX ? unixRules : tcpRules;
    return new StreamTransport({ rules, options, unnamed: end.local, end });
  }

  #add(
    { domain, type }: SocketKind,
    origin: SocketOrigin,
    transport: StreamTransport | DatagramTransport,
  ): SocketFile {
    const { nextIno, now, limits } = this.#parts;
    const file = new SocketFile({
      ...origin,
      domain,
      type,
      ino: nextIno(),
      timeMs: now(),
      transport,
      released: (gone) => {
        this.#files.delete(gone);
        limits.discharge("maxSockets");
      },
    });
    this.#files.add(file);
    return file;
  }

  /** Counted in maxConnections until both ends have been released. */
  #connect(domain: SocketDomain, here: EndNames, there: EndNames): Ends {
    const { limits } = this.#parts;
    limits.charge("maxConnections");
    const shared = { rules: domain === AF_UNIX ? unixRules : tcpRules, memory: this.#memory };
    const caller = new ConnectionEnd({ changed: new WaitQueue(), ...here, ...shared });
    const listener = new ConnectionEnd({ changed: new WaitQueue(), ...there, ...shared });
    joinEnds(caller, listener, () => limits.discharge("maxConnections"));
    return { caller, listener };
  }

  #claim(
    file: SocketFile,
    stream: StreamTransport,
    { endpoint, isAutomatic }: { readonly endpoint: Endpoint; readonly isAutomatic: boolean },
  ): void {
    const { uid, options, domain } = file;
    const wish = { endpoint, sharing: options, uid, owner: file };
    const binding = this.#tcp.claim(wish, isAutomatic ? "EADDRNOTAVAIL" : "EADDRINUSE");
    stream.bind({
      address: showEndpoint(domain, binding.endpoint),
      endpoint: binding.endpoint,
      isAutomatic,
      listen: () => this.#tcp.listen(binding),
      unlisten: () => {
        binding.isListening = false;
      },
      release: () => this.#tcp.release(binding),
    });
  }

  /** An accepted connection is at its listener's port, also when the listener has gone. */
  #hold(file: SocketFile, stream: StreamTransport, endpoint: Endpoint): void {
    const { uid, options, domain } = file;
    const binding = this.#tcp.add({ endpoint, sharing: options, uid, owner: file });
    stream.bind({
      address: showEndpoint(domain, endpoint),
      endpoint,
      isAutomatic: false,
      listen: () => undefined,
      unlisten: () => undefined,
      release: () => this.#tcp.release(binding),
    });
  }
}

/** Only root takes ports below, see net.ipv4.ip_unprivileged_port_start. */
const PRIVILEGED_PORTS = 1024;

interface EndNames {
  readonly changed?: WaitQueue;
  readonly local: SocketAddress;
  readonly peer: SocketAddress;
}

interface Ends {
  readonly caller: ConnectionEnd;
  readonly listener: ConnectionEnd;
}

/** ENETUNREACH from an address of the other version. */
function sourceOf(own: string | undefined, to: string): string {
  if (own === undefined || isWildcard(own)) return sourceFor(to);
  if (isIp6(own) !== isIp6(to)) throw new KernelError("ENETUNREACH", to);
  return own;
}
