import { describe, expect, it } from "vitest";
import { sleeper, TestKernel } from "../../support/test-kernel.ts";

const long = new Map([["A", "x".repeat(997)]]);

describe("arguments and environments of processes", () => {
  it("count once where they are shared, and until the last holder is gone", async () => {
    const test = await TestKernel.boot();
    const { limits } = test.kernel;
    const held = (): number => limits.used("maxHeldArgvBytes");
    const before = held();
    const argv = ["parent"];
    await test.run(
      async (sys) => {
        expect(held() - before).toBe(1000 + 7);
        const pid = await sys.clone(sleeper);
        expect(held() - before).toBe(1000 + 7);
        await sys.kill(pid, 9);
        await sys.wait({ pid });
        expect(held() - before).toBe(1000 + 7);
        return 0;
      },
      { argv, env: long },
    );
    expect(held()).toBe(before);
  });

  it("are replaced by exec, and stay when it fails for want of room", async () => {
    const limits = { maxHeldArgvBytes: 2000 };
    const test = await TestKernel.boot({ limits, programs: { sleeper } });
    const before = test.kernel.limits.used("maxHeldArgvBytes");
    const pid = await test.start(
      async (sys) => {
        const path = "/bin/sleeper";
        const tooMuch = sys.exec({ path, argv: ["x".repeat(1500)] });
        await expect(tooMuch).rejects.toMatchObject({
          errno: "E2BIG",
          reason: "limit maxHeldArgvBytes is 2000; raise limits.maxHeldArgvBytes of the VM",
        });
        return sys.exec({ path, argv: ["s"], env: new Map() });
      },
      { argv: ["parent"], env: long },
    );
    while (test.kernel.processes.get(pid).exe === "") await test.sys.schedYield();
    expect(test.kernel.limits.used("maxHeldArgvBytes") - before).toBe(2);
    await test.sys.kill(pid, 9);
    await test.sys.wait({ pid });
    expect(test.kernel.limits.used("maxHeldArgvBytes")).toBe(before);
  });
});
