import { describe, expect, it } from "vitest";
import { O_NONBLOCK, O_RDONLY, O_RDWR, O_WRONLY } from "../../../src/kernel/abi/open-flags.ts";
import { POLLIN, POLLOUT } from "../../../src/kernel/abi/poll.ts";
import type { Stat } from "../../../src/kernel/abi/stat.ts";
import { OpenFile } from "../../../src/kernel/fd/open-file.ts";
import { WaitQueue } from "../../../src/kernel/fd/wait-queue.ts";
import type { Process } from "../../../src/kernel/process/process.ts";
import { TestWaiter } from "../../support/waiter.ts";

class PlainFile extends OpenFile {
  readonly events: string[] = [];

  override describe(): string {
    return "plain";
  }

  override stat(): Promise<Stat> {
    return Promise.reject(new Error("nobody asks"));
  }

  protected override release(): void {
    this.events.push("released");
  }
}

describe("an open file", () => {
  it("refuses what it does not support with the errno Linux has for that", async () => {
    const file = new PlainFile(O_RDWR);
    const waiter = new TestWaiter();
    const bytes = new Uint8Array(1);
    const failures: Record<string, Promise<unknown>> = {
      EINVAL: file.read(bytes, waiter),
      "EINVAL ": file.write(bytes, waiter),
      ESPIPE: file.pread(bytes, 0),
      "ESPIPE ": file.pwrite(bytes, 0),
      "ESPIPE  ": file.seek(0, 0),
      "EINVAL  ": file.truncate(0),
      "EINVAL   ": file.sync(),
      ENOTDIR: file.readdir(1),
      ENOTTY: file.ioctl({ request: "TCGETS" }, {} as Process),
    };
    for (const [errno, failure] of Object.entries(failures)) {
      await expect(failure).rejects.toMatchObject({ errno: errno.trim() });
    }
    expect(file.poll()).toBe(POLLIN | POLLOUT);
    expect([file.changed, file.place, file.isTerminal]).toEqual([undefined, undefined, false]);
  });

  it("can be read and written as it was opened", () => {
    const access = (flags: number) => {
      const { isReadable, isWritable, isNonBlocking } = new PlainFile(flags);
      return [isReadable, isWritable, isNonBlocking];
    };
    expect(access(O_RDONLY)).toEqual([true, false, false]);
    expect(access(O_WRONLY | O_NONBLOCK)).toEqual([false, true, true]);
    expect(access(O_RDWR)).toEqual([true, true, false]);
  });

  it("is released once, with its last reference, and then tells who wants to know", () => {
    const file = new PlainFile(O_RDONLY);
    file.onRelease = () => file.events.push("told");
    file.retain();
    file.retain();
    file.drop();
    expect(file.events).toEqual([]);
    file.drop();
    expect(file.events).toEqual(["released", "told"]);
  });
});

describe("a wait queue", () => {
  it("wakes everybody once, and nobody who has left", () => {
    const queue = new WaitQueue();
    const woken: string[] = [];
    queue.add(() => woken.push("first"));
    const leave = queue.add(() => woken.push("left"));
    queue.add(() => {
      woken.push("again");
      queue.add(() => woken.push("later"));
    });
    leave();
    expect(queue.isEmpty).toBe(false);
    queue.wakeAll();
    expect(woken).toEqual(["first", "again"]);
    queue.wakeAll();
    expect(woken).toEqual(["first", "again", "later"]);
    expect(queue.isEmpty).toBe(true);
  });
});
