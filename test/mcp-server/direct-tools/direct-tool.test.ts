import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { directName } from "../../../src/mcp-server/direct-tools/direct-tool.ts";

const none: ReadonlySet<string> = new Set();
const hashOf = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 8);

describe("the name of a direct tool", () => {
  it("is that of its toolkit and its own", () => {
    expect(directName("books", "list-all", none)).toBe("books_list-all");
  });

  it("is one that model APIs take, whatever a server calls its tools", () => {
    const names = ["löschen", "削除", "x".repeat(60), "a-😀"].map((name) =>
      directName("some-toolkit", name, none),
    );
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(new Set(names).size).toBe(names.length);
  });

  it("is never that of another tool, also where a server has made one to match", () => {
    const long = "x".repeat(60);
    const cut = `some-toolkit_${long}`.slice(0, 55);
    const forged = `${cut}-${hashOf(`some-toolkit_${long}`)}`;
    const name = directName("some-toolkit", long, none);
    expect(name).toBe(forged);
    expect(directName("some-toolkit", long, new Set([forged]))).toBeUndefined();
    const other = directName(
      "some-toolkit",
      forged.slice("some-toolkit_".length),
      new Set([forged]),
    );
    expect(other).toMatch(/^some-toolkit_x+-[0-9a-f]{8}$/);
    expect(other).not.toBe(forged);
  });
});
