// A workspace here and a sandbox whose files are in another directory, reached as those of a far one are.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { FileSystem } from "../../src/kernel/index.ts";
import { ExecFiles } from "../../src/sandbox-escalation/files/exec/exec-files.ts";
import { MovingWorkspace } from "../../src/sandbox-escalation/files/moving/moving-workspace.ts";
import type { SandboxSpec } from "../../src/sandbox-escalation/provider.ts";
import { RecordLog } from "../../src/sandbox-escalation/records/record-log.ts";
import { Disk } from "../../src/vm/broker/folders/disk.ts";
import { HostFolder } from "../../src/vm/broker/folders/host-folder.ts";
import { abilities, ProcessSandbox } from "./process-provider.ts";

export class FarSandbox extends ProcessSandbox {
  override readonly files: FileSystem = new ExecFiles(this);
}

/** For one test. */
export class FarWorkspace {
  readonly homePath: string;
  readonly farPath = mkdtempSync(join(tmpdir(), "far-"));
  readonly records = new RecordLog();
  readonly home: HostFolder;
  readonly moving: MovingWorkspace;
  nowMs = 1_000_000;
  #count = 0;

  private constructor(home: HostFolder, homePath: string) {
    this.homePath = homePath;
    this.home = home;
    const { records } = this;
    this.moving = new MovingWorkspace({ vm: "one", home, records, now: () => this.nowMs });
  }

  static async open(limitBytes = 2 ** 40): Promise<FarWorkspace> {
    const disk = new Disk();
    const path = mkdtempSync(join(tmpdir(), "workspace-"));
    const home = await HostFolder.open(disk, { path, limitBytes });
    const workspace = new FarWorkspace(home, path);
    onTestFinished(async () => {
      await home.close();
      await disk.close();
      for (const one of [path, workspace.farPath]) rmSync(one, { recursive: true, force: true });
    });
    return workspace;
  }

  sandbox(): FarSandbox {
    this.#count += 1;
    const { farPath: workspace } = this;
    const spec: SandboxSpec = {
      owner: "tests",
      vm: "one",
      reason: "",
      image: "host",
      workspace,
      limits: { memoryMb: 1, pids: 1, cpus: 1, diskMb: 1, lifetimeMs: 1 },
      network: "none",
      env: {},
    };
    const sandbox = new FarSandbox(`far-${this.#count}`, spec, abilities);
    onTestFinished(() => sandbox.destroy());
    return sandbox;
  }
}
