import { afterAll, expect, it } from "vitest";
import { built } from "../../support/built-vms.ts";
import { ToolBox } from "./tool-box.ts";

const box = new ToolBox(new built.Vms({ poolSize: 1 }));
afterAll(() => box.close());

it("gives a connection that names no VM one of its own, for all its calls", async () => {
  await box.structured("fs_write", { path: "note", content: "kept\n" });
  expect(await box.structured("vm_exec", { command: "cat note; hostname" })).toMatchObject({
    stdout: expect.stringMatching(/^kept\nclient-\d+\n$/),
  });
  expect(await box.texts("fs_read", { path: "note" })).toEqual([expect.stringContaining("kept")]);
  expect(
    await box.structured("code_run", { code: "await fs.readFile('note', 'utf8')" }),
  ).toMatchObject({ result: "kept\n" });
  expect(box.vms.list()).toHaveLength(1);
});

it("makes one for calls that come at once", async () => {
  const commands = ["a", "b", "c"].map((name) =>
    box.structured("vm_exec", { command: `echo ${name} >> all` }),
  );
  await Promise.all(commands);
  expect(await box.structured("vm_exec", { command: "sort all" })).toMatchObject({
    stdout: "a\nb\nc\n",
  });
});
