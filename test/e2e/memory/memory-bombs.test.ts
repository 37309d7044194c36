import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bombs } from "../../../bench/bombs/bombs.ts";
import { explode, prepareTarget, type Target } from "../../../bench/bombs/explode.ts";
import type { Vms } from "../../../src/vm/index.ts";
import { built } from "../../support/built-vms.ts";

/** How often each bomb goes off, in one VM. For many runs see bench/memory-bombs.ts. */
const RUNS = 2;
/** Filling a gigabyte takes seconds on a busy machine. */
const RUN_LIMIT_MS = 60_000;

let vms: Vms;
let target: Target;

beforeAll(async () => {
  vms = new built.Vms({ poolSize: 0 });
  target = await prepareTarget(await vms.create());
});
afterAll(() => vms.close());

describe("a guest that takes all memory", () => {
  it.each(Object.entries(bombs))(
    "made of %s ends, and nothing else",
    async (_name, bomb) => {
      for (let run = 0; run < RUNS; run += 1) expect(await explode(target, bomb)).toEqual([]);
    },
    RUNS * RUN_LIMIT_MS,
  );
});

describe("a thousand processes that are small", () => {
  it("run one after the other, and leave nothing", async () => {
    const script = 'for i in $(seq 1000); do /bin/true || echo "failed $i"; done; echo ended $?';
    const bomb = { script, stdout: "ended 0\n", stderr: /^$/, kills: 0 };
    expect(await explode(target, bomb)).toEqual([]);
  });
});
