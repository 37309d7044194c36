import { expect, it } from "vitest";
import { checkSandboxes } from "../../../../src/mcp-server/commands/doctor/check-sandboxes.ts";
import { sandboxConfig } from "../../../../src/mcp-server/config/sandbox-config.ts";

it("says of each provider whether it can be used, and what to do", async () => {
  const config = sandboxConfig.parse({
    providers: {
      e2b: { apiKey: { env: "MY_KEY" } },
      docker: { image: "debian:13", policy: "deny" },
      local: {},
    },
  });
  const [e2b, docker, local] = await checkSandboxes(config, { E2B_API_KEY: "not this one" });
  const place = { group: "configuration", name: "sandboxes" };
  expect(e2b).toEqual({
    ...place,
    state: "warning",
    detail: "e2b cannot be used",
    remedy: expect.stringMatching(/^There is no key for E2B\. To allow it: set /),
  });
  expect(docker).toEqual({ ...place, state: "ok", detail: "docker is refused by the policy" });
  expect(local).toMatchObject({
    ...place,
    detail: expect.stringMatching(/^local can(not)? be used$/),
  });
  expect(await checkSandboxes(undefined, {})).toEqual([]);
});
