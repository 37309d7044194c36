import { encodeText, type FileSystem, type Policy } from "../kernel/index.ts";
import { HostError } from "./host-error.ts";
import type { ServedMount } from "./wire/mount-requests.ts";

/** Files of this process in a VM. The file system outlives the VM: who made it closes it. */
export interface VmMount {
  /** An absolute path in the VM; directories on the way are made. */
  readonly at: string;
  /**
   * A second place where the same is seen, unless something else is mounted there, above or below, or the policy has
   * other rules for it: a file is not to be reached by the name that they leave out.
   */
  readonly alsoAt?: string;
  readonly fileSystem: FileSystem;
  readonly isReadOnly?: boolean;
  /** What one call may take; then it fails in the VM with ETIMEDOUT. */
  readonly timeoutMs?: number;
}

/** What a cell is told of it. */
export function bootMount(
  { at, alsoAt, fileSystem, isReadOnly = false }: VmMount,
  { taken, policy }: { readonly taken: readonly string[]; readonly policy: Policy },
): ServedMount {
  const isFree =
    alsoAt !== undefined &&
    !taken.some((place) => overlap(place, alsoAt)) &&
    policy.treatsAlike(at, alsoAt);
  return {
    at,
    ...(isFree ? { alsoAt } : {}),
    type: fileSystem.type,
    isReadOnly: isReadOnly || fileSystem.isReadOnly,
    canFollow: fileSystem.follow !== undefined,
    rootIno: fileSystem.root.ino,
  };
}

function overlap(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}

const MOUNTS_LIMIT = 16;
const PATH_LIMIT = 4096;
const NAME_LIMIT = 255;
/** The kernel's own places, and links of the image: the policy goes by paths without links. */
const RESERVED = /^\/(?:dev|proc|bin|sbin|lib)(?:\/|$)/;

/** VM_OPTIONS_INVALID. */
export function checkMounts(mounts: readonly VmMount[]): void {
  if (!Array.isArray(mounts)) throw wrong("it is a list of mounts");
  if (mounts.length > MOUNTS_LIMIT) throw wrong(`there are more than ${MOUNTS_LIMIT} mounts`);
  const places = new Set<string>();
  for (const { at, alsoAt = at, fileSystem, timeoutMs = 1 } of mounts) {
    for (const place of [at, alsoAt]) {
      if (!isPlace(place))
        throw wrong('"at" is an absolute path without ., .. and a slash at its end');
      if (RESERVED.test(place)) throw wrong(`nothing can be mounted at ${place}`);
    }
    if (places.has(at)) throw wrong(`two mounts go to ${at}`);
    places.add(at);
    if (typeof fileSystem?.lookup !== "function") throw wrong(`${at} has no file system`);
    const isTime = Number.isSafeInteger(timeoutMs) && timeoutMs > 0 && timeoutMs < 2 ** 31;
    if (!isTime) throw wrong(`timeoutMs of ${at} is a number of milliseconds`);
  }
}

function isPlace(at: unknown): at is string {
  if (typeof at !== "string" || !at.startsWith("/") || encodeText(at).length >= PATH_LIMIT) {
    return false;
  }
  const names = at.slice(1).split("/");
  return names.every(
    (name) =>
      name !== "" &&
      name !== "." &&
      name !== ".." &&
      !name.includes("\0") &&
      encodeText(name).length <= NAME_LIMIT,
  );
}

function wrong(problem: string): HostError {
  return new HostError("VM_OPTIONS_INVALID", { problem: `mounts: ${problem}` });
}
