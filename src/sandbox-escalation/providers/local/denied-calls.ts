// The system calls that a local sandbox is refused with a reason of their own: what reaches the host beside the namespaces
// (vsock, io_uring, keys), what makes namespaces, and what only the host's administrator needs. Behind them comes the list of
// allowed-calls.ts, and nothing else.
import type { ArgumentTest, Filter, SyscallName, SyscallRule } from "../../../linux/index.ts";
import { allowedCalls } from "./allowed-calls.ts";

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
/** A file of ours that takes its owner's or group's rights wherever it runs outside: S_ISUID and S_ISGID. */
const SET_ID = 0o6000;

export const deniedCalls: readonly SyscallRule[] = [
  refuse("clone3", ENOSYS),
  refuse("clone", EPERM, {
    argument: 0,
    mask: NEW_NAMESPACES_OF_CLONE,
    is: "none-of",
    values: [0],
  }),
  refuse("unshare", EPERM, { argument: 0, mask: NEW_NAMESPACES, is: "none-of", values: [0] }),
  refuse("socket", EAFNOSUPPORT, { argument: 0, is: "none-of", values: FAMILIES }),
  refuse("socketpair", EAFNOSUPPORT, { argument: 0, is: "none-of", values: [1] }),
  refuse("ioctl", EPERM, { argument: 1, is: "one-of", values: TYPING_REQUESTS }),
  refuse("fallocate", EOPNOTSUPP, { argument: 1, is: "none-of", values: [MAKE_HOLE] }),
  refuse("ioctl", EOPNOTSUPP, { argument: 1, is: "one-of", values: PREALLOCATIONS }),
  withSetId("chmod", 1),
  withSetId("fchmod", 1),
  withSetId("fchmodat", 2),
  withSetId("fchmodat2", 2),
  withSetId("open", 2),
  withSetId("openat", 3),
  withSetId("creat", 1),
  withSetId("mknod", 1),
  withSetId("mknodat", 2),
  // Its mode is in memory, where a filter cannot look; callers fall back to openat.
  refuse("openat2", ENOSYS),
  ...(
    [
      "setns",
      "mount",
      "umount2",
      "pivot_root",
      "open_tree",
      "move_mount",
      "fsopen",
      "fsconfig",
      "fsmount",
      "fspick",
      "mount_setattr",
      "open_tree_attr",
      "io_uring_setup",
      "io_uring_enter",
      "io_uring_register",
      "bpf",
      "perf_event_open",
      "userfaultfd",
      "add_key",
      "request_key",
      "keyctl",
      "open_by_handle_at",
      "fanotify_init",
      "pidfd_getfd",
      "kcmp",
      "kexec_load",
      "kexec_file_load",
      "init_module",
      "finit_module",
      "delete_module",
      "quotactl",
      "quotactl_fd",
      "acct",
      "swapon",
      "swapoff",
      "reboot",
      "syslog",
      "settimeofday",
      "clock_settime",
      "clock_adjtime",
      "adjtimex",
      "vhangup",
      "lookup_dcookie",
      "nfsservctl",
      "iopl",
      "ioperm",
      "modify_ldt",
      "uselib",
      "ustat",
      "sysfs",
      "_sysctl",
      "create_module",
    ] as const
  ).map((call) => refuse(call, EPERM)),
];

/** Whose root a sandbox has: the host's tools, or one of its own with the ids of many accounts or of one. */
export type FilterRoot = "host" | "range" | "single";

/**
 * The filter of a sandbox. Packages hold setuid and setgid files: in a root of its own a sandbox may have them. They have no
 * effect inside, and outside nobody but the server's user gets to them. Where there is one account, giving a file away
 * does nothing.
 */
export function sandboxFilter(root: FilterRoot = "host"): Filter {
  const allowed = allowedCalls.map((call) => ({ call, verdict: "allow" }) as const);
  const unknown = { errno: ENOSYS };
  return { rules: [...listRules(root), ...allowed], otherwise: unknown, foreign: unknown };
}

function listRules(root: FilterRoot): readonly SyscallRule[] {
  if (root === "host") return deniedCalls;
  const denied = deniedCalls.filter(({ when = [] }) => !when.some(({ mask }) => mask === SET_ID));
  return root === "range" ? denied : [...denied, ...withoutEffect];
}

const withoutEffect: readonly SyscallRule[] = (
  ["chown", "fchown", "lchown", "fchownat"] as const
).map((call) => refuse(call, 0));

function withSetId(call: SyscallName, argument: ArgumentTest["argument"]): SyscallRule {
  return refuse(call, EPERM, { argument, mask: SET_ID, is: "none-of", values: [0] });
}

function refuse(call: SyscallName, errno: number, ...when: readonly ArgumentTest[]): SyscallRule {
  return { call, verdict: { errno }, when };
}
