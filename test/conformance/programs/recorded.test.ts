import { describe, expect, it } from "vitest";
import { describeRecorded } from "../compare.ts";
import { listFamilies, loadFamily, readRecorded } from "../recorded-case.ts";

await describeRecorded("GNU's tools", "programs");

describe("the recorded cases of the programs", () => {
  it("are 1,500 and more, at least 97 % of them without a known difference", async () => {
    const families = listFamilies("programs");
    const all = families.flatMap((family) => readRecorded("programs", family)).length;
    const loaded = await Promise.all(families.map((family) => loadFamily("programs", family)));
    const different = loaded.flatMap(({ known = {} }) => Object.values(known).flat()).length;
    expect(all).toBeGreaterThanOrEqual(1500);
    expect(different / all).toBeLessThanOrEqual(0.03);
  });
});
