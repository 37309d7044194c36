import { describe, expect, it } from "vitest";
import { guestPath } from "../../../src/mcp-server/tools/guest-path.ts";

describe("guestPath", () => {
  it("is relative to the home of the VM's user", () => {
    expect(guestPath("/etc/passwd")).toBe("/etc/passwd");
    expect(guestPath("notes/a.txt")).toBe("/home/user/notes/a.txt");
    expect(guestPath("../x")).toBe("/home/user/../x");
  });

  it.each([
    ["", '"" is no path: it is empty.'],
    ["a\0b", '"a\\u0000b" is no path: it holds a NUL byte.'],
    [
      `/${"x".repeat(5000)}`,
      `"/${"x".repeat(79)}…" is no path: it has 5001 bytes, the limit is 4095.`,
    ],
  ])("refuses what no kernel takes", (path, words) => {
    expect(() => guestPath(path)).toThrow(words);
  });
});
