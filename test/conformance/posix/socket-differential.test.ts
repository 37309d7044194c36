/**
 * Sockets against Linux's: cases recorded by record-sockets.py are replayed in the kernel, with the
 * same answers, and the same events of poll on every socket, after each step.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { TestKernel } from "../../support/test-kernel.ts";
import { type Address, SocketWorld } from "./sockets/socket-world.ts";

type Step = readonly [call: string, who: string, ...args: (string | number | Address)[]];
type Taken = readonly [step: Step, answer: unknown, events: Readonly<Record<string, number>>];

interface RecordedCase {
  readonly name: string;
  readonly steps: readonly Taken[];
}

const fixture = new URL("./fixtures/sockets.json", import.meta.url);
const { cases } = JSON.parse(readFileSync(fixture, "utf8")) as { cases: RecordedCase[] };

/** What differs on purpose, with why. */
const known = new Map([
  ["walk 124 (inet)", "Linux goes on showing the port that a failed connect has given back"],
]);

describe("sockets, beside Linux's", () => {
  it.each(cases.filter(({ name }) => !known.has(name)))("agree on $name", replay);

  for (const [name, reason] of known) {
    const recorded = cases.find((one) => one.name === name);
    it.fails(`${name}: ${reason}`, async () => replay(recorded ?? { name, steps: [] }));
  }
});

async function replay({ steps }: RecordedCase): Promise<void> {
  const test = await TestKernel.boot();
  const seen = await test.asRoot(async (sys) => {
    const world = new SocketWorld(sys);
    const taken: Taken[] = [];
    for (const [step] of steps) taken.push([step, await world.take(step), await world.poll()]);
    return taken;
  });
  expect(seen).toEqual(steps);
  expect(test.host.logged).toEqual([]);
  const counts = ["maxSockets", "maxConnections", "maxSocketBufferedBytes"] as const;
  expect(counts.map((name) => test.kernel.limits.used(name))).toEqual([0, 0, 0]);
}
