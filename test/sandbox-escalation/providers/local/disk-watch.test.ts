// What a guest can do to the watch over the disk: make counting its files take long, or for ever.
import { describe, expect, it } from "vitest";
import {
  type DiskUse,
  DiskWatch,
  type Free,
} from "../../../../src/sandbox-escalation/providers/local/disk-watch.ts";

const MEBIBYTE = 1024 * 1024;

function watchOf(measure: () => Promise<DiskUse | undefined>) {
  const free = { bytes: 9000 * MEBIBYTE, files: 1e6, reserveBytes: 1000 * MEBIBYTE };
  const findFree = async (): Promise<Free> => ({ ...free, each: [free.bytes] });
  return { free, watch: new DiskWatch({ limitMb: 100, directories: ["/"], measure, findFree }) };
}

describe("the watch over the disk", () => {
  it("leaves the last of it to the host while the files are counted, however long that takes", async () => {
    const { free, watch } = watchOf(() => new Promise(() => undefined));
    expect(await watch.look()).toBeUndefined();
    expect(await watch.look()).toBeUndefined();
    free.bytes = 900 * MEBIBYTE;
    expect(await watch.look()).toBe("The disk of this machine is nearly full.");
  });

  it("says with a later look what was counted meanwhile, and counts once at a time", async () => {
    const counted: ((use: DiskUse) => void)[] = [];
    const { watch } = watchOf(() => new Promise((resolve) => counted.push(resolve)));
    await watch.look();
    await watch.look();
    expect(counted.length).toBe(1);
    counted[0]?.({ bytes: 101 * MEBIBYTE, files: 1 });
    expect(await watch.look()).toMatch(/more than its 100 MB of disk/);
  });

  it("says so where files cannot be counted in time", async () => {
    const { watch } = watchOf(async () => undefined);
    expect(await watch.look()).toMatch(/cannot be counted in time/);
  });

  it("counts again after it could not", async () => {
    let tries = 0;
    const { free, watch } = watchOf(async () => {
      tries += 1;
      if (tries === 1) throw new Error("no process");
      return { bytes: 101 * MEBIBYTE, files: 1 };
    });
    await expect(watch.look()).rejects.toThrow("no process");
    free.bytes -= 200 * MEBIBYTE;
    expect(await watch.look()).toMatch(/more than its 100 MB of disk/);
  });
});
