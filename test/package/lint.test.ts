import { beforeAll, describe, expect, it } from "vitest";
import { runToolOn } from "./planted-project.ts";

const act = (body: string): string =>
  `import { sleep } from "./sleep.ts";\nexport async function act(): Promise<void> {\n${body}\n  await sleep();\n}\n`;

/** What is wrong, a file that does it, the rule that says so. */
const wrong: [what: string, source: string, rule: string][] = [
  ["a promise nobody waits for", act("  sleep();"), "typescript(no-floating-promises)"],
  ["one hidden by void", act("  void sleep();"), "typescript(no-floating-promises)"],
  [
    "one in a ternary",
    act("  Math.abs(1) > 2 ? sleep() : undefined;"),
    "typescript(no-floating-promises)",
  ],
  ["one that is only chained", act("  sleep().then(() => 1);"), "typescript(no-floating-promises)"],
  [
    "a promise where none is expected",
    "export const a = [1].forEach(async () => { await Promise.resolve(); });",
    "typescript(no-misused-promises)",
  ],
  ["any", "export const a: any = 1;", "typescript(no-explicit-any)"],
  ["!", "export const a = [1][0]!;", "typescript(no-non-null-assertion)"],
  [
    "a cast that narrows",
    "export const a = (x: unknown): string => x as string;",
    "typescript(no-unsafe-type-assertion)",
  ],
  [
    "a switch that forgets a case",
    "export function a(x: 1 | 2): void {\n  switch (x) {\n    case 1:\n      break;\n  }\n}",
    "typescript(switch-exhaustiveness-check)",
  ],
  [
    "a thrown string",
    "export function a(): never {\n  throw 'no';\n}",
    "typescript(only-throw-error)",
  ],
  [
    "an empty catch",
    "export function a(): void {\n  try {\n    a();\n  } catch {}\n}",
    "eslint(no-empty)",
  ],
  [
    "a catch handler that does nothing",
    "export const a = Promise.resolve().catch(() => {});",
    "eslint(no-empty-function)",
  ],
  ["console", "console.log(1);\nexport const a = 1;", "eslint(no-console)"],
  ["a default export", "export default 1;", "import(no-default-export)"],
];
const wrongFile = (index: number): string => `src/vm/wrong-${index}.ts`;

const notForTheKernel = [
  "Date.now()",
  "setTimeout(String, 1)",
  "Buffer.alloc(1)",
  "process.pid",
  "fetch",
  "globalThis",
];
const uses = (expression: string): string =>
  `export function use(): unknown {\n  return ${expression};\n}\n`;

const project: Record<string, string> = {
  "src/vm/sleep.ts":
    "export async function sleep(): Promise<void> {\n  await Promise.resolve();\n}\n",
  "src/vm/badName.ts": "export const a = 1;\n",
  "src/vm/cycle-one.ts": 'import { two } from "./cycle-two.ts";\nexport const one = () => two;\n',
  "src/vm/cycle-two.ts": 'import { one } from "./cycle-one.ts";\nexport const two = () => one;\n',
  "src/vm/type-one.ts": 'import type { Two } from "./type-two.ts";\nexport type One = Two[];\n',
  "src/vm/type-two.ts": 'import type { One } from "./type-one.ts";\nexport type Two = One[];\n',
  "src/kernel/with-node.ts": 'import * as a from "node:fs";\nexport const b = a;\n',
  "src/kernel/with-npm.ts": 'import * as a from "zod";\nexport const b = a;\n',
  ...Object.fromEntries(wrong.map(([, source], index) => [wrongFile(index), `${source}\n`])),
  ...Object.fromEntries(
    notForTheKernel.flatMap((expression, index) => [
      [`src/kernel/use-${index}.ts`, uses(expression)],
      [`src/vm/use-${index}.ts`, uses(expression)],
    ]),
  ),
};

interface Report {
  readonly diagnostics: { code: string; filename: string }[];
}

describe("the linter", () => {
  let report: Report;
  beforeAll(async () => {
    const args = ["--type-aware", "--deny-warnings", "--format", "json", "src"];
    report = JSON.parse(await runToolOn(project, "node_modules/oxlint/bin/oxlint", args));
  });

  const rulesBrokenBy = (file: string): string[] => [
    ...new Set(
      report.diagnostics.filter(({ filename }) => filename === file).map(({ code }) => code),
    ),
  ];

  it.each(wrong.map(([what, , rule], index) => ({ what, rule, index })))(
    "finds $what",
    ({ rule, index }) => {
      expect(rulesBrokenBy(wrongFile(index))).toContain(rule);
    },
  );

  it("finds a file whose name is not in kebab-case", () => {
    expect(rulesBrokenBy("src/vm/badName.ts")).toEqual(["unicorn(filename-case)"]);
  });

  it("finds two files that need each other at run time, not two that share types", () => {
    expect(rulesBrokenBy("src/vm/cycle-one.ts")).toEqual(["import(no-cycle)"]);
    expect(rulesBrokenBy("src/vm/cycle-two.ts")).toEqual(["import(no-cycle)"]);
    expect(rulesBrokenBy("src/vm/type-one.ts")).toEqual([]);
  });

  it.each(notForTheKernel.map((expression, index) => ({ expression, index })))(
    "keeps $expression out of the kernel, and only out of it",
    ({ index }) => {
      expect(rulesBrokenBy(`src/kernel/use-${index}.ts`)).toEqual([
        "eslint(no-restricted-globals)",
      ]);
      expect(rulesBrokenBy(`src/vm/use-${index}.ts`)).toEqual([]);
    },
  );

  it.each(["node", "npm"])("keeps imports from %s out of the kernel", (source) => {
    const rules = rulesBrokenBy(`src/kernel/with-${source}.ts`);
    expect(rules).toEqual(["eslint(no-restricted-imports)"]);
  });
});
