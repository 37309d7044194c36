import {
  describeSandboxProviderContract,
  type ProviderUnderTest,
} from "../../../contract/sandbox-provider-contract.ts";
import { findServerObstacle, RealServer } from "./real-server.ts";
import { openProvider, spec } from "./server-under-test.ts";

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
  { all: findServerObstacle(), limits: "the machine is not ours to limit" },
);
