import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { quoteWord } from "../../../src/toolkit-cli/command/plain-text.ts";
import { writeFlags } from "../../../src/toolkit-cli/flags/write-flags.ts";
import type { Vm, Vms } from "../../../src/vm/index.ts";
import { ToolBox } from "../../mcp-server/tools/tool-box.ts";
import { builtToolkits } from "../../support/built-toolkit-cli.ts";
import { built } from "../../support/built-vms.ts";
import { schemaCases } from "./schema-cases.ts";

const { tool, toolkit } = builtToolkits;

/** Each of these calls a tool that answers with its input as it was validated. */
const cases = schemaCases.flatMap(({ name, schema, inputs }) =>
  inputs.map((input) => ({ name, schema, input })),
);

let vms: Vms;
let vm: Vm;

beforeAll(async () => {
  vms = new built.Vms({ poolSize: 1 });
  const echo = toolkit("matrix", {
    description: "Answers with what it was given.",
    tools: Object.fromEntries(
      schemaCases.map(({ name, schema }) => [
        name,
        tool({ description: "Echo.", input: schema, handler: (input: unknown) => ({ input }) }),
      ]),
    ),
  });
  vm = await vms.create({ toolkits: [echo] });
});

afterAll(async () => {
  await vms.close();
});

/** Runs a command for each case in one shell; a line of output each. */
async function runAll(commandOf: (one: (typeof cases)[number]) => string): Promise<unknown[]> {
  const script = cases.map((one) => `${commandOf(one)} --output raw 2>&1; echo\n`).join("");
  await vm.files.write("/tmp/script", new TextEncoder().encode(script));
  const { stdout } = await vm.exec("bash /tmp/script | cat");
  return stdout.split("\n").slice(0, -1).map(readLine);
}

function readLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

/** What a tool gets: the input, and the defaults of what it lacks. */
const expected = cases.map(({ schema, input }) => {
  const properties = (schema["properties"] ?? {}) as Record<string, { default?: unknown }>;
  const defaults = Object.entries(properties).filter(
    ([, { default: value }]) => value !== undefined,
  );
  const filled = defaults.map(([name, { default: value }]) => [name, value] as const);
  return { input: { ...Object.fromEntries(filled), ...input } };
});

describe("every schema and input", () => {
  it("are more than 300 cases", () => {
    expect(cases.length).toBeGreaterThanOrEqual(300);
  });

  it("round-trips by flags", async () => {
    const words = ({ schema, input }: (typeof cases)[number]) =>
      writeFlags(schema, input).map(quoteWord).join(" ");
    expect(await runAll((one) => `agentos-matrix ${one.name} ${words(one)}`)).toEqual(expected);
    const onlyJson = cases.filter((one) => words(one).startsWith("--json"));
    expect(onlyJson.length).toBeLessThan(cases.length / 20);
  });

  it("round-trips by --json", async () => {
    const json = ({ input }: (typeof cases)[number]) => quoteWord(JSON.stringify(input));
    expect(await runAll((one) => `agentos-matrix ${one.name} --json ${json(one)}`)).toEqual(
      expected,
    );
  });

  it("round-trips by agentos call and stdin", async () => {
    const stdin = ({ input }: (typeof cases)[number]) => quoteWord(JSON.stringify(input));
    expect(
      await runAll(
        (one) => `printf %s ${stdin(one)} | agentos call matrix ${one.name} --json-file -`,
      ),
    ).toEqual(expected);
  });

  it("round-trips from JavaScript", async () => {
    const calls = cases.map(({ name, input }) => ({ name, input }));
    const script = `
      import tools from "agentos";
      const camel = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
      for (const { name, input } of ${JSON.stringify(calls)})
        console.log(JSON.stringify(await tools.matrix[camel(name)](input)));
    `;
    await vm.files.write("/tmp/script.mjs", new TextEncoder().encode(script));
    const { stdout, stderr } = await vm.exec("node /tmp/script.mjs");
    expect(stderr).toBe("");
    expect(stdout.split("\n").slice(0, -1).map(readLine)).toEqual(expected);
  });

  it("round-trips in code mode", async () => {
    const calls = cases.map(({ name, input }) => ({ name, input }));
    await vm.files.write("/tmp/calls.json", new TextEncoder().encode(JSON.stringify(calls)));
    const code = `
      const camel = (name: string) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
      const results = [];
      for (const { name, input } of JSON.parse(await fs.readFile("/tmp/calls.json", "utf8")))
        results.push(await tools.matrix[camel(name)](input));
      await fs.writeFile("/tmp/results.json", JSON.stringify(results));
      return results.length;
    `;
    const answer = await new ToolBox(vms).structured("code_run", { vm_id: vm.id, code });
    expect(answer).toMatchObject({ status: "completed", result: cases.length });
    const { stdout } = await vm.exec("cat /tmp/results.json");
    expect(JSON.parse(stdout)).toEqual(expected);
  });
});
