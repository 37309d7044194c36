// Attacks by system call, past everything JavaScript can be told not to do. Numbers are x86-64's; on
// another architecture these rows are not tried.
import { type LibcArgument, LibcError } from "../confinement/libc.ts";
import type { Attack, AttackTargets } from "./attack.ts";

export const nativeAttacks: readonly Attack[] = [
  native("read-host-file", "reads a file of the host", ["landlock"], (call, { hostFile }) => {
    return open(call, hostFile, O_RDONLY);
  }),
  native(
    "read-server-environment",
    "reads the server's environment from /proc",
    ["landlock"],
    (call, { serverPid }) => {
      return open(call, `/proc/${serverPid}/environ`, O_RDONLY);
    },
  ),
  native("open-device", "opens a device of the host", ["landlock"], (call, { device }) => {
    return open(call, device, O_RDONLY);
  }),
  native(
    "write-host-file",
    "creates a file on the host",
    ["landlock", "seccomp"],
    (call, { newFile }) => {
      return open(call, newFile, O_WRONLY_CREAT);
    },
  ),
  native(
    "connect-tcp",
    "connects to a server on the loopback interface",
    ["landlock", "seccomp"],
    (call, { tcpPort }) => {
      const address = new DataView(new ArrayBuffer(16));
      address.setUint16(0, AF_INET, true);
      address.setUint16(2, tcpPort, false);
      address.setUint32(4, 0x7f000001, false);
      const socket = call("socket", 41, AF_INET, SOCK_STREAM, 0);
      return call("connect", 42, socket, new Uint8Array(address.buffer), 16);
    },
  ),
  native(
    "connect-unix-socket",
    "connects to a unix socket, such as docker's",
    ["seccomp"],
    (call, { unixSocket }) => {
      const address = Buffer.concat([
        Buffer.from([AF_UNIX, 0]),
        Buffer.from(unixSocket),
        Buffer.from([0]),
      ]);
      return call(
        "connect",
        42,
        call("socket", 41, AF_UNIX, SOCK_STREAM, 0),
        address,
        address.length,
      );
    },
  ),
  native("open-udp-socket", "makes a UDP socket", ["seccomp"], (call) =>
    call("socket", 41, AF_INET, SOCK_DGRAM, 0),
  ),
  native(
    "signal-server",
    "sends a signal to the server",
    ["landlock", "seccomp"],
    (call, { serverPid }) => {
      return call("kill", 62, serverPid, 0);
    },
  ),
  native(
    "trace-server",
    "attaches to the server as a debugger",
    ["landlock", "seccomp"],
    (call, { serverPid }) => {
      return call("ptrace", 101, PTRACE_SEIZE, serverPid, 0, 0);
    },
  ),
  native(
    "make-io-uring",
    "makes an io_uring, whose calls no filter sees",
    ["io-uring-off", "seccomp"],
    (call) => {
      return call("io_uring_setup", 425, 1, new Uint8Array(120));
    },
  ),
  native(
    "map-by-memory-file",
    "makes a file in memory to run a program from",
    ["seccomp"],
    (call) => {
      return call("memfd_create", 319, Buffer.from("probe\0"), 0);
    },
  ),
  native("raise-limit", "changes the limits of the server", ["seccomp"], (call, { serverPid }) => {
    return call("prlimit64", 302, serverPid, RLIMIT_CORE, 0, new Uint8Array(16));
  }),
  {
    ...native("enter-namespace", "leaves the host's namespaces", ["seccomp"], (call) =>
      call("unshare", 272, CLONE_NEWUTS),
    ),
    needsRoot: true,
  },
  {
    name: "start-program",
    route: "native",
    says: "starts a program of the host",
    stoppedBy: ["landlock", "seccomp"],
    run: ({ program }, libc) => {
      if (libc === undefined) throw new Error("no libc");
      return withErrnoNames(() => `pid ${libc.posixSpawn(program)}`);
    },
  },
];

type Call = (name: string, number: number, ...args: LibcArgument[]) => number;

function native(
  name: string,
  says: string,
  stoppedBy: Attack["stoppedBy"],
  run: (call: Call, targets: AttackTargets) => number,
): Attack {
  return {
    name,
    route: "native",
    says,
    stoppedBy,
    run: (targets, libc) => {
      if (libc === undefined) throw new Error("no libc");
      return withErrnoNames(() => `returned ${run((...args) => libc.syscall(...args), targets)}`);
    },
  };
}

function withErrnoNames(attempt: () => string): string {
  try {
    return attempt();
  } catch (error) {
    throw error instanceof LibcError
      ? new Error(`${error.call}: ${errnoName(error.errno)}`)
      : error;
  }
}

function open(call: Call, path: string, flags: number): number {
  return call("openat", 257, AT_FDCWD, Buffer.from(`${path}\0`), flags, 0o600);
}

function errnoName(errno: number): string {
  return (
    new Map([
      [1, "EPERM"],
      [13, "EACCES"],
      [38, "ENOSYS"],
    ]).get(errno) ?? `errno ${errno}`
  );
}

/** fcntl.h, sys/socket.h, sys/ptrace.h, sys/resource.h, sched.h */
const AT_FDCWD = -100;
const O_RDONLY = 0;
const O_WRONLY_CREAT = 0o101;
const AF_UNIX = 1;
const AF_INET = 2;
const SOCK_STREAM = 1;
const SOCK_DGRAM = 2;
const PTRACE_SEIZE = 0x4206;
const RLIMIT_CORE = 4;
const CLONE_NEWUTS = 0x04000000;
