import { describe, expect, it } from "vitest";
import { O_NONBLOCK } from "../../../src/kernel/abi/open-flags.ts";
import { PipeFromHost } from "../../../src/kernel/pipe/host-pipe.ts";
import type { Process } from "../../../src/kernel/process/process.ts";
import { outcome, TestWaiter } from "../../support/waiter.ts";

/** A pipe that a guest reads, and how often it was told that there is nothing to read. */
function makePipe(): { pipe: PipeFromHost; told: () => number } {
  let told = 0;
  const starved = (): void => {
    told += 1;
  };
  const pipe = new PipeFromHost(
    { ino: 1, nowMs: 0, capacityBytes: 65_536 },
    { read: () => undefined, starved, closed: () => undefined },
  );
  pipe.readEnd.retain();
  return { pipe, told: () => told };
}

describe("a pipe that the host fills", () => {
  it("is starved once a reader has found nothing, until more is put in", async () => {
    const { pipe, told } = makePipe();
    const waiter = new TestWaiter();
    expect(pipe.isStarved).toBe(false);
    pipe.put(Uint8Array.of(1, 2), 0);
    expect(await pipe.readEnd.read(new Uint8Array(2), waiter)).toBe(2);
    expect([pipe.isStarved, told()]).toEqual([false, 0]);
    const reading = pipe.readEnd.read(new Uint8Array(1), waiter);
    expect(await outcome(reading)).toBe("waits");
    expect([pipe.isStarved, told()]).toEqual([true, 1]);
    pipe.put(Uint8Array.of(3), 0);
    expect(pipe.isStarved).toBe(false);
    expect(await reading).toBe(1);
    expect(pipe.isStarved).toBe(false);
  });

  it.each([
    [
      "reads without waiting",
      async ({ readEnd }: PipeFromHost) => {
        readEnd.flags |= O_NONBLOCK;
        const reading = readEnd.read(new Uint8Array(1), new TestWaiter());
        await expect(reading).rejects.toMatchObject({ errno: "EAGAIN" });
      },
    ],
    ["polls", async ({ readEnd }: PipeFromHost) => expect(readEnd.poll()).toBe(0)],
    [
      "asks how much there is",
      async ({ readEnd }: PipeFromHost) =>
        expect(await readEnd.ioctl({ request: "FIONREAD" }, {} as Process)).toBe(0),
    ],
  ])("is starved by a guest that %s", async (_what, look) => {
    const { pipe, told } = makePipe();
    await look(pipe);
    expect([pipe.isStarved, told()]).toEqual([true, 1]);
    pipe.put(Uint8Array.of(1), 0);
    expect(pipe.isStarved).toBe(false);
  });

  it("is not starved when it has ended", async () => {
    const { pipe, told } = makePipe();
    pipe.end();
    expect(await pipe.readEnd.read(new Uint8Array(1), new TestWaiter())).toBe(0);
    expect([pipe.isStarved, told()]).toEqual([false, 0]);
  });
});
