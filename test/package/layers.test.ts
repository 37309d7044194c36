import { beforeAll, describe, expect, it } from "vitest";
import { runToolOn } from "./planted-project.ts";

const imports = (...specifiers: string[]): string =>
  `${specifiers.map((specifier) => `import "${specifier}";\n`).join("")}export const planted = 1;\n`;

/** What is wrong, the folder of the file that does it, what it imports, the rule that says so. */
const wrong: [what: string, folder: string, specifier: string, rule: string][] = [
  ["a kernel that imports node:", "src/kernel", "node:fs", "kernel-stands-alone"],
  ["a kernel that imports npm", "src/kernel", "zod", "kernel-stands-alone"],
  ["a kernel that imports the VM", "src/kernel", "../vm/index.ts", "kernel-stands-alone"],
  [
    "syscalls elsewhere in the kernel",
    "src/kernel/fd",
    "../syscalls/table.ts",
    "syscalls-from-kernel-only",
  ],
  ["a VM that knows the MCP server", "src/vm", "../mcp-server/index.ts", "vm-layer"],
  ["a VM that knows escalation", "src/vm", "../sandbox-escalation/index.ts", "vm-layer"],
  ["a toolkit that knows VMs", "src/toolkit-cli", "../vm/index.ts", "toolkit-cli-layer"],
  [
    "escalation that knows VMs",
    "src/sandbox-escalation",
    "../vm/index.ts",
    "sandbox-escalation-layer",
  ],
  ["a side door", "src/vm", "../kernel/fd/fd-table.ts", "front-door"],
  ["one's own front door", "src/vm/cell", "../index.ts", "one-front-door"],
  ["a second front door", "src/vm", "./cell/index.ts", "one-front-door"],
  ["a name that says nothing", "src/vm", "./utils.ts", "names-say-what"],
  ["a program that knows the VM", "src/vm/programs", "../vm.ts", "programs-see-sys"],
  ["a program that uses Node", "src/vm/programs", "node:path", "programs-have-no-node"],
  [
    "a cell that knows the broker",
    "src/vm/cell",
    "../broker/grants.ts",
    "cell-and-broker-meet-in-wire",
  ],
  [
    "a broker that knows the cell",
    "src/vm/broker",
    "../cell/main.ts",
    "broker-and-cell-meet-in-wire",
  ],
  ["a wire that knows an end", "src/vm/wire", "../vm.ts", "wire-knows-neither-end"],
  ["MCP outside its folder", "src/vm", "@modelcontextprotocol/server", "mcp-stays-in-mcp-server"],
  ["a test in what ships", "src/vm", "../../test/support/fake.ts", "shipped-code-stands-alone"],
  ["a tool in what ships", "src/vm", "vitest", "no-dev-dependencies-in-src"],
  ["an import that leads nowhere", "src/vm", "./gone.ts", "resolvable"],
];
const wrongFile = (index: number): string => `${wrong[index]?.[1]}/wrong-${index}.ts`;

const typesOnly = "src/vm/cell/types-only.ts";

/** What the picture allows. */
const right = {
  "src/kernel/kernel.ts": imports("./syscalls/table.ts"),
  "src/kernel/process/program.ts": imports("../syscalls/sys.ts", "../fd/fd-table.ts"),
  "src/toolkit-cli/right.ts": imports("../kernel/index.ts"),
  "src/vm/right.ts": imports(
    "../kernel/index.ts",
    "../toolkit-cli/index.ts",
    "node:net",
    "./vm.ts",
  ),
  "src/vm/owner.ts": `${imports("./vm.ts")}await using owned = { async [Symbol.asyncDispose]() {} };\n`,
  "src/vm/shell/run.ts": imports("../../kernel/index.ts", "yaml"),
  "src/vm/cell/right.ts": imports("../wire/frame.ts"),
  "src/vm/broker/right.ts": imports("../wire/frame.ts"),
  "src/sandbox-escalation/right.ts": imports("../kernel/index.ts", "../toolkit-cli/index.ts"),
  "src/mcp-server/shim.ts": imports("../vm/wire/frame.ts"),
  "src/mcp-server/right.ts": imports(
    "../vm/index.ts",
    "../sandbox-escalation/index.ts",
    "@modelcontextprotocol/server",
    "zod",
  ),
};

const project: Record<string, string> = {
  ...Object.fromEntries(
    [
      ...["kernel", "toolkit-cli", "sandbox-escalation", "mcp-server", "vm", "vm/cell"].map(
        (folder) => `src/${folder}/index.ts`,
      ),
      "src/kernel/fd/fd-table.ts",
      "src/kernel/syscalls/table.ts",
      "src/kernel/syscalls/sys.ts",
      "src/vm/vm.ts",
      "src/vm/utils.ts",
      "src/vm/cell/main.ts",
      "src/vm/broker/grants.ts",
      "src/vm/wire/frame.ts",
      "test/support/fake.ts",
    ].map((file) => [file, imports()]),
  ),
  ...right,
  ...Object.fromEntries(
    wrong.map(([, , specifier], index) => [wrongFile(index), imports(specifier)]),
  ),
  [typesOnly]:
    'import type { planted } from "../broker/grants.ts";\nexport type A = typeof planted;\n',
};

interface Report {
  readonly summary: { readonly violations: { rule: { name: string }; from: string }[] };
}

describe("the layers", () => {
  let report: Report;
  beforeAll(async () => {
    const args = ["src", "--config", ".dependency-cruiser.cjs", "--output-type", "json"];
    report = JSON.parse(await runToolOn(project, "scripts/layers.mjs", args));
  });

  const rulesBrokenBy = (file: string): string[] =>
    report.summary.violations.filter(({ from }) => from === file).map(({ rule }) => rule.name);

  it.each(wrong.map(([what, , , rule], index) => ({ what, rule, index })))(
    "refuse $what",
    ({ rule, index }) => {
      expect(rulesBrokenBy(wrongFile(index))).toEqual([rule]);
    },
  );

  it("count an import of types as an import", () => {
    expect(rulesBrokenBy(typesOnly)).toEqual(["cell-and-broker-meet-in-wire"]);
  });

  it("let through what the picture allows", () => {
    expect(Object.keys(right).flatMap(rulesBrokenBy)).toEqual([]);
  });
});
