// What a sandbox with a root of its own sees, as arguments of bubblewrap: its root, writable, and over it what every
// sandbox has of its own.
import type { SandboxLimits } from "../../../provider.ts";
import type { Protection } from "../protections.ts";
import { describeDevices, describeProc, insidePaths, temporaryBytesOf } from "../sandbox-view.ts";

export interface RootViewOptions {
  /** Where bubblewrap finds the workspace. */
  readonly workspace: string;
  readonly limits: SandboxLimits;
  readonly without: ReadonlySet<Protection>;
}

/** The launcher mounts the overlay there. */
const ROOT_AT = "/tmp/root";

/** Where something is mounted over the root: real directories there, whatever a guest made of them. */
export const rootDirectories = ["proc", "dev", "tmp", "run", "workspace", "sandbox"];

/**
 * What package managers do: files of several accounts, and programs that become one. They hold for the ids of the
 * sandbox's namespace only; there is none that reaches mounts, the network's devices, traces or the kernel.
 */
export const rootRights = [
  "CAP_CHOWN",
  "CAP_DAC_OVERRIDE",
  "CAP_FOWNER",
  "CAP_FSETID",
  "CAP_KILL",
  "CAP_NET_BIND_SERVICE",
  "CAP_SETGID",
  "CAP_SETUID",
  "CAP_SYS_CHROOT",
];

export function describeRootView({ workspace, limits, without }: RootViewOptions): string[] {
  const temporary = ["--size", temporaryBytesOf(limits), "--tmpfs"];
  return [
    ...["--bind", ROOT_AT, "/"],
    ...(without.has("chosen-files") ? ["--ro-bind", "/", "/host"] : []),
    ...describeProc(without),
    ...describeDevices(limits, without),
    ...["--perms", "1777", ...temporary, "/tmp"],
    ...["--perms", "0755", ...temporary, "/run"],
    ...["--perms", "1777", "--dir", "/run/lock"],
    ...["--bind", workspace, insidePaths.workspace],
    ...["--bind", workspace, insidePaths.alsoWorkspace],
  ];
}
