// A controller whose sandboxes have files of their own, with a clock that stands until it is moved.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SandboxController } from "../../../src/sandbox-escalation/controller/sandbox-controller.ts";
import { type Sandbox, SandboxError } from "../../../src/sandbox-escalation/provider.ts";
import { Escalation, request } from "../../support/escalation.ts";
import { type FarSandbox, FarWorkspace } from "../../support/far-workspace.ts";
import { ProcessProvider } from "../../support/process-provider.ts";

class FarProvider extends ProcessProvider {
  readonly made: FarSandbox[] = [];
  readonly #workspace: FarWorkspace;

  constructor(workspace: FarWorkspace) {
    super("far");
    this.#workspace = workspace;
  }

  override async create(): Promise<Sandbox> {
    const sandbox = this.#workspace.sandbox();
    this.made.push(sandbox);
    return sandbox;
  }

  get last(): FarSandbox {
    const last = this.made.at(-1);
    if (last === undefined) throw new Error("none was made");
    return last;
  }
}

async function open({ limitBytes, minutes }: { limitBytes?: number; minutes?: number } = {}) {
  const workspace = await FarWorkspace.open(limitBytes);
  const provider = new FarProvider(workspace);
  const vmLimits = minutes === undefined ? {} : { minutes };
  const escalation = new Escalation({ offers: [{ provider }], vmLimits });
  const { moving } = workspace;
  const controller = escalation.controller("one", { files: moving, records: workspace.records });
  const move = async (ms: number): Promise<void> => {
    escalation.nowMs += ms;
    workspace.nowMs = escalation.nowMs;
    await controller.tick();
  };
  const put = (name: string, text = name) => writeFileSync(join(workspace.farPath, name), text);
  const isHere = (name: string) => existsSync(join(workspace.homePath, name));
  return { workspace, provider, controller, move, put, isHere };
}

async function run(controller: SandboxController, line: string): Promise<void> {
  const { process } = await controller.spawn(["sh", "-c", line], { env: {} }, request());
  for await (const _ of process.output);
  await process.ended;
}

describe("a sandbox elsewhere", () => {
  it("has its files brought back when it is idle, and goes on with them", async () => {
    const { workspace, provider, controller, move, isHere } = await open();
    writeFileSync(join(workspace.homePath, "staged"), "1");
    await run(controller, "cat staged > result");
    await move(1000);
    expect(isHere("result")).toBe(false);
    await move(2000);
    expect(isHere("result")).toBe(true);
    await run(controller, "echo 2 > second");
    await move(60_000);
    expect(controller.status()).toMatchObject({ state: "stopped", lastEnd: "idle" });
    expect(isHere("second")).toBe(true);
    writeFileSync(join(workspace.homePath, "staged"), "changed");
    await run(controller, "cat staged > result");
    expect(provider.made.length).toBe(1);
    expect(readFileSync(join(workspace.farPath, "result"), "utf8")).toBe("changed");
  });

  it("ends before its vendor ends it, its files back; a new one has them all", async () => {
    const { provider, controller, move, put, isHere } = await open();
    await controller.ensure(request());
    put("late");
    await move(3_600_000 - 120_001);
    expect(isHere("late")).toBe(true);
    await controller.ensure(request());
    put("later");
    await move(1);
    expect(controller.status().lastEnd).toBe("its lifetime was over");
    expect(isHere("later")).toBe(true);
    expect(provider.last.isDestroyed).toBe(true);
  });

  it("stops at a limit with its processes, its files back", async () => {
    const { controller, move, put, isHere } = await open({ minutes: 30 });
    const held = await controller.spawn(["sleep", "600"], { env: {} }, request());
    put("made");
    await move(1_800_000);
    expect(controller.status().lastEnd).toContain("ran for 30 minutes, the limit");
    expect(isHere("made")).toBe(true);
    expect((await held.process.ended).signal).toBe("SIGKILL");
  });

  it("says what could not be brought back, and where", async () => {
    const { workspace, controller, put } = await open({ limitBytes: 100_000 });
    await controller.ensure(request());
    put("big", "x".repeat(200_000));
    await controller.stop("test");
    expect(controller.status().lastEnd).toMatch(/^test; 1 files could not be carried back \(big: /);
    expect(workspace.records.of("one").find(({ kind }) => kind === "stopped")?.facts).toMatchObject(
      {
        why: expect.stringContaining("could not be carried back"),
      },
    );
  });

  it("that is lost leaves what was carried last, and a new one begins with that", async () => {
    const { provider, controller, move, put, isHere, workspace } = await open();
    await controller.ensure(request());
    put("kept");
    await run(controller, "true");
    await move(3000);
    put("lost");
    provider.last.lose("The vendor ended it.");
    await expect.poll(() => controller.state).toBe("none");
    expect(controller.status().lastEnd).toMatch(
      /^The vendor ended it\. In \/sandbox, files are as they were at /,
    );
    expect([isHere("kept"), isHere("lost")]).toEqual([true, false]);
    rmSync(join(workspace.farPath, "kept"));
    await controller.ensure(request());
    expect(existsSync(join(workspace.farPath, "kept"))).toBe(true);
  });

  it("to which files cannot follow is not kept, and the VM has its files", async () => {
    const { workspace, provider, controller } = await open();
    writeFileSync(join(workspace.homePath, "file"), "x");
    rmSync(workspace.farPath, { recursive: true });
    await expect(controller.ensure(request())).rejects.toThrow("do not get to the sandbox");
    expect(provider.last.isDestroyed).toBe(true);
    expect(controller.state).toBe("none");
    expect(workspace.moving.files.files).toBe(workspace.home);
  });

  it("holds nobody up when its VM is destroyed while it stops", async () => {
    const { provider, controller } = await open();
    const sandbox = await controller.ensure(request());
    sandbox.spawn = () => new Promise(() => undefined);
    const stopping = controller.stop("test");
    await expect.poll(() => controller.state).toBe("stopping");
    await controller.destroy();
    await stopping;
    expect(provider.last.isDestroyed).toBe(true);
  });

  it("that does not stop is destroyed, its files back", async () => {
    const { provider, controller, put, isHere } = await open();
    await controller.ensure(request());
    put("made");
    provider.last.stop = () => Promise.reject(new SandboxError("not-confirmed", "502"));
    await controller.stop("test");
    expect(isHere("made")).toBe(true);
    expect(provider.last.isDestroyed).toBe(true);
  });
});
