import { expect, it } from "vitest";
import { providersOf, sandboxConfig } from "../../../src/mcp-server/config/sandbox-config.ts";
import { offerOf } from "../../../src/mcp-server/sandboxes/offer-of-config.ts";
import { ProcessProvider } from "../../support/process-provider.ts";

const offers = (config: unknown) =>
  providersOf(sandboxConfig.parse(config)).map((own) => offerOf(own, new ProcessProvider()));

it("asks before what costs money, by its vendor or by what the operator reckons", () => {
  const providers = { local: {}, docker: { image: "x", costUsdPerHour: 1 }, e2b: {}, daytona: {} };
  const policies = (config: object) => offers(config).map(({ policy }) => policy);
  expect(policies({ providers })).toEqual(["auto", "ask", "ask", "ask"]);
  expect(policies({ policy: "auto", providers })).toEqual(["auto", "auto", "auto", "auto"]);
  expect(policies({ policy: "deny", providers: { local: { policy: "ask" }, e2b: {} } })).toEqual([
    "ask",
    "deny",
  ]);
});

it("has a provider's own image and lifetime where nothing is said", () => {
  const [local, e2b, longer] = [
    ...offers({ providers: { local: {}, e2b: {} } }),
    ...offers({ provider: "e2b", image: "mine", limits: { lifetimeMinutes: 90 } }),
  ];
  expect([local?.image, e2b?.image, longer?.image]).toEqual(["host", "base", "mine"]);
  expect([local, e2b, longer].map((offer) => offer?.limits.lifetimeMs)).toEqual(
    [240, 60, 90].map((minutes) => minutes * 60_000),
  );
});
