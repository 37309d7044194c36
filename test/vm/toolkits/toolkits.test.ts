import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApprovalRequest, Approver, Vm, VmOptions, Vms } from "../../../src/vm/index.ts";
import { built } from "../../support/built-vms.ts";
import { TestToolkit } from "../../support/test-toolkit.ts";

let vms: Vms;

beforeAll(() => {
  vms = new built.Vms({ poolSize: 1 });
});

afterAll(async () => {
  await vms.close();
});

async function withVm<T>(options: VmOptions, use: (vm: Vm) => Promise<T>): Promise<T> {
  const vm = await vms.create(options);
  try {
    return await use(vm);
  } finally {
    await vm.destroy();
  }
}

/** Writes to the device as any program may, and prints what comes back until a call ends. */
const raw = (...requests: object[]): string => `node -e '
  const fs = require("fs");
  const fd = fs.openSync("/dev/toolkits", "r+");
  for (const one of ${JSON.stringify(requests)}) fs.writeSync(fd, JSON.stringify(one) + "\\n");
  const buffer = Buffer.alloc(65536);
  for (let text = ""; !/"type":"(result|error)"/.test(text); ) {
    text = buffer.toString("utf8", 0, fs.readSync(fd, buffer));
    process.stdout.write(text);
  }'`;

describe("toolkits in a VM", () => {
  it("are commands that reach the host's functions", async () => {
    const test = new TestToolkit();
    await withVm({ name: "calls", toolkits: [test.toolkit] }, async (vm) => {
      const found = await vm.exec("ls /usr/local/bin; which agentos-demo; type agentos-demo");
      expect(found.stdout).toBe(
        "agentos\nagentos-demo\n/usr/local/bin/agentos-demo\nagentos-demo is /usr/local/bin/agentos-demo\n",
      );
      const { stdout, exitCode } = await vm.exec(`agentos-demo echo --json '{"a":[1,"ü"]}' | cat`);
      expect([JSON.parse(stdout), exitCode]).toEqual([{ a: [1, "ü"] }, 0]);
      const { input, context } = test.calls[0] ?? {};
      expect([input, context?.vm, context?.command]).toEqual([
        { a: [1, "ü"] },
        "calls",
        "agentos-demo echo",
      ]);
      expect(context?.pid).toBeGreaterThan(1);
    });
  });

  it("are none in a VM that got none", async () => {
    await withVm({}, async (vm) => {
      expect((await vm.exec("ls /usr/local/bin")).stdout).toBe("agentos\n");
      const { stdout } = await vm.exec(raw({ id: 1, op: "list" }));
      expect(JSON.parse(stdout)).toMatchObject({ value: { json: { toolkits: [] } } });
    });
  });

  it("carry large inputs and results", async () => {
    const test = new TestToolkit();
    await withVm({ toolkits: [test.toolkit] }, async (vm) => {
      const text = "y".repeat(3_000_000);
      await vm.files.write("/tmp/input", JSON.stringify({ text }));
      await vm.exec("agentos-demo echo --json-file /tmp/input > /dev/null");
      expect(test.calls[0]?.input).toEqual({ text });
      expect((await vm.exec("agentos-demo text --size 5000000 | wc -c")).stdout).toBe("5000001\n");
    });
  });

  it("tell of changes: what was described is described anew", async () => {
    const test = new TestToolkit();
    await withVm({ toolkits: [test.toolkit] }, async (vm) => {
      const describeEcho = async (): Promise<string> =>
        (await vm.exec(raw({ id: 1, op: "describe", toolkit: "demo" }))).stdout;
      expect(await describeEcho()).toContain("Says what it gets.");
      test.change("Is another now.");
      expect(await describeEcho()).toContain("Is another now.");
    });
  });
});

describe("the policy for toolkits", () => {
  it("hides what it denies, and refuses it without reaching the tool", async () => {
    const [test, other] = [new TestToolkit(), new TestToolkit("other")];
    const rules = [
      { mode: "allow", patterns: ["demo:*"] },
      { mode: "deny", patterns: ["demo:echo"] },
    ] as const;
    const options = {
      toolkits: [test.toolkit, other.toolkit],
      permissions: { toolkit: { rules } },
    };
    await withVm(options, async (vm) => {
      expect((await vm.exec("ls /usr/local/bin")).stdout).toBe("agentos\nagentos-demo\n");
      const { stdout } = await vm.exec(raw({ id: 1, op: "describe", toolkit: "demo" }));
      const tools: { name: string }[] = JSON.parse(stdout).value.json.tools;
      expect(tools.map(({ name }) => name)).toEqual(["endless", "hang", "remove", "text"]);
      const call = { id: 1, op: "call", toolkit: "demo", tool: "echo", input: {} };
      expect(JSON.parse((await vm.exec(raw(call))).stdout)).toEqual({
        id: 1,
        type: "error",
        code: "denied",
        message: "demo:echo is blocked by the policy of the VM (toolkit.rules[1]).",
      });
      for (const command of ["agentos-demo echo", "agentos call demo echo"]) {
        const { exitCode, stderr } = await vm.exec(command);
        expect([exitCode, stderr]).toEqual([
          77,
          `${command.split(" ", 1)[0]}: demo:echo is blocked by the policy of the VM (toolkit.rules[1]).\n`,
        ]);
      }
      const denied = (await vm.audit(0, 5000)).filter(({ scope }) => scope === "toolkit");
      expect(denied.map(({ subject, outcome }) => [subject, outcome])).toEqual(
        Array(3).fill(["demo:echo", "deny"]),
      );
      const cannot = await vm.exec("agentos call other echo");
      expect(cannot.exitCode).not.toBe(0);
      expect([test.calls, other.calls]).toEqual([[], []]);
    });
  });

  it("asks where it says so, and for tools that need approval", async () => {
    const test = new TestToolkit();
    const asked: ApprovalRequest[] = [];
    let answer: "allow" | "deny" = "allow";
    const approvals: Approver = {
      request: async (request, { onPending }) => {
        asked.push(request);
        onPending?.({ ...request, id: "a1", askedAt: 0, expiresAt: 1, input: "" });
        return { answer, scope: "once", by: "somebody" };
      },
      forgetVm: () => undefined,
    };
    const rules = [{ mode: "ask", patterns: ["demo:echo"] }] as const;
    const permissions = { toolkit: { default: "allow", rules } } as const;
    await withVm({ name: "asks", toolkits: [test.toolkit], permissions, approvals }, async (vm) => {
      const input = `{"id":7,"apiToken":"t0p"}`;
      expect((await vm.exec(`agentos-demo echo --json '${input}'`)).exitCode).toBe(0);
      expect((await vm.exec("agentos-demo remove")).stdout).toBe("removed\n");
      expect(asked).toMatchObject([
        { vm: "asks", kind: "tool", subject: "demo:echo", command: "agentos-demo echo" },
        { subject: "demo:remove" },
      ]);
      expect(asked[0]?.input).toMatchObject({
        exact: input,
        shown: '{\n  "id": 7,\n  "apiToken": "t0p"\n}',
        hasSecrets: false,
      });
      answer = "deny";
      const refused = await vm.exec("agentos-demo remove");
      expect(refused.exitCode).toBe(77);
      expect(refused.stderr).toContain("demo:remove was not approved (somebody).");
      expect(test.calls).toHaveLength(2);
      const audit = (await vm.audit()).filter(({ tool }) => tool !== undefined);
      expect(audit.map(({ outcome, tool }) => [outcome, tool?.decidedBy, tool?.outcome])).toEqual([
        ["allow", "somebody", "completed"],
        ["allow", "somebody", "completed"],
        ["deny", "somebody", "denied"],
      ]);
    });
  });

  it("denies what needs approval where nobody can be asked", async () => {
    const test = new TestToolkit();
    await withVm({ toolkits: [test.toolkit] }, async (vm) => {
      const { exitCode, stderr } = await vm.exec("agentos-demo remove");
      expect([exitCode, test.calls]).toEqual([77, []]);
      expect(stderr).toContain("demo:remove needs approval, and nobody can be asked.");
    });
  });

  it("is recorded with every call, without secrets", async () => {
    const test = new TestToolkit();
    await withVm({ toolkits: [test.toolkit] }, async (vm) => {
      await vm.exec(`agentos-demo echo --json '{"password":"hunter2","a":1}'; cat /etc/passwd`);
      await vm.exec("agentos-demo text --size 99999999");
      const records = await vm.audit(0, 5000);
      expect(JSON.stringify(records)).not.toContain("hunter2");
      expect(records.filter(({ scope }) => scope === "toolkit")).toMatchObject([
        {
          call: "tool",
          command: "agentos-demo echo",
          subject: "demo:echo",
          outcome: "allow",
          rule: "toolkit",
          tool: { input: '{"password":"[redacted]","a":1}', outcome: "completed" },
        },
        { subject: "demo:text", tool: { outcome: "failed" } },
      ]);
      const sequences = records.map(({ sequence }) => sequence);
      expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
      const at = records.findIndex(({ scope }) => scope === "toolkit");
      expect(records.slice(at).some(({ subject }) => subject === "/etc/passwd")).toBe(true);
    });
  });
});

describe("calls under way", () => {
  it("are given up when their process is killed", async () => {
    const test = new TestToolkit();
    await withVm({ toolkits: [test.toolkit] }, async (vm) => {
      await vm.spawn("agentos-demo hang & wait");
      await expect.poll(() => test.running).toBe(1);
      const processes = await vm.processes();
      const caller = processes.find(({ command }) => command.includes("agentos-demo hang"));
      await vm.kill(processes.find(({ ppid }) => ppid === caller?.pid)?.pid ?? 0, "SIGKILL");
      await expect.poll(() => [test.running, test.aborted]).toEqual([0, 1]);
    });
  });

  it.each(["destroyed", "lost", "closed"])("are given up when the VM is %s", async (how) => {
    const test = new TestToolkit();
    const own = new built.Vms({ poolSize: 0 });
    const vm = await own.create({ toolkits: [test.toolkit] });
    const exec = await vm.spawn("agentos-demo hang & agentos-demo hang; wait");
    await expect.poll(() => test.running).toBe(2);
    if (how === "destroyed") await vm.destroy();
    else if (how === "closed") await own.close();
    else process.kill(vm.info().cellPid ?? 0, "SIGKILL");
    await expect.poll(() => [test.running, test.aborted]).toEqual([0, 2]);
    await exec.wait().catch(() => undefined);
    await own.close();
  });

  it("make no more of a stream than is read, and end it with its reader", async () => {
    const test = new TestToolkit();
    await withVm({ toolkits: [test.toolkit] }, async (vm) => {
      const { stdout } = await vm.exec("agentos-demo endless | head -n 2 | cut -c 1-12");
      expect(stdout).toBe('{"count":1,"\n{"count":2,"\n');
      await expect.poll(() => test.hasEnded).toBe(true);
      expect(test.made).toBeLessThan(5000);
    });
  });

  it("wait for their turn beyond maxToolCalls, and hold up nothing else", async () => {
    const test = new TestToolkit();
    await withVm({ toolkits: [test.toolkit], limits: { maxToolCalls: 3 } }, async (vm) => {
      const exec = await vm.spawn("for i in 1 2 3 4 5; do agentos-demo hang & done; wait");
      await expect.poll(() => test.running).toBe(3);
      expect((await vm.exec("echo fine; ls /dev/toolkits")).stdout).toBe("fine\n/dev/toolkits\n");
      await vm.exec("pkill -KILL -o agentos-demo");
      await expect.poll(() => [test.running, test.aborted]).toEqual([3, 1]);
      expect(test.most).toBe(3);
      await vm.exec("pkill -KILL agentos-demo");
      await exec.wait();
      await expect.poll(() => test.running).toBe(0);
    });
  });
});
