import { afterAll, describe, expect, it } from "vitest";
import { built } from "../../support/built-vms.ts";
import { makeConnection, ownVm, ToolBox } from "../tools/tool-box.ts";

const box = new ToolBox(new built.Vms({ poolSize: 1 }));
afterAll(() => box.close());

const run = (command: string, options = {}): Promise<unknown> =>
  box.structured("vm_exec", { command }, options);

describe("a client that names no VM", () => {
  it("gets one of its own for all its calls, and the first answer names it", async () => {
    expect(await box.structured("fs_write", { path: "note", content: "kept\n" })).toEqual({
      bytes: 5,
      notice: `vm_id defaults to "${ownVm}", a new VM.`,
    });
    expect(await run("cat note; hostname")).toEqual({
      status: "exited",
      exit_code: 0,
      stdout: `kept\n${ownVm}\n`,
      stderr: "",
      exec_id: "1",
      truncated: false,
    });
    expect(await box.texts("fs_read", { path: "note" })).toEqual([expect.stringContaining("kept")]);
    expect(
      await box.structured("code_run", { code: "await fs.readFile('note', 'utf8')" }),
    ).toMatchObject({ result: "kept\n" });
    expect(box.vms.list()).toHaveLength(1);
  });

  it("gets one VM for calls that come at once", async () => {
    const commands = ["a", "b", "c"].map((name) => run(`echo ${name} >> all`));
    await Promise.all(commands);
    expect(await run("sort all")).toMatchObject({ stdout: "a\nb\nc\n" });
  });

  it("gets the same VM when it comes back", async () => {
    expect(await run("cat note", { connection: makeConnection(2) })).toMatchObject({
      stdout: "kept\n",
      notice: `vm_id defaults to "${ownVm}", which has the files of earlier calls.`,
    });
  });

  it("gets another VM under another name, and its own again under the old one", async () => {
    const client = { name: "Ümläut  Client/2", forms: "none", hasRoots: false } as const;
    const connection = makeConnection(3);
    const other = await run("hostname; ls", { client, connection });
    expect(other).toMatchObject({
      stdout: expect.stringMatching(/^ml-ut-client-2-shop-[0-9a-z]{6}\n$/),
      notice: expect.stringMatching(/^vm_id defaults to ".*", a new VM\.$/),
    });
    expect(await run("cat note", { connection })).toMatchObject({ stdout: "kept\n" });
  });
});
