import { expect, it } from "vitest";
import {
  AF_INET,
  AF_INET6,
  AF_UNIX,
  MSG_NOSIGNAL,
  SHUT_RD,
  SHUT_RDWR,
  SHUT_WR,
  SOCK_DGRAM,
  SOCK_STREAM,
} from "../../../src/kernel/abi/socket.ts";
import { encodeText } from "../../../src/kernel/abi/text.ts";
import { inet, inet6, listenAt, tcpPair, udpAt, unixAt } from "../../support/sockets.ts";
import { bootObserved, describeCall, expectErrno } from "../../support/syscall-coverage.ts";

const text = encodeText;

export function describeSocketData(): void {
  describeCall("getsockname", describeGetsockname);
  describeCall("getpeername", describeGetpeername);
  describeCall("shutdown", describeShutdown);
  describeCall("setsockopt", describeSetsockopt);
  describeCall("getsockopt", describeGetsockopt);
}

function describeGetsockname(): void {
  it("tells where a socket is, and nothing before it is anywhere", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const make = (domain: number, type: number) => sys.socket(domain, type);
      expect(await sys.getsockname(await make(AF_INET, SOCK_STREAM))).toEqual(inet(0, "0.0.0.0"));
      expect(await sys.getsockname(await make(AF_INET6, SOCK_DGRAM))).toEqual(inet6(0, "::"));
      expect(await sys.getsockname(await make(AF_UNIX, SOCK_STREAM))).toEqual(unixAt(""));
      await expectErrno(sys.getsockname(99), "EBADF");
      await expectErrno(sys.getsockname((await sys.pipe())[0]), "ENOTSOCK");
    });
  });
}

function describeGetpeername(): void {
  it("tells whom a socket is connected to", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const { caller, accepted } = await tcpPair(sys);
      expect(await sys.getpeername(caller)).toEqual(await sys.getsockname(accepted));
      expect(await sys.getpeername(accepted)).toEqual(await sys.getsockname(caller));
      await expectErrno(sys.getpeername(await sys.socket(AF_INET, SOCK_STREAM)), "ENOTCONN");
      await expectErrno(sys.getpeername(99), "EBADF");
      await expectErrno(sys.getpeername((await sys.pipe())[0]), "ENOTSOCK");
    });
  });
}

function describeShutdown(): void {
  it("ends a direction for all who hold the socket", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const { caller, accepted } = await tcpPair(sys);
      const copy = await sys.dup(caller);
      await sys.shutdown(copy, SHUT_WR);
      await expectErrno(sys.sendto(caller, text("x"), { flags: MSG_NOSIGNAL }), "EPIPE");
      expect(await sys.read(accepted, new Uint8Array(1))).toBe(0);
      await sys.shutdown(caller, SHUT_RD);
      expect(await sys.read(caller, new Uint8Array(1))).toBe(0);
      await expectErrno(sys.shutdown(caller, 3), "EINVAL");
      await expectErrno(sys.shutdown(99, SHUT_RDWR), "EBADF");
      await expectErrno(sys.shutdown((await sys.pipe())[0], SHUT_RDWR), "ENOTSOCK");
      await expectErrno(sys.shutdown(await sys.socket(AF_INET, SOCK_STREAM), SHUT_WR), "ENOTCONN");
      await expectErrno(sys.shutdown((await udpAt(sys)).fd, SHUT_WR), "ENOTCONN");
    });
  });

  it("stops a listener, and lets it listen again", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const { fd, port } = await listenAt(sys);
      const waiting = sys.accept(fd);
      await sys.shutdown(fd, SHUT_RDWR);
      await expectErrno(waiting, "EINVAL");
      const caller = await sys.socket(AF_INET, SOCK_STREAM);
      await expectErrno(sys.connect(caller, inet(port)), "ECONNREFUSED");
      await sys.listen(fd, 1);
      await sys.connect(caller, inet(port));
    });
  });

  it("ends the directions of a datagram socket that has a peer", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const { fd, port } = await udpAt(sys);
      await sys.connect(fd, inet(port));
      await sys.shutdown(fd, SHUT_RDWR);
      expect((await sys.recvfrom(fd, new Uint8Array(1))).count).toBe(0);
      await expectErrno(sys.sendto(fd, text("x"), { flags: MSG_NOSIGNAL }), "EPIPE");
    });
  });
}

function describeSetsockopt(): void {
  it("keeps what is set, as Linux does", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const fd = await sys.socket(AF_INET6, SOCK_STREAM);
      const cases: [string, number, number, number][] = [
        ["SO_REUSEADDR", 0, 5, 1],
        ["SO_REUSEPORT", 0, 1, 1],
        ["SO_KEEPALIVE", 0, 1, 1],
        ["SO_BROADCAST", 0, 1, 1],
        ["SO_LINGER", -1, 3, 3],
        ["SO_SNDBUF", 16_384, 10_000, 20_000],
        ["SO_RCVBUF", 131_072, 1, 2304],
        ["SO_SNDBUF", 20_000, 1 << 30, 425_984],
        ["TCP_NODELAY", 0, 1, 1],
        ["TCP_KEEPIDLE", 7200, 60, 60],
        ["TCP_KEEPINTVL", 75, 10, 10],
        ["TCP_KEEPCNT", 9, 3, 3],
        ["IP_TTL", 64, 128, 128],
        ["IP_TOS", 0, 16, 16],
        ["IPV6_UNICAST_HOPS", 64, 3, 3],
        ["IPV6_TCLASS", 0, 4, 4],
        ["IPV6_V6ONLY", 0, 1, 1],
      ];
      for (const [name, before, value, after] of cases) {
        expect([name, await sys.getsockopt(fd, name)]).toEqual([name, before]);
        await sys.setsockopt(fd, name, value);
        expect([name, await sys.getsockopt(fd, name)]).toEqual([name, after]);
      }
    });
  });

  it("fails for what there is not and for values that cannot be", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const fd = await sys.socket(AF_INET6, SOCK_STREAM);
      await expectErrno(sys.setsockopt(99, "SO_KEEPALIVE", 1), "EBADF");
      await expectErrno(sys.setsockopt((await sys.pipe())[0], "SO_KEEPALIVE", 1), "ENOTSOCK");
      const { reason } = await expectErrno(
        sys.setsockopt((await udpAt(sys)).fd, "IP_ADD_MEMBERSHIP", 1),
        "ENOPROTOOPT",
      );
      expect(reason).toBe("a VM's network is its loopback: no multicast, no devices");
      for (const name of ["SO_TYPE", "SO_ERROR", "constructor", ""]) {
        await expectErrno(sys.setsockopt(fd, name, 1), "ENOPROTOOPT");
      }
      for (const value of [0, 32_768, 1.5, Number.NaN, 2 ** 40]) {
        await expectErrno(sys.setsockopt(fd, "TCP_KEEPIDLE", value), "EINVAL");
      }
      await sys.bind(fd, inet6(0));
      await expectErrno(sys.setsockopt(fd, "IPV6_V6ONLY", 1), "EINVAL");
      const unix = await sys.socket(AF_UNIX, SOCK_STREAM);
      await expectErrno(sys.setsockopt(unix, "TCP_NODELAY", 1), "ENOTSUP");
    });
  });
}

function describeGetsockopt(): void {
  it("tells what a socket is", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const fd = await sys.socket(AF_INET6, SOCK_DGRAM);
      const ask = (name: string) => sys.getsockopt(fd, name);
      expect(await ask("SO_TYPE")).toBe(SOCK_DGRAM);
      expect(await ask("SO_DOMAIN")).toBe(AF_INET6);
      expect(await ask("SO_PROTOCOL")).toBe(17);
      expect(await ask("SO_ACCEPTCONN")).toBe(0);
      expect(await ask("SO_RCVBUF")).toBe(212_992);
      const unix = await sys.socket(AF_UNIX, SOCK_STREAM);
      expect(await sys.getsockopt(unix, "SO_PROTOCOL")).toBe(0);
      await expectErrno(sys.getsockopt(99, "SO_TYPE"), "EBADF");
      await expectErrno(sys.getsockopt((await sys.pipe())[0], "SO_TYPE"), "ENOTSOCK");
      await expectErrno(ask("TCP_NODELAY"), "ENOPROTOOPT");
      await expectErrno(sys.getsockopt(unix, "IP_TTL"), "ENOTSUP");
    });
  });
}
