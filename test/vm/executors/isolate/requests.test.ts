import { describe, expect, it } from "vitest";
import { KernelError, ProcessEnded } from "../../../../src/kernel/index.ts";
import { Requests } from "../../../../src/vm/executors/isolate/requests.ts";

const MEBIBYTE = 1 << 20;

function make(): { readonly requests: Requests; readonly failures: unknown[] } {
  const failures: unknown[] = [];
  const requests = new Requests(
    () => () => undefined,
    (error) => failures.push(error),
  );
  return { requests, failures };
}

async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe("a guest's calls that it does not wait for", () => {
  it("fail with an errno in their completion", async () => {
    const { requests, failures } = make();
    requests.start(7, [], () => Promise.reject(new KernelError("ENOENT", "x")));
    await settle();
    expect(await requests.poll(0)).toEqual([[7, ["ENOENT", "x", undefined], undefined]]);
    expect(failures).toEqual([]);
  });

  it("end the process where they fail with anything else, and nothing beside it", async () => {
    const { requests, failures } = make();
    const bug = new TypeError("a bug");
    requests.start(1, [], () => Promise.reject(bug));
    requests.start(2, [], () => {
      throw bug;
    });
    requests.start(3, [], () => Promise.reject(new ProcessEnded(0)));
    await settle();
    expect(failures).toEqual([bug, bug]);
  });

  it("start only when there is room for what they bring", async () => {
    const { requests } = make();
    let started = 0;
    for (let id = 1; id <= 100; id += 1) {
      requests.start(id, [], () => {
        started += 1;
        return new Uint8Array(MEBIBYTE);
      });
      await settle();
    }
    expect(started).toBe(4);
    const seen: unknown[] = [];
    for (let polls = 0; polls < 100 && seen.length < 100; polls += 1) {
      const some = await requests.poll(0);
      expect(some.length).toBeLessThan(100);
      for (const completion of some) if (Array.isArray(completion)) seen.push(completion[0]);
      await settle();
    }
    expect(seen).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  });

  it("count what they take while they run", async () => {
    const { requests } = make();
    const running: (() => void)[] = [];
    for (let id = 1; id <= 10; id += 1) {
      const call = (): Promise<undefined> =>
        new Promise((resolve) => running.push(() => resolve(undefined)));
      requests.start(id, [], call, MEBIBYTE);
    }
    expect(running.length).toBe(4);
    for (let turns = 0; turns < 10; turns += 1) {
      running[turns]?.();
      await settle();
    }
    expect(running.length).toBe(10);
    expect((await requests.poll(0)).length).toBe(10);
  });

  it("are refused beyond a limit, at last without a completion", async () => {
    const { requests } = make();
    const flood = (): void => {
      for (let id = 1; id < 200_000; id += 1)
        requests.start(id, [], () => new Promise(() => undefined));
    };
    expect(flood).toThrow("EAGAIN");
    const completions = await requests.poll(0);
    expect(completions[0]).toEqual([16_385, ["EAGAIN", undefined], undefined]);
    expect(completions.length).toBe(65_536);
  });
});
