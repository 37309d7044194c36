import { describe, it } from "vitest";
import {
  describeSandboxProviderContract,
  type ProviderUnderTest,
} from "../../../contract/sandbox-provider-contract.ts";
import { findServerObstacle, RealServer } from "./real-server.ts";
import { openProvider, spec } from "./server-under-test.ts";

const obstacle = findServerObstacle();

if (obstacle === undefined)
  describeSandboxProviderContract(
    "sandbox-agent, a real server by its own library",
    async (): Promise<ProviderUnderTest> => {
      const server = await RealServer.start();
      return {
        provider: openProvider(server.access),
        makeSpec: async (overrides = {}) => ({ ...spec, ...overrides }),
        findRemains: async (ref) => server.findRemains(ref),
        floodBytes: 8_000_000,
        close: () => server.stop(),
      };
    },
    { limits: "the machine is not ours to limit" },
  );
else describe("sandbox-agent", () => it.skip(`cannot be tested: ${obstacle}`, () => {}));
