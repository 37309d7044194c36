import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import { HostError } from "../../vm/host-error.ts";
import type { CodeRun, RefusedCode, Vms } from "../../vm/index.ts";
import type { ApprovalDesk, Resumed } from "../approvals/approval-desk.ts";
import { attendWork } from "../approvals/attend-work.ts";
import { ExecWork } from "../approvals/waiting-work.ts";
import { chosenVm } from "../clients/chosen-vm.ts";
import { defineTool, type McpCall } from "../mcp-tool.ts";
import { defaultOutputBytes, maxOutputBytes } from "../presentation/output-limit.ts";
import { codeResult, presentCode, presentRefused } from "../presentation/present-code.ts";
import { withNotice } from "../presentation/with-notice.ts";
import { integer, optionalVmId } from "./arguments.ts";
import { defaultYieldMs, lastLine, maxTimeoutMs, maxYieldMs } from "./follow-exec.ts";
import { guestPath } from "./guest-path.ts";

const request = z.strictObject({
  code: z.string().optional(),
  vm_id: optionalVmId,
  execution_id: z.string().optional().describe("Continue this run; omit code"),
  cwd: z.string().optional(),
  check: z.boolean().optional().describe("false skips the type check"),
  timeout_ms: integer(1, maxTimeoutMs).optional(),
  yield_ms: integer(0, maxYieldMs).optional(),
  max_output_bytes: integer(1, maxOutputBytes).optional(),
});

type Request = z.output<typeof request>;

/**
 * A run belongs to the call until that has answered: cancelling ends it. One that has answered `running`, or `paused` while
 * it waits for approval, belongs to its VM and goes on by itself; its answer is kept until a call takes it.
 */
export const codeRun = defineTool({
  name: "code_run",
  title: "Run code",
  description:
    "Runs JavaScript or TypeScript (Node.js) in a VM and returns its value as JSON. Write an expression, or a " +
    "function body with return and await. Available: tools.<toolkit>.<tool>(input) (see toolkit_search), " +
    "vm.exec(command), fs, store(key, value), load(key), text(). Batch tool calls and return only what matters. " +
    "After yield_ms it returns status running; then continue with execution_id.",
  inputSchema: request,
  outputSchema: codeResult,
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  meta: { "anthropic/alwaysLoad": true },
  async handler(input, call) {
    const vms = await call.vms();
    const resumed = resumeRun(await call.approvals(), call);
    const begun = resumed?.run ?? (await begin(vms, input, call));
    const bytes = input.max_output_bytes ?? defaultOutputBytes;
    if ("problems" in begun) return presentRefused(begun, bytes);
    return await follow(begun, { vms, input, call, resumed });
  },
});

/** A run as approvals see it. */
class CodeWork extends ExecWork {
  readonly run: CodeRun;

  constructor(run: CodeRun) {
    super(run.vm, run.exec);
    this.run = run;
  }
}

/** The run that a call brings answers for. CALL_GONE. */
function resumeRun(desk: ApprovalDesk, call: McpCall): ResumedRun | undefined {
  const kept = desk.resume(call);
  if (kept === undefined) return undefined;
  const { work } = kept;
  if (!(work instanceof CodeWork)) throw new HostError("CALL_GONE");
  return { ...kept, run: work.run };
}

interface ResumedRun extends Resumed {
  readonly run: CodeRun;
}

async function begin(vms: Vms, input: Request, call: McpCall): Promise<CodeRun | RefusedCode> {
  const { code, execution_id: execution, cwd } = input;
  if ((code === undefined) === (execution === undefined)) throw new HostError("CODE_MISSING");
  if (execution !== undefined) {
    const run = vms.code.get(execution);
    if (input.timeout_ms !== undefined) run.limitTime(input.timeout_ms);
    return run;
  }
  const vm = await chosenVm(call, input.vm_id);
  call.signal.throwIfAborted();
  return await vms.code.start(vm, code ?? "", {
    ...(cwd === undefined ? {} : { cwd: guestPath(cwd, "user") }),
    isUnchecked: input.check === false,
    timeoutMs: input.timeout_ms,
    onOutput: (bytes) => call.progress(lastLine(bytes)),
  });
}

interface Following {
  readonly vms: Vms;
  readonly input: Request;
  readonly call: McpCall;
  readonly resumed: ResumedRun | undefined;
}

async function follow(
  run: CodeRun,
  { vms, input, call, resumed }: Following,
): Promise<CallToolResult | InputRequiredResult> {
  const work = new CodeWork(run);
  const limitMs = input.yield_ms ?? defaultYieldMs;
  const question = await attendWork({ work, call, limitMs, resumed });
  if (question !== undefined) return question;
  // A run that has answered before belongs to its VM: who cancels gives up the wait.
  if (call.signal.aborted && input.execution_id === undefined) await run.stop();
  const pending = run.isRunning ? await (await call.approvals()).tell(work) : [];
  const result = await run.result();
  if (result.status !== "running") vms.code.forget(run);
  const bytes = input.max_output_bytes ?? defaultOutputBytes;
  const answer = presentCode({ run, result, pending, maxOutputBytes: bytes });
  return withNotice(call.connection.notices.take(run.vm), answer);
}
