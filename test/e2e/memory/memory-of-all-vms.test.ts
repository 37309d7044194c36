import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Vms } from "../../../src/vm/index.ts";
import { built } from "../../support/built-vms.ts";

/** Less than two VMs may have by their own limits. */
const MAX_MEMORY_MB = 700;

let vms: Vms;
beforeAll(() => {
  vms = new built.Vms({ poolSize: 0, maxMemoryMb: MAX_MEMORY_MB });
});
afterAll(() => vms.close());

describe("the memory of all VMs together", () => {
  it("has a limit: the largest process of the largest VM pays, and is told which limit it was", async () => {
    const [greedy, modest] = [await vms.create(), await vms.create()];
    const bystander = await modest.spawn("node -e 'setInterval(() => {}, 1000)'");
    const code = "const a = []; setInterval(() => a.push(Buffer.alloc(4e6, 1)), 20);";
    const { stdout, notices } = await greedy.exec(`node -e "${code}"; echo ended $?`);
    expect(stdout).toBe("ended 137\n");
    expect(notices).toEqual([
      expect.stringMatching(
        /^Killed process \d+ \(node -e .*\): the 700 MB that all VMs have together were used up, .* larger maxMemoryMb in the server's configuration, or destroy VMs\.$/,
      ),
    ]);
    expect([greedy.info().restarts, modest.info().restarts]).toEqual([0, 0]);
    expect(bystander.isRunning).toBe(true);
    expect((await greedy.exec("echo well")).stdout).toBe("well\n");
  });

  it("is the most that one VM can be given", async () => {
    await expect(vms.create({ memoryMb: 701 })).rejects.toMatchObject({
      code: "VM_OPTIONS_INVALID",
      message: expect.stringContaining(
        "memoryMb: 701 MB is more than maxMemoryMb, the 700 MB that all VMs have together",
      ),
    });
  });
});
