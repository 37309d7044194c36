import { setTimeout } from "node:timers/promises";
import type { Toolkit } from "../../../src/toolkit-cli/index.ts";
import type { JsonSchema } from "../../../src/toolkit-cli/json-schema.ts";
import { builtToolkits } from "../../support/built-toolkit-cli.ts";

const { tool, toolkit, output, ToolError } = builtToolkits;

const nothing: JsonSchema = { type: "object", properties: {}, additionalProperties: false };

/** Issues that are long enough for a list of them to be too long. */
export const issues = Array.from({ length: 500 }, (_, index) => ({
  id: index + 1,
  title: `Issue ${index + 1}`,
  state: index % 2 === 0 ? "open" : "closed",
  user: { name: "ada", id: 7 },
  body: "text ".repeat(30),
}));

/** Tools of every temper; `aborted` hears of calls that were given up. */
export function projectToolkit(aborted: (tool: string) => void = () => undefined): Toolkit {
  return toolkit("project", {
    description: "The issue tracker of the project.",
    tools: { ...issueTools(), ...resultTools(), ...failingTools(aborted) },
  });
}

function issueTools() {
  const state = { enum: ["open", "closed", "all"], description: "Which ones.", default: "open" };
  return {
    listIssues: tool({
      description: "List issues.\nNewest last.",
      readOnly: true,
      input: {
        type: "object",
        properties: { state, limit: { type: "integer" }, dryRun: { type: "boolean" } },
        additionalProperties: false,
      },
      output: {
        type: "array",
        items: {
          type: "object",
          properties: { id: { type: "integer" }, title: { type: "string" } },
        },
      },
      examples: [{ description: "three open ones", input: { state: "open", limit: 3 } }],
      handler: (input: unknown) => {
        const wanted = input as { state?: string; limit?: number };
        return issues
          .filter((issue) => wanted.state === "all" || issue.state === (wanted.state ?? "open"))
          .slice(0, wanted.limit);
      },
    }),
    createIssue: tool({
      description: "Create an issue.",
      input: {
        type: "object",
        properties: {
          title: { type: "string" },
          body: { type: "string" },
          meta: { type: "object", properties: { priority: { type: "integer", minimum: 1 } } },
          attachment: { type: "string", contentEncoding: "base64" },
        },
        required: ["title", "body"],
        additionalProperties: false,
      },
      handler: (input: unknown) => ({ id: 501, ...(input as object) }),
    }),
    find: tool({
      description: "Find issues.",
      input: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
      handler: (input: unknown) => ({
        total: 2,
        next: null,
        items: issues.slice(0, 2),
        query: (input as { query: string }).query,
      }),
    }),
  };
}

function resultTools() {
  const size = { type: "object", properties: { size: { type: "integer" } } };
  return {
    text: tool({
      description: "A text.",
      input: size,
      handler: (input: unknown) => "é".repeat((input as { size: number }).size),
    }),
    jsonText: tool({
      description: "JSON as text.",
      input: nothing,
      handler: () => '{"a":{"b":1},"c":2}',
    }),
    bare: tool({
      description: "A string that is data.",
      input: nothing,
      handler: () => output({ kind: "json", json: "data" }),
    }),
    nothing: tool({ description: "No result.", input: nothing, handler: () => undefined }),
    empty: tool({ description: "An empty list.", input: nothing, handler: () => [] }),
    bytes: tool({
      description: "Bytes.",
      input: nothing,
      handler: () => output({ kind: "bytes", base64: "AP8QDQ==", mimeType: "image/png" }),
    }),
    stream: tool({
      description: "Data, piece by piece.",
      input: size,
      async *handler(input: unknown, context) {
        const count = (input as { size?: number }).size ?? 3;
        for (let piece = 0; piece < count; piece++) {
          context.progress("counting", piece, count);
          yield { piece, pad: "p".repeat(80) };
        }
      },
    }),
    halfSecond: tool({
      description: "Takes a while.",
      input: nothing,
      handler: async () => {
        await setTimeout(500);
        return "half a second";
      },
    }),
    lines: tool({
      description: "Text, piece by piece.",
      input: nothing,
      async *handler() {
        yield "one ";
        yield "line";
      },
    }),
  };
}

function failingTools(aborted: (tool: string) => void) {
  const failAs = (code: "denied" | "unavailable" | "failed" | "cancelled" | "timeout") =>
    tool({
      description: `Ends with ${code}.`,
      input: nothing,
      handler: () => {
        throw new ToolError(code, `it is ${code}\u001b[31m`);
      },
    });
  return {
    denied: failAs("denied"),
    unavailable: failAs("unavailable"),
    failed: failAs("failed"),
    tooSlow: tool({
      description: "Takes longer than it may.",
      input: nothing,
      timeoutMs: 50,
      handler: () => new Promise(() => undefined),
    }),
    forever: tool({
      description: "Does not end.",
      input: nothing,
      handler: (_input: unknown, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            aborted("forever");
            reject(new Error("aborted"));
          });
        }),
    }),
    half: tool({
      description: "Fails in the middle.",
      input: nothing,
      async *handler() {
        yield "so far";
        throw new Error("no further");
      },
    }),
  };
}
