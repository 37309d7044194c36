// Who the accounts of a sandbox with a root of its own are to this host: root in it is the server's user, or for a
// server that is root an id that nobody has; its other accounts are ids lent to that user, see subuid(5).
import { type ChildProcess, execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { userInfo } from "node:os";
import type { Duplex } from "node:stream";
import { promisify } from "node:util";
import { SandboxError } from "../../provider.ts";
import { findProgram } from "./find-program.ts";
import type { HostIds } from "./host-ids.ts";
import { channelOf } from "./lent-contents.ts";

/** `count` ids from `inside` on are those from `outside` on to the host. */
export type IdRange = readonly [inside: number, outside: number, count: number];

export interface IdMaps {
  /** All accounts of a Linux, or root alone. */
  readonly kind: "range" | "single";
  readonly uids: readonly IdRange[];
  readonly gids: readonly IdRange[];
  /** Who writes them: the server itself, or the two programs that may for a plain user. */
  readonly mappers: { readonly uids: string; readonly gids: string } | undefined;
}

export interface IdMapOptions {
  readonly isRoot: boolean;
  /** Who sandboxes are. */
  readonly ids: HostIds;
  /** Where subordinate ids are listed. */
  readonly files?: { readonly uids: string; readonly gids: string };
}

/** The best that this host has for its user. */
export function findIdMaps({ isRoot, ids, files = listings }: IdMapOptions): IdMaps {
  const { uid, gid } = ids;
  if (isRoot)
    return {
      kind: "range",
      uids: [[0, uid, ACCOUNTS]],
      gids: [[0, gid, ACCOUNTS]],
      mappers: undefined,
    };
  const single = { kind: "single", uids: [[0, uid, 1]], gids: [[0, gid, 1]] } as const;
  const mappers = { uids: findProgram("newuidmap"), gids: findProgram("newgidmap") };
  const lent = { uids: findLentIds(files.uids, uid), gids: findLentIds(files.gids, uid) };
  if (mappers.uids === undefined || mappers.gids === undefined)
    return { ...single, mappers: undefined };
  if (lent.uids === undefined || lent.gids === undefined) return { ...single, mappers: undefined };
  return {
    kind: "range",
    uids: [...single.uids, lent.uids],
    gids: [...single.gids, lent.gids],
    mappers: { uids: mappers.uids, gids: mappers.gids },
  };
}

/** As many accounts as files can belong to by a 16-bit id: what images are made for. */
const ACCOUNTS = 65_536;
/** The highest account that packages themselves make is 999, and nobody is 65534. */
const FEWEST_LENT = 1000;
const listings = { uids: "/etc/subuid", gids: "/etc/subgid" };

/** `name:start:count` or `uid:start:count`. */
function findLentIds(file: string, uid: number): IdRange | undefined {
  const names = new Set([String(uid), readUserName()]);
  for (const line of readLines(file)) {
    const [name = "", start, count] = line.split(":");
    const lent = Math.min(Number(count), ACCOUNTS - 1);
    if (names.has(name) && Number(start) > 0 && lent >= FEWEST_LENT)
      return [1, Number(start), lent];
  }
  return undefined;
}

function readUserName(): string {
  try {
    return userInfo().username;
  } catch {
    // Somebody without an account.
    return "";
  }
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}

/**
 * Waits until the launcher is in its user namespace, says there which ids are which, and lets it go on. A launcher
 * that fails says so itself. SandboxError "failed".
 */
export async function mapIds(child: ChildProcess, descriptor: number, maps: IdMaps): Promise<void> {
  const channel = channelOf(child, descriptor);
  if (channel === undefined || child.pid === undefined) return;
  if (!(await hearsByte(channel))) return;
  await writeMaps(child.pid, maps).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SandboxError("failed", `The accounts of a sandbox cannot be mapped: ${reason}`);
  });
  channel.end("m");
}

function hearsByte(channel: Duplex): Promise<boolean> {
  return new Promise((resolve) => {
    channel.once("data", () => resolve(true));
    channel.once("end", () => resolve(false));
    channel.once("error", () => resolve(false));
    channel.once("close", () => resolve(false));
  });
}

async function writeMaps(pid: number, { kind, uids, gids, mappers }: IdMaps): Promise<void> {
  if (mappers !== undefined) {
    await promisify(execFile)(mappers.uids, [String(pid), ...uids.flat().map(String)]);
    await promisify(execFile)(mappers.gids, [String(pid), ...gids.flat().map(String)]);
    return;
  }
  // See user_namespaces(7): who is not root maps one group only without a say in groups.
  if (kind === "single") await writeFile(`/proc/${pid}/setgroups`, "deny");
  await writeFile(`/proc/${pid}/uid_map`, uids.map((range) => range.join(" ")).join("\n"));
  await writeFile(`/proc/${pid}/gid_map`, gids.map((range) => range.join(" ")).join("\n"));
}
