import { describe, expect, it } from "vitest";
import type { Process } from "../../../src/kernel/process/process.ts";
import { PID_MAX, ProcessTable } from "../../../src/kernel/process/process-table.ts";
import { TestKernel } from "../../support/test-kernel.ts";

describe("pids", () => {
  it("count up and start over at 2, leaving out those in use", () => {
    const table = new ProcessTable();
    const held = { pid: 3 } as Process;
    expect(table.nextPid()).toBe(1);
    table.add(held);
    for (let pid = 2; pid <= PID_MAX; pid++) if (pid !== 3) expect(table.nextPid()).toBe(pid);
    expect(table.nextPid()).toBe(2);
    expect(table.nextPid()).toBe(4);
  });

  it("run out with EAGAIN, without looking for ever", () => {
    const table = new ProcessTable();
    for (let pid = 1; pid <= PID_MAX; pid++) table.add({ pid } as Process);
    expect(() => table.nextPid()).toThrow("EAGAIN");
  });

  it("are not used again soon", async () => {
    const test = await TestKernel.boot();
    const pids: number[] = [];
    for (let i = 0; i < 5; i++) {
      const pid = await test.start(async () => 0);
      pids.push(pid);
      await test.sys.wait({ pid });
    }
    expect(pids).toEqual([2, 3, 4, 5, 6]);
  });
});

describe("the process table", () => {
  it("fails with ESRCH for what is not in it", () => {
    const table = new ProcessTable();
    expect(table.find(7)).toBeUndefined();
    expect(() => table.get(7)).toThrow("ESRCH: 7: No such process");
  });
});
