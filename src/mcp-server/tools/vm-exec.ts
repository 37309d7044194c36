import { z } from "zod";
import { HostError } from "../../vm/host-error.ts";
import type { Exec, OutputListener, SpawnOptions, Vm } from "../../vm/index.ts";
import { resumeExec } from "../approvals/resume-exec.ts";
import { ExecWork } from "../approvals/waiting-work.ts";
import { chosenVm } from "../clients/chosen-vm.ts";
import { clientKey } from "../clients/client-identity.ts";
import type { Visit, WorkingDirectory } from "../clients/working-directories.ts";
import type { ExecFeeding } from "../exec-feeding.ts";
import { defineTool, type McpCall } from "../mcp-tool.ts";
import { defaultOutputBytes, maxOutputBytes } from "../presentation/output-limit.ts";
import { execResult, presentExec } from "../presentation/present-exec.ts";
import { asRoot, environment, integer, optionalVmId, terminalLength } from "./arguments.ts";
import { feedExec } from "./feed-exec.ts";
import {
  defaultYieldMs,
  followExec,
  maxTimeoutMs,
  maxYieldMs,
  ReplyWork,
  reportTo,
} from "./follow-exec.ts";
import { guestEnvironment } from "./guest-environment.ts";
import { guestPath } from "./guest-path.ts";

const request = z.strictObject({
  vm_id: optionalVmId.describe("Default: your project's VM"),
  command: z.string(),
  cwd: z.string().optional().describe("Default: the directory the last command ended in"),
  stdin: z.string().optional(),
  interactive: z.boolean().optional().describe("Keep stdin open for vm_exec_io"),
  tty: z
    .boolean()
    .optional()
    .describe("Run on a terminal; returns the screen when the command waits for input"),
  cols: terminalLength,
  rows: terminalLength,
  env: environment.optional(),
  as_root: asRoot.describe("Run as root instead of user"),
  timeout_ms: integer(1, maxTimeoutMs).optional().describe("Kill the command after this time"),
  yield_ms: integer(0, maxYieldMs).optional().describe(`Default ${defaultYieldMs}`),
  max_output_bytes: integer(1, maxOutputBytes)
    .optional()
    .describe(
      `Default ${defaultOutputBytes}. Longer output shows its beginning and end; the log keeps all of it`,
    ),
});

type Request = z.output<typeof request>;

export const vmExec = defineTool({
  name: "vm_exec",
  title: "Run a command",
  description:
    "Runs a bash command in a VM. Returns when it ends, or after yield_ms with status running; " +
    "then continue with vm_exec_io. stdin is empty unless given. The working directory persists " +
    "between calls; variables do not.",
  inputSchema: request,
  outputSchema: execResult,
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  },
  meta: { "anthropic/alwaysLoad": true },
  async handler(input, call) {
    const hasSize = input.cols !== undefined || input.rows !== undefined;
    if (hasSize && input.tty !== true) throw new HostError("TTY_MISSING");
    const vm = await chosenVm(call, input.vm_id);
    const desk = await call.approvals();
    call.signal.throwIfAborted();
    const report = reportTo(call);
    const resumed = resumeExec(desk, call, vm);
    const directory = call.connection.directories.in(vm, clientKey(await call.identity()));
    using visit = directory.visit();
    const work =
      resumed?.work ?? (await start({ vm, request: input, call, report, directory, visit }));
    if (resumed !== undefined) visit.resume(work.exec);
    const notice = call.connection.notices.take(vm);
    const { yield_ms: yieldMs = defaultYieldMs } = input;
    const question = await followExec({ work, call, report, yieldMs, ownsExec: true, resumed });
    if (question !== undefined) return question;
    work.feeding?.throwIfFailed();
    visit.leave();
    return await presentExec({
      vmId: vm.id,
      exec: work.exec,
      screen: await work.exec.screen(),
      cursors: call.connection.outputCursors,
      maxOutputBytes: input.max_output_bytes ?? defaultOutputBytes,
      cwd: directory.takeNews(),
      notice,
      pending: await desk.tell(work),
    });
  },
});

interface Start {
  readonly vm: Vm;
  readonly request: Request;
  readonly call: McpCall;
  readonly report: OutputListener;
  readonly directory: WorkingDirectory;
  readonly visit: Visit;
}

/** Starts the command where it is asked to, else where the last one ended, else at home. */
async function start({ vm, request, call, report, directory, visit }: Start): Promise<ExecWork> {
  const { cwd, stdin: text } = request;
  let place = cwd === undefined ? directory.current : guestPath(cwd, actorOf(request));
  let feeding: ExecFeeding | undefined;
  const onAsked = (asked: Exec): void => {
    feeding = feedExec(asked, { text, closes: !isDialogue(request) });
  };
  const begin = async (): Promise<Exec> =>
    await spawn(vm, request, { cwd: place, onOutput: report, onAsked });
  const exec = await begin().catch(async (error: unknown) => {
    const lost = place;
    if (cwd !== undefined || !isPlaceGone(error)) throw error;
    place = directory.goHome();
    if (lost === place) throw error;
    call.connection.notices.add(
      vm,
      `${lost} cannot be entered any more; the command started in ${place}.`,
    );
    return await begin();
  });
  visit.start(exec, place);
  if (feeding === undefined) throw new Error("The command has started without its input.");
  return isDialogue(request)
    ? new ReplyWork({ vm, exec, feeding, pauseEnds: "never" })
    : new ExecWork(vm, exec, feeding);
}

function actorOf({ as_root: isRoot }: Request): "root" | "user" {
  return isRoot === true ? "root" : "user";
}

/** Whether somebody may answer what the command asks. */
function isDialogue({ interactive, tty }: Request): boolean {
  return interactive === true || tty === true;
}

/** Whether the kernel refuses the directory: a shell in another one would start. */
function isPlaceGone(error: unknown): boolean {
  // By its words: nobody loads the kernel to look at an error.
  const errno = error instanceof Error && "errno" in error ? error.errno : undefined;
  return errno === "ENOENT" || errno === "ENOTDIR" || errno === "EACCES";
}

type Spawn = Required<Pick<SpawnOptions, "cwd" | "onOutput" | "onAsked">>;

async function spawn(vm: Vm, request: Request, parts: Spawn): Promise<Exec> {
  const { env, timeout_ms: timeoutMs, stdin, cols = 80, rows = 24 } = request;
  return await vm.spawn(request.command, {
    ...parts,
    as: actorOf(request),
    hasStdin: stdin !== undefined || isDialogue(request),
    ...(request.tty === true ? { pty: { cols, rows, hasScreen: true } } : {}),
    ...(env === undefined ? {} : { env: guestEnvironment(env) }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
}
