// A launch in words: for the agent's binary as launcher, and for bubblewrap after it.
import { assembleFilter } from "../../../linux/index.ts";
import type { SandboxLimits } from "../../provider.ts";
import { sandboxFilter } from "./denied-calls.ts";
import type { HostIds } from "./host-ids.ts";
import type { LentContents } from "./lent-contents.ts";
import type { Protection } from "./protections.ts";
import { describeView, INSIDE_ID, insidePaths } from "./sandbox-view.ts";
import { describeRootView, rootDirectories, rootRights } from "./writable-root/root-view.ts";
import type { WritableRoot } from "./writable-root/writable-root.ts";

export interface LaunchWish {
  readonly bubblewrap: string;
  readonly workspace: string;
  /** Kept where the root is the host's. */
  readonly home: string;
  /** A root of its own that it writes to, instead of the host's tools. */
  readonly root: WritableRoot | undefined;
  /** Whom to become first; undefined for who we are. */
  readonly become: HostIds | undefined;
  /** Files of control groups to join. */
  readonly joinFiles: readonly string[];
  readonly limits: SandboxLimits;
  /** Whether the kernel counts processes for each user namespace: else the limit would count the user's. */
  readonly limitsProcesses: boolean;
  readonly without: ReadonlySet<Protection>;
}

/** Descriptors of the child. */
export interface LaunchDescriptors {
  readonly lent: LentContents;
  /** Where the launcher waits for the ids of its user namespace. */
  readonly users: number | undefined;
  /** The agent's binary. */
  readonly agent: number;
  /** Where bubblewrap says the agent's pid. */
  readonly info: number;
}

export function describeLaunch(wish: LaunchWish, descriptors: LaunchDescriptors): string[] {
  const { limits, root } = wish;
  const inside = root === undefined ? describeHostTools(wish, descriptors) : [];
  const own = root === undefined ? [] : describeOwnRoot(wish, root, descriptors);
  const agentPath = root === undefined ? "/sandbox-agent" : "/run/sandbox-agent";
  return [
    ...wish.joinFiles.flatMap((file) => ["--cgroup", file]),
    ...inside,
    ...own,
    ...["--perms", "0555", "--ro-bind-data", String(descriptors.agent), agentPath],
    ...(wish.without.has("read-only-root") || root !== undefined ? [] : ["--remount-ro", "/"]),
    ...["--chdir", insidePaths.workspace, ...describeFilter(wish, descriptors)],
    ...["--", agentPath, "serve"],
    wish.limitsProcesses ? String(limits.pids + 1) : "-",
    String(limits.diskMb * 1024 * 1024),
    String(OPEN_FILES),
  ];
}

function describeHostTools(wish: LaunchWish, { lent, info }: LaunchDescriptors): string[] {
  const { become, limits, without } = wish;
  const kept = [wish.workspace, wish.home];
  const [workspace = "", home = ""] = become === undefined ? kept : kept.map(reachedAt);
  return [
    ...(become === undefined ? [] : describeBinds(kept)),
    ...describeIds(become),
    ...["--", wish.bubblewrap, "--unshare-user"],
    ...["--uid", String(INSIDE_ID), "--gid", String(INSIDE_ID)],
    ...describeNamespaces(without, info),
    ...["--cap-drop", "ALL"],
    ...describeView({
      ...{ workspace, home, limits, without },
      lend: (text) => lent.lendBytes(Buffer.from(text)),
    }),
  ];
}

function describeOwnRoot(
  wish: LaunchWish,
  root: WritableRoot,
  { users, info }: LaunchDescriptors,
): string[] {
  const { without, limits } = wish;
  const shown = [wish.workspace, root.changes, ...root.layers];
  const [workspace = "", changes = "", ...layers] = shown.map(reachedAt);
  const rights = without.has("few-rights") ? ["ALL"] : rootRights;
  return [
    ...describeBinds(shown),
    ...describeIds(wish.become),
    ...["--users", String(users)],
    ...["--overlay", describeOverlay(layers, changes)],
    ...rootDirectories.flatMap((name) => ["--directory", name]),
    ...["--", wish.bubblewrap],
    ...describeNamespaces(without, info),
    ...["--cap-drop", "ALL", ...rights.flatMap((right) => ["--cap-add", right])],
    ...describeRootView({ workspace, limits, without }),
  ];
}

function describeOverlay(layers: readonly string[], changes: string): string {
  return `lowerdir=${layers.join(":")},upperdir=${changes}/upper,workdir=${changes}/work,userxattr`;
}

export function describeBinds(directories: readonly string[]): string[] {
  return directories.flatMap((path) => ["--bind", path]);
}

export function describeIds(become: HostIds | undefined): string[] {
  return become === undefined ? [] : ["--ids", String(become.uid), String(become.gid)];
}

/** The launcher shows its first directory as /tmp/a, and so on. */
export function reachedAt(_path: string, index: number): string {
  return `/tmp/${String.fromCharCode("a".charCodeAt(0) + index)}`;
}

function describeNamespaces(without: ReadonlySet<Protection>, info: number): string[] {
  return [
    ...["--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--hostname", "sandbox"],
    ...(without.has("own-processes") ? [] : ["--unshare-pid", "--as-pid-1"]),
    ...(without.has("own-network") ? [] : ["--unshare-net"]),
    ...["--die-with-parent", "--new-session", "--info-fd", String(info)],
  ];
}

function describeFilter({ without, root }: LaunchWish, { lent }: LaunchDescriptors): string[] {
  if (without.has("seccomp")) return [];
  const architecture = process.arch === "arm64" ? "arm64" : "x64";
  const filter = assembleFilter(sandboxFilter(root?.ids.kind), architecture);
  return ["--seccomp", String(lent.lendBytes(filter))];
}

/** What servers and build tools ask for; the usual hard limit of a login. */
const OPEN_FILES = 65_536;
