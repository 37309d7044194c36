import { expect, it } from "vitest";
import { O_NONBLOCK } from "../../../src/kernel/abi/open-flags.ts";
import { POLLERR, POLLIN, POLLOUT } from "../../../src/kernel/abi/poll.ts";
import { signals } from "../../../src/kernel/abi/signals.ts";
import {
  AF_INET,
  AF_INET6,
  AF_UNIX,
  MSG_DONTWAIT,
  MSG_NOSIGNAL,
  MSG_PEEK,
  MSG_TRUNC,
  SOCK_DGRAM,
  SOCK_STREAM,
} from "../../../src/kernel/abi/socket.ts";
import { decodeText, encodeText } from "../../../src/kernel/abi/text.ts";
import type { Sys } from "../../../src/kernel/syscalls/sys.ts";
import { inet, inet6, tcpPair, udpAt, unixAt } from "../../support/sockets.ts";
import { bootObserved, describeCall, expectErrno } from "../../support/syscall-coverage.ts";
import { readText } from "../../support/test-kernel.ts";
import { interrupted } from "./situations.ts";

const MSG_OOB = 1;
const ECONNREFUSED = 111;
const text = encodeText;

export function describeSocketTransfer(): void {
  describeCall("sendto", describeSendto);
  describeCall("recvfrom", describeRecvfrom);
  describeCall("read", () => describeRead((sys, fd, into) => sys.read(fd, into)));
  describeCall("readThrough", () => describeRead((sys, fd, into) => sys.readThrough(fd, into, 10)));
  describeCall("write", describeWrite);
}

function describeSendto(): void {
  it("carries datagrams with the addresses of their senders", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const [one, other] = [await udpAt(sys), await udpAt(sys, inet(0, "0.0.0.0"))];
      expect(await sys.sendto(one.fd, text("hello"), { address: inet(other.port) })).toBe(5);
      expect(await receive(sys, other.fd)).toEqual(["hello", inet(one.port), false]);
      await sys.sendto(other.fd, text(""), { address: inet(one.port) });
      expect(await receive(sys, one.fd)).toEqual(["", inet(other.port), false]);
      const six = await sys.socket(AF_INET6, SOCK_DGRAM);
      const mapped = inet6(one.port, "::ffff:127.0.0.1");
      await sys.sendto(six, text("6"), { address: mapped });
      const [, from] = await receive(sys, one.fd);
      expect(from).toEqual({
        ...(await sys.getsockname(six)),
        family: AF_INET,
        address: "127.0.0.1",
      });
      const { fd } = await tcpOne(sys);
      expect(await sys.sendto(fd, text("x"), { address: inet(1) })).toBe(1);
    });
  });

  it("loses what a full socket has no room for", async () => {
    const test = await bootObserved({ limits: { maxSocketDatagramQueueLen: 3 } });
    await test.asUser(async (sys) => {
      const [one, other] = [await udpAt(sys), await udpAt(sys)];
      for (let i = 0; i < 5; i++) {
        await sys.sendto(one.fd, text(String(i)), { address: inet(other.port) });
      }
      for (const left of ["0", "1", "2"]) expect((await receive(sys, other.fd))[0]).toBe(left);
      await expectErrno(sys.recvfrom(other.fd, new Uint8Array(1), MSG_DONTWAIT), "EAGAIN");
      await sys.setsockopt(other.fd, "SO_RCVBUF", 1);
      await sys.sendto(one.fd, new Uint8Array(2000), { address: inet(other.port) });
      await expectErrno(sys.recvfrom(other.fd, new Uint8Array(1), MSG_DONTWAIT), "EAGAIN");
      await sys.sendto(one.fd, new Uint8Array(1700), { address: inet(other.port) });
      expect(await sys.ioctl(other.fd, { request: "FIONREAD" })).toBe(1700);
    });
    expect(test.kernel.limits.used("maxSocketBufferedBytes")).toBe(0);
  });

  it("fails by the datagram and its way", async () => {
    const test = await bootObserved({
      limits: { maxSocketBufferedBytes: 1000, maxFdWriteBytes: 70_000 },
    });
    await test.asUser(async (sys) => {
      const { fd, port } = await udpAt(sys);
      const to = (address: ReturnType<typeof inet>) => ({ address });
      await expectErrno(sys.sendto(99, text("x")), "EBADF");
      await expectErrno(sys.sendto((await sys.pipe())[1], text("x")), "ENOTSOCK");
      await expectErrno(sys.sendto(fd, text("x")), "EDESTADDRREQ");
      await expectErrno(sys.sendto(fd, new Uint8Array(65_508), to(inet(port))), "EMSGSIZE");
      await expectErrno(sys.sendto(fd, new Uint8Array(70_001), to(inet(port))), "EINVAL");
      await expectErrno(sys.sendto(fd, text("x"), to(inet(0))), "EINVAL");
      await expectErrno(sys.sendto(fd, text("x"), to(inet6(1))), "EAFNOSUPPORT");
      await expectErrno(sys.sendto(fd, text("x"), to(inet(53, "8.8.8.8"))), "EACCES");
      await expectErrno(sys.sendto(fd, text("x"), { flags: MSG_OOB }), "ENOTSUP");
      const { reason } = await expectErrno(
        sys.sendto(fd, new Uint8Array(500), to(inet(port))),
        "ENOBUFS",
      );
      expect(reason).toContain("limits.maxSocketBufferedBytes");
    });
    const open = await bootObserved({ permissions: { network: "allow" } });
    await open.asUser(async (sys) => {
      const { fd } = await udpAt(sys);
      await expectErrno(sys.sendto(fd, text("x"), { address: inet(53, "8.8.8.8") }), "ENETUNREACH");
    });
  });

  it("tells a connected sender that nobody is there, and nobody else", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const { fd } = await udpAt(sys);
      await sys.sendto(fd, text("x"), { address: inet(1) });
      await sys.connect(fd, inet(1));
      expect(await sys.sendto(fd, text("x"))).toBe(1);
      expect(await sys.poll([{ fd, events: POLLIN | POLLOUT }])).toEqual([POLLOUT | POLLERR]);
      await expectErrno(sys.sendto(fd, text("x")), "ECONNREFUSED");
      expect(await sys.sendto(fd, text("x"))).toBe(1);
      expect(await sys.getsockopt(fd, "SO_ERROR")).toBe(ECONNREFUSED);
    });
  });

  it("fails on a stream as write does", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      await sys.sigaction(signals.SIGPIPE, "ignore");
      const unconnected = await sys.socket(AF_UNIX, SOCK_STREAM);
      await expectErrno(sys.sendto(unconnected, text("x")), "ENOTCONN");
      await expectErrno(sys.sendto(unconnected, text("x"), { address: unixAt("s") }), "ENOTSUP");
      const [one] = await sys.socketpair(AF_UNIX, SOCK_STREAM);
      await expectErrno(sys.sendto(one, text("x"), { address: unixAt("s") }), "EISCONN");
      await fillUp(sys, one);
      await expectErrno(sys.sendto(one, text("x"), { flags: MSG_DONTWAIT }), "EAGAIN");
      await interrupted(sys, (own) => own.sendto(one, text("x")));
      const { caller, accepted } = await tcpPair(sys);
      await sys.write(caller, text("unread"));
      await sys.close(accepted);
      await expectErrno(sys.sendto(caller, text("x")), "ECONNRESET");
      await expectErrno(sys.sendto(caller, text("x")), "EPIPE");
    });
  });

  it("raises SIGPIPE unless it is told not to", async () => {
    const test = await bootObserved();
    const send = (flags: number) =>
      test.run(async (sys) => {
        const [one, other] = await sys.socketpair(AF_UNIX, SOCK_STREAM);
        await sys.close(other);
        await expectErrno(sys.sendto(one, text("x"), { flags }), "EPIPE");
        return 3;
      });
    expect(await send(MSG_NOSIGNAL)).toEqual({ kind: "exited", code: 3 });
    expect(await send(0)).toEqual({ kind: "signaled", signal: signals.SIGPIPE });
  });
}

function describeRecvfrom(): void {
  it("peeks, and cuts a datagram to the room for it", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const { fd, port } = await udpAt(sys);
      const address = inet(port);
      await sys.sendto(fd, text("hello"), { address });
      await sys.sendto(fd, text("there"), { address });
      const into = new Uint8Array(3);
      const peeked = await sys.recvfrom(fd, into, MSG_PEEK);
      expect([peeked, decodeText(into)]).toEqual([{ count: 3, address, isTruncated: true }, "hel"]);
      expect(await sys.recvfrom(fd, into, MSG_TRUNC)).toEqual({
        count: 5,
        address,
        isTruncated: true,
      });
      expect(await receive(sys, fd)).toEqual(["there", address, false]);
    });
  });

  it("peeks at a stream, which has no addresses", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const { caller, accepted } = await tcpPair(sys);
      await sys.write(caller, text("bytes"));
      const into = new Uint8Array(3);
      const answer = { count: 3, address: undefined, isTruncated: false };
      expect(await sys.recvfrom(accepted, into, MSG_PEEK)).toEqual(answer);
      expect(await sys.recvfrom(accepted, into, MSG_DONTWAIT)).toEqual(answer);
      expect(decodeText(into)).toBe("byt");
    });
  });

  it("takes datagrams of its peer only, once it has one", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const [one, friend, stranger] = [await udpAt(sys), await udpAt(sys), await udpAt(sys)];
      await sys.connect(one.fd, inet(friend.port));
      await sys.sendto(stranger.fd, text("no"), { address: inet(one.port) });
      await sys.sendto(friend.fd, text("yes"), { address: inet(one.port) });
      expect((await receive(sys, one.fd))[0]).toBe("yes");
    });
  });

  it("fails where there is nothing to receive", async () => {
    const test = await bootObserved({ limits: { maxPreadBytes: 10 } });
    await test.asUser(async (sys) => {
      const into = new Uint8Array(1);
      const { fd } = await udpAt(sys);
      await expectErrno(sys.recvfrom(99, into), "EBADF");
      await expectErrno(sys.recvfrom((await sys.pipe())[0], into), "ENOTSOCK");
      await expectErrno(sys.recvfrom(fd, into, MSG_OOB), "ENOTSUP");
      await expectErrno(sys.recvfrom(fd, new Uint8Array(11)), "EINVAL");
      await expectErrno(sys.recvfrom(fd, into, MSG_DONTWAIT), "EAGAIN");
      await interrupted(sys, (own) => own.recvfrom(fd, into));
      await expectErrno(sys.recvfrom(await sys.socket(AF_INET, SOCK_STREAM), into), "ENOTCONN");
      await sys.connect(fd, inet(1));
      await sys.write(fd, text("x"));
      await expectErrno(sys.recvfrom(fd, into), "ECONNREFUSED");
      const { caller, accepted } = await tcpPair(sys);
      await sys.write(caller, text("unread"));
      await sys.close(accepted);
      await expectErrno(sys.recvfrom(caller, into), "ECONNRESET");
    });
  });
}

function describeRead(read: (sys: Sys, fd: number, into: Uint8Array) => Promise<number>): void {
  it("fails on sockets that have nothing to say", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const into = new Uint8Array(1);
      await expectErrno(read(sys, await sys.socket(AF_INET, SOCK_STREAM), into), "ENOTCONN");
      const { fd } = await udpAt(sys);
      await sys.connect(fd, inet(1));
      await sys.write(fd, text("x"));
      await expectErrno(read(sys, fd, into), "ECONNREFUSED");
      const { caller, accepted } = await tcpPair(sys);
      await sys.write(caller, text("unread"));
      await sys.close(accepted);
      await expectErrno(read(sys, caller, into), "ECONNRESET");
    });
  });
}

function describeWrite(): void {
  it("fails on sockets that nobody hears", async () => {
    const test = await bootObserved({ limits: { maxSocketBufferedBytes: 1000 } });
    await test.asUser(async (sys) => {
      await expectErrno(sys.write(await sys.socket(AF_UNIX, SOCK_STREAM), text("x")), "ENOTCONN");
      const { caller, accepted } = await tcpPair(sys);
      await sys.write(caller, text("unread"));
      await sys.close(accepted);
      await expectErrno(sys.write(caller, text("x")), "ECONNRESET");
      const { fd, port } = await udpAt(sys);
      await expectErrno(sys.write(fd, text("x")), "EDESTADDRREQ");
      await sys.connect(fd, inet(1));
      await sys.write(fd, text("x"));
      await expectErrno(sys.write(fd, text("x")), "ECONNREFUSED");
      await sys.connect(fd, inet(port));
      await expectErrno(sys.write(fd, new Uint8Array(65_508)), "EMSGSIZE");
      await expectErrno(sys.write(fd, new Uint8Array(500)), "ENOBUFS");
    });
  });

  it("shows what is unread in /proc/net", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const { caller } = await tcpPair(sys);
      await sys.write(caller, text("12345"));
      const queues = (await readText(sys, "/proc/net/tcp")).match(/ 01 (\S+:\S+) /g);
      expect(queues).toEqual([" 01 00000005:00000000 ", " 01 00000000:00000005 "]);
      const { fd } = await udpAt(sys);
      await sys.connect(fd, inet(1));
      expect(await readText(sys, "/proc/net/udp")).toMatch(/ 0100007F:0001 01 0{8}:0{8} /);
      const unix = await sys.socket(AF_UNIX, SOCK_STREAM);
      await sys.bind(unix, unixAt("\0me"));
      expect(await readText(sys, "/proc/net/unix")).toMatch(/ 0001 01 +\d+ @me\n$/);
    });
  });
}

async function receive(sys: Sys, fd: number): Promise<[string, unknown, boolean]> {
  const into = new Uint8Array(1000);
  const { count, address, isTruncated } = await sys.recvfrom(fd, into);
  return [decodeText(into.subarray(0, count)), address, isTruncated];
}

async function tcpOne(sys: Sys): Promise<{ fd: number }> {
  return { fd: (await tcpPair(sys)).caller };
}

async function fillUp(sys: Sys, fd: number): Promise<void> {
  await sys.fcntl(fd, { request: "F_SETFL", flags: O_NONBLOCK });
  await sys.write(fd, new Uint8Array(1 << 20));
  await sys.fcntl(fd, { request: "F_SETFL", flags: 0 });
}
