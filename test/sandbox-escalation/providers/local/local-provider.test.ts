import { describe, it } from "vitest";
import {
  describeSandboxProviderContract,
  type Inabilities,
} from "../../../contract/sandbox-provider-contract.ts";
import { openLocal, probeLocal } from "./local-under-test.ts";

const probe = await probeLocal();
const soft: Inabilities = { limits: "memory is watched there, see local-sandbox.test.ts" };

if (probe.isUsable) {
  if (probe.abilities.memory === "hard")
    describeSandboxProviderContract("local", async () => openLocal());
  describeSandboxProviderContract(
    "local without control groups",
    async () => openLocal({ usesControlGroups: false }),
    soft,
  );
} else {
  describe.skip(`local (sandbox provider contract): ${probe.reason}`, () => {
    it("is not tested here", () => {});
  });
}
