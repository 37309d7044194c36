import { z } from "zod";
import type { OutputListener, Vm } from "../../vm/index.ts";
import { resumeExec } from "../approvals/resume-exec.ts";
import { ExecWork } from "../approvals/waiting-work.ts";
import { chosenVm } from "../clients/chosen-vm.ts";
import { defineTool } from "../mcp-tool.ts";
import { execResult, presentExec } from "../presentation/present-exec.ts";
import { defaultOutputTokens, maxOutputTokens } from "../presentation/tokens.ts";
import { asRoot, environment, integer, optionalVmId } from "./arguments.ts";
import { feedExec } from "./feed-exec.ts";
import { defaultYieldMs, followExec, maxTimeoutMs, maxYieldMs, reportTo } from "./follow-exec.ts";
import { guestEnvironment } from "./guest-environment.ts";
import { guestPath } from "./guest-path.ts";

const wish = z.strictObject({
  vm_id: optionalVmId.describe("Default: the VM of your project"),
  command: z.string(),
  cwd: z.string().optional().describe("Default /home/user"),
  stdin: z.string().optional(),
  interactive: z.boolean().optional().describe("Keeps stdin open for vm_exec_io"),
  env: environment.optional(),
  as_root: asRoot.describe("Act as root, not as user"),
  timeout_ms: integer(1, maxTimeoutMs).optional().describe("Ends the command then"),
  yield_ms: integer(0, maxYieldMs).optional().describe(`Default ${defaultYieldMs}`),
  max_output_tokens: integer(1, maxOutputTokens)
    .optional()
    .describe(`Default ${defaultOutputTokens}: head and tail are shown, the log has all`),
});

type Wish = z.output<typeof wish>;

export const vmExec = defineTool({
  name: "vm_exec",
  title: "Run a command",
  description:
    "Runs a bash command. Answers at its end, or after yield_ms with status running: " +
    "then go on with vm_exec_io. stdin is empty unless given.",
  inputSchema: wish,
  outputSchema: execResult,
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  },
  meta: { "anthropic/alwaysLoad": true },
  async handler(input, call) {
    const { yield_ms: yieldMs = defaultYieldMs, max_output_tokens: tokens } = input;
    const vm = await chosenVm(call, input.vm_id);
    const desk = await call.approvals();
    call.signal.throwIfAborted();
    const report = reportTo(call);
    const resumed = resumeExec(desk, call, vm);
    const work = resumed?.work ?? (await start(vm, input, report));
    const notice = call.connection.notices.take(vm);
    const question = await followExec({ work, call, report, yieldMs, ownsExec: true, resumed });
    if (question !== undefined) return question;
    work.feeding?.throwIfFailed();
    return await presentExec({
      vmId: vm.id,
      exec: work.exec,
      cursors: call.connection.outputCursors,
      maxOutputTokens: tokens ?? defaultOutputTokens,
      notice,
      pending: await desk.tell(work),
    });
  },
});

async function start(vm: Vm, wish: Wish, report: OutputListener): Promise<ExecWork> {
  const { cwd, env, timeout_ms: timeoutMs, stdin: text } = wish;
  const exec = await vm.spawn(wish.command, {
    onOutput: report,
    as: wish.as_root === true ? "root" : "user",
    hasStdin: text !== undefined || wish.interactive === true,
    ...(cwd === undefined ? {} : { cwd: guestPath(cwd) }),
    ...(env === undefined ? {} : { env: guestEnvironment(env) }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
  return new ExecWork(vm, exec, feedExec(exec, { text, closes: wish.interactive !== true }));
}
