import { describe, expect, it } from "vitest";
import { collectPages } from "../../../../src/mcp-server/toolkits/mcp/collect-pages.ts";

describe("collectPages", () => {
  it("reads page after page until there is none", async () => {
    const pages = new Map([
      ["", { items: [1, 2], nextCursor: "b" }],
      ["b", { items: [3], nextCursor: undefined }],
    ]);
    const read = async (
      cursor = "",
    ): Promise<{ items: number[]; nextCursor: string | undefined }> =>
      pages.get(cursor) ?? { items: [], nextCursor: undefined };
    expect(await collectPages(read)).toEqual({ items: [1, 2, 3], isCut: false });
  });

  it("stops where the pages go in a circle", async () => {
    let reads = 0;
    const read = async (): Promise<{ items: number[]; nextCursor: string }> => {
      reads++;
      return { items: [reads], nextCursor: "same" };
    };
    expect(await collectPages(read)).toEqual({ items: [1, 2], isCut: false });
  });

  it("stops at the limits, and says so", async () => {
    const full = Array.from({ length: 1000 }, (_, index) => index);
    const once = await collectPages(async () => ({ items: full, nextCursor: undefined }));
    expect(once).toEqual({ items: full, isCut: false });
    const more = await collectPages(async () => ({ items: [...full, 1], nextCursor: undefined }));
    expect(more).toEqual({ items: full, isCut: true });
    let page = 0;
    const endless = await collectPages(async () => ({ items: [page], nextCursor: `${++page}` }));
    expect([endless.items.length, endless.isCut]).toEqual([100, true]);
  });
});
