// A cell reads its wire into the same memory again and again: what it keeps of a frame is a copy.
import { afterAll, expect, it } from "vitest";
import { built } from "../support/built-vms.ts";
import { TestFolder } from "../support/test-folder.ts";

const text = (letter: string, size = 60_000): string => letter.repeat(size);
const folder = new TestFolder({ a: text("a"), b: text("b"), c: text("c", 300_000) });
const vms = new built.Vms({ poolSize: 1 });
const vm = await vms.create({ software: [{ path: folder.path, at: "/sw" }] });
afterAll(async () => {
  await vms.close();
  folder.remove();
});

it("gives a file of software the same content again, whatever came between", async () => {
  const letters = "for f in a b c a b c; do fold -w 1 /sw/$f | sort | uniq -c; done";
  const counts = "  60000 a\n  60000 b\n 300000 c\n";
  expect((await vm.exec(letters)).stdout).toBe(`${counts}${counts}`);
  await vm.files.write("/tmp/x", text("x", 500_000));
  expect((await vm.exec(letters, { stdin: text("y", 100_000) })).stdout).toBe(`${counts}${counts}`);
});

it("keeps apart what is written to files and to commands at one time", async () => {
  const names = "defghijk".split("");
  const done = await Promise.all(
    names.flatMap((name) => [
      vm.files.write(`/tmp/${name}`, text(name)),
      vm.exec("cat", { stdin: text(name) }),
    ]),
  );
  for (const [i, name] of names.entries()) {
    expect(new TextDecoder().decode(await vm.files.read(`/tmp/${name}`))).toBe(text(name));
    expect(done[2 * i + 1]).toMatchObject({ stdout: text(name) });
  }
});
