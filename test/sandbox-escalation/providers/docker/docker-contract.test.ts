import { describe, it } from "vitest";
import { describeSandboxProviderContract } from "../../../contract/sandbox-provider-contract.ts";
import { openDocker } from "./docker-under-test.ts";
import { startTestEngine } from "./test-engine.ts";

const engine = await startTestEngine();

if (typeof engine === "string") {
  describe.skip(`docker (sandbox provider contract): ${engine}`, () => {
    it("is not tested here", () => {});
  });
} else {
  describeSandboxProviderContract("docker", async () => {
    const underTest = openDocker(engine);
    const close = async () => {
      await underTest.close();
      await engine.stop();
    };
    return { ...underTest, close };
  });
}
