import { describe, it } from "vitest";
import {
  describeSandboxProviderContract,
  type Inabilities,
} from "../../../contract/sandbox-provider-contract.ts";
import { openLocal, probeLocal } from "./local-under-test.ts";
import { findSmallRoot } from "./make-small-root.ts";

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
  const image = findSmallRoot();
  const isHard = probe.abilities.memory === "hard";
  if (image !== undefined)
    describeSandboxProviderContract(
      "local with a root of its own",
      async () => openLocal({ image }),
      isHard ? {} : soft,
    );
} else {
  describe.skip(`local (sandbox provider contract): ${probe.reason}`, () => {
    it("is not tested here", () => {});
  });
}
