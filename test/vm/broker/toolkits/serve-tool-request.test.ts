import { describe, expect, it } from "vitest";
import { tool, toolkit } from "../../../../src/toolkit-cli/index.ts";
import { GrantedToolkits, policyOf } from "../../../../src/vm/broker/toolkits/granted-toolkits.ts";
import { serveToolRequest } from "../../../../src/vm/broker/toolkits/serve-tool-request.ts";
import { ToolAudit } from "../../../../src/vm/broker/toolkits/tool-audit.ts";

describe("a tool's lines in the server's log", () => {
  it("name the tool, whether its handler writes them or its failure is told", async () => {
    const lines: string[] = [];
    const talk = tool({
      description: "Talks and fails",
      handler: (_, { log }) => {
        log("here I am");
        throw new Error("no more");
      },
    });
    const policy = policyOf({});
    const grant = {
      vm: "one",
      toolkits: new GrantedToolkits([toolkit("demo", { tools: { talk } })], policy),
      policy,
      approvals: undefined,
      audit: new ToolAudit(10),
      log: (line: string) => lines.push(line),
    };
    const events = serveToolRequest(grant, {
      request: { id: 1, op: "call", toolkit: "demo", tool: "talk", input: {} },
      caller: { pid: 2, command: "agentos-demo talk", audited: 0, resultBytes: () => 0 },
      signal: new AbortController().signal,
    });
    for await (const event of events) {
      expect(event).toEqual({ type: "error", code: "failed", message: "no more" });
    }
    expect(lines.map((line) => line.split("\n", 1)[0])).toEqual([
      "demo:talk: here I am",
      "demo:talk: failed: Error: no more",
    ]);
  });
});
