import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Evaluation } from "../../vm/index.ts";
import { defineTool } from "../mcp-tool.ts";
import { cutMiddle } from "../presentation/cut-middle.ts";
import { bytesOfTokens, defaultOutputTokens, maxOutputTokens } from "../presentation/tokens.ts";
import { withNotice } from "../presentation/with-notice.ts";
import { integer, vmId } from "./arguments.ts";
import { lastLine, maxTimeoutMs } from "./follow-exec.ts";
import { guestPath } from "./guest-path.ts";

/** Under the common limit of clients, a minute. */
const defaultTimeoutMs = 50_000;

const codeResult = z.object({
  status: z.enum(["completed", "error", "timeout"]),
  /** The code's value as JSON. */
  result: z.unknown().optional(),
  error: z.object({ name: z.string(), message: z.string() }).optional(),
  /** What the code printed. */
  logs: z.string(),
  truncated: z.boolean(),
});

export const codeRun = defineTool({
  name: "code_run",
  title: "Run code",
  description:
    "Runs JavaScript or TypeScript with Node.js in the VM and returns its value as JSON: " +
    "an expression, or a function body with return and await.",
  inputSchema: z.strictObject({
    vm_id: vmId,
    code: z.string(),
    language: z.enum(["javascript", "typescript"]).optional(),
    cwd: z.string().optional(),
    timeout_ms: integer(1, maxTimeoutMs).optional().describe(`Default ${defaultTimeoutMs}`),
    max_output_tokens: integer(1, maxOutputTokens).optional(),
  }),
  outputSchema: codeResult,
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  },
  meta: { "anthropic/alwaysLoad": true },
  async handler(input, call) {
    const { vm_id, code, language, cwd, timeout_ms: timeoutMs = defaultTimeoutMs } = input;
    const vm = (await call.vms()).get(vm_id);
    const report = (bytes: Uint8Array): void => call.progress(lastLine(bytes));
    const evaluation = await vm.evaluate(code, {
      timeoutMs,
      signal: call.signal,
      onStdout: report,
      onStderr: report,
      ...(language === undefined ? {} : { language }),
      ...(cwd === undefined ? {} : { cwd: guestPath(cwd) }),
    });
    const limitBytes = bytesOfTokens(input.max_output_tokens ?? defaultOutputTokens);
    return withNotice(vm.takeNotice(), present(evaluation, limitBytes));
  },
});

/** The value first; what was printed gets the room that is left. */
function present(evaluation: Evaluation, limitBytes: number): CallToolResult {
  const { status, value, error } = evaluation;
  const json = value === undefined ? "" : JSON.stringify(value, null, 1);
  const shown = cutMiddle(json, limitBytes);
  const logs = cutMiddle(evaluation.logs, Math.max(1000, limitBytes - shown.text.length));
  const truncated = shown.isCut || logs.isCut || evaluation.truncated;
  const problem = error?.stack ?? (error && `${error.name}: ${error.message}`);
  const text = [
    shown.text,
    problem === undefined ? "" : problem,
    status === "timeout" ? "[ended by its timeout]" : "",
    logs.text === "" ? "" : `[printed]\n${logs.text}`,
  ];
  const content = text.filter((part) => part !== "").join("\n");
  return {
    structuredContent: {
      status,
      ...(value === undefined ? {} : { result: shown.isCut ? shown.text : value }),
      ...(error === undefined ? {} : { error: { name: error.name, message: error.message } }),
      logs: logs.text,
      truncated,
    },
    content: [{ type: "text", text: content === "" ? "[no value, nothing printed]" : content }],
  };
}
