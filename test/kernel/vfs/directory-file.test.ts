import { describe, expect, it } from "vitest";
import { O_RDONLY, SEEK_SET } from "../../../src/kernel/abi/open-flags.ts";
import { MemoryFileSystem } from "../../../src/kernel/filesystems/memory-file-system.ts";
import type { DirectoryPage, Inode } from "../../../src/kernel/vfs/file-system.ts";
import { TestKernel } from "../../support/test-kernel.ts";

const content = new Uint8Array(0);
const names = ["a", "b", "c", "d", "e", "f"];

/** Lists after others have had their turn, as a file system whose files are elsewhere does. */
class FarFileSystem extends MemoryFileSystem {
  override async list(directory: Inode, cursor: number, limit: number): Promise<DirectoryPage> {
    await Promise.resolve();
    return super.list(directory, cursor, limit);
  }
}

async function bootWithNames(): Promise<TestKernel> {
  const test = await TestKernel.boot({ files: [{ path: "/far", kind: "directory" }] });
  const { kernel, host } = test;
  const far = new FarFileSystem({ now: () => host.now(), limits: kernel.limits });
  far.seed(names.map((name) => ({ path: `/${name}`, kind: "file", content })));
  await test.mount("/far", far);
  return test;
}

describe("an open directory", () => {
  it("gives each entry once to readers that share its position", async () => {
    const test = await bootWithNames();
    await test.asUser(async (sys) => {
      const fd = await sys.open("/far", O_RDONLY);
      const same = await sys.dup(fd);
      const pages = await Promise.all([fd, same, fd, same].map((one) => sys.readdir(one, 2)));
      expect(pages.map((page) => page.map(({ name }) => name))).toEqual([
        ["a", "b"],
        ["c", "d"],
        ["e", "f"],
        [],
      ]);
    });
  });

  it("gives each entry once to a process and the child that inherits it", async () => {
    const test = await bootWithNames();
    await test.asUser(async (sys) => {
      const fd = await sys.open("/far", O_RDONLY);
      const seen: string[] = [];
      const drain = async (own: typeof sys): Promise<void> => {
        for (;;) {
          const page = await own.readdir(fd, 1);
          if (page.length === 0) return;
          seen.push(...page.map(({ name }) => name));
        }
      };
      const pid = await sys.clone(async (child) => {
        await drain(child);
        return 0;
      });
      await drain(sys);
      await sys.wait({ pid });
      expect(seen).toEqual(names);
    });
  });

  it("goes back to its start only after a page that is under way", async () => {
    const test = await bootWithNames();
    await test.asUser(async (sys) => {
      const fd = await sys.open("/far", O_RDONLY);
      const [first, , again] = await Promise.all([
        sys.readdir(fd, 2),
        sys.seek(fd, 0, SEEK_SET),
        sys.readdir(fd, 2),
      ]);
      expect(again).toEqual(first);
    });
  });

  it("stays open for a call that is under way when its fd is closed", async () => {
    const test = await bootWithNames();
    await test.asUser(async (sys) => {
      const fd = await sys.open("/far", O_RDONLY);
      const reading = sys.readdir(fd);
      await sys.close(fd);
      expect((await reading).map(({ name }) => name)).toEqual(names);
    });
    expect(test.kernel.limits.used("maxOpenFiles")).toBe(0);
  });
});
