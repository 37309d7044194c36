import { describe, expect, it } from "vitest";
import {
  O_APPEND,
  O_CREAT,
  O_RDONLY,
  O_RDWR,
  O_WRONLY,
  SEEK_CUR,
  SEEK_SET,
} from "../../../src/kernel/abi/open-flags.ts";
import { encodeText } from "../../../src/kernel/abi/text.ts";
import { readText, TestKernel, writeText } from "../../support/test-kernel.ts";

describe("an open regular file", () => {
  it("lets calls that share its offset take turns, so that nothing is read or written twice", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      await writeText(sys, "f", "abcdefgh");
      const fd = await sys.open("f", O_RDONLY);
      const parts = [0, 1, 2, 3].map(() => new Uint8Array(2));
      await Promise.all(parts.map((into) => sys.read(fd, into)));
      expect(parts).toEqual(["ab", "cd", "ef", "gh"].map(encodeText));
      const out = await sys.open("g", O_CREAT | O_WRONLY);
      await Promise.all(["1", "22", "333"].map((text) => sys.write(out, encodeText(text))));
      expect(await readText(sys, "g")).toBe("122333");
    });
  });

  it("is appended to by two processes without loss", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      const write = async (own: typeof sys, letter: string): Promise<void> => {
        const fd = await own.open("log", O_CREAT | O_WRONLY | O_APPEND);
        for (let i = 0; i < 50; i++) await own.write(fd, encodeText(letter));
      };
      const pid = await sys.clone(async (child) => {
        await write(child, "x");
        return 0;
      });
      await write(sys, "y");
      await sys.wait({ pid });
      expect([...(await readText(sys, "log"))].toSorted().join("")).toBe(
        "x".repeat(50) + "y".repeat(50),
      );
    });
  });

  it("goes on after a call that fails", async () => {
    const test = await TestKernel.boot({ limits: { maxFileBytes: 10 } });
    await test.asUser(async (sys) => {
      const fd = await sys.open("f", O_CREAT | O_RDWR);
      await sys.write(fd, encodeText("abc"));
      await expect(sys.write(fd, new Uint8Array(20))).rejects.toMatchObject({ errno: "EFBIG" });
      expect(await sys.seek(fd, 0, SEEK_CUR)).toBe(3);
      await expect(sys.seek(fd, -10, SEEK_CUR)).rejects.toMatchObject({ errno: "EINVAL" });
      await sys.write(fd, encodeText("d"));
      expect(await readText(sys, "f")).toBe("abcd");
    });
  });

  it("stays open for a call that is under way when its fd is closed", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      await writeText(sys, "f", "abc");
      const fd = await sys.open("f", O_RDONLY);
      await sys.unlink("f");
      const into = new Uint8Array(3);
      const reading = sys.read(fd, into);
      await sys.close(fd);
      expect(await reading).toBe(3);
      expect(into).toEqual(encodeText("abc"));
    });
    expect(test.kernel.limits.used("maxOpenFiles")).toBe(0);
    expect(test.kernel.limits.used("maxFilesystemBytes")).toBe(0);
  });

  it("writes past its end leave a hole of zeros that takes no room", async () => {
    const test = await TestKernel.boot();
    await test.asUser(async (sys) => {
      const fd = await sys.open("f", O_CREAT | O_RDWR);
      await sys.seek(fd, 10_000_000, SEEK_SET);
      await sys.write(fd, encodeText("end"));
      expect((await sys.fstat(fd)).size).toBe(10_000_003);
      expect(test.kernel.limits.used("maxFilesystemBytes")).toBeLessThan(200_000);
      const into = new Uint8Array(4);
      await sys.pread(fd, into, 9_999_999);
      expect(into).toEqual(encodeText("\0end"));
    });
  });
});
