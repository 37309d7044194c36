import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { readPromise } from "../../../../src/mcp-server/toolkits/mcp/output-promise.ts";
import { resourceResult, toolResult } from "../../../../src/mcp-server/toolkits/mcp/tool-result.ts";

const text = (said: string): ContentBlock => ({ type: "text", text: said });
const parts = (...content: ContentBlock[]): CallToolResult => ({ content });
const object = (properties: object): object => ({ type: "object", properties });

describe("the result of a server's tool", () => {
  it("is text where all parts are, embedded resources included", () => {
    const resource = { uri: "x://1", text: "inside" };
    expect(toolResult(parts(text("a"), { type: "resource", resource }), undefined)).toBe(
      "a\ninside",
    );
  });

  it("is bytes where one sound or blob is all", () => {
    const sound = { type: "audio", data: "AA==", mimeType: "audio/wav" } as const;
    expect(toolResult(parts(sound), undefined)).toMatchObject({
      value: { kind: "bytes", base64: "AA==", mimeType: "audio/wav" },
    });
    const blob = { type: "resource", resource: { uri: "x://1", blob: "AQ==" } } as const;
    expect(toolResult(parts(blob), undefined)).toMatchObject({
      value: { kind: "bytes", base64: "AQ==" },
    });
  });

  it("is the structured content rather than the text that repeats it", () => {
    const result = { ...parts(text('{"a":1}')), structuredContent: { a: 1 } };
    expect(toolResult(result, undefined)).toMatchObject({
      value: { kind: "json", json: { a: 1 } },
    });
  });

  it("comes without a wrapping that says nothing", () => {
    const result = (structuredContent: unknown): CallToolResult => ({
      content: [],
      structuredContent,
    });
    const content = readPromise(object({ content: { type: "string" } }));
    expect(content?.schema).toEqual({ type: "string" });
    expect(toolResult(result({ content: "the file" }), content)).toBe("the file");
    const wrapped = {
      ...object({ result: { $ref: "#/$defs/n" } }),
      $defs: { n: { type: "number" } },
    };
    const numbers = readPromise({ ...wrapped, "x-fastmcp-wrap-result": true });
    expect(numbers?.schema).toEqual({ $ref: "#/$defs/n", $defs: { n: { type: "number" } } });
    expect(toolResult(result({ result: 5 }), numbers)).toMatchObject({ value: { json: 5 } });
  });

  it("keeps a wrapping that says something", () => {
    for (const properties of [
      { url: { type: "string" } },
      { content: { type: "string" }, more: { type: "number" } },
      { content: { type: "array" } },
    ]) {
      const promise = readPromise(object(properties));
      expect(promise).toEqual({ schema: object(properties), property: undefined });
    }
  });

  it("is a failure where the server says so, with whatever it says", () => {
    const failed = (content: ContentBlock[]): CallToolResult => ({ content, isError: true });
    expect(() => toolResult(failed([text("one"), text("two")]), undefined)).toThrow("one\ntwo");
    expect(() => toolResult(failed([]), undefined)).toThrow("The tool failed without saying why.");
  });
});

describe("the result of reading a resource", () => {
  it("is a list where there are several", () => {
    const contents = [
      { uri: "x://1", text: "a" },
      { uri: "x://2", text: "b" },
    ];
    expect(resourceResult({ contents })).toMatchObject({ value: { kind: "json", json: contents } });
    expect(resourceResult({ contents: [] })).toMatchObject({ value: { kind: "json", json: [] } });
  });
});
