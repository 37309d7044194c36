import { describe, it } from "vitest";
import { describeSandboxProviderContract } from "../../../contract/sandbox-provider-contract.ts";
import { openDocker } from "./docker-under-test.ts";
import { findEngineObstacle, TestEngine } from "./test-engine.ts";

const obstacle = findEngineObstacle();

if (obstacle === undefined) {
  describeSandboxProviderContract("docker", async () => {
    const engine = await TestEngine.start();
    const underTest = openDocker(engine);
    const close = async () => {
      await underTest.close();
      await engine.stop();
    };
    return { ...underTest, close };
  });
} else {
  describe.skip(`docker (sandbox provider contract): ${obstacle}`, () => {
    it("is not tested here", () => {});
  });
}
