import { describe, expect, it } from "vitest";
import { presentBytes, presentImage } from "../../../src/mcp-server/presentation/present-bytes.ts";

const bytes = Buffer.from("0123456789");
const source = {
  name: "/f",
  sizeBytes: bytes.length,
  read: async (offset: number, length: number) => bytes.subarray(offset, offset + length),
};

describe("bytes for a client", () => {
  it("come as base64", async () => {
    expect(await presentBytes(source, { offset: 0, limit: undefined, limitBytes: 100 })).toEqual({
      content: [{ type: "text", text: bytes.toString("base64") }],
    });
  });

  it("come in parts that can be put together", async () => {
    const first = await presentBytes(source, { offset: 0, limit: undefined, limitBytes: 10 });
    expect(first.content).toEqual([
      { type: "text", text: Buffer.from("012345").toString("base64") },
      { type: "text", text: "[Bytes 0 to 5 of 10; continue with offset 6.]" },
    ]);
    const second = await presentBytes(source, { offset: 6, limit: 100, limitBytes: 10 });
    expect(second.content).toEqual([
      { type: "text", text: Buffer.from("6789").toString("base64") },
    ]);
  });

  it("say where they end", async () => {
    const { content } = await presentBytes(source, { offset: 99, limit: 1, limitBytes: 10 });
    expect(content.at(-1)).toEqual({ type: "text", text: "[/f ends at byte 10.]" });
  });
});

describe("an image for a client", () => {
  it("comes whole", async () => {
    expect(await presentImage(source, "image/png")).toEqual({
      content: [{ type: "image", data: bytes.toString("base64"), mimeType: "image/png" }],
    });
  });

  it("is described when it is larger than clients take", async () => {
    const { content } = await presentImage({ ...source, sizeBytes: 4_000_000 }, "image/png");
    expect(content).toEqual([
      {
        type: "text",
        text: "[/f is an image (image/png) of 4000000 bytes; at most 3750000 can be shown. Read it with encoding base64.]",
      },
    ]);
  });
});
