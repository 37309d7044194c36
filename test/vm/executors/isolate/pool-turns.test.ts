import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ProcessEnded } from "../../../../src/kernel/index.ts";
import { PoolTurns } from "../../../../src/vm/executors/isolate/pool-turns.ts";
import type { Vm, Vms } from "../../../../src/vm/index.ts";
import { built } from "../../../support/built-vms.ts";
import { outcome } from "../../../support/waiter.ts";

describe("PoolTurns", () => {
  /** Jobs that end when they are told to, and which have started. */
  const makeJobs = (turns: PoolTurns) => {
    const started: string[] = [];
    const ends = new Map<string, () => void>();
    const run = (process: object, name: string, signal?: AbortSignal): Promise<void> =>
      turns.run(process, signal, () => {
        started.push(name);
        return new Promise((resolve) => ends.set(name, resolve));
      });
    const end = async (name: string): Promise<void> => {
      ends.get(name)?.();
      await outcome(Promise.resolve());
    };
    return { started, run, end };
  };

  it("lets each process have a few, all of them a few more, and takes turns", async () => {
    const { started, run, end } = makeJobs(new PoolTurns({ total: 3, each: 2 }));
    const [one, other] = [{}, {}];
    const jobs = ["a1", "a2", "a3", "a4"].map((name) => run(one, name));
    await outcome(Promise.resolve());
    expect(started).toEqual(["a1", "a2"]);
    jobs.push(...["b1", "b2"].map((name) => run(other, name)));
    await outcome(Promise.resolve());
    expect(started).toEqual(["a1", "a2", "b1"]);
    await end("a1");
    expect(started).toEqual(["a1", "a2", "b1", "a3"]);
    await end("a2");
    expect(started).toEqual(["a1", "a2", "b1", "a3", "b2"]);
    for (const name of ["b1", "b2", "a3", "a4"]) await end(name);
    await Promise.all(jobs);
  });

  it("gives up what waits of a process that has ended, or that nobody waits for", async () => {
    const turns = new PoolTurns({ total: 1, each: 1 });
    const { started, run, end } = makeJobs(turns);
    const [one, other] = [{}, {}];
    const abort = new AbortController();
    const first = run(one, "first");
    const left = Promise.allSettled([run(one, "left"), run(one, "left, too")]);
    const unwanted = Promise.allSettled([run(other, "unwanted", abort.signal)]);
    const last = run(other, "last");
    abort.abort();
    turns.leave(one);
    const ended = { status: "rejected", reason: expect.any(ProcessEnded) };
    expect(await left).toEqual([ended, ended]);
    await end("first");
    expect(await unwanted).toEqual([ended]);
    expect([started, turns.waiting]).toEqual([["first", "last"], 0]);
    await end("last");
    await Promise.all([first, last]);
  });
});

describe("cryptography in a VM", () => {
  let vms: Vms;
  let vm: Vm;

  beforeAll(async () => {
    vms = new built.Vms({ poolSize: 0 });
    vm = await vms.create({});
  });
  afterAll(() => vms.close());

  /** Hours of work. */
  const queueMany = `
    const crypto = require("crypto");
    for (let i = 0; i < 2000; i++) {
      crypto.pbkdf2("p", "s", 1000000, 64, "sha512", () => {});
      crypto.scrypt("p", "s", 64, { N: 2 ** 17, maxmem: 2 ** 28 }, () => {});
      crypto.generateKeyPair("rsa", { modulusLength: 4096 }, () => {});
      crypto.randomFill(Buffer.alloc(64), () => {});
    }`;
  const work = `
    const crypto = require("crypto"), zlib = require("zlib");
    crypto.pbkdf2("p", "s", 1000, 16, "sha256", (error, key) => {
      zlib.gzip(Buffer.alloc(1 << 20), (error, packed) => console.log(key.length, zlib.gunzipSync(packed).length));
    });`;

  it("ends with its process, however much of it was to come", async () => {
    expect(await vm.run(`${queueMany} process.exit(7);`)).toMatchObject({ exitCode: 7 });
    expect(await vm.run(work)).toMatchObject({ exitCode: 0, stdout: "16 1048576\n" });
  });

  it("leaves room for other processes, and for compression", async () => {
    await vm.files.write("/tmp/many.js", `${queueMany} console.log("queued");`);
    const many = await vm.spawn(["node", "/tmp/many.js"]);
    await new Promise<void>((resolve) => many.onOutput(() => resolve()));
    expect(await vm.run(work)).toMatchObject({ exitCode: 0, stdout: "16 1048576\n" });
    expect(many.isRunning).toBe(true);
    await many.stop();
  });
});
