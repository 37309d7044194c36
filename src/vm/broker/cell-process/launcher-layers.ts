// What the launcher's numbers say about the layers of the jail, in words.
import { constants } from "node:os";
import { held, type Layer, notHeld } from "../../confinement/layer.ts";
import { type LauncherLayer, type LauncherSetup, launcherLayers } from "./launcher-frames.ts";

/** For each layer 1, 0 or a negated errno; then Landlock's version, and whether the launcher is root. */
export function describeLayers(setup: LauncherSetup, numbers: readonly number[]): Layer[] {
  const version = numbers[launcherLayers.length] ?? 0;
  const isRoot = numbers[launcherLayers.length + 1] === 1;
  return launcherLayers.map((name, at): Layer => {
    const state = numbers[at] ?? 0;
    if (state === 1) return held(name, describe(name, { setup, version, isRoot }));
    if (!setup.layers.includes(name)) return notHeld(name, "switched off by an option");
    if (name === "few-threads")
      return notHeld(name, "it counts all threads of a user, see own-user");
    return notHeld(name, `the kernel refuses: ${errnoName(-state)}`);
  });
}

interface Facts {
  readonly setup: LauncherSetup;
  readonly version: number;
  readonly isRoot: boolean;
}

function describe(name: LauncherLayer, { setup, version, isRoot }: Facts): string {
  switch (name) {
    case "no-new-privileges":
      return "setuid and file capabilities have no effect";
    case "landlock":
      return `version ${version} covers ${landlockParts(version).join(", ")}`;
    case "io-uring-off":
      return "io_uring_setup fails; libuv does without";
    case "own-user":
      return isRoot
        ? `each cell is a user of its own, from ${setup.firstUser} on`
        : "each cell has a user namespace of its own";
    case "no-capabilities":
      return "no capability, and none to be had";
    case "own-processes":
      return "a pid namespace of its own: no other process has a number";
    case "own-network":
      return "a network namespace of its own, with no interface up";
    case "own-ipc":
      return "an IPC namespace of its own";
    case "own-files":
      return `a root of its own with ${setup.readable.length + setup.executable.length} paths of the host, all read-only`;
    case "parent-death":
      return "killed by the kernel when the server ends";
    case "few-threads":
      return `${setup.threads} threads`;
  }
}

function landlockParts(version: number): string[] {
  const parts = ["files"];
  if (version >= 4) parts.push("TCP");
  if (version >= 6) parts.push("signals and abstract sockets");
  return parts;
}

function errnoName(errno: number): string {
  const name = Object.entries(constants.errno).find(([, number]) => number === errno)?.[0];
  return name ?? `errno ${errno}`;
}
