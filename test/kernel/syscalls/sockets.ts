import { expect, it } from "vitest";
import { O_APPEND, O_NONBLOCK } from "../../../src/kernel/abi/open-flags.ts";
import {
  AF_INET,
  AF_INET6,
  AF_UNIX,
  IPPROTO_TCP,
  IPPROTO_UDP,
  SOCK_CLOEXEC,
  SOCK_DGRAM,
  SOCK_NONBLOCK,
  SOCK_STREAM,
} from "../../../src/kernel/abi/socket.ts";
import { encodeText } from "../../../src/kernel/abi/text.ts";
import type { Sys } from "../../../src/kernel/syscalls/sys.ts";
import { inet, inet6, listenAt, portOf, udpAt, unixAt } from "../../support/sockets.ts";
import { bootObserved, describeCall, expectErrno } from "../../support/syscall-coverage.ts";
import { OTHER, writeText } from "../../support/test-kernel.ts";
import { mountReadOnly } from "./situations.ts";

const SOCK_RAW = 3;

export function describeSockets(): void {
  describeCall("socket", describeSocket);
  describeCall("socketpair", describeSocketpair);
  describeCall("bind", describeBind);
  describeCall("listen", describeListen);
}

function describeSocket(): void {
  it("makes sockets that fstat and /proc show", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const fd = await sys.socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
      const { kind, mode, uid, ino } = await sys.fstat(fd);
      expect([kind, mode, uid]).toEqual(["socket", 0o777, 1000]);
      expect(await sys.readlink(`/proc/self/fd/${fd}`)).toBe(`socket:[${ino}]`);
      expect(await sys.fcntl(fd, { request: "F_GETFD" })).toBe(1);
      expect(await sys.fcntl(fd, { request: "F_GETFL" })).toBe(O_NONBLOCK | 2);
      await expectErrno(sys.seek(fd, 0, 0), "ESPIPE");
      await sys.socket(AF_INET6, SOCK_DGRAM, IPPROTO_UDP);
      await sys.socket(AF_UNIX, SOCK_STREAM);
    });
    expect(test.kernel.limits.used("maxSockets")).toBe(0);
  });

  it("fails for what there is not, and at the limits", async () => {
    const test = await bootObserved({ limits: { maxOpenFds: 3, maxSockets: 2 } });
    await test.asUser(async (sys) => {
      await expectErrno(sys.socket(17, SOCK_STREAM), "EAFNOSUPPORT");
      await expectErrno(sys.socket(AF_INET, SOCK_RAW), "ESOCKTNOSUPPORT");
      await expectErrno(sys.socket(AF_UNIX, SOCK_DGRAM), "ESOCKTNOSUPPORT");
      await expectErrno(sys.socket(AF_INET, SOCK_STREAM, IPPROTO_UDP), "EPROTONOSUPPORT");
      await expectErrno(sys.socket(AF_UNIX, SOCK_STREAM, IPPROTO_TCP), "EPROTONOSUPPORT");
      await expectErrno(sys.socket(AF_INET, 0), "EINVAL");
      await expectErrno(sys.socket(AF_INET, SOCK_STREAM | O_APPEND), "EINVAL");
      const first = await sys.socket(AF_INET, SOCK_STREAM);
      await sys.socket(AF_INET, SOCK_STREAM);
      const { reason } = await expectErrno(sys.socket(AF_INET, SOCK_STREAM), "ENFILE");
      expect(reason).toBe("limit maxSockets is 2; raise limits.maxSockets of the VM");
      await sys.dup(first);
      await expectErrno(sys.socket(AF_INET, SOCK_STREAM), "EMFILE");
    });
  });
}

function describeSocketpair(): void {
  it("makes two ends that talk both ways", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const [one, other] = await sys.socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC);
      expect(await sys.fcntl(other, { request: "F_GETFD" })).toBe(1);
      await sys.write(one, encodeText("ping"));
      await sys.write(other, encodeText("pong!"));
      expect(await sys.ioctl(one, { request: "FIONREAD" })).toBe(5);
      expect(await sys.read(other, new Uint8Array(10))).toBe(4);
      expect(await sys.read(one, new Uint8Array(10))).toBe(5);
      expect(await sys.getpeername(one)).toEqual(unixAt(""));
    });
  });

  it("fails for what there is not, and at the limits", async () => {
    const limits = { maxOpenFds: 4, maxSockets: 5, maxConnections: 1 };
    const test = await bootObserved({ limits });
    await test.asUser(async (sys) => {
      await expectErrno(sys.socketpair(AF_INET, SOCK_STREAM), "ENOTSUP");
      await expectErrno(sys.socketpair(17, SOCK_STREAM), "EAFNOSUPPORT");
      await expectErrno(sys.socketpair(AF_UNIX, SOCK_RAW), "ESOCKTNOSUPPORT");
      await expectErrno(sys.socketpair(AF_UNIX, SOCK_STREAM, IPPROTO_UDP), "EPROTONOSUPPORT");
      await expectErrno(sys.socketpair(AF_UNIX, 0), "EINVAL");
      const [one, other] = await sys.socketpair(AF_UNIX, SOCK_STREAM);
      await expectErrno(sys.socketpair(AF_UNIX, SOCK_STREAM), "EAGAIN");
      expect(test.kernel.limits.used("maxSockets")).toBe(2);
      await sys.close(one);
      await sys.close(other);
      for (let i = 0; i < 3; i++) await sys.socket(AF_INET, SOCK_STREAM);
      await expectErrno(sys.socketpair(AF_UNIX, SOCK_STREAM), "EMFILE");
      await sys.socket(AF_INET, SOCK_STREAM);
      await expectErrno(sys.socketpair(AF_UNIX, SOCK_STREAM), "ENFILE");
    });
    expect(test.kernel.limits.used("maxSockets")).toBe(0);
  });
}

function describeBind(): void {
  it("takes a port, and any for port 0", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const fd = await sys.socket(AF_INET6, SOCK_STREAM);
      expect(await sys.getsockname(fd)).toEqual(inet6(0, "::"));
      await sys.bind(fd, inet6(8080, "::"));
      expect(await sys.getsockname(fd)).toEqual(inet6(8080, "::"));
      const { port } = await udpAt(sys);
      expect(port).toBeGreaterThanOrEqual(32_768);
      await expectErrno(sys.bind(fd, inet6(8081, "::")), "EINVAL");
    });
  });

  it("makes a socket's file, which outlives the socket and cannot be opened", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const fd = await sys.socket(AF_UNIX, SOCK_STREAM);
      await sys.bind(fd, unixAt("s"));
      expect(await sys.stat("s")).toMatchObject({ kind: "socket", mode: 0o755, uid: 1000 });
      expect(await sys.getsockname(fd)).toEqual(unixAt("s"));
      await expectErrno(sys.open("s", 0), "ENXIO");
      await sys.close(fd);
      const next = await sys.socket(AF_UNIX, SOCK_STREAM);
      await expectErrno(sys.bind(next, unixAt("s")), "EADDRINUSE");
      await sys.unlink("s");
      await sys.bind(next, unixAt("s"));
      await expectErrno(sys.bind(next, unixAt("t")), "EINVAL");
    });
  });

  it("takes an abstract name, and gives one where none is given", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const [one, other, third] = await threeUnix(sys);
      await sys.bind(one, unixAt("\0name"));
      await expectErrno(sys.bind(other, unixAt("\0name")), "EADDRINUSE");
      await sys.bind(other, unixAt(""));
      expect(await sys.getsockname(other)).toEqual(unixAt("\0\x30000\x31"));
      await sys.close(one);
      await sys.bind(third, unixAt("\0name"));
    });
  });

  it("fails by the address", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const fd = await sys.socket(AF_INET, SOCK_STREAM);
      await expectErrno(sys.bind(99, inet(0)), "EBADF");
      await expectErrno(sys.bind((await sys.pipe())[0], inet(0)), "ENOTSOCK");
      await expectErrno(sys.bind(fd, inet(80)), "EACCES");
      await expectErrno(sys.bind(fd, inet(0, "10.0.0.1")), "EADDRNOTAVAIL");
      await expectErrno(sys.bind(fd, inet6(0)), "EAFNOSUPPORT");
      await expectErrno(sys.bind(fd, unixAt("s")), "EAFNOSUPPORT");
      for (const address of ["", "1.2.3", "1.2.3.256", "01.2.3.4", "localhost", "::1"]) {
        await expectErrno(sys.bind(fd, inet(0, address)), "EINVAL");
      }
      for (const port of [-1, 65_536, 1.5, Number.NaN]) {
        await expectErrno(sys.bind(fd, inet(port)), "EINVAL");
      }
      await expectErrno(sys.bind(fd, undefined as never), "EINVAL");
      await expectErrno(sys.bind(fd, {} as never), "EINVAL");
      const unix = await sys.socket(AF_UNIX, SOCK_STREAM);
      await expectErrno(sys.bind(unix, inet(0)), "EINVAL");
      await expectErrno(sys.bind(unix, unixAt("x".repeat(109))), "EINVAL");
      const six = await sys.socket(AF_INET6, SOCK_STREAM);
      await sys.setsockopt(six, "IPV6_V6ONLY", 1);
      await expectErrno(sys.bind(six, inet6(0, "::ffff:127.0.0.1")), "EINVAL");
    });
  });

  it("shares ports as SO_REUSEADDR, SO_REUSEPORT and IPV6_V6ONLY say", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const { port } = await listenAt(sys, inet(0, "0.0.0.0"));
      const plain = await sys.socket(AF_INET, SOCK_STREAM);
      await expectErrno(sys.bind(plain, inet(port)), "EADDRINUSE");
      const reusing = await socketWith(sys, AF_INET, "SO_REUSEADDR");
      await expectErrno(sys.bind(reusing, inet(port)), "EADDRINUSE");
      const six = await socketWith(sys, AF_INET6);
      await expectErrno(sys.bind(six, inet6(port, "::")), "EADDRINUSE");
      await sys.setsockopt(six, "IPV6_V6ONLY", 1);
      await sys.bind(six, inet6(port, "::"));
      await sys.bind(await socketWith(sys, AF_INET, "SO_REUSEPORT"), inet(7000));
      await sys.bind(await socketWith(sys, AF_INET, "SO_REUSEPORT"), inet(7000));
      await expectErrno(sys.bind(plain, inet(7000)), "EADDRINUSE");
      await test.as(OTHER, async (others) => {
        const fd = await socketWith(others, AF_INET, "SO_REUSEPORT");
        await expectErrno(others.bind(fd, inet(7000)), "EADDRINUSE");
      });
    });
  });

  it("fails by the path", async () => {
    const test = await bootObserved({ limits: { maxInodeCount: 8 } });
    await mountReadOnly(test, "/ro");
    await test.asUser(async (sys) => {
      const fd = await sys.socket(AF_UNIX, SOCK_STREAM);
      await writeText(sys, "file", "");
      await sys.symlink("loop", "loop");
      await expectErrno(sys.bind(fd, unixAt("file")), "EADDRINUSE");
      await expectErrno(sys.bind(fd, unixAt("missing/s")), "ENOENT");
      await expectErrno(sys.bind(fd, unixAt("file/s")), "ENOTDIR");
      await expectErrno(sys.bind(fd, unixAt("loop/s")), "ELOOP");
      await expectErrno(sys.bind(fd, unixAt("/root/s")), "EACCES");
      await expectErrno(sys.bind(fd, unixAt("/ro/s")), "EROFS");
      for (let i = 0; i < 20; i++) {
        const error = await sys.mkdir(`d${i}`).catch((reason: unknown) => reason);
        if (error !== undefined) break;
      }
      await expectErrno(sys.bind(fd, unixAt("s")), "ENOSPC");
    });
  });
}

function describeListen(): void {
  it("lets connections come, at a port of its own where none was bound", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const fd = await sys.socket(AF_INET, SOCK_STREAM);
      await sys.listen(fd, 1);
      expect(await sys.getsockopt(fd, "SO_ACCEPTCONN")).toBe(1);
      const caller = await sys.socket(AF_INET, SOCK_STREAM);
      await sys.connect(caller, inet(portOf(await sys.getsockname(fd))));
      await sys.listen(fd, 100);
    });
  });

  it("fails for what cannot listen", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      await expectErrno(sys.listen(99, 1), "EBADF");
      await expectErrno(sys.listen((await sys.pipe())[0], 1), "ENOTSOCK");
      await expectErrno(sys.listen(await sys.socket(AF_INET, SOCK_DGRAM), 1), "ENOTSUP");
      await expectErrno(sys.listen(await sys.socket(AF_UNIX, SOCK_STREAM), 1), "EINVAL");
      await expectErrno(sys.listen(await sys.socket(AF_INET, SOCK_STREAM), Number.NaN), "EINVAL");
      const [end] = await sys.socketpair(AF_UNIX, SOCK_STREAM);
      await expectErrno(sys.listen(end, 1), "EINVAL");
      const fds = [await sys.socket(AF_INET, SOCK_STREAM), await sys.socket(AF_INET, SOCK_STREAM)];
      for (const fd of fds) {
        await sys.setsockopt(fd, "SO_REUSEADDR", 1);
        await sys.bind(fd, inet(8080));
      }
      await sys.listen(fds[0] ?? -1, 1);
      await expectErrno(sys.listen(fds[1] ?? -1, 1), "EADDRINUSE");
    });
  });

  it("is denied by the policy", async () => {
    const rules = [
      { mode: "deny", operations: ["listen"], patterns: ["tcp://*:8080", "udp://*"] },
    ] as const;
    const test = await bootObserved({ permissions: { network: { rules } } });
    await test.asUser(async (sys) => {
      const fd = await sys.socket(AF_INET, SOCK_STREAM);
      await sys.bind(fd, inet(8080));
      const error = await expectErrno(sys.listen(fd, 1), "EACCES");
      expect(error.message).toBe(
        "EACCES: tcp://127.0.0.1:8080: Permission denied (blocked by network.listen policy (network.rules[0]))",
      );
      await listenAt(sys, inet(8081));
      const quick = await sys.socket(AF_INET, SOCK_STREAM);
      const [listening] = [sys.listen(quick, 1), sys.bind(quick, inet(8080, "127.0.0.2"))];
      await expectErrno(listening, "EACCES");
      await expectErrno(sys.bind(await sys.socket(AF_INET, SOCK_DGRAM), inet(8081)), "EACCES");
    });
  });
}

async function threeUnix(sys: Sys): Promise<[number, number, number]> {
  const make = () => sys.socket(AF_UNIX, SOCK_STREAM);
  return [await make(), await make(), await make()];
}

async function socketWith(sys: Sys, family: number, ...options: string[]): Promise<number> {
  const fd = await sys.socket(family, SOCK_STREAM);
  for (const option of options) await sys.setsockopt(fd, option, 1);
  return fd;
}
