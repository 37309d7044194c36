import { expect } from "vitest";
import type { Errno } from "../../../src/kernel/abi/errno.ts";
import { type ContractTests, expectErrno, type Tree } from "./setup.ts";

/** Things to rename and to rename onto, as `matrix` names them. */
const things = ["nothing", "file", "symlink", "empty", "full"] as const;
type Thing = (typeof things)[number];

/** What rename(2) answers for a thing onto another in the same directory; "" where it works. */
const matrix: Record<Thing, Record<Thing, Errno | "">> = {
  nothing: {
    nothing: "ENOENT",
    file: "ENOENT",
    symlink: "ENOENT",
    empty: "ENOENT",
    full: "ENOENT",
  },
  file: { nothing: "", file: "", symlink: "", empty: "EISDIR", full: "EISDIR" },
  symlink: { nothing: "", file: "", symlink: "", empty: "EISDIR", full: "EISDIR" },
  empty: { nothing: "", file: "ENOTDIR", symlink: "ENOTDIR", empty: "", full: "ENOTEMPTY" },
  full: { nothing: "", file: "ENOTDIR", symlink: "ENOTDIR", empty: "", full: "ENOTEMPTY" },
};

async function put(at: Tree, thing: Thing, name: string): Promise<void> {
  if (thing === "file") await at.file(name, name);
  if (thing === "symlink") await at.make(name, "symlink");
  if (thing === "empty") await at.directory(name);
  if (thing === "full") await at.file("inside", name, await at.directory(name));
}

export function renameContract(tests: ContractTests): void {
  tests.it("moves only what is expected at the name", async (at) => {
    const one = await at.file("one", "1");
    const two = await at.file("two", "2");
    await expectErrno(at.fs.rename(at.name("one"), at.name("to"), two), "ENOENT");
    await at.fs.rename(at.name("one"), at.name("to"), one);
    expect(await at.find("to")).toBe(one);
  });

  for (const from of things) {
    for (const to of things) {
      const errno = matrix[from][to];
      const words = errno === "" ? "moves" : `fails with ${errno} to move`;
      tests.it(`${words} ${from} onto ${to}`, async (at) => {
        await put(at, from, "from");
        await put(at, to, "to");
        const before = [await at.find("from"), await at.find("to")];
        const renamed = at.fs.rename(at.name("from"), at.name("to"));
        if (errno !== "") {
          await expectErrno(renamed, errno);
          expect([await at.find("from"), await at.find("to")]).toEqual(before);
          return;
        }
        await renamed;
        expect(await at.find("from")).toBeUndefined();
        expect(await at.find("to")).toBe(before[0]);
        expect(await at.names()).toEqual(["to"]);
      });
    }
  }

  tests.it("moves a directory with all that is in it", async (at) => {
    const a = await at.directory("a");
    const inner = await at.directory("inner", a);
    const file = await at.file("file", "deep", inner);
    const b = await at.directory("b");
    await at.fs.rename(at.name("a"), at.name("c", b));
    expect(await at.find("a")).toBeUndefined();
    expect(await at.fs.lookup(b, "c")).toBe(a);
    expect(await at.fs.lookup(a, "inner")).toBe(inner);
    expect(await at.fs.lookup(inner, "file")).toBe(file);
    expect(await at.read(file)).toBe("deep");
  });

  tests.it("fails with EINVAL to move a directory into itself or below", async (at) => {
    const a = await at.directory("a");
    const b = await at.directory("b", a);
    const c = await at.directory("c", b);
    for (const into of [a, b, c]) {
      await expectErrno(at.fs.rename(at.name("a"), at.name("x", into)), "EINVAL");
    }
    await expectErrno(at.fs.rename(at.name("b", a), at.name("c", b)), "EINVAL");
    expect(await at.fs.lookup(b, "c")).toBe(c);
  });

  tests.it(
    "fails with ENOTEMPTY to move something onto a directory that it lies in",
    async (at) => {
      const a = await at.directory("a");
      const b = await at.directory("b", a);
      const file = await at.file("file", "", b);
      await expectErrno(at.fs.rename(at.name("b", a), at.name("a")), "ENOTEMPTY");
      await expectErrno(at.fs.rename(at.name("file", b), at.name("a")), "ENOTEMPTY");
      await expectErrno(at.fs.rename(at.name("file", b), at.name("b", a)), "ENOTEMPTY");
      expect(await at.fs.lookup(b, "file")).toBe(file);
    },
  );

  tests.it("does nothing for a name onto itself", async (at) => {
    const file = await at.file("file", "x");
    const directory = await at.directory("directory");
    await at.fs.rename(at.name("file"), at.name("file"));
    await at.fs.rename(at.name("directory"), at.name("directory"));
    expect([await at.find("file"), await at.find("directory")]).toEqual([file, directory]);
  });

  tests.it(
    "does nothing for two names of one file: both stay",
    async (at) => {
      const file = await at.file("one", "x");
      await at.fs.link(at.name("two"), file);
      await at.fs.rename(at.name("one"), at.name("two"));
      expect(await at.names()).toEqual(["one", "two"]);
      expect((await at.fs.stat(file)).nlink).toBe(2);
    },
    ["hard links"],
  );

  tests.it(
    "keeps a replaced file readable for its holder",
    async (at) => {
      const replaced = await at.file("to", "replaced");
      at.fs.retain(replaced);
      const moved = await at.file("from", "moved");
      await at.fs.rename(at.name("from"), at.name("to"));
      expect(await at.read(replaced)).toBe("replaced");
      expect((await at.fs.stat(replaced)).nlink).toBe(0);
      expect(await at.read(moved)).toBe("moved");
      at.fs.release(replaced);
    },
    ["files without a name"],
  );

  tests.it(
    "lets a replaced directory be used no more",
    async (at) => {
      await at.directory("from");
      const replaced = await at.directory("to");
      at.fs.retain(replaced);
      await at.fs.rename(at.name("from"), at.name("to"));
      await expectErrno(at.file("x", "", replaced), "ENOENT");
      expect(await at.entries(replaced)).toEqual([]);
      at.fs.release(replaced);
    },
    ["files without a name"],
  );

  tests.it("moves back and forth, over names used before", async (at) => {
    const d = await at.directory("d");
    const file = await at.file("file", "x");
    for (let i = 0; i < 3; i++) {
      await at.fs.rename(at.name("file"), at.name("file", d));
      expect(await at.names()).toEqual(["d"]);
      await at.fs.rename(at.name("file", d), at.name("file"));
      expect(await at.names(d)).toEqual([]);
    }
    expect(await at.find("file")).toBe(file);
    await at.fs.rename(at.name("d"), at.name("e"));
    await at.fs.rename(at.name("e"), at.name("d"));
    expect(await at.find("d")).toBe(d);
  });

  tests.it(
    "counts a moved directory in its new parent",
    async (at) => {
      const a = await at.directory("a");
      const b = await at.directory("b");
      await at.directory("sub", a);
      const links = async () => [await at.fs.stat(a), await at.fs.stat(b)].map((s) => s.nlink);
      expect(await links()).toEqual([3, 2]);
      await at.fs.rename(at.name("sub", a), at.name("sub", b));
      expect(await links()).toEqual([2, 3]);
      await at.directory("sub", a);
      await at.fs.rename(at.name("sub", a), at.name("sub", b));
      expect(await links()).toEqual([2, 3]);
      await at.fs.rename(at.name("sub", b), at.name("other", b));
      expect(await links()).toEqual([2, 3]);
    },
    ["counts links of directories"],
  );
}
