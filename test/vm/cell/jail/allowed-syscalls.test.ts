// What the kernel would answer to each call of a cell, by the table, on a BPF machine.
import { describe, expect, it } from "vitest";
import {
  assembleFilter,
  findSyscallNumber,
  type SyscallName,
  syscallNumbers,
} from "../../../../src/linux/index.ts";
import { allowedSyscalls } from "../../../../src/vm/cell/jail/allowed-syscalls.ts";
import { type Answer, asker, audit, judge } from "../../../linux/bpf-machine.ts";

const AT_FDCWD = 0xffffff9c;
const THREAD = 0x3d0f00;

type Row = readonly [says: string, call: SyscallName, args: readonly (number | bigint)[], Answer];

const rows: readonly Row[] = [
  ["opens for reading", "openat", [AT_FDCWD, 0, 0o2000000], "allow"],
  ["does not open for writing", "openat", [AT_FDCWD, 0, 1], 1],
  ["does not open for both", "openat", [AT_FDCWD, 0, 2], 1],
  ["does not create", "openat", [AT_FDCWD, 0, 0o100], 1],
  ["does not make a nameless file", "openat", [AT_FDCWD, 0, 0o20200000], 1],
  ["starts threads", "clone", [THREAD], "allow"],
  ["does not fork", "clone", [17], 1],
  ["does not fork by vfork's flags", "clone", [0x4111], 1],
  ["starts no thread in a new mount namespace", "clone", [THREAD | 0x00020000], 1],
  ["starts no thread in a new cgroup namespace", "clone", [THREAD | 0x02000000], 1],
  ["starts no thread in a new UTS namespace", "clone", [THREAD | 0x04000000], 1],
  ["starts no thread in a new IPC namespace", "clone", [THREAD | 0x08000000], 1],
  ["starts no thread in a new network namespace", "clone", [THREAD | 0x40000000], 1],
  ["starts no thread that shares less", "clone", [0x10100], 1],
  ["sends libc back from clone3 to clone", "clone3", [0, 0], 38],
  ["maps memory for the compiler", "mmap", [0, 4096, 7, 0x22, 0xffffffff], "allow"],
  ["maps a file to read", "mmap", [0, 4096, 1, 2, 3], "allow"],
  ["maps no file to run", "mmap", [0, 4096, 5, 2, 3], 1],
  ["signals itself", "tgkill", [4711, 4711, 6], "allow"],
  ["signals nobody else", "tgkill", [4712, 4712, 6], 1],
  ["signals no group", "kill", [0xffffffff, 9], 1],
  ["reads its own limits", "prlimit64", [0, 7, 0, 1], "allow"],
  ["sets no limits", "prlimit64", [0, 7, 0x7f0000000000n, 0], 1],
  ["reads nobody's limits", "prlimit64", [4712, 7, 0, 1], 1],
  ["aims no signals by fcntl", "fcntl", [3, 8, 1], 1],
  ["types nothing into a terminal", "ioctl", [0, 0x5412], 1],
  ["names its threads", "prctl", [15], "allow"],
  ["changes nothing else of itself", "prctl", [4], 1],
  ["has no io_uring", "io_uring_enter", [3], 1],
  ["makes no io_uring", "io_uring_setup", [1], 38],
];

/** Every call of the table that a cell may make in some way. */
const usable = new Set(
  allowedSyscalls({ pid: 4711, allowIoUring: false })
    .rules.filter(({ verdict }) => verdict === "allow")
    .map(({ call }) => call),
);

describe.each(["x64", "arm64"] as const)("allowedSyscalls for %s", (architecture) => {
  const program = assembleFilter(allowedSyscalls({ pid: 4711, allowIoUring: false }), architecture);
  const ask = asker(program, architecture);

  it.each(rows)("%s", (_says, call, args, answer) => {
    expect(ask(call, ...args)).toBe(answer);
  });

  it("refuses every other number there is", () => {
    const allowed = new Set([...usable].map((call) => findSyscallNumber(call, architecture)));
    const answers = Array.from({ length: 1024 }, (_, number) => number)
      .filter((number) => !allowed.has(number))
      .map((number) => judge(program, { number, architecture: audit[architecture] }));
    expect(new Set(answers)).toEqual(new Set([1, 38]));
  });

  it("has nothing that reaches another process, a file system, the network or a namespace", () => {
    const dangerous: SyscallName[] = [
      ...(["execve", "execveat", "ptrace", "unshare", "setns", "mount", "umount2"] as const),
      ...(["pivot_root", "socket", "socketpair", "connect", "sendmsg", "memfd_create"] as const),
      ...(["bpf", "keyctl", "add_key", "perf_event_open", "userfaultfd", "seccomp"] as const),
      ...(["open_tree", "move_mount", "fsopen", "pidfd_getfd", "kcmp"] as const),
    ];
    expect(dangerous.filter((call) => usable.has(call))).toEqual([]);
    expect(dangerous.map((call) => ask(call))).toEqual(dangerous.map(() => 1));
  });

  it("lets libuv go on with an io_uring it already has, and makes no new one", () => {
    const filter = allowedSyscalls({ pid: 1, allowIoUring: true });
    const lenient = asker(assembleFilter(filter, architecture), architecture);
    expect([lenient("io_uring_enter"), lenient("io_uring_setup")]).toEqual(["allow", 38]);
  });
});

describe("the table of numbers", () => {
  it.each(["x64", "arm64"] as const)("has no number twice for %s", (architecture) => {
    const numbers = Object.values(syscallNumbers)
      .map((row: { x64?: number; arm64?: number }) => row[architecture])
      .filter((number) => number !== undefined);
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});
