import { describe, expect, it } from "vitest";
import { rewriteImports } from "../../../src/vm/code-mode/rewrite-imports.ts";

describe("rewriteImports", () => {
  it.each([
    ['import a from "m"', 'const { default: a } = await import("m");'],
    ["import { a, b as c } from 'm';", "const { a, b: c } = await import('m');"],
    ['import a, { b } from "m";', 'const { default: a, b } = await import("m");'],
    ['import * as all from "m";', 'const all = await import("m");'],
    ['import a, * as all from "m";', 'const all = await import("m"), a = all.default;'],
    ['import "m";', 'await import("m");'],
    ['import type { T } from "m";', ""],
    ['import { type T, a } from "m";', 'const { a } = await import("m");'],
    [
      'import x from "./x.json" with { type: "json" };',
      'const { default: x } = await import("./x.json", { with: { type: "json" } });',
    ],
    ['import tools from "agentos";', ""],
    ['import { search } from "agentos";', 'const { search } = await import("agentos");'],
  ])("%s", (written, made) => {
    expect(rewriteImports(written)).toBe(made);
  });

  it("keeps every line where it is", () => {
    const code =
      '"use strict";\n// one\nimport {\n  a,\n  b,\n} from "m";\n/* two */ import c from "n";\nreturn a;';
    const made = rewriteImports(code);
    expect(made.split("\n").length).toBe(code.split("\n").length);
    expect(made.split("\n").at(-1)).toBe("return a;");
    expect(made).toContain('const { a, b } = await import("m");\n');
  });

  it.each([
    'const x = 1;\nimport a from "m";',
    'const text = `\nimport a from "m";\n`',
    'await import("m")',
    "import.meta.url",
    "importThings()",
    "",
    "/* never closed import a from 'm'",
  ])("leaves the rest alone: %s", (code) => {
    expect(rewriteImports(code)).toBe(code);
  });

  it("does not take long for anything", () => {
    for (const piece of [
      "import ",
      "import {",
      "/*",
      "/* */",
      "import a, ",
      "\n",
      '"use x"',
      "import { a as ",
    ])
      expect(rewriteImports(piece.repeat(50_000)).length).toBeGreaterThan(0);
  });

  it.each([
    ["blanks", `import${" ".repeat(500_000)}`],
    ["blanks between names", `import a${" ".repeat(400_000)}b from "x"`],
    ["blanks in braces", `import { a${" ".repeat(400_000)}b } from "x"`],
    ["words", `import ${"from ".repeat(100_000)}`],
  ])("takes no longer for many %s", (_, code) => {
    expect(rewriteImports(code)).toEqual(expect.any(String));
  });
});
