// Runs a program of the host among the files of sandboxes, as the root of their user namespace: it sees the directories
// it is given as /a, /b…, the host's tools read-only, and nothing else. So what guests left is met with no more than
// guests have.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { findAgentBinary } from "../../../agent/agent-binary.ts";
import { SandboxError } from "../../../provider.ts";
import type { HostIds } from "../host-ids.ts";
import { type IdMaps, mapIds } from "../id-maps.ts";
import { describeBinds, describeIds, reachedAt } from "../launch-words.ts";
import { LentContents } from "../lent-contents.ts";
import { hostPrograms } from "../sandbox-view.ts";

/** What confined programs have of the host. */
export interface ConfinedHost {
  readonly bubblewrap: string;
  readonly become: HostIds | undefined;
  readonly ids: IdMaps;
}

export interface ConfinedRun {
  readonly argv: readonly string[];
  readonly directories: readonly string[];
  /** What it reads: a file that is open, or another process. */
  readonly input?: number | Readable;
  /** Ends it at once: guests that go on meanwhile can make it take for ever. */
  readonly signal?: AbortSignal | undefined;
}

/** What it printed. SandboxError "failed" with its own words; the signal's reason. */
export async function runConfined(host: ConfinedHost, run: ConfinedRun): Promise<string> {
  run.signal?.throwIfAborted();
  const lent = new LentContents();
  const users = lent.lendChannel();
  const child = spawn(findAgentBinary(), ["launch", ...describeRun(host, run, users)], {
    ...{ cwd: "/", env: {}, detached: true },
    stdio: [run.input ?? "ignore", "pipe", "pipe", "ignore", "ignore", ...lent.stdio()],
  });
  const [said, complaints] = [collect(child.stdout), collect(child.stderr)];
  const ended = once(child, "close");
  const end = (): void => killGroup(child);
  run.signal?.addEventListener("abort", end, { once: true });
  await mapIds(child, users, host.ids).catch(async (error: unknown) => {
    killGroup(child);
    await ended;
    throw error;
  });
  const [status]: unknown[] = await ended;
  run.signal?.removeEventListener("abort", end);
  run.signal?.throwIfAborted();
  if (status === 0) return said();
  const reason = complaints().trim() || `status ${String(status)}`;
  throw new SandboxError("failed", `${run.argv[0]}: ${reason}`);
}

/** Where a confined program finds its directories. */
export function insidePathOf(path: string, index: number): string {
  return reachedAt(path, index).slice("/tmp".length);
}

function describeRun(host: ConfinedHost, run: ConfinedRun, users: number): string[] {
  const { directories } = run;
  const shown = directories.map((path, index) => [
    reachedAt(path, index),
    insidePathOf(path, index),
  ]);
  return [
    ...describeBinds(directories),
    ...describeIds(host.become),
    ...["--users", String(users), "--", host.bubblewrap],
    ...["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"],
    ...["--die-with-parent", "--new-session", "--cap-drop", "ALL"],
    ...confinedRights.flatMap((right) => ["--cap-add", right]),
    ...[...hostPrograms(), "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"],
    ...shown.flatMap((pair) => ["--bind", ...pair]),
    ...["--chdir", "/", "--", "/usr/bin/env", "-i", `PATH=${PATH}`, "LC_ALL=C", ...run.argv],
  ];
}

const PATH = "/usr/sbin:/usr/bin:/sbin:/bin";
/** What reads, makes, gives away and removes files of all accounts of a sandbox. */
const confinedRights = [
  "CAP_CHOWN",
  "CAP_DAC_OVERRIDE",
  "CAP_FOWNER",
  "CAP_FSETID",
  "CAP_SETGID",
  "CAP_SETUID",
];

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

const TEXT_LIMIT = 65_536;

function collect(stream: Readable | null): () => string {
  let text = "";
  stream?.on("data", (bytes: Buffer) => {
    if (text.length < TEXT_LIMIT) text += bytes.toString("utf8");
  });
  return () => text;
}
