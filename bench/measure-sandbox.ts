// Local sandboxes: how long making one, running a command in one and reading its files in the VM takes. The
// host's figures are the same command as a plain child process, and the same files read by Node itself.
// agentOS and just-bash have none that need no daemon.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findHostIds, LocalProvider, type Sandbox } from "../src/sandbox-escalation/index.ts";
import { Disk, HostFolder } from "../src/vm/index.ts";
import { measureMount, READ_MEGABYTE } from "./measure-mount.ts";
import type { Figure, Result } from "./measure-rows.ts";
import type { Goal } from "./row.ts";
import { summarize } from "./statistics.ts";

const LIMITS = { memoryMb: 512, pids: 200, cpus: 2, diskMb: 512, lifetimeMs: 600_000 };

export async function measureSandbox(rounds: number): Promise<readonly Result[]> {
  const home = await mkdtemp(join(tmpdir(), "agentos-mcp-bench-sandbox-"));
  const disk = new Disk();
  try {
    return [...(await measureRounds(home, disk, rounds)), await measureFiles(rounds)];
  } finally {
    await disk.close();
    await rm(home, { recursive: true, force: true });
  }
}

async function measureRounds(home: string, disk: Disk, rounds: number): Promise<Result[]> {
  const workspace = join(home, "workspace");
  await mkdir(workspace);
  const files = await HostFolder.open(disk, {
    path: workspace,
    owner: findHostIds(),
    limitBytes: 1e9,
  });
  const provider = new LocalProvider({
    stateDirectory: join(home, "state"),
    openFiles: async () => files,
  });
  const probe = await provider.probe();
  const names = { owner: "bench", vm: "bench", reason: "bench", image: "host", env: {} };
  const spec = { ...names, workspace, limits: LIMITS, network: "none" } as const;
  const made: number[] = [];
  const ran: number[] = [];
  const onHost: number[] = [];
  for (let round = 0; round < rounds && probe.isUsable; round++) {
    const start = performance.now();
    const sandbox = await provider.create(spec);
    made.push(performance.now() - start);
    await runIn(sandbox);
    ran.push(await timed(() => runIn(sandbox)));
    onHost.push(await timed(runOnHost));
    await sandbox.destroy();
  }
  await files.close();
  const problem = probe.isUsable ? undefined : probe.reason;
  return [
    row("sandbox-create", "make a local sandbox", { mostMs: 150 }, { ours: figure(made, problem) }),
    row(
      "sandbox-exec",
      "`true` in a local sandbox",
      { mostMs: 15 },
      { ours: figure(ran, problem), host: figure(onHost, problem) },
    ),
  ];
}

async function measureFiles(rounds: number): Promise<Result> {
  const [times] = await measureMount(rounds, [READ_MEGABYTE]);
  const { mounted = [], host = [] } = times ?? {};
  return row(
    "sandbox-read",
    "read 1 MB of a sandbox's files in the VM",
    { mostMs: 5 },
    { ours: figure(mounted, undefined), host: figure(host, undefined) },
  );
}

async function runIn(sandbox: Sandbox): Promise<void> {
  const child = await sandbox.spawn(["/bin/true"], { cwd: sandbox.cwd, env: {} });
  const { status } = await child.ended;
  if (status !== 0) throw new Error(`true ended with ${status}`);
}

async function runOnHost(): Promise<void> {
  await once(spawn("/bin/true"), "exit");
}

async function timed(act: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

function figure(values: readonly number[], problem: string | undefined): Figure {
  return summarize(values) ?? { problem: problem ?? "not measured" };
}

function row(key: string, title: string, goal: Goal, figures: Result["figures"]): Result {
  return { key, title, unit: "ms", goals: [goal], figures };
}
