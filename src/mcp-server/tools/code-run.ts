import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import { HostError } from "../../vm/host-error.ts";
import type { CodeRun, RefusedCode, Vms } from "../../vm/index.ts";
import type { ApprovalDesk, Resumed } from "../approvals/approval-desk.ts";
import { attendWork } from "../approvals/attend-work.ts";
import { ExecWork } from "../approvals/waiting-work.ts";
import { chosenVm } from "../clients/chosen-vm.ts";
import { defineTool, type McpCall } from "../mcp-tool.ts";
import { codeResult, presentCode, presentRefused } from "../presentation/present-code.ts";
import { defaultOutputTokens, maxOutputTokens } from "../presentation/tokens.ts";
import { withNotice } from "../presentation/with-notice.ts";
import { integer, optionalVmId } from "./arguments.ts";
import { lastLine, maxTimeoutMs } from "./follow-exec.ts";
import { guestPath } from "./guest-path.ts";

/** Under the common limit of clients, a minute. */
const defaultTimeoutMs = 50_000;

const wish = z.strictObject({
  code: z.string().optional(),
  vm_id: optionalVmId,
  execution_id: z.string().optional().describe("Of a paused run, instead of code"),
  cwd: z.string().optional(),
  check: z.boolean().optional().describe("false: no type check"),
  timeout_ms: integer(1, maxTimeoutMs).optional().describe(`Default ${defaultTimeoutMs}`),
  max_output_tokens: integer(1, maxOutputTokens).optional(),
});

type Wish = z.output<typeof wish>;

/**
 * A run belongs to the call until that has answered: cancelling ends it. One that has answered `paused` belongs to its
 * VM, and goes on by itself once somebody has decided.
 */
export const codeRun = defineTool({
  name: "code_run",
  title: "Run code",
  description:
    "Runs JavaScript or TypeScript (Node.js) in a VM and returns its value as JSON: an expression, or a function " +
    "body with return and await. Has tools.<toolkit>.<tool>(input) (see toolkit_search), vm.exec(command), fs, " +
    "store(key, value), load(key), text(). Batch calls of tools; return only what matters.",
  inputSchema: wish,
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
    const tokens = input.max_output_tokens ?? defaultOutputTokens;
    if ("problems" in begun) return presentRefused(begun, tokens);
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

async function begin(vms: Vms, input: Wish, call: McpCall): Promise<CodeRun | RefusedCode> {
  const { code, execution_id: execution, cwd } = input;
  if ((code === undefined) === (execution === undefined)) throw new HostError("CODE_MISSING");
  if (execution !== undefined) return vms.code.get(execution);
  const vm = await chosenVm(call, input.vm_id);
  call.signal.throwIfAborted();
  return await vms.code.start(vm, code ?? "", {
    ...(cwd === undefined ? {} : { cwd: guestPath(cwd, "user") }),
    isUnchecked: input.check === false,
    onOutput: (bytes) => call.progress(lastLine(bytes)),
  });
}

interface Following {
  readonly vms: Vms;
  readonly input: Wish;
  readonly call: McpCall;
  readonly resumed: ResumedRun | undefined;
}

async function follow(
  run: CodeRun,
  { vms, input, call, resumed }: Following,
): Promise<CallToolResult | InputRequiredResult> {
  const work = new CodeWork(run);
  const limitMs = input.timeout_ms ?? defaultTimeoutMs;
  const question = await attendWork({ work, call, limitMs, resumed });
  if (question !== undefined) return question;
  const pending = run.isRunning ? await (await call.approvals()).tell(work) : [];
  // A run that has answered before belongs to its VM: who cancels gives up the wait.
  const isOwned = input.execution_id === undefined || !call.signal.aborted;
  if (run.isRunning && (pending.length === 0 || call.signal.aborted) && isOwned) await run.stop();
  const result = await run.result();
  if (result.status !== "running") vms.code.forget(run);
  const tokens = input.max_output_tokens ?? defaultOutputTokens;
  const answer = presentCode({ run, result, pending, maxOutputTokens: tokens });
  return withNotice(call.connection.notices.take(run.vm), answer);
}
