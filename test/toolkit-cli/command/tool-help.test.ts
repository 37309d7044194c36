import { describe, expect, it } from "vitest";
import { toolHelp } from "../../../src/toolkit-cli/command/tool-help.ts";
import { toolkitHelp } from "../../../src/toolkit-cli/command/toolkit-help.ts";
import type { ToolDescription, ToolkitDescription } from "../../../src/toolkit-cli/description.ts";
import { objectOf } from "../flags/parse-flags.ts";

const base = { examples: [], isReadOnly: false, needsApproval: false };

function toolkitOf(tools: readonly ToolDescription[]): ToolkitDescription {
  return { name: "x", description: "X.\u001b]0;title\u0007", tools };
}

function helpOf(tool: Partial<ToolDescription>, isFull = false): string {
  const whole = { name: "y", description: "Y.", input: objectOf({}), ...base, ...tool };
  return toolHelp(toolkitOf([whole]), whole, isFull);
}

const letters = "abcdefghijkl".split("");

describe("help about hostile tools", () => {
  it("has no control characters but line ends", () => {
    const input = {
      type: "object",
      properties: JSON.parse(
        '{"\\u001b":{"type":"string","description":"\\u001b[2Jgone"},"a":{"enum":["\\u0007","x\\ny"],"default":"\\u009b1m"}}',
      ),
      required: ["\u001b"],
    };
    const examples = [{ description: "\u001b[31m", input: { a: "\u001b[1m\n" } }];
    const output = objectOf({ "\u001b[0m": {} });
    const text =
      helpOf({ description: "\u001b[31mred\r\nnext", input, examples, output }) +
      toolkitHelp(
        toolkitOf([{ name: "y", description: "\u001b[31m\u2028", input, ...base }]),
        false,
      );
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/);
  });

  it("is short, however much there is", () => {
    const many = Array.from({ length: 500 }, (_, index) => [
      `p${index}`,
      { type: "string", description: "d ".repeat(5000) },
    ]);
    const input = objectOf(Object.fromEntries(many));
    const text = helpOf({ input, description: "long ".repeat(10_000) });
    expect(text.length).toBeLessThan(14_000);
    expect(text).toMatch(/\n {2}and 460 more: agentos-x y --help --full\n/);
    expect(helpOf({ input }, true).match(/\n {2}--p\d+ /g)).toHaveLength(500);
    const tools = many.map(([name]) => ({
      name: `${name as string}`,
      description: "x".repeat(9999),
      input,
      ...base,
    }));
    const list = toolkitHelp(toolkitOf(tools), false);
    expect(list.length).toBeLessThan(8000);
    expect(list).toMatch(/\nand 440 more: agentos list x --full\n/);
  });

  it("shows what is in JSON, as far as a line goes", () => {
    const item = objectOf({ sku: { type: "string" }, n: { enum: [1, "b"] } });
    const input = {
      ...objectOf({
        items: { type: "array", items: { ...item, required: ["sku"] } },
        point: { type: "array", prefixItems: [{ type: "number" }, { type: "number" }] },
        target: { anyOf: [item, { type: "string" }, { type: "null" }] },
        self: { type: "array", items: { $ref: "#" } },
        free: { type: "object" },
        wide: { type: "array", items: objectOf(Object.fromEntries(letters.map((l) => [l, {}]))) },
      }),
      required: ["items"],
    };
    const lines = helpOf({ input }).match(/\n {2}--.*/g);
    expect(lines).toEqual([
      `\n  --items <JSON>              (required, repeatable) {"sku":string,"n"?:1|"b"}`,
      "\n  --point <JSON>              (repeatable) [number,number]",
      "\n  --target <string|null>",
      "\n  --target.sku <string>",
      "\n  --target.n <1|b>",
      expect.stringMatching(
        /^\n {2}--self <JSON> {15}\(repeatable\) \{"items":\[\{"sku":….{200,240}…$/,
      ),
      "\n  --free.<key> <JSON>",
      `\n  --wide <JSON>               (repeatable) {${letters
        .slice(0, 10)
        .map((l) => `"${l}"?:any,`)
        .join("")}…}`,
    ]);
  });

  it("shows which numbers are taken", () => {
    const safe = Number.MAX_SAFE_INTEGER;
    const input = objectOf({
      page: { type: "integer", minimum: 1, maximum: safe },
      size: { type: "integer", minimum: 1, maximum: 100, default: 20 },
      ratio: { type: "number", maximum: 0.5 },
      any: { type: "integer", minimum: -safe, maximum: safe },
    });
    expect(helpOf({ input }).match(/\n {2}--.*/g)).toEqual([
      "\n  --page <integer>            (at least 1)",
      "\n  --size <integer>            (1 to 100, default 20)",
      "\n  --ratio <number>            (at most 0.5)",
      "\n  --any <integer>",
    ]);
  });

  it("shows examples as they can be pasted", () => {
    const input = objectOf({
      q: { type: "string" },
      n: { type: "array", items: { type: "integer" } },
    });
    const examples = [{ input: { q: "it's $HOME", n: [1, 2] } }, { input: "no object" }];
    expect(helpOf({ input, examples })).toMatch(
      /\nExamples:\n {2}agentos-x y --q 'it'\\''s \$HOME' --n 1 --n 2\n$/,
    );
  });
});
