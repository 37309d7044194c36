import { describe, it } from "vitest";
import { describeSandboxProviderContract } from "../../../contract/sandbox-provider-contract.ts";
import { findObstacle, openLocal } from "./local-under-test.ts";

const obstacle = await findObstacle();

if (obstacle === undefined) {
  describeSandboxProviderContract("local", async () => openLocal());
  describeSandboxProviderContract(
    "local without control groups",
    async () => openLocal({ usesControlGroups: false }),
    { limits: "memory is watched there, see use-watch.test.ts" },
  );
} else {
  describe.skip(`local (sandbox provider contract): ${obstacle}`, () => {
    it("is not tested here", () => {});
  });
}
