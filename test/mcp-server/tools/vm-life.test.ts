import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ToolBox } from "./tool-box.ts";

let box: ToolBox;
beforeAll(() => {
  box = new ToolBox();
});
afterAll(() => box.close());

describe("vm_create, vm_list and vm_destroy", () => {
  it("make, show and end a VM", async () => {
    expect(await box.structured("vm_list", {})).toEqual({ vms: [] });
    expect(await box.texts("vm_list", {})).toEqual(["There are no VMs."]);
    expect(await box.call("vm_create", { name: "one", env: { GREETING: "hi" } })).toEqual({
      structuredContent: { vm_id: "one", state: "running", is_new: true, cwd: "/home/user" },
      content: [{ type: "text", text: 'Created the VM "one". Commands start in /home/user.' }],
    });
    const command = `echo $GREETING; : ${"x".repeat(200)}`;
    expect(await box.structured("vm_exec", { vm_id: "one", command })).toMatchObject({
      stdout: "hi\n",
    });
    await box.structured("vm_exec", {
      vm_id: "one",
      command: "cat",
      interactive: true,
      yield_ms: 0,
    });
    const vms = [
      {
        vm_id: "one",
        state: "running",
        execs: [
          { exec_id: "1", command: `${command.slice(0, 80)}…`, status: "exited", exit_code: 0 },
          { exec_id: "2", command: "cat", status: "running" },
        ],
        memory_bytes: expect.any(Number),
        memory_limit_bytes: 2 ** 30,
        restarts: 0,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    ];
    expect(await box.structured("vm_list", { vm_id: "one" })).toEqual({ vms });
    expect(await box.structured("vm_list", {})).toEqual({ vms });
    expect(await box.texts("vm_list", {})).toEqual([
      expect.stringMatching(
        /^one: running, \d+ of 1024 MiB\n {2}1 \[exited 0\] echo .*…\n {2}2 \[running\] cat$/,
      ),
    ]);
    expect(await box.call("vm_destroy", { vm_id: "one" })).toEqual({
      structuredContent: { destroyed: true },
      content: [{ type: "text", text: 'Destroyed the VM "one".' }],
    });
    expect(await box.call("vm_destroy", { vm_id: "one" })).toEqual({
      structuredContent: { destroyed: false },
      content: [{ type: "text", text: 'There is no VM named "one": nothing to destroy.' }],
    });
    expect(await box.structured("vm_list", {})).toEqual({ vms: [] });
  });

  it("use a VM that is there already", async () => {
    const input = { name: "again", env: { A: "1" } };
    await box.structured("vm_create", input);
    await box.structured("vm_exec", { vm_id: "again", command: "echo kept > note" });
    for (const same of [input, { name: "again" }]) {
      expect(await box.call("vm_create", same)).toEqual({
        structuredContent: { vm_id: "again", state: "running", is_new: false, cwd: "/home/user" },
        content: [
          {
            type: "text",
            text: 'The VM "again" was there already. Commands start in /home/user.',
          },
        ],
      });
    }
    expect(await box.structured("vm_exec", { vm_id: "again", command: "cat note" })).toMatchObject({
      stdout: "kept\n",
    });
    const created = await Promise.all(
      [1, 2, 3].map(() => box.structured("vm_create", { name: "at-once" })),
    );
    expect(created.filter((one) => (one as { is_new: boolean }).is_new)).toHaveLength(1);
    await box.call("vm_destroy", { vm_id: "again" });
    await box.call("vm_destroy", { vm_id: "at-once" });
  });

  it("make up a name", async () => {
    const { vm_id } = (await box.structured("vm_create", {})) as { vm_id: string };
    expect(vm_id).toMatch(/^[a-z]+-[a-z]+-[a-z0-9]{4}$/);
    await box.call("vm_destroy", { vm_id });
  });

  it.each([
    [
      "vm_create",
      { name: "Not A Name" },
      '"Not A Name" is not a valid VM name. Use 1 to 63 lower-case letters, digits and hyphens, starting with a letter or digit.',
    ],
    [
      "vm_create",
      { name: "taken", env: { A: "1", B: "3" } },
      'A VM named "taken" already exists, with a different env.B. Omit that setting to use the VM as it is, choose another name, or destroy the VM first.',
    ],
    [
      "vm_list",
      { vm_id: "nobody" },
      'There is no VM named "nobody". Call vm_list to see the VMs, or vm_create to make one.',
    ],
  ])("say what is wrong: %s %j", async (tool, input, text) => {
    if (box.vms.find("taken") === undefined)
      await box.vms.create({ name: "taken", env: { A: "1", B: "2" } });
    expect(await box.call(tool, input)).toEqual({
      isError: true,
      content: [{ type: "text", text }],
    });
  });

  it("end a VM under a command, which is told", async () => {
    await box.structured("vm_create", { name: "short" });
    const texts = box.texts("vm_exec", { vm_id: "short", command: "echo up; while :; do :; done" });
    const command = "while :; do :; done";
    await box.structured("vm_exec", { vm_id: "short", command, yield_ms: 0 });
    await box.call("vm_destroy", { vm_id: "short" });
    expect(await texts).toEqual(['The VM "short" has been destroyed. Create a new one.']);
  });
});
