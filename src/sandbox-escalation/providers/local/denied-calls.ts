// The system calls that a local sandbox is refused, with their numbers: what reaches the host beside the
// namespaces (vsock, io_uring, keys), what makes namespaces, and what only the host's administrator needs.
// Numbers: asm/unistd_64.h of x86 and asm-generic/unistd.h; from 424 on both have the same.

export interface DeniedCall {
  readonly name: string;
  readonly numbers: { readonly x64?: number; readonly arm64?: number };
  readonly errno: number;
  /** Refused only so; the low 32 bits of one argument, which are all that the kernel looks at. */
  readonly when?: ArgumentTest;
}

export interface ArgumentTest {
  readonly argument: 0 | 1 | 2 | 3 | 4 | 5;
  readonly mask?: number;
  readonly is: "one-of" | "none-of";
  readonly values: readonly number[];
}

const EPERM = 1;
const ENOSYS = 38;
const EOPNOTSUPP = 95;
const EAFNOSUPPORT = 97;

/** CLONE_NEW* of sched.h, and CLONE_NEWTIME. */
const NEW_NAMESPACES = 0x7e020080;
/** For clone(2), whose low byte is the signal. */
const NEW_NAMESPACES_OF_CLONE = 0x7e020000;
/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK: no vsock, packet, algorithm, bluetooth… sockets. */
const FAMILIES = [1, 2, 10, 16];
/** The ioctls that type into a terminal: TIOCSTI and TIOCLINUX. */
const TYPING_REQUESTS = [0x5412, 0x541c];
/** fallocate(2) and its three ioctls take gigabytes of disk at once: programs write instead. Holes may be made: PUNCH_HOLE, KEEP_SIZE. */
const MAKE_HOLE = 3;
const PREALLOCATIONS = [0x40305828, 0x4030582a, 0x40305839];
/** A file of ours that takes its owner's rights wherever it runs outside. */
const S_ISUID = 0o4000;

export const deniedCalls: readonly DeniedCall[] = [
  { name: "clone3", numbers: both(435), errno: ENOSYS },
  {
    name: "clone",
    numbers: { x64: 56, arm64: 220 },
    errno: EPERM,
    when: { argument: 0, mask: NEW_NAMESPACES_OF_CLONE, is: "none-of", values: [0] },
  },
  {
    name: "unshare",
    numbers: { x64: 272, arm64: 97 },
    errno: EPERM,
    when: { argument: 0, mask: NEW_NAMESPACES, is: "none-of", values: [0] },
  },
  {
    name: "socket",
    numbers: { x64: 41, arm64: 198 },
    errno: EAFNOSUPPORT,
    when: { argument: 0, is: "none-of", values: FAMILIES },
  },
  {
    name: "socketpair",
    numbers: { x64: 53, arm64: 199 },
    errno: EAFNOSUPPORT,
    when: { argument: 0, is: "none-of", values: [1] },
  },
  {
    name: "ioctl",
    numbers: { x64: 16, arm64: 29 },
    errno: EPERM,
    when: { argument: 1, is: "one-of", values: TYPING_REQUESTS },
  },
  {
    name: "fallocate",
    numbers: { x64: 285, arm64: 47 },
    errno: EOPNOTSUPP,
    when: { argument: 1, is: "none-of", values: [MAKE_HOLE] },
  },
  {
    name: "ioctl",
    numbers: { x64: 16, arm64: 29 },
    errno: EOPNOTSUPP,
    when: { argument: 1, is: "one-of", values: PREALLOCATIONS },
  },
  withSetuid("chmod", { x64: 90 }, 1),
  withSetuid("fchmod", { x64: 91, arm64: 52 }, 1),
  withSetuid("fchmodat", { x64: 268, arm64: 53 }, 2),
  withSetuid("fchmodat2", both(452), 2),
  withSetuid("open", { x64: 2 }, 2),
  withSetuid("openat", { x64: 257, arm64: 56 }, 3),
  withSetuid("creat", { x64: 85 }, 1),
  withSetuid("mknod", { x64: 133 }, 1),
  withSetuid("mknodat", { x64: 259, arm64: 33 }, 2),
  // Its mode is in memory, where a filter cannot look; callers fall back to openat.
  { name: "openat2", numbers: both(437), errno: ENOSYS },
  ...refused({
    setns: { x64: 308, arm64: 268 },
    mount: { x64: 165, arm64: 40 },
    umount2: { x64: 166, arm64: 39 },
    pivot_root: { x64: 155, arm64: 41 },
    open_tree: both(428),
    move_mount: both(429),
    fsopen: both(430),
    fsconfig: both(431),
    fsmount: both(432),
    fspick: both(433),
    mount_setattr: both(442),
    open_tree_attr: both(467),
    io_uring_setup: both(425),
    io_uring_enter: both(426),
    io_uring_register: both(427),
    bpf: { x64: 321, arm64: 280 },
    perf_event_open: { x64: 298, arm64: 241 },
    userfaultfd: { x64: 323, arm64: 282 },
    add_key: { x64: 248, arm64: 217 },
    request_key: { x64: 249, arm64: 218 },
    keyctl: { x64: 250, arm64: 219 },
    open_by_handle_at: { x64: 304, arm64: 265 },
    fanotify_init: { x64: 300, arm64: 262 },
    pidfd_getfd: both(438),
    kcmp: { x64: 312, arm64: 272 },
    kexec_load: { x64: 246, arm64: 104 },
    kexec_file_load: { x64: 320, arm64: 294 },
    init_module: { x64: 175, arm64: 105 },
    finit_module: { x64: 313, arm64: 273 },
    delete_module: { x64: 176, arm64: 106 },
    quotactl: { x64: 179, arm64: 60 },
    quotactl_fd: both(443),
    acct: { x64: 163, arm64: 89 },
    swapon: { x64: 167, arm64: 224 },
    swapoff: { x64: 168, arm64: 225 },
    reboot: { x64: 169, arm64: 142 },
    syslog: { x64: 103, arm64: 116 },
    settimeofday: { x64: 164, arm64: 170 },
    clock_settime: { x64: 227, arm64: 112 },
    clock_adjtime: { x64: 305, arm64: 266 },
    adjtimex: { x64: 159, arm64: 171 },
    vhangup: { x64: 153, arm64: 58 },
    lookup_dcookie: { x64: 212, arm64: 18 },
    nfsservctl: { x64: 180, arm64: 42 },
    iopl: { x64: 172 },
    ioperm: { x64: 173 },
    modify_ldt: { x64: 154 },
    uselib: { x64: 134 },
    ustat: { x64: 136 },
    sysfs: { x64: 139 },
    _sysctl: { x64: 156 },
    create_module: { x64: 174 },
  }),
];

/** Whose root a sandbox has: the host's tools, or one of its own with the ids of many accounts or of one. */
export type FilterRoot = "host" | "range" | "single";

/**
 * Packages hold setuid files: in a root of its own a sandbox may have them. They have no effect inside, and outside
 * nobody but the server's user gets to them. Where there is one account, giving a file away does nothing.
 */
export function listDeniedCalls(root: FilterRoot): readonly DeniedCall[] {
  if (root === "host") return deniedCalls;
  const denied = deniedCalls.filter(({ when }) => when?.mask !== S_ISUID);
  return root === "range" ? denied : [...denied, ...withoutEffect];
}

const withoutEffect: readonly DeniedCall[] = [
  { name: "chown", numbers: { x64: 92 }, errno: 0 },
  { name: "fchown", numbers: { x64: 93, arm64: 55 }, errno: 0 },
  { name: "lchown", numbers: { x64: 94 }, errno: 0 },
  { name: "fchownat", numbers: { x64: 260, arm64: 54 }, errno: 0 },
];

function both(number: number): { readonly x64: number; readonly arm64: number } {
  return { x64: number, arm64: number };
}

function withSetuid(
  name: string,
  numbers: DeniedCall["numbers"],
  argument: ArgumentTest["argument"],
): DeniedCall {
  const when = { argument, mask: S_ISUID, is: "none-of", values: [0] } as const;
  return { name, numbers, errno: EPERM, when };
}

function refused(calls: Readonly<Record<string, DeniedCall["numbers"]>>): DeniedCall[] {
  return Object.entries(calls).map(([name, numbers]) => ({ name, numbers, errno: EPERM }));
}
