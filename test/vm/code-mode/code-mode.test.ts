import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ToolError, type Toolkit, tool, toolkit } from "../../../src/toolkit-cli/index.ts";
import type { CodeResult, CodeRun, CodeStartOptions, Vm, Vms } from "../../../src/vm/index.ts";
import { built } from "../../support/built-vms.ts";

const echo = toolkit("echo", {
  tools: {
    say: tool({
      description: "Says it.",
      input: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
      handler: (input) => input,
    }),
    hang: tool({ description: "Says nothing.", handler: () => new Promise(() => {}) }),
  },
});
const broken: Toolkit = {
  name: "broken",
  description: "",
  expose: "cli",
  tools: () => Promise.reject(new ToolError("unavailable", "it does not start")),
};

let vms: Vms;
let vm: Vm;
beforeAll(async () => {
  vms = new built.Vms({ poolSize: 0, defaults: { toolkits: [echo, broken] } });
  vm = await vms.create();
});
afterAll(() => vms.close());

const start = async (code: string, options: CodeStartOptions = {}): Promise<CodeRun> => {
  const run = await vms.code.start(vm, code, options);
  if ("problems" in run) throw new Error(JSON.stringify(run.problems));
  return run;
};
const finish = async (run: CodeRun): Promise<CodeResult> => {
  await run.exec.wait();
  return await run.result();
};

describe("code mode", () => {
  it("counts all calls and lists the first", async () => {
    const code = "for (let n = 0; n < 120; n++) await tools.echo.say({ n }); return 'done'";
    const { value, calls } = await finish(await start(code));
    expect(value).toBe("done");
    expect(calls).toMatchObject({ count: 120, failed: 0, bytes: expect.any(Number) });
    expect(calls.calls).toHaveLength(50);
  });

  it("makes calls at once", async () => {
    const code =
      "(await Promise.all(Array.from({ length: 200 }, (_, n) => tools.echo.say({ n })))).length";
    expect(await finish(await start(code))).toMatchObject({ value: 200, calls: { count: 200 } });
  });

  it("says that calls were given up which nobody waited for", async () => {
    const loop = "[1, 2, 3].forEach(async (n) => { await tools.echo.say({ n }) }); return 'done'";
    const note =
      "under way when the code ended, and given up: await calls, several by Promise.all; forEach does not wait";
    expect(await finish(await start(loop))).toMatchObject({
      value: "done",
      notes: [`3 calls of tools were ${note}`],
    });
    const race = `const rest = tools.echo.hang({});
      rest.catch(() => undefined);
      await tools.echo.say({ n: "x" as any })`;
    expect(await finish(await start(race))).toMatchObject({
      error: { name: "ToolError" },
      notes: [`1 call of a tool was ${note}`],
    });
    const left = `const controller = new AbortController();
      const rest = tools.echo.hang({}, { signal: controller.signal });
      controller.abort();
      return await rest.catch((error) => error.name)`;
    expect(await finish(await start(left))).toMatchObject({ value: "AbortError", notes: [] });
  });

  it("says why something failed, without the frames of Node itself", async () => {
    const { error } = await finish(await start("await fetch('http://a.invalid')"));
    expect(error?.message).toMatch(/^fetch failed \(.+\)$/);
    expect(error?.stack).toBe(`TypeError: ${error?.message}`);
  });

  it("tells two runs of one VM apart", async () => {
    const code = (n: number): string =>
      `for (let i = 0; i < ${n}; i++) await tools.echo.say({ n: i })`;
    const runs = await Promise.all([start(code(3)), start(code(5))]);
    const results = await Promise.all(runs.map(finish));
    expect(results.map(({ calls }) => calls.count)).toEqual([3, 5]);
  });

  it("runs without the types of a toolkit that cannot say what it has", async () => {
    const run = await start("try { await tools.broken.any() } catch (error) { return error.code }");
    expect(await finish(run)).toMatchObject({
      value: "unavailable",
      notes: ["Calls of broken were not checked: it does not start"],
    });
  });

  it("believes nothing that a guest writes in its place", async () => {
    const forge = `const [file] = (await fs.readdir("/tmp")).filter((name) => name.startsWith(".evaluation-"));
      await fs.appendFile("/tmp/" + file, '\\n{"text":5}\\nnull\\n[]\\n{"error":3}\\n{"value":{"a":1},"notes":[1,"n"]}\\n{"unfinished');
      process.exit(0)`;
    expect(await finish(await start(forge))).toMatchObject({
      texts: [],
      notes: ["n"],
      value: { a: 1 },
    });
    const remove = "await vm.exec('rm -f /tmp/.evaluation-*'); return 1";
    expect(await finish(await start(remove))).toMatchObject({
      status: "error",
      error: { message: "The code exited with status 0 before it had a value" },
    });
  });

  it("reads no file that a guest has put in the place of the journal", async () => {
    for (const other of ["/dev/zero", "/dev/toolkits", "/etc/passwd", "/tmp"]) {
      const link = `const [file] = (await fs.readdir("/tmp")).filter((name) => name.startsWith(".evaluation-"));
        await fs.rm("/tmp/" + file);
        await fs.symlink(${JSON.stringify(other)}, "/tmp/" + file);
        process.exit(0)`;
      expect(await finish(await start(link))).toMatchObject({ status: "error", texts: [] });
    }
  });

  it("cuts long errors, and texts without end", async () => {
    const long = await finish(await start("throw new Error('x'.repeat(20_000_000))"));
    expect(long.error?.message.length).toBeLessThan(64 * 1024 + 100);
    const many = await finish(await start("for (let n = 0; n < 20_000; n++) text(''); return 1"));
    expect(many).toMatchObject({ value: 1, notes: [expect.stringContaining("10000 texts")] });
    expect(many.texts).toHaveLength(10_000);
  });

  it("survives globals that code takes away", async () => {
    const code = "JSON.stringify = null; Array.from = null; globalThis.process = null; return 1";
    expect((await finish(await start(code))).status).toBe("error");
    expect(await finish(await start("return 1"))).toMatchObject({ value: 1 });
  });

  it("keeps a run until its answer is taken, and tells when its VM is gone", async () => {
    const other = await vms.create();
    const run = await vms.code.start(
      other,
      "await new Promise(() => setInterval(() => {}, 1000))",
      {},
    );
    if ("problems" in run) throw new Error("refused");
    expect(vms.code.get(run.id)).toBe(run);
    expect(await run.result()).toMatchObject({ status: "running" });
    await other.destroy();
    await expect(run.result()).rejects.toMatchObject({ code: "VM_DESTROYED" });
    vms.code.forget(run);
    expect(() => vms.code.get(run.id)).toThrow(/There is no execution/);
  });

  it("says what node says where it cannot start", async () => {
    const small = await vms.create({ limits: { maxIsolates: 1 } });
    const first = await vms.code.start(
      small,
      "await new Promise(() => setInterval(() => {}, 1000))",
      {},
    );
    const second = await vms.code.start(small, "return 1", { isUnchecked: true });
    if ("problems" in first || "problems" in second) throw new Error("refused");
    expect(await finish(second)).toMatchObject({
      status: "error",
      logs: expect.stringMatching(/./),
    });
    await small.destroy();
  });

  it("ends a run by its time", async () => {
    const run = await start("text(1); for (;;);");
    run.limitTime(500);
    await run.exec.wait();
    expect(await run.result()).toMatchObject({ status: "timeout", texts: ["1"] });
  });

  it("cuts what is printed and given to text() without end", async () => {
    const code =
      "const s = 'x'.repeat(65536); for (let i = 0; i < 64; i++) { console.log(s); text(s) }";
    const { logs, texts, truncated, notes } = await finish(await start(code));
    expect(logs.length).toBeLessThan(2 ** 21);
    expect(truncated).toBe(true);
    expect(texts.join("").length).toBe(2 ** 20);
    expect(notes).toEqual(["text() beyond 1048576 characters or 10000 texts is left out"]);
  });
});
