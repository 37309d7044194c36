import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { built } from "../../support/built-vms.ts";
import { ToolBox } from "./tool-box.ts";

let box: ToolBox;
beforeAll(async () => {
  box = new ToolBox(new built.Vms({ poolSize: 0 }));
  await box.vms.create({ name: "one" });
});
afterAll(() => box.close());

const run = (code: string, input: object = {}): Promise<unknown> =>
  box.structured("code_run", { vm_id: "one", code, ...input });

describe("code_run", () => {
  it("answers the value and what was printed", async () => {
    expect(await run("console.log('hi'); return { a: 1 }")).toEqual({
      status: "completed",
      result: { a: 1 },
      logs: "hi\n",
      truncated: false,
    });
    const typed = await run("const n: number = 1; return n", { language: "typescript" });
    expect(typed).toMatchObject({ result: 1 });
  });

  it("shows text to clients that want text", async () => {
    const texts = (code: string): Promise<string[]> =>
      box.texts("code_run", { vm_id: "one", code });
    expect(await texts("console.log('hi'); return [1]")).toEqual(["[\n 1\n]\n[printed]\nhi\n"]);
    expect(await texts("let x")).toEqual(["[no value, nothing printed]"]);
    expect((await texts("throw new Error('no')"))[0]).toMatch(/^Error: no\n {4}at code:1:7/);
  });

  it("tells of errors and of time that ran out", async () => {
    expect(await run("throw new TypeError('no')")).toMatchObject({
      status: "error",
      error: { name: "TypeError", message: "no" },
    });
    expect(await run("for (;;);", { timeout_ms: 500 })).toMatchObject({ status: "timeout" });
  });

  it("cuts what is too long", async () => {
    const result = await run("console.log('x'.repeat(9999)); return 'y'.repeat(9999)", {
      max_output_tokens: 100,
    });
    expect(result).toMatchObject({
      truncated: true,
      result: expect.stringMatching(/^"y+\n\[… 9627 bytes omitted …\]\ny+"$/),
      logs: expect.stringMatching(/^x+\n\[… \d+ bytes omitted …\]\n/),
    });
  });
});
