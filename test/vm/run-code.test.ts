import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Vm, Vms } from "../../src/vm/index.ts";
import { built } from "../support/built-vms.ts";

let vms: Vms;
let vm: Vm;
beforeAll(async () => {
  vms = new built.Vms({ poolSize: 0 });
  vm = await vms.create();
});
afterAll(() => vms.close());

const done = { exitCode: 0, stderr: "", timedOut: false };

describe("vm.run", () => {
  it("runs JavaScript, as a script or as a module", async () => {
    expect(await vm.run("console.log(require('path').sep)")).toMatchObject({
      ...done,
      stdout: "/\n",
    });
    const module = "import { sep } from 'node:path'; console.log(await Promise.resolve(sep))";
    expect(await vm.run(module)).toMatchObject({ ...done, stdout: "/\n" });
  });

  it("runs TypeScript and bash", async () => {
    const typed = "const n: number = 2; console.log(n satisfies number)";
    expect(await vm.run(typed, { language: "typescript" })).toMatchObject({
      ...done,
      stdout: "2\n",
    });
    const shell = { language: "bash", args: ["b"] } as const;
    expect(await vm.run('echo "$0 $1"', shell)).toMatchObject({ ...done, stdout: "bash b\n" });
  });

  it("gives arguments, input, directory and variables", async () => {
    const code =
      "process.stdin.on('data', (data) => console.log(process.argv.slice(1).join(), String(data), process.cwd(), process.env.A))";
    const result = await vm.run(code, {
      args: ["one", "--two"],
      stdin: "in",
      cwd: "/tmp",
      env: { A: "b" },
    });
    expect(result).toMatchObject({ ...done, stdout: "one,--two in /tmp b\n" });
  });

  it("takes code that begins like an option", async () => {
    const code = "-1 < 0 && console.log(process.argv.slice(1))";
    const result = await vm.run(code, { args: ["-e"] });
    expect(result).toMatchObject({ ...done, stdout: "[ '-e' ]\n" });
  });

  it("answers the status of what fails", async () => {
    expect(await vm.run("process.exit(3)")).toMatchObject({ exitCode: 3 });
    const { exitCode, stderr } = await vm.run("null.x");
    expect(exitCode).toBe(1);
    expect(stderr).toContain("TypeError: Cannot read properties of null (reading 'x')");
  });
});

describe("vm.evaluate", () => {
  const completed = { status: "completed", logs: "", truncated: false };

  it("answers the value of an expression", async () => {
    expect(await vm.evaluate("1 + 1")).toEqual({ ...completed, value: 2 });
    expect(await vm.evaluate("{ a: [1, null] }")).toEqual({
      ...completed,
      value: { a: [1, null] },
    });
    expect(await vm.evaluate("Promise.resolve('x')")).toEqual({ ...completed, value: "x" });
  });

  it("answers what a function body returns, and what it printed", async () => {
    const code = "console.log('working'); const { sep } = await import('node:path');\nreturn sep";
    expect(await vm.evaluate(code)).toEqual({ ...completed, value: "/", logs: "working\n" });
    expect(await vm.evaluate("const x = 1;")).toEqual(completed);
  });

  it("takes types", async () => {
    const code = "const x: number[] = [1]; return x as unknown";
    expect(await vm.evaluate(code, { language: "typescript" })).toEqual({
      ...completed,
      value: [1],
    });
  });

  it("tells what was thrown, wherever", async () => {
    for (const code of [
      "throw new RangeError('no')",
      "setTimeout(() => { throw new RangeError('no') }); await new Promise(() => setTimeout(() => {}, 1e6))",
    ]) {
      expect(await vm.evaluate(code)).toMatchObject({
        status: "error",
        error: { name: "RangeError", message: "no" },
      });
    }
    expect(await vm.evaluate("throw 1")).toMatchObject({ error: { message: "threw 1" } });
    expect(await vm.evaluate("}{")).toMatchObject({ error: { name: "SyntaxError" } });
  });

  it("shows the code's own frames alone", async () => {
    const { error } = await vm.evaluate("function f() {\n  null.x;\n}\nf();");
    expect(error?.stack).toBe(
      "TypeError: Cannot read properties of null (reading 'x')\n    at f (code:2:8)\n    at code:4:1",
    );
  });

  it("says what cannot be a value", async () => {
    const errorOf = async (code: string): Promise<string | undefined> => {
      const { status, error } = await vm.evaluate(code);
      expect(status).toBe("error");
      return error?.message;
    };
    expect(await errorOf("const a = {}; a.b = [a]; return a")).toBe(
      "value cannot be given as JSON: it holds itself at value.b[0]",
    );
    expect(await errorOf("({ a: { b: Promise.resolve(1) } })")).toBe(
      "value.a.b is a promise: await it",
    );
    expect(await errorOf("'x'.repeat(17e6)")).toMatch(/^The value is too large: 170000/);
  });

  it("loses nothing of a value silently", async () => {
    const code = `const shared = [1];
      return { map: new Map([["a", 1]]), pairs: new Map([[1, new Set([2])]]), big: 10n, not: NaN,
        f() {}, bytes: Buffer.from("hi"), date: new Date(0), error: new TypeError("no"), list: [, undefined],
        gone: undefined, weak: new WeakMap(), twice: [shared, shared], "__proto__x": 1 }`;
    expect(await vm.evaluate(code)).toEqual({
      ...completed,
      value: {
        map: { a: 1 },
        pairs: [[1, [2]]],
        big: "10",
        not: "NaN",
        f: "[Function: f]",
        bytes: "aGk=",
        date: "1970-01-01T00:00:00.000Z",
        error: { name: "TypeError", message: "no" },
        list: [null, null],
        weak: {},
        twice: [[1], [1]],
        __proto__x: 1,
      },
      notes: [
        "value.map is a Map: given as an object",
        "value.pairs is a Map: given as a list of pairs",
        "value.pairs[0][1] is a Set: given as a list",
        "value.big is a BigInt: given as text",
        "value.not is NaN: given as text",
        "value.f is a function: given as text",
        "value.bytes is binary: given as base64",
        "value.error is an Error: given with its name and message",
        "value.list[0] is undefined: given as null",
        "value.list[1] is undefined: given as null",
        "… and more",
      ],
    });
    expect(await vm.evaluate("new WeakMap()")).toEqual({
      ...completed,
      value: {},
      notes: ["value (WeakMap) has nothing that JSON can hold: given as {}"],
    });
  });

  it("ends with its code, and within its time", async () => {
    expect(await vm.evaluate("setInterval(() => {}, 1000); return 1")).toMatchObject({ value: 1 });
    expect(await vm.evaluate("process.exit(4)")).toMatchObject({
      status: "error",
      error: { message: "The code exited with status 4 before it had a value" },
    });
    expect(await vm.evaluate("for (;;);", { timeoutMs: 500 })).toMatchObject({ status: "timeout" });
  });
});
