import { describe, expect, it } from "vitest";
import { whenAnswered } from "../../src/kernel/answer.ts";
import { MemoryFileSystem } from "../../src/kernel/filesystems/memory-file-system.ts";
import { OverlayFileSystem } from "../../src/kernel/filesystems/overlay-file-system.ts";

describe("answers", () => {
  it("go on at once where they are there, and later where they are not", async () => {
    expect(whenAnswered(1, (value) => value + 1)).toBe(2);
    const later = whenAnswered(Promise.resolve(1), (value) => value + 1);
    expect(later).toBeInstanceOf(Promise);
    expect(await later).toBe(2);
  });

  it("are there at once for files of an overlay over memory that were found before, or are not there", async () => {
    const now = (): number => 0;
    const image = new MemoryFileSystem({ now, isReadOnly: true });
    image.seed([{ path: "/a", kind: "file", mode: 0o644, content: new Uint8Array() }]);
    const files = new OverlayFileSystem({ upper: new MemoryFileSystem({ now }), lower: [image] });
    const first = await files.lookup(files.root, "a");
    if (first === undefined) throw new Error("there is no a");
    expect(files.lookup(files.root, "a")).toBe(first);
    expect(files.lookup(files.root, "b")).toBeUndefined();
    expect(files.stat(first)).toMatchObject({ kind: "file", mode: 0o644, ino: first.ino });
  });
});
