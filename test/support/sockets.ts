/** Sockets for tests: tables of their own, connected ends, and calls with their addresses. */
import {
  AF_INET,
  AF_INET6,
  AF_UNIX,
  type InetAddress,
  SOCK_DGRAM,
  SOCK_STREAM,
  type SocketDomain,
  type UnixAddress,
} from "../../src/kernel/abi/socket.ts";
import { Limits, type LimitValues } from "../../src/kernel/limits/limits.ts";
import type { SocketFile } from "../../src/kernel/socket/socket-file.ts";
import { SocketTable } from "../../src/kernel/socket/socket-table.ts";
import { StreamTransport } from "../../src/kernel/socket/stream-transport.ts";
import type { Sys } from "../../src/kernel/syscalls/sys.ts";
import { TestWaiter } from "./waiter.ts";

export const tcp = { domain: AF_INET, type: SOCK_STREAM } as const;
export const unix = { domain: AF_UNIX, type: SOCK_STREAM } as const;

const origin = { uid: 0, gid: 0, flags: 0 };

export function inet(port: number, address = "127.0.0.1"): InetAddress {
  return { family: AF_INET, address, port };
}

export function inet6(port: number, address = "::1"): InetAddress {
  return { family: AF_INET6, address, port };
}

export function unixAt(path: string): UnixAddress {
  return { family: AF_UNIX, path };
}

export function makeTable(values: Partial<LimitValues> = {}): {
  readonly table: SocketTable;
  readonly limits: Limits;
} {
  const limits = new Limits(values, () => {});
  let ino = 0;
  const nextIno = (): number => {
    ino += 1;
    return ino;
  };
  return { limits, table: new SocketTable({ limits, now: () => 5, nextIno, seed: 0 }) };
}

/** A socket that is held once. */
export function makeSocket(
  table: SocketTable,
  kind: { readonly domain: SocketDomain; readonly type: 1 | 2 },
): SocketFile {
  const file = table.create(kind, origin);
  file.retain();
  return file;
}

export function streamOf(file: SocketFile): StreamTransport {
  if (!(file.transport instanceof StreamTransport)) throw new Error("no stream");
  return file.transport;
}

/** A listener, its caller and what it has accepted. */
export interface Connected {
  readonly listening: SocketFile;
  readonly caller: SocketFile;
  readonly accepted: SocketFile;
}

export async function connectTcp(table: SocketTable): Promise<Connected> {
  const listening = makeSocket(table, tcp);
  table.bindInet(listening, { ip: "127.0.0.1", port: 8080 }, 0);
  table.listen(listening, streamOf(listening), 5);
  const caller = makeSocket(table, tcp);
  const to = { ip: "127.0.0.1", port: 8080 };
  const findTarget = () => table.callTcp(caller, streamOf(caller), to);
  await streamOf(caller).connect(findTarget, { waiter: new TestWaiter(), isNonBlocking: false });
  return { listening, caller, accepted: accept(table, listening) };
}

export async function connectUnix(table: SocketTable): Promise<Connected> {
  const listening = makeSocket(table, unix);
  table.unix.bindAbstract("\0name", streamOf(listening));
  table.listen(listening, streamOf(listening), 5);
  const caller = makeSocket(table, unix);
  const findTarget = () => table.callUnix(streamOf(caller), table.unix.findAbstract("\0name"));
  await streamOf(caller).connect(findTarget, { waiter: new TestWaiter(), isNonBlocking: false });
  return { listening, caller, accepted: accept(table, listening) };
}

export function makePair(table: SocketTable): [SocketFile, SocketFile] {
  const pair = table.createPair(origin);
  for (const file of pair) file.retain();
  return pair;
}

function accept(table: SocketTable, listening: SocketFile): SocketFile {
  const accepted = table.accept(listening, origin);
  if (accepted === undefined) throw new Error("nobody to accept");
  accepted.retain();
  return accepted;
}

/** A TCP socket that listens at a port of its own. */
export async function listenAt(sys: Sys, address = inet(0), backlog = 5): Promise<Listening> {
  const fd = await sys.socket(address.family, SOCK_STREAM);
  await sys.bind(fd, address);
  await sys.listen(fd, backlog);
  return { fd, port: portOf(await sys.getsockname(fd)) };
}

interface Listening {
  readonly fd: number;
  readonly port: number;
}

/** Both ends of a TCP connection. */
export async function tcpPair(sys: Sys): Promise<{ readonly caller: number; accepted: number }> {
  const { fd, port } = await listenAt(sys);
  const caller = await sys.socket(AF_INET, SOCK_STREAM);
  await sys.connect(caller, inet(port));
  const { fd: accepted } = await sys.accept(fd);
  await sys.close(fd);
  return { caller, accepted };
}

/** A UDP socket with a port of its own. */
export async function udpAt(sys: Sys, address = inet(0)): Promise<Listening> {
  const fd = await sys.socket(address.family, SOCK_DGRAM);
  await sys.bind(fd, address);
  return { fd, port: portOf(await sys.getsockname(fd)) };
}

export function portOf(address: object): number {
  return "port" in address ? Number(address.port) : 0;
}
