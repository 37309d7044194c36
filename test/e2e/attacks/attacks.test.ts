import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Vms } from "../../../src/vm/index.ts";
import { built } from "../../support/built-vms.ts";
import type { Attack } from "./attack.ts";
import { attacks } from "./attacks.ts";
import { countEndings, formatEndings } from "./count-endings.ts";
import { type AttackResult, HostileVm, Neighbour } from "./hostile-vm.ts";

const LANES = 2;
const LIMIT_MS = 60_000;
vi.setConfig({ maxConcurrency: LANES });
/** Where the counts and each attack's ending go as JSON, for docs/node.md. */
const reportFile = process.env["AGENTOS_ATTACKS_REPORT"];

/** Attacks by name, for whoever works on one: AGENTOS_ATTACKS='Proxy|Atomics'. */
const chosen = attacks.filter(({ kind, name }) =>
  new RegExp(process.env["AGENTOS_ATTACKS"] ?? "").test(`${kind}: ${name}`),
);

let vms: Vms;
let neighbour: Neighbour;
const results = new Map<Attack, AttackResult>();
const free: HostileVm[] = [];
const waiting: ((vm: HostileVm) => void)[] = [];

beforeAll(async () => {
  vms = new built.Vms({ poolSize: LANES });
  neighbour = new Neighbour(await vms.create({ name: "neighbour" }));
  for (let lane = 0; lane < LANES; lane += 1) free.push(await HostileVm.create(vms, `${lane}`));
});
afterAll(async () => {
  await vms.close();
});

/** Runs an attack in whichever VM is free, and waits for one: as many run at a time as there are VMs. */
async function attackSomeVm(attack: Attack): Promise<AttackResult> {
  const vm = free.pop() ?? (await new Promise<HostileVm>((give) => waiting.push(give)));
  try {
    const result = await vm.suffer(attack);
    results.set(attack, result);
    return result;
  } finally {
    const next = waiting.shift();
    if (next === undefined) free.push(vm);
    else next(vm);
  }
}

describe("an attack by JavaScript hurts at most its own VM", () => {
  it.concurrent.each(chosen.map((attack) => [attack.kind, attack.name, attack] as const))(
    "%s: %s",
    async (_kind, _name, attack) => {
      const { ending, stdout, said } = await attackSomeVm(attack);
      expect(attack.ends, `${ending}: ${said}`).toContain(ending);
      if (attack.prints !== undefined) expect(`${stdout}${said}`).toBe(attack.prints);
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
      const all = [...results].map(([{ kind, name }, { ending, said, durationMs, timedOut }]) => ({
        kind,
        name,
        ending,
        said,
        durationMs,
        timedOut,
      }));
      writeFileSync(reportFile, JSON.stringify({ counts, attacks: all }, null, 1));
    }
    expect(results.size).toBe(chosen.length);
  });
});
