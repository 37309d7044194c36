// The system calls a cell may make once its jail stands; every other one fails with EPERM. The list
// is what Node 26 needs for timers, one socket it already has, threads, WebAssembly, garbage
// collection and reading its own code. It has no socket, connect, execve, ptrace, mount, unshare,
// bpf or keyctl, and nothing that names another process.
import type { ArgumentTest, Filter, SyscallName, SyscallRule } from "../../../linux/index.ts";

export interface AllowedSyscallsOptions {
  /** This process: the only one a signal may go to. */
  readonly pid: number;
  /** libuv already has an io_uring and aborts without it; true only where nothing could forbid it. */
  readonly allowIoUring: boolean;
}

export function allowedSyscalls(options: AllowedSyscallsOptions): Filter {
  const always: SyscallName[] = options.allowIoUring ? [...allowed, "io_uring_enter"] : allowed;
  return {
    rules: [
      ...always.map((call): SyscallRule => ({ call, verdict: "allow" })),
      ...conditional(options.pid),
      // Node and glibc take ENOSYS as "an older kernel" and use the calls above.
      { call: "clone3", verdict: { errno: ENOSYS } },
      { call: "io_uring_setup", verdict: { errno: ENOSYS } },
    ],
    otherwise: { errno: EPERM },
    foreign: { errno: EPERM },
  };
}

const allowed: SyscallName[] = [
  // Memory; the just-in-time compiler changes protections.
  ...(["mprotect", "munmap", "brk", "mremap", "mincore", "madvise", "membarrier"] as const),
  ...(["pkey_mprotect", "pkey_alloc", "pkey_free"] as const),
  // Threads and their signals.
  ...(["futex", "rseq", "set_robust_list", "set_tid_address", "arch_prctl", "gettid"] as const),
  ...(["sched_yield", "sched_getaffinity", "sched_getparam", "sched_getscheduler"] as const),
  ...(["getcpu", "exit", "exit_group", "restart_syscall"] as const),
  ...(["rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack"] as const),
  // Time, chance, and facts about itself.
  ...(["nanosleep", "clock_gettime", "clock_getres", "clock_nanosleep", "gettimeofday"] as const),
  ...(["getrandom", "getpid", "getppid", "getuid", "getgid", "geteuid", "getegid"] as const),
  ...(["capget", "getrusage", "times", "sysinfo", "uname", "getcwd"] as const),
  // Open files: the wire, the log, the event loop's own.
  ...(["read", "write", "readv", "writev", "pread64", "lseek", "close", "dup"] as const),
  ...(["shutdown", "fstat", "poll", "ppoll", "epoll_wait", "epoll_pwait", "epoll_ctl"] as const),
  ...(["epoll_create1", "eventfd2", "pipe2"] as const),
  ...(["getsockname", "getpeername", "getsockopt"] as const),
  // Finding its own code; what may be opened is Landlock's and the permission model's to say.
  ...(["access", "faccessat", "faccessat2", "newfstatat", "statx"] as const),
  ...(["readlink", "readlinkat"] as const),
];

function conditional(pid: number): SyscallRule[] {
  return [
    // A thread, never a process or a namespace: glibc's flags and no others.
    allow("clone", { argument: 0, is: "one-of", values: [THREAD_FLAGS] }),
    // Code comes from the compiler, not from files.
    allow("mmap", { argument: 2, mask: PROT_EXEC, is: "one-of", values: [0] }),
    allow("mmap", { argument: 3, mask: MAP_ANONYMOUS, is: "one-of", values: [MAP_ANONYMOUS] }),
    // Open for reading only.
    allow("openat", { argument: 2, mask: WRITING_FLAGS, is: "one-of", values: [0] }),
    // Descriptor and status flags, duplicates; not F_SETOWN, which aims signals at others.
    allow("fcntl", { argument: 1, is: "one-of", values: [1, 2, 3, 4, F_DUPFD_CLOEXEC] }),
    // FIONBIO, FIONCLEX, FIOCLEX.
    allow("ioctl", { argument: 1, is: "one-of", values: [0x5421, 0x5450, 0x5451] }),
    // PR_SET_NAME and PR_SET_VMA, the names of threads and of memory.
    allow("prctl", { argument: 0, is: "one-of", values: [15, 0x53564d41] }),
    // Signals at itself: abort(3) and raise(3).
    allow("kill", { argument: 0, is: "one-of", values: [pid] }),
    allow("tgkill", { argument: 0, is: "one-of", values: [pid] }),
    // Reads its own limits.
    allow(
      "prlimit64",
      { argument: 0, is: "one-of", values: [0] },
      { argument: 2, is: "one-of", values: [0], wide: true },
    ),
  ];
}

function allow(call: SyscallName, ...when: readonly ArgumentTest[]): SyscallRule {
  return { call, verdict: "allow", when };
}

/**
 * What glibc's pthread_create gives clone(2): CLONE_VM, FS, FILES, SIGHAND, THREAD, SYSVSEM, SETTLS, PARENT_SETTID and
 * CHILD_CLEARTID. The kernel ignores the upper half of the register.
 */
const THREAD_FLAGS = 0x3d0f00;
/** sys/mman.h */
const PROT_EXEC = 4;
const MAP_ANONYMOUS = 0x20;
/** O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND, and the bit that makes O_TMPFILE, see asm-generic/fcntl.h. */
const WRITING_FLAGS = 0o3 | 0o100 | 0o1000 | 0o2000 | 0o20000000;
const F_DUPFD_CLOEXEC = 1030;
const EPERM = 1;
const ENOSYS = 38;
