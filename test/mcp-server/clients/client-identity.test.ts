import { expect, it } from "vitest";
import { ownVmName } from "../../../src/mcp-server/clients/client-identity.ts";

it.each([
  ["claude-code", "/home/me/shop", /^claude-code-shop-[0-9a-z]{6}$/],
  ["Visual Studio Code", "", /^visual-studio-code-[0-9a-z]{6}$/],
  ["", "/", /^client-[0-9a-z]{6}$/],
  ["日本", "/work/日本", /^client-[0-9a-z]{6}$/],
  ["x".repeat(10_000), `/${"y".repeat(5000)}`, /^x{24}-y{24}-[0-9a-z]{6}$/],
  ["a", "file:///work/shop", /^a-shop-[0-9a-z]{6}$/],
])("names the VM of %s in %s", (name, project, expected) => {
  expect(ownVmName({ name, project })).toMatch(expected);
});

it("tells clients apart by name and project", () => {
  const names = [
    { name: "a", project: "/b/shop" },
    { name: "a", project: "/c/shop" },
    { name: "A", project: "/b/shop" },
    { name: "a/b", project: "/shop" },
  ].map(ownVmName);
  expect(new Set(names).size).toBe(4);
});
