import { z } from "zod";
import { HostError } from "../../vm/host-error.ts";
import type { Exec } from "../../vm/index.ts";
import { resumeExec } from "../approvals/resume-exec.ts";
import { ExecWork } from "../approvals/waiting-work.ts";
import { chosenVm } from "../clients/chosen-vm.ts";
import { clientKey } from "../clients/client-identity.ts";
import type { ExecFeeding } from "../exec-feeding.ts";
import { defineTool } from "../mcp-tool.ts";
import { defaultOutputBytes, maxOutputBytes } from "../presentation/output-limit.ts";
import { execResult, presentExec } from "../presentation/present-exec.ts";
import { integer, optionalVmId, terminalLength } from "./arguments.ts";
import { feedExec } from "./feed-exec.ts";
import { defaultYieldMs, followExec, maxYieldMs, ReplyWork, reportTo } from "./follow-exec.ts";

interface Request {
  readonly stdin?: string | undefined;
  readonly close_stdin?: boolean | undefined;
  readonly signal?: string | undefined;
  readonly cols?: number | undefined;
  readonly rows?: number | undefined;
}

/** Answers only output that no earlier answer to this connection has shown. */
export const vmExecIo = defineTool({
  name: "vm_exec_io",
  title: "Continue a command",
  description:
    "Waits for a running command and returns its new output. Can write to its stdin (then returns " +
    "when the command waits for more input), send a signal, or resize its terminal.",
  inputSchema: z.strictObject({
    vm_id: optionalVmId,
    exec_id: z.string(),
    stdin: z
      .string()
      .optional()
      .describe("End lines with \\n. On a tty, send keys: Enter is \\r, Ctrl-C is \\u0003"),
    close_stdin: z.boolean().optional(),
    signal: z.string().optional().describe("INT, TERM, KILL, …"),
    cols: terminalLength,
    rows: terminalLength,
    yield_ms: integer(0, maxYieldMs).optional(),
    max_output_bytes: integer(1, maxOutputBytes).optional(),
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
    const { yield_ms: yieldMs = defaultYieldMs, stdin } = input;
    const vm = await chosenVm(call, input.vm_id);
    const desk = await call.approvals();
    const exec = vm.getExec(input.exec_id);
    const directory = call.connection.directories.in(vm, clientKey(await call.identity()));
    using visit = directory.visit();
    visit.resume(exec);
    const resumed = resumeExec(desk, call, vm);
    const { feeding, notice } = resumed === undefined ? await act(exec, input) : {};
    const isResized = input.cols !== undefined || input.rows !== undefined;
    const isDialogue = isResized || (stdin !== undefined && stdin !== "");
    const work =
      isDialogue && input.close_stdin !== true
        ? new ReplyWork({ vm, exec, feeding, pauseEnds: isResized ? "always" : "after-output" })
        : new ExecWork(vm, exec, feeding);
    const report = reportTo(call);
    const question = await followExec({ work, call, report, yieldMs, ownsExec: false, resumed });
    if (question !== undefined) return question;
    feeding?.throwIfFailed();
    visit.leave();
    const { max_output_bytes: bytes = defaultOutputBytes } = input;
    const notices = [call.connection.notices.take(vm), notice].filter((text) => text !== undefined);
    return await presentExec({
      vmId: vm.id,
      exec,
      screen: await exec.screen(),
      cursors: call.connection.outputCursors,
      maxOutputBytes: bytes,
      cwd: directory.takeNews(),
      pending: await desk.tell(work),
      ...(notices.length === 0 ? {} : { notice: notices.join(" ") }),
    });
  },
});

/** Does what is asked of a command that may end at any time: then that is said, and no error. */
async function act(
  exec: Exec,
  request: Request,
): Promise<{ feeding?: ExecFeeding; notice?: string }> {
  const { stdin, close_stdin: closes = false, signal, cols, rows } = request;
  const isResized = cols !== undefined || rows !== undefined;
  const wants = stdin !== undefined || closes || signal !== undefined || isResized;
  if (!exec.isRunning) {
    return wants ? { notice: "The command had ended: nothing reached it." } : {};
  }
  if (stdin !== undefined && !exec.isStdinOpen) {
    throw new HostError("EXEC_STDIN_CLOSED", { exec: exec.id });
  }
  if (isResized) await exec.resize({ cols, rows });
  if (signal !== undefined) await exec.signal(signal);
  return { feeding: feedExec(exec, { text: stdin, closes }) };
}
