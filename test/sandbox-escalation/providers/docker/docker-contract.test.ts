import { describeSandboxProviderContract } from "../../../contract/sandbox-provider-contract.ts";
import { openDocker } from "./docker-under-test.ts";
import { startTestEngine } from "./test-engine.ts";

const engine = await startTestEngine();

describeSandboxProviderContract(
  "docker",
  async () => {
    if (typeof engine === "string") throw new Error(engine);
    const underTest = openDocker(engine);
    const close = async () => {
      await underTest.close();
      await engine.stop();
    };
    return { ...underTest, close };
  },
  { all: typeof engine === "string" ? engine : undefined },
);
