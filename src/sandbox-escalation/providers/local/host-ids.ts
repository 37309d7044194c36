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

/**
 * The first of 65,536 ids that nobody hands out: systemd's list of ranges (UIDS-GIDS.md) ends containers below it,
 * login.defs(5) ends subordinate ids at 600100000, and the users of cells are below it, too.
 */
const UNUSED_ID = 0x7100_0000;
