/** Who the processes of a local sandbox are to this host; the workspace's files belong to them. */
export interface HostIds {
  readonly uid: number;
  readonly gid: number;
}

/**
 * A server that runs as root never lends its own identity: root inside a user namespace of root's can write
 * the kernel's settings (/proc/sys/kernel/core_pattern). Sandboxes then belong to an id that nobody has.
 */
export function findHostIds(): HostIds {
  const uid = process.getuid?.() ?? 0;
  if (uid === 0) return { uid: UNUSED_ID, gid: UNUSED_ID };
  return { uid, gid: process.getgid?.() ?? uid };
}

export function isHostRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Where useradd starts to lend out subordinate ids, see login.defs(5); no account has it. */
const UNUSED_ID = 100_000;
