// Commands that wait for approvals, as MCP calls see them. The clients here are none: forms of real
// ones are in elicitation.test.ts.
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { McpCall } from "../../../src/mcp-server/mcp-tool.ts";
import { Approvals, type PendingApproval, Vms } from "../../../src/vm/index.ts";
import { eventually } from "../../support/eventually.ts";
import { ToolBox } from "../tools/tool-box.ts";

const asksBeforeRemoval = {
  fs: {
    default: "allow",
    rules: [{ mode: "ask", operations: ["rm"], paths: ["/home/user/**"] }],
  },
} as const;

let approvals: Approvals;
let box: ToolBox;
beforeAll(() => {
  approvals = new Approvals();
  const vms = new Vms({ poolSize: 1, defaults: { permissions: asksBeforeRemoval, approvals } });
  box = new ToolBox(vms, approvals);
});
afterAll(() => box.close());

let name = "";
let count = 0;
beforeEach(async () => {
  count += 1;
  name = `vm-${count}`;
  await box.vms.create({ name });
});

const exec = (command: string, more: object = {}, options: object = {}): Promise<unknown> =>
  box.structured("vm_exec", { vm_id: name, command, ...more }, options);

async function pending(): Promise<PendingApproval> {
  await eventually("somebody is asked", () => approvals.list().some(({ vm }) => vm === name));
  const [first] = approvals.list().filter(({ vm }) => vm === name);
  if (first === undefined) throw new Error("Nobody is asked.");
  return first;
}

describe("a command that waits for approval", () => {
  it("is answered for soon, with the rule that has it asked, and goes on once somebody agrees", async () => {
    const result = await exec("touch a && rm a && echo removed; ls", { yield_ms: 60_000 });
    const { id } = await pending();
    const told = {
      approval: id,
      summary: `fs: rm /home/user/a (VM ${name})`,
      rule: "vm.permissions.fs",
    };
    expect(result).toMatchObject({ status: "running", stdout: "", pending: [told] });
    const waiting = box.structured("vm_exec_io", { vm_id: name, exec_id: "1" });
    approvals.decide(id, { answer: "allow", scope: "once" }, "me");
    expect(await waiting).toMatchObject({ status: "exited", exit_code: 0, stdout: "removed\n" });
  });

  it("fails like a denied one once somebody denies", async () => {
    const running = exec("touch a && rm a");
    approvals.decide((await pending()).id, { answer: "deny", scope: "once" }, "me");
    expect(await running).toMatchObject({
      status: "exited",
      exit_code: 1,
      stderr: expect.stringContaining("rm: cannot remove 'a': Permission denied"),
    });
  });

  it("is waited for by who knows of the approval, and shown in the list of VMs", async () => {
    await exec("touch a && rm a");
    const { id } = await pending();
    const again = await box.structured("vm_exec_io", { vm_id: name, exec_id: "1", yield_ms: 1500 });
    expect(again).toMatchObject({ status: "running", pending: [{ approval: id }] });
    expect(await box.structured("vm_list", { vm_id: name })).toMatchObject({
      vms: [{ pending: [{ approval: id, rule: "vm.permissions.fs" }] }],
    });
    expect(await box.texts("vm_exec_io", { vm_id: name, exec_id: "1", yield_ms: 0 })).toEqual([
      `[waiting for approval ${id}: fs: rm /home/user/a (VM ${name}); rule: vm.permissions.fs; tell the user: only a person can approve it]\n` +
        "[running; continue with vm_exec_io, exec_id 1]",
    ]);
  });

  it("concerns the call that runs it and no other", async () => {
    await exec("sleep 60", { yield_ms: 0 });
    const other = exec("echo quiet; sleep 2", { yield_ms: 60_000 });
    const asking = exec("touch a && (rm a; true)");
    expect(await asking).toMatchObject({ pending: [{ approval: (await pending()).id }] });
    expect(await other).toMatchObject({ status: "exited", stdout: "quiet\n" });
    expect(await other).not.toHaveProperty("pending");
  });

  it("is not asked for any more when its process ends", async () => {
    const abort = new AbortController();
    const running = box.call(
      "vm_exec",
      { vm_id: name, command: "touch a && rm a", yield_ms: 60_000 },
      { signal: abort.signal },
    );
    const { id } = await pending();
    abort.abort();
    await running;
    await eventually("nobody is asked", () => approvals.find(id) === undefined);
    expect(() => approvals.decide(id, { answer: "allow", scope: "once" }, "me")).toThrow(
      "who asked no longer waits",
    );
  });

  it("forgets what was agreed to for a VM when it is destroyed, name or not", async () => {
    const running = exec("touch a && rm a; echo $?");
    approvals.decide((await pending()).id, { answer: "allow", scope: "vm" }, "me");
    expect(await running).toMatchObject({ stdout: "0\n" });
    expect(await exec("touch a && rm a; echo $?")).toMatchObject({ stdout: "0\n" });
    await box.vms.get(name).destroy();
    await box.vms.create({ name });
    expect(await exec("touch a && rm a; echo $?")).toMatchObject({ status: "running" });
  });
});

describe("a client that shows forms", () => {
  type Elicit = McpCall["request"]["elicitInput"];
  const byRequest = (elicitInput: Elicit): object => ({
    client: { name: "a\u001bclient", forms: "request", hasRoots: false },
    request: { elicitInput },
  });

  it("is asked once for each approval, its answer decides, and the time it takes does not count", async () => {
    const messages: string[] = [];
    const elicit: Elicit = async ({ message }) => {
      messages.push(message);
      await delay(100);
      return { action: "accept", content: { decision: "allow in this VM" } };
    };
    const result = await exec(
      "touch a b && rm a && rm b && rm -f a; ls",
      { yield_ms: 5000 },
      byRequest(elicit),
    );
    expect(result).toMatchObject({ status: "exited", stdout: "" });
    expect(messages).toEqual([
      expect.stringMatching(
        new RegExp(
          `^Allow in the VM "${name}": fs: rm /home/user/a\\?\\nasked for by the process \\d+: rm a$`,
        ),
      ),
      expect.stringContaining("fs: rm /home/user/b?"),
    ]);
  });

  it("that closes the form, declines or fails leaves the rest to the answer", async () => {
    const cancels: Elicit = async () => ({ action: "cancel" });
    const command = "touch a && rm a; echo $?";
    expect(await exec(command, {}, byRequest(cancels))).toMatchObject({ pending: [{}] });
    const fails: Elicit = async () => {
      throw new Error("no forms here");
    };
    expect(await exec(command, {}, byRequest(fails))).toMatchObject({ pending: [{}] });
    const makesUp: Elicit = async () => ({ action: "accept", content: { decision: "sudo" } });
    expect(await exec(command, {}, byRequest(makesUp))).toMatchObject({ pending: [{}] });
    const declines: Elicit = async () => ({ action: "decline" });
    expect(await exec(command, {}, byRequest(declines))).toMatchObject({ stdout: "1\n" });
  });

  it("loses its form when somebody else answers", async () => {
    let wasClosed = false;
    const waits: Elicit = (_params, options) =>
      new Promise((_, reject) => {
        options?.signal?.addEventListener("abort", () => {
          wasClosed = true;
          reject(new Error("closed"));
        });
      });
    const running = exec("touch a && rm a; echo $?", {}, byRequest(waits));
    approvals.decide((await pending()).id, { answer: "allow", scope: "once" }, "me");
    expect(await running).toMatchObject({ stdout: "0\n" });
    expect(wasClosed).toBe(true);
  });
});

it("runs nothing for a call that goes on with what is not kept", async () => {
  const forged = { request: { requestState: () => "forged", inputResponses: {} } };
  const text = await box.texts("vm_exec", { vm_id: name, command: "touch ran" }, forged as object);
  expect(text).toEqual([expect.stringContaining("is no longer kept")]);
  expect(await exec("ls")).toMatchObject({ stdout: "" });
});
