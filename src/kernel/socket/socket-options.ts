/** setsockopt(2) and getsockopt(2): what can be set, to what, and what it is at first. */
import { KernelError } from "../abi/kernel-error.ts";
import {
  AF_INET,
  AF_INET6,
  AF_UNIX,
  SOCK_STREAM,
  type SocketDomain,
  type SocketType,
} from "../abi/socket.ts";
import type { PortSharing } from "./port-table.ts";

/** Linux's net.core.rmem_max and wmem_max: half of what is shown, see socket(7). */
const BUFFER_MAX = 212_992;
/** SOCK_MIN_SNDBUF and SOCK_MIN_RCVBUF of Linux. */
const SEND_BUFFER_MIN = 4608;
const RECEIVE_BUFFER_MIN = 2304;
/** The second number of tcp_wmem and tcp_rmem. */
const TCP_SEND_BUFFER = 16_384;
const TCP_RECEIVE_BUFFER = 131_072;
/** MAX_TCP_KEEPIDLE, MAX_TCP_KEEPINTVL and MAX_TCP_KEEPCNT of Linux. */
const KEEP_SECONDS_MAX = 32_767;
const KEEP_COUNT_MAX = 127;
/** What turns SO_LINGER off. */
export const LINGER_OFF = -1;

type Kind = { readonly domain: SocketDomain; readonly type: SocketType };

interface OptionRow {
  readonly isFor: (kind: Kind) => boolean;
  readonly initial: (kind: Kind) => number;
  /** What a given value becomes. EINVAL. */
  readonly accept: (value: number, kind: Kind) => number;
}

const isTcp = ({ domain, type }: Kind): boolean => domain !== AF_UNIX && type === SOCK_STREAM;
const isInet = ({ domain }: Kind): boolean => domain !== AF_UNIX;
const isInet6 = ({ domain }: Kind): boolean => domain === AF_INET6;
const isAny = (): boolean => true;
const asFlag = (value: number): number => (value === 0 ? 0 : 1);

/**
 * Keep-alives, delays, times to live and service classes change nothing on a loopback that loses
 * nothing: they are checked, kept and shown.
 */
const optionTable = {
  SO_REUSEADDR: row(isAny, 0, asFlag),
  SO_REUSEPORT: row(isInet, 0, asFlag),
  SO_KEEPALIVE: row(isAny, 0, asFlag),
  SO_BROADCAST: row(isAny, 0, asFlag),
  /** Seconds; LINGER_OFF when off. With 0, close breaks the connection off. */
  SO_LINGER: row(isAny, LINGER_OFF, (value) => Math.max(LINGER_OFF, value)),
  SO_SNDBUF: row(
    isAny,
    (kind) => (isTcp(kind) ? TCP_SEND_BUFFER : BUFFER_MAX),
    bufferSize(SEND_BUFFER_MIN),
  ),
  SO_RCVBUF: row(
    isAny,
    (kind) => (isTcp(kind) ? TCP_RECEIVE_BUFFER : BUFFER_MAX),
    bufferSize(RECEIVE_BUFFER_MIN),
  ),
  TCP_NODELAY: row(isTcp, 0, asFlag),
  TCP_KEEPIDLE: row(isTcp, 7200, within(1, KEEP_SECONDS_MAX)),
  TCP_KEEPINTVL: row(isTcp, 75, within(1, KEEP_SECONDS_MAX)),
  TCP_KEEPCNT: row(isTcp, 9, within(1, KEEP_COUNT_MAX)),
  IP_TTL: row(isInet, 64, within(1, 255)),
  IP_TOS: row(isInet, 0, serviceClass),
  IPV6_UNICAST_HOPS: row(isInet6, 64, within(0, 255)),
  IPV6_TCLASS: row(isInet6, 0, serviceClass),
  IPV6_V6ONLY: row(isInet6, 0, asFlag),
} as const satisfies Record<string, OptionRow>;

export type SocketOption = keyof typeof optionTable;

/** The options of one socket. */
export class SocketOptions implements PortSharing {
  readonly #kind: Kind;
  readonly #values: Map<SocketOption, number>;

  constructor(kind: Kind, values: ReadonlyMap<SocketOption, number> = new Map()) {
    this.#kind = kind;
    this.#values = new Map(values);
  }

  /** An accepted socket starts with its listener's. */
  copy(): SocketOptions {
    return new SocketOptions(this.#kind, this.#values);
  }

  /** ENOPROTOOPT for what there is not, and ENOTSUP where Linux says so: of unix sockets… */
  require(name: string, use: "get" | "set"): SocketOption {
    if (isOption(name) && optionTable[name].isFor(this.#kind)) return name;
    const { domain } = this.#kind;
    // …and to those who ask an IPv4 socket about another protocol.
    const isForeign = use === "get" && domain === AF_INET && isOption(name);
    const isUnsupported = (domain === AF_UNIX || isForeign) && !name.startsWith("SO_");
    const reason = "a VM's network is its loopback: no multicast, no devices";
    throw new KernelError(isUnsupported ? "ENOTSUP" : "ENOPROTOOPT", name, reason);
  }

  get(name: SocketOption): number {
    return this.#values.get(name) ?? optionTable[name].initial(this.#kind);
  }

  /** EINVAL for a value that cannot be. */
  set(name: SocketOption, value: number): void {
    if (!Number.isInteger(value) || value !== (value | 0)) throw new KernelError("EINVAL", name);
    this.#values.set(name, optionTable[name].accept(value, this.#kind));
  }

  get reusesAddress(): boolean {
    return this.get("SO_REUSEADDR") !== 0;
  }

  get reusesPort(): boolean {
    return this.#kind.domain !== AF_UNIX && this.get("SO_REUSEPORT") !== 0;
  }

  get isV6Only(): boolean {
    return this.#kind.domain === AF_INET6 && this.get("IPV6_V6ONLY") !== 0;
  }

  /** Whether close breaks the connection off: SO_LINGER of no time. */
  get breaksOff(): boolean {
    return this.get("SO_LINGER") === 0;
  }

  /** What a datagram socket holds unread at most. */
  get receiveBytes(): number {
    return this.get("SO_RCVBUF");
  }
}

function isOption(name: string): name is SocketOption {
  return Object.hasOwn(optionTable, name);
}

function row(
  isFor: OptionRow["isFor"],
  initial: number | OptionRow["initial"],
  accept: OptionRow["accept"],
): OptionRow {
  return { isFor, accept, initial: typeof initial === "number" ? () => initial : initial };
}

function within(least: number, most: number): OptionRow["accept"] {
  return (value) => {
    if (value < least || value > most) throw new KernelError("EINVAL", String(value));
    return value;
  };
}

/** The lowest two bits tell of congestion: they are TCP's own. */
function serviceClass(value: number, kind: Kind): number {
  if (value < 0 || value > 255) throw new KernelError("EINVAL", String(value));
  return isTcp(kind) ? value & ~3 : value;
}

/** Linux keeps twice what is asked, for what it needs itself. */
function bufferSize(least: number): OptionRow["accept"] {
  return (value) => Math.max(least, Math.min(Math.max(0, value), BUFFER_MAX) * 2);
}
