import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ToolBox } from "./tool-box.ts";

let box: ToolBox;
beforeAll(async () => {
  box = new ToolBox();
  await box.vms.create({ name: "one" });
});
afterAll(() => box.close());

const read = async (path: string, input: object = {}): Promise<string[]> =>
  box.texts("fs_read", { vm_id: "one", path, ...input });
const write = async (path: string, content: string, input: object = {}): Promise<string[]> =>
  box.texts("fs_write", { vm_id: "one", path, content, ...input });

describe("fs_write and fs_read", () => {
  it("write a file with the directories above it, and read it", async () => {
    const input = { vm_id: "one", path: "a/b/note.txt", content: "grüße\n" };
    expect(await box.call("fs_write", input)).toEqual({
      structuredContent: { bytes: 8 },
      content: [{ type: "text", text: "Wrote 8 bytes to /home/user/a/b/note.txt." }],
    });
    expect(await read("/home/user/a/b/note.txt")).toEqual(["grüße\n"]);
    expect(await write("a/b/note.txt", "more\n", { append: true })).toEqual([
      "Appended 5 bytes to /home/user/a/b/note.txt.",
    ]);
    expect(await read("a/b/note.txt")).toEqual(["grüße\nmore\n"]);
    await write("a/b/note.txt", "new");
    expect(await read("a/b/note.txt")).toEqual(["new"]);
  });

  it("carry any bytes as base64", async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    await write("bytes", bytes.toString("base64"), { encoding: "base64" });
    expect(await read("bytes")).toEqual([
      "[/home/user/bytes is binary, 256 bytes. Read it with encoding base64, or with vm_exec.]",
    ]);
    expect(await read("bytes", { encoding: "base64" })).toEqual([bytes.toString("base64")]);
    expect(await read("bytes", { encoding: "base64", offset: 254, limit: 1 })).toEqual([
      "/g==",
      "[Bytes 254 to 254 of 256; continue with offset 255.]",
    ]);
    expect(await write("x", "no base64!", { encoding: "base64" })).toEqual([
      "The content is not valid base64. Encode it again, or omit encoding to write text.",
    ]);
  });

  it("carry a file of several megabytes", async () => {
    const lines = Array.from({ length: 400_000 }, (_, at) => `line ${at + 1}`);
    await write("large", `${lines.join("\n")}\n`);
    expect(await read("large", { offset: 399_999 })).toEqual(["line 399999\nline 400000\n"]);
    const [text = "", note] = await read("large");
    const count = text.split("\n").length - 1;
    expect(note).toBe(`[Lines 1 to ${count}; continue with offset ${count + 1}.]`);
    expect(text.length).toBeLessThanOrEqual(30_000);
    expect(text.endsWith(`line ${count}\n`)).toBe(true);
  });

  it("act as the user, or as root", async () => {
    expect(await write("/etc/motd", "x")).toEqual(["EACCES: /etc/motd: Permission denied"]);
    expect(await write("/root/secret", "s", { as_root: true })).toEqual([
      "Wrote 1 bytes to /root/secret.",
    ]);
    expect(await read("/root/secret")).toEqual(["EACCES: /root/secret: Permission denied"]);
    expect(await read("/root/secret", { as_root: true })).toEqual(["s"]);
  });
});

describe("fs_read", () => {
  it("shows an image as an image", async () => {
    const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(20)]).toString(
      "base64",
    );
    await write("dot.png", png, { encoding: "base64" });
    expect(await box.call("fs_read", { vm_id: "one", path: "dot.png" })).toEqual({
      content: [{ type: "image", data: png, mimeType: "image/png" }],
    });
  });

  it("lists a directory", async () => {
    await write("list/sub/file", "");
    await write("list/file", "");
    expect(await read("list")).toEqual(["file\nsub/"]);
    expect(await read("list/file")).toEqual(["[/home/user/list/file is empty.]"]);
  });

  it("reads what has no size, as in /proc", async () => {
    expect((await read("/proc/self/cmdline")).join("")).not.toBe("");
  });

  it.each([
    ["nothing/here", "ENOENT: /home/user/nothing/here: No such file or directory"],
    ["x".repeat(300), /^ENAMETOOLONG: .*: File name too long/],
    [
      `/${"x/".repeat(3000)}`,
      /is not a valid path: it has 6001 bytes, the limit is 4095\. Use an absolute path/,
    ],
    [
      "a\0b",
      '"a\\u0000b" is not a valid path: it holds a NUL byte. Use an absolute path, or one relative to /home/user.',
    ],
    [
      "",
      '"" is not a valid path: it is empty. Use an absolute path, or one relative to /home/user.',
    ],
    [
      "/dev/zero",
      "/dev/zero is a device; it has no content that can be read as a file. Read it with vm_exec, for example with head -c 100.",
    ],
    ["vm://one/exec/99/stdout", /^The VM "one" has no command "99"\./],
    ["vm://gone/exec/1/stdout", /^There is no VM named "gone"\./],
  ])("says why %j cannot be read", async (path, words) => {
    const result = await box.call("fs_read", { vm_id: "one", path });
    expect(result.isError).toBe(true);
    expect(result.content).toEqual([
      { type: "text", text: typeof words === "string" ? words : expect.stringMatching(words) },
    ]);
  });
});

describe("fs_write", () => {
  it("names the limit it meets", async () => {
    const vm = await box.vms.create({ name: "small", limits: { maxFilesystemBytes: 65_536 } });
    const input = { vm_id: "small", path: "big", content: "x".repeat(100_000) };
    expect(await box.texts("fs_write", input)).toEqual([
      expect.stringMatching(
        /^ENOSPC: .*No space left on device \(limit maxFilesystemBytes is 65536; raise limits\.maxFilesystemBytes of the VM\)$/,
      ),
    ]);
    await vm.destroy();
  });

  it("says why a path cannot be written", async () => {
    expect(await write("/etc", "x", { as_root: true })).toEqual(["EISDIR: /etc: Is a directory"]);
    await write("file", "x");
    expect(await write("file/below", "x")).toEqual([
      expect.stringMatching(/^ENOTDIR: .*Not a directory$/),
    ]);
  });
});
