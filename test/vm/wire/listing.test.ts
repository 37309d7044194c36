import { describe, expect, it } from "vitest";
import { decodePage, encodePage, type FolderEntry } from "../../../src/vm/wire/listing.ts";
import { CHUNK_BYTES } from "../../../src/vm/wire/messages.ts";

const file = (name: string): FolderEntry => ({
  name,
  kind: "file",
  mode: 0o644,
  size: 2 ** 40,
  mtimeMs: 1_700_000_000_123.456,
});

describe("a page of a listing", () => {
  it("comes back as it was, whatever the names", () => {
    const entries: FolderEntry[] = [
      file("plain"),
      file('quote" \n\\'),
      file("caf\u00e9 \u{1f600}"),
      file("bytes-\udc80\udcff"),
      { ...file("link"), kind: "symlink", target: "../\udcfe/x" },
      { ...file("d"), kind: "directory", mode: 0o755 },
      { ...file("fifo"), kind: "other", mode: 0 },
    ];
    const { bytes, count } = encodePage(entries);
    expect(count).toBe(entries.length);
    expect(decodePage(bytes)).toEqual(entries);
  });

  it("leaves out what has gone, and counts it", () => {
    const { bytes, count } = encodePage([undefined, file("a"), undefined]);
    expect(count).toBe(3);
    expect(decodePage(bytes).map(({ name }) => name)).toEqual(["a"]);
  });

  it("fits a frame, however long names and links are", () => {
    const longest: FolderEntry = {
      ...file("\udcff".repeat(255)),
      kind: "symlink",
      target: "\udcff".repeat(4095),
    };
    const { bytes, count } = encodePage(Array.from({ length: 1000 }, () => longest));
    expect(bytes.length).toBeLessThanOrEqual(CHUNK_BYTES);
    expect(count).toBeGreaterThan(1);
    expect(decodePage(bytes)).toHaveLength(count);
  });

  it("can be empty", () => {
    const { bytes, count } = encodePage([]);
    expect([decodePage(bytes), count]).toEqual([[], 0]);
  });
});
