// What this host has for sandboxes, found out once: bubblewrap, control groups, how processes are counted.
import { readFileSync } from "node:fs";
import { release } from "node:os";
import { join } from "node:path";
import type { Abilities } from "../../provider.ts";
import { type ControlGroupTree, findControlGroupTree } from "./control-group.ts";
import { findProgram } from "./find-program.ts";
import { findHostIds, type HostIds, isHostRoot } from "./host-ids.ts";
import { findIdMaps } from "./id-maps.ts";
import type { Protection } from "./protections.ts";
import { Records } from "./records.ts";
import { Roots } from "./writable-root/roots.ts";
import type { ConfinedHost } from "./writable-root/run-confined.ts";

export interface LocalHost extends ConfinedHost {
  readonly controlGroups: ControlGroupTree | undefined;
  /** Whether RLIMIT_NPROC counts for each user namespace. */
  readonly countsProcesses: boolean;
  /** Of sandboxes with the host's tools. */
  readonly abilities: Abilities;
  /** Of sandboxes with a root of their own. */
  readonly rootAbilities: Abilities;
  readonly records: Records;
  readonly roots: Roots;
  readonly without: ReadonlySet<Protection>;
}

export interface LocalHostOptions {
  readonly stateDirectory: string;
  readonly without: ReadonlySet<Protection>;
  /** Tests leave control groups out, to have what hosts without them have. */
  readonly usesControlGroups: boolean;
}

/** Undefined where there is no bubblewrap. */
export function findLocalHost(options: LocalHostOptions): LocalHost | undefined {
  const bubblewrap = findProgram("bwrap");
  if (bubblewrap === undefined) return undefined;
  const controlGroups = options.usesControlGroups ? findControlGroupTree() : undefined;
  const countsProcesses = isKernelAtLeast(5, 14);
  const isLesser = isHostRoot() && !options.without.has("lesser-id");
  const become = isLesser ? findHostIds() : undefined;
  const ids = findIdMaps({ isRoot: isHostRoot(), ids: become ?? readOwnIds() });
  const confined = { bubblewrap, become, ids };
  const abilities: Abilities = {
    isolation: "namespace",
    memory: controlGroups === undefined ? "soft" : "hard",
    pids: controlGroups !== undefined || countsProcesses ? "hard" : "none",
    cpu: controlGroups === undefined ? "none" : "hard",
    disk: "soft",
    network: ["none", "proxy"],
    packages: "none",
    hasTerminals: true,
    stopKeeps: "files",
    canSnapshot: false,
    isBillable: false,
  };
  return {
    ...confined,
    controlGroups,
    countsProcesses,
    records: new Records(options.stateDirectory, confined),
    roots: new Roots(join(options.stateDirectory, "roots"), confined),
    without: options.without,
    abilities,
    rootAbilities: {
      ...abilities,
      packages: ids.kind === "range" ? "full" : "partial",
      // The kernel counts for each account of a namespace, and a sandbox with many has them all.
      pids: controlGroups === undefined && ids.kind === "range" ? "soft" : abilities.pids,
      canSnapshot: true,
    },
  };
}

function readOwnIds(): HostIds {
  return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
}

/** Why user namespaces do not work here, and the exact remedy; undefined where no setting forbids them. */
export function findUserNamespaceObstacle(
  settings = "/proc/sys",
  isRoot = isHostRoot(),
): { reason: string; fix: string } | undefined {
  const readSetting = (name: string) => readText(join(settings, name));
  if (readSetting("user/max_user_namespaces") === "0")
    return {
      reason: "This kernel allows no user namespaces (user.max_user_namespaces is 0).",
      fix: "sudo sysctl -w user.max_user_namespaces=15000",
    };
  if (isRoot) return undefined;
  if (readSetting("kernel/unprivileged_userns_clone") === "0")
    return {
      reason: "Users may make no user namespaces (kernel.unprivileged_userns_clone is 0).",
      fix: "sudo sysctl -w kernel.unprivileged_userns_clone=1",
    };
  if (readSetting("kernel/apparmor_restrict_unprivileged_userns") === "1")
    return {
      reason:
        "AppArmor lets only named programs make user namespaces, and bubblewrap is not one of them.",
      fix: [
        "sudo tee /etc/apparmor.d/bwrap <<'END'",
        "abi <abi/4.0>,",
        "include <tunables/global>",
        "profile bwrap /usr/bin/bwrap flags=(unconfined) {",
        "  userns,",
        "}",
        "END",
        "sudo apparmor_parser -r /etc/apparmor.d/bwrap",
      ].join("\n"),
    };
  return undefined;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined;
  }
}

/** Since 5.14 the kernel counts processes for each user and user namespace. */
function isKernelAtLeast(major: number, minor: number): boolean {
  const [foundMajor = 0, foundMinor = 0] = release().split(".").map(Number);
  return foundMajor > major || (foundMajor === major && foundMinor >= minor);
}
