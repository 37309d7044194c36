/** /proc/net: the sockets of the VM as proc(5) has them. */
import {
  AF_INET,
  AF_INET6,
  AF_UNIX,
  SOCK_DGRAM,
  SOCK_STREAM,
  type SocketType,
} from "../../abi/socket.ts";
import type { Kernel } from "../../kernel.ts";
import { DatagramTransport } from "../../socket/datagram-transport.ts";
import { type Endpoint, parseEndpoint, unboundEndpoint } from "../../socket/endpoint.ts";
import { ipBytes, isIp6 } from "../../socket/ip-address.ts";
import type { SocketFile } from "../../socket/socket-file.ts";
import type { StreamTransport } from "../../socket/stream-transport.ts";
import { directory, file, type ProcDirectory } from "./proc-node.ts";

/** States of linux/tcp_states.h. */
const states = { established: 1, "fin-wait": 5, closed: 7, "close-wait": 8 } as const;
const SYN_SENT = 2;
const CLOSED = 7;
const LISTENING = 10;
/** A listening unix socket's flag, __SO_ACCEPTCON. */
const ACCEPTS = 0x10000;
/** SS_UNCONNECTED and SS_CONNECTED of linux/net.h. */
const UNCONNECTED = 1;
const CONNECTED = 3;
/** The first four groups of an IPv4-mapped address. */
const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

type InetDomain = typeof AF_INET | typeof AF_INET6;

export function netDirectory(kernel: Kernel): ProcDirectory {
  const inet = (domain: InetDomain, type: SocketType) =>
    file(() => inetLines(kernel.sockets.list(), domain, type));
  return directory({
    tcp: inet(AF_INET, SOCK_STREAM),
    tcp6: inet(AF_INET6, SOCK_STREAM),
    udp: inet(AF_INET, SOCK_DGRAM),
    udp6: inet(AF_INET6, SOCK_DGRAM),
    unix: file(() => unixLines(kernel.sockets.list())),
  });
}

/** What the columns are called, and how wide Linux makes a line. */
const heads = {
  [AF_INET]: "sl  local_address rem_address  ",
  [AF_INET6]: "sl  local_address                         remote_address                       ",
} as const;
const columns = "st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode";
const widths = { [SOCK_STREAM]: 149, [SOCK_DGRAM]: 127 } as const;

function inetLines(all: readonly SocketFile[], domain: InetDomain, type: SocketType): string {
  const isTcp = type === SOCK_STREAM;
  const width = domain === AF_INET ? widths[type] : 0;
  const head = `${isTcp ? "  " : "   "}${heads[domain]} ${columns}`;
  const shown = all.filter((socket) => socket.domain === domain && socket.type === type);
  const rows = shown.filter(({ transport }) => transport.isBound || transport.peer !== undefined);
  const lines = [
    isTcp ? head : `${head} ref pointer drops`,
    ...rows.map((socket, i) => inetLine(socket, String(i).padStart(isTcp ? 4 : 5), domain)),
  ];
  return lines.map((line) => `${line.padEnd(width)}\n`).join("");
}

function inetLine(
  { transport, type, uid, ino }: SocketFile,
  index: string,
  domain: InetDomain,
): string {
  const local = parseEndpoint(domain, transport.local);
  const { peer } = transport;
  const remote = peer === undefined ? unboundEndpoint(domain) : parseEndpoint(domain, peer);
  const { sent, received } = queues(transport);
  const ends = `${endpointHex(local, domain)} ${endpointHex(remote, domain)}`;
  const state = hex(stateOf(transport), 2);
  const slot = `${index}: ${ends} ${state} ${hex(sent, 8)}:${hex(received, 8)}`;
  const owner = `${String(uid).padStart(5)} ${String(0).padStart(8)} ${ino}`;
  const rest = type === SOCK_STREAM ? "1 0000000000000000 100 0 0 10 0" : "2 0000000000000000 0";
  return `${slot} 00:00000000 00000000 ${owner} ${rest}`;
}

function queues(transport: StreamTransport | DatagramTransport): {
  readonly sent: number;
  readonly received: number;
} {
  if (transport instanceof DatagramTransport) return { sent: 0, received: transport.heldBytes };
  const { listener, end } = transport;
  // Of a listener: how many wait, and how many may.
  if (listener !== undefined) return { sent: 0, received: listener.waiting };
  return { sent: end?.unreadBytes ?? 0, received: end?.readableBytes ?? 0 };
}

function stateOf(transport: StreamTransport | DatagramTransport): number {
  if (transport instanceof DatagramTransport) {
    return transport.peer === undefined ? CLOSED : states.established;
  }
  if (transport.isListening) return LISTENING;
  if (transport.isConnecting) return SYN_SENT;
  return transport.end === undefined ? CLOSED : states[transport.end.state];
}

/** Words of 32 bits as the machine holds them, least byte first, and the port. */
function endpointHex({ ip, port }: Endpoint, domain: InetDomain): string {
  const own = [...ipBytes(ip)];
  const bytes = domain === AF_INET6 && !isIp6(ip) ? [...MAPPED, ...own] : own;
  let text = "";
  for (let word = 0; word < bytes.length; word += 4) {
    for (let i = 3; i >= 0; i--) text += hex(bytes[word + i] ?? 0, 2);
  }
  return `${text}:${hex(port, 4)}`;
}

function unixLines(all: readonly SocketFile[]): string {
  const head = "Num       RefCount Protocol Flags    Type St Inode Path";
  const shown = all.filter(({ domain }) => domain === AF_UNIX);
  return [head, ...shown.map(unixLine), ""].join("\n");
}

function unixLine({ transport, ino }: SocketFile): string {
  const { local, isListening, peer } = transport;
  const path = local.family === AF_UNIX ? local.path.replaceAll("\0", "@") : "";
  const state = peer === undefined ? UNCONNECTED : CONNECTED;
  const facts = [hex(2, 8), hex(0, 8), hex(isListening ? ACCEPTS : 0, 8), "0001", hex(state, 2)];
  const line = `0000000000000000: ${facts.join(" ")} ${String(ino).padStart(5)}`;
  return path === "" ? line : `${line} ${path}`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, "0");
}
