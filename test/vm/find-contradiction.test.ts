import { expect, it } from "vitest";
import { findContradiction } from "../../src/vm/find-contradiction.ts";
import type { VmOptions } from "../../src/vm/index.ts";

const actual: VmOptions = {
  name: "a",
  env: { A: "1", B: "2" },
  limits: { maxProcesses: 10 },
  software: [{ at: "/opt/a", path: "/host/a" }],
};

it.each<[VmOptions, string | undefined]>([
  [{}, undefined],
  [{ name: "a", env: {} }, undefined],
  [{ env: { A: "1" }, limits: { maxProcesses: 10 } }, undefined],
  [{ env: { A: "2" } }, "env.A"],
  [{ env: { C: "1" } }, "env.C"],
  [{ limits: { maxProcesses: 11 } }, "limits.maxProcesses"],
  [{ permissions: { network: "deny" } }, "permissions.network"],
  [{ software: [{ at: "/opt/a", path: "/host/a" }] }, undefined],
  [{ software: [{ at: "/opt/b", path: "/host/a" }] }, "software"],
])("finds what contradicts %j", (asked, expected) => {
  expect(findContradiction(asked, actual)).toBe(expected);
});
