import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { codeResult } from "../../../src/mcp-server/presentation/present-code.ts";
import { Approvals } from "../../../src/vm/index.ts";
import { built } from "../../support/built-vms.ts";
import { makeProject } from "./project-toolkit.ts";
import { ownVm, ToolBox } from "./tool-box.ts";

const calls: string[] = [];
const approvals = new Approvals();
let box: ToolBox;
beforeAll(async () => {
  const defaults = { approvals, toolkits: [makeProject(calls)] };
  box = new ToolBox(new built.Vms({ poolSize: 0, defaults }), approvals);
  await box.vms.create({ name: "one" });
  // Waits for the type check to be ready; code without tools does not.
  await box.structured("code_run", { vm_id: "one", code: "typeof tools" });
});
beforeEach(() => {
  calls.length = 0;
});
afterAll(() => box.close());

const run = (code: string, input: object = {}): Promise<unknown> =>
  box.structured("code_run", { vm_id: "one", code, ...input });
const text = async (code: string, input: object = {}): Promise<string> =>
  (await box.texts("code_run", { vm_id: "one", code, ...input })).join("\n");

describe("code_run", () => {
  it("answers the value and what was printed", async () => {
    expect(await run("console.log('hi'); return { a: 1 }")).toEqual({
      status: "completed",
      result: { a: 1 },
      logs: "hi\n",
      truncated: false,
      vm_id: "one",
    });
    expect(await run("const n: number = 1; return n satisfies number")).toMatchObject({
      result: 1,
    });
    expect(await run("async () => 5")).toMatchObject({ result: 5 });
    expect(await run("new Map([[1, 2]])")).toMatchObject({
      result: [[1, 2]],
      notes: ["value is a Map: given as a list of pairs"],
    });
  });

  it("takes imports at the beginning", async () => {
    const code = `// first\nimport { sep as slash,\n  join } from "node:path";\nimport tools from 'agentos';\nreturn join(slash, 'a') + typeof tools.project.listIssues`;
    expect(await run(code)).toMatchObject({ result: "/afunction" });
  });

  it("shows text to clients that want text", async () => {
    expect(await text("console.log('hi'); return [1]")).toBe("[1]\n[printed]\nhi\n");
    expect(await text("let x")).toBe("[no value, nothing printed]");
    expect(await text("throw new Error('no')")).toMatch(/^Error: no\n {4}at code:1:7/);
  });

  it("tells of errors and of time that ran out, with what was there by then", async () => {
    expect(await run("text('so far'); throw new TypeError('no')")).toMatchObject({
      status: "error",
      text: "so far",
      error: { name: "TypeError", message: "no" },
    });
    expect(
      await run("console.log(1); text('so far'); for (;;);", { timeout_ms: 1500 }),
    ).toMatchObject({ status: "timeout", text: "so far", logs: "1\n" });
    expect(await run("return (1")).toMatchObject({
      status: "error",
      error: {
        name: "SyntaxError",
        message: expect.stringContaining("(line 1, column 10: ')' expected.)"),
      },
    });
    expect(await text("", {})).toBe("[no value, nothing printed]");
    expect(await box.texts("code_run", {})).toEqual([
      expect.stringMatching(/^There is nothing to run/),
    ]);
    await expect(run("x".repeat(2 ** 20 + 1))).rejects.toMatchObject({ code: "CODE_TOO_LONG" });
  });

  it("cuts what is too long", async () => {
    const result = await run("console.log('x'.repeat(9999)); return 'y'.repeat(9999)", {
      max_output_bytes: 375,
    });
    expect(result).toMatchObject({
      truncated: true,
      result: expect.stringMatching(/^y+\n\[… 9625 bytes omitted …\]\ny+$/),
      logs: expect.stringMatching(/^x+\n\[… \d+ bytes omitted …\]\n/),
    });
  });

  it("calls tools, and says which and what it saved", async () => {
    const code =
      "const all = await tools.project.listIssues({ status: 'open' }); return all.map((i) => i.id)";
    expect(await run(code)).toEqual({
      status: "completed",
      result: [1, 2, 3],
      logs: "",
      truncated: false,
      calls: [{ toolkit: "project", tool: "list-issues", ms: expect.any(Number), ok: true }],
      vm_id: "one",
      receipt: {
        calls: 1,
        failed_calls: 0,
        tool_bytes: expect.any(Number),
        kept_bytes: expect.any(Number),
      },
    });
    expect(await text(code)).toMatch(/\[1 tool call; 6\d\d\d bytes stayed in the VM\]$/);
  });

  it("keeps what was done before a tool failed", async () => {
    const code = "text((await tools.project.listIssues()).length); await tools.project.fail()";
    expect(await run(code)).toMatchObject({
      status: "error",
      text: "3",
      error: { name: "ToolError", code: "unavailable", message: "the tracker is down" },
      calls: [
        { tool: "list-issues", ok: true },
        { tool: "fail", ok: false },
      ],
      receipt: { calls: 2, failed_calls: 1 },
    });
    expect(await text("\nreturn await tools.project.fail()")).toBe(
      "ToolError: the tracker is down\n    at async code:2:8\n[1 tool call, 1 failed]",
    );
    expect(
      await run("try { await tools.project.fail() } catch (e) { return e.code }"),
    ).toMatchObject({
      status: "completed",
      result: "unavailable",
    });
  });

  it("tells type errors before anything runs", async () => {
    const code = "await tools.project.listIssues({});\nawait tools.project.closeIssue({ id: 'x' })";
    expect(await text(code)).toBe(
      `TypeCheck: line 2, column 34: Type 'string' is not assignable to type 'number'.
  2 | await tools.project.closeIssue({ id: 'x' })
Expected:
/** Somebody must approve each call. Closes an issue. */
tools.project.closeIssue(input: { id: number }): Promise<any>
Nothing has run. Correct the code, or run it as it is with check: false.`,
    );
    expect(await text("return tools.project.listIsues()")).toContain(
      "Did you mean 'listIssues'?\n  1 | return tools.project.listIsues()\nExpected:\ntools.project has: closeIssue, fail, listIssues",
    );
    expect(calls).toEqual([]);
    expect(await run("return tools.project.listIsues()", { check: false })).toMatchObject({
      status: "error",
      error: { name: "ToolError", code: "usage" },
    });
  });

  it("has commands, files, and a store between calls", async () => {
    const first = `await fs.writeFile("/tmp/f", "hello\\n");
      const { stdout, exitCode } = await vm.exec("cat; cat f; exit 3", { cwd: "/tmp", stdin: "in ", env: { A: "1" } });
      await store("k/ü", { stdout, exitCode, at: new Date(0) });`;
    expect(await run(first)).toMatchObject({ status: "completed" });
    expect(await run("[await load('k/ü'), await load('none')]")).toMatchObject({
      result: [{ stdout: "in hello\n", exitCode: 3, at: "1970-01-01T00:00:00.000Z" }, null],
    });
    expect(await run("await store('k/ü'); return typeof await load('k/ü')")).toMatchObject({
      result: "undefined",
    });
    expect(await run("store('x'.repeat(201), 1)")).toMatchObject({
      status: "error",
      error: { message: expect.stringContaining("A key is a text of 1 to 200 characters") },
    });
  });

  it("makes a VM for a connection that names none, and uses it again", async () => {
    const here = (code: string): Promise<unknown> => box.structured("code_run", { code });
    expect(await here("store('a', 1)")).toMatchObject({ vm_id: ownVm });
    expect(await here("load('a')")).toMatchObject({ vm_id: ownVm, result: 1 });
  });
});

describe("code_run that is cancelled", () => {
  it("ends with its call", async () => {
    const abort = new AbortController();
    const input = { vm_id: "one", code: "console.log('on'); for (;;);" };
    const progress = (): void => abort.abort();
    await box.call("code_run", input, { signal: abort.signal, progress });
    const running = box.vms
      .get("one")
      .info()
      .execs.filter(({ isRunning }) => isRunning);
    expect(running).toEqual([]);
    expect(await box.structured("vm_list", { vm_id: "one" })).toMatchObject({
      vms: [
        {
          execs: expect.arrayContaining([
            expect.objectContaining({ command: input.code, status: "killed" }),
          ]),
        },
      ],
    });
  });
});

describe("code_run that takes long", () => {
  const code = "console.log('begun'); await vm.exec('cat ~/go'); return 'done'";

  it("answers running, and gives its result to a later call", async () => {
    const one = box.vms.get("one");
    await one.exec("mkfifo go");
    const running = codeResult.parse(await run(code, { yield_ms: 0 }));
    const execution_id = running.execution_id ?? "";
    expect(running).toEqual({
      status: "running",
      logs: expect.stringMatching(/^(begun\n)?$/),
      truncated: false,
      vm_id: "one",
      execution_id,
    });
    const abort = new AbortController();
    const waits = box.call("code_run", { execution_id }, { signal: abort.signal });
    abort.abort();
    expect((await waits).structuredContent).toMatchObject({ status: "running" });
    const [text] = await box.texts("code_run", { execution_id, yield_ms: 0 });
    expect(text).toContain(`[running; continue with code_run, execution_id ${execution_id}]`);
    const end = box.structured("code_run", { execution_id });
    await one.exec("echo > go");
    expect(await end).toMatchObject({ status: "completed", result: "done", logs: "begun\n" });
  });

  it("is ended by the time that a later call gives it", async () => {
    const { execution_id } = codeResult.parse(await run("for (;;);", { yield_ms: 0 }));
    expect(await box.structured("code_run", { execution_id, timeout_ms: 1 })).toMatchObject({
      status: "timeout",
    });
  });
});

describe("code_run and approvals", () => {
  const code =
    "const [first] = await tools.project.listIssues(); return await tools.project.closeIssue({ id: first.id })";

  const pause = async (): Promise<{ execution: string; approval: string }> => {
    const paused = await run(code);
    expect(paused).toMatchObject({
      status: "paused",
      calls: [{ tool: "list-issues", ok: true }],
      pending: [{ summary: expect.stringContaining("project:close-issue") }],
    });
    const { execution_id: execution, pending } = codeResult.parse(paused);
    return { execution: execution ?? "", approval: pending?.[0]?.approval ?? "" };
  };

  it("pauses, and goes on without doing anything twice", async () => {
    const { execution, approval } = await pause();
    approvals.decide(approval, { answer: "allow", scope: "once" }, "a test");
    expect(await box.structured("code_run", { execution_id: execution })).toMatchObject({
      status: "completed",
      result: { closed: 1 },
      calls: [
        { tool: "list-issues", ok: true },
        { tool: "close-issue", ok: true, approval: "a test" },
      ],
    });
    expect(calls).toEqual(["list undefined", "close 1"]);
    await expect(box.call("code_run", { execution_id: execution })).rejects.toMatchObject({
      code: "CODE_RUN_NOT_FOUND",
    });
  });

  it("stays paused while nobody decides", async () => {
    const { execution, approval } = await pause();
    const again = { execution_id: execution, yield_ms: 50 };
    expect(await box.structured("code_run", again)).toMatchObject({
      status: "paused",
      execution_id: execution,
    });
    approvals.decide(approval, { answer: "deny", scope: "once" }, "a test");
    expect(await box.structured("code_run", { execution_id: execution })).toMatchObject({
      status: "error",
      error: { name: "ToolError", code: "denied" },
    });
    expect(calls).toEqual(["list undefined"]);
  });

  it("tells clients that show text how to go on", async () => {
    const [shown = ""] = await box.texts("code_run", { vm_id: "one", code });
    expect(shown).toMatch(
      /\[waiting for approval \S+: .*; rule: .*; tell the user: only a person can approve it\]\n\[paused; once it is approved, continue with code_run, execution_id one\/\S+\]/,
    );
    const [{ id } = { id: "" }] = approvals.list();
    approvals.decide(id, { answer: "deny", scope: "once" }, "a test");
  });

  it("asks a client that shows forms, and goes on with its answer", async () => {
    const client = { name: "test", forms: "request", hasRoots: false } as const;
    const answer = { action: "accept", content: { decision: "allow once" } } as const;
    const request = { elicitInput: () => Promise.resolve(answer) };
    const result = await box.structured("code_run", { vm_id: "one", code }, { client, request });
    expect(result).toMatchObject({ status: "completed", result: { closed: 1 } });
    expect(calls).toEqual(["list undefined", "close 1"]);
  });
});
