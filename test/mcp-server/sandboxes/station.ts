// A home whose VMs have real local sandboxes, as a server gives them.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { MemoryFileSystem } from "../../../src/kernel/index.ts";
import type { SandboxConfig } from "../../../src/mcp-server/config/sandbox-config.ts";
import { Sandboxes } from "../../../src/mcp-server/sandboxes/sandboxes.ts";
import { LocalProvider } from "../../../src/sandbox-escalation/index.ts";
import { Approvals, Disk, type ExecResult, Vms } from "../../../src/vm/index.ts";
import { ToolBox } from "../tools/tool-box.ts";

const probed = mkdtempSync(join(tmpdir(), "sandboxes-"));
const openFiles = async () => new MemoryFileSystem({ now: Date.now });
const probe = await new LocalProvider({ stateDirectory: probed, openFiles }).probe();
rmSync(probed, { recursive: true });

/** Why this machine has none, if so. */
export const noSandboxes = probe.isUsable ? undefined : probe.reason;

/** A home with VMs that have sandboxes. Close it. */
export class Station {
  readonly home: string;
  readonly approvals = new Approvals();
  readonly sandboxes: Sandboxes;
  readonly disk = new Disk();
  readonly box: ToolBox;

  constructor(
    config: SandboxConfig,
    home = mkdtempSync(join(tmpdir(), "sandboxes-")),
    env: NodeJS.ProcessEnv = {},
  ) {
    this.home = home;
    mkdirSync(join(this.home, "logs"), { recursive: true });
    const { approvals } = this;
    this.sandboxes = new Sandboxes({
      config,
      homeDirectory: this.home,
      approver: approvals,
      disk: this.disk,
      log: () => undefined,
      env,
    });
    const { commands, toolkit } = this.sandboxes;
    const makeMounts = this.sandboxes.makeMounts.bind(this.sandboxes);
    const defaults = { approvals, commands, toolkits: [toolkit], makeMounts };
    this.box = new ToolBox(new Vms({ poolSize: 1, disk: this.disk, defaults }), approvals);
    this.box.sandboxes = this.sandboxes;
  }

  async sh(
    vm: string,
    command: string,
  ): Promise<Pick<ExecResult, "stdout" | "stderr" | "exitCode">> {
    const machine = this.box.vms.find(vm) ?? (await this.box.vms.create({ name: vm }));
    const { stdout, stderr, exitCode } = await machine.exec(command);
    return { stdout, stderr, exitCode };
  }

  /** Where a VM's files are on this host. */
  workspaceOf(vm: string): string {
    return this.sandboxes.get(vm).options.workspace;
  }

  records(): string {
    return readFileSync(join(this.home, "logs", "sandboxes.jsonl"), "utf8");
  }

  async close(): Promise<void> {
    await this.box.close();
    await this.sandboxes.close();
    await this.disk.close();
    expect(readdirSync(join(this.home, "sandboxes", "workspaces"))).toEqual([]);
    rmSync(this.home, { recursive: true });
  }
}
