import { describe, expect, it } from "vitest";
import { notJailable, unless } from "../support/unless.ts";
import { surviveJunk } from "./survive-junk.ts";

describe("the guest's native module, against arguments of any kind", unless(notJailable), () => {
  it("throws, and never ends the process", { timeout: 300_000 }, async () => {
    expect(await surviveJunk(1000, 12)).toBe("survived");
  });
});
