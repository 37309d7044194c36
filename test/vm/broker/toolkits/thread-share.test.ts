import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ThreadShare } from "../../../../src/vm/broker/toolkits/thread-share.ts";

/** Work that moves a clock of its own; time that is slept moves it on by as much as is needed. */
class Thread {
  now = 0;
  readonly begun: number[] = [];
  readonly share = new ThreadShare(() => this.now);

  work(ms: number): Promise<void> {
    return this.share.run(() => {
      this.begun.push(this.now);
      this.now += ms;
    });
  }
}

describe("the thread that VMs share", () => {
  it("is a VM's at once where it takes little", async () => {
    const thread = new Thread();
    for (let count = 0; count < 1000; count++) {
      await thread.work(0.02);
      thread.now += 0.5;
    }
    expect(thread.begun).toHaveLength(1000);
  });

  it("lets a VM that takes much rest three times as long, one work after the other", async () => {
    const thread = new Thread();
    const all = Promise.all([thread.work(10), thread.work(10), thread.work(10)]);
    await turn();
    expect(thread.begun).toEqual([0]);
    while (thread.begun.length < 3) {
      thread.now += 1;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await all;
    const [, second = 0, third = 0] = thread.begun;
    // 10 ms are owed, of which 5 may be: the second begins after 15 of rest, the next after 30.
    expect(second).toBeGreaterThanOrEqual(25);
    expect(third - (second + 10)).toBeGreaterThanOrEqual(29);
  });

  it("counts work that fails, and work that could not wait", async () => {
    const thread = new Thread();
    const fails = thread.share.run(() => {
      thread.now += 6;
      throw new RangeError("no");
    });
    await expect(fails).rejects.toThrow(RangeError);
    thread.share.measure(() => (thread.now += 100));
    const next = thread.work(1);
    await turn();
    expect(thread.begun).toEqual([]);
    thread.now += 1000;
    await next;
    expect(thread.begun).toHaveLength(1);
  });
});
