// Landlock: the kernel refuses this thread, and what it starts from now on, every file that is not
// named here, TCP, signals to processes outside, and abstract sockets. See landlock(7). A thread
// that already runs is not covered, so a cell's rules are put on the thread that starts cells.
import { closeSync, openSync, statSync } from "node:fs";
import { type Libc, LibcError } from "./libc.ts";

/** What may still be read or run. A folder stands for everything below it. */
export interface LandlockAccess {
  readonly readable: readonly string[];
  readonly executable: readonly string[];
}

/** Restricts the calling thread; says which of Landlock's parts this kernel has. Needs no_new_privs. */
export function restrictThread(libc: Libc, access: LandlockAccess): string {
  const version = landlockVersion(libc);
  const ruleset = createRuleset(libc, version);
  try {
    for (const path of access.readable) addPath(libc, ruleset, path, READ_FILE);
    for (const path of access.executable) addPath(libc, ruleset, path, READ_FILE | EXECUTE);
    libc.syscall("landlock_restrict_self", LANDLOCK_RESTRICT_SELF, ruleset, 0);
  } finally {
    closeSync(ruleset);
  }
  const parts = ["files"];
  if (version >= 4) parts.push("TCP");
  if (version >= 6) parts.push("signals and abstract sockets");
  return `version ${version} covers ${parts.join(", ")}`;
}

/** The kernel's Landlock version, from 1 on. Throws LibcError where there is none. */
function landlockVersion(libc: Libc): number {
  return libc.syscall(
    "landlock_create_ruleset",
    LANDLOCK_CREATE_RULESET,
    0,
    0,
    CREATE_RULESET_VERSION,
  );
}

function createRuleset(libc: Libc, version: number): number {
  const attributes = new DataView(new ArrayBuffer(24));
  attributes.setBigUint64(0, BigInt(fileAccess(version)), true);
  attributes.setBigUint64(8, version >= 4 ? BIND_TCP | CONNECT_TCP : 0n, true);
  attributes.setBigUint64(16, version >= 6 ? SCOPE_ABSTRACT_SOCKET | SCOPE_SIGNAL : 0n, true);
  // An older kernel knows a shorter struct: 8 bytes, 16 from version 4, 24 from version 6.
  const size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  return libc.syscall(
    "landlock_create_ruleset",
    LANDLOCK_CREATE_RULESET,
    new Uint8Array(attributes.buffer),
    size,
    0,
  );
}

/** Every kind of file access the kernel can refuse: 13 bits, then one each in versions 2, 3 and 5. */
function fileAccess(version: number): number {
  if (version >= 5) return 0xffff;
  if (version >= 3) return 0x7fff;
  return version === 2 ? 0x3fff : 0x1fff;
}

function addPath(libc: Libc, ruleset: number, path: string, allowed: number): void {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return;
  const fd = openSync(path, O_PATH_CLOEXEC);
  try {
    const rule = new DataView(new ArrayBuffer(12));
    rule.setBigUint64(0, BigInt(allowed), true);
    rule.setInt32(8, fd, true);
    libc.syscall(
      "landlock_add_rule",
      LANDLOCK_ADD_RULE,
      ruleset,
      RULE_PATH_BENEATH,
      new Uint8Array(rule.buffer),
      0,
    );
  } catch (error) {
    throw error instanceof LibcError
      ? new Error(`${path}: ${error.message}`, { cause: error })
      : error;
  } finally {
    closeSync(fd);
  }
}

/** linux/landlock.h; the three calls have one number on all architectures. */
const LANDLOCK_CREATE_RULESET = 444;
const LANDLOCK_ADD_RULE = 445;
const LANDLOCK_RESTRICT_SELF = 446;
const CREATE_RULESET_VERSION = 1;
const RULE_PATH_BENEATH = 1;
const EXECUTE = 1;
const READ_FILE = 4;
const BIND_TCP = 1n;
const CONNECT_TCP = 2n;
const SCOPE_ABSTRACT_SOCKET = 1n;
const SCOPE_SIGNAL = 2n;
/** O_PATH | O_CLOEXEC; Node's fs.constants has neither. */
const O_PATH_CLOEXEC = 0x200000 | 0x80000;
