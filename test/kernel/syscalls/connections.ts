import { expect, it } from "vitest";
import { O_APPEND, O_CLOEXEC, O_NONBLOCK } from "../../../src/kernel/abi/open-flags.ts";
import { POLLERR, POLLHUP, POLLIN, POLLNVAL, POLLOUT } from "../../../src/kernel/abi/poll.ts";
import {
  AF_INET,
  AF_INET6,
  AF_UNIX,
  AF_UNSPEC,
  SOCK_DGRAM,
  SOCK_NONBLOCK,
  SOCK_STREAM,
} from "../../../src/kernel/abi/socket.ts";
import type { Sys } from "../../../src/kernel/syscalls/sys.ts";
import { inet, inet6, listenAt, portOf, udpAt, unixAt } from "../../support/sockets.ts";
import { bootObserved, describeCall, expectErrno } from "../../support/syscall-coverage.ts";
import { readText, writeText } from "../../support/test-kernel.ts";
import { outcome } from "../../support/waiter.ts";
import { interrupted } from "./situations.ts";

const ECONNREFUSED = 111;

export function describeConnections(): void {
  describeCall("accept", describeAccept);
  describeCall("connect", describeConnect);
}

function describeAccept(): void {
  it("waits for a connection, and gives who has come", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const { fd, port } = await listenAt(sys, inet6(0, "::"));
      const waiting = sys.accept(fd, O_NONBLOCK | O_CLOEXEC);
      expect(await outcome(waiting)).toBe("waits");
      const caller = await sys.socket(AF_INET, SOCK_STREAM);
      await sys.connect(caller, inet(port));
      const own = portOf(await sys.getsockname(caller));
      const accepted = await waiting;
      expect(accepted.address).toEqual(inet6(own, "::ffff:127.0.0.1"));
      expect(await sys.getsockname(accepted.fd)).toEqual(inet6(port, "::ffff:127.0.0.1"));
      expect(await sys.fcntl(accepted.fd, { request: "F_GETFL" })).toBe(O_NONBLOCK | 2);
      expect(await sys.fcntl(accepted.fd, { request: "F_GETFD" })).toBe(1);
    });
  });

  it("does not wait under O_NONBLOCK, and polls readable", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const { fd, port } = await listenAt(sys);
      await sys.fcntl(fd, { request: "F_SETFL", flags: O_NONBLOCK });
      await expectErrno(sys.accept(fd), "EAGAIN");
      const polling = sys.poll([{ fd, events: POLLIN }]);
      expect(await outcome(polling)).toBe("waits");
      await sys.connect(await sys.socket(AF_INET, SOCK_STREAM), inet(port));
      expect(await polling).toEqual([POLLIN]);
      await sys.accept(fd);
      expect(await sys.poll([{ fd, events: POLLIN }], 0)).toEqual([0]);
    });
  });

  it("ends a poll of a socket that is closed meanwhile", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const { fd, port } = await listenAt(sys);
      const polling = sys.poll([{ fd, events: POLLIN }]);
      await sys.close(fd);
      expect(await polling).toEqual([POLLNVAL]);
      await listenAt(sys, inet(port));
    });
  });

  it("fails for what does not listen, and keeps what it has no room for", async () => {
    const test = await bootObserved({ limits: { maxOpenFds: 5, maxSockets: 4 } });
    await test.asUser(async (sys) => {
      await expectErrno(sys.accept(99), "EBADF");
      const [end] = await sys.pipe();
      await expectErrno(sys.accept(end), "ENOTSOCK");
      await sys.close(end);
      const { fd, port } = await listenAt(sys);
      await interrupted(sys, (own) => own.accept(fd));
      await expectErrno(sys.accept(fd, O_APPEND), "EINVAL");
      const caller = await sys.socket(AF_INET, SOCK_STREAM);
      await expectErrno(sys.accept(caller), "EINVAL");
      await sys.connect(caller, inet(port));
      const others = [await sys.dup(fd), await sys.socket(AF_INET, SOCK_DGRAM)];
      await expectErrno(sys.accept(others[1] ?? -1), "ENOTSUP");
      await expectErrno(sys.accept(fd), "EMFILE");
      await sys.close(others[0] ?? -1);
      const extra = await test.sys.socket(AF_INET, SOCK_STREAM);
      await expectErrno(sys.accept(fd), "ENFILE");
      await test.sys.close(extra);
      await sys.accept(fd);
    });
  });
}

function describeConnect(): void {
  it("connects by either address of the machine, and tells both ends who they are", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const { fd, port } = await listenAt(sys, inet(0, "0.0.0.0"));
      for (const address of ["127.0.0.1", "0.0.0.0", "127.1.2.3"]) {
        const caller = await sys.socket(AF_INET, SOCK_STREAM);
        await sys.connect(caller, inet(port, address));
        const accepted = await sys.accept(fd);
        expect(accepted.address).toEqual(await sys.getsockname(caller));
        expect(await sys.getpeername(caller)).toEqual(await sys.getsockname(accepted.fd));
      }
      const six = await sys.socket(AF_INET6, SOCK_STREAM);
      await expectErrno(sys.connect(six, inet6(port)), "ECONNREFUSED");
      await sys.connect(six, inet6(port, "::ffff:127.0.0.1"));
      await expectErrno(sys.connect(six, inet6(port)), "EISCONN");
      await expectErrno(sys.connect(fd, inet(port)), "EISCONN");
    });
  });

  it("goes on behind EINPROGRESS, and tells how it ended", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const { port } = await listenAt(sys);
      const fd = await sys.socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK);
      await expectErrno(sys.connect(fd, inet(port)), "EINPROGRESS");
      expect(await sys.poll([{ fd, events: POLLOUT }])).toEqual([POLLOUT]);
      expect(await sys.getsockopt(fd, "SO_ERROR")).toBe(0);
      await sys.connect(fd, inet(port));
      await expectErrno(sys.connect(fd, inet(port)), "EISCONN");
      const refused = await sys.socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK);
      await expectErrno(sys.connect(refused, inet(1)), "EINPROGRESS");
      const events = POLLOUT | POLLERR | POLLHUP;
      expect(await sys.poll([{ fd: refused, events: POLLOUT }])).toEqual([events]);
      expect(await sys.getsockopt(refused, "SO_ERROR")).toBe(ECONNREFUSED);
      expect(await sys.getsockopt(refused, "SO_ERROR")).toBe(0);
      await expectErrno(sys.connect(refused, inet(1)), "ECONNABORTED");
      await expectErrno(sys.connect(refused, inet(1)), "EINPROGRESS");
    });
  });

  it("waits while the queue of the listener is full", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const { fd, port } = await listenAt(sys, inet(0), 0);
      await sys.connect(await sys.socket(AF_INET, SOCK_STREAM), inet(port));
      const [second, third] = [
        await sys.socket(AF_INET, SOCK_STREAM),
        await sys.socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK),
      ];
      await interrupted(sys, (own) => own.connect(second, inet(port)));
      await expectErrno(sys.connect(third, inet(port)), "EINPROGRESS");
      await expectErrno(sys.connect(third, inet(port)), "EALREADY");
      await expectErrno(sys.read(third, new Uint8Array(1)), "EAGAIN");
      await expectErrno(sys.write(third, new Uint8Array(1)), "EAGAIN");
      expect(await sys.poll([{ fd: third, events: POLLOUT }], 0)).toEqual([0]);
      const finishing = sys.connect(second, inet(port));
      expect(await outcome(finishing)).toBe("waits");
      await sys.accept(fd);
      await finishing;
      await expectErrno(sys.connect(second, inet(port)), "EISCONN");
      await sys.close(fd);
      expect(await sys.getsockopt(third, "SO_ERROR")).toBe(ECONNREFUSED);
      await expectErrno(sys.read(second, new Uint8Array(1)), "ECONNRESET");
    });
  });

  it("finds unix sockets by path and by name", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      for (const name of ["s", "\0s"]) {
        const [fd, caller, other] = await threeUnix(sys);
        await sys.bind(fd, unixAt(name));
        await expectErrno(sys.connect(caller, unixAt(name)), "ECONNREFUSED");
        await sys.listen(fd, 0);
        if (name === "s") await sys.rename("s", "moved");
        const target = unixAt(name === "s" ? "/tmp/moved" : name);
        await sys.connect(caller, target);
        expect(await sys.getpeername(caller)).toEqual(unixAt(name));
        await sys.fcntl(other, { request: "F_SETFL", flags: O_NONBLOCK });
        await expectErrno(sys.connect(other, target), "EAGAIN");
        await sys.fcntl(other, { request: "F_SETFL", flags: 0 });
        await interrupted(sys, (own) => own.connect(other, target));
        await expectErrno(sys.connect(fd, target), "EINVAL");
        expect((await sys.accept(fd)).address).toEqual(unixAt(""));
        await sys.close(fd);
        await expectErrno(sys.connect(other, target), "ECONNREFUSED");
      }
    });
  });

  it("fails by the path", async () => {
    const test = await bootObserved();
    await test.asRoot(async (sys) => {
      await sys.umask(0o077);
      await sys.bind(await sys.socket(AF_UNIX, SOCK_STREAM), unixAt("roots"));
    });
    await test.asUser(async (sys) => {
      const fd = await sys.socket(AF_UNIX, SOCK_STREAM);
      await writeText(sys, "file", "");
      await sys.symlink("loop", "loop");
      await expectErrno(sys.connect(fd, unixAt("roots")), "EACCES");
      await expectErrno(sys.connect(fd, unixAt("missing")), "ENOENT");
      await expectErrno(sys.connect(fd, unixAt("file")), "ECONNREFUSED");
      await expectErrno(sys.connect(fd, unixAt("file/s")), "ENOTDIR");
      await expectErrno(sys.connect(fd, unixAt("loop")), "ELOOP");
      await expectErrno(sys.connect(fd, unixAt("\0nobody")), "ECONNREFUSED");
      await expectErrno(sys.connect(fd, inet(1)), "EINVAL");
    });
  });

  it("fails outside the loopback, by the policy before", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      await expectErrno(sys.connect(99, inet(1)), "EBADF");
      await expectErrno(sys.connect((await sys.pipe())[0], inet(1)), "ENOTSOCK");
      const fd = await sys.socket(AF_INET, SOCK_STREAM);
      await expectErrno(sys.connect(fd, { family: AF_UNSPEC }), "EAFNOSUPPORT");
      const denied = await expectErrno(sys.connect(fd, inet(80, "93.184.216.34")), "EACCES");
      expect(denied.reason).toBe("blocked by network.http policy (network.default)");
      await sys.setsockopt(fd, "SO_REUSEADDR", 1);
    });
    const open = await bootObserved({ permissions: { network: "allow" } });
    await open.asUser(async (sys) => {
      const fd = await sys.socket(AF_INET, SOCK_STREAM);
      await expectErrno(sys.connect(fd, inet(80, "93.184.216.34")), "ENETUNREACH");
      await sys.bind(fd, inet(0));
      const six = await sys.socket(AF_INET6, SOCK_STREAM);
      await sys.bind(six, inet6(0));
      await expectErrno(sys.connect(six, inet6(1, "::ffff:127.0.0.1")), "ENETUNREACH");
    });
    const closed = await bootObserved({ permissions: { network: "deny" } });
    await closed.asUser(async (sys) => {
      await expectErrno(sys.connect(await sys.socket(AF_INET, SOCK_STREAM), inet(1)), "EACCES");
    });
  });

  it("fails when no port is left", async () => {
    const most = 30_000;
    const test = await bootObserved({ limits: { maxOpenFds: most, maxSockets: most } });
    await test.asUser(async (sys) => {
      for (let port = 32_768; port <= 60_999; port++) {
        await sys.bind(await sys.socket(AF_INET, SOCK_STREAM), inet(port));
      }
      const fd = await sys.socket(AF_INET, SOCK_STREAM);
      await expectErrno(sys.connect(fd, inet(1)), "EADDRNOTAVAIL");
      await expectErrno(sys.bind(fd, inet(0)), "EADDRINUSE");
      await expectErrno(sys.listen(fd, 1), "EADDRINUSE");
    });
  });

  it("gives a datagram socket its peer, and takes it away", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      const [one, other] = [await udpAt(sys), await udpAt(sys, inet(0, "0.0.0.0"))];
      await sys.connect(other.fd, inet(one.port));
      expect(await sys.getsockname(other.fd)).toEqual(inet(other.port));
      expect(await sys.getpeername(other.fd)).toEqual(inet(one.port));
      await sys.connect(other.fd, { family: AF_UNSPEC });
      expect(await sys.getsockname(other.fd)).toEqual(inet(other.port, "0.0.0.0"));
      await expectErrno(sys.getpeername(other.fd), "ENOTCONN");
    });
  });

  it("shows the sockets of the VM in /proc/net", async () => {
    const test = await bootObserved();
    await test.asUser(async (sys) => {
      await listenAt(sys, inet(8080, "0.0.0.0"));
      await listenAt(sys, inet6(8081));
      const lines = (await readText(sys, "/proc/net/tcp")).split("\n");
      expect(lines[1]?.trimEnd()).toBe(
        "   0: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1 0000000000000000 100 0 0 10 0",
      );
      expect(await readText(sys, "/proc/self/net/tcp6")).toContain(
        " 00000000000000000000000001000000:1F91 00000000000000000000000000000000:0000 0A ",
      );
    });
  });
}

async function threeUnix(sys: Sys): Promise<[number, number, number]> {
  const make = () => sys.socket(AF_UNIX, SOCK_STREAM);
  return [await make(), await make(), await make()];
}
