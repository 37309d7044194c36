import {
  describeSandboxProviderContract,
  type ProviderUnderTest,
} from "../../../contract/sandbox-provider-contract.ts";
import { findObstacle } from "../local/local-under-test.ts";
import { openProvider, spec } from "./daytona-under-test.ts";
import { FakeDaytona } from "./fake-daytona.ts";

describeSandboxProviderContract(
  "daytona, by its own clients",
  async (): Promise<ProviderUnderTest> => {
    const fake = await FakeDaytona.start();
    return {
      provider: openProvider(fake.url),
      makeSpec: async (overrides = {}) => ({ ...spec, ...overrides }),
      findRemains: async (ref) => (fake.sandboxes.has(ref) ? [ref] : []),
      floodBytes: 4_000_000,
      close: () => fake.stop(),
    };
  },
  { all: await findObstacle(), limits: "a snapshot has its own size" },
);
