// Attacks by system call, past everything JavaScript can be told not to do.
import { findSyscallNumber, type SyscallName } from "../../linux/index.ts";
import { type LibcArgument, LibcError } from "../confinement/libc.ts";
import { filterArchitecture } from "../confinement/seccomp.ts";
import type { Attack, AttackTargets } from "./attack.ts";

export const nativeAttacks: readonly Attack[] = [
  native(
    "read-host-file",
    "reads a file of the host",
    ["landlock", "own-files"],
    (call, { hostFile }) => {
      return open(call, hostFile, O_RDONLY);
    },
  ),
  native(
    "read-server-environment",
    "reads the server's environment from /proc",
    ["landlock", "own-user", "own-files"],
    (call, { serverPid }) => {
      return open(call, `/proc/${serverPid}/environ`, O_RDONLY);
    },
  ),
  native(
    "open-device",
    "opens a device of the host",
    ["landlock", "own-files"],
    (call, { device }) => {
      return open(call, device, O_RDONLY);
    },
  ),
  native(
    "write-host-file",
    "creates a file on the host",
    ["landlock", "own-files", "seccomp"],
    (call, { newFile }) => {
      return open(call, newFile, O_WRONLY_CREAT);
    },
  ),
  native(
    "connect-tcp",
    "connects to a server on the loopback interface",
    ["landlock", "own-network", "seccomp"],
    (call, { tcpPort }) => {
      const address = new DataView(new ArrayBuffer(16));
      address.setUint16(0, AF_INET, true);
      address.setUint16(2, tcpPort, false);
      address.setUint32(4, 0x7f000001, false);
      const socket = call("socket", AF_INET, SOCK_STREAM, 0);
      return call("connect", socket, new Uint8Array(address.buffer), 16);
    },
  ),
  native(
    "connect-unix-socket",
    "connects to a unix socket, such as docker's",
    ["own-files", "seccomp"],
    (call, { unixSocket }) => {
      const address = Buffer.concat([
        Buffer.from([AF_UNIX, 0]),
        Buffer.from(unixSocket),
        Buffer.from([0]),
      ]);
      return call("connect", call("socket", AF_UNIX, SOCK_STREAM, 0), address, address.length);
    },
  ),
  native(
    "connect-abstract-socket",
    "connects to a unix socket that has no file, such as X11's",
    ["landlock", "own-network", "seccomp"],
    (call, { abstractSocket }) => {
      const address = Buffer.from(`\x01\0\0${abstractSocket}`, "latin1");
      const socket = call("socket", AF_UNIX, SOCK_STREAM, 0);
      return call("connect", socket, address, address.length);
    },
  ),
  native(
    "join-shared-memory",
    "opens shared memory of the host",
    ["own-ipc", "seccomp"],
    (call, { sharedMemoryKey }) => call("shmget", sharedMemoryKey, 0, 0),
  ),
  native("open-udp-socket", "makes a UDP socket", ["seccomp"], (call) =>
    call("socket", AF_INET, SOCK_DGRAM, 0),
  ),
  native(
    "signal-server",
    "sends a signal to the server",
    ["landlock", "own-processes", "seccomp"],
    (call, { serverPid }) => {
      return call("kill", serverPid, 0);
    },
  ),
  native(
    "trace-server",
    "attaches to the server as a debugger",
    ["landlock", "own-user", "own-processes", "seccomp"],
    (call, { serverPid }) => {
      return call("ptrace", PTRACE_SEIZE, serverPid, 0, 0);
    },
  ),
  native(
    "make-io-uring",
    "makes an io_uring, whose calls no filter sees",
    ["io-uring-off", "seccomp"],
    (call) => {
      return call("io_uring_setup", 1, new Uint8Array(120));
    },
  ),
  native(
    "map-by-memory-file",
    "makes a file in memory to run a program from",
    ["seccomp"],
    (call) => {
      return call("memfd_create", Buffer.from("probe\0"), 0);
    },
  ),
  native(
    "raise-limit",
    "changes the limits of the server",
    ["own-processes", "seccomp"],
    (call, { serverPid }) => {
      return call("prlimit64", serverPid, RLIMIT_CORE, 0, new Uint8Array(16));
    },
  ),
  {
    ...native(
      "enter-namespace",
      "leaves the host's namespaces",
      ["no-capabilities", "seccomp"],
      (call) => call("unshare", CLONE_NEWUTS),
    ),
    needsRoot: true,
  },
  {
    name: "start-many-threads",
    route: "native",
    says: "starts threads until the host has no pids left",
    stoppedBy: ["few-threads"],
    run: (_targets, libc) => {
      if (libc === undefined) throw new Error("no libc");
      return withErrnoNames(() => {
        for (let count = 0; count < MANY_THREADS; count++) libc.startThread(PROBE_SECONDS);
        return `${MANY_THREADS} threads`;
      });
    },
  },
  {
    name: "start-program",
    route: "native",
    says: "starts a program of the host",
    stoppedBy: ["landlock", "own-files", "seccomp"],
    run: ({ program }, libc) => {
      if (libc === undefined) throw new Error("no libc");
      return withErrnoNames(() => `pid ${libc.posixSpawn(program)}`);
    },
  },
];

type Call = (name: SyscallName, ...args: LibcArgument[]) => number;

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
      const call: Call = (called, ...args) => libc.syscall(called, numberOf(called), ...args);
      return withErrnoNames(() => `returned ${run(call, targets)}`);
    },
  };
}

function numberOf(call: SyscallName): number {
  const architecture = filterArchitecture();
  const number = architecture && findSyscallNumber(call, architecture);
  if (number === undefined) throw new Error(`there is no ${call} here`);
  return number;
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
  return call("openat", AT_FDCWD, Buffer.from(`${path}\0`), flags, 0o600);
}

function errnoName(errno: number): string {
  return (
    new Map([
      [1, "EPERM"],
      [2, "ENOENT"],
      [3, "ESRCH"],
      [11, "EAGAIN"],
      [13, "EACCES"],
      [38, "ENOSYS"],
    ]).get(errno) ?? `errno ${errno}`
  );
}

const MANY_THREADS = 2_000;
const PROBE_SECONDS = 20;
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
