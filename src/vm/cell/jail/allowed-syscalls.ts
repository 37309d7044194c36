// The system calls a cell may make once its jail stands; every other one fails with EPERM. The list
// is what Node 26 needs for timers, one socket it already has, threads, WebAssembly, garbage
// collection and reading its own code. It has no socket, connect, execve, ptrace, mount, unshare,
// bpf or keyctl, and nothing that names another process.
import type { Filter, SyscallRule } from "../../confinement/seccomp.ts";
import { auditArchitectures } from "../../confinement/seccomp.ts";

export interface AllowedSyscallsOptions {
  /** This process: the only one a signal may go to. */
  readonly pid: number;
  /** libuv already has an io_uring and aborts without it; true only where nothing could forbid it. */
  readonly allowIoUring: boolean;
}

/** The filter for x86-64, the architecture it is made for and tried on. */
export function allowedSyscalls(options: AllowedSyscallsOptions): Filter {
  const always = options.allowIoUring
    ? [...Object.values(allowed), IO_URING_ENTER]
    : Object.values(allowed);
  return {
    architecture: auditArchitectures.x64,
    rules: [
      ...always.map((number): SyscallRule => ({ number, verdict: "allow" })),
      ...conditional(options.pid),
      // Node and glibc take ENOSYS as "an older kernel" and use the calls above.
      ...[CLONE3, IO_URING_SETUP].map(
        (number): SyscallRule => ({ number, verdict: { errno: ENOSYS } }),
      ),
    ],
    otherwise: { errno: EPERM },
  };
}

/** asm/unistd_64.h */
const allowed = {
  // Memory; the just-in-time compiler changes protections.
  mmap: 9,
  mprotect: 10,
  munmap: 11,
  brk: 12,
  mremap: 25,
  mincore: 27,
  madvise: 28,
  pkey_mprotect: 329,
  pkey_alloc: 330,
  pkey_free: 331,
  membarrier: 324,
  // Threads and their signals.
  futex: 202,
  rseq: 334,
  set_robust_list: 273,
  set_tid_address: 218,
  arch_prctl: 158,
  sched_yield: 24,
  sched_getaffinity: 204,
  sched_getparam: 143,
  sched_getscheduler: 145,
  getcpu: 309,
  gettid: 186,
  exit: 60,
  exit_group: 231,
  rt_sigaction: 13,
  rt_sigprocmask: 14,
  rt_sigreturn: 15,
  sigaltstack: 131,
  restart_syscall: 219,
  // Time, chance, and facts about itself.
  nanosleep: 35,
  clock_gettime: 228,
  clock_getres: 229,
  clock_nanosleep: 230,
  gettimeofday: 96,
  getrandom: 318,
  getpid: 39,
  getppid: 110,
  getuid: 102,
  getgid: 104,
  geteuid: 107,
  getegid: 108,
  capget: 125,
  getrusage: 98,
  times: 100,
  sysinfo: 99,
  uname: 63,
  getcwd: 79,
  // Open files: the wire, the log, the event loop's own.
  read: 0,
  write: 1,
  readv: 19,
  writev: 20,
  pread64: 17,
  lseek: 8,
  close: 3,
  dup: 32,
  shutdown: 48,
  fstat: 5,
  poll: 7,
  ppoll: 271,
  epoll_wait: 232,
  epoll_pwait: 281,
  epoll_ctl: 233,
  epoll_create1: 291,
  eventfd2: 290,
  pipe2: 293,
  getsockname: 51,
  getpeername: 52,
  getsockopt: 55,
  // Finding its own code; what may be opened is Landlock's and the permission model's to say.
  access: 21,
  faccessat: 269,
  faccessat2: 439,
  newfstatat: 262,
  statx: 332,
  readlink: 89,
  readlinkat: 267,
} as const;

function conditional(pid: number): SyscallRule[] {
  return [
    // A thread, never a process.
    {
      number: 56,
      verdict: "allow",
      when: [{ argument: 0, mask: THREAD_FLAGS, oneOf: [THREAD_FLAGS] }],
    },
    // openat, for reading only.
    { number: 257, verdict: "allow", when: [{ argument: 2, mask: WRITING_FLAGS, oneOf: [0] }] },
    // fcntl: descriptor and status flags, duplicates; not F_SETOWN, which aims signals at others.
    { number: 72, verdict: "allow", when: [{ argument: 1, oneOf: [1, 2, 3, 4, F_DUPFD_CLOEXEC] }] },
    // ioctl: FIONBIO, FIONCLEX, FIOCLEX.
    { number: 16, verdict: "allow", when: [{ argument: 1, oneOf: [0x5421, 0x5450, 0x5451] }] },
    // prctl: PR_SET_NAME and PR_SET_VMA, the names of threads and of memory.
    { number: 157, verdict: "allow", when: [{ argument: 0, oneOf: [15, 0x53564d41] }] },
    // kill and tgkill, at itself: abort(3) and raise(3).
    { number: 62, verdict: "allow", when: [{ argument: 0, oneOf: [pid] }] },
    { number: 234, verdict: "allow", when: [{ argument: 0, oneOf: [pid] }] },
    // prlimit64, to read its own limits.
    {
      number: 302,
      verdict: "allow",
      when: [
        { argument: 0, oneOf: [0] },
        { argument: 2, oneOf: [0], wide: true },
      ],
    },
  ];
}

const IO_URING_SETUP = 425;
const IO_URING_ENTER = 426;
const CLONE3 = 435;
/** CLONE_VM | CLONE_THREAD, see clone(2). */
const THREAD_FLAGS = 0x00000100 | 0x00010000;
/** O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND, and the bit that makes O_TMPFILE, see asm-generic/fcntl.h. */
const WRITING_FLAGS = 0o3 | 0o100 | 0o1000 | 0o2000 | 0o20000000;
const F_DUPFD_CLOEXEC = 1030;
const EPERM = 1;
const ENOSYS = 38;
