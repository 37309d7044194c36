import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Vms } from "../../../src/vm/index.ts";
import { built } from "../../support/built-vms.ts";
import type { Attack } from "./attack.ts";
import { allAttacks } from "./attacks.ts";
import { countEndings, formatEndings } from "./count-endings.ts";
import { expectEnding } from "./expect-ending.ts";
import { type AttackResult, LONG_MS, suffer } from "./hostile-vm.ts";
import { Neighbour } from "./neighbour.ts";

/** Attacks at a time. */
const LANES = 2;
/** For an attack, and for what follows it. */
const LIMIT_MS = 2 * LONG_MS;
vi.setConfig({ maxConcurrency: LANES });
/** Where the counts and each attack's result go as JSON, for docs/node.md. */
const reportFile = process.env["AGENTOS_ATTACKS_REPORT"];

/** Attacks by name, for whoever works on one: AGENTOS_ATTACKS='Proxy|Atomics'. */
const chosen = allAttacks.filter(({ kind, name }) =>
  new RegExp(process.env["AGENTOS_ATTACKS"] ?? "").test(`${kind}: ${name}`),
);

let vms: Vms;
let neighbour: Neighbour;
const results = new Map<Attack, AttackResult>();

beforeAll(async () => {
  vms = new built.Vms({ poolSize: LANES });
  neighbour = new Neighbour(await vms.create({ name: "neighbour" }));
});
afterAll(async () => {
  await vms.close();
});

describe("an attack by JavaScript hurts at most its own VM, and ends as it states", () => {
  it.concurrent.each(chosen.map((attack, at) => [attack.kind, attack.name, attack, at] as const))(
    "%s: %s",
    async (_kind, _name, attack, at) => {
      const result = await suffer(vms, `attacks-${at}`, attack);
      results.set(attack, result);
      await expectEnding(attack, result);
    },
    LIMIT_MS,
  );
});

describe("while and after all attacks", () => {
  it("the neighbour answered throughout", async () => {
    expect(await neighbour.stop()).toBeGreaterThan(0);
  });

  it("the server makes VMs that answer", async () => {
    const vm = await vms.create();
    expect(await vm.exec("echo hi")).toMatchObject({ stdout: "hi\n", stderr: "", exitCode: 0 });
  });

  it("every attack has an ending, and they are counted", () => {
    const counts = countEndings(results);
    process.stdout.write(`${formatEndings(counts)}\n`);
    if (reportFile !== undefined) {
      const all = [...results].map(([{ kind, name }, result]) => ({ kind, name, ...result }));
      writeFileSync(reportFile, JSON.stringify({ counts, attacks: all }, null, 1));
    }
    expect(results.size).toBe(chosen.length);
  });
});
