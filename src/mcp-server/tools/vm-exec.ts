import { z } from "zod";
import { defineTool } from "../mcp-tool.ts";
import { execResult, presentExec } from "../presentation/present-exec.ts";
import { defaultOutputTokens, maxOutputTokens } from "../presentation/tokens.ts";
import { asRoot, environment, integer, vmId } from "./arguments.ts";
import { feedExec } from "./feed-exec.ts";
import { defaultYieldMs, followExec, maxTimeoutMs, maxYieldMs, reportTo } from "./follow-exec.ts";
import { guestEnvironment } from "./guest-environment.ts";
import { guestPath } from "./guest-path.ts";

export const vmExec = defineTool({
  name: "vm_exec",
  title: "Run a command",
  description:
    "Runs a bash command. Answers at its end, or after yield_ms with status running: " +
    "then go on with vm_exec_io. stdin is empty unless given.",
  inputSchema: z.strictObject({
    vm_id: vmId,
    command: z.string(),
    cwd: z.string().optional().describe("Default /home/user"),
    stdin: z.string().optional(),
    interactive: z.boolean().optional().describe("Keeps stdin open for vm_exec_io"),
    env: environment.optional(),
    as_root: asRoot,
    timeout_ms: integer(1, maxTimeoutMs).optional().describe("Ends the command then"),
    yield_ms: integer(0, maxYieldMs).optional().describe(`Default ${defaultYieldMs}`),
    max_output_tokens: integer(1, maxOutputTokens)
      .optional()
      .describe(`Default ${defaultOutputTokens}: head and tail are shown, the log has all`),
  }),
  outputSchema: execResult,
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  },
  meta: { "anthropic/alwaysLoad": true },
  async handler(input, call) {
    const { vm_id, command, cwd, env, timeout_ms, yield_ms = defaultYieldMs } = input;
    const vm = (await call.vms()).get(vm_id);
    call.signal.throwIfAborted();
    const report = reportTo(call);
    const exec = await vm.spawn(command, {
      onOutput: report,
      as: input.as_root === true ? "root" : "user",
      hasStdin: input.stdin !== undefined || input.interactive === true,
      ...(cwd === undefined ? {} : { cwd: guestPath(cwd) }),
      ...(env === undefined ? {} : { env: guestEnvironment(env) }),
      ...(timeout_ms === undefined ? {} : { timeoutMs: timeout_ms }),
    });
    const notice = vm.takeNotice();
    const fed = feedExec(exec, { text: input.stdin, closes: input.interactive !== true });
    await followExec({ exec, call, report, yieldMs: yield_ms, ownsExec: true });
    fed.throwIfFailed();
    const { max_output_tokens: tokens = defaultOutputTokens } = input;
    return await presentExec({ vmId: vm.id, exec, maxOutputTokens: tokens, notice });
  },
});
