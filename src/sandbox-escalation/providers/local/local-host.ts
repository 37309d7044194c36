// What this host has for sandboxes, found out once: bubblewrap, control groups, how processes are counted.
import { accessSync, constants, readFileSync } from "node:fs";
import { release } from "node:os";
import { delimiter, join } from "node:path";
import type { Abilities } from "../../provider.ts";
import { type ControlGroupTree, findControlGroupTree } from "./control-group.ts";
import { findHostIds, type HostIds, isHostRoot } from "./host-ids.ts";
import type { Protection } from "./protections.ts";
import { Records } from "./records.ts";

export interface LocalHost {
  readonly bubblewrap: string;
  /** Whom sandboxes become before they start; undefined for who we are. */
  readonly become: HostIds | undefined;
  readonly controlGroups: ControlGroupTree | undefined;
  /** Whether RLIMIT_NPROC counts for each user namespace. */
  readonly countsProcesses: boolean;
  readonly abilities: Abilities;
  readonly records: Records;
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
  const become = isHostRoot() && !options.without.has("lesser-id") ? findHostIds() : undefined;
  return {
    bubblewrap,
    become,
    controlGroups,
    countsProcesses,
    records: new Records(options.stateDirectory, become),
    without: options.without,
    abilities: {
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
    },
  };
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

function findProgram(name: string): string | undefined {
  const places = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/bin", "/bin"];
  return places
    .filter((place) => place.startsWith("/"))
    .map((place) => join(place, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Since 5.14 the kernel counts processes for each user and user namespace. */
function isKernelAtLeast(major: number, minor: number): boolean {
  const [foundMajor = 0, foundMinor = 0] = release().split(".").map(Number);
  return foundMajor > major || (foundMajor === major && foundMinor >= minor);
}
