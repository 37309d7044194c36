// Every attack of the doctor's list in a real cell: refused in the jail, refused by each layer that
// claims to stop it when that layer stands alone, and successful when no layer stands, so that the
// refusals above mean something.
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import type { LayerName } from "../../src/vm/confinement/layer.ts";
import type { Attack } from "../../src/vm/doctor/attack.ts";
import { nativeAttacks } from "../../src/vm/doctor/native-attacks.ts";
import { nodeAttacks } from "../../src/vm/doctor/node-attacks.ts";
import { type ProbeReport, runProbe } from "../../src/vm/doctor/run-probe.ts";
import { notJailable, unless } from "../support/unless.ts";

const attacks = [...nodeAttacks, ...nativeAttacks];
/** The layers attacks meet; the others concern the cell's life, see cell-process.test.ts. */
const defences: readonly LayerName[] = [
  "empty-environment",
  "permission-model",
  "landlock",
  "io-uring-off",
  "own-user",
  "no-capabilities",
  "own-processes",
  "own-network",
  "own-ipc",
  "own-files",
  "few-threads",
  "seccomp",
];
/** A limit on threads is for users that are shared with nobody; that they are, stops none of its attacks. */
const leansOn: Partial<Record<LayerName, LayerName>> = { "few-threads": "own-user" };

function outcome(report: ProbeReport | undefined, attack: Attack): string {
  const result = report?.attacks.find(
    ({ name, route }) => name === attack.name && route === attack.route,
  );
  return result?.outcome ?? "missing";
}

describe("the jail", unless(notJailable), () => {
  let jailed: ProbeReport | undefined;
  let open: ProbeReport | undefined;
  const alone = new Map<LayerName, ProbeReport>();

  beforeAll(async () => {
    jailed = await runProbe();
    open = await runProbe({ without: defences });
    for (const layer of defences) {
      const without = defences.filter((other) => other !== layer && other !== leansOn[layer]);
      alone.set(layer, await runProbe({ without }));
    }
  });

  it("holds every layer", () => {
    expect(jailed?.layers.filter((layer) => layer.state !== "held")).toEqual([]);
    expect(jailed?.layers.map((layer) => layer.name).sort()).toEqual([
      "empty-environment",
      "few-threads",
      "first-out-of-memory",
      "io-uring-off",
      "landlock",
      "no-capabilities",
      "no-new-privileges",
      "not-dumpable",
      "own-files",
      "own-ipc",
      "own-network",
      "own-processes",
      "own-user",
      "parent-death",
      "permission-model",
      "resource-limits",
      "seccomp",
    ]);
  });

  it.each(attacks)("refuses $name by way of $route", (attack) => {
    expect(outcome(jailed, attack)).toBe("refused");
  });

  const pairs = attacks.flatMap((attack) =>
    attack.stoppedBy.map((layer) => ({ attack, layer, name: attack.name, route: attack.route })),
  );

  it.each(pairs)("refuses $name by way of $route with $layer alone", ({ attack, layer }) => {
    expect(outcome(alone.get(layer), attack)).toBe("refused");
  });

  it.each(attacks.filter(canSucceedHere))(
    "would let $name by way of $route succeed without its layers",
    (attack) => {
      expect(outcome(open, attack)).toBe("succeeded");
    },
  );
});

/** Root's own attacks need root; tracing a process that is not a child is also Yama's to refuse. */
function canSucceedHere(attack: Attack): boolean {
  const isRoot = process.getuid?.() === 0;
  if (attack.name === "trace-server") return isRoot || yamaScope() === 0;
  return isRoot || attack.needsRoot !== true;
}

function yamaScope(): number {
  try {
    return Number(readFileSync("/proc/sys/kernel/yama/ptrace_scope", "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return 0;
    throw error;
  }
}
