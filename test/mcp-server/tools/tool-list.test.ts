import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { tools } from "../../../src/mcp-server/tool-list.ts";

/** A definition as a model gets it: no result, no hints. */
function definitionOf({ name, description, inputSchema }: (typeof tools)[number]): string {
  const { $schema: _, ...schema } = z.toJSONSchema(inputSchema, { io: "input" });
  return JSON.stringify({ name, description, input_schema: schema });
}

describe("the list of MCP tools", () => {
  it("has these, in this order", () => {
    expect(tools.map(({ name }) => name)).toEqual([
      "vm_create",
      "vm_list",
      "vm_exec",
      "vm_exec_io",
      "vm_destroy",
      "fs_read",
      "fs_write",
      "code_run",
      "toolkit_search",
    ]);
  });

  it("costs a model at most 1,250 tokens", () => {
    expect(countTokens(tools.map(definitionOf).join(""))).toBeLessThanOrEqual(1250);
  });

  it("hints at what each of them does", () => {
    const hints = tools.map(
      ({ name, annotations: { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } }) => [
        name,
        [
          readOnlyHint ? "R" : "",
          destructiveHint ? "D" : "",
          idempotentHint ? "I" : "",
          openWorldHint ? "O" : "",
        ].join(""),
      ],
    );
    expect(Object.fromEntries(hints)).toEqual({
      vm_create: "",
      vm_list: "RI",
      vm_exec: "D",
      vm_exec_io: "D",
      vm_destroy: "DI",
      fs_read: "RI",
      fs_write: "DI",
      code_run: "DO",
      toolkit_search: "RI",
    });
  });

  it("has seven that clients load at once", () => {
    const loaded = tools.filter(({ meta }) => meta?.["anthropic/alwaysLoad"] === true);
    expect(loaded.map(({ name }) => name)).toEqual([
      "vm_create",
      "vm_exec",
      "vm_exec_io",
      "fs_read",
      "fs_write",
      "code_run",
      "toolkit_search",
    ]);
    const hinted = tools.filter(({ meta }) => typeof meta?.["anthropic/searchHint"] === "string");
    expect(loaded.length + hinted.length).toBe(tools.length);
  });

  it("has structured results for all but fs_read and toolkit_search", () => {
    const without = tools.filter(({ outputSchema }) => outputSchema === undefined);
    expect(without.map(({ name }) => name)).toEqual(["fs_read", "toolkit_search"]);
  });

  it.each(tools.map((tool) => [tool.name, tool] as const))(
    "refuses unknown arguments of %s",
    (_name, tool) => {
      const result = tool.inputSchema.safeParse({ vm_id: "a", nonsense: 1 });
      expect(JSON.stringify(result.error?.issues)).toContain('"nonsense"');
    },
  );
});
