import { describe, expect, it } from "vitest";
import { withNotice } from "../../../src/mcp-server/presentation/with-notice.ts";

describe("withNotice", () => {
  it("puts a notice into both forms of a result", () => {
    const result = {
      structuredContent: { bytes: 1 },
      content: [{ type: "text" as const, text: "t" }],
    };
    expect(withNotice("It restarted.", result)).toEqual({
      structuredContent: { bytes: 1, notice: "It restarted." },
      content: [
        { type: "text", text: "[It restarted.]" },
        { type: "text", text: "t" },
      ],
    });
  });

  it("leaves a result alone that has nothing to add", () => {
    const result = { content: [] };
    expect(withNotice(undefined, result)).toBe(result);
  });
});
