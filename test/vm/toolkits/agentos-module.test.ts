import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toJavaScriptName } from "../../../src/toolkit-cli/index.ts";
import type { Vm, Vms } from "../../../src/vm/index.ts";
import { toCamel } from "../../../src/vm/node/agentos/javascript-names.ts";
import { builtToolkits } from "../../support/built-toolkit-cli.ts";
import { built } from "../../support/built-vms.ts";
import { TestToolkit } from "../../support/test-toolkit.ts";

const { tool, toolkit, ToolError } = builtToolkits;
const names = ["get-2-items", "a-b-c", "2fa", "then", "größe-ändern", "list", "constructor"];
const odd = toolkit("my-2nd-kit", {
  description: "Odd names.",
  tools: Object.fromEntries([
    ...names.map((name) => [name, tool({ description: name, handler: () => name })] as const),
    ["bytes", tool({ description: "Bytes.", handler: () => new Uint8Array([0, 255]) })] as const,
    ["nothing", tool({ description: "No value.", handler: () => undefined })] as const,
    [
      "picky",
      tool({
        description: "Wants a number.",
        input: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
        handler: () => {
          throw new ToolError("unavailable", "Come back later.");
        },
      }),
    ] as const,
  ]),
});

let vms: Vms;
let vm: Vm;
let test: TestToolkit;

beforeAll(async () => {
  vms = new built.Vms({ poolSize: 1 });
  test = new TestToolkit();
  vm = await vms.create({ toolkits: [test.toolkit, odd] });
});

afterAll(async () => {
  await vms.close();
});

/** Runs it as a module that has everything of "agentos". */
async function run(code: string, file = "script.mjs"): Promise<string> {
  const source = `import tools, * as agentos from "agentos";\n${code}`;
  await vm.files.write(`/home/user/a/b/${file}`, source, { createParents: true });
  const { stdout, stderr } = await vm.exec(`node a/b/${file}`);
  return stderr === "" ? stdout : `${stdout}${stderr}`;
}

describe('the module "agentos"', () => {
  it("calls tools by their names in camelCase, and gives their results", async () => {
    const shown = await run(`console.log(JSON.stringify([
      await tools.demo.echo({ a: 1 }),
      await tools.demo.text({ size: 3 }),
      await agentos.tools.demo.echo(),
      await agentos.call("demo", "echo", [1].map((n) => ({ n }))[0]),
      [...(await tools.my2ndKit.bytes())],
      (await tools.my2ndKit.nothing()) === undefined,
      (await tools.demo.text({ size: 3_000_000 })).length,
    ]))`);
    expect(JSON.parse(shown)).toEqual([{ a: 1 }, "xxx", {}, { n: 1 }, [0, 255], true, 3_000_000]);
  });

  it("knows every name, as declarations do", async () => {
    for (const name of [...names, "list-issues"])
      expect(toCamel(name)).toBe(toJavaScriptName(name));
    const calls = names.map((name) => `await tools.my2ndKit.${toJavaScriptName(name)}()`);
    const direct = `await tools["my-2nd-kit"]["get-2-items"]()`;
    const shown = await run(`console.log(JSON.stringify([${[...calls, direct].join(", ")}]))`);
    expect(JSON.parse(shown)).toEqual([...names, "get-2-items"]);
  });

  it("is there for CommonJS, TypeScript, code without a file, and workers", async () => {
    const echo = "demo.echo({ a: 1 }).then((r) => console.log(JSON.stringify(r)))";
    await vm.files.write("/tmp/a.cjs", `require("agentos").${echo}`);
    await vm.files.write(
      "/tmp/a.ts",
      `import tools from "agentos"; const t: any = tools; t.${echo}`,
    );
    await vm.files.write(
      "/tmp/w.mjs",
      `import { Worker } from "node:worker_threads"; new Worker("/tmp/a.cjs");`,
    );
    const commands = [
      "node /tmp/a.cjs",
      "node /tmp/a.ts",
      `node -e 'require("agentos").${echo}'`,
      "node /tmp/w.mjs",
      `node -e 'console.log(require("module").isBuiltin("agentos"))'`,
    ];
    const { stdout, stderr } = await vm.exec(commands.join("; "));
    expect([stdout, stderr]).toEqual([`${'{"a":1}\n'.repeat(4)}true\n`, ""]);
  });

  it("lists, describes and searches", async () => {
    const shown = await run(`
      const described = await agentos.describe("demo");
      const { matches } = await agentos.search("text of that size", 1);
      console.log(JSON.stringify([await agentos.list(), described.tools.length, matches.length, matches[0].tool]))`);
    expect(JSON.parse(shown)).toEqual([
      [
        { name: "demo", description: "For tests." },
        { name: "my-2nd-kit", description: "Odd names." },
      ],
      5,
      1,
      "text",
    ]);
  });

  it("fails where the call is waited for", async () => {
    const shown = await run(`async function go() {
      await tools.my2ndKit.picky({ n: 1 });
    }
    await go();`);
    const file = "file:///home/user/a/b/script.mjs";
    expect(shown).toContain(
      `ToolError: Come back later.\n    at async go (${file}:3:7)\n    at async ${file}:5:5 {\n  code: 'unavailable'\n}`,
    );
  });

  it("fails with a ToolError that says how", async () => {
    const shown = await run(`
      const failures = [];
      for (const call of [
        () => tools.demo.ecko(),
        () => tools.nobody.echo(),
        () => tools.my2ndKit.picky({ n: "x" }),
        () => tools.my2ndKit.picky({ n: 1 }),
        () => tools.demo.remove(),
      ]) {
        const error = await call().catch((error) => error);
        failures.push([error instanceof agentos.ToolError, error.name, error.code, error.message, error.issues?.length]);
      }
      console.log(JSON.stringify(failures))`);
    const failures: unknown[][] = JSON.parse(shown);
    expect(failures.map(([isToolError, name, code]) => [isToolError, name, code])).toEqual([
      [true, "ToolError", "usage"],
      [true, "ToolError", "usage"],
      [true, "ToolError", "usage"],
      [true, "ToolError", "unavailable"],
      [true, "ToolError", "denied"],
    ]);
    expect(failures[0]?.[3]).toContain('Did you mean "echo"?');
    expect(failures[2]?.[4]).toBe(1);
    expect(failures[3]?.[3]).toBe("Come back later.");
  });

  it("has many calls under way at once, more than the VM may have", async () => {
    const shown = await run(`
      const all = await Promise.all(Array.from({ length: 300 }, (_, n) => tools.demo.echo({ n })));
      console.log(all.every(({ n }, at) => n === at))`);
    expect(shown).toBe("true\n");
  });

  it("streams, and cancels when the loop is left", async () => {
    const shown = await run(`
      for await (const { count } of tools.demo.endless.stream()) {
        console.log(count, (await tools.demo.echo({ count })).count);
        if (count === 3) break;
      }`);
    expect(shown).toBe("1 1\n2 2\n3 3\n");
    await expect.poll(() => test.hasEnded).toBe(true);
    expect(test.made).toBeLessThan(5000);
  });

  it("gives calls up with a signal, also those that wait for their turn", async () => {
    const before = test.aborted;
    const running = run(`
      const controller = new AbortController();
      const { signal } = controller;
      process.once("SIGUSR2", () => controller.abort(new Error("enough")));
      const calls = Array.from({ length: 80 }, () => tools.demo.hang({}, { signal }).catch((e) => e.message));
      const stream = tools.demo.hang.stream({}, { signal }).next().catch((e) => e.message);
      console.log([...new Set([...(await Promise.all(calls)), await stream])]);
      console.log(await tools.demo.echo({}, { signal }).catch((e) => e.message));
      console.log((await tools.demo.echo({ still: "works" })).still)`);
    // As many as a VM may have under way; the others wait.
    await expect.poll(() => test.running).toBe(64);
    await vm.exec("pkill -USR2 node");
    expect(await running).toBe("[ 'enough' ]\nenough\nworks\n");
    await expect.poll(() => [test.running, test.aborted > before]).toEqual([0, true]);
  });

  it("keeps no process alive when nothing is under way, and one that ends leaves nothing", async () => {
    expect(await run("await tools.demo.echo(); setTimeout(() => console.log('last'), 5)")).toBe(
      "last\n",
    );
    const before = test.aborted;
    await run("tools.demo.hang(); await tools.demo.echo(); process.exit(0)");
    await expect.poll(() => [test.running, test.aborted]).toEqual([0, before + 1]);
  });

  it("can be awaited, printed and put into text without calling anything", async () => {
    const calls = test.calls.length;
    const shown = await run(`
      console.log((await tools) === tools, typeof (await tools.demo), \`\${tools.demo}\`);
      console.log(Object.keys(agentos).sort().join());`);
    expect(shown).toBe(
      "true object [tools.demo]\nToolError,call,default,describe,list,search,tools\n",
    );
    expect(test.calls.length).toBe(calls);
  });
});
