// Users and groups: whom a process acts as, and what /etc knows of them.
import { isKernelError, KernelError, O_CLOEXEC, O_RDONLY } from "../../../../kernel/index.ts";
import type { Packed } from "../../../node/wire/pack.ts";
import { list } from "../arguments.ts";
import type { Calls, Guest } from "../guest.ts";

type Sys = Guest["sys"];

/** Of a database of /etc, no more is read. */
const DATABASE_LIMIT_BYTES = 1 << 20;

export const identityCalls: Calls = {
  async credentials({ sys }) {
    const { uid, euid, gid, egid, groups } = await sys.getcredentials();
    return { uid, euid, gid, egid, groups: [...groups] };
  },
  /** Whether there is such a user. */
  async setuid({ sys }, args) {
    const uid = await idOf(sys, "passwd", args[0]);
    if (uid === undefined) return false;
    await sys.setuid(uid);
    return true;
  },
  async setgid({ sys }, args) {
    const gid = await idOf(sys, "group", args[0]);
    if (gid === undefined) return false;
    await sys.setgid(gid);
    return true;
  },
  /** 0, or the place (from 1) of a group that there is not. */
  async setgroups({ sys }, args) {
    const groups: number[] = [];
    for (const [at, one] of list(args, 0).entries()) {
      const gid = await idOf(sys, "group", one);
      if (gid === undefined) return at + 1;
      groups.push(gid);
    }
    await sys.setgroups(groups);
    return 0;
  },
  /** 0; 1 without such a user, 2 without such a group. */
  async initgroups({ sys }, args) {
    const user = typeof args[0] === "string" ? args[0] : (await findUser(sys, args[0]))?.[0];
    if (user === undefined) return 1;
    const gid = await idOf(sys, "group", args[1]);
    if (gid === undefined) return 2;
    const others = (await rows(sys, "group"))
      .filter(([, , , members = ""]) => members.split(",").includes(user))
      .map(([, , id]) => Number(id));
    await sys.setgroups([...new Set([gid, ...others])]);
    return 0;
  },
  /** ENOENT for a user that /etc/passwd does not have. */
  async userInfo({ sys }) {
    const { uid } = await sys.getcredentials();
    const [username = "", , id, gid, , homedir = "", shell = ""] = (await findUser(sys, uid)) ?? [];
    if (id === undefined) throw new KernelError("ENOENT");
    return { uid: Number(id), gid: Number(gid), username, homedir, shell };
  },
};

async function findUser(sys: Sys, who: Packed): Promise<string[] | undefined> {
  const users = await rows(sys, "passwd");
  return users.find(([name, , uid]) =>
    typeof who === "string" ? name === who : Number(uid) === who,
  );
}

/** A number is one's id as it is; a name is looked up. */
async function idOf(sys: Sys, database: string, who: Packed): Promise<number | undefined> {
  if (typeof who === "number") return who >>> 0;
  if (typeof who !== "string") throw new KernelError("EINVAL");
  const row = (await rows(sys, database)).find(([name]) => name === who);
  return row === undefined ? undefined : Number(row[2]);
}

/** The lines of /etc/passwd or /etc/group, in their fields; none where it cannot be read. */
async function rows(sys: Sys, database: string): Promise<string[][]> {
  try {
    const fd = await sys.open(`/etc/${database}`, O_RDONLY | O_CLOEXEC);
    try {
      const content = await readUpTo(sys, fd, DATABASE_LIMIT_BYTES);
      const lines = new TextDecoder().decode(content).split("\n");
      return lines.filter((line) => line !== "").map((line) => line.split(":"));
    } finally {
      await sys.close(fd);
    }
  } catch (error) {
    if (isKernelError(error)) return [];
    throw error;
  }
}

async function readUpTo(sys: Sys, fd: number, limit: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let size = 0; size < limit; ) {
    const into = new Uint8Array(16_384);
    const count = await sys.read(fd, into);
    if (count === 0) break;
    parts.push(into.subarray(0, count));
    size += count;
  }
  return Buffer.concat(parts);
}
