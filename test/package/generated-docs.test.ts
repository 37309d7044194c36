import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { generatedDocs } from "../../scripts/docs.mjs";

describe("documents made from the sources", () => {
  for (const [path, render] of Object.entries(generatedDocs)) {
    it(`${path} is as npm run docs writes it now`, async () => {
      expect(readFileSync(path, "utf8")).toBe(await render());
    });
  }
});
