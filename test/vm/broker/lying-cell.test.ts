import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CellPool } from "../../../src/vm/broker/cell-pool.ts";
import { Disk } from "../../../src/vm/broker/folders/disk.ts";
import { LogSpace } from "../../../src/vm/log-space.ts";
import { Vm } from "../../../src/vm/vm.ts";
import { hostCommand } from "../../support/host-commands.ts";

const root = resolve(import.meta.dirname, "../../..");
const pools: CellPool[] = [];
const disk = new Disk();

function poolOf(lie: string): CellPool {
  const pool = new CellPool({
    entry: resolve(root, "test/support/cells/lying-cell.ts"),
    args: [lie],
    size: 0,
    memoryLimitBytes: 256 << 20,
    log: () => undefined,
    starter: { readable: [resolve(root, "src"), resolve(root, "test")] },
  });
  pools.push(pool);
  return pool;
}

async function vmOf(lie: string): Promise<Vm> {
  const vm = new Vm({
    id: lie,
    options: {
      commands: [hostCommand("hang", () => new Promise(() => undefined))],
      onPermissionRequest: () => new Promise(() => undefined),
    },
    pool: poolOf(lie),
    disk,
    logDirectory: "/tmp",
    logSpace: new LogSpace(1 << 20),
    log: () => undefined,
    forget: () => undefined,
  });
  await vm.start();
  return vm;
}

let honest: Vm;

beforeAll(async () => {
  honest = await vmOf("none");
});

afterAll(async () => {
  for (const pool of pools) await pool.close();
  await disk.close();
});

describe("a cell that has been taken over", () => {
  it.each([
    "no-message",
    "no-call",
    "huge-frame",
    "wrong-result",
    "leaving-path",
    "no-request",
    "request-flood",
    "no-tool-request",
    "long-tool-request",
    "endless-tool-request",
    "unasked-request",
    "stream-twice",
    "stream-of-server",
    "tool-flood",
    "no-command-start",
    "long-command-start",
    "unwanted-input",
    "no-signal",
    "command-flood",
    "empty-output",
    "no-stream",
    "no-stream-of-its-own",
    "ready-again",
    "no-watch",
    "limit-flood",
    "credit-flood",
    "no-credit",
    "ask-again",
    "ask-flood",
    "more-after-the-end",
    "end-flood",
  ])("is ended for %s, and the caller is told", async (lie) => {
    const vm = await vmOf(lie);
    await expect(vm.exec("true")).rejects.toMatchObject({
      code: "VM_LOST",
      message: expect.stringContaining("its cell broke the protocol"),
    });
    expect(vm.info().state).toBe("lost");
  });

  it("is ended when it sends more output than its window, whatever it is told", async () => {
    const vm = await vmOf("flood");
    await expect(vm.exec("yes")).rejects.toMatchObject({ code: "VM_LOST" });
  });

  it("does not fill the server with a list that has no end", async () => {
    const vm = await vmOf("none");
    await expect(vm.files.list("/")).rejects.toMatchObject({ code: "LISTING_TOO_LONG" });
    await expect(vm.processes()).rejects.toMatchObject({ errno: "EIO" });
  });

  it("does not disturb another VM", async () => {
    expect(honest.info().state).toBe("running");
  });
});
