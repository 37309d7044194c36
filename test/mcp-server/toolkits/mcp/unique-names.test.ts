import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UniqueNames } from "../../../../src/mcp-server/toolkits/mcp/unique-names.ts";
import { checkDistinct, checkedName } from "../../../../src/toolkit-cli/index.ts";

describe("UniqueNames", () => {
  it("gives names that toolkits take, all different, whatever servers list", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "binary", maxLength: 80 }), { maxLength: 20 }),
        (written) => {
          const names = new UniqueNames();
          const given = written.map((name) => names.take(name));
          for (const name of given) expect(checkedName("tool", name)).toBe(name);
          checkDistinct("tool", new Map(given.map((name, index) => [`${index}`, name])));
        },
      ),
    );
  });
});
