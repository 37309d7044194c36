// Whether a sandbox can be started here at all: the only proof is to start one.
import { chown, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launch } from "./launch.ts";
import type { LocalHost } from "./local-host.ts";

/** Undefined when it worked; else what was said. */
export async function tryLaunch(host: LocalHost): Promise<string | undefined> {
  const directory = await mkdtemp(join(tmpdir(), "agentos-sandbox-probe-"));
  try {
    const [workspace, home] = [join(directory, "workspace"), join(directory, "home")];
    for (const path of [workspace, home]) {
      await mkdir(path);
      if (host.become !== undefined) await chown(path, host.become.uid, host.become.gid);
    }
    const running = await launch({
      bubblewrap: host.bubblewrap,
      workspace,
      home,
      root: undefined,
      become: host.become,
      joinFiles: [],
      limits: { memoryMb: 64, pids: 16, cpus: 1, diskMb: 16, lifetimeMs: 60_000 },
      limitsProcesses: host.countsProcesses,
      owner: { completeEnd: async (end) => end, onConnection: (channel) => channel.endInput() },
      without: host.without,
    });
    await running.end();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
