import { describe, expect, it } from "vitest";
import { presentLines } from "../../../src/mcp-server/presentation/present-lines.ts";

const wish = { name: "/f", offset: 1, limit: 100, limitBytes: 1000, scanLimitBytes: 1000 };

async function present(bytes: string | Uint8Array, own: object = {}): Promise<string[]> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    if (bytes.length > 0) yield Buffer.from(bytes);
  }
  const { content } = await presentLines(chunks(), { ...wish, ...own });
  return content.map((part) => (part.type === "text" ? part.text : part.type));
}

describe("lines for a client", () => {
  it("come alone when they are all there is", async () => {
    expect(await present("one\ntwo\n")).toEqual(["one\ntwo\n"]);
  });

  it("say how to go on", async () => {
    expect(await present("one\ntwo\nthree\n", { offset: 2, limit: 1 })).toEqual([
      "two\n",
      "[Lines 2 to 2; continue with offset 3.]",
    ]);
  });

  it("say that a file is empty, or shorter than that", async () => {
    expect(await present("")).toEqual(["[/f is empty.]"]);
    expect(await present("one\n", { offset: 9 })).toEqual([
      "[/f has 1 complete lines: there is no line 9.]",
    ]);
  });

  it("say that a line is cut, between characters", async () => {
    expect(await present("ü".repeat(10), { limitBytes: 5 })).toEqual([
      "üü",
      "[Line 1 is cut after 4 bytes; its rest: encoding base64, or vm_exec.]",
    ]);
  });

  it("say that a line is too far away", async () => {
    expect(await present("x".repeat(100), { offset: 2, scanLimitBytes: 50 })).toEqual([
      "[/f: line 2 is too far away; use vm_exec, for example sed -n.]",
    ]);
  });

  it("say that there are bytes that are no UTF-8", async () => {
    expect(await present(Uint8Array.of(0xe4, 0x0a))).toEqual([
      "\uFFFD\n",
      "[Bytes that are no UTF-8 show as U+FFFD; encoding base64 shows all.]",
    ]);
  });
});
