import { describe, expect, it } from "vitest";
import { guestPath } from "../../../src/mcp-server/tools/guest-path.ts";

describe("guestPath", () => {
  it("is relative to the home of the VM's user", () => {
    expect(guestPath("/etc/passwd", "user")).toBe("/etc/passwd");
    expect(guestPath("notes/a.txt", "user")).toBe("/home/user/notes/a.txt");
    expect(guestPath("../x", "user")).toBe("/home/user/../x");
  });

  it("knows homes as a shell does", () => {
    expect(guestPath("~", "user")).toBe("/home/user");
    expect(guestPath("~/a b/~", "user")).toBe("/home/user/a b/~");
    expect(guestPath("~", "root")).toBe("/root");
    expect(guestPath("~/x", "root")).toBe("/root/x");
    expect(guestPath("~user/x", "root")).toBe("/home/user/x");
    expect(guestPath("~root", "user")).toBe("/root");
    expect(guestPath("~nobody/x", "user")).toBe("/home/user/~nobody/x");
    expect(guestPath("a/~", "user")).toBe("/home/user/a/~");
  });

  it.each([
    ["", '"" is not a valid path: it is empty.'],
    ["a\0b", '"a\\u0000b" is not a valid path: it holds a NUL byte.'],
    [
      `/${"x".repeat(5000)}`,
      `"/${"x".repeat(79)}…" is not a valid path: it has 5001 bytes, the limit is 4095.`,
    ],
  ])("refuses what no kernel takes", (path, words) => {
    expect(() => guestPath(path, "user")).toThrow(words);
  });
});
