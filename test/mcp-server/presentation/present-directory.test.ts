import { describe, expect, it } from "vitest";
import { presentDirectory } from "../../../src/mcp-server/presentation/present-directory.ts";
import type { DirectoryEntry } from "../../../src/vm/index.ts";

const entry = (name: string, kind: DirectoryEntry["kind"]): DirectoryEntry => ({
  name,
  kind,
  ino: 1,
});
const all = { offset: 1, limit: 1000 };

describe("a directory for a client", () => {
  it("is one name a line, sorted, with a mark of its kind", () => {
    const entries = [
      entry("..", "directory"),
      entry("to", "symlink"),
      entry("a", "file"),
      entry("sub", "directory"),
      entry(".", "directory"),
    ];
    expect(presentDirectory("/d", entries, all)).toEqual({
      content: [{ type: "text", text: "a\nsub/\nto@" }],
    });
  });

  it("says that it is empty", () => {
    expect(presentDirectory("/d", [], all)).toEqual({
      content: [{ type: "text", text: "[/d is an empty directory.]" }],
    });
  });

  it("comes in parts when it is long", () => {
    const entries = Array.from({ length: 5 }, (_, at) => entry(`f${at}`, "file"));
    expect(presentDirectory("/d", entries, { offset: 2, limit: 2 })).toEqual({
      content: [
        { type: "text", text: "f1\nf2" },
        { type: "text", text: "[2 more; continue with offset 4.]" },
      ],
    });
  });
});
