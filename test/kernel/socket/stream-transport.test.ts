import { describe, expect, it } from "vitest";
import { POLLERR, POLLHUP, POLLIN, POLLOUT, POLLRDHUP } from "../../../src/kernel/abi/poll.ts";
import type { SocketFile } from "../../../src/kernel/socket/socket-file.ts";
import { describeStreamContract } from "../../contract/stream-contract.ts";
import {
  connectTcp,
  connectUnix,
  makePair,
  makeSocket,
  makeTable,
  streamOf,
  tcp,
  unix,
} from "../../support/sockets.ts";
import { outcome, settle, TestWaiter } from "../../support/waiter.ts";

const waiter = new TestWaiter();
const kept = { afterWriterLeft: 0, whenWriterLeaves: 0, keepsBytesOfGoneWriter: true } as const;

describeStreamContract("TCP", async () => {
  const { caller, accepted } = await connectTcp(makeTable().table);
  return { readEnd: accepted, writeEnd: caller, afterReaderLeft: "ECONNRESET", ...kept };
});

describeStreamContract("TCP the other way", async () => {
  const { caller, accepted } = await connectTcp(makeTable().table);
  return { readEnd: caller, writeEnd: accepted, afterReaderLeft: "ECONNRESET", ...kept };
});

describeStreamContract("unix stream", async () => {
  const { caller, accepted } = await connectUnix(makeTable().table);
  return { readEnd: accepted, writeEnd: caller, afterReaderLeft: "EPIPE", ...kept };
});

describeStreamContract("socketpair", () => {
  const [readEnd, writeEnd] = makePair(makeTable().table);
  return { readEnd, writeEnd, afterReaderLeft: "EPIPE", ...kept };
});

const send = (file: SocketFile, ...bytes: number[]) => file.write(Uint8Array.from(bytes), waiter);
const receive = (file: SocketFile) => file.read(new Uint8Array(8), waiter);
const errno = (name: string) => expect.objectContaining({ errno: name });

describe("a TCP connection", () => {
  it("gives ECONNRESET once when the peer leaves with bytes unread, then the end", async () => {
    const { caller, accepted } = await connectTcp(makeTable().table);
    await send(caller, 1);
    await send(accepted, 2);
    accepted.drop();
    expect(caller.poll()).toBe(POLLIN | POLLOUT | POLLERR | POLLHUP | POLLRDHUP);
    expect(await receive(caller)).toBe(1);
    await expect(receive(caller)).rejects.toEqual(errno("ECONNRESET"));
    expect(await receive(caller)).toBe(0);
    await expect(send(caller, 1)).rejects.toEqual(errno("EPIPE"));
    expect(caller.transport.peer).toBeUndefined();
  });

  it("takes one write after the peer has left, and fails the next with EPIPE", async () => {
    const { caller, accepted } = await connectTcp(makeTable().table);
    accepted.drop();
    expect(caller.poll()).toBe(POLLIN | POLLOUT | POLLRDHUP);
    expect(await send(caller, 1, 2, 3)).toBe(3);
    await expect(send(caller, 1)).rejects.toEqual(errno("EPIPE"));
    expect(await receive(caller)).toBe(0);
  });

  it("is broken off by SO_LINGER of no time", async () => {
    const { caller, accepted } = await connectTcp(makeTable().table);
    accepted.options.set("SO_LINGER", 0);
    accepted.drop();
    await expect(receive(caller)).rejects.toEqual(errno("ECONNRESET"));
  });

  it("is closed in halves", async () => {
    const { caller, accepted } = await connectTcp(makeTable().table);
    await send(caller, 1);
    caller.transport.shutdown({ read: false, write: true });
    await expect(send(caller, 1)).rejects.toEqual(errno("EPIPE"));
    expect(await receive(accepted)).toBe(1);
    expect(await receive(accepted)).toBe(0);
    expect(await send(accepted, 1, 2)).toBe(2);
    expect(await receive(caller)).toBe(2);
    expect(caller.poll()).toBe(POLLOUT);
    expect(accepted.poll()).toBe(POLLIN | POLLOUT | POLLRDHUP);
    accepted.transport.shutdown({ read: false, write: true });
    expect(caller.poll()).toBe(POLLIN | POLLOUT | POLLRDHUP | POLLHUP);
  });

  it("reads nothing more after SHUT_RD, while the peer can write", async () => {
    const { caller, accepted } = await connectTcp(makeTable().table);
    const waiting = receive(caller);
    caller.transport.shutdown({ read: true, write: false });
    expect(await waiting).toBe(0);
    expect(await send(accepted, 1)).toBe(1);
  });
});

describe("a unix connection", () => {
  it("fails every write with EPIPE once the peer has left, and tells unread bytes to a read", async () => {
    const { caller, accepted } = await connectUnix(makeTable().table);
    await send(caller, 1);
    await send(accepted, 2);
    accepted.drop();
    await expect(send(caller, 1)).rejects.toEqual(errno("EPIPE"));
    expect(await receive(caller)).toBe(1);
    await expect(receive(caller)).rejects.toEqual(errno("ECONNRESET"));
    expect(await receive(caller)).toBe(0);
    await expect(send(caller, 1)).rejects.toEqual(errno("EPIPE"));
  });

  it("fails the peer's writes after SHUT_RD", async () => {
    const { caller, accepted } = await connectUnix(makeTable().table);
    caller.transport.shutdown({ read: true, write: false });
    await expect(send(accepted, 1)).rejects.toEqual(errno("EPIPE"));
    expect(await send(caller, 1)).toBe(1);
  });
});

describe("a stream that is not connected", () => {
  it("refuses reads and writes as Linux does", async () => {
    const { table } = makeTable();
    const [inet, local] = [makeSocket(table, tcp), makeSocket(table, unix)];
    expect([inet.poll(), local.poll()]).toEqual([POLLOUT | POLLHUP, POLLOUT | POLLHUP]);
    await expect(receive(inet)).rejects.toEqual(errno("ENOTCONN"));
    await expect(send(inet, 1)).rejects.toEqual(errno("EPIPE"));
    await expect(receive(local)).rejects.toEqual(errno("EINVAL"));
    await expect(send(local, 1)).rejects.toEqual(errno("ENOTCONN"));
    expect(() => inet.transport.shutdown({ read: true, write: true })).toThrow(errno("ENOTCONN"));
    local.transport.shutdown({ read: true, write: true });
  });
});

describe("the memory of sockets", () => {
  it("makes writers of every connection wait, and wakes them when some is given back", async () => {
    const { table, limits } = makeTable({ maxSocketBufferedBytes: 8192 });
    const [first, second] = [makePair(table), makePair(table)];
    const filling = first[0].write(new Uint8Array(9000), waiter);
    const waiting = second[0].write(new Uint8Array(4), waiter);
    expect(await outcome(filling)).toBe("waits");
    expect(await outcome(waiting)).toBe("waits");
    expect(second[0].poll() & POLLOUT).toBe(0);
    let wakes = 0;
    second[0].changed.add(() => {
      wakes += 1;
    });
    expect(await first[1].read(new Uint8Array(9000), waiter)).toBe(8192);
    await settle();
    expect([await waiting, wakes]).toEqual([4, 1]);
    expect(await first[1].read(new Uint8Array(9000), waiter)).toBe(808);
    expect(await filling).toBe(9000);
    for (const file of [...first, ...second]) file.drop();
    expect(limits.used("maxSocketBufferedBytes")).toBe(0);
    expect(limits.used("maxSockets")).toBe(0);
    expect(limits.used("maxConnections")).toBe(0);
  });
});

describe("a listener", () => {
  it("gives back everything, also what nobody has accepted", async () => {
    const { table, limits } = makeTable();
    const { listening, caller, accepted } = await connectTcp(table);
    const other = makeSocket(table, tcp);
    const to = { ip: "127.0.0.1", port: 8080 };
    const findTarget = () => table.callTcp(other, streamOf(other), to);
    await streamOf(other).connect(findTarget, { waiter, isNonBlocking: false });
    await send(other, 1, 2, 3);
    listening.drop();
    await expect(receive(other)).rejects.toEqual(errno("ECONNRESET"));
    expect(await send(caller, 1)).toBe(1);
    for (const file of [caller, accepted, other]) file.drop();
    const counts = ["maxSockets", "maxConnections", "maxSocketBufferedBytes"] as const;
    expect(counts.map((name) => limits.used(name))).toEqual([0, 0, 0]);
    expect(table.list()).toEqual([]);
  });
});
